//! Stages: an experiment of several parts, one after another, each of which begins from the model of the one before. A stage is
//! what an experiment is, in a folder of its own; the folder around them holds the file, and the model in the end. The
//! model that a stage begins from is written into its configuration. All stages are checked before the first begins, against a model with
//! the same parameters as the one to come.

use std::fs;
use std::path::{Path, PathBuf};

use games::Dice;
use play::evaluator::ModelFile;
use toml::{Table, Value};

use super::config::{Config, ConfigError, table};
use super::experiment::{
    Experiment, ExperimentError, Origin, begin_folder, manifest_of, must_be_empty, read, write,
};
use super::folder::{FolderError, Lock};
use super::plan::Plan;

/// Keeps the seeds of stages apart from all other streams of the same seed.
const STREAM: u64 = 0x7374_6167;

/// An experiment's file, checked, whether it has stages or not.
pub struct Chain {
    /// The name of the experiment or its file.
    pub name: String,
    /// What each stage is, as far as it is known before those before it are over.
    pub stages: Vec<Config>,
    /// Whether each begins from the model of the one before.
    follows: Vec<bool>,
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
            return Ok(Self { name: name.into(), stages: vec![config], follows: vec![false], staged, text });
        }
        let (mut stages, mut follows): (Vec<Config>, _) = (Vec::new(), Vec::new());
        let mut before: Option<Plan> = None;
        for (number, (stage, own_start)) in split(&whole).map_err(wrong)?.into_iter().enumerate() {
            let said = |reason: String| wrong(format!("stage.{number}: {reason}"));
            let mut config = Config::of(stage).map_err(said)?;
            follows.push(before.is_some() && !own_start);
            if let Some(before) = before.filter(|_| !own_start) {
                config.model.start = Some(stand_in(&before));
            }
            before = Some(Plan::new(name, config.clone()).map_err(|error| said(error.reason))?);
            stages.push(config);
        }
        let text = toml::to_string(&whole).expect("what was read can be written");
        Ok(Self { name: name.into(), stages, follows, staged, text })
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
        must_be_empty(folder)?;
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
        if self.chain.follows[number] {
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

/// The stages as experiments of their own, and whether each names the model that it begins from. What stands outside of them holds
/// for all, but scores are played by the last one.
fn split(whole: &Table) -> Result<Vec<(Table, bool)>, String> {
    let mut common = whole.clone();
    let stages = match common.remove("stage") {
        Some(Value::Array(stages)) if !stages.is_empty() => stages,
        _ => return Err("stage: must be [[stage]], once or more".into()),
    };
    let last = stages.len() - 1;
    let one = |(number, stage): (usize, Value)| {
        let Value::Table(stage) = stage else { return Err(format!("stage.{number}: must be a table")) };
        let own_start = stage.get("model").is_some_and(|model| model.get("start").is_some());
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
        Ok((table, own_start))
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

/// A model of the same parameters as a stage will leave behind, by which the next one can be checked before it is known.
fn stand_in(plan: &Plan) -> String {
    let task = plan.stages[0].1.build().expect("checked");
    task.model(&vec![1.0; plan.parameters.len()], String::new()).line()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
seed = 7
generations = 2
[task]
name = "tetris"
width = 6
height = 8
[model]
features = "dt"
start = "dt-20"
[fitness]
games = 3
[[stage]]
[stage.learner]
name = "cma-es"
sigma = 0.1
[[stage]]
generations = 5
[stage.task]
height = 7
[stage.model]
features = "dt,surface-pairs"
tune = ["holes", "*-transitions"]
[stage.learner]
name = "noisy-ce"
[[score]]
games = 4
[quick]
"stage.1.generations" = 1
"#;

    fn parse(text: &str, quick: bool, set: &[(&str, &str)]) -> Result<Chain, String> {
        let set: Vec<(String, String)> =
            set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        Chain::parse("it", "it.toml", text, quick, &set).map_err(|error| error.to_string())
    }

    #[test]
    fn a_stage_is_an_experiment() {
        let chain = parse(TEXT, false, &[("stage.0.learner.sigma", "0.3")]).unwrap();
        let [first, second] = &chain.stages[..] else { panic!("two stages") };
        assert_eq!((first.seed, first.generations, second.generations), (7, 2, 5));
        assert!(second.seed != 7 && second.seed < 1 << 63);
        assert_eq!(first.learner["sigma"].as_float(), Some(0.3));
        assert!(second.learner.get("sigma").is_none(), "settings of another learner");
        assert_eq!(second.task["width"].as_integer(), Some(6));
        assert_eq!(second.task["height"].as_integer(), Some(7));
        assert_eq!((first.score.len(), second.score.len(), second.fitness.games), (0, 1, 3));
        assert_eq!(first.model.start.as_deref(), Some("dt-20"));
        assert_eq!(chain.follows, [false, true]);
        assert_eq!(parse(TEXT, true, &[]).unwrap().stages[1].generations, 1);
        // What is written is the same experiment.
        let again = parse(&chain.text, false, &[]).unwrap();
        assert_eq!((again.stages, &again.text), (chain.stages, &chain.text));
    }

    #[test]
    fn a_stage_may_begin_elsewhere() {
        let chain = parse(TEXT, false, &[("stage.1.model.start", "\"dt-10\"")]).unwrap();
        assert_eq!(chain.follows, [false, false]);
        assert_eq!(chain.stages[1].model.start.as_deref(), Some("dt-10"));
    }

    #[test]
    fn faults_name_the_stage() {
        for (key, value, said) in [
            ("stage.1.generatons", "3", "it.toml: stage.1: unknown field `generatons`"),
            ("stage.1.learner.name", "cma", "stage.1: unknown learner 'cma'"),
            ("stage.1.learner.elite", "7", "stage.1: learner: elite = 7"),
            ("stage.0.learner.elite", "7", "stage.0: learner: unknown field `elite`"),
            ("stage.2.generations", "3", "there is no stage 2"),
            ("stage.0.model.tune", "[\"hole\"]", "stage.0: model: tune = \"hole\": no weight"),
            ("stage.1.model.features", "dellacherie", "stage.1: model.start = {...}: its parameters"),
            ("stage", "3", "stage: must be [[stage]]"),
            ("stage", "[1]", "stage.0: must be a table"),
        ] {
            let error = parse(TEXT, false, &[(key, value)]).err().unwrap();
            assert!(error.contains(said), "{key}: {error}");
        }
    }
}
