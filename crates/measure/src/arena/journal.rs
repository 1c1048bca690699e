//! The file that a match or tournament can be resumed from: what is played, then one line for every pair of games, written
//! as soon as it ends. Whatever a kill has done to the last line, the lines before it hold.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use games::Rules;
use games::error::shown;
use play::PlayedGame;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{PlayedPair, Results, Schedule, Setup};

const FORMAT: &str = "evalforge arena 1";

/// What can be wrong with a journal.
#[derive(Debug, Error)]
#[error("{}: {reason}", shown(&.path.display().to_string()))]
pub struct ArenaJournalError {
    path: PathBuf,
    reason: String,
    /// Whether the file is not the one that was meant, rather than the disk at fault.
    pub wrong_input: bool,
}

/// A journal open for more pairs.
#[derive(Debug)]
pub struct ArenaJournal {
    path: PathBuf,
    file: File,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    game: String,
    rules: BTreeMap<String, String>,
    players: Vec<String>,
    schedule: Schedule,
    openings: String,
    most_moves: usize,
    seed: u64,
    /// Left out where there is none, as in files from before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credit: Option<f64>,
}

impl Header {
    // The number of pairs and the test are left out: more may be played, and another question asked.
    fn new<G: PlayedGame>(setup: &Setup<G>) -> Self {
        let rules = setup.rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value)).collect();
        Self {
            format: FORMAT.into(),
            game: G::NAME.into(),
            rules,
            players: setup.players.clone(),
            schedule: setup.schedule,
            openings: setup.openings.label().to_string(),
            most_moves: setup.most_moves,
            seed: setup.seed,
            credit: setup.credit,
        }
    }

    /// Says in what another header differs.
    fn check(&self, expected: &Header) -> Result<(), String> {
        let differs = |what: &str, a: String, b: String| {
            Err(format!("it is of another {what}: {}, not {}", shown(&a), shown(&b)))
        };
        let text = |header: &Header| {
            [
                ("format", header.format.clone()),
                ("game", header.game.clone()),
                ("set of rules", format!("{:?}", header.rules)),
                ("list of players", header.players.join(" ")),
                ("schedule", format!("{:?}", header.schedule)),
                ("set of openings", header.openings.clone()),
                ("limit of moves", header.most_moves.to_string()),
                ("seed", header.seed.to_string()),
                ("credit", header.credit.map_or("none".into(), |seconds| format!("{seconds} s"))),
            ]
        };
        for ((what, found), (_, wanted)) in text(self).into_iter().zip(text(expected)) {
            if found != wanted {
                return differs(what, found, wanted);
            }
        }
        Ok(())
    }
}

impl ArenaJournal {
    /// Opens the journal of a match, and reads the pairs in it; makes it if there is none.
    ///
    /// # Errors
    /// It cannot be read or written, or is of another match, or another process writes to it.
    pub fn open<G: PlayedGame>(path: &Path, setup: &Setup<G>) -> Result<(Self, Results), ArenaJournalError> {
        let refused =
            |reason: String| ArenaJournalError { path: path.to_path_buf(), reason, wrong_input: true };
        let disk = |error: std::io::Error| refused(error.to_string());
        let mut options = OpenOptions::new();
        let mut file =
            options.create(true).truncate(false).read(true).write(true).open(path).map_err(disk)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(refused("another process writes to it".into())),
            // A disk that knows no locks is no reason to refuse.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(disk)?;
        let (results, whole) = read(&bytes, setup).map_err(refused)?;
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(disk)?;
        let mut journal = Self { path: path.to_path_buf(), file };
        if whole == 0 {
            journal.write(&Header::new(setup))?;
        }
        Ok((journal, results))
    }

    /// Writes a pair down.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn append(&mut self, pair: &PlayedPair) -> Result<(), ArenaJournalError> {
        self.write(pair)
    }

    fn write(&mut self, what: &impl Serialize) -> Result<(), ArenaJournalError> {
        let mut line = serde_json::to_string(what).expect("plain data");
        line.push('\n');
        let wrong = |error: std::io::Error| ArenaJournalError {
            path: self.path.clone(),
            reason: error.to_string(),
            wrong_input: false,
        };
        self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()).map_err(wrong)
    }
}

/// The pairs of a journal, and how many of its bytes are sound.
fn read<G: PlayedGame>(bytes: &[u8], setup: &Setup<G>) -> Result<(Results, usize), String> {
    let mut results = Results::new(setup);
    let mut whole = 0;
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        let last = lines.peek().is_none();
        if !line.ends_with(b"\n") {
            // A first line without an end may be anything: only what certainly was a header goes.
            if number == 0 && !line.starts_with(b"{\"format\":\"evalforge arena") {
                return Err("not a journal of an arena".into());
            }
            break;
        }
        if number == 0 {
            let header: Header = serde_json::from_slice(line)
                .map_err(|error| format!("not a journal of an arena: {error}"))?;
            header.check(&Header::new(setup))?;
        } else {
            match serde_json::from_slice::<PlayedPair>(line) {
                Ok(pair) if pair.pair >= setup.pairs => {
                    return Err(format!(
                        "it holds more than the {} games of two players that are asked for: ask for as many as before, or more",
                        2 * setup.pairs
                    ));
                }
                Ok(pair) => {
                    if pair.opening != setup.openings.get(pair.pair).text() {
                        return Err(format!(
                            "line {} has another opening than pair {}",
                            number + 1,
                            pair.pair
                        ));
                    }
                    results.insert(pair);
                }
                Err(_) if last => break,
                Err(error) => return Err(format!("line {} is damaged: {error}", number + 1)),
            }
        }
        whole += line.len();
    }
    Ok((results, whole))
}
