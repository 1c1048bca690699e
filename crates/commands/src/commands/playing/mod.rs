//! Commands that show games: played, watched, replayed, explained.

pub mod advice;
pub mod analyze;
pub mod conversation;
pub mod explain;
mod explain_report;
pub mod play;
pub mod replay;
mod review;
pub mod tour;
pub mod watch;
