//! One piece deeper: the expectation over what chance deals next of the best value then, or the best value with the next
//! piece where it is known (the decision tree of Boumaza 2013, figure 2, with one more level).

use std::sync::Arc;

use crate::threads::par_map;
use games::{Dice, Game, Outcome, Turn};

use super::model::first_maximum;
use super::{Player, PlayerFailure};
use crate::evaluator::Evaluator;

/// The first of the moves with the highest sum of value and expectation.
pub struct Lookahead<G: Game> {
    evaluator: Arc<Evaluator<G>>,
}

impl<G: Game> Lookahead<G> {
    /// The player of this function.
    pub fn new(evaluator: Arc<Evaluator<G>>) -> Self {
        Self { evaluator }
    }

    /// The function at its leaves.
    pub fn evaluator(&self) -> &Evaluator<G> {
        &self.evaluator
    }

    /// The value of every move and the expectation after it, added up: the features of the first move (what it erodes, where
    /// it lands) would be lost otherwise. Dellacherie on 10x8, the same 16 games: 338 lines, 257 by the expectation alone, 682 by the sum.
    pub fn values(&self, position: &G, moves: &[G::Move]) -> Vec<f64> {
        let value = |number: usize| {
            let mut after = position.clone();
            after.play_unchecked(moves[number]);
            self.expectation(&after)
        };
        let (mut rows, mut own) = (Vec::new(), Vec::new());
        self.evaluator.values(position, moves, &mut rows, &mut own);
        let expected = par_map(moves.len(), value);
        own.iter().zip(expected).map(|(own, expected)| own + expected).collect()
    }

    /// The expectation after a move: of the best move of every deal, an end being worth what it is.
    fn expectation(&self, after: &G) -> f64 {
        match after.turn() {
            Turn::Over => after.final_value(games::Side::First),
            Turn::Player(_) => self.best(after),
            Turn::Chance => {
                let (outcomes, total) = deals(after);
                let share = |outcome: &Outcome| {
                    let mut dealt = after.clone();
                    dealt.deal_outcome(outcome.index);
                    self.expectation(&dealt) * f64::from(outcome.weight) / f64::from(total)
                };
                outcomes.iter().map(share).sum()
            }
        }
    }

    fn best(&self, position: &G) -> f64 {
        best_answer(&self.evaluator, position, &mut Room::default()).value
    }
}

/// What chance may deal, one for all where it makes no difference, and their weights added up.
pub fn deals<G: Game>(after: &G) -> (Vec<Outcome>, u32) {
    let mut outcomes: Vec<Outcome> = Vec::new();
    after.outcomes(&mut outcomes);
    if !after.deal_matters() {
        outcomes.truncate(1);
    }
    let total = outcomes.iter().map(|outcome| outcome.weight).sum();
    (outcomes, total)
}

/// Room to work in.
pub struct Room<G: Game> {
    moves: Vec<G::Move>,
    rows: Vec<f64>,
    values: Vec<f64>,
}

impl<G: Game> Default for Room<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), rows: Vec::new(), values: Vec::new() }
    }
}

/// What the best move of a position is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// By the function, or what the end is worth.
    pub value: f64,
    /// Whether even the best move ends the game.
    pub over: bool,
}

/// What the best move of a position is worth by this function.
pub fn best_answer<G: Game>(evaluator: &Evaluator<G>, position: &G, room: &mut Room<G>) -> Answer {
    position.legal_moves(&mut room.moves);
    evaluator.values(position, &room.moves, &mut room.rows, &mut room.values);
    let best = first_maximum(&room.values);
    let mut after = position.clone();
    after.play_unchecked(room.moves[best]);
    // The best is lost only if all are.
    match after.turn() {
        Turn::Over => Answer { value: after.final_value(games::Side::First), over: true },
        _ => Answer { value: room.values[best], over: false },
    }
}

impl<G: Game> Player<G> for Lookahead<G> {
    fn choose(&mut self, position: &G, _dice: &mut Dice) -> Result<G::Move, PlayerFailure> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        Ok(moves[first_maximum(&self.values(position, &moves))])
    }
}
