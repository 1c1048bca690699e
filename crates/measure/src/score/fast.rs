//! A linear function of Tetris in vector lanes, with the pieces in its hand.

use games::Dice;
use games::tetris::fast::LinearPlayer;
use games::tetris::{Deck, Kind, Piece, Placement, Tetris, TetrisFeatures, TetrisRules};
use play::evaluator::Evaluator;

/// A linear function that plays the piece at hand, or looks one piece further.
#[derive(Debug, Clone)]
pub struct FastPlayer {
    /// The function and its board.
    pub player: LinearPlayer,
    ahead: bool,
}

/// The pieces that are known, and those that may come.
pub struct PieceQueue<'a> {
    rules: &'a TetrisRules,
    dice: Dice,
    deck: Deck,
    next: Option<Piece>,
}

impl FastPlayer {
    /// The fast player of an evaluation function, if there is one.
    pub fn new(rules: &TetrisRules, evaluator: &Evaluator<Tetris>, ahead: bool) -> Option<Self> {
        // One piece deeper the piece after the known one is not told, yet the general way asks whether one has room.
        if ahead && rules.preview && rules.game == Kind::Original {
            return None;
        }
        let features = TetrisFeatures::new(rules, evaluator.feature_names()).ok()?;
        let player = LinearPlayer::new(rules, &features, evaluator.linear_weights()?)?;
        Some(Self { player, ahead })
    }

    /// Decisions between two looks at whether to go on.
    pub fn stride(&self) -> u64 {
        if self.ahead { 1 << 9 } else { 1 << 14 }
    }

    /// Takes a piece from the hand and places it; not if it has no room to appear, which loses.
    #[inline]
    pub fn place(&mut self, hand: &mut PieceQueue) -> bool {
        let piece = hand.take();
        self.player.meet(piece);
        if self.player.lost() {
            return false;
        }
        let placement: Placement = match self.ahead {
            false => self.player.choose(piece),
            true => self.player.choose_ahead(piece, hand.next, hand.rules.pieces.weights(hand.deck)),
        };
        self.player.play(placement);
        if let Some(next) = hand.next {
            self.player.meet(next);
        }
        true
    }
}

impl<'a> PieceQueue<'a> {
    /// An empty hand of the stream of pieces that these dice deal.
    pub fn new(rules: &'a TetrisRules, dice: Dice) -> Self {
        Self { rules, dice, deck: rules.pieces.fresh_deck(), next: None }
    }

    /// The piece to place; the one after it is dealt where the rules show it. Every piece takes one number of the dice.
    #[inline]
    pub fn take(&mut self) -> Piece {
        let piece = self.next.take().unwrap_or_else(|| self.deal());
        if self.rules.preview {
            self.next = Some(self.deal());
        }
        piece
    }

    #[inline]
    fn deal(&mut self) -> Piece {
        let piece = self.rules.pieces.draw(self.deck, &mut self.dice);
        self.deck = self.rules.pieces.after(self.deck, piece);
        piece
    }

    /// A new game of the same stream.
    pub fn renew(&mut self) {
        (self.deck, self.next) = (self.rules.pieces.fresh_deck(), None);
    }

    /// The hand of a game that goes on from a position, with other dice.
    pub fn go_on_from(&mut self, position: &Tetris, dice: Dice) {
        (self.dice, self.deck, self.next) = (dice, position.deck(), position.current());
    }

    /// The piece to place next, where it is known.
    pub fn next(&self) -> Option<Piece> {
        self.next
    }

    /// What is left of the deck.
    pub fn deck(&self) -> Deck {
        self.deck
    }
}
