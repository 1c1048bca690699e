//! The folder of an experiment or of one of its stages: what it is, where it comes from, and a lock.
//!
//! One rule of layout: the stages of a file that has `[[stage]]` live in `stage-1`, `stage-2`, ... of the experiment's folder,
//! and any other experiment, which is a single stage, in that folder itself. A stage of several runs has them in `run-01`,
//! `run-02`, ..., a single run lives in the folder of its stage.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use play::files::new_file::is_left_over;

use super::super::plan::Plan;
use super::super::record::{Change, FORMAT, Manifest, PAIRS};
use super::identity::{self, Difference};
use super::{Checkpoint, FolderError, Identity, LOCK, Lock, Origin, json, make_inner, read, write};

const MANIFEST: &str = "manifest.json";
const CONFIG: &str = "config.toml";
/// Differences that a line has room for.
const MOST_TOLD: usize = 5;

/// A folder held by this process.
pub struct ExperimentFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Where it comes from.
    pub manifest: Manifest,
    _lock: Lock,
}

/// A folder that was opened, before it is known that its configuration can be planned.
pub(in super::super) struct Opened {
    folder: ExperimentFolder,
    /// What it is to go on with.
    pub config: String,
    /// In what that, or the program, differs from what it was begun with; none if there is nothing to be accepted.
    differences: Vec<Difference>,
}

impl ExperimentFolder {
    /// Makes a new folder and writes into it what it is; nothing that is there is overwritten.
    ///
    /// # Errors
    /// There is something in the folder already, or it cannot be written.
    pub fn create(path: &Path, plan: &Plan, config: &str, origin: &Origin) -> Result<Self, FolderError> {
        let is_free = || match is_unborn(path).map_err(|error| FolderError::of(path, &error))? {
            true => Ok(()),
            false => {
                let on = format!("'evalforge learn --resume {}' goes on with what is in it", path.display());
                Err(FolderError::wrong(path, format!("the folder is not empty; {on}")))
            }
        };
        fs::create_dir_all(path).map_err(|error| FolderError::of(path, &error))?;
        // Before a lock is laid into it: what is somebody else's is left alone.
        is_free()?;
        let lock = Lock::take(path)?;
        is_free()?;
        let mut manifest = Manifest {
            format: FORMAT.into(),
            experiment: plan.name.clone(),
            variant: plan.config.variant.clone(),
            version: String::new(),
            commit: String::new(),
            source: String::new(),
            cpu: origin.cpu.clone(),
            threads: origin.threads,
            seed: 0,
            started: origin.now.clone(),
            parameters: if plan.is_logged() { plan.parameters.clone() } else { Vec::new() },
            unit: plan.unit.clone(),
            counted: if plan.counts_pairs() { PAIRS.into() } else { String::new() },
            config: String::new(),
            plan: String::new(),
            files: Default::default(),
            changes: Vec::new(),
        };
        manifest.set(plan, config, origin);
        // With it the folder is whole: what the other file holds is in it too.
        write(&path.join(MANIFEST), &json(&manifest))?;
        write(&path.join(CONFIG), config)?;
        Ok(Self { path: path.to_path_buf(), manifest, _lock: lock })
    }

    /// Opens a folder that was begun. A stage follows the configuration of its experiment, which is given; any other folder its own
    /// `config.toml`. What differs is refused unless it is `accepted`.
    ///
    /// # Errors
    /// It is none, or something differs, or another process is at work in it.
    pub(in super::super) fn open(
        path: &Path,
        stage: Option<String>,
        origin: &Origin,
        accepted: bool,
    ) -> Result<Opened, FolderError> {
        let file = path.join(MANIFEST);
        if !Self::is_at(path) {
            let reason = "it is missing: no run was begun here; 'evalforge learn' begins one";
            return Err(FolderError::wrong(&file, reason));
        }
        let lock = Lock::take(path)?;
        let manifest: Manifest = serde_json::from_str(&read(&file)?)
            .map_err(|error| FolderError::wrong(&file, format!("no manifest of a run: {error}")))?;
        if manifest.format != FORMAT {
            let reason = format!("its format is {}; known: {FORMAT}", manifest.format.escape_debug());
            return Err(FolderError::wrong(&file, reason));
        }
        let own = path.join(CONFIG);
        let is_missing = own.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        let found = match is_missing && !manifest.config.is_empty() {
            // The folder was born a moment before a kill, or somebody wants it back.
            true => write(&own, &manifest.config).map(|()| manifest.config.clone())?,
            false => read(&own)?,
        };
        // Folders of earlier versions hold no copy.
        let begun = if manifest.config.is_empty() { found.clone() } else { manifest.config.clone() };
        let unread = |reason: String| {
            let reason = format!("{reason}; without this file the run goes on as it was begun");
            FolderError::wrong(&own, reason)
        };
        let edited = identity::of_configs(&begun, &found).map_err(unread)?;
        if let (Some(first), Some(stage)) = (edited.first(), &stage)
            // Else it is the change that was being accepted when somebody killed it.
            && !identity::of_configs(stage, &found).map_err(unread)?.is_empty()
        {
            let reason = format!("{}; a stage follows the configuration in the folder above it", first.told);
            return Err(FolderError::wrong(&own, reason));
        }
        let config = stage.unwrap_or(found);
        let mut differences: Vec<Difference> = identity::of_program(&manifest, origin).into_iter().collect();
        differences.extend(identity::of_configs(&begun, &config).map_err(unread)?);
        differences.extend(identity::of_files(&manifest.files, &identity::named_files(&config)));
        let folder = Self { path: path.to_path_buf(), manifest, _lock: lock };
        folder.judge(&differences, accepted)?;
        // What is only written in another way is no change, and the words of the beginning stay.
        let config = if differences.is_empty() { begun } else { config };
        Ok(Opened { folder, config, differences })
    }

    /// Refuses what differs, unless it is accepted and can be.
    fn judge(&self, differences: &[Difference], accepted: bool) -> Result<(), FolderError> {
        let shown = self.path.display();
        let stops = |difference: &&Difference| !accepted || !difference.can_go_on;
        let mut told = differences.iter().filter(stops).map(|one| one.told.clone());
        let mut words: Vec<String> = told.by_ref().take(MOST_TOLD).collect();
        match told.count() {
            _ if words.is_empty() => return Ok(()),
            0 => {}
            more => words.push(format!("{more} more differences")),
        }
        let on = match differences.iter().all(|one| one.can_go_on) {
            true => {
                format!("'evalforge learn --resume {shown} --changed' goes on with it and writes that down, ")
            }
            false => "a run cannot go on with that: ".into(),
        };
        let reason = format!(
            "not as it was begun: {}; {on}'evalforge learn --from {shown}' begins a new run from its model",
            words.join(", ")
        );
        Err(FolderError::wrong(&self.path, reason))
    }

    /// Refuses a checkpoint of something else.
    pub(super) fn knows(&self, path: &Path, checkpoint: &Checkpoint) -> Result<(), FolderError> {
        let Some(identity) = &checkpoint.identity else { return Ok(()) };
        let known = self.manifest.changes.iter().map(|change| &change.before);
        if *identity == self.identity() || known.into_iter().any(|known| known == identity) {
            return Ok(());
        }
        let reason = "it is of another run: its configuration, plan or program is not the one that manifest.json tells of";
        Err(FolderError::wrong(path, reason))
    }

    /// What its checkpoints are of.
    pub fn identity(&self) -> Identity {
        Identity::of(&self.manifest)
    }

    /// Whether there is one, made whole.
    pub fn is_at(path: &Path) -> bool {
        path.join(MANIFEST).symlink_metadata().is_ok_and(|found| found.is_file())
    }

    /// Whether a new run may be made at this path: nothing is there, or what a kill has left of a folder that nobody works in.
    pub fn is_free(path: &Path) -> bool {
        match path.symlink_metadata() {
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(found) => found.is_dir() && is_unborn(path).unwrap_or(false) && Lock::take(path).is_ok(),
        }
    }

    /// The folder of one of so many runs.
    pub fn run(&self, number: usize, runs: usize) -> PathBuf {
        match runs {
            1 => self.path.clone(),
            _ => self.path.join(format!("run-{:02}", number + 1)),
        }
    }
}

impl Opened {
    /// The name of the experiment.
    pub fn name(&self) -> &str {
        &self.folder.manifest.experiment
    }

    /// Goes on with the folder; what was accepted is written down first, and results of before are put aside.
    pub fn go_on(self, plan: &Plan, origin: &Origin) -> Result<ExperimentFolder, FolderError> {
        let Self { mut folder, config, differences } = self;
        if differences.is_empty() {
            return Ok(folder);
        }
        let before = folder.identity();
        folder.set_aside()?;
        let what = differences.into_iter().map(|one| one.told).collect();
        folder.manifest.changes.push(Change { when: origin.now.clone(), what, before });
        folder.manifest.set(plan, &config, origin);
        write(&folder.path.join(CONFIG), &config)?;
        write(&folder.path.join(MANIFEST), &json(&folder.manifest))?;
        Ok(folder)
    }
}

impl ExperimentFolder {
    /// Renames the results, which are of what is no longer.
    fn set_aside(&self) -> Result<(), FolderError> {
        let number = self.manifest.changes.len() + 1;
        let entries = fs::read_dir(&self.path).map_err(|error| FolderError::of(&self.path, &error))?;
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_journal = name.starts_with("score-") && name.ends_with(".jsonl");
            if is_journal || name == "model.json" || name == "scores.json" {
                let aside = self.path.join(format!("before-{number}-{name}"));
                fs::rename(entry.path(), &aside).map_err(|error| FolderError::of(&aside, &error))?;
            }
        }
        Ok(())
    }
}

impl Manifest {
    /// Writes down what is run, and by whom.
    fn set(&mut self, plan: &Plan, config: &str, origin: &Origin) {
        self.version = origin.version.clone();
        self.commit = origin.commit.clone();
        self.source = origin.source.clone();
        self.seed = plan.config.seed;
        self.config = config.to_string();
        self.files = identity::named_files(config);
        self.plan = identity::plan_sum(plan, &self.files);
    }
}

/// Whether a folder holds nothing but what is left of a birth.
fn is_unborn(path: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_name() != LOCK && !is_left_over(&entry.path()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The folder of a stage, by its number from 0, in that of an experiment with stages.
pub(in super::super) fn stage_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("stage-{}", number + 1))
}

/// The same, there and no link.
pub(in super::super) fn make_stage(path: &Path) -> Result<(), FolderError> {
    make_inner(path)
}

/// The folders of the stages in the folder of an experiment, as far as it has come; none if it has no stages.
pub fn stage_folders(folder: &Path) -> Vec<PathBuf> {
    (0..).map(|number| stage_path(folder, number)).take_while(|path| ExperimentFolder::is_at(path)).collect()
}
