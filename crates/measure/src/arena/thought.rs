//! What a player thought of a move, as files keep it: `+0.35/8/12034` is a value for the side that moved, plies and positions; a value that
//! is certain is a margin and ends with `!`, as in `+12!/20/99`; `-` where nobody said anything.

use std::fmt;
use std::str::FromStr;

use play::players::Thought as Full;
use serde::{Deserialize, Serialize};

/// A value, and what was done to find it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Thought {
    /// For the side that moved.
    pub value: f64,
    /// Whether the value is the margin with which the game ends for certain.
    pub decided: bool,
    /// Plies; 0 if nobody says.
    pub depth: u32,
    /// Positions; 0 if nobody says.
    pub nodes: u64,
}

impl Thought {
    /// Of what a player says; what is no number is nothing.
    pub fn of<M>(full: &Full<M>) -> Option<Self> {
        // Five digits tell all that a value is worth, and a file of games stays short.
        let value: f64 = format!("{:.4e}", full.value).parse().ok()?;
        let Full { decided, depth, nodes, .. } = *full;
        value.is_finite().then_some(Self { value: value + 0.0, decided, depth, nodes })
    }

    /// How sure the side is to win, as a number that any value of an evaluation can be compared with.
    pub fn certain(&self) -> f64 {
        match self.value {
            value if self.decided && value != 0.0 => f64::INFINITY.copysign(value),
            value => value,
        }
    }
}

impl fmt::Display for Thought {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sure = if self.decided { "!" } else { "" };
        write!(f, "{:+}{sure}/{}/{}", self.value, self.depth, self.nodes)
    }
}

impl FromStr for Thought {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let mut parts = text.split('/');
            let value = parts.next()?;
            let (value, decided) = value.strip_suffix('!').map_or((value, false), |value| (value, true));
            let value = value.parse().ok().filter(|value: &f64| value.is_finite())?;
            let (depth, nodes) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            parts.next().is_none().then_some(Self { value, decided, depth, nodes })
        };
        read().ok_or_else(|| "a thought is VALUE/PLIES/POSITIONS, or -".into())
    }
}

impl From<Thought> for String {
    fn from(thought: Thought) -> Self {
        thought.to_string()
    }
}

impl TryFrom<String> for Thought {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_come_back_as_they_were() {
        for (value, decided, text) in [
            (0.350_004, false, "+0.35/8/9"),
            (-12.0, true, "-12!/8/9"),
            (-0.0, true, "+0!/8/9"),
            (1e-7, false, "+0.0000001/8/9"),
        ] {
            let full = Full::<u8> { value, decided, depth: 8, nodes: 9, line: Vec::new() };
            let thought = Thought::of(&full).unwrap();
            assert_eq!(thought.to_string(), text);
            assert_eq!(text.parse(), Ok(thought));
            assert_eq!(thought.certain().is_infinite(), decided && value != 0.0);
        }
        assert_eq!(Thought::of(&Full::<u8>::value(f64::NAN)), None);
        for text in ["", "-", "1", "1/2", "1/2/3/4", "x/1/1", "inf/1/1", "1/-2/3"] {
            assert!(text.parse::<Thought>().is_err(), "{text}");
        }
    }
}
