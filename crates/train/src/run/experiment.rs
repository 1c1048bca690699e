//! An experiment: its runs, what is deployed of them, and how good that is.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use games::Rules as _;
use measure::journal::JournalError;
use measure::score::{Games, Live as ScoreLive, RunError, Setup, open_journal, run as play_games};
use play::files::new_file;
use rayon::prelude::*;
use stats::paired_ratio;
use thiserror::Error;

use super::config::{Config, ConfigError, options};
use super::evaluate::{Series, scores};
use super::folder::{FolderError, Lock};
use super::learn::{LearnError, Run, learn};
use super::live::Live;
use super::plan::{Deploy, Plan};
use super::record::{Contest, FORMAT, Manifest, Measured, Scored};
use super::runner::JobRunner;
use crate::tasks::{TaskText, searching};

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

/// Who makes a folder: what is written into its manifest.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The version of the program.
    pub version: String,
    /// The commit that it was built from.
    pub commit: String,
    /// The processor.
    pub cpu: String,
    /// Threads.
    pub threads: usize,
    /// Now, in UTC.
    pub now: String,
}

/// An experiment in its folder, held by this process.
pub struct Experiment {
    /// What is to be done.
    pub plan: Plan,
    /// Where.
    pub folder: PathBuf,
    /// Where it comes from.
    pub manifest: Manifest,
    _lock: Lock,
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

impl Experiment {
    /// Makes the folder of a new experiment; nothing that is there is overwritten.
    ///
    /// # Errors
    /// There is something in the folder already, or it cannot be written.
    pub fn create(plan: Plan, folder: &Path, origin: &Origin) -> Result<Self, ExperimentError> {
        let (manifest, lock) = begin_folder(folder, &plan, &plan.config.text(), origin)?;
        Ok(Self { plan, folder: folder.to_path_buf(), manifest, _lock: lock })
    }

    /// Opens the folder of an experiment that was begun.
    ///
    /// # Errors
    /// It is none, or of another version, or another process is at work in it.
    pub fn open(folder: &Path, origin: &Origin) -> Result<Self, ExperimentError> {
        let manifest = manifest_of(folder, origin)?;
        let path = folder.join("config.toml");
        let text = read(&path)?;
        let config = Config::parse(&path.display().to_string(), &text, false, &[])?;
        let plan = Plan::new(&manifest.experiment, config)?;
        let lock = Lock::take(folder)?;
        Ok(Self { plan, folder: folder.to_path_buf(), manifest, _lock: lock })
    }

    /// Runs it to its end, or until `live` says stop. Called again it goes on; what is done is not done again.
    ///
    /// # Errors
    /// A run fails, or the disk.
    pub fn run(
        &self,
        runner: &dyn JobRunner,
        threads: usize,
        live: &Live,
    ) -> Result<Finish, ExperimentError> {
        let plan = &self.plan;
        self.prepare(live);
        let learned = |run: usize| learn(plan, run, &self.run_folder(run), runner, live);
        let runs: Vec<Run> = (0..plan.config.runs).into_par_iter().map(learned).collect::<Result<_, _>>()?;
        let ended: Vec<Option<String>> = runs.iter().map(|run| run.checkpoint.ended.clone()).collect();
        if ended.iter().any(Option::is_none) {
            return Ok(Finish { whole: false, ended, scores: Vec::new() });
        }
        let task = plan.stages[0].1.build().expect("checked");
        let about = self.about(&runs);
        if plan.config.runs > 1 {
            for (number, run) in runs.iter().enumerate() {
                let model = task.model(&run.centre, format!("{about} Run {} alone.", number + 1));
                write(&self.run_folder(number).join("model.json"), &model.text())?;
            }
        }
        let path = self.folder.join("model.json");
        let point = self.deployed(&runs, runner, live)?;
        write(&path, &task.model(&point, about.clone()).text())?;
        let learned = task.model(&point, String::new()).line();
        let (contests, whole) = self.score(&learned, &point, runner, threads, live)?;
        if whole && !contests.is_empty() {
            write(&self.folder.join("scores.json"), &json(&contests))?;
            let told: Vec<String> = contests.iter().map(|contest| told(contest, plan.score_unit)).collect();
            write(&path, &task.model(&point, format!("{about} {}", told.join(" "))).text())?;
        }
        Ok(Finish { whole, ended, scores: contests })
    }

    /// Does once what takes long before somebody can be met: solving the game for a player that is perfect.
    fn prepare(&self, live: &Live) {
        let config = &self.plan.config;
        let met = config.curve.iter().flat_map(|curve| &curve.against);
        let met =
            met.chain(config.score.iter().flat_map(|score| &score.against)).chain(&config.fitness.against);
        for opponent in met {
            live.set_stage(format!("{opponent} gets ready"));
            self.plan.curve.prepare(opponent, &|| !live.stopping());
        }
        live.set_stage("");
    }

    /// A run's own folder; a single run lives in that of the experiment.
    fn run_folder(&self, run: usize) -> PathBuf {
        match self.plan.config.runs {
            1 => self.folder.clone(),
            _ => self.folder.join(format!("run-{:02}", run + 1)),
        }
    }

    /// The parameters that are deployed.
    fn deployed(&self, runs: &[Run], runner: &dyn JobRunner, live: &Live) -> Result<Vec<f64>, LearnError> {
        Ok(match self.plan.deploy {
            Deploy::Mean => runs[0].centre.clone(),
            Deploy::Average => average(runs),
            Deploy::Finalists => {
                let mut points = vec![average(runs)];
                for run in runs {
                    points.push(run.centre.clone());
                    points.extend(run.checkpoint.finalists.iter().map(|(point, _)| point.clone()));
                }
                points.dedup();
                live.set_stage(format!("{} finalists play again on fresh games", points.len()));
                let seed = Series::Finalists.seed(self.plan.config.seed, 0);
                let mut finals = self.plan.finals.clone();
                if finals.for_two() {
                    // They meet each other too.
                    let task = finals.build().expect("checked");
                    let line = |point| searching(&finals.search, &task.model(point, String::new()).line());
                    let lines: Vec<String> = points.iter().map(|point| line(point)).collect();
                    finals.opponents.extend(lines);
                }
                let games = (self.plan.config.deploy.games * finals.opponents.len().max(1)) as u64;
                let scores = scores(runner, &finals, &points, seed, games)?;
                let means = scores.iter().map(|scores| scores.iter().sum::<f64>());
                let best = means.enumerate().fold((0, f64::NEG_INFINITY), |best, (i, mean)| {
                    if mean > best.1 { (i, mean) } else { best }
                });
                points.swap_remove(best.0)
            }
        })
    }

    /// Plays the final scores; whether all games are over comes with them.
    fn score(
        &self,
        learned: &str,
        point: &[f64],
        runner: &dyn JobRunner,
        threads: usize,
        live: &Live,
    ) -> Result<(Vec<Contest>, bool), ExperimentError> {
        let mut contests = Vec::new();
        if self.plan.stages[0].1.for_two() {
            return Ok((self.matches(point, runner, live)?, true));
        }
        for (number, (score, rules)) in self.plan.config.score.iter().zip(&self.plan.scores).enumerate() {
            let search = score.search.as_ref().unwrap_or(&self.plan.config.model.search);
            let search = match search.as_str() {
                "lookahead" => format!("lookahead({learned})"),
                _ => learned.to_string(),
            };
            let players = [vec![search], score.against.clone()].concat();
            let seed = Series::Score(number).seed(self.plan.config.seed, 0);
            let setup = Setup { rules: rules.clone(), players, games: score.games, seed };
            let title = format!("tetris {}x{}", rules.width, rules.height);
            let path = self.folder.join(format!("score-{}.jsonl", number + 1));
            let (mut journal, mut games) = open_journal(&path, &setup)?;
            let mut watch = |now: &ScoreLive| {
                let over: usize = now.players.iter().map(|player| player.0).sum();
                live.set_stage(format!("{title}: {over}/{} games", setup.games * setup.players.len()));
                if live.stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            play_games(&setup, threads, &mut games, Some(&mut journal), &mut watch)?;
            if !games.complete() {
                return Ok((contests, false));
            }
            contests.push(contest(title, &setup, &games));
        }
        Ok((contests, true))
    }

    /// The share of the points that the learned player takes from each opponent, in fresh pairs of games.
    fn matches(
        &self,
        point: &[f64],
        runner: &dyn JobRunner,
        live: &Live,
    ) -> Result<Vec<Contest>, LearnError> {
        let mut contests = Vec::new();
        for (number, score) in self.plan.config.score.iter().enumerate() {
            let rules = options(&score.rules).expect("checked");
            for against in &score.against {
                live.set_stage(format!("{} games against {against}", score.games));
                let base = &self.plan.stages[0].1;
                let opponents = vec![against.clone()];
                let mut text = TaskText { rules: rules.clone(), opponents, margin: false, ..base.clone() };
                text.search = score.search.clone().unwrap_or(text.search);
                let seed = Series::Score(number).seed(self.plan.config.seed, 0);
                let points = scores(runner, &text, &[point.to_vec()], seed, score.games as u64 / 2)?;
                let by = if text.search == "greedy" { String::new() } else { format!(" by {}", text.search) };
                let score = Measured::of(&points[0]);
                let title =
                    format!("{}{by} against {against}, share of the points in pairs of games", text.name);
                let players = vec![Scored { player: "learned".into(), score, ratio: None }];
                contests.push(Contest { title, rules: rules.clone(), seed, players });
            }
        }
        Ok(contests)
    }

    /// Where the model comes from.
    fn about(&self, runs: &[Run]) -> String {
        let games: u64 = runs.iter().map(|run| run.checkpoint.games).sum();
        let generations: u64 = runs.iter().map(|run| run.checkpoint.generation).sum();
        let many = if runs.len() > 1 { format!("{} runs, ", runs.len()) } else { String::new() };
        format!(
            "Learned by {} in the experiment {}, seed {}, {many}{generations} generations, {games} games; evalforge {}.",
            self.plan.learner.name(),
            self.manifest.experiment,
            self.manifest.seed,
            self.manifest.version
        )
    }
}

/// Makes the folder of an experiment and writes what it is into it.
pub(super) fn begin_folder(
    folder: &Path,
    plan: &Plan,
    config: &str,
    origin: &Origin,
) -> Result<(Manifest, Lock), ExperimentError> {
    let refused = |error: std::io::Error| FolderError::wrong(folder, error.to_string());
    must_be_empty(folder)?;
    fs::create_dir_all(folder).map_err(refused)?;
    let lock = Lock::take(folder)?;
    let manifest = Manifest {
        format: FORMAT.into(),
        experiment: plan.name.clone(),
        version: origin.version.clone(),
        commit: origin.commit.clone(),
        cpu: origin.cpu.clone(),
        threads: origin.threads,
        seed: plan.config.seed,
        started: origin.now.clone(),
        parameters: if plan.is_logged() { plan.parameters.clone() } else { Vec::new() },
        unit: plan.unit.into(),
    };
    write(&folder.join("config.toml"), config)?;
    write(&folder.join("manifest.json"), &json(&manifest))?;
    Ok((manifest, lock))
}

/// Nothing that is there is overwritten.
pub(super) fn must_be_empty(folder: &Path) -> Result<(), FolderError> {
    match fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()) {
        true => {
            let on = format!("'evalforge resume {}' goes on with what is in it", folder.display());
            Err(FolderError::wrong(folder, format!("the folder is not empty; {on}")))
        }
        false => Ok(()),
    }
}

/// Where the experiment in a folder comes from; it must come from this version.
pub(super) fn manifest_of(folder: &Path, origin: &Origin) -> Result<Manifest, ExperimentError> {
    let path = folder.join("manifest.json");
    let manifest: Manifest = serde_json::from_str(&read(&path)?)
        .map_err(|error| FolderError::wrong(&path, format!("no manifest of a run: {error}")))?;
    if manifest.format != FORMAT || manifest.version != origin.version {
        let reason = format!(
            "made by evalforge {} ({}); this is evalforge {} ({FORMAT}), which might learn something else",
            manifest.version, manifest.format, origin.version
        );
        return Err(FolderError::wrong(folder, reason).into());
    }
    Ok(manifest)
}

pub(super) fn read(path: &Path) -> Result<String, FolderError> {
    fs::read_to_string(path).map_err(|error| FolderError::wrong(path, error.to_string()))
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

fn contest(title: String, setup: &Setup, games: &Games) -> Contest {
    let rules = setup.rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value));
    let scored = |player: usize| {
        let (learned, other) = games.paired(0, player);
        let ratio = paired_ratio(&learned, &other);
        let name = if player == 0 { "learned" } else { &setup.players[player] };
        Scored {
            player: name.to_string(),
            score: Measured::exponential(&games.lines(player)),
            // Where the other scores nothing there is no ratio to tell.
            ratio: (player > 0 && ratio.ci95[1].is_finite()).then_some((ratio.ratio, ratio.ci95)),
        }
    };
    let players = (0..setup.players.len()).map(scored).collect();
    Contest { title, rules: BTreeMap::from_iter(rules), seed: setup.seed, players }
}

/// A score in words, for the model's file.
fn told(contest: &Contest, unit: &str) -> String {
    let score = &contest.players[0].score;
    let rules: Vec<String> = contest.rules.iter().map(|(key, value)| format!("{key} {value}")).collect();
    let rules = if rules.is_empty() { String::new() } else { format!(" ({})", rules.join(", ")) };
    format!("{}{rules}: {} {unit}, n = {}.", contest.title, score.text(), score.n)
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), FolderError> {
    new_file::write(path, text.as_bytes()).map_err(|error| FolderError::disk(path, &error))
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("a record can be written") + "\n"
}
