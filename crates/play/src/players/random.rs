//! The player that every other must beat.

use games::{Dice, Game};

use super::{Player, PlayerFailure};

/// Any legal move, all equally likely.
pub struct Random<G: Game> {
    moves: Vec<G::Move>,
}

impl<G: Game> Default for Random<G> {
    fn default() -> Self {
        Self { moves: Vec::new() }
    }
}

impl<G: Game> Player<G> for Random<G> {
    fn choose(&mut self, position: &G, dice: &mut Dice) -> Result<G::Move, PlayerFailure> {
        Ok(position.random_move(dice, &mut self.moves).expect("a player's turn has moves"))
    }
}
