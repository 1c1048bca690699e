//! Noise seen and answered: UH-CMA-ES (Hansen, Niederberger, Guzzella, Koumoutsakos, A Method for Handling Uncertainty in
//! Evolutionary Optimization, 2009).
//!
//! Some offspring of every generation are tried twice. If their ranks change by more than chance would move a few of them,
//! every vector gets more effort, and when that has reached its limit the steps are made longer, until the
//! differences between the vectors are as large as the noise.

use serde::{Deserialize, Serialize};

use crate::random::Random;

/// The paper's theta: below it, rank changes are no trouble.
const THETA: f64 = 0.2;
/// The paper's alpha_t: effort is multiplied or divided by it.
const EFFORT_FACTOR: f64 = 1.5;

/// The measure of the noise and the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Uncertainty {
    /// The paper's t_eval, between 1 and the setting `max_effort`.
    pub effort: f64,
    /// The last s.
    level: f64,
}

impl Uncertainty {
    /// No noise seen yet.
    pub fn new() -> Self {
        Self { effort: 1.0, level: 0.0 }
    }

    /// How many of the offspring to try twice: the paper's lambda_reev, a tenth of them but no less than 2, a broken number
    /// rounded up as often as it has to be.
    pub fn twice(population: usize, random: &mut Random) -> usize {
        let wanted = f64::max(2.0, 0.1 * population as f64);
        (wanted.floor() as usize + usize::from(random.unit() < wanted.fract())).min(population)
    }

    /// Takes the values of a generation and the second ones of its first offspring. Returns the order, best first, by both,
    /// and the factor for the step size.
    pub fn answer(
        &mut self,
        values: &[f64],
        again: &[f64],
        dimension: usize,
        max_effort: f64,
    ) -> (Vec<usize>, f64) {
        let second = second_values(values, again);
        let (first_ranks, second_ranks) = joint_ranks(values, &second);
        self.level = measure(&first_ranks[..again.len()], &second_ranks[..again.len()], values.len());

        // The treatment: effort first, step size when there is no more effort to be had.
        let mut factor = 1.0;
        if self.level > 0.0 {
            if self.effort < max_effort {
                self.effort = (self.effort * EFFORT_FACTOR).min(max_effort);
            } else {
                factor = 1.0 + 2.0 / (dimension as f64 + 10.0); // alpha_sigma
            }
        } else if self.level < 0.0 {
            self.effort = (self.effort / EFFORT_FACTOR).max(1.0);
        }

        // Offspring are ordered by the sum of both ranks, then by both values.
        let key = |k: usize| (first_ranks[k] + second_ranks[k], values[k] / 2.0 + second[k] / 2.0);
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| {
            let ((rank_a, value_a), (rank_b, value_b)) = (key(a), key(b));
            rank_b.total_cmp(&rank_a).then(value_b.total_cmp(&value_a))
        });
        (order, factor)
    }
}

/// The second values; an offspring tried once keeps its first.
///
/// The vectors of a series share their games, so that all second values may be higher than the first because those games
/// were easier. That says nothing of the ranks: the common part of the differences is taken out, and what is left is
/// stretched to the variance that it had before.
fn second_values(values: &[f64], again: &[f64]) -> Vec<f64> {
    let mut second = values.to_vec();
    let count = again.len() as f64;
    let common = again.iter().zip(values).map(|(new, old)| (new - old) / count).sum::<f64>();
    let stretch = (count / (count - 1.0)).sqrt();
    for (k, new) in again.iter().enumerate() {
        second[k] = values[k] + (new - values[k] - common) * stretch;
    }
    second
}

/// The rank of every value among all of both lists, the least 1; equal values share their mean rank.
fn joint_ranks(first: &[f64], second: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut sorted = [first, second].concat();
    sorted.sort_by(f64::total_cmp);
    let rank = |value: &f64| {
        let (below, up_to) = (sorted.partition_point(|v| v < value), sorted.partition_point(|v| v <= value));
        (below + up_to + 1) as f64 / 2.0
    };
    (first.iter().map(rank).collect(), second.iter().map(rank).collect())
}

/// The paper's s: twice the rank changes less what is tolerated of them, on average.
fn measure(first: &[f64], second: &[f64], population: usize) -> f64 {
    let excess = |(&old, &new): (&f64, &f64)| {
        let change = ((new - old).abs() - 1.0).max(0.0);
        let above = |a: f64, b: f64| f64::from(u8::from(a > b));
        2.0 * change
            - tolerated(new - above(new, old), population)
            - tolerated(old - above(old, new), population)
    };
    first.iter().zip(second).map(excess).sum::<f64>() / first.len() as f64
}

/// The paper's limit of a rank change: the theta / 2 quantile of the changes to any other rank.
fn tolerated(rank: f64, population: usize) -> f64 {
    let mut changes: Vec<f64> = (1..2 * population).map(|other| (other as f64 - rank).abs()).collect();
    let place = THETA / 2.0 * (changes.len() - 1) as f64;
    let (_, &mut below, rest) = changes.select_nth_unstable_by(place.floor() as usize, f64::total_cmp);
    let above = rest.iter().copied().fold(f64::INFINITY, f64::min);
    below + place.fract() * (above - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_values_again_are_no_noise() {
        let values: Vec<f64> = (0..10).map(f64::from).collect();
        let mut uncertainty = Uncertainty { effort: 3.0, level: 0.0 };
        // The second series had easier games.
        let (order, factor) = uncertainty.answer(&values, &[7.0, 8.0], 8, 10.0);
        assert_eq!((order[0], order[9], factor), (9, 0, 1.0));
        assert!(uncertainty.level < 0.0);
        assert_eq!(uncertainty.effort, 2.0);
    }

    #[test]
    fn noise_asks_for_effort_and_then_for_longer_steps() {
        let values: Vec<f64> = (0..10).map(f64::from).collect();
        let mut uncertainty = Uncertainty::new();
        let factors: Vec<f64> = (0..7).map(|_| uncertainty.answer(&values, &[9.0, -9.0], 8, 5.0).1).collect();
        assert_eq!(uncertainty.effort, 5.0);
        assert_eq!(factors[3], 1.0);
        assert_eq!(factors[4..], [1.0 + 2.0 / 18.0; 3]);
    }

    #[test]
    fn tolerated_changes_by_hand() {
        // |1 - 3| ... |7 - 3| sorted: 0 1 1 2 2 3 4; a tenth of the way from the first to the last is 0.6.
        assert!((tolerated(3.0, 4) - 0.6).abs() < 1e-12);
    }

    #[test]
    fn two_or_a_tenth_are_tried_twice() {
        let mut random = Random::seeded(1);
        assert!((0..20).all(|_| Uncertainty::twice(13, &mut random) == 2));
        let many: usize = (0..1000).map(|_| Uncertainty::twice(45, &mut random)).sum();
        assert!((4400..4600).contains(&many));
    }
}
