//! Rollouts: how a simulated game goes on below the tree, by lot, by an evaluation, or not to its end.

use games::{Dice, Game, Side, Turn};

use super::evaluation::{Evaluation, bounded, rate};
use super::limits::Budget;

/// The policy of a rollout: how moves are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Any legal move.
    Random,
    /// The move into the best position; ties by lot.
    Greedy,
}

/// A rollout: the rest of a simulated game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rollout {
    /// How moves are chosen.
    pub policy: Policy,
    /// How often a greedy player moves by lot all the same.
    pub epsilon: f64,
    /// After so many plies the evaluation says how likely a win is.
    pub cut: Option<u32>,
    /// The evaluation at which a win is 1 / (1 + 1/e) = 73 % likely.
    pub scale: f64,
}

impl Default for Rollout {
    fn default() -> Self {
        Self { policy: Policy::Random, epsilon: 0.0, cut: None, scale: 1.0 }
    }
}

impl Rollout {
    /// Plays on from a position: 1 if the first side wins, 0.5 for a draw, 0 if it loses, or what the evaluation says.
    /// `None` if there was no time for that. `nodes` counts the moves.
    pub fn play<G: Game, E: Evaluation<G>>(
        &self,
        evaluation: &E,
        mut position: G,
        moves: &mut Vec<G::Move>,
        dice: &mut Dice,
        watch: &mut Budget,
        nodes: &mut u64,
    ) -> Option<f64> {
        // Random play to the end needs no evaluation at all.
        let is_valued = self.policy == Policy::Greedy || self.cut.is_some();
        let mut sums = evaluation.fresh(&position);
        for ply in 0.. {
            position.legal_moves(moves);
            if moves.is_empty() {
                let value = position.final_value(Side::First);
                return Some(if value == 0.0 { 0.5 } else { f64::from(value > 0.0) });
            }
            if self.cut.is_some_and(|cut| ply >= cut) {
                let value = bounded(evaluation.value(&position, &sums, Side::First));
                return Some(1.0 / (1.0 + math::exp(-value / self.scale)));
            }
            *nodes += 1;
            let by_lot = self.policy == Policy::Random || (self.epsilon > 0.0 && dice.unit() < self.epsilon);
            if by_lot {
                let mv = dice.pick(moves);
                let before = is_valued.then(|| position.clone());
                position.play_unchecked(mv);
                if let Some(before) = before {
                    sums = evaluation.after(&sums, &before, mv, &position);
                }
            } else {
                // A function may be slow and there are many moves: simulated games do not wait for their end.
                if watch.stops(0, moves.len() as u32) {
                    return None;
                }
                (position, sums) = greedy(evaluation, &position, &sums, moves, dice);
            }
        }
        unreachable!("games end")
    }
}

fn greedy<G: Game, E: Evaluation<G>>(
    evaluation: &E,
    position: &G,
    sums: &E::Sums,
    moves: &[G::Move],
    dice: &mut Dice,
) -> (G, E::Sums) {
    let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
    let (mut best, mut highest, mut ties) = (None, f64::NEG_INFINITY, 0);
    for &mv in moves {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let sums = evaluation.after(sums, position, mv, &after);
        let value = rate(evaluation, &after, &sums, side, 0);
        ties = if value > highest { 1 } else { ties + usize::from(value == highest) };
        // Each of k equal ones is the last to be taken with chance 1/k.
        if value > highest || (value == highest && dice.below(ties) == 0) {
            (best, highest) = (Some((after, sums)), value);
        }
    }
    best.expect("there is a move")
}
