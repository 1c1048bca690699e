//! Means and shares, never without their number and their 95 % interval.

use serde::Serialize;

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The mean of a sample, its standard deviation and the 95 % interval of the mean (normal approximation).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = (squares / (n - 1) as f64).sqrt();
        let half = Z95 * sd / (n as f64).sqrt();
        Self { n, mean, sd, ci95: [mean - half, mean + half] }
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.ci95[1] - self.ci95[0]) / 2.0
    }
}

/// A share of successes with its 95 % interval after Wilson, which stays within 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// Trials.
    pub n: usize,
    /// Successes over trials.
    pub share: f64,
    /// The interval.
    pub ci95: [f64; 2],
}

impl Share {
    /// Of `hits` successes in `n` trials.
    pub fn of(hits: usize, n: usize) -> Self {
        if n == 0 {
            return Self { n, share: f64::NAN, ci95: [0.0, 1.0] };
        }
        let (trials, share) = (n as f64, hits as f64 / n as f64);
        let z2 = Z95 * Z95 / trials;
        let middle = (share + z2 / 2.0) / (1.0 + z2);
        let half = Z95 / (1.0 + z2) * (share * (1.0 - share) / trials + z2 / (4.0 * trials)).sqrt();
        Self { n, share, ci95: [(middle - half).max(0.0), (middle + half).min(1.0)] }
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

    #[test]
    fn wilson_intervals_as_published() {
        // Wilson 95 % of 10 in 100 is 0.0552 to 0.1744; of 0 in 10, 0 to 0.2775 (Newcombe 1998 and tables after it).
        let close = |share: Share, low: f64, high: f64| {
            assert!((share.ci95[0] - low).abs() < 1e-4 && (share.ci95[1] - high).abs() < 1e-4, "{share:?}");
        };
        close(Share::of(10, 100), 0.0552, 0.1744);
        close(Share::of(0, 10), 0.0, 0.2775);
        close(Share::of(81, 263), 0.2553, 0.3662);
    }
}
