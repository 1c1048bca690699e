//! CMA-ES: a normal distribution is moved and shaped by the ranks of the vectors drawn from it. Hansen, The CMA Evolution
//! Strategy: A Tutorial, 2016 (arXiv:1604.00772), with active update; restarts, bounds, unit length and the handling of
//! noise are each in a file of their own.

mod bounds;
mod distribution;
mod eigen;
mod parameters;
mod restarts;
mod settings;
mod stops;
#[cfg(test)]
mod tests;
mod uncertainty;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::bounds::Interval;
use self::distribution::Distribution;
use self::parameters::Parameters;
use self::restarts::{Plan, Schedule};
use self::settings::{Restarts, Settings, Start};
use self::stops::History;
use self::uncertainty::Uncertainty;
use super::{Diagnostics, Learner, LearnerEntry, SettingError, Space, Trial};
use crate::Entry;
use crate::random::Random;

/// The line in the list of learners.
pub const CMA_ES: LearnerEntry = LearnerEntry {
    entry: Entry { name: "cma-es", summary: "covariance matrix adaptation evolution strategy (Hansen)" },
    build: |settings, space, seed| Ok(Box::new(CmaEs::new(settings, space, seed)?)),
    settings: Settings::json_schema,
    load: |state| Ok(Box::new(serde_json::from_value::<CmaEs>(state)?)),
};

/// No deviation may be wider than this part of its bounds (as in pycma): beyond it the images of the bounds only repeat.
const WIDEST: f64 = 1.0 / 3.0;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct CmaEs {
    settings: Settings,
    /// Where to begin, if the space says.
    start: Option<Vec<f64>>,
    /// One for each parameter, or none at all.
    bounds: Vec<Interval>,
    random: Random,
    distribution: Distribution,
    history: History,
    /// The evaluations of this run and the most that it may have.
    evaluations: u64,
    budget: Option<u64>,
    /// The step size that this run began with.
    sigma_0: f64,
    uncertainty: Uncertainty,
    schedule: Schedule,
    /// The centre of the best run that has ended, and its last median.
    kept: Option<(f64, Vec<f64>)>,
    generation: u64,
    stopped: Option<String>,
}

impl CmaEs {
    fn new(value: &Value, space: &Space, seed: u64) -> Result<Self, SettingError> {
        assert!(space.dimension > 0, "a space without parameters");
        let fits = space.start.as_ref().is_none_or(|start| start.len() == space.dimension);
        assert!(fits, "a start with another number of parameters than the space");
        let settings: Settings = super::settings(value)?;
        settings.check(space)?;
        let bounds = intervals(space)?;
        let mut random = Random::seeded(seed);
        let start = match &space.start {
            Some(point) => free(point, &bounds)?,
            None => first_mean(settings.start, space.dimension, &bounds, &mut random),
        };
        let parameters =
            Parameters::new(space.dimension, settings.population(space.dimension), settings.active);
        let mut distribution = Distribution::new(start, settings.sigma, parameters);
        limit(&mut distribution, &bounds);
        Ok(Self {
            start: space.start.clone(),
            bounds,
            random,
            distribution,
            history: History::default(),
            evaluations: 0,
            budget: None,
            sigma_0: settings.sigma,
            uncertainty: Uncertainty::new(),
            schedule: Schedule::default(),
            kept: None,
            generation: 0,
            stopped: None,
            settings,
        })
    }

    fn dimension(&self) -> usize {
        self.distribution.mean.len()
    }

    /// The mean as a vector that may be tried.
    fn mean(&self) -> Vec<f64> {
        let mut point = self.distribution.mean.clone();
        into_bounds(&mut point, &self.bounds);
        if self.settings.normalize {
            let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                point.iter_mut().for_each(|x| *x /= length);
            }
        }
        point
    }

    /// The offspring, best first.
    fn order(&mut self, values: &[f64], again: &[f64]) -> Vec<usize> {
        if again.len() > 1 {
            let dimension = self.dimension();
            let (order, factor) = self.uncertainty.answer(values, again, dimension, self.settings.max_effort);
            self.distribution.scale(factor);
            return order;
        }
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        order
    }

    /// Ends a run: keeps its centre if it is the best so far, and begins the next if there is one.
    fn end_run(&mut self, reason: String) {
        if let Some(median) = self.history.median
            && self.kept.as_ref().is_none_or(|(best, _)| median > *best)
        {
            self.kept = Some((median, self.mean()));
        }
        if self.settings.restarts == Restarts::None || !self.schedule.goes_on(self.settings.max_restarts) {
            self.stopped = Some(reason);
            return;
        }
        let n = self.dimension();
        let usual = self.settings.population(n);
        let Plan { population, sigma, budget } =
            self.schedule.next(self.settings.restarts, self.evaluations, usual, &mut self.random);
        let mean = self.next_mean();
        let parameters = Parameters::new(n, population, self.settings.active);
        self.sigma_0 = self.settings.sigma * sigma;
        self.distribution = Distribution::new(mean, self.sigma_0, parameters);
        limit(&mut self.distribution, &self.bounds);
        self.history = History::default();
        self.evaluations = 0;
        self.budget = budget;
    }

    /// Where another run begins: anywhere in the bounds, at another vector of length 1, or where the first began.
    fn next_mean(&mut self) -> Vec<f64> {
        if !self.bounds.is_empty() {
            return self.bounds.iter().map(|b| b.free(self.random.between(b.low, b.high))).collect();
        }
        match &self.start {
            Some(point) if self.settings.start == Start::Zero => point.clone(),
            _ => first_mean(self.settings.start, self.dimension(), &self.bounds, &mut self.random),
        }
    }
}

impl Learner for CmaEs {
    fn ask(&mut self) -> Vec<Trial> {
        let mut trials = Vec::with_capacity(self.distribution.parameters.weights.len() + 2);
        let bounds = &self.bounds;
        self.distribution.sample(&mut self.random, self.settings.normalize, |mut point| {
            into_bounds(&mut point, bounds);
            trials.push(Trial { point, series: 0 });
        });
        if self.settings.uncertainty {
            for k in 0..Uncertainty::twice(trials.len(), &mut self.random) {
                trials.push(Trial { point: trials[k].point.clone(), series: 1 });
            }
        }
        trials
    }

    fn tell(&mut self, values: &[f64]) {
        assert!(values.iter().all(|value| value.is_finite()), "values are finite");
        let population = self.distribution.parameters.weights.len();
        assert!(values.len() >= population, "one value for each trial");
        self.generation += 1;
        self.evaluations += values.len() as u64;
        let (values, again) = values.split_at(population);
        let order = self.order(values, again);
        let mut sorted = values.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        if sorted[0] > sorted[population - 1] {
            self.distribution.update(&order);
        } else {
            // Values all equal say nothing of the directions, but the steps may be too short to see a difference: they are
            // made longer (tutorial, appendix B.4).
            let Parameters { c_sigma, d_sigma, .. } = self.distribution.parameters;
            self.distribution.scale(math::exp(0.2 + c_sigma / d_sigma));
        }
        limit(&mut self.distribution, &self.bounds);
        self.history.add(&sorted, self.dimension());
        let spent = self.budget.is_some_and(|budget| self.evaluations >= budget);
        let reason = self.history.reason(&self.distribution, self.sigma_0, &self.settings);
        let spent = spent.then(|| "its share of the evaluations is used up".to_string());
        if self.stopped.is_none()
            && let Some(reason) = reason.or(spent)
        {
            self.end_run(reason);
        }
    }

    fn parents(&self) -> usize {
        self.distribution.parameters.mu
    }

    fn effort(&self) -> f64 {
        self.uncertainty.effort
    }

    /// The mean of the running distribution, or that of an earlier run which ended with better values.
    fn centre(&self) -> Vec<f64> {
        match &self.kept {
            Some((median, centre)) if self.history.median.is_none_or(|running| running < *median) => {
                centre.clone()
            }
            _ => self.mean(),
        }
    }

    fn stop(&self) -> Option<String> {
        self.stopped.clone()
    }

    fn standing(&self) -> Diagnostics {
        Diagnostics {
            generation: self.generation,
            step: Some(self.distribution.sigma),
            deviations: self.distribution.deviations().collect(),
            axes: self.distribution.axes.clone(),
            restarts: self.schedule.restarts,
        }
    }

    fn save(&self) -> Value {
        serde_json::to_value(self).expect("numbers and lists")
    }
}

fn intervals(space: &Space) -> Result<Vec<Interval>, SettingError> {
    let Some(bounds) = &space.bounds else { return Ok(Vec::new()) };
    assert_eq!(bounds.len(), space.dimension, "bounds for each parameter");
    for (low, high) in bounds {
        if !(low.is_finite() && high.is_finite() && low < high) {
            let value = format!("({low}, {high})");
            return Err(SettingError::value("bounds", value, "two numbers, the lower one first"));
        }
    }
    Ok(bounds.iter().map(|&(low, high)| Interval { low, high }).collect())
}

/// The coordinates of the search for a given start.
fn free(point: &[f64], bounds: &[Interval]) -> Result<Vec<f64>, SettingError> {
    for (x, interval) in point.iter().zip(bounds) {
        if !(interval.low..=interval.high).contains(x) {
            let allowed = format!("from {} to {}", interval.low, interval.high);
            return Err(SettingError::value("start", x, allowed));
        }
    }
    if bounds.is_empty() {
        return Ok(point.to_vec());
    }
    Ok(point.iter().zip(bounds).map(|(&x, interval)| interval.free(x)).collect())
}

fn into_bounds(point: &mut [f64], bounds: &[Interval]) {
    for (x, interval) in point.iter_mut().zip(bounds) {
        *x = interval.image(*x);
    }
}

fn limit(distribution: &mut Distribution, bounds: &[Interval]) {
    distribution.limit(bounds.iter().map(|interval| WIDEST * interval.width()));
}

fn first_mean(start: Start, dimension: usize, bounds: &[Interval], random: &mut Random) -> Vec<f64> {
    if !bounds.is_empty() {
        return bounds.iter().map(|interval| interval.middle()).collect();
    }
    match start {
        Start::Zero => vec![0.0; dimension],
        Start::Unit => {
            let vector: Vec<f64> = (0..dimension).map(|_| random.normal()).collect();
            let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            vector.iter().map(|x| x / length).collect()
        }
    }
}
