//! A linear function of Tetris in vector lanes, with the pieces in its hand: the fast way to play and to look one piece further.

use games::tetris::{Deck, Kind, LOST, Piece, Pieces, Placement, Tetris, TetrisFeatures, TetrisRules};
use lanes::{Ahead, LinearPlayer};

use super::tetris::climb;
use crate::evaluator::Evaluator;
use crate::outlook::{Expert, MoveOutlook, Prospect};
use crate::players::{PlayerFailure, PlayerSpec};
use crate::playout::GameDice;
use crate::solo::{Measure, OVER, SoloPlayer};

/// A linear function that plays the piece at hand, or looks one piece further.
pub struct FastPlayer {
    player: LinearPlayer,
    ahead: bool,
    hand: PieceQueue,
}

/// The pieces that are known, and those that may come.
struct PieceQueue {
    rules: TetrisRules,
    dice: GameDice,
    deck: Deck,
    next: Option<Piece>,
}

/// The function in vector lanes, if it has them.
fn lanes(rules: &TetrisRules, evaluator: &Evaluator<Tetris>) -> Option<LinearPlayer> {
    let features = TetrisFeatures::new(rules, evaluator.feature_names()).ok()?;
    LinearPlayer::new(rules, &features, evaluator.linear_weights()?)
}

impl FastPlayer {
    /// The fast player of a text that was read, if there is one.
    pub fn new(rules: &TetrisRules, player: &PlayerSpec<Tetris>) -> Option<Self> {
        let (evaluator, ahead) = match player {
            PlayerSpec::Model(evaluator) => (evaluator, false),
            PlayerSpec::Lookahead(evaluator) => (evaluator, true),
            _ => return None,
        };
        // One piece deeper the piece after the known one is not told, yet the general way asks whether one has room.
        if ahead && rules.preview && rules.game == Kind::Original {
            return None;
        }
        let (player, rules) = (lanes(rules, evaluator)?, rules.clone());
        let deck = rules.pieces.fresh_deck();
        let hand = PieceQueue { rules, dice: GameDice::new(0, 0), deck, next: None };
        Some(Self { player, ahead, hand })
    }

    /// Takes a piece from the hand and places it; not if it has no room to appear, which loses.
    #[inline]
    fn place(&mut self) -> bool {
        let piece = self.hand.take();
        self.player.meet(piece);
        if self.player.lost() {
            return false;
        }
        let hand = &self.hand;
        let placement: Placement = match self.ahead {
            false => self.player.choose(piece),
            true => self.player.choose_ahead(piece, hand.next, hand.rules.pieces.weights(hand.deck)),
        };
        self.player.play(placement);
        if let Some(next) = self.hand.next {
            self.player.meet(next);
        }
        true
    }
}

impl PieceQueue {
    /// The piece to place; the one after it is dealt where the rules show it. Every piece takes one number of the dice.
    #[inline(always)]
    fn take(&mut self) -> Piece {
        let piece = self.next.take().unwrap_or_else(|| self.deal());
        if self.rules.preview {
            self.next = Some(self.deal());
        }
        piece
    }

    #[inline(always)]
    fn deal(&mut self) -> Piece {
        let piece = self.rules.pieces.draw(self.deck, &mut self.dice.deals);
        self.deck = self.rules.pieces.after(self.deck, piece);
        piece
    }
}

impl SoloPlayer<Tetris> for FastPlayer {
    fn set(&mut self, position: &Tetris, dice: GameDice) {
        self.player.set(position);
        (self.hand.dice, self.hand.deck, self.hand.next) = (dice, position.deck(), position.current());
    }

    /// A loop apart from that of `playout`: the board is the one in vector lanes.
    fn run(&mut self, most: u64) -> Result<u64, PlayerFailure> {
        let mut made = 0;
        while made < most && !self.player.lost() {
            made += u64::from(self.place());
        }
        Ok(made)
    }

    fn is_over(&self) -> bool {
        self.player.lost()
    }

    fn score(&self) -> f64 {
        self.player.lines() as f64
    }

    fn level(&self, measure: Measure) -> u32 {
        if self.player.lost() { OVER } else { climb(self.player.columns(), measure) }
    }

    fn position(&self) -> Tetris {
        self.player.position_with(self.hand.deck, self.hand.next)
    }

    fn dice(&self) -> GameDice {
        self.hand.dice.clone()
    }

    fn stride(&self) -> u64 {
        if self.ahead { 1 << 9 } else { 1 << 14 }
    }

    fn can_take_up(&self) -> bool {
        true
    }

    /// The stream and the deck are found again by counting.
    fn skip(&mut self, moves: u64) {
        (self.hand.deck, self.hand.next) = (self.hand.rules.pieces.fresh_deck(), None);
        for _ in 0..moves {
            self.hand.take();
        }
    }
}

/// Looks one piece further with a linear function in vector lanes.
pub struct FastExpert {
    player: LinearPlayer,
    pieces: Pieces,
    all: Vec<Ahead>,
}

impl FastExpert {
    /// The fast expert of a function, if there is one.
    pub fn new(rules: &TetrisRules, evaluator: &Evaluator<Tetris>) -> Option<Self> {
        // A piece that is shown ahead is known, and not one of seven; one without room has no answer, not even a lost one.
        if rules.preview || rules.game != Kind::Simplified {
            return None;
        }
        let player = lanes(rules, evaluator)?;
        Some(Self { player, pieces: rules.pieces.clone(), all: Vec::new() })
    }
}

impl Expert<Tetris> for FastExpert {
    fn look(&mut self, position: &Tetris, moves: &[Placement]) -> Vec<MoveOutlook> {
        self.player.set(position);
        self.player.values_ahead(moves[0].piece, &mut self.all);
        assert!(
            self.all.iter().map(|one| one.placement).eq(moves.iter().copied()),
            "the same moves in the same order"
        );
        // What may be dealt next does not depend on the placement.
        let weights = self.pieces.weights(position.deck());
        let total: u32 = weights.iter().sum();
        let seen = |one: &Ahead| {
            let dealt = one.next.iter().zip(weights).filter(|(_, weight)| !one.lost && *weight > 0);
            let next = dealt.map(|(&value, weight)| Prospect {
                share: f64::from(weight) / f64::from(total),
                value: (value > LOST).then_some(value),
            });
            MoveOutlook { own: one.own, next: next.collect() }
        };
        self.all.iter().map(seen).collect()
    }
}
