//! Shortcuts to the mean lines of Tetris games that are too long to play. Both carry a straight line of logarithms
//! further than it was measured: [`heights`] that of how often the wall is high (Fahey's conjecture, as reported by Thiery
//! and Scherrer 2009, section 6), [`growth`] that of the mean on lower boards. Their intervals hold the chance of the
//! games that were played, not the error of the line itself; docs/results/tetris-estimates.md has measured that one.

pub mod growth;
pub mod heights;
mod segments;

use std::time::Duration;

use games::tetris::TetrisRules;

/// What is to be estimated.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimateSetup {
    /// The game.
    pub rules: TetrisRules,
    /// The player as text.
    pub player: String,
    /// About how many pieces may be placed.
    pub budget: u64,
    /// The seed of all games.
    pub seed: u64,
}

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EstimateProgress {
    /// Time since the work began.
    pub elapsed: Duration,
    /// Pieces placed.
    pub pieces: u64,
    /// Rows of the board that is played on.
    pub height: u8,
}

/// Lines that a piece brings in the long run: four cells of a row.
fn lines_per_piece(rules: &TetrisRules) -> f64 {
    4.0 / f64::from(rules.width)
}
