//! The published tables, played again.

pub mod pushover_muller;
pub mod tetris_scores;
