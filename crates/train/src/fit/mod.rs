//! Models fitted to labelled positions: which positions, which numbers they show, how the model is fitted, and how good it
//! is on positions of games that it has not seen.
//!
//! A model values the move that led to a position, for the side that made it: what is fitted is the label with its sign
//! turned, for labels are for the side to move. On its scale 0 is even: log-odds, or the label.

mod examples;
mod metrics;
mod objective;
mod select;
#[cfg(test)]
mod tests;
mod train;

use games::InputError;
use learn::models::TooManyParameters;
use thiserror::Error;

pub use examples::{Balance, Choice, Prepared, Target, prepare};
pub use metrics::{Bin, Clustered, Confusion, Judged, judge};
pub use objective::{Parallel, never};
pub use select::{COLUMNS, Selection};
pub use train::{Outcome, Plan, train};
// What a plan is made of, for those who know only this crate.
pub use learn::{fitting, models};

use crate::data::DataError;

/// What can be wrong with a fit.
#[derive(Debug, Error)]
pub enum FitError {
    /// The positions are at fault.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The features are unknown.
    #[error(transparent)]
    Features(#[from] InputError),
    /// A position is none under its rules.
    #[error("position number {number} (line {} of a text file): {error}", number + 1)]
    Position {
        /// Which one, the first being 1.
        number: usize,
        /// What is wrong with it.
        error: InputError,
    },
    /// Nothing is left to learn from.
    #[error("no position is left to learn from: {0}")]
    Empty(String),
    /// The model is too large for any.
    #[error(transparent)]
    TooManyParameters(#[from] TooManyParameters),
    /// The model is too large for the optimiser.
    #[error(
        "{optimiser} is for at most {most} parameters, and this model has {parameters}; 'lbfgs' takes any number"
    )]
    TooLarge {
        /// The optimiser.
        optimiser: &'static str,
        /// Its limit.
        most: usize,
        /// The parameters of the model.
        parameters: usize,
    },
}
