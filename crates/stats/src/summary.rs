//! What there is to say about the results of one player: where the values lie and two intervals of their mean. The first
//! believes in the exponential law, the second only in the values.

use math::Dice;
use serde::Serialize;

use super::{Z95, relative_precision};

/// Resamples of the bootstrap. The ends of the interval are then good to about 3 % of its half width.
const RESAMPLES: usize = 2_000;

/// Samples above this size are not resampled: their bootstrap law is computed, see [`computed_bootstrap`].
const MOST_RESAMPLED: usize = 5_000;

/// The seed of the resampling, fixed for equal values to give equal intervals.
const SEED: u64 = 0x0b00_7572_4150;

/// Numbers that describe a sample, with two 95 % intervals of its mean. Of no values all numbers are 0; where the values
/// say nothing, an interval is infinite (and JSON, which knows no infinity, has `null` there).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// Size of the sample.
    pub n: usize,
    /// The mean.
    pub mean: f64,
    /// Standard deviation (n - 1 in the denominator), 0 for fewer than two values.
    pub sd: f64,
    /// The median; of an even number of values the mean of the two in the middle.
    pub median: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// Mean times 1 ± 2 / sqrt(n), not below 0: right if the values follow the exponential law, whose standard deviation
    /// is its mean (Thiery and Scherrer 2009, section 3.1). The upper end is infinite for no value.
    pub exponential_ci95: [f64; 2],
    /// The percentile interval of the bootstrap (Efron 1979), infinite for fewer than two values.
    pub bootstrap_ci95: [f64; 2],
}

impl Summary {
    /// Of these values, which must be finite.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        let unknown = [f64::NEG_INFINITY, f64::INFINITY];
        if n == 0 {
            return Self {
                n,
                mean: 0.0,
                sd: 0.0,
                median: 0.0,
                min: 0.0,
                max: 0.0,
                exponential_ci95: [0.0, f64::INFINITY],
                bootstrap_ci95: unknown,
            };
        }
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| math::powi(value - mean, 2)).sum();
        let relative = relative_precision(n);
        Self {
            n,
            mean,
            sd: if n < 2 { 0.0 } else { (squares / (n - 1) as f64).sqrt() },
            median: (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0,
            min: sorted[0],
            max: sorted[n - 1],
            exponential_ci95: [(mean * (1.0 - relative)).max(0.0), mean * (1.0 + relative)],
            bootstrap_ci95: match n {
                1 => unknown,
                2..=MOST_RESAMPLED => resampled_bootstrap(values),
                _ => computed_bootstrap(values),
            },
        }
    }
}

/// The 2.5 and 97.5 % points of the means of samples drawn from the values with replacement.
fn resampled_bootstrap(values: &[f64]) -> [f64; 2] {
    let n = values.len();
    let mut dice = Dice::seeded(&[SEED, n as u64]);
    let mut mean = || (0..n).map(|_| dice.pick(values)).sum::<f64>() / n as f64;
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| mean()).collect();
    means.sort_unstable_by(f64::total_cmp);
    // The k-th of N sorted values has k / (N + 1) of the law below it, on average.
    let at = |share: f64| means[(share * (RESAMPLES + 1) as f64).round() as usize - 1];
    [at(0.025), at(0.975)]
}

/// The same points without drawing. The mean of n draws from the values has standard deviation s / sqrt(n) and skewness
/// g / sqrt(n), where s and g are those of the values (n in the denominator); the first two terms of Cornish and Fisher's
/// expansion (1937), z + (z^2 - 1) g / (6 sqrt(n)), leave an error of order 1 / n, below that of the resampling.
fn computed_bootstrap(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let moment = |power| values.iter().map(|value| math::powi(value - mean, power)).sum::<f64>() / n;
    let sd = moment(2).sqrt();
    let skewness = if sd > 0.0 { moment(3) / math::powi(sd, 3) } else { 0.0 };
    let shift = (Z95 * Z95 - 1.0) * skewness / (6.0 * n.sqrt());
    [-Z95, Z95].map(|z| mean + sd / n.sqrt() * (z + shift))
}

#[cfg(test)]
mod tests {
    use super::super::draws::exponentials;
    use super::*;

    #[test]
    fn summaries_by_hand() {
        let summary = Summary::of(&[9.0, 2.0, 4.0, 5.0, 4.0, 5.0, 7.0, 4.0]);
        assert_eq!((summary.n, summary.mean, summary.median), (8, 5.0, 4.5));
        assert_eq!((summary.min, summary.max), (2.0, 9.0));
        assert!((summary.sd - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((summary.exponential_ci95[0] - 5.0 * (1.0 - 0.5f64.sqrt())).abs() < 1e-12);
        assert!((summary.exponential_ci95[1] - 5.0 * (1.0 + 0.5f64.sqrt())).abs() < 1e-12);
        assert_eq!(Summary::of(&[1.0, 2.0, 9.0]).median, 2.0);
    }

    #[test]
    fn a_hundred_games_give_twenty_per_cent() {
        assert_eq!(Summary::of(&[1_000.0; 100]).exponential_ci95, [800.0, 1_200.0]);
        assert_eq!(Summary::of(&[1_000.0; 100]).bootstrap_ci95, [1_000.0, 1_000.0]);
    }

    #[test]
    fn few_values_say_little_and_nothing_is_not_a_number() {
        let unknown = [f64::NEG_INFINITY, f64::INFINITY];
        let none = Summary::of(&[]);
        assert_eq!(
            (none.n, none.mean, none.sd, none.median, none.min, none.max),
            (0, 0.0, 0.0, 0.0, 0.0, 0.0)
        );
        assert_eq!((none.exponential_ci95, none.bootstrap_ci95), ([0.0, f64::INFINITY], unknown));
        let one = Summary::of(&[6.0]);
        assert_eq!((one.n, one.mean, one.sd, one.median, one.min, one.max), (1, 6.0, 0.0, 6.0, 6.0, 6.0));
        assert_eq!((one.exponential_ci95, one.bootstrap_ci95), ([0.0, 18.0], unknown));
        assert_eq!(Summary::of(&[0.0, 0.0]).exponential_ci95, [0.0, 0.0]);
    }

    #[test]
    fn the_bootstrap_of_two_values_is_known() {
        // The mean of two draws from 0 and 1 is 0, 1/2 or 1, the outer ones with probability 1/4.
        assert_eq!(Summary::of(&[0.0, 1.0]).bootstrap_ci95, [0.0, 1.0]);
        // Of 100 draws: binomial with n = 100 and p = 1/2, whose 2.5 and 97.5 % points are 40 and 60.
        let halves: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        let [low, high] = Summary::of(&halves).bootstrap_ci95;
        assert!((low - 0.40).abs() < 0.011 && (high - 0.60).abs() < 0.011, "{low} {high}");
    }

    #[test]
    fn drawn_and_computed_intervals_agree() {
        for (seed, n) in [(1, 1_000), (2, MOST_RESAMPLED)] {
            let values = exponentials(&mut Dice::seeded(&[seed]), 50.0, n);
            let (drawn, computed) = (resampled_bootstrap(&values), computed_bootstrap(&values));
            let half = (computed[1] - computed[0]) / 2.0;
            for end in 0..2 {
                // The 2.5 % point of 2,000 draws has a standard error of 3 % of the half width.
                assert!((drawn[end] - computed[end]).abs() < 0.1 * half, "{drawn:?} {computed:?}");
            }
        }
    }

    #[test]
    fn both_intervals_cover_the_mean_of_exponential_values() {
        let mut dice = Dice::seeded(&[3]);
        let (trials, mut covered) = (400, [0; 2]);
        for _ in 0..trials {
            let summary = Summary::of(&exponentials(&mut dice, 7.0, 100));
            let intervals = [summary.exponential_ci95, summary.bootstrap_ci95];
            for (count, [low, high]) in covered.iter_mut().zip(intervals) {
                *count += usize::from(low <= 7.0 && 7.0 <= high);
            }
        }
        // 95 % and 94 % are expected; three standard errors of 400 trials are 3.5 %.
        assert!(covered.iter().all(|&count| (360..=395).contains(&count)), "{covered:?} of {trials}");
    }

    #[test]
    fn equal_values_give_equal_summaries() {
        let values = exponentials(&mut Dice::seeded(&[4]), 1.0, 500);
        assert_eq!(Summary::of(&values), Summary::of(&values));
    }
}
