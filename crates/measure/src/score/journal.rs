//! The file that a measurement can be resumed from: what is measured, then one line for every game. A line is written
//! as soon as its game ends; a game of hours has others before that, of which the last one counts. A last line that is cut
//! off is left out when read.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use games::Rules;
use games::error::shown;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Game, Games, Setup};

const FORMAT: &str = "evalforge score 1";

/// What can be wrong with a journal.
#[derive(Debug, Error)]
#[error("{}: {reason}", shown(&.path.display().to_string()))]
pub struct JournalError {
    path: PathBuf,
    reason: String,
    /// Whether the file is not the one that was meant, rather than the disk at fault.
    pub wrong_input: bool,
}

/// A journal open for more games.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// How often a game under way is written down: that much of it can be lost.
    pub save_every: Duration,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    game: String,
    rules: BTreeMap<String, String>,
    players: Vec<String>,
    seed: u64,
}

impl Header {
    fn new(setup: &Setup) -> Self {
        let rules = setup.rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value)).collect();
        let players = setup.players.clone();
        Self { format: FORMAT.into(), game: "tetris".into(), rules, players, seed: setup.seed }
    }
}

impl Journal {
    /// Opens the journal of a measurement, and reads the games in it; makes it if there is none.
    ///
    /// # Errors
    /// It cannot be read or written, or is of another measurement.
    pub fn open(path: &Path, setup: &Setup) -> Result<(Self, Games), JournalError> {
        let refused =
            |reason: String, wrong_input| JournalError { path: path.to_path_buf(), reason, wrong_input };
        let disk = |error: std::io::Error| refused(error.to_string(), true);
        let mut games = Games::new(setup.players.len(), setup.games);
        let mut whole = 0;
        if path.exists() {
            let mut reader = BufReader::new(File::open(path).map_err(disk)?);
            let mut line = String::new();
            for number in 1.. {
                line.clear();
                let length = reader.read_line(&mut line).map_err(disk)?;
                if length == 0 || !line.ends_with('\n') {
                    break;
                }
                if number == 1 {
                    let header: Header = serde_json::from_str(&line)
                        .map_err(|error| refused(format!("not a journal of scores: {error}"), true))?;
                    check(&header, &Header::new(setup)).map_err(|reason| refused(reason, true))?;
                } else {
                    let game: Game = serde_json::from_str(&line)
                        .map_err(|error| refused(format!("line {number} is damaged: {error}"), true))?;
                    games.insert(game);
                }
                whole += length as u64;
            }
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(disk)?;
        // What a cut-off line has left behind goes.
        file.set_len(whole).map_err(disk)?;
        let file = { OpenOptions::new().append(true).open(path).map_err(disk)? };
        let mut journal = Self { path: path.to_path_buf(), file, save_every: Duration::from_secs(60) };
        if whole == 0 {
            journal.write(&Header::new(setup))?;
        }
        Ok((journal, games))
    }

    /// Writes a game down.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn append(&mut self, game: &Game) -> Result<(), JournalError> {
        self.write(game)
    }

    fn write(&mut self, what: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_string(what).expect("plain data");
        line.push('\n');
        let wrong = |error: std::io::Error| JournalError {
            path: self.path.clone(),
            reason: error.to_string(),
            wrong_input: false,
        };
        self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()).map_err(wrong)
    }
}

/// Whether a journal belongs to a measurement.
fn check(found: &Header, expected: &Header) -> Result<(), String> {
    let differs = |what: &str, a: String, b: String| {
        Err(format!("it is of another {what}: {}, not {}", shown(&a), shown(&b)))
    };
    if found.format != expected.format || found.game != expected.game {
        return differs("format", format!("{} {}", found.format, found.game), expected.format.clone());
    }
    if found.rules != expected.rules {
        return differs("set of rules", format!("{:?}", found.rules), format!("{:?}", expected.rules));
    }
    if found.players != expected.players {
        return differs("list of players", found.players.join(" "), expected.players.join(" "));
    }
    if found.seed != expected.seed {
        return differs("seed", found.seed.to_string(), expected.seed.to_string());
    }
    Ok(())
}
