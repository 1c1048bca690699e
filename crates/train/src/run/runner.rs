//! The narrow door that games leave by: plain data in, scores in order out. A job is named by what it is (task, parameters,
//! seed, number), so that it may be done anywhere, in any order, and twice.
//!
//! A task is named by its number in the plan. A plan is a function of its configuration, so whoever has that configuration, on
//! this machine or another, makes the same list of tasks, each once, and keeps it for all batches.

use std::sync::Arc;

use measure::pool::{Halt, Stop};
use play::players::PlayerFailure;
use play::threads::par_map;
use serde::{Deserialize, Serialize};

use super::plan::Plan;
use crate::tasks::Task;

/// Games to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// What is played: the number of a task of the plan.
    pub task: usize,
    /// The parameters of everybody who plays.
    pub points: Vec<Vec<f64>>,
    /// The parameters of those who are met beside the named opponents of the task.
    pub met: Vec<Vec<f64>>,
    /// The games.
    pub jobs: Vec<Job>,
}

/// One game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Whose, as an index into the points.
    pub player: usize,
    /// The seed of its series.
    pub seed: u64,
    /// Its number in the series.
    pub game: u64,
}

/// Plays games: threads today, other machines one day.
pub trait JobRunner: Send + Sync {
    /// The scores of the jobs, in their order.
    ///
    /// # Errors
    /// A player has no move to give, or the games were told to stop.
    fn play(&self, batch: &Batch, stop: &Stop) -> Result<Vec<f64>, Halt<PlayerFailure>>;
}

/// The threads of this machine: those that the caller has installed.
pub struct LocalRunner {
    tasks: Vec<Arc<dyn Task>>,
}

impl LocalRunner {
    /// For the tasks of a plan, as they are built.
    pub fn new(plan: &Plan) -> Self {
        Self { tasks: plan.tasks.iter().map(|planned| Arc::clone(&planned.task)).collect() }
    }
}

impl JobRunner for LocalRunner {
    fn play(&self, batch: &Batch, stop: &Stop) -> Result<Vec<f64>, Halt<PlayerFailure>> {
        let players = self.tasks[batch.task].candidates(&batch.points, &batch.met);
        let scores = par_map(batch.jobs.len(), |number| {
            let job = &batch.jobs[number];
            if stop.go_on() {
                players[job.player].score(job.seed, job.game, stop)
            } else {
                Err(Halt::Stopped)
            }
        });
        scores.into_iter().collect()
    }
}
