//! The narrow runner that games leave through: plain data in, results in order out. A job is named by what it is (task,
//! parameters, seed, number), so that it may be done anywhere, in any order, and twice.

use std::sync::{Arc, Mutex};

use play::players::PlayerFailure;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::tasks::{Task, TaskText};

/// Games to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// What is played.
    pub task: TaskText,
    /// The parameters of everybody who plays.
    pub points: Vec<Vec<f64>>,
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
    /// A player has no move to give.
    fn play(&self, batch: &Batch) -> Result<Vec<f64>, PlayerFailure>;
}

/// The threads of this machine: those that the caller has installed.
#[derive(Default)]
pub struct LocalRunner {
    /// The last task: what it had to find out about itself serves the next batch.
    last: Mutex<Option<(TaskText, Arc<dyn Task>)>>,
}

impl LocalRunner {
    fn task(&self, text: &TaskText) -> Arc<dyn Task> {
        let mut last = self.last.lock().expect("building a task that was checked does not panic");
        match &*last {
            Some((known, task)) if known == text => Arc::clone(task),
            _ => {
                let task: Arc<dyn Task> = Arc::from(text.build().expect("checked before the run"));
                *last = Some((text.clone(), Arc::clone(&task)));
                task
            }
        }
    }
}

impl JobRunner for LocalRunner {
    fn play(&self, batch: &Batch) -> Result<Vec<f64>, PlayerFailure> {
        let task = self.task(&batch.task);
        let players: Vec<_> = batch.points.iter().map(|point| task.contestant(point)).collect();
        // One by one: a game may be a thousand times as long as the next.
        let jobs = batch.jobs.par_iter().with_max_len(1);
        jobs.map(|job| players[job.player].score(job.seed, job.game)).collect()
    }
}
