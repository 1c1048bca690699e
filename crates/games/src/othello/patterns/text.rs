//! Sets of patterns as text: a line a pattern, `name: a1 b1 c1`, or the name of a count alone. `#` begins a remark.

use thiserror::Error;

use super::{Counts, LANES, MOST_SQUARES, PatternSet, mask, places};
use crate::error::shown;
use crate::othello::text::square_name;

/// The sets that come with the program: name and text.
pub const SHIPPED: &[(&str, &str)] =
    &[("logistello", include_str!("logistello.txt")), ("edax", include_str!("edax.txt"))];

/// The longest name of a pattern.
const MOST_NAME: usize = 40;

/// What is wrong with a set of patterns, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct PatternError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl PatternSet {
    /// Reads a set of patterns.
    ///
    /// # Errors
    /// A line is no pattern, names a square twice or what another line has named, or there are none or too many.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let (mut named, mut counts): (Vec<(String, Vec<u8>)>, Vec<Counts>) = (Vec::new(), Vec::new());
        let (mut taken, mut last): (Vec<(u64, String)>, usize) = (Vec::new(), 1);
        for (number, line) in text.lines().enumerate() {
            let line_number = number + 1;
            let wrong = |reason: String| PatternError { line: line_number, reason };
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            last = line_number;
            let Some((name, squares)) = line.split_once(':') else {
                let count = Counts::ALL.into_iter().find(|count| count.name() == line);
                let known = Counts::ALL.map(Counts::name).join(", ");
                let count = count.ok_or_else(|| {
                    wrong(format!("{} is neither 'name: squares' nor one of {known}", shown(line)))
                })?;
                if counts.contains(&count) {
                    return Err(wrong(format!("{line} is named twice")));
                }
                counts.push(count);
                continue;
            };
            let name = name.trim().to_string();
            let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
            if name.is_empty() || name.len() > MOST_NAME || !name.chars().all(plain) {
                return Err(wrong(format!(
                    "{} is no name; allowed: 1 to {MOST_NAME} letters, digits, '-', '_', '.'",
                    shown(&name)
                )));
            }
            if named.iter().any(|(other, _)| *other == name)
                || Counts::ALL.iter().any(|count| count.name() == name)
            {
                return Err(wrong(format!("the name {name} is taken")));
            }
            let squares = squares_of(squares).map_err(wrong)?;
            let places = places(&squares);
            if let Some((_, other)) = taken.iter().find(|(taken, _)| *taken == mask(&squares)) {
                return Err(wrong(format!("{name} is an image of {other}, which has these tables already")));
            }
            taken.extend(places.iter().map(|place| (mask(place), name.clone())));
            if taken.len() > LANES {
                return Err(wrong(format!(
                    "more than {LANES} places on the board, all patterns and images counted"
                )));
            }
            named.push((name, squares));
        }
        if named.is_empty() {
            return Err(PatternError {
                line: last,
                reason: "there is no pattern; one is 'name: a1 b1 c1'".into(),
            });
        }
        Ok(Self::new(named, counts))
    }

    /// A set that comes with the program.
    pub fn shipped(name: &str) -> Option<Self> {
        let text = SHIPPED.iter().find(|(known, _)| *known == name)?.1;
        Some(Self::parse(text).expect("what is shipped is sound"))
    }
}

fn squares_of(text: &str) -> Result<Vec<u8>, String> {
    let mut squares = Vec::new();
    for word in text.split_whitespace() {
        let named = word.to_ascii_lowercase();
        let square = (0..64).find(|&square| square_name(square) == named);
        let square = square.ok_or_else(|| format!("{} is no square; squares are a1 to h8", shown(word)))?;
        if squares.contains(&square) {
            return Err(format!("the square {named} is named twice"));
        }
        squares.push(square);
    }
    match squares.len() {
        1..=MOST_SQUARES => Ok(squares),
        count => Err(format!("{count} squares; allowed: 1 to {MOST_SQUARES}")),
    }
}
