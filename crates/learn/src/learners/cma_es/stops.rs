//! When a run of CMA-ES has no use any more: the conditions of Hansen's tutorial (arXiv:1604.00772, appendix B.3), each a
//! reason in words.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::distribution::Distribution;
use super::settings::Settings;

/// Only every so many generations are written down in the long record,
const EVERY: u64 = 5;
/// ... which holds no more than this, and tells nothing before it holds 100.
const LONGEST_RECORD: usize = 4000;

/// What the run has seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The best values of the last generations, newest last.
    recent: VecDeque<f64>,
    /// Whether that is as many as it takes to speak of convergence.
    settled: bool,
    /// The best and the median of every fifth generation.
    record: VecDeque<(f64, f64)>,
    /// The best value so far and the generation that it came in.
    best: Option<(f64, u64)>,
    /// The median of the last generation.
    pub median: Option<f64>,
    /// The difference between the best and the worst of the last generation.
    spread: f64,
    /// Generations in a row with all values equal.
    flat: u64,
    generations: u64,
}

impl History {
    /// Takes in the values of a generation, best first.
    pub fn add(&mut self, sorted: &[f64], dimension: usize) {
        let (best, worst) = (sorted[0], sorted[sorted.len() - 1]);
        let median = f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
        self.generations += 1;
        self.median = Some(median);
        // Values so far apart that their difference overflows are far apart.
        self.spread = (best - worst).min(f64::MAX);
        self.flat = if best == worst { self.flat + 1 } else { 0 };
        if self.best.is_none_or(|(value, _)| best > value) {
            self.best = Some((best, self.generations));
        }
        let window = 10 + (30 * dimension).div_ceil(sorted.len());
        self.recent.push_back(best);
        if self.recent.len() > window {
            self.recent.pop_front();
        }
        self.settled = self.recent.len() == window;
        if self.generations.is_multiple_of(EVERY) {
            self.record.push_back((best, median));
            if self.record.len() > LONGEST_RECORD {
                self.record.pop_front();
            }
        }
    }

    fn recent_spread(&self) -> f64 {
        let extremes =
            self.recent.iter().fold((f64::MAX, f64::MIN), |(low, high), &v| (low.min(v), high.max(v)));
        extremes.1 - extremes.0
    }

    /// Whether neither the best values nor the medians of the last part of the record beat those of the part before it,
    /// and the best value of all is old.
    fn stagnates(&self, generations: u64, dimension: usize, population: usize) -> bool {
        let recorded = self.record.len();
        let early = dimension as f64 * (5.0 + 100.0 / population as f64);
        let old = self.best.is_some_and(|(_, at)| self.generations - at > generations / 2);
        let part = ((generations / (2 * EVERY)) as usize).max(recorded / 10).max(1);
        if !self.generations.is_multiple_of(EVERY)
            || recorded <= 100
            || 2 * part >= recorded
            || self.generations as f64 <= early
            || !old
        {
            return false;
        }
        let median = |range: std::ops::Range<usize>, pick: fn(&(f64, f64)) -> f64| {
            let mut values: Vec<f64> = self.record.range(range).map(pick).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let (before, last) = (recorded - 2 * part..recorded - part, recorded - part..recorded);
        let better = |pick| median(last.clone(), pick) > median(before.clone(), pick);
        !better(|entry| entry.0) && !better(|entry| entry.1)
    }

    /// Why the run should stop.
    pub fn reason(&self, distribution: &Distribution, sigma_0: f64, settings: &Settings) -> Option<String> {
        let Distribution { mean, sigma, axes, path_c, parameters, .. } = distribution;
        let (n, population) = (mean.len(), parameters.weights.len());
        let (shortest, longest) = (axes[0], axes[n - 1]);
        let Settings {
            tol_x, tol_fun, tol_fun_hist, tol_up_x, tol_up_sigma, tol_flat, max_condition, ..
        } = settings;
        let (mut widest, mut idle) = (0.0, None);
        for (i, deviation) in distribution.deviations().enumerate() {
            widest = deviation.max(widest);
            if mean[i] == mean[i] + 0.2 * deviation {
                idle = idle.or(Some(i));
            }
        }

        if widest < *tol_x && path_c.iter().all(|p| sigma * p.abs() < *tol_x) {
            return Some(format!("the steps are shorter than tol_x = {tol_x:e}"));
        }
        if *tol_flat > 0 && self.flat >= *tol_flat {
            return Some(format!("all values were equal for tol_flat = {tol_flat} generations"));
        }
        if self.settled {
            let recent_spread = self.recent_spread();
            if self.spread.max(recent_spread) < *tol_fun {
                return Some(format!("the values differ by less than tol_fun = {tol_fun:e}"));
            }
            if recent_spread < *tol_fun_hist {
                return Some(format!("the best values differ by less than tol_fun_hist = {tol_fun_hist:e}"));
            }
        }
        if longest * longest > max_condition * shortest * shortest {
            return Some(format!(
                "the covariance matrix has a condition above max_condition = {max_condition:e}"
            ));
        }
        if let Some(i) = idle {
            return Some(format!("steps are too short to change parameter {i}"));
        }
        let (direction, axis) = distribution.axis((distribution.generation % n as u64) as usize);
        if mean.iter().zip(direction).all(|(m, b)| *m == m + 0.1 * sigma * axis * b) {
            return Some("steps along an axis are too short to change any parameter".to_string());
        }
        if *tol_up_x > 0.0 && widest > tol_up_x * sigma_0 {
            return Some(format!("it diverges: the steps have grown by more than tol_up_x = {tol_up_x:e}"));
        }
        if *tol_up_sigma > 0.0 && sigma / longest > tol_up_sigma * sigma_0 {
            return Some(format!("it creeps: sigma has grown by more than tol_up_sigma = {tol_up_sigma:e}"));
        }
        let stagnation = settings.stagnation(n, population);
        if stagnation > 0 && self.stagnates(stagnation, n, population) {
            return Some(format!("no progress for stagnation = {stagnation} generations"));
        }
        None
    }
}
