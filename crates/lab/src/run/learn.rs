//! One run: ask, play, tell, write down; generation after generation.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use learn::learners::{Learner, Standing, Trial};
use serde_json::Value;
use thiserror::Error;

use super::door::Door;
use super::evaluate::{Judged, Series, fixed, race, scores};
use super::folder::{Checkpoint, FolderError, RunFolder};
use super::live::Live;
use super::plan::{Plan, Way};
use super::record::{Generation, Measured};
use crate::practice::Practice;
use crate::tasks::{Lesson, TaskText, searching};

/// What can end a run before its end.
#[derive(Debug, Error)]
pub enum LearnError {
    /// The folder is at fault.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A vector has no fitness.
    #[error("generation {generation}: vector {number} has fitness {value}, which is not a finite number")]
    Fitness {
        /// The generation.
        generation: u64,
        /// The vector's place in it, from 1.
        number: usize,
        /// Its fitness.
        value: f64,
    },
    /// The saved learner is not one.
    #[error("{folder}: the checkpoint's learner cannot be read: {reason}")]
    Learner {
        /// The run's folder.
        folder: String,
        /// What is wrong.
        reason: String,
    },
}

/// Where a run has come to.
pub struct Run {
    /// The last checkpoint.
    pub checkpoint: Checkpoint,
    /// What it would deploy.
    pub centre: Vec<f64>,
}

/// Goes on with a run, or begins it, until it ends or `live` says stop.
///
/// # Errors
/// The folder is at fault, or a fitness is no number.
pub fn learn(
    plan: &Plan,
    run: usize,
    folder: &Path,
    door: &dyn Door,
    live: &Live,
) -> Result<Run, LearnError> {
    let (mut files, saved, lines) = RunFolder::open(folder)?;
    lines.iter().for_each(|line| live.add(run, line));
    let (mut state, mut learner) = match saved {
        Some(saved) => {
            let unreadable = |reason| LearnError::Learner { folder: folder.display().to_string(), reason };
            let learner = Student::load(plan, &saved).map_err(unreadable)?;
            (saved, learner)
        }
        None => (beginning(plan), Student::new(plan, run)),
    };
    while state.ended.is_none() && !live.stopping() {
        let line = generation(plan, run, &mut state, &mut learner, door, live)?;
        state.ended = match learner.stop() {
            Some(reason) => Some(reason),
            None if state.generation >= plan.config.generations => Some("all generations are done".into()),
            None => None,
        };
        state.learner = learner.save();
        files.write(&line, &state)?;
        live.add(run, &line);
    }
    if let Some(reason) = &state.ended {
        live.end(run, reason);
    }
    Ok(Run { centre: learner.centre(), checkpoint: state })
}

/// Who learns in a run.
enum Student<'a> {
    Asking(Box<dyn Learner>),
    Practising(&'a Practice, Vec<f64>),
}

impl<'a> Student<'a> {
    fn new(plan: &'a Plan, run: usize) -> Self {
        match &plan.way {
            Way::Asking(entry) => Student::Asking(plan.learner(entry, run)),
            Way::Practising(practice) => Student::Practising(practice, plan.first_weights(practice)),
        }
    }

    fn load(plan: &'a Plan, saved: &Checkpoint) -> Result<Self, String> {
        match &plan.way {
            Way::Asking(entry) => {
                (entry.load)(saved.learner.clone()).map(Student::Asking).map_err(|error| error.to_string())
            }
            Way::Practising(practice) => {
                let weights = serde_json::from_value::<Vec<f64>>(saved.learner.clone());
                let weights = weights.map_err(|error| error.to_string())?;
                match weights.len() == plan.parameters.len() {
                    true => Ok(Student::Practising(practice, weights)),
                    false => {
                        Err(format!("{} weights for {} parameters", weights.len(), plan.parameters.len()))
                    }
                }
            }
        }
    }

    /// What it would deploy.
    fn centre(&self) -> Vec<f64> {
        match self {
            Student::Asking(learner) => learner.centre(),
            Student::Practising(_, weights) => weights.clone(),
        }
    }

    fn stop(&self) -> Option<String> {
        match self {
            Student::Asking(learner) => learner.stop(),
            Student::Practising(..) => None,
        }
    }

    fn save(&self) -> Value {
        match self {
            Student::Asking(learner) => learner.save(),
            Student::Practising(_, weights) => serde_json::to_value(weights).expect("weights are finite"),
        }
    }
}

fn beginning(plan: &Plan) -> Checkpoint {
    Checkpoint {
        generation: 0,
        evaluations: 0,
        games: 0,
        seconds: 0.0,
        learner: Value::Null,
        racing: plan.racing.clone(),
        finalists: Vec::new(),
        environment: Vec::new(),
        ended: None,
    }
}

fn generation(
    plan: &Plan,
    run: usize,
    state: &mut Checkpoint,
    student: &mut Student,
    door: &dyn Door,
    live: &Live,
) -> Result<Generation, LearnError> {
    let begun = Instant::now();
    let number = state.generation + 1;
    let (Judged { values, games, most }, standing) = match student {
        Student::Asking(learner) => {
            let judged = asked(plan, run, state, learner.as_mut(), door)?;
            (judged, learner.standing())
        }
        Student::Practising(practice, weights) => practised(plan, run, number, practice, weights)?,
    };
    let centre = student.centre();
    let played: u64 = games.iter().map(|&games| u64::from(games)).sum();
    live.games.fetch_add(played, Ordering::Relaxed);
    state.generation = number;
    state.evaluations += games.len() as u64;
    state.games += played;

    if let Some(environment) = &plan.config.fitness.environment
        && number.is_multiple_of(environment.renew)
    {
        state.environment.push(centre.clone());
        if state.environment.len() > environment.size {
            state.environment.remove(0);
        }
    }

    let due = |every: u64| number.is_multiple_of(every) || number == plan.config.generations;
    let curve = plan.config.curve.as_ref().filter(|curve| due(curve.every)).map(|curve| {
        let seed = Series::Curve(number).seed(plan.config.seed, run);
        let scores = scores(door, &plan.curve, std::slice::from_ref(&centre), seed, curve.games as u64);
        Measured::of(&scores[0])
    });
    let mean = Measured::of(&values);
    state.seconds += begun.elapsed().as_secs_f64();
    Ok(Generation {
        generation: number,
        evaluations: state.evaluations,
        games: state.games,
        seconds: state.seconds,
        best: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        mean: mean.mean,
        mean_ci95: mean.ci95,
        games_each: games,
        most_games: most,
        // A table in every line would fill the disk.
        centre: if plan.is_logged() { centre } else { Vec::new() },
        standing,
        curve,
    })
}

/// A generation of a function that learns from its own games: their scores are its fitness.
fn practised(
    plan: &Plan,
    run: usize,
    number: u64,
    practice: &Practice,
    weights: &mut [f64],
) -> Result<(Judged, Standing), LearnError> {
    let task = plan.task(number).build().expect("checked");
    let games = plan.config.fitness.games as u64;
    let lesson = Lesson {
        rate: practice.rate(number, plan.config.generations),
        seed: Series::Trials(number, 0).seed(plan.config.seed, run),
        games,
    };
    let values = task.practise(practice, &lesson, weights);
    if let Some(&value) = weights.iter().find(|weight| !weight.is_finite()) {
        return Err(LearnError::Fitness { generation: number, number: 1, value });
    }
    let standing = Standing { generation: number, step: Some(lesson.rate), ..Standing::default() };
    Ok((Judged { values, games: vec![games as u32], most: games as f64 }, standing))
}

/// A generation of a learner that asks for vectors and is told how good they are.
fn asked(
    plan: &Plan,
    run: usize,
    state: &mut Checkpoint,
    learner: &mut dyn Learner,
    door: &dyn Door,
) -> Result<Judged, LearnError> {
    let number = state.generation + 1;
    let trials = learner.ask();
    let task = &met(plan, number, &trials, &state.environment);
    // In a game for two a "game" of the configuration is one pair against each opponent.
    let each = task.opponents.len().max(1) as f64;
    let seed = |series: u32| Series::Trials(number, series).seed(plan.config.seed, run);
    let judged = match &mut state.racing {
        Some(racing) => race(door, task, &trials, &seed, racing, learner.parents()),
        None => {
            let games = (plan.config.fitness.games as f64 * each * learner.effort()).round().max(1.0) as u64;
            fixed(door, task, &trials, &seed, games)
        }
    };
    let values = &judged.values;
    if let Some(number_of) = values.iter().position(|value| !value.is_finite()) {
        let value = values[number_of];
        return Err(LearnError::Fitness { generation: number, number: number_of + 1, value });
    }
    keep_finalists(&mut state.finalists, &trials, values, plan.config.deploy.finalists);
    learner.tell(values);
    Ok(judged)
}

/// The task of a generation with everybody who is met in it: named players, the vectors of the generation, and the best of
/// earlier ones. A vector meets itself too, which gives every vector the same half.
fn met(plan: &Plan, generation: u64, trials: &[Trial], environment: &[Vec<f64>]) -> TaskText {
    let mut text = plan.task(generation).clone();
    if !text.for_two() {
        return text;
    }
    let task = text.build().expect("checked");
    let line = |point: &Vec<f64>| searching(&text.search, &task.model(point, String::new()).line());
    let mut more: Vec<String> = Vec::new();
    if plan.config.fitness.population {
        more.extend(trials.iter().map(|trial| line(&trial.point)));
    }
    more.extend(environment.iter().map(line));
    text.opponents.extend(more);
    text
}

/// The best of this generation and of those before.
fn keep_finalists(finalists: &mut Vec<(Vec<f64>, f64)>, trials: &[Trial], values: &[f64], most: usize) {
    for (trial, &value) in trials.iter().zip(values) {
        if !finalists.iter().any(|(point, _)| *point == trial.point) {
            finalists.push((trial.point.clone(), value));
        }
    }
    // Stable: of equals the earlier one comes first.
    finalists.sort_by(|a, b| b.1.total_cmp(&a.1));
    finalists.truncate(most);
}
