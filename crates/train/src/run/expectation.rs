//! What should come out of a score, in numbers, and whether it has: an expectation is held against the interval, never against the mean alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{independent_ratio_ci95, relative_precision};

use super::config::{Config, QUICK};
use super::evaluate::Series;
use super::record::{Contest, Measured};

/// `expect` of a `[[score]]`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// A published mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// The games that it is the mean of, for it is off by 2 / sqrt(n) of itself; without it, it is taken to be exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// The least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// The most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
    /// One of `score.against`: in a game for one the expectation is about the ratio to it, in a game for two about the share of the
    /// points against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

/// What became of an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The interval agrees with it.
    Met,
    /// All of the interval is below.
    Below,
    /// All of the interval is above.
    Above,
    /// The interval holds both.
    Open,
}

impl Outcome {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Met => "▲ met",
            Self::Below => "▼ not met: less",
            Self::Above => "▼ not met: more",
            Self::Open => "○ open: more games would tell",
        }
    }
}

/// An expectation beside what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// What it is about.
    pub what: String,
    /// The number that is expected, in words.
    pub expected: String,
    /// What was found.
    pub found: Measured,
    /// What that is counted in: games, or pairs of games.
    pub counted: &'static str,
    /// Whether that is it.
    pub outcome: Outcome,
}

impl Expectation {
    /// Whether it makes sense beside those that are met.
    pub(super) fn check(&self, against: &[String], for_two: bool) -> Result<(), String> {
        let bounds = [self.at_least, self.at_most];
        let numbers = bounds.iter().chain([&self.about]).flatten();
        if let Some(number) = numbers.clone().find(|number| !(number.is_finite() && **number >= 0.0)) {
            return Err(format!("{number}: must be a number from 0"));
        }
        match (self.about, bounds, self.games) {
            (None, [None, None], _) => return Err("say about, at_least or at_most".into()),
            (Some(_), [None, None], None) | (None, _, None) => {}
            (Some(_), [None, None], Some(games)) if games > 0 => {}
            (Some(_), [None, None], _) => return Err("games = 0: must be from 1".into()),
            (Some(_), _, _) => return Err("about excludes at_least and at_most".into()),
            (None, _, Some(_)) => return Err("games says how many a published mean, about, is of".into()),
        }
        if let [Some(least), Some(most)] = bounds
            && least > most
        {
            return Err(format!("at_least = {least}: must not be above at_most = {most}"));
        }
        if for_two && numbers.clone().any(|number| *number > 1.0) {
            return Err("it is a share of the points: must be from 0 to 1".into());
        }
        match &self.against {
            Some(name) if !against.contains(name) => {
                Err(format!("against = {name:?}: must be one of score.against"))
            }
            None if for_two && against.len() > 1 => {
                Err("against is missing: which of score.against is it about".into())
            }
            _ => Ok(()),
        }
    }

    fn text(&self) -> String {
        let number = play::numbers::number;
        match (self.about, self.at_least, self.at_most) {
            (Some(about), _, _) => {
                let games = self.games.map(|games| format!(" (n {games})")).unwrap_or_default();
                format!("about {}{games}", number(about))
            }
            (_, Some(least), Some(most)) => format!("{} to {}", number(least), number(most)),
            (_, Some(least), None) => format!("at least {}", number(least)),
            (_, _, most) => format!("at most {}", number(most.unwrap_or_default())),
        }
    }

    /// Whether a measurement meets it.
    pub fn outcome(&self, found: &Measured) -> Outcome {
        let Some([low, high]) = found.ci95 else { return Outcome::Open };
        if let Some(about) = self.about {
            let relative = self.games.map_or(0.0, relative_precision);
            let range = [(about * (1.0 - relative)).max(0.0), about * (1.0 + relative)];
            return match independent_ratio_ci95((found.mean, [low, high]), (about, range)) {
                [low, _] if low > 1.0 => Outcome::Above,
                [_, high] if high < 1.0 => Outcome::Below,
                _ => Outcome::Met,
            };
        }
        let (least, most) = (self.at_least.unwrap_or(0.0), self.at_most.unwrap_or(f64::INFINITY));
        match () {
            () if high < least => Outcome::Below,
            () if low > most => Outcome::Above,
            () if least <= low && high <= most => Outcome::Met,
            () => Outcome::Open,
        }
    }

    /// What it is about among the contests of its score.
    fn find(&self, contest: &Contest) -> Option<(String, Measured)> {
        let learned = contest.players.first()?;
        match (&contest.against, &self.against) {
            (Some(met), named) => named
                .as_ref()
                .is_none_or(|named| named == met)
                .then(|| (contest.title.clone(), learned.score.clone())),
            (None, None) => Some((contest.title.clone(), learned.score.clone())),
            (None, Some(named)) => {
                let other = contest.players.iter().skip(1).find(|player| player.player == *named)?;
                let (mean, ci95) = other.ratio?;
                let what = format!("{}, learned / {named}", contest.title);
                Some((what, Measured { mean, n: other.score.n, ci95: Some(ci95) }))
            }
        }
    }
}

/// What became of all that is expected in numbers; nothing of the quick variant, which is another experiment.
pub fn judged(config: &Config, contests: &[Contest]) -> Vec<Judged> {
    if config.variant == QUICK {
        return Vec::new();
    }
    let of = |(number, expect): (usize, &Expectation)| {
        let seed = Series::Score(number).seed(config.seed, 0);
        let found = |one: &Contest| Some((expect.find(one)?, one.counted()));
        let ((what, found), counted) = contests.iter().filter(|one| one.seed == seed).find_map(found)?;
        Some(Judged { what, expected: expect.text(), outcome: expect.outcome(&found), found, counted })
    };
    let each =
        config.score.iter().enumerate().filter_map(|(number, score)| Some((number, score.expect.as_ref()?)));
    each.filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Expectation =
        Expectation { about: None, games: None, at_least: None, at_most: None, against: None };

    fn found(mean: f64, low: f64, high: f64) -> Measured {
        Measured { mean, n: 100, ci95: Some([low, high]) }
    }

    #[test]
    fn the_interval_decides() {
        let bounds = Expectation { at_least: Some(10.0), at_most: Some(20.0), ..NONE };
        for (measured, outcome) in [
            (found(15.0, 12.0, 18.0), Outcome::Met),
            (found(12.0, 9.0, 15.0), Outcome::Open),
            (found(7.0, 5.0, 9.0), Outcome::Below),
            (found(24.0, 21.0, 27.0), Outcome::Above),
            (Measured { mean: 15.0, n: 1, ci95: None }, Outcome::Open),
        ] {
            assert_eq!(bounds.outcome(&measured), outcome, "{measured:?}");
        }
        // A published mean has an interval of its own.
        let exact = Expectation { about: Some(100.0), ..NONE };
        let games = Expectation { games: Some(100), ..exact.clone() };
        let measured = found(120.0, 108.0, 132.0);
        assert_eq!((exact.outcome(&measured), games.outcome(&measured)), (Outcome::Above, Outcome::Met));
        assert_eq!(games.outcome(&found(60.0, 54.0, 66.0)), Outcome::Below);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let against = ["a".to_string(), "b".to_string()];
        for (expect, for_two, said) in [
            (NONE, false, "say about, at_least or at_most"),
            (Expectation { about: Some(1.0), at_most: Some(2.0), ..NONE }, false, "excludes"),
            (Expectation { at_least: Some(1.0), games: Some(3), ..NONE }, false, "games says"),
            (Expectation { about: Some(1.0), games: Some(0), ..NONE }, false, "games = 0"),
            (Expectation { at_least: Some(3.0), at_most: Some(2.0), ..NONE }, false, "must not be above"),
            (Expectation { at_least: Some(f64::NAN), ..NONE }, false, "must be a number"),
            (Expectation { at_least: Some(0.5), ..NONE }, true, "against is missing"),
            (Expectation { at_least: Some(5.0), against: Some("a".into()), ..NONE }, true, "from 0 to 1"),
            (Expectation { at_least: Some(0.5), against: Some("c".into()), ..NONE }, true, "must be one of"),
        ] {
            assert!(expect.check(&against, for_two).unwrap_err().contains(said), "{expect:?}");
        }
        assert_eq!(Expectation { at_least: Some(1.3), ..NONE }.check(&[], false), Ok(()));
    }
}
