//! A configuration that has been checked completely: nothing later fails because of it.

use std::ops::Range;
use std::sync::Arc;

use learn::learners::{LEARNERS, Learner, LearnerEntry, SettingError, Space, learner};
use learn::racing::Racing;
use play::Games;
use play::names::UnknownName;
use serde_json::Value;

use super::config::{Config, ConfigError, DeployConfig, FitnessConfig, QUICK, ScoreConfig, options, suggest};
use super::evaluate::Series;
use super::scores::{SoloScores, solo_scores};
use crate::selfplay::{METHODS, Method};
use crate::tasks::{Task, TaskText, Tuning};

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
pub enum LearnerPlan {
    /// One that asks for vectors and is told their fitness.
    Vectors(VectorLearner),
    /// One that plays against itself, and where it begins.
    SelfPlay(Box<Method>, Option<Vec<f64>>),
}

impl LearnerPlan {
    /// Its name in the list.
    pub fn name(&self) -> &'static str {
        match self {
            LearnerPlan::Vectors(learner) => learner.entry.entry.name,
            LearnerPlan::SelfPlay(method, _) => method.entry.name,
        }
    }
}

/// A learner that asks for vectors, checked.
pub struct VectorLearner {
    /// Its line in the list.
    pub entry: &'static LearnerEntry,
    settings: Value,
    space: Space,
}

impl VectorLearner {
    /// A learner of the list for these vectors.
    fn new(name: &str, settings: &Value, space: Space) -> Result<Self, String> {
        let entry = known(name)?;
        (entry.build)(settings, &space, 0).map_err(|error| setting("learner", &error))?;
        Ok(Self { entry, settings: settings.clone(), space })
    }

    /// A new one.
    pub fn begin(&self, seed: u64) -> Box<dyn Learner> {
        (self.entry.build)(&self.settings, &self.space, seed).expect("checked")
    }
}

/// A task as a plan keeps it: its text, and what was built of it, once.
pub struct PlannedTask {
    /// What it is.
    pub text: TaskText,
    /// The task.
    pub task: Arc<dyn Task>,
}

/// The tasks of a plan while it is made.
struct Tasks(Vec<PlannedTask>);

impl Tasks {
    /// The number of the task of this text, which is built unless it has been.
    fn number<L: Games>(&mut self, text: TaskText) -> Result<usize, String> {
        if let Some(number) = self.0.iter().position(|known| known.text == text) {
            return Ok(number);
        }
        let task = Arc::from(text.build::<L>()?);
        self.0.push(PlannedTask { text, task });
        Ok(self.0.len() - 1)
    }
}

/// How good the result is: what is played for each entry of `score`.
pub enum ScorePlan {
    /// Games of a player for one beside those that it is compared with.
    Alone(Box<dyn SoloScores>),
    /// Pairs of games against each opponent, by the numbers of their tasks.
    Pairs(Vec<usize>),
}

/// A stage of an experiment, ready to run. All that can be wrong has been found, and all tasks are built: a game is named by the
/// number of its task in here (see [`super::runner`]).
pub struct Plan {
    /// The name of the experiment or its file.
    pub name: String,
    /// As configured.
    pub config: Config,
    /// All tasks; the first is what is learned.
    pub tasks: Vec<PlannedTask>,
    /// Which task is learned in, from which generation on.
    schedule: Vec<(u64, usize)>,
    /// The tasks that curves are measured in: one for each opponent of `curve.against`, or one with all of `fitness.against`.
    pub curve: Vec<usize>,
    /// The task that finalists play.
    pub finals: usize,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// What is counted.
    pub unit: String,
    /// What final scores are counted in.
    pub score_unit: String,
    /// Who learns.
    pub learner: LearnerPlan,
    /// The races, if there are any.
    pub racing: Option<Racing>,
    /// What is made of the runs.
    pub deploy: Deploy,
    /// What each final score is.
    pub scores: Vec<ScorePlan>,
}

impl Plan {
    /// Checks a configuration; games are those of `L`.
    ///
    /// # Errors
    /// Anything at all is wrong with it.
    pub fn new<L: Games>(name: &str, config: Config) -> Result<Self, ConfigError> {
        let file = name.to_string();
        Self::check::<L>(name, config).map_err(|reason| ConfigError { file, reason })
    }

    fn check<L: Games>(name: &str, mut config: Config) -> Result<Self, String> {
        if !["", QUICK].contains(&config.variant.as_str()) {
            return Err(format!("variant = {}: must be {QUICK}, or not be there", config.variant));
        }
        within("runs", config.runs, 1, 1000)?;
        if let Some(run) = config.run {
            within("run", run, 1, config.runs)?;
        }
        within("generations", config.generations, 1, 10_000_000)?;
        within("deploy.finalists", config.deploy.finalists, 1, 1000)?;
        let base = base_text(&config)?;
        let mut tasks = Tasks(Vec::new());
        tasks.number::<L>(base.clone())?;
        let task = Arc::clone(&tasks.0[0].task);
        let for_two = task.for_two();
        let FitnessConfig { games, pairs, .. } = config.fitness;
        counted("fitness", (games, pairs), config.fitness.count(), 1_000_000, for_two)?;
        let DeployConfig { games, pairs, .. } = config.deploy;
        counted("deploy", (games, pairs), config.deploy.count(), 1_000_000, for_two)?;
        let (learner_name, settings) = config.learner()?;
        let method = Method::new::<L>(&learner_name, &base, &settings).transpose()?;
        match &method {
            Some(method) => plays_itself(&config, method, for_two)?,
            None => {
                known(&learner_name)?;
                opponents(&config, &base, for_two)?;
            }
        }
        // What was not chosen is written down too, in the unit of the game.
        let fitness = (&mut config.fitness.games, &mut config.fitness.pairs);
        let finalists = (&mut config.deploy.games, &mut config.deploy.pairs);
        for ((games, pairs), usual, is_used) in [(fitness, 1, method.is_none()), (finalists, 100, true)] {
            if games.is_none() && pairs.is_none() && is_used {
                *(if for_two { pairs } else { games }) = Some(usual);
            }
        }
        let parameters = task.parameters();
        // Under other rules it must stay the same function.
        let same = |tasks: &mut Tasks, key: &str, text: TaskText| -> Result<usize, String> {
            let number = tasks.number::<L>(text).map_err(|reason| format!("{key}: {reason}"))?;
            match tasks.0[number].task.parameters() == parameters {
                true => Ok(number),
                false => Err(format!("{key}: the function has other parameters under these rules")),
            }
        };
        let under = |key: &str, rules: &toml::Table| -> Result<TaskText, String> {
            Ok(base.with(&options(rules).map_err(|reason| format!("{key}: {reason}"))?))
        };
        let mut schedule = vec![(1, 0)];
        for entry in &config.schedule {
            let before = schedule.last().expect("there is a first").0;
            if entry.from <= before {
                return Err(format!("schedule: from = {}: must be above {before}", entry.from));
            }
            schedule.push((entry.from, same(&mut tasks, "schedule", under("schedule", &entry.rules)?)?));
        }
        let mut curve = Vec::new();
        if let Some(config) = &config.curve {
            counted("curve", (config.games, config.pairs), config.count(), 1_000_000, for_two)?;
            within("curve.every", config.every, 1, u64::MAX)?;
            if !for_two && !config.against.is_empty() {
                return Err(format!("curve: against: {} has no opponents", base.name));
            }
            let mut text = under("curve", &config.rules)?;
            text.search = config.search.clone().unwrap_or(text.search);
            for text in each_opponent(&text, &config.against) {
                curve.push(same(&mut tasks, "curve", text)?);
            }
        }
        let finals = same(&mut tasks, "deploy", under("deploy", &config.deploy.rules)?)?;
        let scores = scores::<L>(&config, &base, for_two, &mut tasks)?;

        let model = &config.model;
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
            Some(method) => LearnerPlan::SelfPlay(Box::new(method), start),
            None => {
                let space = Space { dimension: parameters.len(), start, bounds, bits: task.bits() };
                LearnerPlan::Vectors(VectorLearner::new(&learner_name, &settings, space)?)
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
        let deploy = deploy(&config, &learner)?;
        // Final scores are those of whole games, and between two sides shares of the points.
        let whole = tasks.number::<L>(TaskText { splitting: None, margin: false, ..base })?;
        let score_unit = tasks.0[whole].task.unit().to_string();
        let (name, unit, tasks) = (name.to_string(), task.unit().to_string(), tasks.0);
        Ok(Self {
            name,
            config,
            tasks,
            schedule,
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

    /// What is learned.
    pub fn base(&self) -> &dyn Task {
        &*self.tasks[0].task
    }

    /// The other programs that are started or called, in games of every kind.
    pub fn programs(&self) -> Vec<String> {
        let tasks = self.tasks.iter().flat_map(|planned| planned.task.programs());
        let scores = self.scores.iter().flat_map(|score| match score {
            ScorePlan::Alone(scores) => scores.programs(),
            // Their tasks are among the others.
            ScorePlan::Pairs(_) => Vec::new(),
        });
        tasks.chain(scores).collect()
    }

    /// The runs that are made here, by their numbers from 0: all, or the one that is asked for.
    pub fn run_numbers(&self) -> Range<usize> {
        self.config.run.map_or(0..self.config.runs, |run| run - 1..run)
    }

    /// Whether the log counts pairs of games, and not games: it does where vectors meet opponents.
    pub fn counts_pairs(&self) -> bool {
        self.base().for_two() && matches!(self.learner, LearnerPlan::Vectors(_))
    }

    /// Whether curves are shares of the points.
    pub fn counts_shares(&self) -> bool {
        self.base().for_two() && !self.tasks[0].text.margin
    }

    /// The seed of what a run's learner leaves to chance.
    pub fn learner_seed(&self, run: usize) -> u64 {
        games::Dice::seeded(&[self.config.seed, run as u64, 0x6c65_6172]).bits()
    }

    /// Whether the parameters are few enough to be named and written down in every generation.
    pub fn is_logged(&self) -> bool {
        self.parameters.len() <= MOST_LOGGED
    }

    /// The number of the task of a generation.
    pub fn task(&self, generation: u64) -> usize {
        let begun = self.schedule.iter().rev().find(|(from, _)| *from <= generation);
        begun.expect("the first begins with the first generation").1
    }
}

/// What is learned, as text.
fn base_text(config: &Config) -> Result<TaskText, String> {
    let (name, rules) = config.task()?;
    let (model, fitness) = (&config.model, &config.fitness);
    Ok(TaskText {
        name,
        rules,
        features: model.features.clone(),
        form: model.form.clone(),
        search: model.search.clone(),
        opponents: fitness.against.clone(),
        openings: fitness.openings,
        margin: match fitness.by.as_str() {
            "wins" => false,
            "margin" => true,
            other => return Err(format!("fitness: by = {other}: must be wins or margin")),
        },
        tuning: tuning(config)?,
        splitting: fitness.splitting,
    })
}

/// The task against each of these by itself; as it is if nobody is named.
fn each_opponent(text: &TaskText, against: &[String]) -> Vec<TaskText> {
    let one = |name: &String| TaskText { opponents: vec![name.clone()], ..text.clone() };
    if against.is_empty() { vec![text.clone()] } else { against.iter().map(one).collect() }
}

/// What is made of the runs in the end.
fn deploy(config: &Config, learner: &LearnerPlan) -> Result<Deploy, String> {
    let averages = matches!(learner, LearnerPlan::Vectors(_)) || config.model.form == "linear";
    match (config.deploy.choose.as_deref(), config.runs) {
        (None | Some("mean"), 1) => Ok(Deploy::Mean),
        (None | Some("average"), runs) if runs > 1 && averages => Ok(Deploy::Average),
        (Some("finalists"), _) => Ok(Deploy::Finalists),
        (Some(other), 1) => Err(format!("deploy: choose = {other}: with one run, must be mean or finalists")),
        (_, runs) if !averages => Err(format!(
            "deploy: choose: with {runs} runs of {}, must be finalists: the average of networks is none",
            learner.name()
        )),
        (other, runs) => {
            let other = other.unwrap_or_default();
            Err(format!("deploy: choose = {other}: with {runs} runs, must be average or finalists"))
        }
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
fn opponents(config: &Config, base: &TaskText, for_two: bool) -> Result<(), String> {
    let fitness = &config.fitness;
    let some = !fitness.against.is_empty() || fitness.population || fitness.environment.is_some();
    match (for_two, some) {
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
    if has_curve && for_two && fitness.against.is_empty() {
        return Err("curve: against is missing, and fitness.against is empty: nobody is met".into());
    }
    Ok(())
}

/// What is played for the final scores, and whether everybody can play it.
fn scores<L: Games>(
    config: &Config,
    base: &TaskText,
    for_two: bool,
    tasks: &mut Tasks,
) -> Result<Vec<ScorePlan>, String> {
    let of = |(number, score): (usize, &ScoreConfig)| {
        let rules = options(&score.rules)?;
        let search = score.search.clone().unwrap_or_else(|| base.search.clone());
        let text = TaskText { rules, search, margin: false, ..base.clone() };
        // What is expected is not asked of a quick variant, whose rules and opponents may be others.
        if let Some(expect) = score.expect.as_ref().filter(|_| config.variant.is_empty()) {
            expect.check(&score.against, for_two).map_err(|reason| format!("expect: {reason}"))?;
        }
        let count = score.count(for_two);
        counted(&format!("score.{number}"), (score.games, score.pairs), count, 100_000_000, for_two)?;
        if for_two {
            if score.against.is_empty() {
                return Err("against is missing: who is to be met".into());
            }
            let each = each_opponent(&text, &score.against).into_iter().map(|text| tasks.number::<L>(text));
            return Ok(ScorePlan::Pairs(each.collect::<Result<_, _>>()?));
        }
        let seed = Series::Score(number).seed(config.seed, 0);
        let scores = solo_scores::<L>(&text, &score.against, count, seed)?;
        text.build::<L>()?;
        Ok(ScorePlan::Alone(scores))
    };
    let each = config.score.iter().enumerate().map(of);
    each.collect::<Result<_, String>>().map_err(|reason| match reason.starts_with("score.") {
        true => reason,
        false => format!("score: {reason}"),
    })
}

/// Whether games, or in a game for two pairs of games, are given once and are not too many.
fn counted(
    table: &str,
    (games, pairs): (Option<usize>, Option<usize>),
    count: usize,
    most: usize,
    for_two: bool,
) -> Result<(), String> {
    let (key, value) = match (games, pairs) {
        (Some(games), Some(pairs)) => {
            return Err(format!("{table}: games = {games} and pairs = {pairs}: must be one of the two"));
        }
        (_, Some(pairs)) if !for_two => {
            return Err(format!("{table}.pairs = {pairs}: a game for one has no pairs; say {table}.games"));
        }
        (None, None) if count == 0 => {
            let key = if for_two { "pairs" } else { "games" };
            return Err(format!("{table}: {key} is missing"));
        }
        (Some(games), None) => ("games", games),
        (None, _) => ("pairs", count),
    };
    // Where games are halved into pairs, one is none.
    let least = if count < value { 2 } else { 1 };
    within(&format!("{table}.{key}"), value, least, most)
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
