//! Splitting: the mean score of games that are lost so rarely that none can be played to its end.
//!
//! A game is lost by an excursion: the level of the position (of falling pieces the height of the pile) leaves its usual range, climbs,
//! and mostly comes back. Ordinary play counts how often it climbs from the base to a first level, and keeps the boards; trials
//! from such boards count how many reach the next level before they are back at the base, and so on to the end of the game:
//!
//! losses for each move = entries for each move x product of the shares that reach the next level
//!
//! and the mean score is the score for each move over that. No straight line is carried on and nothing is assumed about the
//! game: with levels that do not depend on the outcome the rate has no bias (Kahn and Harris 1951; Garvels 2000). The
//! trials of a repeat share ancestors, so that only whole repeats count as independent; it is the rate that is averaged over them, never
//! the score: the rate of a repeat has no bias, its inverse has. A repeat with an empty stage is missing; taken as a rate of 0 it would
//! fake a record.
//!
//! Every trial has streams of chance of its own, named by seed, repeat, stage and trial; a repeat is the work of one thread.

mod boards;
mod pilot;
mod result;
mod run;
mod stages;
#[cfg(test)]
mod tests;

pub use boards::{Ahead, Boards, Sampling, SamplingLive, sample, sample_specs};
pub use play::solo::{Measure, OVER};
pub use result::{Estimate, Level, NARROW, Run};
pub use run::{SplittingProgress, course_of, run, single};
pub use stages::{Course, Repeat, Stage};

use play::PlayedGame;
use play::players::{PlayerError, PlayerFailure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which levels are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Levels {
    /// Those that a short run ahead of the others chooses.
    Automatic,
    /// These; the end of the game comes after the last one.
    Given {
        /// An excursion is over when the level is this or below.
        base: u32,
        /// The levels above it, rising, one or more.
        levels: Vec<u32>,
    },
}

/// How much is played in one repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Effort {
    /// Moves of ordinary play.
    pub moves: u64,
    /// Trials from a level; levels that are harder to leave upwards have more.
    pub trials: usize,
    /// What a level is.
    pub level: Measure,
}

impl Default for Effort {
    fn default() -> Self {
        Self { moves: 100_000, trials: 4_000, level: Measure::Height }
    }
}

/// What is to be estimated.
#[derive(Debug, Clone, PartialEq)]
pub struct SplittingSetup<G: PlayedGame> {
    /// The game.
    pub rules: G::Rules,
    /// The player as text.
    pub player: String,
    /// The levels.
    pub levels: Levels,
    /// How much is played in one repeat.
    pub effort: Effort,
    /// How many repeats.
    pub repeats: usize,
    /// The seed of everything.
    pub seed: u64,
}

/// What can be wrong.
#[derive(Debug, Error)]
pub enum SplittingError {
    /// The player is unknown.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The player has no move to give.
    #[error(transparent)]
    Failure(#[from] PlayerFailure),
    /// The game is not lost level by level.
    #[error("{0} has no levels to split by")]
    NoLevels(&'static str),
    /// The levels make no way to the end of the game.
    #[error("{0}")]
    Levels(String),
}

/// The highest level of a game.
///
/// # Errors
/// It has none.
pub fn highest_level<G: PlayedGame>(rules: &G::Rules, measure: Measure) -> Result<u32, SplittingError> {
    G::highest_level(rules, measure).ok_or(SplittingError::NoLevels(G::NAME))
}

impl Levels {
    /// Whether they rise from the base to no more than the highest level there is.
    ///
    /// # Errors
    /// They do not; the error names the level.
    pub fn check(&self, highest: u32) -> Result<(), SplittingError> {
        let Levels::Given { base, levels } = self else { return Ok(()) };
        let wrong = |reason: String| Err(SplittingError::Levels(reason));
        match levels[..] {
            [] => return wrong("levels: none is given".into()),
            [first, ..] if first <= *base => {
                return wrong(format!("levels: the first, {first}, must be above the base, {base}"));
            }
            _ => {}
        }
        if let Some(pair) = levels.windows(2).find(|pair| pair[0] >= pair[1]) {
            return wrong(format!("levels: {} after {}: must be rising", pair[1], pair[0]));
        }
        match levels.last() {
            Some(&last) if last > highest => {
                wrong(format!("levels: {last}: the highest that this game can have is {highest}"))
            }
            _ => Ok(()),
        }
    }
}
