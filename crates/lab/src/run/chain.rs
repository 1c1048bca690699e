//! Stages: an experiment of several parts, one after another, each of which begins from the model of the one before. A stage is
//! what an experiment is, in a folder of its own; the folder around them holds the file, and the model in the end.

use std::fs;
use std::path::{Path, PathBuf};

use games::Dice;
use toml::{Table, Value};

use super::config::{Config, ConfigError, table};
use super::experiment::{Experiment, ExperimentError, Origin, begin_folder, manifest_of, read, write};
use super::folder::{FolderError, Lock};
use super::plan::Plan;
use crate::evaluator::ModelFile;

/// Keeps the seeds of stages apart from all other streams of the same seed.
const STREAM: u64 = 0x7374_6167;

/// An experiment's file, checked, whether it has stages or not.
pub struct Chain {
    /// The name of the experiment or its file.
    pub name: String,
    /// What each stage is, as far as it is known before those before it are over.
    pub stages: Vec<Config>,
    /// Whether the file has stages at all.
    staged: bool,
    text: String,
}

/// A chain in its folder, held by this process.
pub struct Work {
    /// What is to be done.
    pub chain: Chain,
    /// Where.
    pub folder: PathBuf,
    _lock: Option<Lock>,
}

impl Chain {
    /// Reads and checks an experiment; `quick` takes its quick variant, and `set` then changes single keys.
    ///
    /// # Errors
    /// Anything at all is wrong with it.
    pub fn parse(
        name: &str,
        file: &str,
        text: &str,
        quick: bool,
        set: &[(String, String)],
    ) -> Result<Self, ConfigError> {
        let wrong = |reason: String| ConfigError { file: file.to_string(), reason };
        let (whole, quick_keys) = table(file, text, quick, set)?;
        let staged = whole.contains_key("stage");
        if !staged {
            let mut config = Config::of(whole).map_err(wrong)?;
            if !quick {
                config.quick = quick_keys;
            }
            let text = config.text();
            Plan::new(name, config.clone())?;
            return Ok(Self { name: name.into(), stages: vec![config], staged, text });
        }
        let mut stages: Vec<Config> = Vec::new();
        let mut before: Option<Plan> = None;
        for (number, mut stage) in split(&whole).map_err(wrong)?.into_iter().enumerate() {
            let said = |reason: String| wrong(format!("stage.{number}: {reason}"));
            if let Some(before) = &before {
                begin_from(&mut stage, &stand_in(before));
            }
            let config = Config::of(stage).map_err(said)?;
            before = Some(Plan::new(name, config.clone()).map_err(|error| said(error.reason))?);
            stages.push(config);
        }
        let text = toml::to_string(&whole).expect("what was read can be written");
        Ok(Self { name: name.into(), stages, staged, text })
    }

    /// What it is, in one line.
    pub fn about(&self) -> &str {
        &self.stages[0].about
    }

    /// Makes the folder of a new experiment; nothing that is there is overwritten.
    ///
    /// # Errors
    /// There is something in the folder already, or it cannot be written.
    pub fn create(self, folder: &Path, origin: &Origin) -> Result<Work, ExperimentError> {
        let mut lock = None;
        if self.staged {
            let plan = Plan::new(&self.name, self.stages[0].clone())?;
            lock = Some(begin_folder(folder, &plan, &self.text, origin)?.1);
        }
        Ok(Work { chain: self, folder: folder.to_path_buf(), _lock: lock })
    }

    /// Opens the folder of an experiment that was begun.
    ///
    /// # Errors
    /// It is none, or of another version, or another process is at work in it.
    pub fn open(folder: &Path, origin: &Origin) -> Result<Work, ExperimentError> {
        let manifest = manifest_of(folder, origin)?;
        let path = folder.join("config.toml");
        let text = read(&path)?;
        let file = path.display().to_string();
        let chain = Self::parse(&manifest.experiment, &file, &text, false, &[])?;
        let lock = if chain.staged { Some(Lock::take(folder)?) } else { None };
        Ok(Work { chain, folder: folder.to_path_buf(), _lock: lock })
    }
}

impl Work {
    /// How many stages there are.
    pub fn stages(&self) -> usize {
        self.chain.stages.len()
    }

    /// The folder of a stage.
    pub fn stage_folder(&self, number: usize) -> PathBuf {
        match self.chain.staged {
            true => self.folder.join(format!("stage-{}", number + 1)),
            false => self.folder.clone(),
        }
    }

    /// Whether a stage of several is over.
    pub fn is_over(&self, number: usize) -> bool {
        let folder = self.stage_folder(number);
        let scored = self.chain.stages[number].score.is_empty() || folder.join("scores.json").is_file();
        self.chain.staged && scored && folder.join("model.json").is_file()
    }

    /// A stage, begun or to be gone on with; those before it must be over.
    ///
    /// # Errors
    /// A folder is at fault.
    pub fn stage(&self, number: usize, origin: &Origin) -> Result<Experiment, ExperimentError> {
        let folder = self.stage_folder(number);
        // The manifest is the last that is written.
        if folder.join("manifest.json").is_file() {
            return Experiment::open(&folder, origin);
        }
        let mut config = self.chain.stages[number].clone();
        let mut name = self.chain.name.clone();
        if self.chain.staged {
            name = format!("{name}, stage {}", number + 1);
            if folder.exists() {
                // It was ended while it was being made.
                fs::remove_dir_all(&folder).map_err(|error| FolderError::disk(&folder, &error))?;
            }
        }
        if number > 0 {
            let path = self.stage_folder(number - 1).join("model.json");
            let mut model = ModelFile::parse("", &read(&path)?)
                .map_err(|error| FolderError::wrong(&path, error.to_string()))?;
            model.about.clear();
            config.model.start = Some(model.line());
        }
        Experiment::create(Plan::new(&name, config)?, &folder, origin)
    }

    /// When all stages are over: the model of the last one, and its scores, are those of the experiment.
    ///
    /// # Errors
    /// The disk is full, or worse.
    pub fn finish(&self) -> Result<(), ExperimentError> {
        let last = self.stage_folder(self.stages() - 1);
        for name in ["scores.json", "model.json"].iter().filter(|_| self.chain.staged) {
            let path = last.join(name);
            if path.is_file() {
                write(&self.folder.join(name), &read(&path)?)?;
            }
        }
        Ok(())
    }
}

/// The folders of the stages in the folder of an experiment, as far as it has come; none if it has no stages.
pub fn stage_folders(folder: &Path) -> Vec<PathBuf> {
    let paths = (1..).map(|number| folder.join(format!("stage-{number}")));
    paths.take_while(|path| path.join("manifest.json").is_file()).collect()
}

/// The stages as experiments of their own: what stands outside of them holds for all, but scores are played by the last one.
fn split(whole: &Table) -> Result<Vec<Table>, String> {
    let mut common = whole.clone();
    let stages = match common.remove("stage") {
        Some(Value::Array(stages)) if !stages.is_empty() => stages,
        _ => return Err("stage: must be [[stage]], once or more".into()),
    };
    let last = stages.len() - 1;
    let one = |(number, stage): (usize, Value)| {
        let Value::Table(stage) = stage else { return Err(format!("stage.{number}: must be a table")) };
        if number > 0 && stage.get("model").is_some_and(|model| model.get("start").is_some()) {
            return Err(format!("stage.{number}: model.start: it begins from the model of the stage before"));
        }
        let mut table = common.clone();
        if number < last {
            table.remove("score");
        }
        if number > 0 {
            let seed = common.get("seed").and_then(Value::as_integer).unwrap_or(1);
            let seed = Dice::seeded(&[seed as u64, number as u64, STREAM]).bits() >> 1;
            table.insert("seed".into(), Value::Integer(seed as i64));
        }
        merge(&mut table, stage);
        Ok(table)
    };
    stages.into_iter().enumerate().map(one).collect()
}

/// Puts the keys of a stage over those outside of it, table by table; a learner has settings of its own.
fn merge(table: &mut Table, stage: Table) {
    for (key, value) in stage {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(more)) if key != "learner" => merge(inner, more),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

fn begin_from(stage: &mut Table, model: &str) {
    let model_table = stage.entry("model").or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(table) = model_table {
        table.insert("start".into(), Value::String(model.to_string()));
    }
}

/// A model of the same parameters as a stage will leave behind, by which the next one can be checked before it is known.
fn stand_in(plan: &Plan) -> String {
    let task = plan.stages[0].1.build().expect("checked");
    task.model(&vec![1.0; plan.parameters.len()], String::new()).line()
}
