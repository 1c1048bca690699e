//! The checkpoint of a run, and the one before it: all that going on needs.

use std::io;
use std::io::Write as _;
use std::path::Path;

use games::error::shown;
use learn::racing::Racing;
use play::files::checksum;
use play::files::new_file::NewFile;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FolderError, Identity, read};

pub(super) const CHECKPOINT: &str = "checkpoint.json";
const PREVIOUS: &str = "checkpoint.previous.json";
const FORMAT: &str = "evalforge checkpoint 1";

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
    /// What it is a checkpoint of; earlier versions did not say.
    #[serde(default)]
    pub identity: Option<Identity>,
}

/// The newest checkpoint of a run that is whole, if there is one.
pub fn newest(folder: &Path) -> Option<Checkpoint> {
    load(folder).ok().flatten()
}

/// The newest checkpoint that is whole, none if there is no checkpoint at all.
pub(super) fn load(folder: &Path) -> Result<Option<Checkpoint>, FolderError> {
    let mut faults = Vec::new();
    for name in [CHECKPOINT, PREVIOUS] {
        let path = folder.join(name);
        if path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            continue;
        }
        match read(&path) {
            Err(error) if !error.wrong_input => return Err(error),
            Err(error) => faults.push(format!("{name}: {}", error.reason)),
            Ok(text) => match parse(&text) {
                Ok(checkpoint) => return Ok(Some(checkpoint)),
                Err(reason) => faults.push(format!("{name} {reason}")),
            },
        }
    }
    match faults.is_empty() {
        true => Ok(None),
        false => Err(FolderError::wrong(folder, format!("damaged: {}", faults.join(", and ")))),
    }
}

/// Replaces the checkpoint; the one before it stays beside it. On a full disk both are as before.
pub(super) fn save(folder: &Path, checkpoint: &Checkpoint) -> Result<(), FolderError> {
    let path = folder.join(CHECKPOINT);
    let body = serde_json::to_string(checkpoint).expect("a checkpoint can be written");
    let text = format!("{FORMAT} {:016x}\n{body}\n", checksum(body.as_bytes()));
    let replace = || {
        let mut file = NewFile::create(&path)?;
        file.write_all(text.as_bytes())?;
        file.set_aside(&folder.join(PREVIOUS))?;
        file.finish()
    };
    replace().map_err(|error| FolderError::disk(&path, &error))
}

fn parse(text: &str) -> Result<Checkpoint, String> {
    let (head, body) = text.split_once('\n').ok_or("is cut off")?;
    let sum = head.strip_prefix(FORMAT).ok_or_else(|| {
        format!("begins with {}; known: {FORMAT}", shown(&head.chars().take(40).collect::<String>()))
    })?;
    let body = body.strip_suffix('\n').ok_or("is cut off")?;
    if u64::from_str_radix(sum.trim(), 16).ok() != Some(checksum(body.as_bytes())) {
        return Err("is not as it was written (its checksum is wrong)".into());
    }
    serde_json::from_str(body).map_err(|error| format!("cannot be read: {error}"))
}
