//! Learners: they ask for vectors to be tried and are told how good each was. One algorithm a file, and one line in the
//! list. Higher is better.
//!
//! A learner is saved whole, its generator with it: loaded again it goes on bit for bit. It may be saved whenever it has
//! been told, or before it has asked for the first time.

mod cma_es;
mod genetic;
mod noisy_ce;
mod swarm;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::Entry;

/// The one list of learners.
pub const LEARNERS: &[LearnerEntry] = &[cma_es::CMA_ES, noisy_ce::ENTRY, genetic::ENTRY, swarm::ENTRY];

/// A vector to be tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The parameters.
    pub point: Vec<f64>,
    /// Trials of one series meet the same games; series 1 is a second, independent one, for a learner that asks for the
    /// same point twice to see how much its value varies.
    pub series: u32,
}

/// What is searched.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    /// The number of parameters.
    pub dimension: usize,
    /// Where to begin, if somebody knows.
    pub start: Option<Vec<f64>>,
    /// The lowest and the highest value of each parameter.
    pub bounds: Option<Vec<(f64, f64)>>,
    /// Whether every parameter is a bit, 0 or 1.
    pub bits: bool,
}

impl Space {
    /// All vectors of so many numbers.
    pub fn real(dimension: usize) -> Self {
        Self { dimension, start: None, bounds: None, bits: false }
    }
}

/// How a learner stands, for logs and reports.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Diagnostics {
    /// Generations told so far.
    pub generation: u64,
    /// The overall step size, if it has one.
    pub step: Option<f64>,
    /// The standard deviation of each parameter in the next generation.
    pub deviations: Vec<f64>,
    /// The lengths of the axes of the distribution, shortest first, the step size left out; empty if it has none.
    pub axes: Vec<f64>,
    /// How often it began again.
    pub restarts: u64,
}

/// A black-box optimiser. `ask` and `tell` take turns.
pub trait Learner: Send {
    /// The vectors of the next generation.
    fn ask(&mut self) -> Vec<Trial>;

    /// The values of the vectors asked for, in their order; finite, higher is better.
    fn tell(&mut self, values: &[f64]);

    /// How many of the vectors of a generation are selected: what a race has to tell from the others.
    fn parents(&self) -> usize;

    /// How many times the usual number of games a vector should get, under noise.
    fn effort(&self) -> f64 {
        1.0
    }

    /// What it would deploy: the centre of its distribution, or the best member of its population.
    fn centre(&self) -> Vec<f64>;

    /// Why there is no use in going on, if there is none.
    fn stop(&self) -> Option<String>;

    /// How it stands.
    fn standing(&self) -> Diagnostics;

    /// The whole state.
    fn save(&self) -> Value;
}

/// Makes a learner of settings, a space and a seed.
pub type Build = fn(&Value, &Space, u64) -> Result<Box<dyn Learner>, SettingError>;

/// A learner in the list.
#[derive(Clone, Copy)]
pub struct LearnerEntry {
    /// Its name and what it is.
    pub entry: Entry,
    /// A new one with these settings (an object; whatever is left out has its default), for a space, of a seed.
    pub build: Build,
    /// The settings that it has, for the schema of experiments.
    pub settings: fn(&mut SchemaGenerator) -> Schema,
    /// The one that was saved.
    pub load: fn(Value) -> Result<Box<dyn Learner>, serde_json::Error>,
}

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingError {
    /// There is no setting of this name, or its value is of another kind; as serde says it.
    #[error("{0}")]
    Form(String),
    /// The value is out of range.
    #[error("{key} = {value}: must be {allowed}")]
    Value {
        /// The setting.
        key: &'static str,
        /// Its value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
}

impl SettingError {
    /// The error about this value.
    pub fn value(key: &'static str, value: impl Display, allowed: impl Into<String>) -> Self {
        SettingError::Value { key, value: value.to_string(), allowed: allowed.into() }
    }
}

/// The most vectors of a generation: more are a slip.
const MOST_POPULATION: usize = 100_000;
/// The most numbers that the vectors of a generation may have together, a gigabyte of them.
pub(crate) const MOST_NUMBERS: usize = 1 << 27;

/// Checks that so many vectors make a generation, before memory is asked for.
///
/// # Errors
/// There are too few or too many.
pub fn check_population(
    key: &'static str,
    size: usize,
    least: usize,
    space: &Space,
) -> Result<(), SettingError> {
    let most = MOST_POPULATION.min(MOST_NUMBERS / space.dimension.max(1));
    match (least..=most).contains(&size) {
        true => Ok(()),
        false => {
            let allowed = format!("from {least} to {most} with {} parameters", space.dimension);
            Err(SettingError::value(key, size, allowed))
        }
    }
}

/// Reads settings.
///
/// # Errors
/// A key is unknown or a value is of another kind.
pub fn settings<T: DeserializeOwned>(value: &Value) -> Result<T, SettingError> {
    let fault =
        |value: &Value| serde_json::from_value::<T>(value.clone()).err().map(|error| error.to_string());
    serde_json::from_value(value.clone()).map_err(|error| {
        let error = error.to_string();
        let said = plain_words(&error);
        SettingError::Form(match culprit(value, &error, &fault) {
            Some(key) => format!("{key}: {said}"),
            None => said,
        })
    })
}

/// The key whose value is at fault, which serde does not tell: the one without which the fault is gone or another.
fn culprit<'a>(
    value: &'a Value,
    error: &str,
    fault: &dyn Fn(&Value) -> Option<String>,
) -> Option<&'a String> {
    // These name the key themselves.
    if error.starts_with("unknown field") || error.starts_with("missing field") {
        return None;
    }
    let object = value.as_object()?;
    object.keys().find(|key| {
        let mut rest = object.clone();
        rest.remove(*key);
        fault(&Value::Object(rest)).as_deref() != Some(error)
    })
}

/// What serde says about a value, without names of types that only programmers know.
pub fn plain_words(message: &str) -> String {
    let names = [("f64", "a number"), ("f32", "a number")];
    let whole = ["usize", "u64", "u32", "u16", "u8", "i64", "i32"].map(|name| (name, "a whole number"));
    names.into_iter().chain(whole).fold(message.to_string(), |text, (name, words)| {
        text.replace(&format!("expected {name}"), &format!("expected {words}"))
    })
}

/// The learner of this name.
pub fn learner(name: &str) -> Option<&'static LearnerEntry> {
    LEARNERS.iter().find(|learner| learner.entry.name == name)
}
