//! The published tables, played again.

pub mod avalam_table;
pub mod tetris_scores;
