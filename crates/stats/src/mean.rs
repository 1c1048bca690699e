//! The mean of a sample with its interval by the normal approximation.

use schemars::JsonSchema;
use serde::Serialize;

use super::Z95;

/// The mean of a sample, its standard deviation and the 95 % interval of the mean (normal approximation).
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Mean {
    /// Size of the sample.
    pub n: usize,
    /// The mean.
    pub mean: f64,
    /// Standard deviation of the sample (n - 1 in the denominator).
    pub sd: f64,
    /// The interval.
    pub ci95: [f64; 2],
}

impl Mean {
    /// Of these values; of fewer than two nothing is known, and the interval is infinite.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        if n < 2 {
            return Self { n, mean, sd: f64::NAN, ci95: [f64::NEG_INFINITY, f64::INFINITY] };
        }
        let squares: f64 = values.iter().map(|value| math::powi(value - mean, 2)).sum();
        let sd = (squares / (n - 1) as f64).sqrt();
        let half = Z95 * sd / (n as f64).sqrt();
        Self { n, mean, sd, ci95: [mean - half, mean + half] }
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.ci95[1] - self.ci95[0]) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_by_hand() {
        let mean = Mean::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((mean.n, mean.mean), (8, 5.0));
        assert!((mean.sd - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((mean.half_width() - 1.959_964 * mean.sd / 8f64.sqrt()).abs() < 1e-5);
        assert_eq!(Mean::of(&[3.0]).ci95, [f64::NEG_INFINITY, f64::INFINITY]);
    }
}
