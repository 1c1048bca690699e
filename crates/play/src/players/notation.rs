//! The notation of players with options: `name(key=value, key=value, ...)`.
//!
//! A value is any text in which brackets are closed, so that it may be a player or a model in turn, JSON too; anything
//! else stands in quotes. `key: value` is the same, and is how the steps of a hybrid are printed. Every form is printed back
//! in one way, which reads as the same again.

use std::fmt;

use games::error::shown;
use thiserror::Error;

use crate::names::UnknownName;

/// A name with options.
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
        text.split('(').next().unwrap_or(text).trim()
    }

    /// Reads a name and its options, if any.
    ///
    /// # Errors
    /// The text does not follow the notation.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let text = text.trim();
        let wrong =
            |reason: &str| NotationError::Syntax { text: text.to_string(), reason: reason.to_string() };
        let name = Self::name_of(text).to_string();
        if name.is_empty() {
            return Err(wrong("there is no name"));
        }
        let Some((_, rest)) = text.split_once('(') else { return Ok(Self { name, options: Vec::new() }) };
        let inner = rest.strip_suffix(')').ok_or_else(|| wrong("the last bracket is not closed"))?;
        let mut options = Vec::new();
        let parts = split(inner).map_err(wrong)?;
        // Nothing between the brackets is no option; a comma may end the list.
        let last = parts.len() - 1;
        for (i, part) in parts.into_iter().enumerate() {
            if part.trim().is_empty() && i == last {
                continue;
            }
            let (key, value) =
                part.split_once(['=', ':']).ok_or_else(|| wrong("an option is written key=value"))?;
            let (key, value) = (key.trim(), value.trim());
            if !is_key(key) {
                return Err(wrong("a key is of small letters, digits and '-'"));
            }
            let value = if value.starts_with('"') { unquoted(value) } else { Some(value.to_string()) };
            let value = value.ok_or_else(|| wrong("something follows a closing quote"))?;
            options.push((todays(key).to_string(), value));
        }
        Ok(Self { name, options })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.options.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            let sign = if key.starts_with(|sign: char| sign.is_ascii_digit()) { ": " } else { "=" };
            let value = if is_plain(value) { value.clone() } else { quoted(value) };
            write!(f, "{key}{sign}{value}")?;
        }
        f.write_str(if self.options.is_empty() { "" } else { ")" })
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

fn is_key(text: &str) -> bool {
    let allowed = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    !text.is_empty() && text.chars().all(allowed)
}

/// Whether a value needs no quotes.
fn is_plain(value: &str) -> bool {
    value.trim() == value
        && !value.is_empty()
        && !value.starts_with('"')
        && split(value).is_ok_and(|p| p.len() == 1)
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What stands in quotes that begin and end the text.
fn unquoted(text: &str) -> Option<String> {
    let (mut value, mut signs) = (String::new(), text.chars().skip(1));
    loop {
        match signs.next()? {
            '"' => return signs.next().is_none().then_some(value),
            '\\' => value.push(signs.next()?),
            sign => value.push(sign),
        }
    }
}

/// The parts between commas, those inside brackets and quotes left alone.
fn split(text: &str) -> Result<Vec<&str>, &'static str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut open, mut is_quoted, mut is_escaped) = (Vec::new(), false, false);
    for (i, sign) in text.char_indices() {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(sign) => {
                return Err("a bracket is closed that was not opened");
            }
            ',' if open.is_empty() => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    match (is_quoted, open.is_empty()) {
        (true, _) => Err("a quote is not closed"),
        (_, false) => Err("a bracket is not closed"),
        _ => Ok(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    fn call(name: &str, options: &[(&str, &str)]) -> Call {
        let own = |text: &str| text.to_string();
        Call { name: own(name), options: options.iter().map(|(key, value)| (own(key), own(value))).collect() }
    }

    #[test]
    fn names_options_brackets_and_quotes_are_read() {
        for (text, read) in [
            ("alphabeta", call("alphabeta", &[])),
            (" alphabeta ( ) ", call("alphabeta", &[])),
            (
                "alphabeta(depth=4,eval= a/b.json ,)",
                call("alphabeta", &[("depth", "4"), ("eval", "a/b.json")]),
            ),
            (
                "hybrid(1: best-move, 6: mcts(time=1, cut=3))",
                call("hybrid", &[("1", "best-move"), ("6", "mcts(time=1, cut=3)")]),
            ),
            ("m(eval={\"a\": [1, 2], \"b)\": 3})", call("m", &[("eval", "{\"a\": [1, 2], \"b)\": 3}")])),
            (r#"m(eval="a, \"b\" (\\", x=1)"#, call("m", &[("eval", r#"a, "b" (\"#), ("x", "1")])),
        ] {
            assert_eq!(Call::parse(text).unwrap(), read, "{text}");
            assert_eq!(Call::parse(&read.to_string()).unwrap(), read, "{read}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            ("", "no name"),
            ("(a=1)", "no name"),
            ("a(b=1", "not closed"),
            ("a(b=(1)", "not closed"),
            ("a(b=1))", "not opened"),
            ("a(b)", "key=value"),
            ("a(,b=1)", "key=value"),
            ("a(B=1)", "small letters"),
            ("a(b=\"1)", "a quote is not closed"),
            ("a(b=\"1\"2)", "follows a closing quote"),
        ] {
            let error = Call::parse(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn whatever_the_values_what_is_printed_reads_the_same() {
        let signs: Vec<char> = "ab1 ,()[]{}=:;\"\\é-.".chars().collect();
        let mut dice = Dice::seeded(&[5]);
        for _ in 0..5000 {
            let options = (0..dice.below(4)).map(|i| {
                let value = (0..dice.below(8)).map(|_| dice.pick(&signs)).collect::<String>();
                (format!("{}{i}", dice.pick(&["k", "7", "a-"])), value)
            });
            let made = Call { name: "name".into(), options: options.collect() };
            assert_eq!(Call::parse(&made.to_string()).unwrap(), made, "{made}");
            // And any text at all is read or refused.
            let _ = Call::parse(&(0..dice.below(20)).map(|_| dice.pick(&signs)).collect::<String>());
        }
    }
}
