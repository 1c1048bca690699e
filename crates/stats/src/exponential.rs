//! Do the values follow the exponential law? The test of Kolmogorov and Smirnov with the mean taken from the sample, as
//! Szita and Lorincz (2006) asked of Tetris games. An estimated mean brings the law nearer to the sample, so that the
//! usual p values are far too large (Lilliefors 1969). Stephens (1974) found a modified statistic,
//!
//! D* = (D - 0.2 / n) (sqrt(n) + 0.26 + 0.5 / sqrt(n)),
//!
//! whose upper points hardly depend on n; the points of the table below were simulated, and the tests hold them to the
//! published ones.
//!
//! Lines are whole numbers. Values that are all whole are taken for exponential ones with the fraction cut off, which is
//! the geometric law with the same mean, and both laws are compared at the whole numbers only. Where the mean is large
//! this is the usual test. Where it is small and ties abound, fewer places are looked at than the p value thinks: it is
//! too large then, not too small (Noether 1963 for a known mean; the tests simulate it for an estimated one), and a
//! rejection can be believed at any mean.

use schemars::JsonSchema;
use serde::Serialize;

/// How far a sample is from the exponential law.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct ExponentialTest {
    /// D, the greatest distance between the shares of the sample and the law with its mean.
    pub statistic: f64,
    /// The probability of such a distance or a greater one if the law holds.
    pub p_value: f64,
}

/// The columns of [`POINTS`].
const P_VALUES: [f64; 17] =
    [0.999, 0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001];

/// What D* passes with the probabilities of [`P_VALUES`], for several n: 4 million simulated samples each, 1.5 million
/// for the last. Stephens fitted the upper points, and below them some dependence on n is left.
#[rustfmt::skip]
const POINTS: [(f64, [f64; 17]); 6] = [
    (5.0, [0.2579, 0.3250, 0.4036, 0.4493, 0.5141, 0.5666, 0.6190, 0.6738, 0.7309,
           0.7934, 0.8711, 0.9912, 1.0932, 1.1818, 1.2855, 1.3496, 1.4708]),
    (10.0, [0.2847, 0.3444, 0.4151, 0.4605, 0.5231, 0.5746, 0.6235, 0.6739, 0.7282,
            0.7904, 0.8683, 0.9860, 1.0898, 1.1828, 1.2941, 1.3713, 1.5326]),
    (20.0, [0.2997, 0.3590, 0.4273, 0.4713, 0.5322, 0.5825, 0.6301, 0.6788, 0.7314,
            0.7919, 0.8687, 0.9847, 1.0874, 1.1806, 1.2937, 1.3724, 1.5380]),
    (50.0, [0.3160, 0.3744, 0.4410, 0.4835, 0.5431, 0.5922, 0.6387, 0.6859, 0.7372,
            0.7964, 0.8715, 0.9856, 1.0876, 1.1802, 1.2924, 1.3716, 1.5400]),
    (200.0, [0.3322, 0.3894, 0.4545, 0.4963, 0.5547, 0.6027, 0.6481, 0.6945, 0.7447,
             0.8028, 0.8763, 0.9887, 1.0893, 1.1812, 1.2925, 1.3710, 1.5383]),
    (1000.0, [0.3419, 0.3988, 0.4631, 0.5044, 0.5621, 0.6096, 0.6547, 0.7004, 0.7502,
              0.8079, 0.8811, 0.9921, 1.0918, 1.1829, 1.2940, 1.3719, 1.5381]),
];

/// Tests the exponential law with the mean of these values, which must be finite and not negative. Fewer than two values,
/// or zeros only, speak against nothing: distance 0, p value 1. Below five values the p value is a rough one.
#[must_use]
pub fn exponential_test(values: &[f64]) -> ExponentialTest {
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n as f64;
    if n < 2 || mean <= 0.0 {
        return ExponentialTest { statistic: 0.0, p_value: 1.0 };
    }
    let statistic = distance(values, mean);
    ExponentialTest { statistic, p_value: p_value(statistic, n) }
}

/// The greatest distance between the shares of the values and the law with this mean.
fn distance(values: &[f64], mean: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    // A whole value k stands for all from k to k + 1: the rate is that of the geometric law, q = mean / (mean + 1).
    let whole = sorted.iter().all(|value| value.fract() == 0.0);
    let (rate, span) = if whole { (math::ln_1p(1.0 / mean), 1.0) } else { (1.0 / mean, 0.0) };
    let law = |x: f64| -math::exp_m1(-rate * x.max(0.0));
    let (n, mut below, mut distance) = (sorted.len() as f64, 0, 0f64);
    for ties in sorted.chunk_by(|a, b| a == b) {
        let value = ties[0];
        let up_to = below + ties.len();
        distance = distance.max(law(value) - below as f64 / n).max(up_to as f64 / n - law(value + span));
        below = up_to;
    }
    distance
}

/// The probability that n exponential values have this distance or a greater one from the law with their mean.
fn p_value(distance: f64, n: usize) -> f64 {
    let n = n as f64;
    let modified = (distance - 0.2 / n) * (n.sqrt() + 0.26 + 0.5 / n.sqrt());
    let points = points(n);
    let last = points.len() - 1;
    if modified >= points[last] {
        // The tail of a Gaussian process: exp(-d^2 / (2 v)), v being the greatest variance of the process. At share
        // 1 - exp(-x) that is exp(-x) (1 - exp(-x)) - x^2 exp(-2 x) (Durbin 1975), at most 0.1492, at x = 0.42.
        let tail = (math::powi(points[last], 2) - math::powi(modified, 2)) / (2.0 * 0.1492);
        return P_VALUES[last] * math::exp(tail);
    }
    let right = points.partition_point(|&point| point <= modified);
    // Left of the first point lies the distance 0, which every sample has.
    let (left_point, left_p) = if right == 0 { (0.0, 1.0) } else { (points[right - 1], P_VALUES[right - 1]) };
    let part = ((modified - left_point) / (points[right] - left_point)).clamp(0.0, 1.0);
    left_p * math::powf(P_VALUES[right] / left_p, part)
}

/// The points of D* for this n: straight lines in 1 / sqrt(n), the last of them continued to infinity.
fn points(n: f64) -> [f64; 17] {
    let right = POINTS.iter().position(|row| row.0 >= n).unwrap_or(POINTS.len() - 1).max(1);
    let ((few, from), (many, to)) = (POINTS[right - 1], POINTS[right]);
    let at = |n: f64| 1.0 / n.sqrt();
    let part = ((at(few) - at(n)) / (at(few) - at(many))).max(0.0);
    std::array::from_fn(|i| from[i] + part * (to[i] - from[i]))
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::draws::{exponential, exponentials, uniform};
    use super::*;

    #[test]
    fn distances_by_hand() {
        // Mean 2; the law is 0.2212 at 0.5, 0.5276 at 1.5 and 0.8647 at 4.
        let test = exponential_test(&[4.0, 0.5, 1.5]);
        assert!((test.statistic - (1.0 - math::exp(-0.25))).abs() < 1e-12, "{test:?}");
        // Whole numbers of mean 1 are compared with shares 1/2, 3/4, 7/8 and 15/16 of the geometric law.
        let test = exponential_test(&[0.0, 3.0, 0.0]);
        assert!((test.statistic - (7.0 / 8.0 - 2.0 / 3.0)).abs() < 1e-12, "{test:?}");
    }

    #[test]
    fn critical_values_as_published() {
        // Lilliefors 1969, table 1: 10, 5 and 1 %, from far fewer samples than today's tables.
        let lilliefors = [
            (5, [0.406, 0.442, 0.504]),
            (10, [0.295, 0.325, 0.380]),
            (20, [0.212, 0.234, 0.278]),
            (30, [0.174, 0.192, 0.226]),
        ];
        for (n, distances) in lilliefors {
            for (distance, p) in distances.into_iter().zip([0.1, 0.05, 0.01]) {
                let ours = p_value(distance, n);
                assert!((ours / p - 1.0).abs() < 0.25, "{n} {distance}: {ours} for {p}");
            }
        }
        // Stephens 1974, table 1A, points of D*: 15, 10, 5, 2.5 and 1 %.
        for (modified, p) in [(0.926, 0.15), (0.990, 0.1), (1.094, 0.05), (1.190, 0.025), (1.308, 0.01)] {
            for n in [20, 100, 10_000] {
                let size = n as f64;
                let distance = modified / (size.sqrt() + 0.26 + 0.5 / size.sqrt()) + 0.2 / size;
                let ours = p_value(distance, n);
                assert!((ours / p - 1.0).abs() < 0.15, "{n} {modified}: {ours} for {p}");
            }
        }
        // The 50, 90, 95, 99 and 99.9 % points that statsmodels simulated with 10 million samples. At 7, between two rows
        // of our table, the last one is a tenth off.
        let statsmodels = [
            (7, 0.12, [0.24579, 0.34807, 0.38112, 0.44580, 0.51795]),
            (100, 0.05, [0.068968, 0.097715, 0.107522, 0.127354, 0.151501]),
            (1_600, 0.05, [0.0175488, 0.0247662, 0.0272352, 0.0322486, 0.0382988]),
        ];
        for (n, allowed, distances) in statsmodels {
            for (distance, p) in distances.into_iter().zip([0.5, 0.1, 0.05, 0.01, 0.001]) {
                let ours = p_value(distance, n);
                assert!((ours / p - 1.0).abs() < allowed, "{n} {distance}: {ours} for {p}");
            }
        }
    }

    #[test]
    fn p_values_fall_without_a_jump() {
        for n in [2, 5, 7, 100, 1_000_000] {
            let highest = 3.0 / (n as f64).sqrt();
            let ps: Vec<f64> = (0..=3_000).map(|i| p_value(highest * f64::from(i) / 3_000.0, n)).collect();
            assert!(ps.iter().all(|p| (0.0..=1.0).contains(p)));
            assert!(ps.windows(2).all(|pair| pair[0] >= pair[1] && pair[0] - pair[1] < 0.01), "{n}");
            assert!(ps[0] == 1.0 && ps[3_000] < 1e-6);
        }
    }

    #[test]
    fn p_values_of_exponential_samples_are_uniform() {
        for (n, samples) in [(5, 4_000), (14, 4_000), (100, 4_000), (3_000, 400)] {
            let mut dice = Dice::seeded(&[5, n as u64]);
            let mut ps: Vec<f64> =
                (0..samples).map(|_| exponential_test(&exponentials(&mut dice, 12.5, n)).p_value).collect();
            ps.sort_unstable_by(f64::total_cmp);
            let off = |(i, p): (usize, &f64)| (p - (i as f64 + 0.5) / f64::from(samples)).abs();
            let worst = ps.iter().enumerate().map(off).fold(0.0, f64::max);
            // Kolmogorov's 1 % point.
            assert!(worst < 1.63 / f64::from(samples).sqrt(), "{n}: {worst}");
        }
    }

    #[test]
    fn whole_numbers_are_not_rejected_for_being_whole() {
        for (mean, n) in [(0.3, 200), (1.0, 200), (3.0, 1_000), (50.0, 1_000)] {
            let mut dice = Dice::seeded(&[6, n]);
            let mut sample = || (0..n).map(|_| exponential(&mut dice, mean).floor()).collect::<Vec<_>>();
            let rejected = (0..1_000).filter(|_| exponential_test(&sample()).p_value < 0.05).count();
            // 50 are allowed on average; 70 are passed twice in a thousand.
            assert!(rejected < 70, "mean {mean}: {rejected} of 1000");
        }
    }

    #[test]
    fn other_laws_are_found_out() {
        let mut dice = Dice::seeded(&[7]);
        let flat: Vec<f64> = (0..100).map(|_| 1e4 * uniform(&mut dice)).collect();
        assert!(exponential_test(&flat).p_value < 1e-3);
        let whole: Vec<f64> = flat.iter().map(|value| value.floor()).collect();
        assert!(exponential_test(&whole).p_value < 1e-3);
        assert!(exponential_test(&[7.0; 20]).p_value < 1e-3);
        assert!(exponential_test(&[2.5; 20]).p_value < 1e-9);
        let squares: Vec<f64> = (0..200).map(|_| math::powi(exponential(&mut dice, 1.0), 2)).collect();
        assert!(exponential_test(&squares).p_value < 1e-3);
    }

    #[test]
    fn little_is_said_of_little() {
        for values in [&[][..], &[3.0], &[0.0, 0.0, 0.0]] {
            assert_eq!(exponential_test(values), ExponentialTest { statistic: 0.0, p_value: 1.0 });
        }
    }
}
