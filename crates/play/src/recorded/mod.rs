//! What others have recorded of a game, in formats of its own: games (WTHOR and GGF of Othello), and positions with a number (the
//! database of a paper on Push-over). A game says what it can read in its room; nothing in a file is trusted.

pub mod muller;
pub mod othello;
pub mod wthor;

use std::io;
use std::path::PathBuf;

use games::error::shown;
use games::{Game, Side};
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

/// A game that was played here, for other programs to read.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenGame<G: Game> {
    /// Who played, the beginner first.
    pub players: [String; 2],
    /// Where it began.
    pub start: G,
    /// All moves, each with what its player thought it was worth, if it said so, and the seconds it took, if somebody counted.
    pub moves: Vec<(G::Move, Option<f64>, Option<f64>)>,
    /// How it ended.
    pub end: GameEnd,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GameEnd {
    /// The first side was ahead by so much.
    Score(f64),
    /// This side won since the other broke off.
    Forfeit(Side),
    /// This side won since the time of the other was used up.
    Time(Side),
    /// It did not come to an end.
    Open,
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
