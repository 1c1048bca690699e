//! Experts: who looks at the moves of a position one deal further, with any function in any game, or in the fast way of a game that
//! has one.

use games::tetris::fast::Ahead;
use games::tetris::{Kind, LOST, Pieces, Placement, Tetris, TetrisRules};
use measure::score::FastPlayer;
use measure::splitting::Levelled;
use play::PlayedGame;
use play::evaluator::Evaluator;
use play::players::lookahead::Room;

use super::prospects::{MoveOutlook, Prospect, look};

/// Looks at every move of a position.
pub trait Expert<G: PlayedGame> {
    /// The legal moves as it sees them, in their order.
    fn look(&mut self, position: &G, moves: &[G::Move]) -> Vec<MoveOutlook>;
}

/// A game in which a function can imitate itself one deal deeper.
pub trait CbmpiGame: Levelled {
    /// The expert that looks with this function, in the fastest way there is.
    fn expert<'a>(rules: &Self::Rules, evaluator: &'a Evaluator<Self>) -> Box<dyn Expert<Self> + 'a> {
        let _ = rules;
        Box::new(Plain { evaluator, room: Room::default() })
    }
}

impl CbmpiGame for Tetris {
    fn expert<'a>(rules: &TetrisRules, evaluator: &'a Evaluator<Tetris>) -> Box<dyn Expert<Tetris> + 'a> {
        let plain = Plain { evaluator, room: Room::default() };
        match FastPlayer::new(rules, evaluator, false) {
            // A piece that is shown ahead is known, and not one of seven; one without room has no answer, not even a lost one.
            Some(player) if !rules.preview && rules.game == Kind::Simplified => {
                Box::new(Fast { player, pieces: rules.pieces.clone(), all: Vec::new() })
            }
            _ => Box::new(plain),
        }
    }
}

/// Any function in any game.
struct Plain<'a, G: PlayedGame> {
    evaluator: &'a Evaluator<G>,
    room: Room<G>,
}

impl<G: PlayedGame> Expert<G> for Plain<'_, G> {
    fn look(&mut self, position: &G, moves: &[G::Move]) -> Vec<MoveOutlook> {
        look(self.evaluator, position, moves, &mut self.room)
    }
}

/// A weighted sum of Tetris in vector lanes.
struct Fast {
    player: FastPlayer,
    pieces: Pieces,
    all: Vec<Ahead>,
}

impl Expert<Tetris> for Fast {
    fn look(&mut self, position: &Tetris, moves: &[Placement]) -> Vec<MoveOutlook> {
        let piece = moves[0].piece;
        self.player.player.set(position);
        self.player.player.values_ahead(piece, &mut self.all);
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
