//! Who becomes a parent. Parents are drawn with replacement: a good member may be drawn many times.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::random::Random;

/// How parents are drawn.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// With a probability in proportion to the value, as in the course.
    Roulette,
    /// Any of the best `truncation` of the population.
    Truncation,
    /// The best of `tournament_size` members drawn at random. Only the order of the values counts, so neither their
    /// scale nor an outlier matters: the default.
    Tournament,
}

/// The members of one generation as parents.
pub enum Pool {
    /// The weight of each member on the wheel, and their sum.
    Wheel(Vec<f64>, f64),
    /// The best members.
    Best(Vec<usize>),
    /// The value of each member, and how many of them meet in a tournament.
    Tournament(Vec<f64>, usize),
}

impl Pool {
    /// The biased wheel: p_i = f_i / sum of f. A negative value has no place on it; if there is one, the worst is
    /// subtracted from all of them, so that the worst member has no slice and the others one for what they have more.
    pub fn wheel(values: &[f64]) -> Self {
        let worst = values.iter().copied().fold(f64::INFINITY, f64::min).min(0.0);
        let weights: Vec<f64> = values.iter().map(|value| value - worst).collect();
        let sum = weights.iter().sum();
        Pool::Wheel(weights, sum)
    }

    /// A parent.
    pub fn pick(&self, random: &mut Random) -> usize {
        match self {
            // Nothing tells the members apart.
            Pool::Wheel(weights, sum) if *sum <= 0.0 => random.below(weights.len()),
            Pool::Wheel(weights, sum) => {
                let mut rest = random.unit() * sum;
                let hit = weights.iter().position(|weight| {
                    rest -= weight;
                    rest < 0.0
                });
                // Rounding may leave the ball behind the last slice.
                hit.or_else(|| weights.iter().rposition(|weight| *weight > 0.0)).unwrap_or(0)
            }
            Pool::Best(members) => members[random.below(members.len())],
            Pool::Tournament(values, size) => {
                let mut best = random.below(values.len());
                for _ in 1..*size {
                    let rival = random.below(values.len());
                    if values[rival] > values[best] {
                        best = rival;
                    }
                }
                best
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(pool: &Pool, members: usize) -> Vec<f64> {
        let mut random = Random::seeded(2);
        let mut counts = vec![0.0; members];
        for _ in 0..40_000 {
            counts[pool.pick(&mut random)] += 1.0 / 40_000.0;
        }
        counts
    }

    /// Within four standard errors.
    fn assert_shares(pool: &Pool, expected: &[f64]) {
        let found = shares(pool, expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01), "{found:?} {expected:?}");
    }

    #[test]
    fn the_wheel_draws_in_proportion() {
        assert_shares(&Pool::wheel(&[1.0, 0.0, 3.0, 4.0]), &[0.125, 0.0, 0.375, 0.5]);
        assert_shares(&Pool::wheel(&[-2.0, -3.0, 0.0]), &[0.25, 0.0, 0.75]);
        assert_shares(&Pool::wheel(&[-5.0, -5.0]), &[0.5, 0.5]);
    }

    #[test]
    fn the_best_of_a_tournament_wins_it() {
        // The worst of four wins only if drawn twice, the best if drawn at all.
        let sixteenths = [1.0, 3.0, 5.0, 7.0].map(|n| n / 16.0);
        assert_shares(&Pool::Tournament(vec![-4.0, 0.0, 1.0, 100.0], 2), &sixteenths);
        assert_shares(&Pool::Best(vec![2, 0]), &[0.5, 0.0, 0.5]);
    }
}
