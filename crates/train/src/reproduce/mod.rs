//! The published tables, played again.

pub mod avalam_table;
pub mod pushover_muller;
pub mod tetris_scores;
pub mod tetris_splitting;
