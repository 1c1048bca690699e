//! Searches: from values of positions to moves. One search a file, and one line in the list.

pub mod best_move;

/// A search in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
}

/// The one list of searches.
pub const SEARCHES: &[SearchInfo] =
    &[SearchInfo { name: "best-move", summary: "one ply: the move into the best position" }];
