//! A program of somebody else's that has no move to give. A player must answer a move, so that this leaves it by unwinding; but nothing
//! here is broken: no hook prints a backtrace, and whoever catches it can tell it from a panic of our own.

use std::any::Any;
use std::fmt;
use std::panic::resume_unwind;

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

/// A program without a move: which, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The program or the address.
    pub who: String,
    /// Why.
    pub why: Trouble,
}

impl Failure {
    /// Leaves the player that was asked.
    pub fn leave(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// What was caught, if it is one.
    pub fn of(caught: &(dyn Any + Send)) -> Option<&Self> {
        caught.downcast_ref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.why {
            Trouble::Resigned => write!(f, "external player '{}' resigns", self.who),
            Trouble::Failed(reason) => write!(f, "external player '{}': {reason}", self.who),
        }
    }
}
