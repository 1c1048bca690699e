//! The folder of an experiment or of one of its stages: what it is, where it comes from, and a lock.
//!
//! One rule of layout: the stages of a file that has `[[stage]]` live in `stage-1`, `stage-2`, ... of the experiment's folder,
//! and any other experiment, which is a single stage, in that folder itself. A stage of several runs has them in `run-01`,
//! `run-02`, ..., a single run lives in the folder of its stage.

use std::fs;
use std::path::{Path, PathBuf};

use play::files::new_file;

use super::folder::{FolderError, Lock};
use super::plan::Plan;
use super::record::{FORMAT, Manifest};

/// What the manifest tells of the program, the machine and the time.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The version of the program.
    pub version: String,
    /// The commit that it was built from.
    pub commit: String,
    /// The processor.
    pub cpu: String,
    /// Threads.
    pub threads: usize,
    /// Now, in UTC.
    pub now: String,
}

/// A folder held by this process.
pub struct ExperimentFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Where it comes from.
    pub manifest: Manifest,
    _lock: Lock,
}

impl ExperimentFolder {
    /// Makes a new folder and writes into it what it is; nothing that is there is overwritten.
    ///
    /// # Errors
    /// There is something in the folder already, or it cannot be written.
    pub fn create(path: &Path, plan: &Plan, config: &str, origin: &Origin) -> Result<Self, FolderError> {
        if fs::read_dir(path).is_ok_and(|mut files| files.next().is_some()) {
            let on = format!("'evalforge resume {}' goes on with what is in it", path.display());
            return Err(FolderError::wrong(path, format!("the folder is not empty; {on}")));
        }
        fs::create_dir_all(path).map_err(|error| FolderError::wrong(path, error.to_string()))?;
        let lock = Lock::take(path)?;
        let manifest = Manifest {
            format: FORMAT.into(),
            experiment: plan.name.clone(),
            version: origin.version.clone(),
            commit: origin.commit.clone(),
            cpu: origin.cpu.clone(),
            threads: origin.threads,
            seed: plan.config.seed,
            started: origin.now.clone(),
            parameters: if plan.is_logged() { plan.parameters.clone() } else { Vec::new() },
            unit: plan.unit.clone(),
        };
        write(&path.join("config.toml"), config)?;
        // The last that is written: with it the folder is whole.
        write(&path.join("manifest.json"), &json(&manifest))?;
        Ok(Self { path: path.to_path_buf(), manifest, _lock: lock })
    }

    /// Opens a folder that was begun by this version; the text of its configuration comes with it.
    ///
    /// # Errors
    /// It is none, or of another version, or another process is at work in it.
    pub fn open(path: &Path, origin: &Origin) -> Result<(Self, String), FolderError> {
        let file = path.join("manifest.json");
        let manifest: Manifest = serde_json::from_str(&read(&file)?)
            .map_err(|error| FolderError::wrong(&file, format!("no manifest of a run: {error}")))?;
        if manifest.format != FORMAT || manifest.version != origin.version {
            let reason = format!(
                "made by evalforge {} ({}); this is evalforge {} ({FORMAT}), which might learn something else",
                manifest.version, manifest.format, origin.version
            );
            return Err(FolderError::wrong(path, reason));
        }
        let config = read(&path.join("config.toml"))?;
        let lock = Lock::take(path)?;
        Ok((Self { path: path.to_path_buf(), manifest, _lock: lock }, config))
    }

    /// Whether there is one, made whole.
    pub fn is_at(path: &Path) -> bool {
        path.join("manifest.json").is_file()
    }

    /// The folder of one of so many runs.
    pub fn run(&self, number: usize, runs: usize) -> PathBuf {
        match runs {
            1 => self.path.clone(),
            _ => self.path.join(format!("run-{:02}", number + 1)),
        }
    }
}

/// The folder of a stage, by its number from 0, in that of an experiment with stages.
pub(super) fn stage_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("stage-{}", number + 1))
}

/// The folders of the stages in the folder of an experiment, as far as it has come; none if it has no stages.
pub fn stage_folders(folder: &Path) -> Vec<PathBuf> {
    (0..).map(|number| stage_path(folder, number)).take_while(|path| ExperimentFolder::is_at(path)).collect()
}

pub(super) fn read(path: &Path) -> Result<String, FolderError> {
    fs::read_to_string(path).map_err(|error| FolderError::wrong(path, error.to_string()))
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), FolderError> {
    new_file::write(path, text.as_bytes()).map_err(|error| FolderError::disk(path, &error))
}

pub(super) fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("a record can be written") + "\n"
}
