//! An experiment: one or more stages, one after another, each of which begins from the model of the one before unless it names
//! its own. A file without `[[stage]]` is an experiment of one stage. All of it is planned, and so checked, before anything
//! starts. A stage that begins from what is not learned yet is planned with a stand-in of the same parameters, and once more
//! when that model is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use measure::journal::JournalError;
use measure::score::RunError;
use play::Games;
use play::evaluator::ModelFile;
use thiserror::Error;

use super::active_learner::ActiveLearner;
use super::config::{Config, ConfigError, table};
use super::folder::experiment::{make_stage, stage_path};
use super::folder::{ExperimentFolder, FolderError, Origin, newest, read, stage_folders, write};
use super::learn::LearnError;
use super::plan::Plan;
use super::record::Manifest;
use super::stage::{Finish, Stage};
use super::stages::split;

/// What can end an experiment before its end.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder is at fault.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A run has failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The scores' file is at fault.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A player cannot play.
    #[error(transparent)]
    Score(#[from] RunError),
}

impl ExperimentError {
    /// Whether it is what was asked for that is wrong, rather than the machine.
    pub fn wrong_input(&self) -> bool {
        match self {
            ExperimentError::Config(_) | ExperimentError::Score(RunError::Player(_)) => true,
            ExperimentError::Folder(error) | ExperimentError::Learn(LearnError::Folder(error)) => {
                error.wrong_input
            }
            ExperimentError::Learn(LearnError::Failure(_)) | ExperimentError::Score(RunError::Failure(_)) => {
                false
            }
            ExperimentError::Learn(_) => true,
            ExperimentError::Journal(error) | ExperimentError::Score(RunError::Journal(error)) => {
                error.wrong_input
            }
        }
    }
}

/// An experiment, planned.
pub struct Experiment {
    /// Its name, or that of its file.
    pub name: String,
    stages: Vec<PlannedStage>,
    /// Whether its file has stages, and its folder one for each.
    staged: bool,
    text: String,
    /// [`Plan::new`] for the list of games that it was made for.
    planner: Planner,
}

type Planner = fn(&str, Config) -> Result<Plan, ConfigError>;

struct PlannedStage {
    plan: Arc<Plan>,
    /// Whether it begins from the model of the stage before.
    follows: bool,
}

impl Experiment {
    /// Reads and plans an experiment; `quick` takes its quick variant, and `set` then changes single keys. Games are those of `L`.
    ///
    /// # Errors
    /// Anything at all is wrong with it.
    pub fn parse<L: Games>(
        name: &str,
        file: &str,
        text: &str,
        quick: bool,
        set: &[(String, String)],
    ) -> Result<Self, ConfigError> {
        let wrong = |reason: String| ConfigError { file: file.to_string(), reason };
        let planner: Planner = Plan::new::<L>;
        let (whole, quick_keys) = table(file, text, quick, set)?;
        if !whole.contains_key("stage") {
            let mut config = Config::of(whole).map_err(wrong)?;
            if !quick {
                config.quick = quick_keys;
            }
            let plan = Arc::new(planner(name, config)?);
            let text = plan.config.text();
            let stages = vec![PlannedStage { plan, follows: false }];
            return Ok(Self { name: name.into(), stages, staged: false, text, planner });
        }
        if whole.contains_key("run") {
            return Err(wrong(
                "run: stages begin from the result of all runs, so that none is made alone".into(),
            ));
        }
        let mut stages: Vec<PlannedStage> = Vec::new();
        for (number, (stage, own_start)) in split(&whole).map_err(wrong)?.into_iter().enumerate() {
            let said = |reason: String| wrong(format!("stage.{number}: {reason}"));
            let mut config = Config::of(stage).map_err(said)?;
            let before = stages.last().filter(|_| !own_start);
            if let Some(PlannedStage { plan, .. }) = before {
                config.model.start =
                    Some(plan.base().model(&vec![1.0; plan.parameters.len()], String::new()).line());
            }
            let follows = before.is_some();
            let plan = planner(name, config).map_err(|error| said(error.reason))?;
            stages.push(PlannedStage { plan: Arc::new(plan), follows });
        }
        let text = toml::to_string(&whole).expect("what was read can be written");
        Ok(Self { name: name.into(), stages, staged: true, text, planner })
    }

    /// What the stages are; the start of one that begins from the model of another is not known yet.
    pub fn configs(&self) -> impl Iterator<Item = &Config> {
        self.stages.iter().map(|stage| &stage.plan.config)
    }

    /// The plan of a stage, by its number from 0.
    pub fn plan(&self, stage: usize) -> &Plan {
        &self.stages[stage].plan
    }

    /// The other programs that its file has started or called, each once.
    pub fn programs(&self) -> BTreeSet<String> {
        self.stages.iter().flat_map(|stage| stage.plan.programs()).collect()
    }

    /// Makes the folder of a new experiment; nothing that is there is overwritten.
    ///
    /// # Errors
    /// There is something in the folder already, or it cannot be written.
    pub fn begin(self, folder: &Path, origin: Origin) -> Result<ExperimentRun, ExperimentError> {
        let place = ExperimentFolder::create(folder, &self.stages[0].plan, &self.text, &origin)?;
        Ok(ExperimentRun { experiment: self, place: Arc::new(place), origin, accepted: false })
    }

    /// Opens the folder of an experiment that was begun. What differs from what it was begun with, in its configuration or its program, is
    /// refused unless it is `accepted`. Games are those of `L`.
    ///
    /// # Errors
    /// It is none, or something differs, or another process is at work in it.
    pub fn resume<L: Games>(
        folder: &Path,
        origin: Origin,
        accepted: bool,
    ) -> Result<ExperimentRun, ExperimentError> {
        let opened = ExperimentFolder::open(folder, None, &origin, accepted)?;
        let file = folder.join("config.toml").display().to_string();
        let experiment = Self::parse::<L>(opened.name(), &file, &opened.config, false, &[])?;
        let place = opened.go_on(&experiment.stages[0].plan, &origin)?;
        Ok(ExperimentRun { experiment, place: Arc::new(place), origin, accepted })
    }

    /// The key and the value that let the experiment of a text begin from what a folder has learned so far.
    ///
    /// # Errors
    /// There is no such folder, or it has learned nothing yet, or several things.
    pub fn start_from<L: Games>(folder: &Path, text: &str) -> Result<(String, String), ExperimentError> {
        let staged = text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("stage"));
        let key = if staged { "stage.0.model.start" } else { "model.start" };
        Ok((key.into(), toml::Value::String(Self::model_in::<L>(folder)?).to_string()))
    }

    /// What a folder has learned so far, as the text of a model: its result, or else where its last run stands.
    fn model_in<L: Games>(folder: &Path) -> Result<String, ExperimentError> {
        let stages = stage_folders(folder);
        for place in [folder].into_iter().chain(stages.iter().rev().map(PathBuf::as_path)) {
            let path = place.join("model.json");
            if path.symlink_metadata().is_ok() {
                return Ok(model_line(&path)?);
            }
            let Some(saved) = newest(place) else { continue };
            let manifest = place.join("manifest.json");
            let manifest: Manifest = serde_json::from_str(&read(&manifest)?)
                .map_err(|error| FolderError::wrong(&manifest, format!("no manifest of a run: {error}")))?;
            let file = place.join("config.toml");
            let text = if manifest.config.is_empty() { read(&file)? } else { manifest.config };
            let experiment = Self::parse::<L>("it", &file.display().to_string(), &text, false, &[])?;
            let plan = experiment.plan(0);
            let active = ActiveLearner::load(plan, &saved.learner)
                .map_err(|reason| LearnError::Learner { folder: place.display().to_string(), reason })?;
            return Ok(plan.base().model(&active.centre(), String::new()).line());
        }
        let reason =
            "nothing was learned here yet: there is no model.json, and no checkpoint of a single run";
        Err(FolderError::wrong(folder, reason).into())
    }
}

/// The model of a file as text that stands for itself.
fn model_line(path: &Path) -> Result<String, FolderError> {
    let mut model =
        ModelFile::parse("", &read(path)?).map_err(|error| FolderError::wrong(path, error.to_string()))?;
    model.about.clear();
    Ok(model.line())
}

/// An experiment in its folder, held by this process.
pub struct ExperimentRun {
    experiment: Experiment,
    place: Arc<ExperimentFolder>,
    origin: Origin,
    /// Whether what differs is gone on with.
    accepted: bool,
}

impl ExperimentRun {
    /// What is run.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.place.path
    }

    /// Runs the stages that are not over by `work`, the last one always, for what there is to be told of it; ends early with one
    /// that was broken off. The model and the scores of the last stage are those of the experiment.
    ///
    /// # Errors
    /// `work` has failed, or a folder is at fault.
    pub fn run<E: From<ExperimentError>>(
        &self,
        mut work: impl FnMut(&Stage) -> Result<Finish, E>,
    ) -> Result<(Stage, Finish), E> {
        let last = self.experiment.stages.len() - 1;
        for number in (0..last).filter(|&number| !self.is_over(number)) {
            let stage = self.stage(number)?;
            let finish = work(&stage)?;
            if !finish.whole {
                return Ok((stage, finish));
            }
        }
        let stage = self.stage(last)?;
        let finish = work(&stage)?;
        for name in ["scores.json", "model.json"].iter().filter(|_| finish.whole && self.experiment.staged) {
            let path = stage.place.path.join(name);
            if path.is_file() {
                let text = read(&path).map_err(ExperimentError::from)?;
                write(&self.place.path.join(name), &text).map_err(ExperimentError::from)?;
            }
        }
        Ok((stage, finish))
    }

    fn stage_folder(&self, number: usize) -> PathBuf {
        if self.experiment.staged { stage_path(&self.place.path, number) } else { self.place.path.clone() }
    }

    fn is_over(&self, number: usize) -> bool {
        let folder = self.stage_folder(number);
        if folder.is_symlink() {
            return false;
        }
        let has_scores = !self.experiment.stages[number].plan.config.score.is_empty();
        folder.join("model.json").is_file() && (!has_scores || folder.join("scores.json").is_file())
    }

    /// A stage, begun or to be gone on with; those before it are over.
    fn stage(&self, number: usize) -> Result<Stage, ExperimentError> {
        let Experiment { name, stages, staged, planner, .. } = &self.experiment;
        let PlannedStage { plan, follows } = &stages[number];
        if !staged {
            return Ok(Stage { plan: Arc::clone(plan), place: Arc::clone(&self.place) });
        }
        let folder = self.stage_folder(number);
        let mut config = plan.config.clone();
        if *follows {
            config.model.start = Some(model_line(&self.stage_folder(number - 1).join("model.json"))?);
        }
        let plan = Arc::new(planner(&format!("{name}, stage {}", number + 1), config)?);
        make_stage(&folder)?;
        let text = plan.config.text();
        let place = match ExperimentFolder::is_at(&folder) {
            true => {
                let opened = ExperimentFolder::open(&folder, Some(text), &self.origin, self.accepted)?;
                opened.go_on(&plan, &self.origin)?
            }
            false => ExperimentFolder::create(&folder, &plan, &text, &self.origin)?,
        };
        Ok(Stage { plan, place: Arc::new(place) })
    }
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

    fn parse(text: &str, quick: bool, set: &[(&str, &str)]) -> Result<Experiment, String> {
        let set: Vec<(String, String)> =
            set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        Experiment::parse::<games::Listed>("it", "it.toml", text, quick, &set)
            .map_err(|error| error.to_string())
    }

    fn follows(experiment: &Experiment) -> Vec<bool> {
        experiment.stages.iter().map(|stage| stage.follows).collect()
    }

    #[test]
    fn a_stage_is_an_experiment() {
        let experiment = parse(TEXT, false, &[("stage.0.learner.sigma", "0.3")]).unwrap();
        let configs = |experiment: &Experiment| experiment.configs().cloned().collect::<Vec<_>>();
        let [first, second] = &configs(&experiment)[..] else { panic!("two stages") };
        assert_eq!((first.seed, first.generations, second.generations), (7, 2, 5));
        assert!(second.seed != 7 && second.seed < 1 << 63);
        assert_eq!(first.learner["sigma"].as_float(), Some(0.3));
        assert!(second.learner.get("sigma").is_none(), "settings of another learner");
        assert_eq!(second.task["width"].as_integer(), Some(6));
        assert_eq!(second.task["height"].as_integer(), Some(7));
        assert_eq!((first.score.len(), second.score.len(), second.fitness.count()), (0, 1, 3));
        assert_eq!(first.model.start.as_deref(), Some("dt-20"));
        assert_eq!(follows(&experiment), [false, true]);
        assert_eq!(configs(&parse(TEXT, true, &[]).unwrap())[1].generations, 1);
        // What is written is the same experiment.
        let again = parse(&experiment.text, false, &[]).unwrap();
        assert_eq!((configs(&again), &again.text), (configs(&experiment), &experiment.text));
    }

    #[test]
    fn a_stage_may_begin_elsewhere() {
        let experiment = parse(TEXT, false, &[("stage.1.model.start", "\"dt-10\"")]).unwrap();
        assert_eq!(follows(&experiment), [false, false]);
        let second = experiment.configs().last().unwrap();
        assert_eq!(second.model.start.as_deref(), Some("dt-10"));
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
