//! Games solved: the best play computed and not learned. One folder a game.

mod boards;
pub mod othello;
pub mod pushover;
mod tetris;

use std::ops::ControlFlow;

pub use tetris::{Optimal, OptimalPlayer, Solution, SolveError, solve};

/// Told which share of the work is done, from 0 to 1; may break it off.
pub type Progress<'a> = &'a (dyn Fn(f64) -> ControlFlow<()> + Sync);
