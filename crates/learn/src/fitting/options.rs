//! The options of optimisers as text: `name(key=value, key=value)`.

use notation::{Call, shown};
use thiserror::Error;

use super::OPTIMISERS;

/// What can be wrong with the text of an optimiser.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum OptimiserError {
    /// There is none of this name.
    #[error("unknown optimiser {}; known: {}", shown(.0), names())]
    Unknown(String),
    /// It does not follow the notation.
    #[error("optimiser {}: NAME or NAME(KEY=VALUE, ...) is expected", shown(.0))]
    Syntax(String),
    /// An option is unknown or given twice.
    #[error("{name}: option {} is unknown or given twice; known: {known}", shown(.key))]
    Key {
        /// The optimiser.
        name: String,
        /// The option.
        key: String,
        /// Its options.
        known: String,
    },
    /// A value is not allowed.
    #[error("{name}: {key} cannot be {}; allowed: {allowed}", shown(.value))]
    Value {
        /// The optimiser.
        name: String,
        /// The option.
        key: String,
        /// The value as given.
        value: String,
        /// What it may be.
        allowed: &'static str,
    },
}

fn names() -> String {
    OPTIMISERS.iter().map(|one| one.entry.name).collect::<Vec<_>>().join(", ")
}

/// The options of one optimiser, all of them with a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    name: String,
    values: Vec<(&'static str, f64)>,
}

impl Options {
    /// Reads what stands in the brackets.
    pub fn parse(call: &Call, known: &'static [(&'static str, f64)]) -> Result<Self, OptimiserError> {
        let name = call.name.as_str();
        let mut options = Self { name: name.to_string(), values: known.to_vec() };
        let mut seen: Vec<&str> = Vec::new();
        // Commas with nothing between them are passed over.
        for argument in call.arguments.iter().filter(|argument| argument.bare() != Some("")) {
            let (key, value) = match &argument.key {
                Some(key) => (key.as_str(), argument.value.as_str()),
                None => (argument.value.as_str(), ""),
            };
            let place = options.values.iter_mut().find(|(known, _)| *known == key);
            let Some((known_key, place)) = place.filter(|_| !seen.contains(&key)) else {
                let keys: Vec<&str> = known.iter().map(|(key, _)| *key).collect();
                let known = if keys.is_empty() { "none".to_string() } else { keys.join(", ") };
                return Err(OptimiserError::Key { name: name.into(), key: key.into(), known });
            };
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
            let wrong = || OptimiserError::Value {
                name: name.into(),
                key: (*known_key).into(),
                value: value.into(),
                allowed: "a number",
            };
            *place = number.ok_or_else(wrong)?;
            seen.push(key);
        }
        Ok(options)
    }

    /// The value of an option if it is right.
    pub fn number(
        &self,
        key: &str,
        right: fn(f64) -> bool,
        allowed: &'static str,
    ) -> Result<f64, OptimiserError> {
        let value = self.values.iter().find(|(known, _)| *known == key).expect("the option is listed").1;
        let wrong = || OptimiserError::Value {
            name: self.name.clone(),
            key: key.into(),
            value: value.to_string(),
            allowed,
        };
        right(value).then_some(value).ok_or_else(wrong)
    }

    /// A whole number from 1 to a million.
    pub fn whole(&self, key: &str) -> Result<usize, OptimiserError> {
        let right = |value: f64| value.fract() == 0.0 && (1.0..=1e6).contains(&value);
        Ok(self.number(key, right, "a whole number from 1 to 1000000")? as usize)
    }

    /// The text again, with what is not usual.
    pub fn text(&self, name: &str, usual: &[(&str, f64)]) -> String {
        let unusual = self.values.iter().zip(usual).filter(|(own, usual)| own != usual);
        let parts: Vec<String> = unusual.map(|((key, value), _)| format!("{key}={value}")).collect();
        if parts.is_empty() { name.to_string() } else { format!("{name}({})", parts.join(", ")) }
    }
}
