//! The published tables, played again. Their figures are data, in `experiments/published/`; what is played is said here.

use serde::de::DeserializeOwned;

pub mod avalam_table;
pub mod pushover_muller;
pub mod tetris_scores;
pub mod tetris_splitting;

/// A file of published figures in the form that its table has here.
fn read<T: DeserializeOwned>(text: &'static str) -> T {
    toml::from_str(text).expect("a test reads every file")
}
