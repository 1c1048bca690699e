//! The one notation of things with options, `name(key=value, value, ...)`: players, models, optimisers, phases of a game.
//!
//! An argument has a key or none. A value is any text in which brackets are closed, so that it may be of this notation in turn,
//! JSON too; anything else stands in quotes, in which a backslash comes before a quote or a backslash. `key: value` is the same as
//! `key=value`, and is how keys that begin with a digit are printed. Every call is printed in one way, which reads as the same
//! again.
//!
//! Texts come from outside. Brackets stand at most [`MOST_DEPTH`] deep in one another, those in quoted values counted: whoever reads a
//! value as a call in turn needs no more stack than that, and goes through a text no more often. [`shown`] and [`one_line`] are how such
//! texts stand in messages.
//!
//! ```
//! let call: notation::Call = "mlp(16, 8, sigmoid, T=0.5)".parse()?;
//! assert_eq!((call.name.as_str(), call.arguments.len()), ("mlp", 4));
//! assert_eq!(call.to_string(), "mlp(16, 8, sigmoid, T=0.5)");
//! # Ok::<(), notation::SyntaxError>(())
//! ```

mod shown;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use shown::{one_line, shown};

/// How deep brackets may stand in one another. Players that somebody means are five deep: a model in a search in a hybrid.
pub const MOST_DEPTH: usize = 32;

/// A name with arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name.
    pub name: String,
    /// What stands in the brackets, in order.
    pub arguments: Vec<Argument>,
}

/// One of the things in the brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its key, if it has one: of letters, digits and `-`.
    pub key: Option<String>,
    /// Its value, without quotes.
    pub value: String,
}

/// What can be wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SyntaxError {
    /// Nothing stands before the brackets.
    #[error("there is no name")]
    NoName,
    /// The text does not end with a bracket.
    #[error("the last bracket is not closed")]
    NoEnd,
    /// There is a bracket too many.
    #[error("a bracket is closed that was not opened")]
    NotOpened,
    /// There is a bracket too few.
    #[error("a bracket is not closed")]
    NotClosed,
    /// There is a quote too few.
    #[error("a quote is not closed")]
    OpenQuote,
    /// A value goes on after its quotes.
    #[error("something follows a closing quote")]
    AfterQuote,
    /// Brackets stand too deep in one another.
    #[error("brackets stand too deep in one another; allowed: {MOST_DEPTH} levels")]
    TooDeep,
}

/// The name in front of the brackets; the whole text if there are none.
pub fn name_of(text: &str) -> &str {
    text.split('(').next().unwrap_or(text).trim()
}

/// The name before the first bracket and what stands between it and the last, not taken apart: for a single argument that may be any
/// text, as the name of a file.
pub fn name_and_inside(text: &str) -> Option<(&str, &str)> {
    text.strip_suffix(')')?.split_once('(')
}

/// Refuses a text in which brackets stand too deep, and nothing else.
///
/// # Errors
/// They do.
pub fn check_depth(text: &str) -> Result<(), SyntaxError> {
    match split(text, 0) {
        Err(SyntaxError::TooDeep) => Err(SyntaxError::TooDeep),
        _ => Ok(()),
    }
}

impl Argument {
    /// The value, if there is no key.
    pub fn bare(&self) -> Option<&str> {
        self.key.is_none().then_some(&self.value)
    }

    fn parse(part: &str) -> Result<Self, SyntaxError> {
        let (key, value) = keyed(part);
        let value = if value.starts_with('"') { unquoted(value) } else { Some(value.to_string()) };
        Ok(Self { key: key.map(str::to_string), value: value.ok_or(SyntaxError::AfterQuote)? })
    }
}

impl FromStr for Call {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let text = text.trim();
        let name = name_of(text).to_string();
        if name.is_empty() {
            return Err(SyntaxError::NoName);
        }
        if !text.contains('(') {
            return Ok(Self { name, arguments: Vec::new() });
        }
        let (_, inside) = name_and_inside(text).ok_or(SyntaxError::NoEnd)?;
        let mut parts = split(inside, 1)?;
        // Nothing between the brackets is no argument; a comma may end the list.
        parts.pop_if(|last| last.trim().is_empty());
        let arguments = parts.into_iter().map(Argument::parse).collect::<Result<_, _>>()?;
        Ok(Self { name, arguments })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, argument) in self.arguments.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            argument.fmt(f)?;
        }
        f.write_str(if self.arguments.is_empty() { "" } else { ")" })
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(key) = &self.key {
            let is_number = key.starts_with(|sign: char| sign.is_ascii_digit());
            write!(f, "{key}{}", if is_number { ": " } else { "=" })?;
        }
        match is_plain(&self.value) && (self.key.is_some() || keyed(&self.value).0.is_none()) {
            true => f.write_str(&self.value),
            false => write!(f, "\"{}\"", self.value.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }
}

/// An argument as key, if it has one, and value.
fn keyed(part: &str) -> (Option<&str>, &str) {
    let is_of_key = |sign: u8| sign.is_ascii_alphanumeric() || sign == b'-';
    let is_key = |key: &str| !key.is_empty() && key.bytes().all(is_of_key);
    match part.split_once(['=', ':']) {
        Some((key, value)) if is_key(key.trim()) => (Some(key.trim()), value.trim()),
        _ => (None, part.trim()),
    }
}

/// Whether a value needs no quotes.
fn is_plain(value: &str) -> bool {
    value.trim() == value
        && !value.is_empty()
        && !value.starts_with('"')
        && split(value, 0).is_ok_and(|parts| parts.len() == 1)
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

/// The parts between commas, those inside brackets and quotes left alone. So many brackets stand around the text already.
///
/// Quoted values are gone into for their depth. Every quote within quotes has twice the backslashes, so that this is never deep.
fn split(text: &str, above: usize) -> Result<Vec<&str>, SyntaxError> {
    const BRACKETS: [char; 3] = ['(', '[', '{'];
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut open, mut quote, mut is_escaped) = (Vec::new(), None, false);
    // All signs that matter are of one byte, and none of them is part of another.
    for (i, sign) in text.bytes().enumerate() {
        match sign {
            _ if is_escaped => is_escaped = false,
            b'\\' if quote.is_some() => is_escaped = true,
            b'"' => match quote.take() {
                None => quote = Some(i),
                // A string of JSON is nobody's call.
                Some(from) if matches!(open.last(), None | Some(b')')) => {
                    let inside = Some(&text[from..=i]).filter(|inside| inside.contains(BRACKETS));
                    if let Some(value) = inside.and_then(unquoted)
                        && split(&value, above + open.len()) == Err(SyntaxError::TooDeep)
                    {
                        return Err(SyntaxError::TooDeep);
                    }
                }
                Some(_) => {}
            },
            _ if quote.is_some() => {}
            b'(' | b'[' | b'{' if above + open.len() == MOST_DEPTH => return Err(SyntaxError::TooDeep),
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b')' | b']' | b'}' if open.pop() != Some(sign) => return Err(SyntaxError::NotOpened),
            b',' if open.is_empty() => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    match (quote, open.is_empty()) {
        (Some(_), _) => Err(SyntaxError::OpenQuote),
        (_, false) => Err(SyntaxError::NotClosed),
        _ => Ok(parts),
    }
}
