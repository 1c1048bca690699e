//! The settings of both ways to learn, with their limits.

use learn::fitting;
use learn::learners::{SettingError, settings};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Settings of `td`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TdSettings {
    /// Games of a round.
    pub games: u32,
    /// Games that are played before anything is learned from them; they may be played at the same time.
    pub batch: u32,
    /// How far what happens reaches back: 0 to the position before, 1 to all that led to it.
    pub lambda: f64,
    /// The rate of learning in the first round.
    pub rate: f64,
    /// In the last.
    pub rate_end: f64,
    /// The share of moves that are drawn by lot in the first round.
    pub epsilon: f64,
    /// In the last.
    pub epsilon_end: f64,
    /// Whether each game is learned from as one of its images, by lot.
    pub symmetries: bool,
}

impl Default for TdSettings {
    fn default() -> Self {
        Self {
            games: 1000,
            batch: 8,
            lambda: 0.7,
            rate: 0.02,
            rate_end: 0.002,
            epsilon: 0.1,
            epsilon_end: 0.05,
            symmetries: true,
        }
    }
}

/// Settings of `fitted-self-play`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FittedSettings {
    /// Games of a round.
    pub games: u32,
    /// FittedSelfPlay whose positions are learned from, the last one included.
    pub window: usize,
    /// The share of moves that are drawn by lot in the first round.
    pub epsilon: f64,
    /// In the last.
    pub epsilon_end: f64,
    /// What a position is worth: `outcome`, `fraction` or `return`.
    pub label: LabelWord,
    /// With `return`: 1 is how the game went on, 0 what the search found in the next position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// The optimiser.
    pub with: String,
    /// Its iterations each round.
    pub iterations: usize,
    /// The weight of the squared parameters.
    pub decay: f64,
    /// Whether each game is learned from as one of its images, by lot.
    pub symmetries: bool,
}

/// What a position is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelWord {
    /// How the game ended.
    Outcome,
    /// The outcome, the surer the nearer the end (Müller 1992, equation 2.1).
    Fraction,
    /// A mean of what searches found later in the game and of the outcome.
    Return,
}

impl Default for FittedSettings {
    fn default() -> Self {
        Self {
            games: 1000,
            window: 1,
            epsilon: 0.1,
            epsilon_end: 0.05,
            label: LabelWord::Outcome,
            lambda: None,
            with: "lbfgs".into(),
            iterations: 50,
            decay: 1e-5,
            symmetries: true,
        }
    }
}

/// Reads settings; whatever is left out has its default.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, SettingError> {
    settings(value)
}

pub fn within(key: &'static str, value: f64, low: f64, high: f64) -> Result<(), SettingError> {
    match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(SettingError::value(key, value, format!("from {low} to {high}"))),
    }
}

impl TdSettings {
    /// Whether all of them can be.
    pub fn check(&self) -> Result<(), SettingError> {
        within("games", self.games.into(), 1.0, 1e8)?;
        within("batch", self.batch.into(), 1.0, 1e6)?;
        within("lambda", self.lambda, 0.0, 1.0)?;
        within("rate", self.rate, 0.0, 100.0)?;
        within("rate_end", self.rate_end, 0.0, 100.0)?;
        within("epsilon", self.epsilon, 0.0, 1.0)?;
        within("epsilon_end", self.epsilon_end, 0.0, 1.0)
    }
}

impl FittedSettings {
    /// Whether all of them can be, for a function of so many parameters.
    pub fn check(&self, parameters: usize) -> Result<(), SettingError> {
        within("games", self.games.into(), 1.0, 1e7)?;
        within("window", self.window as f64, 1.0, 1000.0)?;
        within("epsilon", self.epsilon, 0.0, 1.0)?;
        within("epsilon_end", self.epsilon_end, 0.0, 1.0)?;
        within("iterations", self.iterations as f64, 1.0, 1e6)?;
        within("decay", self.decay, 0.0, 1e6)?;
        match (self.label, self.lambda) {
            (LabelWord::Return, lambda) => within("lambda", lambda.unwrap_or(0.0), 0.0, 1.0)?,
            (_, None) => {}
            (_, Some(lambda)) => {
                return Err(SettingError::value("lambda", lambda, "left out unless label = \"return\""));
            }
        }
        let refused = |error: String| SettingError::Form(format!("with = {:?}: {error}", self.with));
        let method = fitting::Method::parse(&self.with).map_err(|error| refused(error.to_string()))?;
        let listed = method.listed();
        match parameters <= listed.most_parameters {
            true => Ok(()),
            false => Err(refused(format!(
                "{} is for at most {} parameters, and there are {parameters}",
                listed.entry.name, listed.most_parameters
            ))),
        }
    }
}
