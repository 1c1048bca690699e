//! The best play on small Tetris boards, computed and not learned: the mean number of lines that no player can beat, and
//! a player that reaches it.
//!
//! A game is a chain of boards: a piece comes by lot, the player chooses where it lands. The value of a board is the
//! mean over the pieces of the best of lines now plus value of the board after. Here those equations are solved for
//! all boards that play can reach.

mod field;
mod iterate;
mod optimal;
mod reach;
mod survive;
mod table;

use field::Field;
use games::tetris::TetrisRules;
use games::{InputError, Rules};
use thiserror::Error;

use super::Progress;
pub use optimal::{Optimal, OptimalPlayer};

/// Why there is no solution.
#[derive(Debug, Error)]
pub enum SolveError {
    /// Rules that cannot be solved.
    #[error(transparent)]
    Rules(#[from] InputError),
    /// The game can be played for ever.
    #[error("the game can be played for ever: the mean number of lines is infinite")]
    Endless,
    /// The values have not settled.
    #[error("not solved: after {iterations} iterations all that is known is a mean of {low} to {high} lines")]
    Slow {
        /// How many there were.
        iterations: usize,
        /// No more than the best player makes.
        low: f64,
        /// No less than it makes.
        high: f64,
    },
    /// The watch has broken it off.
    #[error("broken off")]
    Stopped,
}

/// A solved game.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The mean number of lines of the best player from the empty board.
    pub value: f64,
    /// Bounds on it that are proved.
    pub bounds: [f64; 2],
    /// Boards that can be reached.
    pub boards: usize,
    /// Boards whose values were computed: of two mirror images only one, if they are worth the same.
    pub states: usize,
    /// Sweeps over all placements on all boards.
    pub iterations: usize,
    /// Sweeps over the best placements alone.
    pub sweeps: usize,
    /// The player that plays by it.
    pub player: Optimal,
}

/// Solves the game of these rules, its value to within `tolerance`, on the threads of the pool at hand.
///
/// # Errors
/// The rules cannot be solved, or the watch has broken it off.
pub fn solve(rules: &TetrisRules, tolerance: f64, watch: Progress<'_>) -> Result<Solution, SolveError> {
    let field = Field::new(rules)?;
    let boards = reach::reachable(&field, watch).ok_or(SolveError::Stopped)?;
    let found = match iterate::iterate(&field, &boards, tolerance, watch) {
        Err(SolveError::Endless) => {
            let allowed =
                "pieces that end every game; these can be played for ever, which makes the mean infinite";
            return Err(InputError::option("pieces", &rules.get("pieces"), allowed).into());
        }
        found => found?,
    };
    let value = (found.low + found.high) / 2.0;
    let values = found.values.iter().map(|&value| value as f32).collect();
    Ok(Solution {
        value,
        bounds: [found.low, found.high],
        boards: boards.iter().map(|board| field.images(board)).sum(),
        states: boards.len(),
        iterations: found.iterations,
        sweeps: found.sweeps,
        player: Optimal::new(rules, field, boards, values),
    })
}
