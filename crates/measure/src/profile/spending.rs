//! How a player spends the time of a game, and from which step on it knows who wins.

use std::collections::BTreeMap;

use games::Side;
use schemars::JsonSchema;
use serde::Serialize;
use stats::Mean;

use super::Sample;

/// A step of the game.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct StepSpending {
    /// The step (moves of both sides, from 1).
    pub step: u32,
    /// Plies that were searched in full.
    pub depth: Mean,
    /// Seconds of the move.
    pub seconds: Mean,
    /// Seconds that were left before it.
    pub left: Mean,
    /// Searches after which it was known who wins.
    pub settled: usize,
}

/// All steps, and what became known.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Spending {
    /// The steps.
    pub steps: Vec<StepSpending>,
    /// For each side of each game in turn: from which of its steps on it always knew who wins; none if it never did.
    pub known_from: Vec<Option<u32>>,
    /// The median of these; none if fewer than half of them ever knew.
    pub median: Option<f64>,
}

impl Spending {
    /// Of these games.
    pub fn of(games: &[Vec<Sample>]) -> Self {
        let mut steps: BTreeMap<u32, Vec<&Sample>> = BTreeMap::new();
        for sample in games.iter().flatten() {
            steps.entry(sample.step).or_default().push(sample);
        }
        let known_from: Vec<_> =
            games.iter().flat_map(|game| Side::BOTH.map(|side| known_from(game, side))).collect();
        let steps = steps.into_iter().map(|(step, samples)| StepSpending::of(step, &samples)).collect();
        let median = median(&known_from);
        Self { steps, known_from, median }
    }
}

impl StepSpending {
    fn of(step: u32, samples: &[&Sample]) -> Self {
        let mean =
            |number: fn(&Sample) -> f64| Mean::of(&samples.iter().map(|it| number(it)).collect::<Vec<_>>());
        Self {
            step,
            depth: mean(|it| f64::from(it.depth)),
            seconds: mean(|it| it.seconds),
            left: mean(|it| it.left.unwrap_or(f64::NAN)),
            settled: samples.iter().filter(|it| it.settled).count(),
        }
    }
}

/// The first of the last steps of a side that were all settled.
fn known_from(game: &[Sample], side: Side) -> Option<u32> {
    let own = game.iter().rev().filter(|it| it.side == side);
    own.take_while(|it| it.settled).last().map(|it| it.step)
}

/// Those that never knew come last.
fn median(known_from: &[Option<u32>]) -> Option<f64> {
    let mut sorted: Vec<f64> = known_from.iter().map(|step| step.map_or(f64::INFINITY, f64::from)).collect();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    let middle = match sorted.len() {
        0 => return None,
        n if n % 2 == 1 => sorted[half],
        _ => (sorted[half - 1] + sorted[half]) / 2.0,
    };
    Some(middle).filter(|middle| middle.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(step: u32, settled: bool) -> Sample {
        let side = Side::BOTH[(step as usize + 1) % 2];
        Sample { step, side, moves: 9, depths: Vec::new(), depth: 3, seconds: 0.5, left: Some(2.0), settled }
    }

    #[test]
    fn a_side_knows_from_where_it_never_doubts_again() {
        let game = |settled: &[bool]| -> Vec<Sample> {
            settled.iter().zip(1..).map(|(&settled, step)| sample(step, settled)).collect()
        };
        let games =
            [game(&[true, false, false, true, true, true, true]), game(&[false, true, false, true, false])];
        let spending = Spending::of(&games);
        assert_eq!(spending.known_from, [Some(5), Some(4), None, Some(2)]);
        assert_eq!(spending.median, Some(4.5));
        assert_eq!((spending.steps.len(), spending.steps[3].settled, spending.steps[0].settled), (7, 2, 1));
        assert_eq!((spending.steps[0].seconds.mean, spending.steps[0].left.mean), (0.5, 2.0));
        assert_eq!(median(&[None, None, Some(3)]), None);
        assert_eq!(median(&[]), None);
    }
}
