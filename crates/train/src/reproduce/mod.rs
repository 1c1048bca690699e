//! The published tables, played again. Their figures are data, in `experiments/published/`; what is played is said here.

use serde::de::DeserializeOwned;
use stats::{Estimated, independent_ratio_ci95};

pub mod avalam_table;
pub mod cell;
pub mod paper;
pub mod programs;
pub mod pushover_muller;
pub mod tetris_scores;
pub mod tetris_splitting;

/// Whether the interval of a ratio holds 1: only then what was found agrees with what is published.
pub fn holds_1([low, high]: [f64; 2]) -> bool {
    low <= 1.0 && 1.0 <= high
}

/// What was found over what lies somewhere in a range, with its interval. The middle of the range is that of its logarithms.
fn ratio_to_range(found: Estimated, range: [f64; 2]) -> (f64, [f64; 2]) {
    let middle = (range[0] * range[1]).sqrt();
    (found.0 / middle, independent_ratio_ci95(found, (middle, range)))
}

/// A file of published figures in the form that its table has here.
fn read<T: DeserializeOwned>(text: &'static str) -> T {
    toml::from_str(text).expect("a test reads every file")
}
