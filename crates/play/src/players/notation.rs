//! Players with options: calls of the one [notation] in which every argument has a key, and what can be wrong with them.

use std::fmt;

use notation::{Argument, shown};
use thiserror::Error;

use crate::names::UnknownName;

/// A player's name with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name.
    pub name: String,
    /// Keys and values, in order.
    pub options: Vec<(String, String)>,
}

/// What can be wrong with a player's text.
#[derive(Debug, Error)]
pub enum NotationError {
    /// It does not follow the notation.
    #[error("player {}: {reason}; players are written name(key=value, key=value)", shown(.text))]
    Syntax {
        /// The text.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no such search.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// There is no such option.
    #[error("player {player}: {error}")]
    Key {
        /// The player's name.
        player: String,
        /// What is unknown.
        error: UnknownName,
    },
    /// A value is not one of those allowed.
    #[error("player {player}: {key} cannot be {}; allowed: {allowed}", shown(.value))]
    Value {
        /// The player's name.
        player: String,
        /// The option.
        key: String,
        /// The value.
        value: String,
        /// What it may be.
        allowed: String,
    },
    /// An option is given twice, or is missing, or goes ill with another.
    #[error("player {player}: {reason}")]
    Options {
        /// The player's name.
        player: String,
        /// What is wrong.
        reason: String,
    },
    /// The game is not for this player.
    #[error("player {player} is for games of two sides without chance, not for {game}")]
    Game {
        /// The player's name.
        player: String,
        /// The game.
        game: &'static str,
    },
}

impl Call {
    /// The name in front of the options, if the text has that form at all.
    pub fn name_of(text: &str) -> &str {
        notation::name_of(text)
    }

    /// Reads a name and its options, if any.
    ///
    /// # Errors
    /// The text does not follow the notation, or something in the brackets has no key.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let call: notation::Call = text.parse().map_err(|error| NotationError::syntax(text, &error))?;
        let option = |Argument { key, value }| match key {
            Some(key) if !key.contains(|sign: char| sign.is_ascii_uppercase()) => {
                Ok((todays(&key).to_string(), value))
            }
            None if !value.contains(['=', ':']) => {
                Err(NotationError::syntax(text, "an option is written key=value"))
            }
            _ => Err(NotationError::syntax(text, "a key is of small letters, digits and '-'")),
        };
        let options = call.arguments.into_iter().map(option).collect::<Result<_, _>>()?;
        Ok(Self { name: call.name, options })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let argument =
            |(key, value): &(String, String)| Argument { key: Some(key.clone()), value: value.clone() };
        let arguments = self.options.iter().map(argument).collect();
        notation::Call { name: self.name.clone(), arguments }.fmt(f)
    }
}

impl NotationError {
    /// The text does not follow the notation.
    pub fn syntax(text: &str, reason: &(impl ToString + ?Sized)) -> Self {
        Self::Syntax { text: text.trim().to_string(), reason: reason.to_string() }
    }
}

/// Words of before that are still read, with those of today.
const RENAMED: [(&str, &str); 2] = [("credit", "game-time"), ("hope", "swindle")];

/// The key of today.
fn todays(key: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == key).map_or(key, |(_, new)| new)
}

/// A player's text with the keys of today, and otherwise as it was: what is compared with a text that an older file holds.
pub fn with_todays_keys(text: &str) -> String {
    let mut text = text.to_string();
    for (old, new) in RENAMED {
        for before in ["(", ",", " "] {
            text = text.replace(&format!("{before}{old}="), &format!("{before}{new}="));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_is_an_option() {
        let call = Call::parse("hybrid( 20: mcts(cut=3),credit=\"9\",)").unwrap();
        let options =
            [("20", "mcts(cut=3)"), ("game-time", "9")].map(|(key, value)| (key.into(), value.into()));
        assert_eq!(call, Call { name: "hybrid".into(), options: options.into() });
        assert_eq!(call.to_string(), "hybrid(20: mcts(cut=3), game-time=9)");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            ("", "player '': there is no name; players are written name(key=value, key=value)"),
            ("(a=1)", "no name"),
            ("a(b=1", "not closed"),
            ("a(b=(1)", "not closed"),
            ("a(b=1))", "not opened"),
            ("a(b)", "player 'a(b)': an option is written key=value"),
            ("a(,b=1)", "key=value"),
            ("a(B=1)", "a key is of small letters, digits and '-'"),
            ("a(b c=1)", "small letters"),
            ("a(b=\"1)", "a quote is not closed"),
            ("a(b=\"1\"2)", "follows a closing quote"),
            ("a(\u{1b}[31m\n)", "player 'a(\\u{1b}[31m\\n)'"),
        ] {
            let error = Call::parse(text).expect_err(text).to_string();
            assert!(error.contains(said) && !error.contains(char::is_control), "{text}: {error}");
        }
    }
}
