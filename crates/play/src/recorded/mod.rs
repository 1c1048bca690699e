//! What others have recorded of a game, in formats of its own: games (WTHOR and GGF of Othello), and positions with a number (the
//! database of a paper on Push-over). A game says what it can read in its room; nothing in a file is trusted.

pub mod muller;
pub mod othello;
pub mod wthor;

use std::io;
use std::path::PathBuf;

use games::Game;
use games::error::shown;
use thiserror::Error;

/// A game that was played elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedGame<G: Game> {
    /// Who played, the beginner first; numbers where a file of names is missing.
    pub players: [String; 2],
    /// Where; empty if the file does not say.
    pub tournament: String,
    /// When, if the file says.
    pub year: Option<u16>,
    /// Where it began.
    pub start: G,
    /// All moves; they may stop before the end.
    pub moves: Vec<G::Move>,
    /// What the first side was ahead by at the end, as it was written down, or as the moves lead to.
    pub score: Option<f64>,
}

/// A position with a number that says how good it is.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedPosition<G: Game> {
    /// The position; the game is not over in it.
    pub position: G,
    /// How good it is for the side to move, from -1 to 1.
    pub label: f32,
    /// Moves made before it.
    pub ply: u32,
    /// The number of its game.
    pub game: u64,
}

/// What can be wrong with a file of others.
#[derive(Debug, Error)]
pub enum RecordedError {
    /// The file system refuses.
    #[error("positions {}: {cause}", shown(&.path.display().to_string()))]
    File {
        /// Which file.
        path: PathBuf,
        /// What it says.
        cause: io::Error,
    },
    /// The file holds something else.
    #[error("positions {}: {reason}", shown(&.path.display().to_string()))]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}
