//! A configuration that has been checked completely: nothing later fails because of it.

use std::collections::BTreeMap;

use games::Rules as _;
use games::tetris::TetrisRules;
use learn::learners::{LEARNERS, Learner, LearnerEntry, SettingError, Space, learner};
use learn::racing::Racing;
use measure::score::Setup;
use play::names::UnknownName;
use serde_json::Value;

use super::config::{Config, ConfigError, FitnessConfig, Options, options, suggest};
use crate::selfplay::{METHODS, Method};
use crate::tasks::{TaskText, Tuning};

/// What is made of the runs in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deploy {
    /// The centre of the one run.
    Mean,
    /// The average of the centres of all runs, each of unit length (Boumaza 2013, section 4.3).
    Average,
    /// The best of the centres and of the best vectors of all runs, on fresh games.
    Finalists,
}

/// The most parameters that are followed through a run.
const MOST_LOGGED: usize = 1000;

/// Who learns, and how.
pub enum Teacher {
    /// One that asks for vectors and is told their fitness.
    Vectors(Asking),
    /// One that plays against itself, and where it begins.
    SelfPlay(Box<Method>, Option<Vec<f64>>),
}

impl Teacher {
    /// Its name in the list.
    pub fn name(&self) -> &'static str {
        match self {
            Teacher::Vectors(asking) => asking.entry.entry.name,
            Teacher::SelfPlay(method, _) => method.entry.name,
        }
    }
}

/// A learner that asks for vectors, checked.
pub struct Asking {
    /// Its line in the list.
    pub entry: &'static LearnerEntry,
    settings: Value,
    space: Space,
}

impl Asking {
    /// A new one.
    pub fn begin(&self, seed: u64) -> Box<dyn Learner> {
        (self.entry.build)(&self.settings, &self.space, seed).expect("checked")
    }
}

/// An experiment ready to run.
pub struct Plan {
    /// The name of the experiment or its file.
    pub name: String,
    /// As configured.
    pub config: Config,
    /// The task in every stage: from which generation on, and what.
    pub stages: Vec<(u64, TaskText)>,
    /// The task that curves are measured in.
    pub curve: TaskText,
    /// The task that finalists play.
    pub finals: TaskText,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// What is counted.
    pub unit: &'static str,
    /// What final scores are counted in.
    pub score_unit: &'static str,
    /// Who learns.
    pub learner: Teacher,
    /// The races, if there are any.
    pub racing: Option<Racing>,
    /// What is made of the runs.
    pub deploy: Deploy,
    /// The rules of each final score.
    pub scores: Vec<TetrisRules>,
}

impl Plan {
    /// Checks a configuration.
    ///
    /// # Errors
    /// Anything at all is wrong with it.
    pub fn new(name: &str, config: Config) -> Result<Self, ConfigError> {
        let file = name.to_string();
        Self::check(name, config).map_err(|reason| ConfigError { file, reason })
    }

    fn check(name: &str, config: Config) -> Result<Self, String> {
        within("runs", config.runs, 1, 1000)?;
        within("generations", config.generations, 1, 10_000_000)?;
        within("fitness.games", config.fitness.games, 1, 1_000_000)?;
        within("deploy.finalists", config.deploy.finalists, 1, 1000)?;
        within("deploy.games", config.deploy.games, 1, 1_000_000)?;
        let (task_name, rules) = config.task()?;
        let model = &config.model;
        let base = TaskText {
            name: task_name,
            rules,
            features: model.features.clone(),
            form: model.form.clone(),
            search: model.search.clone(),
            opponents: config.fitness.against.clone(),
            openings: config.fitness.openings,
            margin: match config.fitness.by.as_str() {
                "wins" => false,
                "margin" => true,
                other => return Err(format!("fitness: by = {other}: must be wins or margin")),
            },
            tuning: tuning(&config)?,
            splitting: config.fitness.splitting,
        };
        let task = base.build()?;
        let (learner_name, settings) = config.learner()?;
        let method = Method::new(&learner_name, &base, &settings).transpose()?;
        match &method {
            Some(method) => plays_itself(&config, method, base.for_two())?,
            None => {
                known(&learner_name)?;
                opponents(&config, &base)?;
            }
        }
        let parameters = task.parameters();
        // Under other rules it must stay the same function.
        let same = |key: &str, rules: &toml::Table| -> Result<TaskText, String> {
            let text = base.with(&options(rules).map_err(|reason| format!("{key}: {reason}"))?);
            let other = text.build().map_err(|reason| format!("{key}: {reason}"))?;
            match other.parameters() == parameters {
                true => Ok(text),
                false => Err(format!("{key}: the function has other parameters under these rules")),
            }
        };
        let mut stages = vec![(1, base.clone())];
        for stage in &config.schedule {
            let before = stages.last().expect("there is a first").0;
            if stage.from <= before {
                return Err(format!("schedule: from = {}: must be above {before}", stage.from));
            }
            stages.push((stage.from, same("schedule", &stage.rules)?));
        }
        let curve = match &config.curve {
            Some(curve) => {
                within("curve.games", curve.games, 1, 1_000_000)?;
                within("curve.every", curve.every, 1, u64::MAX)?;
                if !base.for_two() && !curve.against.is_empty() {
                    return Err(format!("curve: against: {} has no opponents", base.name));
                }
                let mut text = same("curve", &curve.rules)?;
                if !curve.against.is_empty() {
                    text.opponents.clone_from(&curve.against);
                }
                text.search = curve.search.clone().unwrap_or(text.search);
                text.build().map_err(|reason| format!("curve: {reason}"))?;
                text
            }
            None => base.clone(),
        };
        let finals = same("deploy", &config.deploy.rules)?;

        let start = model.start.as_ref().map(|start| task.start(start)).transpose()?;
        let bounds =
            model.bounds.map(|[low, high]| match low < high && low.is_finite() && high.is_finite() {
                true => Ok(vec![(low, high); parameters.len()]),
                false => {
                    Err(format!("model: bounds = [{low}, {high}]: must be two numbers, the lower one first"))
                }
            });
        let bounds = bounds.transpose()?;
        let learner = match method {
            Some(_) if base.tuning.is_some() => {
                return Err(format!("model: tune and shift: {learner_name} learns the function itself"));
            }
            Some(_) if bounds.is_some() => return Err(format!("model: bounds: {learner_name} knows none")),
            Some(method) => Teacher::SelfPlay(Box::new(method), start),
            None => {
                let space = Space { dimension: parameters.len(), start, bounds, bits: task.bits() };
                Teacher::Vectors(asking(&learner_name, &settings, space)?)
            }
        };
        let racing = match &config.fitness.racing {
            Some(table) => {
                if settings.get("uncertainty").is_some_and(|value| *value == Value::Bool(true)) {
                    return Err("fitness: racing and the learner's uncertainty exclude each other".into());
                }
                let value = serde_json::to_value(table).map_err(|error| error.to_string())?;
                Some(Racing::new(&value).map_err(|error| setting("fitness.racing", &error))?)
            }
            None => None,
        };
        let deploy = match (config.deploy.choose.as_deref(), config.runs) {
            (None | Some("mean"), 1) => Deploy::Mean,
            (None | Some("average"), runs)
                if runs > 1 && (matches!(learner, Teacher::Vectors(_)) || model.form == "linear") =>
            {
                Deploy::Average
            }
            (Some("finalists"), _) => Deploy::Finalists,
            (Some(other), 1) => {
                return Err(format!("deploy: choose = {other}: with one run, must be mean or finalists"));
            }
            (_, runs) if matches!(learner, Teacher::SelfPlay(..)) => {
                return Err(format!(
                    "deploy: choose: with {runs} runs of {learner_name}, must be finalists: the average of networks is none"
                ));
            }
            (other, runs) => {
                let other = other.unwrap_or_default();
                return Err(format!(
                    "deploy: choose = {other}: with {runs} runs, must be average or finalists"
                ));
            }
        };
        let scores = scores(&config, &base)?;
        let unit = task.unit();
        // They are those of whole games.
        let score_unit = TaskText { splitting: None, ..base.clone() }.build()?.unit();
        let name = name.to_string();
        Ok(Self {
            name,
            config,
            stages,
            curve,
            finals,
            parameters,
            unit,
            score_unit,
            learner,
            racing,
            deploy,
            scores,
        })
    }

    /// The seed of what a run's learner leaves to chance.
    pub fn learner_seed(&self, run: usize) -> u64 {
        games::Dice::seeded(&[self.config.seed, run as u64, 0x6c65_6172]).bits()
    }

    /// Whether the parameters are few enough to be named and written down in every generation.
    pub fn is_logged(&self) -> bool {
        self.parameters.len() <= MOST_LOGGED
    }

    /// The task of a generation.
    pub fn task(&self, generation: u64) -> &TaskText {
        let begun = self.stages.iter().rev().find(|(from, _)| *from <= generation);
        &begun.expect("the first stage begins with the first generation").1
    }
}

/// What is learned of the model that a run begins from, where that is not all of it.
fn tuning(config: &Config) -> Result<Option<Tuning>, String> {
    let model = &config.model;
    let (factors, shifts) = (model.tune.clone(), model.shift.clone());
    match &model.start {
        _ if factors.is_empty() && shifts.is_empty() => Ok(None),
        Some(start) => Ok(Some(Tuning { factors, shifts, model: start.clone() })),
        None => Err("model: tune and shift: start is missing: of which model".into()),
    }
}

/// The line of a learner that asks for vectors.
fn known(name: &str) -> Result<&'static LearnerEntry, String> {
    learner(name).ok_or_else(|| {
        let names = LEARNERS.iter().map(|learner| learner.entry.name);
        UnknownName::new("learner", name, names.chain(METHODS.iter().map(|method| method.name))).to_string()
    })
}

/// A learner of the list for these vectors.
fn asking(name: &str, settings: &Value, space: Space) -> Result<Asking, String> {
    let entry = known(name)?;
    (entry.build)(settings, &space, 0).map_err(|error| setting("learner", &error))?;
    Ok(Asking { entry, settings: settings.clone(), space })
}

/// Whether nothing is asked for that a function which plays itself does not have.
fn plays_itself(config: &Config, method: &Method, for_two: bool) -> Result<(), String> {
    let name = method.entry.name;
    // Splitting is how the curve is measured.
    let FitnessConfig { openings, splitting, .. } = config.fitness;
    if config.fitness != (FitnessConfig { openings, splitting, ..FitnessConfig::default() }) {
        return Err(format!(
            "fitness: {name} plays itself: only openings and splitting may be given; learner.games says how many games, \
             curve.against who is met to measure it"
        ));
    }
    if !config.schedule.is_empty() {
        return Err(format!("schedule: {name} learns under one set of rules"));
    }
    match &config.curve {
        Some(curve) if curve.against.is_empty() && for_two => {
            Err(format!("curve: against is missing: {name} plays itself, and somebody must measure it"))
        }
        _ => Ok(()),
    }
}

/// Whether somebody is met in a game for two, and nobody elsewhere.
fn opponents(config: &Config, base: &TaskText) -> Result<(), String> {
    let fitness = &config.fitness;
    let some = !fitness.against.is_empty() || fitness.population || fitness.environment.is_some();
    match (base.for_two(), some) {
        (true, false) => {
            return Err("fitness: nobody is met; give against, population = true or environment".into());
        }
        (false, true) => return Err(format!("fitness: {} has no opponents", base.name)),
        _ => {}
    }
    if let Some(environment) = &fitness.environment {
        within("fitness.environment.size", environment.size, 1, 1000)?;
        within("fitness.environment.renew", environment.renew, 1, u64::MAX)?;
        if fitness.against.is_empty() && !fitness.population {
            return Err("fitness: an environment is empty at first; give against or population too".into());
        }
    }
    let has_curve = config.curve.as_ref().is_some_and(|curve| curve.against.is_empty());
    if has_curve && base.for_two() && fitness.against.is_empty() {
        return Err("curve: against is missing, and fitness.against is empty: nobody is met".into());
    }
    Ok(())
}

/// The rules of the final scores, and whether everybody can play under them.
fn scores(config: &Config, base: &TaskText) -> Result<Vec<TetrisRules>, String> {
    let mut all = Vec::new();
    for score in &config.score {
        if base.for_two() {
            within("score.games", score.games, 2, 100_000_000)?;
            if score.against.is_empty() {
                return Err("score: against is missing: who is to be met".into());
            }
            let given = options(&score.rules).map_err(|reason| format!("score: {reason}"))?;
            let mut text = TaskText { rules: given, opponents: score.against.clone(), ..base.clone() };
            text.search = score.search.clone().unwrap_or(text.search);
            text.build().map_err(|reason| format!("score: {reason}"))?;
            continue;
        }
        if base.name != "tetris" {
            return Err(format!("score: the task {} has no players to be scored", base.name));
        }
        within("score.games", score.games, 1, 100_000_000)?;
        let given: Options = options(&score.rules).map_err(|reason| format!("score: {reason}"))?;
        let pairs = given.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let rules = TetrisRules::from_pairs(pairs).map_err(|error| format!("score: {error}"))?;
        let mut text = TaskText { rules: BTreeMap::from_iter(given.clone()), ..base.clone() };
        text.search = score.search.clone().unwrap_or(text.search);
        text.build().map_err(|reason| format!("score: {reason}"))?;
        let players = score.against.clone();
        let setup = Setup { rules: rules.clone(), players, games: score.games, seed: 0 };
        setup.check().map_err(|error| format!("score: against: {error}"))?;
        all.push(rules);
    }
    Ok(all)
}

fn setting(table: &str, error: &SettingError) -> String {
    format!("{table}: {}", suggest(&error.to_string()))
}

fn within<N: PartialOrd + std::fmt::Display + Copy>(
    key: &str,
    value: N,
    low: N,
    high: N,
) -> Result<(), String> {
    match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(format!("{key} = {value}: must be from {low} to {high}")),
    }
}
