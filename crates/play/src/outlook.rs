//! What an expert that looks one deal further sees in every move: the value of the move, and of what can be made of each
//! thing that chance may deal after it.

use games::Turn;

use crate::PlayedGame;
use crate::evaluator::Evaluator;
use crate::players::lookahead::{Room, best_answer, deals};

/// What may come after a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    /// How likely it is.
    pub share: f64,
    /// What the best answer is worth; none if all answers end the game.
    pub value: Option<f64>,
}

/// A move as the expert sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveOutlook {
    /// What it is worth in itself.
    pub own: f64,
    /// What may come after it; nothing if it ends the game.
    pub next: Vec<Prospect>,
}

/// Looks at every move of a position.
pub trait Expert<G: PlayedGame>: Send {
    /// The legal moves of a position in which a player is to move as it sees them, in their order.
    fn look(&mut self, position: &G, moves: &[G::Move]) -> Vec<MoveOutlook>;
}

/// Any function in any game.
pub struct General<'a, G: PlayedGame> {
    evaluator: &'a Evaluator<G>,
    room: Room<G>,
}

impl<'a, G: PlayedGame> General<'a, G> {
    /// Looks with this function.
    pub fn new(evaluator: &'a Evaluator<G>) -> Self {
        Self { evaluator, room: Room::default() }
    }

    /// Follows a position through what chance deals to where a player is to move.
    fn follow(&mut self, after: &G, share: f64, next: &mut Vec<Prospect>) {
        match after.turn() {
            Turn::Over => {}
            Turn::Player(_) => {
                let answer = best_answer(self.evaluator, after, &mut self.room);
                next.push(Prospect { share, value: (!answer.over).then_some(answer.value) });
            }
            Turn::Chance => {
                let (outcomes, total) = deals(after);
                for outcome in outcomes {
                    let mut dealt = after.clone();
                    dealt.deal_outcome(outcome.index);
                    let share = share * f64::from(outcome.weight) / f64::from(total);
                    self.follow(&dealt, share, next);
                }
            }
        }
    }
}

impl<G: PlayedGame> Expert<G> for General<'_, G> {
    fn look(&mut self, position: &G, moves: &[G::Move]) -> Vec<MoveOutlook> {
        let (mut rows, mut own) = (Vec::new(), Vec::new());
        self.evaluator.values(position, moves, &mut rows, &mut own);
        let seen = |(&mv, own): (&G::Move, f64)| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let mut next = Vec::new();
            self.follow(&after, 1.0, &mut next);
            MoveOutlook { own, next }
        };
        moves.iter().zip(own).map(seen).collect()
    }
}
