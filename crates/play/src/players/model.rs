//! A player of an evaluation function, one move deep.

use std::sync::Arc;

use games::{Dice, Game, Turn};

use super::{Player, PlayerFailure, Thought};
use crate::evaluator::Evaluator;

/// The first of the moves that the function values most.
pub struct ModelPlayer<G: Game> {
    evaluator: Arc<Evaluator<G>>,
    moves: Vec<G::Move>,
    rows: Vec<f64>,
    values: Vec<f64>,
}

impl<G: Game> ModelPlayer<G> {
    /// The player of this function.
    pub fn new(evaluator: Arc<Evaluator<G>>) -> Self {
        Self { evaluator, moves: Vec::new(), rows: Vec::new(), values: Vec::new() }
    }
}

impl<G: Game> Player<G> for ModelPlayer<G> {
    fn choose(&mut self, position: &G, _dice: &mut Dice) -> Result<G::Move, PlayerFailure> {
        position.legal_moves(&mut self.moves);
        self.evaluator.values(position, &self.moves, &mut self.rows, &mut self.values);
        value_ends(position, &self.moves, &mut self.values);
        Ok(self.moves[first_maximum(&self.values)])
    }

    fn thought(&self) -> Option<Thought<G::Move>> {
        let best = first_maximum(&self.values);
        let (&value, &mv) = self.values.get(best).zip(self.moves.get(best))?;
        // What ends the game is worth more than any number: see `value_ends`.
        let (value, decided) = if value.is_infinite() { (value.signum(), true) } else { (value, false) };
        Some(Thought { value, decided, depth: 1, nodes: self.moves.len() as u64, line: vec![mv] })
    }
}

/// Between two sides the end of a game is worth what it is. A game for one has already left out the moves that lose, unless its rules say
/// that the player is not warned.
pub fn value_ends<G: Game>(position: &G, moves: &[G::Move], values: &mut [f64]) {
    let (2, Turn::Player(side)) = (G::SIDES.len(), position.turn()) else { return };
    for (&mv, value) in moves.iter().zip(values) {
        let mut after = position.clone();
        after.play_unchecked(mv);
        if after.turn() == Turn::Over {
            let end = after.final_value(side);
            *value = if end == 0.0 { 0.0 } else { f64::INFINITY.copysign(end) };
        }
    }
}

/// The index of the first of the highest values.
pub fn first_maximum(values: &[f64]) -> usize {
    let mut best = 0;
    for (i, &value) in values.iter().enumerate() {
        if value > values[best] {
            best = i;
        }
    }
    best
}
