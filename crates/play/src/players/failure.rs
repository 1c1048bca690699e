//! A player without a move to give. Ours always have one; programs and servers of others may end, be late, answer what is no move, or
//! give the game up.

use std::error::Error;
use std::fmt;

use thiserror::Error as ThisError;

use super::PlayerError;

/// Why there is no move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It gives the game up, as it may.
    Resigned,
    /// It has ended, is late, or says what is no move; in words.
    Failed(String),
}

impl<T: Into<String>> From<T> for Trouble {
    fn from(text: T) -> Self {
        Trouble::Failed(text.into())
    }
}

/// A player without a move: which, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerFailure {
    /// The program or the address.
    pub who: String,
    /// Why.
    pub why: Trouble,
}

impl Error for PlayerFailure {}

impl fmt::Display for PlayerFailure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.why {
            Trouble::Resigned => write!(f, "external player '{}' resigns", self.who),
            Trouble::Failed(reason) => write!(f, "external player '{}': {reason}", self.who),
        }
    }
}

/// Why games of players that are given as texts do not come to their end.
#[derive(Debug, ThisError)]
pub enum PlayError {
    /// A text is no player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player has no move to give.
    #[error(transparent)]
    Failure(#[from] PlayerFailure),
}
