//! Which of two players is better, and by how much, where game i of both had the same pieces. The ratio of the means has
//! the interval of Fieller (1954): all r for which the mean of a - r b is not significantly different from 0,
//!
//! (A - r B)^2 <= t^2 / n (Saa - 2 r Sab + r^2 Sbb),
//!
//! A and B being the means, S the variances and the covariance. What the pairs have in common makes it shorter; that 1 is
//! outside is the paired t test of Student; exchanging the players inverts it; and it needs no logarithm of a mean of 0.

use serde::Serialize;

use super::{Z95, t95};

/// More games than this are not worth hoping for.
const HOPELESS: f64 = 1e9;

/// Which of two is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval of the ratio is above 1.
    FirstBetter,
    /// The whole interval of the ratio is below 1.
    SecondBetter,
    /// 1 is inside.
    Open,
}

/// The ratio of the means of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratio {
    /// Pairs.
    pub n: usize,
    /// The mean of the first over that of the second; 1 if both are 0, infinite if only the second is.
    pub ratio: f64,
    /// Its 95 % interval, not below 0; the upper end is infinite where the second mean may be 0.
    pub ci95: [f64; 2],
    /// What that says.
    pub verdict: Verdict,
    /// If open: about how many more pairs would settle it, if means and spreads stayed what they are. The chance that so
    /// many do settle it is one half. None if more than 10^9.
    pub more_games: Option<usize>,
}

/// Compares `a[i]` with `b[i]`, values that are finite and not negative. What one has more than the other is left out.
#[must_use]
pub fn paired_ratio(a: &[f64], b: &[f64]) -> Ratio {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let size = n as f64;
    let mean = |values: &[f64]| if n == 0 { 0.0 } else { values.iter().sum::<f64>() / size };
    let (first, second) = (mean(a), mean(b));
    let ratio = if first == second { 1.0 } else { first / second };
    if n < 2 {
        return Ratio { n, ratio, ci95: [0.0, f64::INFINITY], verdict: Verdict::Open, more_games: None };
    }
    let ci95 = fieller(a, b, first, second);
    let verdict = match ci95 {
        [low, _] if low > 1.0 => Verdict::FirstBetter,
        [_, high] if high < 1.0 => Verdict::SecondBetter,
        _ => Verdict::Open,
    };
    let more_games = if verdict == Verdict::Open && first != second {
        // Settled when z s / sqrt(n) falls below the difference, s being the standard deviation of the differences.
        let needed = math::powi(Z95 / (first - second), 2) * variance(a, b, 1.0, 1.0);
        let more = (needed - size).max(1.0).ceil();
        (more <= HOPELESS).then_some(more as usize)
    } else {
        None
    };
    Ratio { n, ratio, ci95, verdict, more_games }
}

/// The variance of x a - y b, taken from the differences so that nothing cancels.
fn variance(a: &[f64], b: &[f64], x: f64, y: f64) -> f64 {
    let mixed = || a.iter().zip(b).map(|(a, b)| x * a - y * b);
    let mean = mixed().sum::<f64>() / a.len() as f64;
    mixed().map(|value| math::powi(value - mean, 2)).sum::<f64>() / (a.len() - 1) as f64
}

/// The r of the inequality above that are not negative, for two pairs or more.
fn fieller(a: &[f64], b: &[f64], first: f64, second: f64) -> [f64; 2] {
    let (saa, sbb) = (variance(a, b, 1.0, 0.0), variance(a, b, 0.0, 1.0));
    let products = a.iter().zip(b).map(|(a, b)| (a - first) * (b - second));
    let sab = products.sum::<f64>() / (a.len() - 1) as f64;
    let k = math::powi(t95(a.len() - 1), 2) / a.len() as f64;
    // Sorted by powers of r: square r^2 - 2 middle r + free <= 0.
    let square = second * second - k * sbb;
    let middle = first * second - k * sab;
    let free = first * first - k * saa;
    // middle^2 - square free, multiplied out and without the terms that cancel.
    let root = k * variance(a, b, second, first) - k * k * (saa * sbb - sab * sab);
    let root = root.max(0.0).sqrt();
    if square > 0.0 {
        [((middle - root) / square).max(0.0), ((middle + root) / square).max(0.0)]
    } else if free > 0.0 {
        // The second mean may be 0, the first is not: the inverse ratio has an interval from 0 to the inverse of this.
        [free / (middle + root).max(f64::MIN_POSITIVE), f64::INFINITY]
    } else {
        [0.0, f64::INFINITY]
    }
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::draws::{exponential, uniform};
    use super::*;

    /// Pairs of exponential values, which half of the time are the same one but for the factor.
    fn pairs(dice: &mut Dice, ratio: f64, n: usize) -> (Vec<f64>, Vec<f64>) {
        let mut pair = || {
            let b = exponential(dice, 100.0);
            let a = if uniform(dice) < 0.5 { b } else { exponential(dice, 100.0) };
            (ratio * a, b)
        };
        (0..n).map(|_| pair()).unzip()
    }

    #[test]
    fn an_interval_by_hand() {
        // Means 4 and 2, variances 4 and 1, covariance 1, t = 4.302653: (4 - 2 r)^2 <= 6.170941 (4 - 2 r + r^2).
        let ratio = paired_ratio(&[2.0, 4.0, 6.0], &[1.0, 3.0, 2.0]);
        assert_eq!((ratio.n, ratio.ratio), (3, 2.0));
        // The second mean is not significantly above 0, nor is the first.
        assert_eq!((ratio.ci95, ratio.verdict), ([0.0, f64::INFINITY], Verdict::Open));
        // Means 14 and 12: (14 - 12 r)^2 = 6.170941 (4 - 2 r + r^2) has the roots 0.805867 and 1.542390.
        let ratio = paired_ratio(&[12.0, 14.0, 16.0], &[11.0, 13.0, 12.0]);
        for (end, root) in ratio.ci95.into_iter().zip([0.805_867, 1.542_390]) {
            assert!((end - root).abs() < 2e-6, "{end} {root}");
        }
    }

    #[test]
    fn intervals_cover_the_ratio() {
        for (n, ratio, trials) in [(10, 1.0, 2_000), (30, 1.3, 2_000), (200, 0.8, 2_000)] {
            let mut dice = Dice::seeded(&[8, n as u64]);
            let mut covers = || {
                let (a, b) = pairs(&mut dice, ratio, n);
                let [low, high] = paired_ratio(&a, &b).ci95;
                low <= ratio && ratio <= high
            };
            let covered = (0..trials).filter(|_| covers()).count();
            // 95 % are asked for, and three standard errors are 1.5 %; ten pairs are covered 98 times in a hundred.
            assert!((1_870..=1_975).contains(&covered), "{covered} of {trials} at n = {n}");
        }
    }

    #[test]
    fn pairs_make_the_interval_shorter_and_exchange_inverts_it() {
        let (a, b) = pairs(&mut Dice::seeded(&[9]), 1.2, 400);
        let paired = paired_ratio(&a, &b);
        let shuffled: Vec<f64> = b[1..].iter().chain(&b[..1]).copied().collect();
        let apart = paired_ratio(&a, &shuffled);
        assert!(paired.ci95[1] - paired.ci95[0] < 0.85 * (apart.ci95[1] - apart.ci95[0]));
        let back = paired_ratio(&b, &a);
        assert!((back.ratio * paired.ratio - 1.0).abs() < 1e-12);
        assert!((back.ci95[0] * paired.ci95[1] - 1.0).abs() < 1e-9);
        assert_eq!((paired.verdict, back.verdict), (Verdict::FirstBetter, Verdict::SecondBetter));
        assert_eq!((paired.more_games, back.more_games), (None, None));
    }

    #[test]
    fn what_is_open_needs_more_games() {
        // Differences 1 ± 10: n games settle it when 1.96 * 10 / sqrt(n) < 1, with 385.
        let a: Vec<f64> = (0..100).map(|i| if i % 2 == 0 { 111.0 } else { 91.0 }).collect();
        let ratio = paired_ratio(&a, &[100.0; 100]);
        assert_eq!((ratio.ratio, ratio.verdict), (1.01, Verdict::Open));
        // The standard deviation with n - 1 is 10.05: 389 games.
        assert_eq!(ratio.more_games, Some(289));
        let many = a.repeat(4);
        assert_eq!(paired_ratio(&many, &[100.0; 400]).verdict, Verdict::FirstBetter);
    }

    #[test]
    fn what_is_equal_stays_open() {
        let (a, _) = pairs(&mut Dice::seeded(&[10]), 1.0, 50);
        let same = paired_ratio(&a, &a);
        assert_eq!((same.ratio, same.ci95, same.verdict), (1.0, [1.0, 1.0], Verdict::Open));
        assert_eq!(same.more_games, None);
        assert_eq!(paired_ratio(&[1.0, 3.0], &[3.0, 1.0]).more_games, None);
        assert_eq!(paired_ratio(&[1.0, 3.0], &[3.0, 1.0 + 1e-9]).more_games, None);
    }

    #[test]
    fn a_player_without_lines_is_worse() {
        let (a, b) = (vec![0.0; 60], pairs(&mut Dice::seeded(&[11]), 1.0, 60).1);
        let none = paired_ratio(&a, &b);
        assert_eq!((none.ratio, none.ci95, none.verdict), (0.0, [0.0, 0.0], Verdict::SecondBetter));
        let all = paired_ratio(&b, &a);
        assert_eq!((all.ratio, all.verdict), (f64::INFINITY, Verdict::FirstBetter));
        assert!(all.ci95[0] > 1.0 && all.ci95[1] == f64::INFINITY);
        let zeros = paired_ratio(&a, &a);
        assert_eq!((zeros.ratio, zeros.ci95), (1.0, [0.0, f64::INFINITY]));
        assert_eq!((zeros.verdict, zeros.more_games), (Verdict::Open, None));
    }

    #[test]
    fn the_common_part_is_compared() {
        let ratio = paired_ratio(&[1.0, 2.0, 3.0, 1e9], &[2.0, 2.0, 2.0]);
        assert_eq!((ratio.n, ratio.ratio), (3, 1.0));
        for (a, b) in [(&[][..], &[1.0][..]), (&[3.0], &[1.0])] {
            let few = paired_ratio(a, b);
            assert_eq!((few.ci95, few.verdict, few.more_games), ([0.0, f64::INFINITY], Verdict::Open, None));
            assert!(!few.ratio.is_nan());
        }
    }
}
