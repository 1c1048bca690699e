//! Commands that show games: played, watched, replayed, explained.

mod advice;
pub mod analyze;
mod conversation;
pub mod explain;
mod explain_report;
pub mod play;
pub mod replay;
mod review;
pub mod tour;
pub mod watch;
