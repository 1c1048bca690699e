//! What a run writes down: one line a generation, where it comes from, and how good its result is. Everything a report
//! needs is in these.

use std::collections::BTreeMap;

use learn::learners::Diagnostics;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Elo, Mean, Pentanomial, Summary};

use super::folder::Identity;

/// The unit of games for two: both players begin once from the same opening.
pub const PAIRS: &str = "pairs";

/// The format of run folders.
pub const FORMAT: &str = "evalforge run 1";

/// One generation, as a line of `log.jsonl`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub generation: u64,
    /// The variant of the experiment, if it is not the experiment itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// Vectors tried since the beginning.
    pub evaluations: u64,
    /// Games played for the vectors since the beginning.
    pub games: u64,
    /// Working time since the beginning, in seconds.
    pub seconds: f64,
    /// The best fitness of this generation.
    pub best: f64,
    /// The mean fitness of this generation.
    pub mean: f64,
    /// The 95 % interval of `mean` over the vectors; none of fewer than two.
    #[serde(default)]
    pub mean_ci95: Option<[f64; 2]>,
    /// Games that each vector of this generation played.
    pub games_each: Vec<u32>,
    /// The most games that a vector could have played: `r_limit` where there is racing.
    pub most_games: f64,
    /// What would be deployed now.
    pub centre: Vec<f64>,
    /// How the learner stands.
    pub standing: Diagnostics,
    /// What the centre scores in the game that it is measured on, where that is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<Measured>,
    /// The same against each of several opponents by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<Opponent>,
    /// How near a function that imitates has come to what it imitates. Files keep the first name of it.
    #[serde(default, rename = "taught", skip_serializing_if = "Option::is_none")]
    pub imitation: Option<ImitationLine>,
}

/// A learned policy and the expert that it imitates, on positions that were not learned from, before and after the fit.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ImitationLine {
    /// Positions that were learned from.
    pub boards: usize,
    /// The mean loss.
    pub loss: [f64; 2],
    /// The share of positions in which they choose the same.
    pub agreement: [Measured; 2],
    /// What the expert thinks is lost by a choice of the policy.
    pub regret: [Measured; 2],
}

/// What the centre takes from one opponent.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Opponent {
    /// Who is met.
    pub against: String,
    /// The share of the points in pairs of games, or the mean lead where fitness is by margin.
    pub score: Measured,
}

/// A mean with its count and 95 % interval; there is no interval of fewer than two games.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Measured {
    /// The mean.
    pub mean: f64,
    /// Games; of a game for two, pairs of games.
    pub n: usize,
    /// Its 95 % interval.
    pub ci95: Option<[f64; 2]>,
}

impl Measured {
    /// Of these scores.
    pub fn of(scores: &[f64]) -> Self {
        let mean = Mean::of(scores);
        Self { mean: mean.mean, n: mean.n, ci95: (mean.n > 1).then_some(mean.ci95) }
    }

    /// Of the shares of the points of pairs of games, each of 0 to 1 in quarters. The interval is that of a match: it stays within 0 and 1,
    /// and is no point when all pairs end alike.
    pub fn share(scores: &[f64]) -> Self {
        let mut pairs = Pentanomial::default();
        scores.iter().for_each(|score| pairs.add((4.0 * score).round() as usize));
        Self { ci95: (scores.len() > 1).then(|| Elo::of_pairs(&pairs).score_ci95), ..Self::of(scores) }
    }

    /// For people, as "3949 [3699, 4198]"; small numbers with two decimals.
    pub fn text(&self) -> String {
        let digits = if self.mean.abs() < 100.0 { 2 } else { 0 };
        let interval = |[low, high]: [f64; 2]| format!(" [{low:.digits$}, {high:.digits$}]");
        format!("{:.digits$}{}", self.mean, self.ci95.map_or(String::new(), interval))
    }

    /// Of scores that follow the exponential law: mean times 1 ± 2 / sqrt(n).
    pub fn exponential(scores: &[f64]) -> Self {
        let summary = Summary::of(scores);
        Self { mean: summary.mean, n: summary.n, ci95: (summary.n > 0).then_some(summary.exponential_ci95) }
    }
}

/// Where a run comes from, `manifest.json`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Manifest {
    /// `"evalforge run 1"`.
    pub format: String,
    /// The name of the experiment, or of its file.
    pub experiment: String,
    /// The variant of it, `quick`; empty if it is the experiment itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// The version of the program.
    pub version: String,
    /// The commit that it was built from.
    pub commit: String,
    /// The checksum of its sources that a result may depend on; earlier versions did not tell.
    #[serde(default)]
    pub source: String,
    /// The processor.
    pub cpu: String,
    /// Threads when it began; the result does not depend on them.
    pub threads: usize,
    /// The seed of everything.
    pub seed: u64,
    /// When it began, in UTC.
    pub started: String,
    /// The names of the parameters that are learned.
    pub parameters: Vec<String>,
    /// What fitness and curves are counted in.
    pub unit: String,
    /// What the log counts as games: `pairs` of games, or empty for games.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub counted: String,
    /// The configuration, as `config.toml` holds it unless somebody edits that.
    #[serde(default)]
    pub config: String,
    /// The checksum of the plan that was made of it.
    #[serde(default)]
    pub plan: String,
    /// The files that it names, with their checksums.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// What was changed on the way, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// A change that a run has gone on over.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Change {
    /// When it was accepted, in UTC.
    pub when: String,
    /// What was, and what is since, each in words.
    pub what: Vec<String>,
    /// What the run was until then.
    pub before: Identity,
}

impl Manifest {
    /// How many games one of the log's is: two where pairs are counted.
    pub fn games_each(&self) -> u64 {
        if self.counted == PAIRS { 2 } else { 1 }
    }
}

impl Contest {
    /// What its scores are counted in: a score in a game for two is of pairs of games.
    pub fn counted(&self) -> &'static str {
        if self.against.is_some() || self.title.ends_with("in pairs of games") { PAIRS } else { "games" }
    }
}

/// How good the result is, `scores.json`: one entry for each game that it was measured in.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Contest {
    /// The game, as "tetris 10x10".
    pub title: String,
    /// The options of its rules that differ from the default.
    pub rules: BTreeMap<String, String>,
    /// The seed of the games.
    pub seed: u64,
    /// In a game for two: who is met, and the score is a share of the points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The learned player first, then those it is compared with.
    pub players: Vec<Scored>,
}

/// A player's score.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Scored {
    /// Its name; "learned" for the result of the run.
    pub player: String,
    /// Its mean.
    pub score: Measured,
    /// The learned player's mean over this one's on the same games, with its interval; none for itself.
    pub ratio: Option<(f64, [f64; 2])>,
}
