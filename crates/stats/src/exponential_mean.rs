//! The interval of the mean of exponential values, right for any number of them, and for values that were not waited for.
//!
//! The sum of n exponential values over their mean follows the gamma law of n, so that the mean lies between the sum over
//! the upper point of that law and the sum over the lower one. Where the waiting was broken off, the sum of all waiting takes
//! the place of the sum of values, and the upper point is that of n + 1 (Cox 1953): the interval is then no narrower than it should be.

use super::line::chi_square;
use super::{Z95, normal_below};

/// From so many values on an approximation is as good, and a power of e would be too small for a number.
const MANY: usize = 100;

/// The 95 % interval of the mean of `n` exponential values; `sum` is theirs and that of all that was broken off, if any was.
pub fn exponential_mean_ci95(n: usize, sum: f64, broken_off: bool) -> [f64; 2] {
    let [upper, lower] = [gamma_quantile(n + usize::from(broken_off), Z95), gamma_quantile(n, -Z95)];
    [if upper > 0.0 { sum / upper } else { 0.0 }, if lower > 0.0 { sum / lower } else { f64::INFINITY }]
}

/// The value of the gamma law of a whole number below which lies what lies below `z` in the normal law; 0 for none.
fn gamma_quantile(n: usize, z: f64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    if n >= MANY {
        return chi_square(2.0 * n as f64, z) / 2.0;
    }
    let (share, mut low, mut high) = (normal_below(z), 0.0, 2.0 * n as f64 + 20.0);
    // Each step halves what is left: 100 leave nothing.
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if gamma_below(n, middle) < share { low = middle } else { high = middle }
    }
    low
}

/// The share of the gamma law of n below x: n events of a Poisson law of x or more.
fn gamma_below(n: usize, x: f64) -> f64 {
    let (mut term, mut fewer) = (math::exp(-x), 0.0);
    for k in 0..n {
        fewer += term;
        term *= x / (k + 1) as f64;
    }
    1.0 - fewer
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::draws::exponentials;
    use super::*;

    #[test]
    fn quantiles_as_tabulated() {
        // Half of the chi-square points of 2 n degrees of freedom.
        for (n, low, high) in [
            (1, 0.050_636, 7.377_759),
            (4, 2.179_731, 17.534_546),
            (5, 3.246_973, 20.483_177),
            (15, 16.790_772, 46.979_242),
        ] {
            assert!((2.0 * gamma_quantile(n, -Z95) - low).abs() < 1e-5, "{n}");
            assert!((2.0 * gamma_quantile(n, Z95) - high).abs() < 1e-5, "{n}");
        }
    }

    #[test]
    fn many_values_go_on_where_few_end() {
        for z in [-Z95, Z95] {
            let [few, many] = [MANY - 1, MANY].map(|n| gamma_quantile(n, z));
            // One more value adds one and a little.
            assert!((many - few - 1.0).abs() < 0.12, "{few} {many}");
        }
        // As by 2/sqrt(n), which is 2 % for so many.
        let [low, high] = exponential_mean_ci95(10_000, 10_000.0, false);
        assert!((low - 0.98).abs() < 1e-3 && (high - 1.02).abs() < 1e-3, "{low} {high}");
    }

    #[test]
    fn no_value_says_nothing_from_above() {
        let [low, high] = exponential_mean_ci95(0, 5.0, true);
        // One exponential value of 5 or more: the mean is hardly below 5 / 3.69.
        assert!((low - 5.0 / 3.688_879).abs() < 1e-5 && high == f64::INFINITY, "{low} {high}");
    }

    #[test]
    fn few_values_are_covered_too_broken_off_or_not() {
        let mut dice = Dice::seeded(&[5]);
        let (trials, mut covered, mut censored) = (2_000, 0, 0);
        for _ in 0..trials {
            let values = exponentials(&mut dice, 7.0, 4);
            let [low, high] = exponential_mean_ci95(4, values.iter().sum(), false);
            covered += u32::from(low <= 7.0 && 7.0 <= high);
            // None is waited for longer than 9.
            let over = values.iter().filter(|&&value| value <= 9.0).count();
            let sum = values.iter().map(|value| value.min(9.0)).sum();
            let [low, high] = exponential_mean_ci95(over, sum, over < 4);
            censored += u32::from(low <= 7.0 && 7.0 <= high);
        }
        // 95 % is 1,900, with a standard error of 10; the second is cautious.
        assert!((1_870..=1_930).contains(&covered), "{covered}");
        assert!((1_870..=2_000).contains(&censored), "{censored}");
    }
}
