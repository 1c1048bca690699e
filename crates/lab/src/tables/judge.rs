//! How far a function is from the end of games that it has not learned from, phase by phase.

use games::othello::Phases;
use learn::fitting::Loss;
use rayon::prelude::*;

use super::Form;
use super::positions::{Example, Positions};
use crate::statistics::t95;

/// The most that a game can be won by.
const MOST: f64 = 64.0;

/// A mean over positions, with an interval that knows that the positions of one game are no independent trials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval; infinite for fewer than two games.
    pub half: f64,
    /// Positions.
    pub positions: usize,
    /// Games that they are of.
    pub games: usize,
}

impl Mean {
    /// The mean of values, each with its game.
    fn of(mut values: Vec<(u32, f64)>) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        values.sort_by_key(|(game, _)| *game);
        let count = values.len() as f64;
        let mean = values.iter().map(|(_, value)| value).sum::<f64>() / count;
        // The variance of a ratio of sums over games (Cochran 1977, section 2.11).
        let (mut games, mut squares) = (0usize, 0.0);
        for game in values.chunk_by(|a, b| a.0 == b.0) {
            let off: f64 = game.iter().map(|(_, value)| value - mean).sum();
            squares += off * off;
            games += 1;
        }
        let half = match games {
            0 | 1 => f64::INFINITY,
            _ => t95(games - 1) * (squares * games as f64 / (games - 1) as f64).sqrt() / count,
        };
        Some(Self { mean, half, positions: values.len(), games })
    }
}

/// The errors of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Over all positions.
    pub all: Mean,
    /// Of each phase; none where there are no positions.
    pub phases: Vec<Option<Mean>>,
    /// What saying 0 everywhere comes to.
    pub constant: Mean,
    /// The share of positions of games not drawn whose winner it names.
    pub winner: Option<Mean>,
}

/// What is wrong with a value for the side to move: of a linear function the absolute error of the final difference, cut off at
/// 64, of a logistic one the cross-entropy.
fn error(form: Form, value: f64, score: i8) -> f64 {
    match form {
        Form::Linear => (value.clamp(-MOST, MOST) - f64::from(score)).abs(),
        Form::Logistic => Loss::CrossEntropy.of(value, f64::from(score.signum())).0,
    }
}

/// Compares what a function says, for the side to move, with how games ended. None if there are no positions.
pub fn judge(
    positions: &Positions,
    phases: &Phases,
    form: Form,
    value: &(dyn Fn(&Example) -> f64 + Sync),
) -> Option<Judged> {
    let all = positions.all();
    let said: Vec<f64> = all.par_iter().map(value).collect();
    let wrong = |(one, said): (&Example, &f64)| (one.game, error(form, *said, one.score));
    let errors: Vec<(u32, f64)> = all.iter().zip(&said).map(wrong).collect();
    let mut of_phases = vec![Vec::new(); phases.count()];
    for (one, &error) in all.iter().zip(&errors) {
        of_phases[phases.of((one.own | one.other).count_ones())].push(error);
    }
    let constant = all.iter().map(|one| (one.game, error(form, 0.0, one.score))).collect();
    let decided = all.iter().zip(&said).filter(|(one, _)| one.score != 0);
    let right = decided.map(|(one, &said)| (one.game, f64::from(u8::from((said > 0.0) == (one.score > 0)))));
    Some(Judged {
        all: Mean::of(errors)?,
        phases: of_phases.into_iter().map(Mean::of).collect(),
        constant: Mean::of(constant)?,
        winner: Mean::of(right.collect()),
    })
}
