//! Races: how many games each vector of a generation plays. Undecided vectors go on; those that are surely among the
//! best, and those that surely are not, get no more games (Boumaza 2013, section 5.2, after Heidrich-Meisner and Igel
//! 2009). Pure bookkeeping: whoever plays the games asks who is wanted and tells what they scored.
//!
//! All candidates of a race meet the same series of games: game number [`Race::round`] is the same for everybody.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::learners::{SettingError, settings};

/// How wide the interval around a mean is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// Equation 5: only the range of the values counts.
    Hoeffding,
    /// Equation 6: the range and the deviation seen so far.
    Bernstein,
    /// Equation 7: values whose deviation equals their mean, as the scores of Tetris. It is a normal approximation of
    /// fixed confidence, so `delta` does not touch it, and it does not pay for looking again after every game: of three
    /// exponential scores, the upper end already misses the true mean in 16 % of cases, not in 5 %.
    Tetris,
}

/// The settings of all races of a run.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How wide the interval around a mean is.
    pub bound: Bound,
    /// The probability that anything is decided wrongly in a race.
    pub delta: f64,
    /// a and b: where the values lie almost surely. Equation 7 does without.
    pub low: Option<f64>,
    /// b.
    pub high: Option<f64>,
    /// By how much the limit grows and shrinks.
    pub alpha: f64,
    /// Games that everybody plays.
    pub minimum: usize,
    /// r_max: games that nobody exceeds.
    pub maximum: usize,
}

impl Default for Settings {
    /// Section 5.3; alpha is not given there, and 1.5 is that of Heidrich-Meisner and Igel.
    fn default() -> Self {
        let bound = Bound::Hoeffding;
        Self { bound, delta: 0.05, low: None, high: None, alpha: 1.5, minimum: 3, maximum: 100 }
    }
}

impl Settings {
    fn check(&self) -> Result<(), SettingError> {
        if !(self.delta > 0.0 && self.delta < 1.0) {
            return Err(SettingError::value("delta", self.delta, "between 0 and 1"));
        }
        match (self.low, self.high) {
            (Some(low), Some(high)) if low < high => {}
            (Some(_), Some(high)) => return Err(SettingError::value("high", high, "above low")),
            (None, None) if self.bound == Bound::Tetris => {}
            (None, _) => return Err(SettingError::value("low", "none", "given: the lowest value of a game")),
            (_, None) => {
                return Err(SettingError::value("high", "none", "given: the highest value of a game"));
            }
        }
        if !(self.alpha > 1.0 && self.alpha.is_finite()) {
            return Err(SettingError::value("alpha", self.alpha, "above 1"));
        }
        if self.minimum == 0 {
            return Err(SettingError::value("minimum", self.minimum, "at least 1"));
        }
        if self.maximum < self.minimum {
            return Err(SettingError::value("maximum", self.maximum, "at least the minimum"));
        }
        Ok(())
    }

    /// Half the width of the interval around the mean of `r` values, when `n_b` values at most are seen in the race.
    fn half_width(&self, mean: f64, deviation: f64, r: f64, n_b: f64) -> f64 {
        let range = self.high.unwrap_or(0.0) - self.low.unwrap_or(0.0);
        match self.bound {
            Bound::Hoeffding => range * ((math::ln(2.0 * n_b) - math::ln(self.delta)) / (2.0 * r)).sqrt(), // (5)
            Bound::Bernstein => {
                let log = math::ln(3.0 * n_b) - math::ln(self.delta);
                deviation * (2.0 * log / r).sqrt() + 3.0 * range * log / r // (6)
            }
            Bound::Tetris => 2.0 * mean.abs() / r.sqrt(), // (7)
        }
    }
}

/// What lasts from race to race: the settings and the limit of games, which the races adjust.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Racing {
    settings: Settings,
    /// r_limit, before it is rounded down to whole games.
    limit: f64,
}

impl Racing {
    /// Races with these settings: an object; whatever is left out has its default.
    ///
    /// # Errors
    /// A setting is unknown or out of range, or the range of the values is needed and not given.
    pub fn new(value: &Value) -> Result<Self, SettingError> {
        let settings: Settings = settings(value)?;
        settings.check()?;
        Ok(Self { limit: settings.minimum as f64, settings })
    }

    /// The games that a candidate of the next race plays at most (r_limit).
    pub fn limit(&self) -> usize {
        self.limit as usize
    }

    /// A race that has to tell the best `parents` of so many candidates from the others.
    ///
    /// # Panics
    /// If there are no parents, or more parents than candidates.
    pub fn race(&self, candidates: usize, parents: usize) -> Race {
        assert!((1..=candidates).contains(&parents), "{parents} parents of {candidates}");
        Race {
            settings: self.settings.clone(),
            limit: self.limit(),
            parents,
            rounds: 0,
            outside: 0,
            runners: vec![Runner::default(); candidates],
        }
    }

    /// Learns from a race that is over how many games the next one may take. A race that needed exactly the limit
    /// leaves it as it is.
    pub fn settle(&mut self, race: &Race) {
        if !race.decided() {
            self.limit = (self.limit * self.settings.alpha).min(self.settings.maximum as f64); // (4)
        } else if race.rounds < self.limit() {
            self.limit = (self.limit / self.settings.alpha).max(self.settings.minimum as f64); // (3)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Discarded,
    Undecided,
    Selected,
}

#[derive(Debug, Clone)]
struct Runner {
    games: usize,
    mean: f64,
    /// The sum of squared deviations from the mean (Welford's recurrence).
    squares: f64,
    lower: f64,
    upper: f64,
    fate: Fate,
}

impl Default for Runner {
    fn default() -> Self {
        let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
        Self { games: 0, mean: 0.0, squares: 0.0, lower, upper, fate: Fate::Undecided }
    }
}

impl Runner {
    fn play(&mut self, value: f64) {
        self.games += 1;
        let off = value - self.mean;
        self.mean += off / self.games as f64;
        self.squares += off * (value - self.mean);
    }

    /// Takes the tightest bounds seen so far. The paper prints the upper one as the minimum with the previous *lower*
    /// bound, which would put every upper bound below the mean; the previous upper bound is meant.
    fn tighten(&mut self, half_width: f64) {
        self.lower = self.lower.max(self.mean - half_width);
        self.upper = self.upper.min(self.mean + half_width);
    }
}

/// One generation's race.
#[derive(Debug, Clone)]
pub struct Race {
    settings: Settings,
    limit: usize,
    parents: usize,
    rounds: usize,
    outside: usize,
    runners: Vec<Runner>,
}

impl Race {
    /// The index of the game that is played next, the same for all who are wanted.
    pub fn round(&self) -> usize {
        self.rounds
    }

    /// The candidates that play the next game, in order; none when the race is over.
    pub fn wanted(&self) -> Vec<usize> {
        if self.rounds == self.limit {
            return Vec::new();
        }
        (0..self.runners.len()).filter(|&i| self.runners[i].fate == Fate::Undecided).collect()
    }

    /// The values of that game for those wanted, in their order.
    ///
    /// # Panics
    /// If there is not one finite value for each.
    pub fn tell(&mut self, values: &[f64]) {
        let wanted = self.wanted();
        assert_eq!(values.len(), wanted.len(), "one value for each candidate wanted");
        assert!(values.iter().all(|value| value.is_finite()), "values are finite");
        self.rounds += 1;
        // All values that the race can see: the bounds then hold together with probability 1 - delta, however often
        // they are looked at.
        let n_b = (self.runners.len() * self.limit) as f64;
        for (&i, &value) in wanted.iter().zip(values) {
            let above = self.settings.high.is_some_and(|high| value > high);
            let below = self.settings.low.is_some_and(|low| value < low);
            self.outside += usize::from(above || below);
            let runner = &mut self.runners[i];
            runner.play(value);
            // Nothing is taken from fewer games than the minimum: equation 7 is no bound for one or two of them.
            if self.rounds >= self.settings.minimum {
                let r = runner.games as f64;
                let deviation = (runner.squares / r).sqrt();
                runner.tighten(self.settings.half_width(runner.mean, deviation, r, n_b));
            }
        }
        while self.rounds >= self.settings.minimum && self.decide() {}
    }

    /// Selects whoever leaves lambda - mu others behind and discards whoever has mu others ahead. Whoever is decided
    /// counts as behind or ahead without further comparison: if all bounds hold, that is where it belongs. Tells
    /// whether anything changed.
    fn decide(&mut self) -> bool {
        let losers = self.runners.len() - self.parents;
        // All are judged by the same picture, so that their order plays no part.
        let fates: Vec<Fate> = (0..self.runners.len()).map(|i| self.judge(i, losers)).collect();
        let changed = self.runners.iter().zip(&fates).any(|(runner, fate)| runner.fate != *fate);
        for (runner, fate) in self.runners.iter_mut().zip(fates) {
            runner.fate = fate;
        }
        changed
    }

    fn judge(&self, i: usize, losers: usize) -> Fate {
        let me = &self.runners[i];
        let others = || self.runners.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| other);
        if me.fate != Fate::Undecided {
            me.fate
        } else if others().filter(|other| other.fate == Fate::Discarded || other.upper < me.lower).count()
            >= losers
        {
            Fate::Selected
        } else if others().filter(|other| other.fate == Fate::Selected || other.lower > me.upper).count()
            >= self.parents
        {
            Fate::Discarded
        } else {
            Fate::Undecided
        }
    }

    /// Whether the best are told from the others.
    pub fn decided(&self) -> bool {
        self.runners.iter().all(|runner| runner.fate != Fate::Undecided)
    }

    /// The candidates that are surely among the best.
    pub fn selected(&self) -> Vec<usize> {
        (0..self.runners.len()).filter(|&i| self.runners[i].fate == Fate::Selected).collect()
    }

    /// The value of each candidate: the mean of its games. Means of few games err most, so a mean that contradicts what
    /// the race decided is moved just far enough: every selected candidate comes out above every undecided one, and
    /// these above every discarded one.
    pub fn values(&self) -> Vec<f64> {
        let means = |fate: Fate| self.runners.iter().filter(move |r| r.fate == fate).map(|r| r.mean);
        let highest_undecided = means(Fate::Undecided).fold(f64::NEG_INFINITY, f64::max);
        let selected = |mean: f64| if mean > highest_undecided { mean } else { highest_undecided.next_up() };
        let lowest_kept =
            means(Fate::Undecided).chain(means(Fate::Selected).map(selected)).fold(f64::INFINITY, f64::min);
        let value = |runner: &Runner| match runner.fate {
            Fate::Selected => selected(runner.mean),
            Fate::Undecided => runner.mean,
            Fate::Discarded if runner.mean < lowest_kept => runner.mean,
            Fate::Discarded => lowest_kept.next_down(),
        };
        self.runners.iter().map(value).collect()
    }

    /// The games of each candidate so far.
    pub fn counts(&self) -> Vec<usize> {
        self.runners.iter().map(|runner| runner.games).collect()
    }

    /// All games so far.
    pub fn games(&self) -> usize {
        self.counts().iter().sum()
    }

    /// How many values lay outside `low` and `high`: if many, the confidence is not what `delta` says.
    pub fn outside(&self) -> usize {
        self.outside
    }
}

#[cfg(test)]
mod tests;
