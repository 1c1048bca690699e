//! Wald's sequential test (1945) of two players: games are played until one of two hypotheses, an advantage of `elo0` or
//! of `elo1`, is so much more likely than the other that it can be accepted with known error rates.
//!
//! The shares of the five scores of a pair are not known, so each hypothesis is represented by the most likely shares that
//! satisfy it (generalised test; Van den Bergh, *Comments on normalized Elo*, sections 1 and 4). Like fastchess, an empty
//! count is taken as a thousandth of a pair.

use schemars::JsonSchema;
use serde::Serialize;

use super::{NORMALISED, PAIR_SCORES, Pentanomial, score_of_elo};

/// What an advantage is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Elo as everywhere else: of the expected score.
    Logistic,
    /// Elo of the expected score in standard deviations of a game, so that the length of a test does not depend on how
    /// often games are drawn.
    Normalised,
}

/// A test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    /// The advantage of the hypothesis H0.
    pub elo0: f64,
    /// The advantage of H1; above that of H0.
    pub elo1: f64,
    /// What both are counted in.
    pub scale: Scale,
    /// The probability to accept H1 though H0 is true.
    pub alpha: f64,
    /// The probability to accept H0 though H1 is true.
    pub beta: f64,
}

/// What a test says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The advantage is rather `elo0` than `elo1`.
    AcceptH0,
    /// The advantage is rather `elo1` than `elo0`.
    AcceptH1,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// With error rates of 5 %.
    #[must_use]
    pub fn new(elo0: f64, elo1: f64, scale: Scale) -> Self {
        Self { elo0, elo1, scale, alpha: 0.05, beta: 0.05 }
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [math::ln(self.beta / (1.0 - self.alpha)), math::ln((1.0 - self.beta) / self.alpha)]
    }

    /// The log-likelihood ratio of H1 to H0; 0 without pairs.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        match self.scale {
            Scale::Logistic => {
                let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
                llr_of_scores(&counts, s0, s1)
            }
            Scale::Normalised => {
                // The mean of two games has half the variance of one.
                let t = |elo: f64| elo / NORMALISED * 2f64.sqrt();
                llr_of_ratios(&counts, t(self.elo0), t(self.elo1))
            }
        }
    }

    /// What a log-likelihood ratio says.
    #[must_use]
    pub fn decision(&self, llr: f64) -> Decision {
        let [lower, upper] = self.bounds();
        match llr {
            _ if llr >= upper => Decision::AcceptH1,
            _ if llr <= lower => Decision::AcceptH0,
            _ => Decision::Open,
        }
    }
}

type Five = [f64; 5];

fn shares(counts: &Five) -> Five {
    let total: f64 = counts.iter().sum();
    counts.map(|count| count / total)
}

/// The sum over all pairs of ln p1 - ln p0.
fn llr(counts: &Five, p0: &Five, p1: &Five) -> f64 {
    (0..5).map(|i| counts[i] * math::ln(p1[i] / p0[i])).sum()
}

fn llr_of_scores(counts: &Five, s0: f64, s1: f64) -> f64 {
    let seen = shares(counts);
    let likeliest = |s: f64| {
        let distance = PAIR_SCORES.map(|score| score - s);
        // A score strictly between 0 and 1 has distances of both signs.
        tilted(&seen, &distance).unwrap_or(seen)
    };
    llr(counts, &likeliest(s0), &likeliest(s1))
}

/// The shares nearest to those seen, in likelihood, for which the mean of `phi` is 0: each divided by 1 + theta phi, theta
/// being the one root between the poles (equations 1.2 and 1.3). None if `phi` has one sign only.
fn tilted(seen: &Five, phi: &Five) -> Option<Five> {
    let (least, most) = phi.iter().fold((0f64, 0f64), |(low, high), &x| (low.min(x), high.max(x)));
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, x) in seen.iter().zip(phi) {
            let part = x / (1.0 + theta * x);
            value += p * part;
            slope -= p * part * part;
        }
        // The sum falls from one pole to the other.
        *(if value > 0.0 { &mut low } else { &mut high }) = theta;
        let newton = theta - value / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        if (next - theta).abs() <= 1e-14 * theta.abs().max(1e-3) {
            break;
        }
        theta = next;
    }
    let mut p = *seen;
    p.iter_mut().zip(phi).for_each(|(p, x)| *p /= 1.0 + theta * x);
    Some(p)
}

fn llr_of_ratios(counts: &Five, t0: f64, t1: f64) -> f64 {
    let seen = shares(counts);
    match (likeliest_ratio(&seen, t0), likeliest_ratio(&seen, t1)) {
        (Some(p0), Some(p1)) => llr(counts, &p0, &p1),
        // Pairs that hardly vary: what the test comes to for normal scores (section 4).
        _ => {
            let (mean, variance) = moments(&seen);
            let t = (mean - 0.5) / variance.sqrt();
            let n: f64 = counts.iter().sum();
            n / 2.0 * math::ln((1.0 + math::powi(t - t0, 2)) / (1.0 + math::powi(t - t1, 2)))
        }
    }
}

fn moments(p: &Five) -> (f64, f64) {
    let mean: f64 = p.iter().zip(PAIR_SCORES).map(|(p, x)| p * x).sum();
    (mean, p.iter().zip(PAIR_SCORES).map(|(p, x)| p * math::powi(x - mean, 2)).sum())
}

/// The likeliest shares whose mean is `t` standard deviations above one half. The condition is made linear around the
/// shares found so far (equation 4.9), beginning with equal ones; None if that does not come to rest.
fn likeliest_ratio(seen: &Five, t: f64) -> Option<Five> {
    let mut p = [0.2; 5];
    for _ in 0..100 {
        let (mean, variance) = moments(&p);
        let sd = variance.sqrt();
        let phi = PAIR_SCORES.map(|x| x - 0.5 - 0.5 * t * sd * (1.0 + math::powi(x - mean, 2) / variance));
        let next = tilted(seen, &phi)?;
        let change = p.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-9 {
            return Some(p);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::draws::uniform;
    use super::*;

    fn close(found: f64, known: f64) {
        assert!((found - known).abs() <= 0.01 * known.abs(), "{found}, not {known}");
    }

    #[test]
    fn bounds_of_five_per_cent() {
        let [lower, upper] = Sprt::new(0.0, 5.0, Scale::Logistic).bounds();
        assert!((upper - math::ln(19.0)).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
    }

    /// The examples that fastchess tests itself with: [lost twice .. won twice], within the one per cent that it asks for.
    #[test]
    fn as_fastchess_computes_it() {
        let normalised = |counts, elo0, elo1| {
            let test = Sprt::new(elo0, elo1, Scale::Normalised);
            test.llr(&Pentanomial(counts))
        };
        close(normalised([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0), 2.25);
        close(normalised([127, 4883, 10_712, 5150, 104], -1.75, 0.25), 3.01);
        let logistic = |counts, elo0, elo1| Sprt::new(elo0, elo1, Scale::Logistic).llr(&Pentanomial(counts));
        close(logistic([223, 9863, 21_279, 10_037, 246], 0.5, 2.5), -3.07);
        close(logistic([871, 26_175, 55_983, 26_678, 821], 0.0, 2.0), -4.98);
    }

    #[test]
    fn by_hand() {
        // Only won pairs: the likeliest law of mean s wins a share s of them.
        let won = Sprt::new(0.0, 100.0, Scale::Logistic).llr(&Pentanomial([0, 0, 0, 0, 50]));
        close(won, 50.0 * math::ln(score_of_elo(100.0) / 0.5));
        // A share m won and the rest lost has a mean of t standard deviations above one half if m = 1/2 + t/2 / sqrt(1 + t^2).
        let t = 50.0 / NORMALISED * 2f64.sqrt();
        let won = Sprt::new(0.0, 50.0, Scale::Normalised).llr(&Pentanomial([0, 0, 0, 0, 104]));
        close(won, 104.0 * math::ln(1.0 + t / (1.0 + t * t).sqrt()));
        // What is seen is the likeliest law of its own mean; exchanged players exchange the hypotheses.
        let even = Pentanomial([10, 20, 30, 20, 10]);
        for scale in [Scale::Logistic, Scale::Normalised] {
            let test = Sprt::new(-20.0, 20.0, scale);
            assert!(test.llr(&even).abs() < 1e-6);
            let better = Pentanomial([5, 20, 30, 25, 10]);
            assert!((test.llr(&better) + test.llr(&better.reversed())).abs() < 1e-6);
            assert!(test.llr(&better) > 0.0);
            assert_eq!(test.llr(&Pentanomial::default()), 0.0);
        }
        let test = Sprt::new(0.0, 5.0, Scale::Logistic);
        assert_eq!(test.decision(2.95), Decision::AcceptH1);
        assert_eq!(test.decision(-2.95), Decision::AcceptH0);
        assert_eq!(test.decision(0.0), Decision::Open);
    }

    #[test]
    fn nothing_makes_it_infinite() {
        for scale in [Scale::Logistic, Scale::Normalised] {
            for elo1 in [1.0, 50.0, 500.0] {
                for place in 0..5 {
                    for count in [1, 3, 16_700, 1_000_000_000] {
                        let mut pairs = Pentanomial::default();
                        pairs.0[place] = count;
                        let llr = Sprt::new(0.0, elo1, scale).llr(&pairs);
                        assert!(llr.is_finite(), "{scale:?} {elo1} {pairs:?}: {llr}");
                        // A level match speaks against an advantage.
                        assert!(place != 2 || llr < 0.0, "{scale:?} {elo1} {pairs:?}: {llr}");
                    }
                }
            }
        }
    }

    /// Shares with a given mean, by moving weight from the bad pairs to the good ones.
    fn law(elo: f64) -> [f64; 5] {
        let shift = 2.0 * (score_of_elo(elo) - 0.5);
        [0.1 - shift / 2.0, 0.2, 0.4, 0.2, 0.1 + shift / 2.0]
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        let test = Sprt::new(0.0, 40.0, Scale::Logistic);
        let wrong = |elo: f64, wrongly: Decision| {
            let law = law(elo);
            let mut pairs_played = 0;
            let wrong = (0..1_500).filter(|&trial| {
                let mut dice = Dice::seeded(&[31, elo as u64, trial]);
                let mut pairs = Pentanomial::default();
                loop {
                    let mut left = uniform(&mut dice);
                    let passed = |share: &&f64| {
                        left -= **share;
                        left > 0.0
                    };
                    pairs.add(law.iter().take_while(passed).count().min(4));
                    pairs_played += 1;
                    match test.decision(test.llr(&pairs)) {
                        Decision::Open => {}
                        decision => return decision == wrongly,
                    }
                }
            });
            (wrong.count(), pairs_played / 1_500)
        };
        for (elo, wrongly) in [(0.0, Decision::AcceptH1), (40.0, Decision::AcceptH0)] {
            let (wrong, mean) = wrong(elo, wrongly);
            // 5 % are promised, less where the bound is overshot; three standard errors are 1.7 %.
            assert!((30..=100).contains(&wrong), "{wrong} of 1500 wrong at {elo} Elo, {mean} pairs a test");
        }
    }
}
