//! The log and the checkpoint of one run. The log grows by one line a generation; then the checkpoint is replaced. Whatever kills the program,
//! at most the generation under way is lost. A line without its checkpoint is played again, and comes out the same: the learner's state holds
//! its generator, and JSON keeps every bit of a number.

use std::path::{Path, PathBuf};

use play::files::new_file;

use super::super::record::Generation;
use super::checkpoint::{self, CHECKPOINT, Checkpoint};
use super::log::{LOG, OpenLog};
use super::{ExperimentFolder, FolderError, make_inner};

/// A run's folder, open to be gone on with.
pub struct RunFolder {
    path: PathBuf,
    log: OpenLog,
}

/// Where a run stands that is opened.
pub struct Resumed {
    /// The last whole generation, if there is one.
    pub checkpoint: Option<Checkpoint>,
    /// What the log tells of it and those before.
    pub lines: Vec<Generation>,
    /// What is to be said about the folder, in a line, if anything is.
    pub note: Option<String>,
}

impl RunFolder {
    /// Opens the folder of a run of this experiment, making it if it is not there.
    ///
    /// # Errors
    /// It cannot be read or written, or cannot be gone on with.
    pub fn open(place: &ExperimentFolder, path: &Path) -> Result<(Self, Resumed), FolderError> {
        if path != place.path {
            make_inner(path)?;
            new_file::clear(path).map_err(|error| FolderError::of(path, &error))?;
        }
        let again = format!(
            "the run cannot be gone on with; 'evalforge learn {} --out ANOTHER' makes the same run again",
            place.path.join("config.toml").display()
        );
        let checkpoint = checkpoint::load(path).map_err(|error| FolderError {
            reason: if error.wrong_input {
                format!("{}; {again}", error.reason)
            } else {
                error.reason.clone()
            },
            ..error
        })?;
        if let Some(found) = &checkpoint {
            place.knows(&path.join(CHECKPOINT), found)?;
        }
        let (mut open, mut log) = OpenLog::open(path)?;
        let done = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.generation);
        // With no checkpoint at all the first generation was not over yet.
        if checkpoint.is_none() && log.lines() > 1 {
            let reason = format!("{CHECKPOINT} is missing, {LOG} holds {} generations; {again}", log.lines());
            return Err(FolderError::wrong(path, reason));
        }
        open.go_back(path, &mut log, done)?;
        for change in place.manifest.changes.iter().skip(log.changes) {
            open.append_change(path, &change.what, done)?;
        }
        let note = log.told(done).map(|told| format!("{}: {told}", path.display()));
        let resumed = Resumed { checkpoint, lines: log.generations, note };
        Ok((Self { path: path.to_path_buf(), log: open }, resumed))
    }

    /// Writes down a generation: the line first, then the checkpoint.
    ///
    /// # Errors
    /// The disk is full, or worse.
    pub fn write(&mut self, line: &Generation, checkpoint: &Checkpoint) -> Result<(), FolderError> {
        self.log.append(&self.path, line)?;
        self.checkpoint(checkpoint)
    }

    /// Replaces the checkpoint; the one before it stays beside it.
    ///
    /// # Errors
    /// The disk is full, or worse.
    pub fn checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), FolderError> {
        checkpoint::save(&self.path, checkpoint)
    }
}
