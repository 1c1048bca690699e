//! Commands that measure: players by their scores or against each other, rules and searches by their speed.

mod arena;
mod arena_files;
pub mod bench;
pub mod duel;
mod duel_report;
pub mod estimate;
pub mod estimate_splitting;
mod grade;
mod kept;
pub mod methods;
pub mod perft;
pub mod profile;
mod score;
mod score_report;
mod sequential;
pub mod tournament;
