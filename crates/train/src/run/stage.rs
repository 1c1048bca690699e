//! A stage of an experiment: its runs, what is deployed of them, and how good that is.

use std::ops::ControlFlow;
use std::sync::Arc;

use play::threads::par_map;

use super::evaluate::{Field, Series, scores};
use super::experiment::ExperimentError;
use super::folder::{ExperimentFolder, json, write};
use super::learn::{LearnError, Run, learn};
use super::live::RunProgress;
use super::plan::{Deploy, Plan};
use super::record::Contest;
use super::runner::JobRunner;
use super::scores::told;

/// A stage in its folder, held by this process.
pub struct Stage {
    /// What is to be done.
    pub plan: Arc<Plan>,
    /// Where.
    pub place: Arc<ExperimentFolder>,
}

/// What came out.
pub struct Finish {
    /// Whether it is over, rather than broken off.
    pub whole: bool,
    /// Why each run has ended.
    pub ended: Vec<Option<String>>,
    /// How good the result is.
    pub scores: Vec<Contest>,
}

impl Stage {
    /// Runs it to its end, or until `live` says stop. Called again it goes on; what is done is not done again.
    ///
    /// # Errors
    /// A run fails, or the disk.
    pub fn run(
        &self,
        runner: &dyn JobRunner,
        threads: usize,
        live: &RunProgress,
    ) -> Result<Finish, ExperimentError> {
        let plan = &*self.plan;
        self.prepare(live);
        let count = plan.config.runs;
        let learned = |run: usize| learn(plan, run, &self.place, runner, live);
        let numbers: Vec<usize> = plan.run_numbers().collect();
        let runs = par_map(numbers.len(), |number| learned(numbers[number]));
        let runs: Vec<Run> = runs.into_iter().collect::<Result<_, _>>()?;
        let ended: Vec<Option<String>> = runs.iter().map(|run| run.checkpoint.ended.clone()).collect();
        if ended.iter().any(Option::is_none) {
            return Ok(Finish { whole: false, ended, scores: Vec::new() });
        }
        let (task, about) = (plan.base(), self.about(&runs));
        if count > 1 {
            for (number, run) in plan.run_numbers().zip(&runs) {
                let model = task.model(&run.centre, format!("{about} Run {} alone.", number + 1));
                write(&self.place.run(number, count).join("model.json"), &model.text())?;
            }
        }
        let path = self.place.path.join("model.json");
        let point = match self.deployed(&runs, runner, live) {
            Err(LearnError::Stopped) => return Ok(Finish { whole: false, ended, scores: Vec::new() }),
            point => point?,
        };
        write(&path, &task.model(&point, about.clone()).text())?;
        let learned = task.model(&point, String::new()).line();
        let (contests, whole) = self.score(&learned, &point, runner, threads, live)?;
        if whole && !contests.is_empty() {
            write(&self.place.path.join("scores.json"), &json(&contests))?;
            let told: Vec<String> = contests.iter().map(|contest| told(contest, &plan.score_unit)).collect();
            write(&path, &task.model(&point, format!("{about} {}", told.join(" "))).text())?;
        }
        Ok(Finish { whole, ended, scores: contests })
    }

    /// Does once what takes long before somebody can be met: solving the game for a player that is perfect.
    fn prepare(&self, live: &RunProgress) {
        for planned in &self.plan.tasks {
            planned.task.prepare(&|opponent| {
                live.set_doing(format!("{opponent} gets ready"));
                if live.stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        live.set_doing("");
    }

    /// The parameters that are deployed.
    fn deployed(
        &self,
        runs: &[Run],
        runner: &dyn JobRunner,
        live: &RunProgress,
    ) -> Result<Vec<f64>, LearnError> {
        let plan = &*self.plan;
        Ok(match plan.deploy {
            Deploy::Mean => runs[0].centre.clone(),
            Deploy::Average => average(runs),
            Deploy::Finalists => {
                let mut points = vec![average(runs)];
                for run in runs {
                    points.push(run.centre.clone());
                    points.extend(run.checkpoint.finalists.iter().map(|(point, _)| point.clone()));
                }
                points.dedup();
                live.set_doing(format!("{} finalists play again on fresh games", points.len()));
                let seed = Series::Finalists.seed(plan.config.seed, 0);
                // Between two sides they meet each other too.
                let met = if plan.base().for_two() { points.clone() } else { Vec::new() };
                let opponents = plan.tasks[plan.finals].text.opponents.len() + met.len();
                let games = (plan.config.deploy.count() * opponents.max(1)) as u64;
                let field = Field { runner, task: plan.finals, met: &met, stop: &live.stop };
                let scores = scores(&field, &points, seed, games)?;
                let means = scores.iter().map(|scores| scores.iter().sum::<f64>());
                let best = means.enumerate().fold((0, f64::NEG_INFINITY), |best, (i, mean)| {
                    if mean > best.1 { (i, mean) } else { best }
                });
                points.swap_remove(best.0)
            }
        })
    }

    /// Where the model comes from.
    fn about(&self, runs: &[Run]) -> String {
        let games: u64 =
            runs.iter().map(|run| run.checkpoint.games).sum::<u64>() * self.place.manifest.games_each();
        let generations: u64 = runs.iter().map(|run| run.checkpoint.generation).sum();
        let many = match (self.plan.config.run, runs.len()) {
            (Some(run), _) => format!("run {run} of {}, ", self.plan.config.runs),
            (None, 1) => String::new(),
            (None, many) => format!("{many} runs, "),
        };
        let manifest = &self.place.manifest;
        let variant = match manifest.variant.as_str() {
            "" => String::new(),
            variant => format!("{variant} variant of the "),
        };
        let mut about = format!(
            "Learned by {} in the {variant}experiment {}, seed {}, {many}{generations} generations, {games} games; evalforge {}.",
            self.plan.learner.name(),
            manifest.experiment,
            manifest.seed,
            manifest.version
        );
        for change in &manifest.changes {
            about.push_str(&format!(" Changed on the way: {}.", change.what.join(", ")));
        }
        about
    }
}

/// The average of the runs' centres, each of unit length: only the direction of weights counts.
fn average(runs: &[Run]) -> Vec<f64> {
    if let [run] = runs {
        return run.centre.clone();
    }
    let mut sum = vec![0.0; runs[0].centre.len()];
    for run in runs {
        let length = run.centre.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
        for (sum, weight) in sum.iter_mut().zip(&run.centre) {
            *sum += weight / if length > 0.0 { length } else { 1.0 } / runs.len() as f64;
        }
    }
    sum
}
