//! The settings of CMA-ES, their defaults and their ranges.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parameters::default_population;
use crate::learners::{MOST_NUMBERS, SettingError, Space, check_population};

/// Smaller populations have no rank to speak of.
const LEAST_POPULATION: usize = 4;
/// A matrix of so many rows takes 128 MB.
const MOST_PARAMETERS: usize = 4096;
/// A population that still fits into memory after this many doublings.
const MOST_RESTARTS: u64 = 12;

/// What may be set. A tolerance of 0 never stops.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Offspring of a generation; 4 + 3 ln n if it is left out.
    pub population: Option<usize>,
    /// The step size at the start.
    pub sigma: f64,
    /// Where to begin if the space does not say.
    pub start: Start,
    /// Whether all vectors are brought to length 1.
    pub normalize: bool,
    /// Whether the worst offspring are learned from, too.
    pub active: bool,
    /// What follows when a run has stopped.
    pub restarts: Restarts,
    /// The most restarts with a larger population.
    pub max_restarts: u64,
    /// Whether some vectors are tried twice, to see the noise and to answer it.
    pub uncertainty: bool,
    /// The most effort asked for under noise.
    pub max_effort: f64,
    /// A run stops when every step is shorter than this,
    pub tol_x: f64,
    /// ... when the values of a generation and the best of the last ones differ by less than this,
    pub tol_fun: f64,
    /// ... when the best of the last generations alone differ by less than this,
    pub tol_fun_hist: f64,
    /// ... when some deviation has grown by this factor: it diverges,
    pub tol_up_x: f64,
    /// ... when the step size has grown by this factor against the longest axis: it creeps,
    pub tol_up_sigma: f64,
    /// ... after so many generations in a row with all values equal,
    pub tol_flat: u64,
    /// ... when the condition of the covariance matrix is above this,
    pub max_condition: f64,
    /// ... after so many generations without progress; 100 + 100 n^1.5 / population if it is left out.
    pub stagnation: Option<u64>,
}

/// Where a run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// At the zero vector, or in the middle of the bounds.
    Zero,
    /// At a random vector of length 1.
    Unit,
}

/// What follows when a run has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restarts {
    /// Nothing.
    None,
    /// A run with twice the population.
    Ipop,
    /// By turns one with twice the population and some with a small one.
    Bipop,
}

impl Default for Settings {
    /// The tolerances are those of pycma 4, `tol_up_x` that of the tutorial's appendix B.3. pycma ends a flat run after one
    /// generation; a beginner at a game scores nothing for longer than that.
    fn default() -> Self {
        Self {
            population: None,
            sigma: 0.5,
            start: Start::Zero,
            normalize: false,
            active: true,
            restarts: Restarts::None,
            max_restarts: 9,
            uncertainty: false,
            max_effort: 10.0,
            tol_x: 1e-11,
            tol_fun: 1e-11,
            tol_fun_hist: 1e-12,
            tol_up_x: 1e4,
            tol_up_sigma: 1e20,
            tol_flat: 10,
            max_condition: 1e14,
            stagnation: None,
        }
    }
}

impl Settings {
    /// The offspring of a generation of the first run.
    pub fn population(&self, dimension: usize) -> usize {
        self.population.unwrap_or(default_population(dimension))
    }

    /// The generations without progress that stop a run of so many offspring.
    pub fn stagnation(&self, dimension: usize, population: usize) -> u64 {
        let usual = 100.0 + 100.0 * math::powf(dimension as f64, 1.5) / population as f64;
        self.stagnation.unwrap_or(usual as u64)
    }

    /// Checks every range.
    pub fn check(&self, space: &Space) -> Result<(), SettingError> {
        if space.dimension > MOST_PARAMETERS {
            let allowed = format!("at most {MOST_PARAMETERS}: a matrix of their square is learned");
            return Err(SettingError::value("parameters", space.dimension, allowed));
        }
        let population = self.population(space.dimension);
        check_population("population", population, LEAST_POPULATION, space)?;
        if !(self.sigma > 0.0 && self.sigma <= 1e9) {
            return Err(SettingError::value("sigma", self.sigma, "greater than 0, at most 1e9"));
        }
        if self.max_restarts > MOST_RESTARTS {
            let allowed = format!("from 0 to {MOST_RESTARTS}");
            return Err(SettingError::value("max_restarts", self.max_restarts, allowed));
        }
        let largest = (population << self.max_restarts).saturating_mul(space.dimension);
        if self.restarts != Restarts::None && largest > MOST_NUMBERS {
            let allowed =
                format!("fewer: with {population} offspring the last restart does not fit into memory");
            return Err(SettingError::value("max_restarts", self.max_restarts, allowed));
        }
        if !(1.0..=1e6).contains(&self.max_effort) {
            return Err(SettingError::value("max_effort", self.max_effort, "from 1 to 1e6"));
        }
        for (key, value) in [
            ("tol_x", self.tol_x),
            ("tol_fun", self.tol_fun),
            ("tol_fun_hist", self.tol_fun_hist),
            ("tol_up_x", self.tol_up_x),
            ("tol_up_sigma", self.tol_up_sigma),
        ] {
            if value.is_nan() || value < 0.0 {
                return Err(SettingError::value(key, value, "0 (never) or greater"));
            }
        }
        if !(self.max_condition > 1.0 && self.max_condition <= 1e15) {
            let allowed = "greater than 1, at most 1e15";
            return Err(SettingError::value("max_condition", self.max_condition, allowed));
        }
        if self.normalize && space.bounds.is_some() {
            return Err(SettingError::value("normalize", true, "false in a space with bounds"));
        }
        if self.start == Start::Unit && space.bounds.is_some() {
            return Err(SettingError::value("start", "unit", "zero in a space with bounds"));
        }
        if space.bits {
            return Err(SettingError::value("bits", true, "false: cma-es searches real numbers"));
        }
        Ok(())
    }
}
