//! How many games a precision costs. The standard deviation of the exponential law is its mean, so that the mean of n
//! games is known to within 2 / sqrt(n) of itself, with 95 % confidence (Thiery and Scherrer 2009, section 3.1).

/// The half width of the 95 % interval over the mean, after `n` games: 2 / sqrt(n), infinite for no game.
#[must_use]
pub fn relative_precision(n: usize) -> f64 {
    2.0 / (n as f64).sqrt()
}

/// The least number of games after which 2 / sqrt(n) is at most `relative`; `usize::MAX` where no number is enough.
#[must_use]
pub fn games_for_precision(relative: f64) -> usize {
    let enough = |n: usize| relative_precision(n) <= relative;
    // The quotient may be off by a rounding on either side of a whole number.
    let about = (4.0 / (relative * relative)).ceil().max(1.0) as usize;
    if relative.is_nan() || relative <= 0.0 {
        usize::MAX
    } else if about > 1 && enough(about - 1) {
        about - 1
    } else if enough(about) {
        about
    } else {
        about.saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_per_cent_take_a_hundred_games() {
        // Thiery and Scherrer 2009: 20 % after 100 games; and four times the games for half the error.
        let games = [1.0, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001].map(games_for_precision);
        assert_eq!(games, [4, 100, 400, 1_600, 10_000, 40_000, 4_000_000]);
        assert_eq!(relative_precision(100), 0.2);
    }

    #[test]
    fn it_is_the_least_number() {
        for thousandths in 1..3_000u32 {
            let relative = f64::from(thousandths) / 1_000.0;
            let n = games_for_precision(relative);
            assert!(relative_precision(n) <= relative, "{relative}");
            assert!(n == 1 || relative_precision(n - 1) > relative, "{relative}");
        }
    }

    #[test]
    fn the_impossible_takes_for_ever() {
        assert_eq!([0.0, -1.0, f64::NAN, 1e-300].map(games_for_precision), [usize::MAX; 4]);
        assert_eq!(games_for_precision(f64::INFINITY), 1);
    }
}
