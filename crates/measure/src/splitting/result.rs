//! What the repeats come to.

use schemars::JsonSchema;
use serde::Serialize;
use stats::t95;

use super::OVER;
use super::stages::{Course, Repeat, Stage};

/// The upper end of an interval may be so many times the value for it to be trusted.
pub const NARROW: f64 = 1.5;
/// Fewer repeats than this say little about how far off they are.
const FEW: usize = 10;

/// Repeats that are whole, and the course they took.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The course.
    pub course: Course,
    /// The repeats in their order.
    pub repeats: Vec<Repeat>,
    /// How many were asked for.
    pub asked: usize,
}

/// The mean score.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Estimate {
    /// Repeats that count: those without an empty stage.
    pub n: usize,
    /// The mean score of a game: the mean score for each move over the mean of the loss rates.
    pub value: f64,
    /// Its 95 % interval from the repeats, even about the logarithm; none for one repeat.
    pub ci95: Option<[f64; 2]>,
    /// Games lost for each move.
    pub loss_rate: f64,
    /// Score for each move.
    pub score_rate: f64,
}

/// All trials from one level, over all repeats.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Level {
    /// The level, the base for ordinary play.
    pub from: u32,
    /// The level to reach; none for the end of the game.
    pub to: Option<u32>,
    /// Trials; moves for ordinary play.
    pub trials: u64,
    /// Those that reached it; entries for ordinary play.
    pub successes: u64,
    /// Their share.
    pub rate: f64,
    /// Moves made.
    pub pieces: u64,
    /// Repeats in which none did.
    pub empty: usize,
}

impl Run {
    /// Whether all repeats were played.
    pub fn complete(&self) -> bool {
        self.repeats.len() == self.asked
    }

    /// Repeats with an empty stage: they say nothing.
    pub fn missing(&self) -> usize {
        self.repeats.iter().filter(|repeat| repeat.empty_stage().is_some()).count()
    }

    /// All moves, those of the pilot left out.
    pub fn pieces(&self) -> u64 {
        self.repeats.iter().map(Repeat::all_pieces).sum()
    }

    /// The estimate; none if no repeat counts.
    pub fn estimate(&self) -> Option<Estimate> {
        let rates = self.repeats.iter().filter_map(|repeat| Some((repeat.score_rate(), repeat.loss_rate()?)));
        Estimate::of(&rates.collect::<Vec<_>>())
    }

    /// Every stage over all repeats, ordinary play first.
    pub fn levels(&self) -> Vec<Level> {
        let row = |stage: usize| {
            let of = |repeat: &Repeat| match stage {
                0 => Stage { trials: repeat.pieces, successes: repeat.entries, pieces: repeat.pieces },
                stage => repeat.stages[stage - 1],
            };
            let all = || self.repeats.iter().map(of);
            let trials = all().map(|stage| stage.trials).sum();
            let successes = all().map(|stage| stage.successes).sum();
            Level {
                from: if stage == 0 { self.course.base } else { self.course.levels[stage - 1] },
                to: Some(self.course.target(stage)).filter(|&to| to != OVER),
                trials,
                successes,
                rate: successes as f64 / (trials as f64).max(1.0),
                pieces: all().map(|stage| stage.pieces).sum(),
                empty: all().filter(|stage| stage.trials > 0 && stage.successes == 0).count(),
            }
        };
        (0..=self.course.levels.len()).map(row).collect()
    }

    /// What should keep one from trusting the estimate.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let estimate = self.estimate();
        let leaning = if estimate.is_some() { ": the value is too low rather than too high" } else { "" };
        let name = |to: Option<u32>| to.map_or("the end".to_string(), |level| level.to_string());
        for level in self.levels().iter().filter(|level| level.empty > 0) {
            let (from, to, empty) = (level.from, name(level.to), level.empty);
            warnings.push(format!(
                "nobody came from {from} to {to} in {empty} of {} repeats, which are missing{leaning}; more trials help",
                self.repeats.len()
            ));
        }
        let Some(estimate) = estimate else { return warnings };
        if let Some([_, high]) = estimate.ci95.filter(|[_, high]| *high > NARROW * estimate.value) {
            let factor = high / estimate.value;
            warnings.push(format!("the interval is too wide to trust: a factor of {factor:.1} each way"));
        }
        if estimate.n < FEW {
            let n = estimate.n;
            warnings.push(format!("{n} repeats are few: an interval takes {FEW} or more to be trusted"));
        }
        let rates = || self.repeats.iter().filter_map(Repeat::loss_rate);
        let greatest = rates().fold(0.0, f64::max) / rates().sum::<f64>();
        if estimate.n >= 4 && greatest > 0.5 {
            warnings.push(format!(
                "one of {} repeats has {:.0} % of the losses: others may have missed what it found",
                estimate.n,
                100.0 * greatest
            ));
        }
        warnings
    }
}

impl Estimate {
    /// The estimate of repeats, each with its score and its losses for each move.
    pub(super) fn of(rates: &[(f64, f64)]) -> Option<Self> {
        let n = rates.len();
        if n == 0 {
            return None;
        }
        let size = n as f64;
        let score_rate = rates.iter().map(|rate| rate.0).sum::<f64>() / size;
        let loss_rate = rates.iter().map(|rate| rate.1).sum::<f64>() / size;
        let value = score_rate / loss_rate;
        // Rates of rare events are skewed to the right: the logarithm of their mean is nearer to normal than the mean.
        let ci95 = (n > 1 && score_rate > 0.0).then(|| {
            let squares: f64 = rates.iter().map(|(s, l)| math::powi(s / score_rate - l / loss_rate, 2)).sum();
            let error = t95(n - 1) * (squares / (size - 1.0) / size).sqrt();
            [value * math::exp(-error), value * math::exp(error)]
        });
        Some(Self { n, value, ci95, loss_rate, score_rate })
    }
}
