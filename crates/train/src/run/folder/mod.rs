//! The folder of a run, and all that is ever done with it.
//!
//! - Birth: a folder is a run from the moment that its `manifest.json` is there, which is written in one step and holds the configuration
//!   too. Until then it counts as empty, whatever a kill has left in it.
//! - Lock: nothing in a folder is written or removed, but by who holds its `lock`. What killed writers have left is cleared then.
//! - Going on: by the checkpoint alone, of which there are two. It names the configuration, the plan and the program that it is of;
//!   what differs is told, and accepted only when that is asked for ([`identity`]).
//! - Log: for people. It only grows; a line that is damaged is reported and left out, and stops nothing.
//! - Nothing is reached through a symbolic link but the folder itself: what somebody hands on cannot lead out of it.

mod checkpoint;
pub mod experiment;
pub mod identity;
mod log;
mod run;
#[cfg(test)]
mod tests;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use games::error::one_line;
use play::files::{is_wrong_path, new_file, open_own, read_own_text};
use thiserror::Error;

pub use checkpoint::{Checkpoint, newest};
pub use experiment::{ExperimentFolder, stage_folders};
pub use identity::{Identity, Origin};
pub use log::{Log, generations, read_log};
pub use run::{Resumed, RunFolder};

const LOCK: &str = "lock";
/// The most that a record may have: a table of patterns has millions of weights.
const MOST_RECORD: u64 = 1 << 32;

/// What can be wrong with a folder.
#[derive(Debug, Error)]
#[error("{}: {}", .path.display().to_string().escape_debug(), one_line(.reason))]
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

    /// The path is not what was meant, or the disk at fault, as the error tells.
    fn of(path: &Path, error: &io::Error) -> Self {
        Self { wrong_input: is_wrong_path(error), ..Self::disk(path, error) }
    }
}

/// Holds a folder for this process alone, until it is dropped or the process ends in whatever way.
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes a folder, and clears what killed writers have left in it.
    ///
    /// # Errors
    /// Another process has it, or it cannot be written.
    pub fn take(folder: &Path) -> Result<Self, FolderError> {
        let path = folder.join(LOCK);
        let mut options = OpenOptions::new();
        let file = open_own(&path, options.create(true).truncate(false).write(true));
        let file = file.map_err(|error| FolderError::of(&path, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::wrong(folder, "another process is at work in this folder"));
            }
            Err(TryLockError::Error(error)) => return Err(FolderError::disk(&path, &error)),
        }
        new_file::clear(folder).map_err(|error| FolderError::of(folder, &error))?;
        Ok(Self { _file: file })
    }
}

/// Makes a folder of a run or a stage inside another, unless it is there; a link in its place is refused.
fn make_inner(path: &Path) -> Result<(), FolderError> {
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        return Err(FolderError::wrong(path, "it is a symbolic link, which might lead anywhere"));
    }
    fs::create_dir_all(path).map_err(|error| FolderError::of(path, &error))
}

/// Refuses a link in the place of a file of the folder, which may be missing.
pub(super) fn is_own(path: &Path) -> Result<(), FolderError> {
    match open_own(path, OpenOptions::new().read(true)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FolderError::of(path, &error)),
        _ => Ok(()),
    }
}

/// The text of a record.
pub(super) fn read(path: &Path) -> Result<String, FolderError> {
    read_own_text(path, MOST_RECORD).map_err(|error| FolderError::of(path, &error))
}

/// Writes a record, whole or not at all.
pub(super) fn write(path: &Path, text: &str) -> Result<(), FolderError> {
    new_file::write(path, text.as_bytes()).map_err(|error| FolderError::of(path, &error))
}

pub(super) fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("a record can be written") + "\n"
}
