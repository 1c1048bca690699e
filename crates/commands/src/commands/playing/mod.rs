//! Commands that show games: played, watched, replayed, explained.

pub mod analyze;
mod conversation;
pub mod explain;
mod explain_report;
pub mod play;
pub mod replay;
pub mod tour;
pub mod watch;
