//! The published tables, played again.

pub mod tetris_scores;
