//! A share of successes with the interval of Wilson (1927), which is good for few trials and shares near 0 and 1 too.

use schemars::JsonSchema;
use serde::Serialize;

use super::Z95;

/// A share of successes with its 95 % interval after Wilson, which stays within 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
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
