//! Labelled positions: what a function is fitted to when it is not learned by playing. Positions come from games of any
//! player, each with a number that says how good it is for the side to move, and go into a file.
//!
//! A label lies in [-1, 1] and is always for the side to move: 1 is won, 0 drawn, -1 lost. Finished games are left out, for an
//! evaluation never sees one. A game is named by (seed, number), so that a file does not depend on the number of threads.
//!
//! Two formats hold the same things. `text` is for people and other programs: the line of the header, then one line a
//! position, `TEXT <tab> LABEL <tab> PLY <tab> GAME`. `packed` holds
//! the same in a fraction of the bytes; `packed.rs` says how. `recorded.rs` labels what others have recorded.

mod collect;
mod dataset;
mod file;
mod game;
mod label;
mod packed;
pub mod recorded;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use games::error::shown;
use serde::{Deserialize, Serialize};

pub use collect::{LabelProgress, Made, make};
pub use dataset::Dataset;
pub use file::{DataError, Format, Reader, Writer, from_bytes, open, read, read_for};
pub use game::{LabelError, LabelSetup, Record};
pub use label::Label;

/// The longest text of a position; those of our games are far shorter. What is longer comes from no file of ours.
pub const MOST_TEXT: usize = 1024;

/// Where the positions of a file come from: enough to make them again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// Its options, where they are not the usual ones.
    pub rules: BTreeMap<String, String>,
    /// One player for both sides, or two that exchange sides; none of recorded games.
    pub players: Vec<String>,
    /// Random plies at the beginning of each game, whose positions are left out: at least so many.
    pub opening_plies: usize,
    /// And so many more at most.
    #[serde(default, skip_serializing_if = "is_none")]
    pub more_plies: usize,
    /// How positions are labelled.
    pub label: Label,
    /// Every so manieth position of a game is kept.
    pub every: usize,
    /// Whether a position is there only once, up to the symmetries of the game.
    pub distinct: bool,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

fn is_none(number: &usize) -> bool {
    *number == 0
}

/// A position with its label.
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled {
    /// The position in the game's text form.
    pub text: String,
    /// How good it is for the side to move, from -1 to 1.
    pub label: f32,
    /// Moves made before it, those of the opening among them.
    pub ply: u32,
    /// The number of its game.
    pub game: u64,
}

impl Labelled {
    /// Says what keeps this out of a file, whichever side of it we are on.
    fn check(&self) -> Result<(), String> {
        let text = &self.text;
        if text.is_empty() || text.len() > MOST_TEXT {
            return Err(format!("a position has 1 to {MOST_TEXT} bytes, not {}", text.len()));
        }
        if text.chars().any(char::is_control) {
            return Err(format!("a position is plain text, not {}", shown(text)));
        }
        if !(-1.0..=1.0).contains(&self.label) {
            return Err(format!("a label lies from -1 to 1, not {}", self.label));
        }
        Ok(())
    }
}
