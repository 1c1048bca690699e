//! Noisy cross-entropy (Szita and Lőrincz 2006), as Algorithm 1 of Thiery and Scherrer 2009: draw vectors from a normal
//! law, keep the best tenth, fit the law to them and widen it by some noise, lest it narrow too early.
//!
//! Every parameter has its own mean and variance; correlations are not learned. How many games value a vector is the
//! run's business: one in the papers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Diagnostics, Learner, LearnerEntry, SettingError, Space, Trial, check_population, settings};
use crate::Entry;
use crate::random::Random;

/// The line of the list.
pub const ENTRY: LearnerEntry = LearnerEntry {
    entry: Entry {
        name: "noisy-ce",
        summary: "noisy cross-entropy: a normal law fitted to the best tenth (Szita and Lőrincz; Thiery and Scherrer)",
    },
    build: |value, space, seed| Ok(Box::new(NoisyCe::new(value, space, seed)?)),
    settings: Settings::json_schema,
    load: |state| Ok(Box::new(serde_json::from_value::<NoisyCe>(state)?)),
};

/// Z_t, by the number t of generations told before (section 4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Noise {
    /// 0: narrows after some twenty generations, often too early (figure 5).
    None,
    /// `noise_level`, 4 in the papers: the most reliable of the three over ten runs (figures 4 and 5), so the default.
    Constant,
    /// max(0, `noise_level` - `noise_decay` t), max(0, 5 - t / 10) in the papers: the best single run, the most spread.
    Linear,
    /// `noise_level` (1 - `noise_decay`)^t: not of the papers, for a noise that shrinks and never ends.
    Geometric,
}

#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    /// N.
    population: usize,
    /// rho: the share of the vectors that is selected.
    elite: f64,
    /// The standard deviation at the beginning.
    deviation: f64,
    /// What widens the law.
    noise: Noise,
    /// How wide, at the beginning where it shrinks.
    noise_level: Option<f64>,
    /// What the noise loses in a generation: an amount if linear, a share if geometric.
    noise_decay: Option<f64>,
    /// Stops when no deviation exceeds this.
    tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            population: 100,
            elite: 0.1,
            deviation: 10.0,
            noise: Noise::Constant,
            noise_level: None,
            noise_decay: None,
            tolerance: 1e-12,
        }
    }
}

impl Settings {
    /// The number of selected vectors, rounded down; 0.29 of 100 is 29, whatever the last binary digit says.
    fn selected(&self) -> usize {
        (self.elite * self.population as f64 + 1e-9) as usize
    }

    /// Z_t.
    fn noise(&self, t: u64) -> f64 {
        let or = |setting: Option<f64>, default: f64| setting.unwrap_or(default);
        match self.noise {
            Noise::None => 0.0,
            Noise::Constant => or(self.noise_level, 4.0),
            Noise::Linear => (or(self.noise_level, 5.0) - or(self.noise_decay, 0.1) * t as f64).max(0.0),
            Noise::Geometric => {
                or(self.noise_level, 5.0) * math::powf(1.0 - or(self.noise_decay, 0.02), t as f64)
            }
        }
    }

    fn check(&self, space: &Space) -> Result<(), SettingError> {
        check_population("population", self.population, 2, space)?;
        if !(self.elite > 0.0 && self.elite < 1.0) || self.selected() == 0 {
            let allowed = "between 0 and 1, and at least one vector of the population";
            return Err(SettingError::value("elite", self.elite, allowed));
        }
        if self.deviation <= 0.0 {
            return Err(SettingError::value("deviation", self.deviation, "above 0"));
        }
        if let Some(level) = self.noise_level
            && (level < 0.0 || self.noise == Noise::None)
        {
            return Err(SettingError::value("noise_level", level, "at least 0, and left out without noise"));
        }
        if let Some(decay) = self.noise_decay {
            let fits = match self.noise {
                Noise::None | Noise::Constant => false,
                Noise::Linear => decay >= 0.0,
                Noise::Geometric => (0.0..=1.0).contains(&decay),
            };
            if !fits {
                let allowed = "at least 0 if linear, from 0 to 1 if geometric, and left out otherwise";
                return Err(SettingError::value("noise_decay", decay, allowed));
            }
        }
        if self.tolerance < 0.0 {
            return Err(SettingError::value("tolerance", self.tolerance, "at least 0"));
        }
        Ok(())
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct NoisyCe {
    settings: Settings,
    bounds: Option<Vec<(f64, f64)>>,
    mean: Vec<f64>,
    variance: Vec<f64>,
    generation: u64,
    random: Random,
    /// The vectors that wait for their values; none whenever the learner is saved.
    #[serde(skip)]
    asked: Vec<Vec<f64>>,
}

impl NoisyCe {
    fn new(value: &Value, space: &Space, seed: u64) -> Result<Self, SettingError> {
        let settings: Settings = settings(value)?;
        settings.check(space)?;
        if space.bits {
            return Err(SettingError::value("bits", true, "false: a normal law draws no bits"));
        }
        let mut mean = space.start.clone().unwrap_or_else(|| vec![0.0; space.dimension]);
        clamp(&mut mean, space.bounds.as_deref());
        Ok(Self {
            bounds: space.bounds.clone(),
            mean,
            variance: vec![settings.deviation * settings.deviation; space.dimension],
            settings,
            generation: 0,
            random: Random::seeded(seed),
            asked: Vec::new(),
        })
    }

    fn deviations(&self) -> Vec<f64> {
        self.variance.iter().map(|variance| variance.sqrt()).collect()
    }
}

/// Moves whatever lies outside the bounds onto them.
fn clamp(point: &mut [f64], bounds: Option<&[(f64, f64)]>) {
    for (x, (low, high)) in point.iter_mut().zip(bounds.into_iter().flatten()) {
        *x = x.clamp(*low, *high);
    }
}

impl Learner for NoisyCe {
    fn ask(&mut self) -> Vec<Trial> {
        let deviations = self.deviations();
        self.asked.clear();
        for _ in 0..self.settings.population {
            let mut point: Vec<f64> = self
                .mean
                .iter()
                .zip(&deviations)
                .map(|(mean, deviation)| mean + deviation * self.random.normal())
                .collect();
            clamp(&mut point, self.bounds.as_deref());
            self.asked.push(point);
        }
        self.asked.iter().map(|point| Trial { point: point.clone(), series: 0 }).collect()
    }

    fn tell(&mut self, values: &[f64]) {
        assert_eq!(values.len(), self.asked.len(), "one value for each vector asked for");
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
        let selected: Vec<&[f64]> =
            order.iter().take(self.settings.selected()).map(|&i| self.asked[i].as_slice()).collect();
        let n = selected.len() as f64;
        let noise = self.settings.noise(self.generation);
        for k in 0..self.mean.len() {
            // The last two lines of Algorithm 1.
            let mean = selected.iter().map(|w| w[k]).sum::<f64>() / n;
            self.mean[k] = mean;
            self.variance[k] = selected.iter().map(|w| math::powi(w[k] - mean, 2)).sum::<f64>() / n + noise;
        }
        // A mean of numbers on a bound may be rounded beyond it.
        clamp(&mut self.mean, self.bounds.as_deref());
        self.asked.clear();
        self.generation += 1;
    }

    fn parents(&self) -> usize {
        self.settings.selected()
    }

    fn centre(&self) -> Vec<f64> {
        self.mean.clone()
    }

    fn stop(&self) -> Option<String> {
        let widest = self.deviations().into_iter().fold(0.0, f64::max);
        let tolerance = self.settings.tolerance;
        (widest <= tolerance).then(|| format!("no deviation exceeds {tolerance:e}"))
    }

    fn standing(&self) -> Diagnostics {
        let deviations = self.deviations();
        let mut axes = deviations.clone();
        axes.sort_by(f64::total_cmp);
        Diagnostics { generation: self.generation, deviations, axes, ..Diagnostics::default() }
    }

    fn save(&self) -> Value {
        json!(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(settings: &Value, t: u64) -> f64 {
        let settings: Settings = super::settings(settings).unwrap();
        settings.check(&Space::real(1)).unwrap();
        settings.noise(t)
    }

    #[test]
    fn noises_are_those_of_the_papers() {
        assert_eq!([0, 99].map(|t| noise(&json!({"noise": "none"}), t)), [0.0, 0.0]);
        assert_eq!([0, 99].map(|t| noise(&json!({}), t)), [4.0, 4.0]);
        assert_eq!([0, 20, 50, 80].map(|t| noise(&json!({"noise": "linear"}), t)), [5.0, 3.0, 0.0, 0.0]);
        let halves = json!({"noise": "geometric", "noise_level": 8, "noise_decay": 0.5});
        assert_eq!([0, 1, 3].map(|t| noise(&halves, t)), [8.0, 4.0, 1.0]);
    }

    /// One generation by hand: the law is that of the selected vectors, plus the noise.
    #[test]
    fn the_law_is_fitted_to_the_best() {
        let value = json!({"population": 10, "elite": 0.3, "noise_level": 2});
        let mut learner = NoisyCe::new(&value, &Space::real(1), 1).unwrap();
        let points: Vec<f64> = learner.ask().iter().map(|trial| trial.point[0]).collect();
        learner.tell(&[0.0, 9.0, 1.0, 0.0, 7.0, 0.0, 0.0, 0.0, 8.0, 0.0]);
        let best = [points[1], points[8], points[4]];
        let mean = best.iter().sum::<f64>() / 3.0;
        let variance = best.iter().map(|x| math::powi(x - mean, 2)).sum::<f64>() / 3.0 + 2.0;
        assert_eq!(learner.centre(), [mean]);
        assert!((learner.standing().deviations[0] - variance.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_share_of_the_population_is_what_it_says() {
        for elite in 1..100 {
            let settings = Settings { elite: f64::from(elite) / 100.0, ..Settings::default() };
            assert_eq!(settings.selected(), elite as usize);
        }
    }

    #[test]
    fn it_begins_at_the_start_with_the_deviation_and_stops_when_narrow() {
        let space = Space { start: Some(vec![7.0]), ..Space::real(1) };
        let value = json!({"deviation": 0.5, "noise": "none"});
        let mut learner = NoisyCe::new(&value, &space, 1).unwrap();
        assert_eq!((learner.centre(), learner.standing().deviations), (vec![7.0], vec![0.5]));
        for _ in 0..100 {
            assert_eq!(learner.stop(), None);
            let values: Vec<f64> = learner.ask().iter().map(|trial| -math::powi(trial.point[0], 2)).collect();
            learner.tell(&values);
            if learner.stop().is_some() {
                return;
            }
        }
        panic!("it never stopped");
    }
}
