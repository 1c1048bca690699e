//! Scores of games as Elo, with intervals that stay honest for few games and for one-sided matches.
//!
//! The interval of a score m of n pairs is that of Wilson (1927): all s from which m is less than z standard errors away,
//! the variance of a pair at s being taken as r s (1 - s), r the observed variance over m (1 - m). For many pairs and even
//! players that is the usual m ± z sqrt(variance / n); near 0 and 1 it stays inside. Pairs that all came out alike show no
//! variance, though the next one may be anything: the variance is taken as if half a pair had been lost twice and half a
//! pair won twice besides. The likelihood of superiority takes the variance at one half, so that it passes 97.5 % when the
//! interval leaves 0 behind.

use schemars::JsonSchema;
use serde::Serialize;

use super::{PAIR_SCORES, Pentanomial, Z95, normal_below};

/// Normalised Elo of a score that is one standard deviation of a game above one half.
pub const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// The Elo of a score between 0 and 1: infinite at either end.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * math::log10(score / (1.0 - score))
}

/// The score that an advantage in Elo promises.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + math::powf(10.0, -elo / 400.0))
}

/// How much better the first of two players is.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Elo {
    /// Games, two for each pair.
    pub games: u64,
    /// The first player's points over the games.
    pub score: f64,
    /// Its 95 % interval.
    pub score_ci95: [f64; 2],
    /// The score as Elo; infinite for all or nothing.
    pub elo: f64,
    /// Its 95 % interval.
    pub ci95: [f64; 2],
    /// Normalised Elo: the advantage in standard deviations of a game, which tells how many games it takes to see it.
    pub normalised: f64,
    /// Likelihood of superiority: how sure it is that the first player is better.
    pub los: f64,
}

impl Elo {
    /// From pairs of games.
    #[must_use]
    pub fn of_pairs(pairs: &Pentanomial) -> Self {
        let counts: Vec<(f64, u64)> = PAIR_SCORES.into_iter().zip(pairs.0).collect();
        Self::of(&counts, 2)
    }

    /// From single games: won, drawn, lost. Right only if no two games have an opening in common.
    #[must_use]
    pub fn of_games(won: u64, drawn: u64, lost: u64) -> Self {
        Self::of(&[(0.0, lost), (0.5, drawn), (1.0, won)], 1)
    }

    /// From counts of scores, each the mean of so many games.
    fn of(counts: &[(f64, u64)], games_each: u64) -> Self {
        let n: u64 = counts.iter().map(|&(_, count)| count).sum();
        if n == 0 {
            let [unknown, low, high] = [f64::NAN, f64::NEG_INFINITY, f64::INFINITY];
            return Self {
                games: 0,
                score: unknown,
                score_ci95: [0.0, 1.0],
                elo: unknown,
                ci95: [low, high],
                normalised: unknown,
                los: 0.5,
            };
        }
        let size = n as f64;
        let sum =
            |of: &dyn Fn(f64) -> f64| counts.iter().map(|&(x, count)| count as f64 * of(x)).sum::<f64>();
        let score = sum(&|x| x) / size;
        let squares = sum(&|x| math::powi(x - score, 2));
        let unseen = 0.5 * (score * score + math::powi(1.0 - score, 2));
        let variance = (squares + unseen) / (size + 1.0);
        let size_like = effective_size(score, variance, size);
        let score_ci95 = wilson(score, size_like);
        let game_sd = (games_each as f64 * squares / size).sqrt();
        let advantage = score - 0.5;
        Self {
            games: n * games_each,
            score,
            score_ci95,
            elo: elo_of_score(score),
            ci95: score_ci95.map(elo_of_score),
            normalised: if advantage == 0.0 { 0.0 } else { advantage / game_sd * NORMALISED },
            los: normal_below(2.0 * advantage * size_like.sqrt()),
        }
    }

    /// Half the width of the interval.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.ci95[1] - self.ci95[0]) / 2.0
    }
}

/// The number of values 0 or 1 whose mean is known as well as that of n values with this variance.
fn effective_size(mean: f64, variance: f64, n: f64) -> f64 {
    // No variance of values between 0 and 1 is above mean (1 - mean), but the cautious one may be.
    let most = mean * (1.0 - mean);
    if variance < most { n * most / variance } else { n }
}

/// The interval of a mean of n values 0 or 1.
fn wilson(mean: f64, n: f64) -> [f64; 2] {
    let most = mean * (1.0 - mean);
    let z2 = Z95 * Z95 / n;
    let middle = (mean + z2 / 2.0) / (1.0 + z2);
    let half = Z95 / (1.0 + z2) * (most / n + z2 / (4.0 * n)).sqrt();
    // Rounding must not make something of nothing.
    let low = if mean > 0.0 { (middle - half).max(0.0) } else { 0.0 };
    let high = if mean < 1.0 { (middle + half).min(1.0) } else { 1.0 };
    [low, high]
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::draws::uniform;
    use super::*;

    fn close(found: f64, known: f64, share: f64) {
        assert!((found - known).abs() <= share * known.abs(), "{found}, not {known}");
    }

    #[test]
    fn scores_and_elo() {
        assert_eq!((elo_of_score(0.5), score_of_elo(0.0)), (0.0, 0.5));
        assert!(elo_of_score(0.5).is_sign_positive(), "-0 would be printed as -0.0");
        // Ten to one is 400, three to one 190.85.
        close(elo_of_score(10.0 / 11.0), 400.0, 1e-12);
        close(elo_of_score(0.75), 190.848_501_887, 1e-9);
        close(score_of_elo(elo_of_score(0.3)), 0.3, 1e-12);
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// The examples that fastchess tests itself with, within the one per cent that it asks for.
    #[test]
    fn as_fastchess_computes_them() {
        let games = Elo::of_games(136, 111, 96);
        close(games.elo, 40.70, 0.01);
        close(games.half_width(), 30.43, 0.01);
        close(games.normalised, 49.77, 0.01);
        close(games.los, 0.9960, 0.001);
        let games = Elo::of_games(76, 123, 89);
        close(games.normalised, -20.76, 0.01);
        close(games.los, 0.1553, 0.01);
        // Lost twice, lost and drawn, level, won and drawn, won twice.
        let cases = [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94),
            ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01),
        ];
        for (counts, elo, half, normalised) in cases {
            let pairs = Elo::of_pairs(&Pentanomial(counts));
            close(pairs.elo, elo, 0.01);
            close(pairs.half_width(), half, 0.01);
            close(pairs.normalised, normalised, 0.01);
        }
        close(Elo::of_pairs(&Pentanomial([332, 433, 498, 333, 334])).los, 0.0505, 0.01);
    }

    #[test]
    fn one_sided_and_empty_matches() {
        let all = Elo::of_pairs(&Pentanomial([0, 0, 0, 0, 10]));
        assert_eq!((all.games, all.score, all.elo, all.ci95[1]), (20, 1.0, f64::INFINITY, f64::INFINITY));
        // Wilson of 10 in 10 is 0.7225 to 1.
        close(all.score_ci95[0], 0.7225, 1e-3);
        assert!(all.los > 0.99 && all.los < 1.0, "{}", all.los);
        // Three pairs are too few: the likelihood of superiority and the interval agree on that.
        let few = Elo::of_pairs(&Pentanomial([0, 0, 0, 0, 3]));
        assert!(few.ci95[0] < 0.0 && few.los < 0.975 && few.los > 0.9, "{few:?}");
        let level = Elo::of_pairs(&Pentanomial([0, 0, 10, 0, 0]));
        assert_eq!((level.elo, level.normalised, level.los), (0.0, 0.0, 0.5));
        assert!(level.half_width() > 20.0, "ten level pairs do not prove that two players are equal");
        let none = Elo::of_pairs(&Pentanomial::default());
        assert!(none.elo.is_nan() && none.los == 0.5 && none.ci95 == [f64::NEG_INFINITY, f64::INFINITY]);
    }

    #[test]
    fn intervals_cover_the_score() {
        // Shares of the five scores of a pair: even, drawish, one-sided, and pairs in which sides decide.
        let laws = [
            [0.2, 0.2, 0.2, 0.2, 0.2],
            [0.01, 0.17, 0.6, 0.2, 0.02],
            [0.0, 0.0, 0.1, 0.2, 0.7],
            [0.1, 0.0, 0.75, 0.0, 0.15],
        ];
        for (number, law) in laws.into_iter().enumerate() {
            let truth: f64 = law.iter().zip(PAIR_SCORES).map(|(share, score)| share * score).sum();
            for n in [10, 50, 500] {
                let mut dice = Dice::seeded(&[21, number as u64, n]);
                let mut covers = || {
                    let mut pairs = Pentanomial::default();
                    for _ in 0..n {
                        let mut left = uniform(&mut dice);
                        let passed = |share: &&f64| {
                            left -= **share;
                            left > 0.0
                        };
                        pairs.add(law.iter().take_while(passed).count().min(4));
                    }
                    let [low, high] = Elo::of_pairs(&pairs).score_ci95;
                    low <= truth && truth <= high
                };
                let covered = (0..2_000).filter(|_| covers()).count();
                // 95 % are asked for; three standard errors of that are 1.5 %. Few pairs may be covered more often.
                let most = if n < 100 { 1_990 } else { 1_930 };
                assert!((1_860..=most).contains(&covered), "{covered} of 2000, {law:?}, n = {n}");
            }
        }
    }
}
