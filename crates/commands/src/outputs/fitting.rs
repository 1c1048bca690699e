//! What commands print that make and fit data.

use play::search::probcut::ProbCutFile;
use schemars::JsonSchema;
use serde::Serialize;
use train::fit::Judged;

use super::{Options, Output};

/// Positions that were written.
#[derive(Serialize, JsonSchema)]
pub struct Labelled {
    /// The game.
    pub game: String,
    /// The options of its rules.
    pub options: Options,
    /// Who played.
    pub players: Vec<String>,
    /// Games that were played or read.
    pub games: usize,
    /// Random plies before a game begins.
    pub opening_plies: usize,
    /// How many more random plies there may be, by lot.
    pub more_opening_plies: usize,
    /// How positions are labelled.
    pub label: String,
    /// One position in so many is taken.
    pub every: usize,
    /// Whether equal positions are written once.
    pub distinct: bool,
    /// The seed of everything.
    pub seed: u64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Whether all games were played: false after Ctrl-C.
    pub complete: bool,
    /// Positions that were written.
    pub positions: u64,
    /// Positions that were left out since they were equal to another.
    pub duplicates: u64,
    /// Labels above 0.
    pub above: u64,
    /// Labels that are 0.
    pub zero: u64,
    /// Labels below 0.
    pub below: u64,
    /// The mean label; null if there is no position.
    pub mean_label: Option<f64>,
    /// The file that was written.
    pub file: String,
    /// Its format: text or packed.
    pub format: String,
    /// Its length.
    pub bytes: u64,
    /// Different openings.
    pub openings: usize,
    /// What was left out of recorded games; only of such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<LeftOut>,
}

impl Output for Labelled {
    const SCHEMA: &'static str = "label/1";
    const WHAT: &'static str = "label: what was written";
}

/// Recorded games that were left out.
#[derive(Serialize, JsonSchema)]
pub struct LeftOut {
    /// Games of other years.
    pub other_years: usize,
    /// Games without a result.
    pub without_score: usize,
}

/// A model and how good it is.
#[derive(Serialize, JsonSchema)]
pub struct Fit {
    /// The game.
    pub game: String,
    /// The file of positions.
    pub data: String,
    /// The features as they were asked for.
    pub input: String,
    /// How many features there are.
    pub features: usize,
    /// The form of the model.
    pub model: String,
    /// How many parameters it has.
    pub parameters: usize,
    /// The optimiser with its settings.
    pub optimiser: String,
    /// What is made small.
    pub loss: String,
    /// The weight of the squared parameters.
    pub decay: f64,
    /// The seed of everything.
    pub seed: u64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Positions that were learned from.
    pub positions: usize,
    /// Games that `positions` are from.
    pub games: usize,
    /// Positions that were held out.
    pub validation_positions: usize,
    /// Positions that were not selected.
    pub not_selected: usize,
    /// Positions that were dropped by lot.
    pub dropped: usize,
    /// Positions that were left out since the move before is not known.
    pub without_move: usize,
    /// The start whose result is kept, from 1.
    pub best_start: usize,
    /// Every start.
    pub starts: Vec<FitStart>,
    /// Whether it is judged by positions that it has not learned from.
    pub held_out: bool,
    /// How good it is.
    pub judged: Judged,
    /// Whether the fit came to its end: false after Ctrl-C.
    pub complete: bool,
    /// The file of the model; null if none was asked for.
    pub out: Option<String>,
    /// How long it took.
    pub seconds: f64,
}

impl Output for Fit {
    const SCHEMA: &'static str = "fit/1";
    const WHAT: &'static str = "fit: a model and how good it is";
}

/// A fit from one start.
#[derive(Serialize, JsonSchema)]
pub struct FitStart {
    /// Why it ended.
    pub stop: String,
    /// The iteration that is kept.
    pub best_iteration: usize,
    /// The loss of the iteration that is kept, of what was learned from.
    pub training_loss: f64,
    /// The loss of the iteration that is kept, of what was held out.
    pub validation_loss: Option<f64>,
    /// The losses on the way.
    pub trace: Vec<FitStep>,
}

/// A step of a fit.
#[derive(Serialize, JsonSchema)]
pub struct FitStep {
    /// Its number.
    pub iteration: usize,
    /// The loss of what was learned from.
    pub training: f64,
    /// The loss of what was held out.
    pub validation: Option<f64>,
}

/// A function as the file of another program.
#[derive(Serialize, JsonSchema)]
pub struct Exported {
    /// The model.
    pub model: String,
    /// The program whose file it is.
    pub to: String,
    /// The file that was written.
    pub file: String,
    /// Its length.
    pub bytes: usize,
    /// Where the model comes from, in words.
    pub about: String,
}

impl Output for Exported {
    const SCHEMA: &'static str = "export/1";
    const WHAT: &'static str = "fit export: the file that was written";
}

/// How certain a shallow search is of a deep one.
#[derive(Serialize, JsonSchema)]
pub struct ProbCut {
    /// What a file of it holds.
    #[serde(flatten)]
    pub file: ProbCutFile,
    /// The 95 % interval of sigma of each row.
    pub sigma_ci95: Vec<[f64; 2]>,
}

impl Output for ProbCut {
    const SCHEMA: &'static str = "probcut/1";
    const WHAT: &'static str = "tune probcut: the rows of a fit";
}
