//! One run: ask, play, tell, write down; or play against oneself, learn, write down; generation after generation.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use learn::learners::{Diagnostics, Learner, Trial};
use play::players::PlayerFailure;
use serde_json::Value;
use thiserror::Error;

use super::evaluate::{Judged, Series, fixed, race, scores};
use super::folder::{Checkpoint, FolderError, RunFolder};
use super::live::Live;
use super::plan::{Plan, Teacher};
use super::record::{Generation, Measured, Opponent, TaughtLine};
use super::runner::JobRunner;
use crate::selfplay::{Moment, SelfPlay};
use crate::tasks::{TaskText, searching};

/// What can end a run before its end.
#[derive(Debug, Error)]
pub enum LearnError {
    /// The folder is at fault.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A player has no move to give.
    #[error(transparent)]
    Failure(#[from] PlayerFailure),
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
    runner: &dyn JobRunner,
    live: &Live,
) -> Result<Run, LearnError> {
    let (mut files, saved, lines) = RunFolder::open(folder)?;
    lines.iter().for_each(|line| live.add(run, line));
    let (mut state, mut pupil) = match saved {
        Some(saved) => {
            let pupil = Pupil::load(plan, &saved.learner)
                .map_err(|reason| LearnError::Learner { folder: folder.display().to_string(), reason })?;
            (saved, pupil)
        }
        None => (beginning(plan), Pupil::begin(plan, run)),
    };
    while state.ended.is_none() && !live.stopping() {
        let Some(line) = generation(plan, run, &mut state, &mut pupil, runner, live)? else { break };
        state.ended = match pupil.stop() {
            Some(reason) => Some(reason),
            None if state.generation >= plan.config.generations => Some("all generations are done".into()),
            None => None,
        };
        state.learner = pupil.save();
        files.write(&line, &state)?;
        live.add(run, &line);
    }
    if let Some(reason) = &state.ended {
        live.end(run, reason);
    }
    Ok(Run { centre: pupil.centre(), checkpoint: state })
}

/// Who learns in a run.
enum Pupil {
    Vectors(Box<dyn Learner>),
    SelfPlay(Box<dyn SelfPlay>),
}

impl Pupil {
    fn begin(plan: &Plan, run: usize) -> Self {
        let seed = plan.learner_seed(run);
        match &plan.learner {
            Teacher::Vectors(asking) => Pupil::Vectors(asking.begin(seed)),
            Teacher::SelfPlay(method, start) => Pupil::SelfPlay(method.begin(seed, start.as_deref())),
        }
    }

    fn load(plan: &Plan, saved: &Value) -> Result<Self, String> {
        match &plan.learner {
            Teacher::Vectors(asking) => {
                (asking.entry.load)(saved.clone()).map(Pupil::Vectors).map_err(|error| error.to_string())
            }
            Teacher::SelfPlay(method, _) => method.load(saved).map(Pupil::SelfPlay),
        }
    }

    fn stop(&self) -> Option<String> {
        match self {
            Pupil::Vectors(learner) => learner.stop(),
            Pupil::SelfPlay(_) => None,
        }
    }

    fn save(&self) -> Value {
        match self {
            Pupil::Vectors(learner) => learner.save(),
            Pupil::SelfPlay(pupil) => pupil.save(),
        }
    }

    fn centre(&self) -> Vec<f64> {
        match self {
            Pupil::Vectors(learner) => learner.centre(),
            Pupil::SelfPlay(pupil) => pupil.parameters().to_vec(),
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

/// A generation; none if it was broken off, and is to be done anew.
fn generation(
    plan: &Plan,
    run: usize,
    state: &mut Checkpoint,
    pupil: &mut Pupil,
    runner: &dyn JobRunner,
    live: &Live,
) -> Result<Option<Generation>, LearnError> {
    let begun = Instant::now();
    let number = state.generation + 1;
    let (Judged { values, games, most }, standing, taught) = match pupil {
        Pupil::Vectors(learner) => {
            let judged = vectors(plan, run, state, &mut **learner, runner)?;
            (judged, learner.standing(), None)
        }
        Pupil::SelfPlay(pupil) => match alone(plan, run, number, &mut **pupil, live)? {
            Some(learned) => learned,
            None => return Ok(None),
        },
    };
    let centre = pupil.centre();
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

    let (curve, rivals) = measured(plan, run, number, &centre, runner)?;
    let mean = Measured::of(&values);
    state.seconds += begun.elapsed().as_secs_f64();
    Ok(Some(Generation {
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
        rivals,
        taught,
    }))
}

/// A round against oneself. Its fitness is what the games scored, or how far off the function was, with its sign turned.
fn alone(
    plan: &Plan,
    run: usize,
    number: u64,
    pupil: &mut dyn SelfPlay,
    live: &Live,
) -> Result<Option<(Judged, Diagnostics, Option<TaughtLine>)>, LearnError> {
    let moment = Moment { seed: plan.learner_seed(run), round: number, rounds: plan.config.generations };
    let lesson = pupil.round(moment, &|text| {
        live.set_stage(text);
        if live.stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    live.set_stage("");
    let Some(lesson) = lesson else { return Ok(None) };
    let values = if lesson.scores.is_empty() { vec![-lesson.loss] } else { lesson.scores };
    let fitness = values[0];
    if !fitness.is_finite() || pupil.parameters().iter().any(|parameter| !parameter.is_finite()) {
        return Err(LearnError::Fitness { generation: number, number: 1, value: fitness });
    }
    let judged = Judged { values, games: vec![lesson.games], most: lesson.games.into() };
    let standing = Diagnostics { generation: number, step: lesson.rate, ..Diagnostics::default() };
    Ok(Some((judged, standing, lesson.taught)))
}

/// What the centre scores in fresh games, if that is asked for now: all together, and against each opponent by itself.
fn measured(
    plan: &Plan,
    run: usize,
    number: u64,
    centre: &[f64],
    runner: &dyn JobRunner,
) -> Result<(Option<Measured>, Vec<Opponent>), PlayerFailure> {
    let due = |every: u64| number.is_multiple_of(every) || number == plan.config.generations;
    let Some(curve) = plan.config.curve.as_ref().filter(|curve| due(curve.every)) else {
        return Ok((None, Vec::new()));
    };
    let seed = Series::Curve(number).seed(plan.config.seed, run);
    let of = |task: &TaskText| {
        let mut scores = scores(runner, task, &[centre.to_vec()], seed, curve.games as u64)?;
        Ok(scores.pop().expect("of the one vector"))
    };
    if curve.against.is_empty() {
        return Ok((Some(Measured::of(&of(&plan.curve)?)), Vec::new()));
    }
    let (mut all, mut rivals) = (Vec::new(), Vec::new());
    for against in &curve.against {
        let scores = of(&TaskText { opponents: vec![against.clone()], ..plan.curve.clone() })?;
        rivals.push(Opponent { against: against.clone(), score: Measured::of(&scores) });
        all.extend(scores);
    }
    Ok((Some(Measured::of(&all)), rivals))
}

/// A generation of vectors, asked for, played and told.
fn vectors(
    plan: &Plan,
    run: usize,
    state: &mut Checkpoint,
    learner: &mut dyn Learner,
    runner: &dyn JobRunner,
) -> Result<Judged, LearnError> {
    let number = state.generation + 1;
    let trials = learner.ask();
    let task = &met(plan, number, &trials, &state.environment);
    // In a game for two a "game" of the configuration is one pair against each opponent.
    let each = task.opponents.len().max(1) as f64;
    let seed = |series: u32| Series::Trials(number, series).seed(plan.config.seed, run);
    let Judged { values, games, most } = match &mut state.racing {
        Some(racing) => race(runner, task, &trials, &seed, racing, learner.parents())?,
        None => {
            let games = (plan.config.fitness.games as f64 * each * learner.effort()).round().max(1.0) as u64;
            fixed(runner, task, &trials, &seed, games)?
        }
    };
    if let Some(number_of) = values.iter().position(|value| !value.is_finite()) {
        let value = values[number_of];
        return Err(LearnError::Fitness { generation: number, number: number_of + 1, value });
    }
    keep_finalists(&mut state.finalists, &trials, &values, plan.config.deploy.finalists);
    learner.tell(&values);
    Ok(Judged { values, games, most })
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
