//! The simplest player with an aim: the best score after its own move (the report on Avalam calls it greedy too).

use games::{Dice, Game};

use super::{Player, PlayerFailure};
use crate::search::best_move::BestMove;

/// The best score right after the move.
pub struct Greedy<G: Game> {
    search: BestMove<G>,
}

impl<G: Game> Default for Greedy<G> {
    fn default() -> Self {
        Self { search: BestMove::default() }
    }
}

impl<G: Game> Player<G> for Greedy<G> {
    fn choose(&mut self, position: &G, dice: &mut Dice) -> Result<G::Move, PlayerFailure> {
        Ok(self.search.choose(position, &mut |after, side| after.score(side), dice))
    }
}
