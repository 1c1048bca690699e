//! The ratio of two estimates that have nothing in common but their intervals: a published mean beside our own. The interval of its logarithm
//! takes each end from the ends of the two (MOVER, Donner and Zou 2012), so that intervals may be lopsided and nothing else need be known.

/// An estimate above 0 and its 95 % interval.
pub type Estimated = (f64, [f64; 2]);

/// The 95 % interval of the first over the second. Where an interval reaches 0 nothing is known in that direction.
pub fn independent_ratio_ci95(first: Estimated, second: Estimated) -> [f64; 2] {
    // How far each may be off, in logarithms: downwards and upwards.
    let away = |(value, [low, high]): Estimated| {
        let down = if low > 0.0 && value > 0.0 { math::ln(value / low) } else { f64::INFINITY };
        let up = if value > 0.0 { math::ln(high / value) } else { f64::INFINITY };
        [down.max(0.0), up.max(0.0)]
    };
    let ([down, up], [other_down, other_up]) = (away(first), away(second));
    let ratio = first.0 / second.0;
    if !(ratio > 0.0 && ratio.is_finite()) {
        return [0.0, f64::INFINITY];
    }
    let both = |one: f64, other: f64| (one * one + other * other).sqrt();
    [ratio * math::exp(-both(down, other_up)), ratio * math::exp(both(up, other_down))]
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::Summary;
    use super::super::draws::exponentials;
    use super::*;

    #[test]
    fn by_hand() {
        // Each may be off by a factor of 2: together by 2 to the power of the root of two.
        let [low, high] = independent_ratio_ci95((12.0, [6.0, 24.0]), (4.0, [2.0, 8.0]));
        let factor = math::powf(2.0, 2f64.sqrt());
        assert!((low - 3.0 / factor).abs() < 1e-12 && (high - 3.0 * factor).abs() < 1e-12);
        // What is known exactly leaves the interval of the other.
        let [low, high] = independent_ratio_ci95((12.0, [6.0, 18.0]), (4.0, [4.0, 4.0]));
        assert!((low - 1.5).abs() < 1e-12 && (high - 4.5).abs() < 1e-12);
        assert_eq!(independent_ratio_ci95((0.0, [0.0, 1.0]), (4.0, [2.0, 8.0])), [0.0, f64::INFINITY]);
        assert_eq!(independent_ratio_ci95((4.0, [2.0, 8.0]), (3.0, [0.0, 6.0]))[1], f64::INFINITY);
    }

    /// That intervals touch is not enough: two that do are 2.8 standard errors apart, not 2.
    #[test]
    fn intervals_that_touch_may_disagree() {
        let [low, _] = independent_ratio_ci95((121.0, [109.0, 133.0]), (100.0, [90.0, 110.0]));
        assert!(low > 1.0, "{low}");
    }

    #[test]
    fn nineteen_of_twenty_hold_the_ratio() {
        let mut dice = Dice::seeded(&[12]);
        let (trials, mut covered) = (1_000, 0);
        for _ in 0..trials {
            let [first, second] = [(3.0, 100), (2.0, 60)].map(|(mean, n)| {
                let summary = Summary::of(&exponentials(&mut dice, mean, n));
                (summary.mean, summary.exponential_ci95)
            });
            let [low, high] = independent_ratio_ci95(first, second);
            covered += u32::from(low <= 1.5 && 1.5 <= high);
        }
        // 950 with a standard error of 7.
        assert!((929..=980).contains(&covered), "{covered} of {trials}");
    }
}
