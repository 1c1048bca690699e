//! A player without a move to give. Ours always have one; programs and servers of others may end, be late, break a rule, say what we cannot
//! read, or give the game up.

use std::error::Error;
use std::fmt;

use thiserror::Error as ThisError;

use super::PlayerError;
use crate::protocol::external::ExternalError;

/// Why there is no move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It gives the game up, as it may.
    Resigned,
    /// It has ended, is late, or breaks a rule; in words.
    Failed(String),
    /// It says what we cannot read, or refuses what we say; in words, with its own. Whose fault that is nobody can tell, so that it says nothing
    /// about how well the program plays.
    Misunderstood(String),
}

impl<T: Into<String>> From<T> for Trouble {
    fn from(text: T) -> Self {
        Trouble::Failed(text.into())
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Trouble::Resigned => write!(f, "it resigns"),
            Trouble::Failed(reason) | Trouble::Misunderstood(reason) => write!(f, "{reason}"),
        }
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

impl PlayerFailure {
    /// The program cannot be started, or its server is not there.
    pub fn at_start(who: &str, error: &PlayerError) -> Self {
        let why = match error {
            // These name the player themselves.
            PlayerError::External(
                ExternalError::Program { reason, .. } | ExternalError::Unreachable { reason, .. },
            ) => reason.clone(),
            other => other.to_string(),
        };
        Self { who: who.to_string(), why: Trouble::Failed(why) }
    }
}

impl Error for PlayerFailure {}

impl fmt::Display for PlayerFailure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.why {
            Trouble::Resigned => write!(f, "external player '{}' resigns", self.who),
            why => write!(f, "external player '{}': {why}", self.who),
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
