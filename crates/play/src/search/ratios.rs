//! How many times as long a depth takes as the one before, by step and depth, from recorded games: what `evalforge tune clock`
//! measures and a clock trims by. The file is JSON, one row of numbers a line; nothing in it is trusted.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use games::error::{one_line, shown};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::limits::MAX_DEPTH;
use crate::files::{MOST_TEXT, read_text};

const FORMAT: &str = "evalforge clock 1";
/// No game has more steps.
const MOST_STEPS: u32 = 10_000;
/// Further from the recorded steps than this, another game is being played: what it shows itself counts more.
const NEAR: u32 = 4;

/// The ratios. The report takes the first quartile: a depth is left out only if it would seldom finish.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ratios(BTreeMap<u32, BTreeMap<u32, f64>>);

impl Ratios {
    /// From rows of (step, depth, time of this depth over that of the one before).
    pub fn new(rows: impl IntoIterator<Item = (u32, u32, f64)>) -> Self {
        let mut ratios = Self::default();
        for (step, depth, ratio) in rows {
            ratios.0.entry(depth).or_default().insert(step, ratio);
        }
        ratios
    }

    /// The ratio at this depth, of the nearest step that was recorded, if it is near.
    pub fn get(&self, step: u32, depth: u32) -> Option<f64> {
        let steps = self.0.get(&depth)?;
        let near = steps.iter().filter(|(known, _)| known.abs_diff(step) <= NEAR);
        near.min_by_key(|(known, _)| known.abs_diff(step)).map(|(_, &ratio)| ratio)
    }
}

/// What can be wrong with a file of ratios.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("clock {}: {}", shown(.file), one_line(.reason))]
pub struct RatiosError {
    file: String,
    reason: String,
}

/// A file of ratios, with where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatiosFile {
    /// What kind of file it is.
    pub format: String,
    /// The game's name.
    pub game: String,
    /// Who played.
    pub player: String,
    /// How many games.
    pub games: usize,
    /// The seed of their openings.
    pub seed: u64,
    /// Which quantile of the ratios.
    pub quantile: f64,
    /// Step, depth, the ratio, and how many were measured.
    pub ratios: Vec<(u32, u32, f64, usize)>,
}

impl RatiosFile {
    /// A file of these.
    pub fn new(game: &str, player: &str, (games, seed): (usize, u64), quantile: f64) -> Self {
        let [format, game, player] = [FORMAT, game, player].map(str::to_string);
        Self { format, game, player, games, seed, quantile, ratios: Vec::new() }
    }

    /// Reads a text; `file` is what it is called in messages.
    ///
    /// # Errors
    /// It is no list of ratios, or that of another game.
    pub fn parse(file: &str, text: &str, game: &str) -> Result<Self, RatiosError> {
        let wrong = |reason: String| RatiosError { file: file.to_string(), reason };
        let read: Self = serde_json::from_str(text)
            .map_err(|error| wrong(format!("not what 'evalforge tune clock' writes: {error}")))?;
        if read.format != FORMAT {
            return Err(wrong(format!("its format is {}, not '{FORMAT}'", shown(&read.format))));
        }
        if read.game != game {
            return Err(wrong(format!("it is of {}, not of {game}", shown(&read.game))));
        }
        let mut seen = HashSet::new();
        for (number, &(step, depth, ratio, _)) in read.ratios.iter().enumerate() {
            let sound = (1..=MOST_STEPS).contains(&step)
                && (2..=MAX_DEPTH).contains(&depth)
                && (1e-6..=1e9).contains(&ratio);
            if !sound {
                let allowed = format!(
                    "a step from 1 to {MOST_STEPS}, a depth from 2 to {MAX_DEPTH}, a ratio from 0.000001 to 1000000000"
                );
                return Err(wrong(format!(
                    "row {} has step {step}, depth {depth}, ratio {ratio}; allowed: {allowed}",
                    number + 1
                )));
            }
            if !seen.insert((step, depth)) {
                return Err(wrong(format!("step {step}, depth {depth} is there twice")));
            }
        }
        Ok(read)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is no list of ratios, or that of another game.
    pub fn read(path: &str, game: &str) -> Result<Self, RatiosError> {
        let refused = |error: std::io::Error| RatiosError { file: path.into(), reason: error.to_string() };
        Self::parse(path, &read_text(Path::new(path), MOST_TEXT).map_err(refused)?, game)
    }

    /// The ratios in it.
    pub fn ratios(&self) -> Ratios {
        Ratios::new(self.ratios.iter().map(|&(step, depth, ratio, _)| (step, depth, ratio)))
    }

    /// The text of the file: a row a line, so that people can read it.
    pub fn text(&self) -> String {
        rows_of_text(&Self { ratios: Vec::new(), ..self.clone() }, &self.ratios)
    }
}

/// The JSON text of a file whose last field is the list of its rows, each of them a line; `head` has none yet.
pub(super) fn rows_of_text(head: &impl Serialize, rows: &[impl Serialize]) -> String {
    let head = serde_json::to_string(head).expect("plain data");
    let head = head.strip_suffix("]}").expect("the rows come last");
    let rows: Vec<String> = rows.iter().map(|row| serde_json::to_string(row).expect("plain data")).collect();
    format!("{head}\n{}\n]}}\n", rows.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_step_counts_if_it_is_near() {
        let ratios = Ratios::new([(8, 4, 32.0), (30, 4, 3.0)]);
        assert_eq!(
            (ratios.get(8, 4), ratios.get(28, 4), ratios.get(6, 4)),
            (Some(32.0), Some(3.0), Some(32.0))
        );
        assert_eq!((ratios.get(19, 4), ratios.get(8, 5)), (None, None));
    }

    #[test]
    fn files_come_back_as_they_were_and_nothing_is_trusted() {
        let mut file = RatiosFile::new("avalam", "alphabeta(time=1)", (3, 7), 0.25);
        assert_eq!(RatiosFile::parse("x", &file.text(), "avalam").unwrap(), file, "no rows");
        file.ratios = vec![(6, 2, 3.25, 12), (6, 3, 10.0, 11)];
        let text = file.text();
        assert_eq!(RatiosFile::parse("x", &text, "avalam").unwrap(), file);
        assert_eq!(file.ratios().get(6, 3), Some(10.0));
        for (from, to, said) in [
            ("clock 1", "clock 2", "its format is 'evalforge clock 2', not"),
            ("\"avalam\"", "\"othello\"", "it is of 'othello', not of avalam"),
            ("3.25", "-1", "row 1 has step 6, depth 2, ratio -1; allowed: a step from 1"),
            ("[6,3,", "[0,3,", "row 2 has step 0"),
            ("[6,3,", "[6,1,", "depth from 2 to 120"),
            ("[6,3,", "[6,2,", "step 6, depth 2 is there twice"),
            ("\"seed\"", "\"sed\"", "not what 'evalforge tune clock' writes: unknown field `sed`"),
            ("\"seed\"", "\"se\\u001bed\"", "unknown field `se\\u{1b}ed`"),
            ("3.25", "x", "line 2"),
        ] {
            let error = RatiosFile::parse("f.json", &text.replacen(from, to, 1), "avalam").unwrap_err();
            assert!(error.to_string().starts_with("clock 'f.json': "), "{error}");
            assert!(
                error.to_string().contains(said) && !error.to_string().contains(char::is_control),
                "{error}"
            );
        }
        assert!(RatiosFile::read("no/such/file", "avalam").unwrap_err().to_string().contains("no/such/file"));
    }
}
