//! How good a fitted model is on examples: calibration, and the confusion of won and lost.

use learn::fitting::{Examples, Loss};
use learn::models::Model;
use schemars::JsonSchema;
use serde::Serialize;
use stats::{Share, t95};

/// Bins of the calibration.
const BINS: usize = 10;

/// A share with an interval that knows that the positions of one game are no independent trials.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Clustered {
    /// The share.
    pub share: f64,
    /// Its 95 % interval; the whole range if there are fewer than two games.
    pub ci95: [f64; 2],
    /// Positions.
    pub n: usize,
    /// Games that they are of.
    pub games: usize,
}

impl Clustered {
    /// The mean of values from 0 to 1, each with its game; those of a game stand together.
    pub fn of(values: &[(u64, f64)]) -> Self {
        let n = values.len();
        let share = values.iter().map(|(_, value)| value).sum::<f64>() / n as f64;
        // The variance of a ratio of sums over games (Cochran 1977, section 2.11).
        let (mut games, mut squares) = (0, 0.0);
        for game in values.chunk_by(|a, b| a.0 == b.0) {
            let off: f64 = game.iter().map(|(_, value)| value - share).sum();
            squares += off * off;
            games += 1;
        }
        if games < 2 {
            return Self { share, ci95: [0.0, 1.0], n, games };
        }
        if squares == 0.0 {
            // All games agree: as many trials as games.
            let ci95 = Share::of((share * games as f64).round() as usize, games).ci95;
            return Self { share, ci95, n, games };
        }
        let factor = games as f64 / (games as f64 - 1.0);
        let half = t95(games - 1) * (factor * squares).sqrt() / n as f64;
        Self { share, ci95: [(share - half).max(0.0), (share + half).min(1.0)], n, games }
    }
}

/// Positions to which the model gives about the same share of wins.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Bin {
    /// The mean share that it gives.
    pub predicted: f64,
    /// The share that they have.
    pub found: Clustered,
}

/// Won and lost, as they are and as the model says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize)]
pub struct Confusion {
    /// Won, and said to be.
    pub won_won: usize,
    /// Won, and said to be lost.
    pub won_lost: usize,
    /// Lost, and said to be won.
    pub lost_won: usize,
    /// Lost, and said to be.
    pub lost_lost: usize,
}

/// How good a model is.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Judged {
    /// The mean loss.
    pub loss: f64,
    /// The loss of the best constant: what a model that has learned nothing comes to.
    pub constant_loss: f64,
    /// From the least to the greatest share; those without positions are left out.
    pub calibration: Vec<Bin>,
    /// Drawn positions are left out.
    pub confusion: Confusion,
    /// The share of won and lost positions that it tells apart; none if there are none.
    pub right: Option<Clustered>,
}

/// Judges a model by examples; `games` names the game of each. None if there are no examples.
pub fn judge(model: &dyn Model, loss: Loss, examples: &Examples, games: &[u64]) -> Option<Judged> {
    if examples.is_empty() {
        return None;
    }
    let count = examples.len() as f64;
    let mut bins: Vec<(f64, Vec<(u64, f64)>)> = vec![(0.0, Vec::new()); BINS];
    let (mut confusion, mut right, mut sum) = (Confusion::default(), Vec::new(), 0.0);
    let even = loss.share(0.0);
    for (index, &label) in examples.labels.iter().enumerate() {
        let value = model.value(examples.row(index));
        sum += loss.of(value, label).0;
        let share = loss.share(value);
        let bin = &mut bins[((share * BINS as f64) as usize).min(BINS - 1)];
        bin.0 += share;
        bin.1.push((games[index], (1.0 + label) / 2.0));
        if label != 0.0 {
            let (won, said) = (label > 0.0, share > even);
            *match (won, said) {
                (true, true) => &mut confusion.won_won,
                (true, false) => &mut confusion.won_lost,
                (false, true) => &mut confusion.lost_won,
                (false, false) => &mut confusion.lost_lost,
            } += 1;
            right.push((games[index], f64::from(u8::from(won == said))));
        }
    }
    let calibration = bins.into_iter().filter(|(_, all)| !all.is_empty());
    let calibration = calibration
        .map(|(sum, all)| Bin { predicted: sum / all.len() as f64, found: Clustered::of(&all) })
        .collect();
    Some(Judged {
        loss: sum / count,
        constant_loss: constant_loss(loss, &examples.labels),
        calibration,
        confusion,
        right: (!right.is_empty()).then(|| Clustered::of(&right)),
    })
}

/// The mean loss of the constant that suits these labels best: their mean, on the scale of the value.
fn constant_loss(loss: Loss, labels: &[f64]) -> f64 {
    let count = labels.len() as f64;
    let mean = labels.iter().sum::<f64>() / count;
    let share = (1.0 + mean) / 2.0;
    let value = match loss {
        Loss::Squared => mean,
        // The logarithm of the odds; finite where all are won or lost.
        Loss::CrossEntropy | Loss::SigmoidSquared => math::ln(share / (1.0 - share)).clamp(-40.0, 40.0),
    };
    labels.iter().map(|&label| loss.of(value, label).0).sum::<f64>() / count
}
