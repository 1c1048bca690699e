//! The folder of a run. The log grows by one line a generation; then the checkpoint is replaced. Whatever kills the
//! program, at most the generation under way is lost; what was damaged otherwise is named. A line without its
//! checkpoint is played again, and comes out the same: the learner's state holds its generator, and JSON keeps every bit of a number.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

use games::error::shown;
use learn::racing::Racing;
use play::files::{checksum, new_file};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::record::Generation;

const LOG: &str = "log.jsonl";
const CHECKPOINT: &str = "checkpoint.json";
const PREVIOUS: &str = "checkpoint.previous.json";
const CHECKPOINT_FORMAT: &str = "evalforge checkpoint 1";

/// What can be wrong with a folder.
#[derive(Debug, Error)]
#[error("{}: {reason}", .path.display().to_string().escape_debug())]
pub struct FolderError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
    /// Whether the folder is not what was meant, rather than the disk at fault.
    pub wrong_input: bool,
}

impl FolderError {
    /// Something that cannot be gone on from.
    pub fn wrong(path: &Path, reason: impl Into<String>) -> Self {
        Self { path: path.to_path_buf(), reason: reason.into(), wrong_input: true }
    }

    /// The disk is at fault.
    pub fn disk(path: &Path, error: &io::Error) -> Self {
        Self { path: path.to_path_buf(), reason: error.to_string(), wrong_input: false }
    }
}

/// Everything that a run needs to go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Generations done.
    pub generation: u64,
    /// Vectors tried.
    pub evaluations: u64,
    /// Games played for them.
    pub games: u64,
    /// Working time.
    pub seconds: f64,
    /// The learner, whole.
    pub learner: Value,
    /// The races' limit.
    pub racing: Option<Racing>,
    /// The best vectors so far with their fitness, best first: who may play again in the end.
    pub finalists: Vec<(Vec<f64>, f64)>,
    /// The best of earlier generations that are met again, oldest first.
    #[serde(default)]
    pub environment: Vec<Vec<f64>>,
    /// Why it has ended, if it has.
    pub ended: Option<String>,
}

/// Holds a folder for this process alone, until it is dropped or the process ends in whatever way.
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes a folder.
    ///
    /// # Errors
    /// Another process has it, or it cannot be written.
    pub fn take(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join("lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| FolderError::wrong(&path, error.to_string()))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => {
                Err(FolderError::wrong(folder, "another process is at work in this folder"))
            }
            Err(TryLockError::Error(error)) => Err(FolderError::disk(&path, &error)),
        }
    }
}

/// The log and the checkpoint of a run, open to be gone on with.
pub struct RunFolder {
    path: PathBuf,
    log: File,
}

impl RunFolder {
    /// Opens a run's folder, making it if it is not there; the last whole generation comes back, if there is one, and the
    /// lines of all generations up to it.
    ///
    /// # Errors
    /// It cannot be read or written, or it is damaged.
    pub fn open(path: &Path) -> Result<(Self, Option<Checkpoint>, Vec<Generation>), FolderError> {
        fs::create_dir_all(path).map_err(|error| FolderError::wrong(path, error.to_string()))?;
        let log_path = path.join(LOG);
        let disk = |error: io::Error| FolderError::disk(&log_path, &error);
        let mut log = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&log_path)
            .map_err(|error| FolderError::wrong(&log_path, error.to_string()))?;
        let (lines, ends, fault) = read_log(&log).map_err(disk)?;
        let checkpoint = choose(path, lines.len() as u64, fault.as_deref())?;
        let done = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.generation) as usize;
        // A generation whose checkpoint was never written is played again.
        let end = if done == 0 { 0 } else { ends[done - 1] };
        log.set_len(end).map_err(disk)?;
        log.seek(io::SeekFrom::Start(end)).map_err(disk)?;
        Ok((Self { path: path.to_path_buf(), log }, checkpoint, lines.into_iter().take(done).collect()))
    }

    /// Writes down a generation: the line first, then the checkpoint.
    ///
    /// # Errors
    /// The disk is full, or worse.
    pub fn write(&mut self, line: &Generation, checkpoint: &Checkpoint) -> Result<(), FolderError> {
        let log_path = self.path.join(LOG);
        let mut text = serde_json::to_string(line).expect("a generation can be written");
        text.push('\n');
        let written = self.log.write_all(text.as_bytes()).and_then(|()| self.log.sync_data());
        written.map_err(|error| FolderError::disk(&log_path, &error))?;
        self.checkpoint(checkpoint)
    }

    /// Replaces the checkpoint; the one before it stays beside it.
    ///
    /// # Errors
    /// The disk is full, or worse.
    pub fn checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), FolderError> {
        let (path, previous) = (self.path.join(CHECKPOINT), self.path.join(PREVIOUS));
        let body = serde_json::to_string(checkpoint).expect("a checkpoint can be written");
        let text = format!("{CHECKPOINT_FORMAT} {:016x}\n{body}\n", checksum(body.as_bytes()));
        let replace = || {
            if path.exists() {
                fs::rename(&path, &previous)?;
            }
            new_file::write(&path, text.as_bytes())
        };
        replace().map_err(|error| FolderError::disk(&path, &error))
    }
}

/// The generations of a log.
///
/// # Errors
/// It cannot be read.
pub fn generations(folder: &Path) -> io::Result<Vec<Generation>> {
    Ok(read_log(&File::open(folder.join(LOG))?)?.0)
}

/// The newest checkpoint of a run that is whole, if there is one.
pub fn newest(folder: &Path) -> Option<Checkpoint> {
    let names = [CHECKPOINT, PREVIOUS].into_iter();
    names.filter_map(|name| parse(&fs::read(folder.join(name)).ok()?).ok()).next()
}

/// The whole lines, where each ends, and what is wrong with the one after them.
type Log = (Vec<Generation>, Vec<u64>, Option<String>);

fn read_log(file: &File) -> io::Result<Log> {
    let mut reader = BufReader::new(file);
    let (mut lines, mut ends, mut end) = (Vec::new(), Vec::new(), 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if length == 0 {
            return Ok((lines, ends, None));
        }
        let parsed = serde_json::from_slice::<Generation>(&line);
        let number = lines.len() as u64 + 1;
        match parsed {
            Ok(generation) if generation.generation == number && line.ends_with(b"\n") => {
                end += length as u64;
                lines.push(generation);
                ends.push(end);
            }
            Ok(_) if !line.ends_with(b"\n") => {
                return Ok((lines, ends, Some(format!("line {number} is cut off"))));
            }
            Ok(other) => {
                let reason = format!("line {number} is of generation {}", other.generation);
                return Ok((lines, ends, Some(reason)));
            }
            Err(error) => return Ok((lines, ends, Some(format!("line {number} is damaged: {error}")))),
        }
    }
}

/// The newest checkpoint that is whole and that the log reaches.
fn choose(folder: &Path, logged: u64, fault: Option<&str>) -> Result<Option<Checkpoint>, FolderError> {
    let mut faults = Vec::new();
    for name in [CHECKPOINT, PREVIOUS] {
        let path = folder.join(name);
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(FolderError::disk(&path, &error)),
            Ok(bytes) => match parse(&bytes) {
                Ok(checkpoint) if checkpoint.generation <= logged => return Ok(Some(checkpoint)),
                Ok(checkpoint) => {
                    let fault = fault.unwrap_or("it ends early");
                    let at = checkpoint.generation;
                    faults.push(format!("{name} is of generation {at}, {LOG} holds {logged} ({fault})"));
                }
                Err(reason) => faults.push(format!("{name} {reason}")),
            },
        }
    }
    // With no checkpoint at all the first generation was not over yet.
    if faults.is_empty() && logged <= 1 {
        return Ok(None);
    }
    if faults.is_empty() {
        faults.push(format!("{CHECKPOINT} is missing, {LOG} holds {logged} generations"));
    }
    let reason = format!(
        "damaged: {}; the run cannot be gone on with, but its config.toml makes the same run again",
        faults.join(", and ")
    );
    Err(FolderError::wrong(folder, reason))
}

fn parse(bytes: &[u8]) -> Result<Checkpoint, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is no text".to_string())?;
    let (head, body) = text.split_once('\n').ok_or("is cut off")?;
    let sum = head.strip_prefix(CHECKPOINT_FORMAT).ok_or_else(|| {
        format!(
            "begins with {}; known: {CHECKPOINT_FORMAT}",
            shown(&head.chars().take(40).collect::<String>())
        )
    })?;
    let body = body.strip_suffix('\n').ok_or("is cut off")?;
    if u64::from_str_radix(sum.trim(), 16).ok() != Some(checksum(body.as_bytes())) {
        return Err("is not as it was written (its checksum is wrong)".into());
    }
    serde_json::from_str(body).map_err(|error| format!("cannot be read: {error}"))
}
