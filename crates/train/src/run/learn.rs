//! One run: ask, play, tell, write down; or play against oneself, learn, write down; generation after generation.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use learn::learners::{Diagnostics, Learner, Trial};
use measure::pool::{Halt, Stop};
use play::players::PlayerFailure;
use serde_json::Value;
use thiserror::Error;

use super::active_learner::ActiveLearner;
use super::evaluate::{Field, Judged, Series, fixed, race, scores};
use super::folder::{Checkpoint, ExperimentFolder, FolderError, Resumed, RunFolder};
use super::live::RunProgress;
use super::plan::Plan;
use super::record::{Generation, ImitationLine, Measured, Opponent};
use super::runner::JobRunner;
use crate::selfplay::{Moment, SelfPlay};

/// What can end a run before its end.
#[derive(Debug, Error)]
pub enum LearnError {
    /// The folder is at fault.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A player has no move to give.
    #[error(transparent)]
    Failure(PlayerFailure),
    /// Somebody has asked to end.
    #[error("broken off")]
    Stopped,
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
    #[error("{folder}: the checkpoint's learner cannot be read: {}", games::error::one_line(.reason))]
    Learner {
        /// The run's folder.
        folder: String,
        /// What is wrong.
        reason: String,
    },
}

impl From<Halt<PlayerFailure>> for LearnError {
    fn from(halt: Halt<PlayerFailure>) -> Self {
        halt.failure().map_or(LearnError::Stopped, LearnError::Failure)
    }
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
    place: &ExperimentFolder,
    runner: &dyn JobRunner,
    live: &RunProgress,
) -> Result<Run, LearnError> {
    let folder = place.run(run, plan.config.runs);
    let (mut files, Resumed { checkpoint, lines, note }) = RunFolder::open(place, &folder)?;
    note.into_iter().for_each(|note| live.note(note));
    let place_shown = run - plan.run_numbers().start;
    lines.iter().for_each(|line| live.add(place_shown, line));
    let (mut state, mut active) = match checkpoint {
        Some(saved) => {
            let active = ActiveLearner::load(plan, &saved.learner)
                .map_err(|reason| LearnError::Learner { folder: folder.display().to_string(), reason })?;
            (saved, active)
        }
        None => (beginning(plan), ActiveLearner::begin(plan, run)),
    };
    let ended = |state: &Checkpoint, active: &ActiveLearner| {
        let done = state.generation >= plan.config.generations;
        active.stop().or_else(|| done.then(|| "all generations are done".to_string()))
    };
    let identity = Some(place.identity());
    let changed = state.identity != identity;
    state.identity = identity;
    if changed && state.generation > 0 {
        // There may be more or fewer generations to be done than before.
        state.ended = ended(&state, &active);
        files.checkpoint(&state)?;
    }
    while state.ended.is_none() && !live.stopping() {
        let line = match generation(plan, run, &mut state, &mut active, runner, live) {
            // To be done anew from the last checkpoint.
            Err(LearnError::Stopped) => break,
            line => line?,
        };
        state.ended = ended(&state, &active);
        state.learner = active.save();
        files.write(&line, &state)?;
        live.add(place_shown, &line);
    }
    if let Some(reason) = &state.ended {
        live.end(place_shown, reason);
    }
    Ok(Run { centre: active.centre(), checkpoint: state })
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
        identity: None,
    }
}

/// A generation. Of one that was broken off nothing is kept.
fn generation(
    plan: &Plan,
    run: usize,
    state: &mut Checkpoint,
    active: &mut ActiveLearner,
    runner: &dyn JobRunner,
    live: &RunProgress,
) -> Result<Generation, LearnError> {
    let begun = Instant::now();
    let number = state.generation + 1;
    let (Judged { values, games, most }, standing, imitation) = match active {
        ActiveLearner::Vectors(learner) => {
            let judged = vectors(plan, run, state, &mut **learner, runner, &live.stop)?;
            (judged, learner.standing(), None)
        }
        ActiveLearner::SelfPlay(learner) => alone(plan, run, number, &mut **learner, live)?,
    };
    let centre = active.centre();
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

    let (curve, rivals) = measured(plan, run, number, &centre, runner, &live.stop)?;
    let mut mean = Measured::of(&values);
    if plan.counts_pairs() && plan.counts_shares() {
        // Shares of the points, and so is their mean.
        mean.ci95 = mean.ci95.map(|ends| ends.map(|end| end.clamp(0.0, 1.0)));
    }
    state.seconds += begun.elapsed().as_secs_f64();
    Ok(Generation {
        generation: number,
        variant: plan.config.variant.clone(),
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
        imitation,
    })
}

/// A round against oneself. Its fitness is what the games scored, or how far off the function was, with its sign turned.
fn alone(
    plan: &Plan,
    run: usize,
    number: u64,
    learner: &mut dyn SelfPlay,
    live: &RunProgress,
) -> Result<(Judged, Diagnostics, Option<ImitationLine>), LearnError> {
    let moment = Moment { seed: plan.learner_seed(run), round: number, rounds: plan.config.generations };
    let round = learner.round(moment, &|text| {
        live.set_doing(text);
        if live.stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    live.set_doing("");
    let round = round.ok_or(LearnError::Stopped)?;
    let values = if round.scores.is_empty() { vec![-round.loss] } else { round.scores };
    let fitness = values[0];
    if !fitness.is_finite() || learner.parameters().iter().any(|parameter| !parameter.is_finite()) {
        return Err(LearnError::Fitness { generation: number, number: 1, value: fitness });
    }
    let judged = Judged { values, games: vec![round.games], most: round.games.into() };
    let standing = Diagnostics { generation: number, step: round.rate, ..Diagnostics::default() };
    Ok((judged, standing, round.imitation))
}

/// What the centre scores in fresh games, if that is asked for now: all together, and against each opponent by itself.
fn measured(
    plan: &Plan,
    run: usize,
    number: u64,
    centre: &[f64],
    runner: &dyn JobRunner,
    stop: &Stop,
) -> Result<(Option<Measured>, Vec<Opponent>), LearnError> {
    let due = |every: u64| number.is_multiple_of(every) || number == plan.config.generations;
    let Some(curve) = plan.config.curve.as_ref().filter(|curve| due(curve.every)) else {
        return Ok((None, Vec::new()));
    };
    let seed = Series::Curve(number).seed(plan.config.seed, run);
    let of = |&task: &usize| {
        let field = Field { runner, task, met: &[], stop };
        let mut scores = scores(&field, &[centre.to_vec()], seed, curve.count() as u64)?;
        Ok(scores.pop().expect("of the one vector"))
    };
    let each: Vec<Vec<f64>> = plan.curve.iter().map(of).collect::<Result<_, LearnError>>()?;
    let rivals = curve.against.iter().zip(&each);
    let measured = |scores: &[f64]| match plan.counts_shares() {
        true => Measured::share(scores),
        false => Measured::of(scores),
    };
    let rivals =
        rivals.map(|(against, scores)| Opponent { against: against.clone(), score: measured(scores) });
    Ok((Some(measured(&each.concat())), rivals.collect()))
}

/// A generation of vectors, asked for, played and told.
fn vectors(
    plan: &Plan,
    run: usize,
    state: &mut Checkpoint,
    learner: &mut dyn Learner,
    runner: &dyn JobRunner,
    stop: &Stop,
) -> Result<Judged, LearnError> {
    let number = state.generation + 1;
    let trials = learner.ask();
    let met = met(plan, &trials, &state.environment);
    let field = Field { runner, task: plan.task(number), met: &met, stop };
    // In a game for two so many pairs are played against each opponent.
    let each = (plan.tasks[field.task].text.opponents.len() + met.len()).max(1) as f64;
    let seed = |series: u32| Series::Trials(number, series).seed(plan.config.seed, run);
    let Judged { values, games, most } = match &mut state.racing {
        Some(racing) => race(&field, &trials, &seed, racing, learner.parents())?,
        None => {
            let games =
                (plan.config.fitness.count() as f64 * each * learner.effort()).round().max(1.0) as u64;
            fixed(&field, &trials, &seed, games)?
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

/// Who is met in a generation beside the named players: the vectors of the generation, and the best of earlier ones. A vector
/// meets itself too, which gives every vector the same half.
fn met(plan: &Plan, trials: &[Trial], environment: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let own = trials.iter().filter(|_| plan.config.fitness.population).map(|trial| trial.point.clone());
    own.chain(environment.iter().cloned()).collect()
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
