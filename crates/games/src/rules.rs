//! The options of a game: board size, switches, limits. They come as pairs of texts, so that the command line,
//! configuration files and model files all set them through the same door and get the same errors.

use std::fmt::Debug;

use crate::error::InputError;

/// One option of a game, for help texts and error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionInfo {
    /// Name, as in `--name` and in files.
    pub name: &'static str,
    /// The values it takes, as `on|off` or `4..16`.
    pub values: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
}

/// The rules of a game as chosen by the user; the default is the game as it is usually played.
pub trait Rules: Clone + Default + PartialEq + Debug + Send + Sync + 'static {
    /// Every option there is.
    const OPTIONS: &'static [OptionInfo];

    /// Sets the option `key`, one of [`Rules::OPTIONS`].
    ///
    /// # Errors
    /// The value is not one that the option takes.
    fn set(&mut self, key: &str, value: &str) -> Result<(), InputError>;

    /// The value of the option `key` as text, which [`Rules::set`] reads back.
    fn get(&self, key: &str) -> String;

    /// Checks what no single option can know: how they fit together.
    ///
    /// # Errors
    /// Two options contradict each other.
    fn check(&self) -> Result<(), InputError> {
        Ok(())
    }

    /// The default rules with these options changed.
    ///
    /// # Errors
    /// An option is unknown, or does not take its value, or contradicts another.
    fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, InputError> {
        let mut rules = Self::default();
        for (key, value) in pairs {
            if !Self::OPTIONS.iter().any(|option| option.name == key) {
                let known: Vec<&str> = Self::OPTIONS.iter().map(|option| option.name).collect();
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                return Err(InputError::UnknownOption { key: key.to_string(), known });
            }
            rules.set(key, value)?;
        }
        rules.check()?;
        Ok(rules)
    }

    /// The options that differ from the default, as pairs: what is needed to make these rules again.
    fn to_pairs(&self) -> Vec<(&'static str, String)> {
        let default = Self::default();
        let pairs = Self::OPTIONS.iter().map(|option| (option.name, self.get(option.name)));
        pairs.filter(|(name, value)| *value != default.get(name)).collect()
    }
}

/// The rules of a game that has no options.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fixed;

impl Rules for Fixed {
    const OPTIONS: &'static [OptionInfo] = &[];

    fn set(&mut self, key: &str, _value: &str) -> Result<(), InputError> {
        unreachable!("option {key} of a game without options")
    }

    fn get(&self, key: &str) -> String {
        unreachable!("option {key} of a game without options")
    }
}

/// Reads a whole number within bounds; the error names both.
pub(crate) fn number<N>(key: &str, value: &str, allowed: std::ops::RangeInclusive<N>) -> Result<N, InputError>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let refused = || {
        let allowed = format!("a whole number from {} to {}", allowed.start(), allowed.end());
        InputError::option(key, value, allowed)
    };
    value.parse().ok().filter(|n| allowed.contains(n)).ok_or_else(refused)
}

/// Reads one of a few words; the error lists them.
pub(crate) fn choice<T: Copy>(key: &str, value: &str, words: &[(&str, T)]) -> Result<T, InputError> {
    let found = words.iter().find(|(word, _)| *word == value).map(|&(_, meaning)| meaning);
    let list = || words.iter().map(|&(word, _)| word).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| InputError::option(key, value, list()))
}

/// The word of a choice, which [`choice`] reads back.
pub(crate) fn word<T: Copy + PartialEq>(chosen: T, words: &[(&str, T)]) -> String {
    let found = words.iter().find(|&&(_, meaning)| meaning == chosen);
    found.expect("every meaning has its word").0.to_string()
}

/// The words of a switch.
pub(crate) const SWITCH: &[(&str, bool)] = &[("on", true), ("off", false)];
