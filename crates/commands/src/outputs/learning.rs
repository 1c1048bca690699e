//! What commands print about runs.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use train::run::expectation::Outcome;
use train::run::record::{Contest, Measured};

use super::Output;

/// What came of an experiment.
#[derive(Serialize, JsonSchema)]
pub struct Learned {
    /// The experiment or its file.
    pub experiment: String,
    /// `quick`, or empty for the experiment itself.
    pub variant: String,
    /// The folder of the run.
    pub folder: PathBuf,
    /// The file of what was learned.
    pub model: PathBuf,
    /// The page.
    pub report: PathBuf,
    /// The seed of everything.
    pub seed: u64,
    /// Why each run is over; null if it is not.
    pub ended: Vec<Option<String>>,
    /// The scores, as in `scores.json`.
    pub scores: Vec<Contest>,
    /// What was expected, and whether it came.
    pub expected: Vec<Expected>,
}

impl Output for Learned {
    const SCHEMA: &'static str = "learn/1";
    const WHAT: &'static str = "learn: the folder of the run and the scores of what was learned";
}

/// An expectation beside what was found.
#[derive(Serialize, JsonSchema)]
pub struct Expected {
    /// What it is about.
    pub score: String,
    /// What is expected, in words.
    pub expected: String,
    /// What was found.
    pub found: Measured,
    /// Whether that is it.
    pub outcome: Outcome,
}

/// Every run in a folder.
#[derive(Serialize, JsonSchema)]
pub struct RunList {
    /// The runs, the oldest first.
    pub runs: Vec<ListedRun>,
}

impl Output for RunList {
    const SCHEMA: &'static str = "runs/1";
    const WHAT: &'static str = "runs: every run in a folder";
}

/// A run as it is listed.
#[derive(Serialize, JsonSchema)]
pub struct ListedRun {
    /// Its folder.
    pub folder: PathBuf,
    /// The experiment or its file.
    pub experiment: String,
    /// `quick`, or empty for the experiment itself.
    pub variant: String,
    /// When it began, in UTC.
    pub started: String,
    /// The seed of everything.
    pub seed: u64,
    /// Generations done, of all runs of the experiment.
    pub generations: u64,
    /// Games played to learn.
    pub games: u64,
    /// Working time.
    pub seconds: f64,
    /// `done`, or how it goes on.
    pub state: String,
    /// The newest fitness or curve.
    pub last: Option<f64>,
    /// The scores, as in `scores.json`.
    pub scores: Vec<Contest>,
}
