//! What can be wrong with input from outside. Each message is one line that names the thing, its value and what
//! is allowed; our own mistakes are assertions instead.

pub use notation::{one_line, shown};
use thiserror::Error;

/// Refused input: a text, an option or a move that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputError {
    /// A text that is no position of the game.
    #[error("position {}: {reason}", shown(.text))]
    Position {
        /// The text as given.
        text: String,
        /// What is wrong with it, and what is expected.
        reason: String,
    },
    /// A text that is no move of the game.
    #[error("move {}: {reason}", shown(.text))]
    Move {
        /// The text as given.
        text: String,
        /// What is wrong with it, and what is expected.
        reason: String,
    },
    /// A move that exists, but not here and now.
    #[error("illegal move {mv}: {reason}")]
    Illegal {
        /// The move in its text form.
        mv: String,
        /// The rule that it breaks.
        reason: String,
    },
    /// A value that an option of a game does not take.
    #[error("option '{key}': {} is not allowed; allowed: {allowed}", shown(.value))]
    Option {
        /// The option's name.
        key: String,
        /// The value as given.
        value: String,
        /// What it may be.
        allowed: String,
    },
    /// A feature that a game does not have.
    #[error("unknown feature {}; known: {known}", shown(.name))]
    UnknownFeature {
        /// The name as given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// An option that a game does not have.
    #[error("unknown option {}; known: {known}", shown(.key))]
    UnknownOption {
        /// The name as given.
        key: String,
        /// The names there are.
        known: String,
    },
}

impl InputError {
    /// A position's text is wrong.
    pub fn position(text: &str, reason: impl Into<String>) -> Self {
        Self::Position { text: text.to_string(), reason: reason.into() }
    }

    /// A move's text is wrong.
    pub fn move_text(text: &str, reason: impl Into<String>) -> Self {
        Self::Move { text: text.to_string(), reason: reason.into() }
    }

    /// The move breaks a rule.
    pub fn illegal(mv: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Illegal { mv: mv.into(), reason: reason.into() }
    }

    /// The option does not take this value.
    pub fn option(key: &str, value: &str, allowed: impl Into<String>) -> Self {
        Self::Option { key: key.to_string(), value: value.to_string(), allowed: allowed.into() }
    }
}
