//! Games solved: the best play computed and not learned. One folder a game.

mod boards;
mod judge;
pub mod othello;
pub mod pushover;
mod tetris;
mod value;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use games::Game;

use crate::players::PlayerError;

pub use judge::Judge;
pub use tetris::{Optimal, OptimalPlayer, Solution, SolveError, solve};
pub use value::Value;

/// Told which share of the work is done, from 0 to 1; may break it off.
pub type Progress<'a> = &'a (dyn Fn(f64) -> ControlFlow<()> + Sync);

/// Knows what every position of a game is worth.
pub trait Oracle<G: Game>: Send + Sync {
    /// What a position is worth to the side to move.
    fn value(&self, position: &G) -> Value;

    /// What every legal move is worth to the side that makes it.
    fn moves(&self, position: &G) -> Vec<(G::Move, Value)>;
}

/// Makes the oracle of a game: from a table that was written before, or solving the game now; `None` if that is broken off.
pub type OracleMaker<G> =
    fn(&<G as Game>::Rules, Option<&Path>, Progress<'_>) -> Result<Option<Arc<dyn Oracle<G>>>, PlayerError>;
