//! The settings of `cbmpi`, with their limits.

use learn::fitting;
use learn::learners::SettingError;
use measure::splitting::Levels;
use play::names::is_like;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::selfplay::settings::{read, within};

/// Where an excursion is over unless it is said.
const BASE: u32 = 5;

/// Settings of `cbmpi`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CbmpiSettings {
    /// Positions of a round, about.
    pub boards: usize,
    /// The levels that they come from, beside ordinary play; none: those that a short run chooses.
    pub levels: Vec<u32>,
    /// With levels: where an excursion is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<u32>,
    /// How much the worst deal counts for more than the others: 0 is the expectation, much is the worst alone.
    pub softness: f64,
    /// How much the position between the two moves counts beside the one after them. What tells of the first move itself
    /// always counts.
    pub between: f64,
    /// How much less than the worst other answer the end of the game is worth.
    pub lost: f64,
    /// What is to be small.
    pub loss: LossWord,
    /// Values that differ by this much are told apart by a factor of e.
    pub temperature: f64,
    /// Names of weights that stay, `*` for anything.
    pub frozen: Vec<String>,
    /// The optimiser.
    pub with: String,
    /// Its passes through the positions of a round.
    pub epochs: usize,
}

/// What is to be small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossWord {
    /// What the expert expects to lose if the policy draws its moves by lot, the better ones more often.
    Regret,
    /// The cross-entropy of the expert's choice.
    Choice,
}

impl Default for CbmpiSettings {
    fn default() -> Self {
        Self {
            boards: 140_000,
            levels: Vec::new(),
            base: None,
            softness: 0.1,
            between: 0.3,
            lost: 50.0,
            loss: LossWord::Regret,
            temperature: 1.0,
            frozen: Vec::new(),
            with: "adam(rate=0.01, batch=512)".into(),
            epochs: 20,
        }
    }
}

impl CbmpiSettings {
    /// Reads the settings; `parameters` are the names of the policy's, `highest` is the highest level there can be.
    ///
    /// # Errors
    /// A key is unknown, or a value is out of range.
    pub fn new(settings: &Value, parameters: &[String], highest: u32) -> Result<Self, SettingError> {
        let settings: Self = read(settings)?;
        within("boards", settings.boards as f64, 20.0, 1e8)?;
        match (&settings.levels[..], settings.base) {
            ([], Some(base)) => {
                return Err(SettingError::value("base", base, "left out unless levels are given"));
            }
            ([], None) => {}
            (levels, base) => settings.levels().check(highest).map_err(|_| {
                let base = base.unwrap_or(BASE);
                let allowed = format!("rising, above the base {base} and at most {highest}");
                SettingError::value("levels", format!("{levels:?}"), allowed)
            })?,
        }
        within("softness", settings.softness, 0.0, 1e6)?;
        within("between", settings.between, 0.0, 10.0)?;
        within("lost", settings.lost, 0.0, 1e6)?;
        within("epochs", settings.epochs as f64, 1.0, 1e6)?;
        if !(settings.temperature > 0.0 && settings.temperature <= 1e6) {
            return Err(SettingError::value("temperature", settings.temperature, "above 0 and at most 1e6"));
        }
        let met = |pattern: &String| parameters.iter().any(|name| is_like(name, pattern));
        if let Some(stranger) = settings.frozen.iter().find(|pattern| !met(pattern)) {
            let few: Vec<&str> = parameters.iter().take(20).map(String::as_str).collect();
            let more = if parameters.len() > few.len() { ", ..." } else { "" };
            return Err(SettingError::value(
                "frozen",
                format!("{stranger:?}"),
                format!("names of the model's weights, * for anything: {}{more}", few.join(", ")),
            ));
        }
        if settings.frozen(parameters).iter().all(|&frozen| frozen) {
            return Err(SettingError::value(
                "frozen",
                format!("{:?}", settings.frozen),
                "fewer than all weights",
            ));
        }
        let refused = |error: String| SettingError::Form(format!("with = {:?}: {error}", settings.with));
        let method = fitting::Method::parse(&settings.with).map_err(|error| refused(error.to_string()))?;
        let most = method.listed().most_parameters;
        match parameters.len() <= most {
            true => Ok(settings),
            false => Err(refused(format!(
                "it is for at most {most} parameters, and there are {}",
                parameters.len()
            ))),
        }
    }

    /// The levels that boards come from.
    pub fn levels(&self) -> Levels {
        match self.levels.is_empty() {
            true => Levels::Automatic,
            false => Levels::Given { base: self.base.unwrap_or(BASE), levels: self.levels.clone() },
        }
    }

    /// Which parameters stay.
    pub fn frozen(&self, parameters: &[String]) -> Vec<bool> {
        parameters.iter().map(|name| self.frozen.iter().any(|pattern| is_like(name, pattern))).collect()
    }
}
