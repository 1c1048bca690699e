//! The file that describes an experiment, checked completely before anything starts.

use std::collections::BTreeMap;

use learn::learners::plain_words;
use learn::racing::Settings as RacingSettings;
use measure::splitting::Effort;
use notation::one_line;
use play::names::nearest;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Map;
use thiserror::Error;
use toml::{Table, Value};

use super::expectation::Expectation;

/// What the quick variant of an experiment is called in every record of it.
pub const QUICK: &str = "quick";

/// What is wrong with a configuration: the file, and the key, the value and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}: {}", one_line(.file), one_line(.reason))]
pub struct ConfigError {
    /// The file or the experiment.
    pub file: String,
    /// What is wrong.
    pub reason: String,
}

/// An experiment.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What it is, and where it comes from.
    #[serde(default)]
    pub about: String,
    /// What should come out, in words; in numbers `expect` of a score says it.
    #[serde(default)]
    pub expect: String,
    /// [`QUICK`] if this is the quick variant of an experiment, which is no test of what is expected; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// The seed of everything.
    #[serde(default = "one")]
    pub seed: u64,
    /// Independent runs.
    #[serde(default = "one_run")]
    pub runs: usize,
    /// The only one of the runs that is made here, from 1; all of them if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<usize>,
    /// Generations of each.
    pub generations: u64,
    /// What is learned: the name of a task, and the options of its rules.
    #[schemars(with = "Map<String, serde_json::Value>")]
    pub task: Table,
    /// The function whose parameters are learned.
    #[serde(default)]
    pub model: ModelConfig,
    /// Who learns: the name of a learner, and its settings.
    #[schemars(with = "Map<String, serde_json::Value>")]
    pub learner: Table,
    /// How a vector is judged.
    #[serde(default)]
    pub fitness: FitnessConfig,
    /// Other rules from some generation on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<ScheduleConfig>,
    /// What the centre scores after every generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<CurveConfig>,
    /// What is made of it in the end.
    #[serde(default)]
    pub deploy: DeployConfig,
    /// How good that is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub score: Vec<ScoreConfig>,
    /// What is different in the quick variant: keys with dots, and their values.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    #[schemars(with = "Map<String, serde_json::Value>")]
    pub quick: Table,
}

/// `[model]`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// The features, as a list of names.
    pub features: String,
    /// The form, as `linear` or `network(6)`.
    pub form: String,
    /// How moves are chosen: `greedy`, or `lookahead` for one piece further.
    pub search: String,
    /// A model to begin from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// What is learned of that model, where it is not all: factors of weights, or of all weights of a pattern of names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tune: Vec<String>,
    /// Weights of that model that are shifted, each by itself, in units that give every feature the same say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shift: Vec<String>,
    /// The lowest and the highest value of every parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f64; 2]>,
}

impl Default for ModelConfig {
    fn default() -> Self {
        let (features, form, search) = (String::new(), "linear".to_string(), "greedy".to_string());
        Self { features, form, search, start: None, tune: Vec::new(), shift: Vec::new(), bounds: None }
    }
}

/// `[fitness]`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FitnessConfig {
    /// Games of each vector in a game for one, where there is no racing; 1 if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// Pairs of games of each vector against each opponent in a game for two. Earlier files call them `games`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<usize>,
    /// Named players that every vector meets, in a game for two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
    /// Whether every vector also meets all others of its generation.
    pub population: bool,
    /// The best of earlier generations, met too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<EnvironmentConfig>,
    /// Random plies before a game for two begins.
    pub openings: u32,
    /// What counts in a game for two: `wins` or `margin`.
    pub by: String,
    /// A game for one judged by splitting: the logarithm of its score by one repeat in place of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splitting: Option<Effort>,
    /// Racing: `bound`, `delta`, `low`, `high`, `alpha`, `minimum`, `maximum`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<RacingSettings>")]
    pub racing: Option<Table>,
}

impl Default for FitnessConfig {
    fn default() -> Self {
        Self {
            games: None,
            pairs: None,
            against: Vec::new(),
            population: false,
            environment: None,
            openings: 0,
            by: "wins".into(),
            splitting: None,
            racing: None,
        }
    }
}

/// `[fitness.environment]`: opponents that are renewed (course on Othello, section 3.3).
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentConfig {
    /// How many there are; the oldest leaves when a new one comes.
    pub size: usize,
    /// A new one comes every so many generations: the centre then.
    pub renew: u64,
}

/// `[[schedule]]`: options of the task's rules that change.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleConfig {
    /// The first generation, from 1, that they hold in.
    pub from: u64,
    /// The options.
    #[schemars(schema_with = "options_schema")]
    pub rules: Table,
}

/// `[curve]`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveConfig {
    /// Games in a game for one, new ones each time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// Pairs of games in a game for two; earlier files call them `games`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<usize>,
    /// Every so many generations.
    #[serde(default = "one")]
    pub every: u64,
    /// In a game for two: who is met, each in games of its own; by default all of `fitness.against` together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
    /// How moves are chosen, if not as in `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// Options of the rules that differ from what is learned on.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    #[schemars(schema_with = "options_schema")]
    pub rules: Table,
}

/// `[deploy]`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeployConfig {
    /// `mean`, `average` or `finalists`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choose: Option<String>,
    /// How many finalists of each run play again.
    pub finalists: usize,
    /// The fresh games that they play in a game for one; 100 if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// The fresh pairs of games against each opponent in a game for two; earlier files call them `games`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<usize>,
    /// Options of the rules that differ from what is learned on.
    #[serde(skip_serializing_if = "Table::is_empty")]
    #[schemars(schema_with = "options_schema")]
    pub rules: Table,
}

impl Default for DeployConfig {
    fn default() -> Self {
        Self { choose: None, finalists: 8, games: None, pairs: None, rules: Table::new() }
    }
}

/// `[[score]]`.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreConfig {
    /// Fresh games in a game for one. In a game for two earlier files say so how many games are played, two in each pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<usize>,
    /// Fresh pairs of games against each opponent in a game for two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<usize>,
    /// Players that it is compared with on the same games.
    #[serde(default)]
    pub against: Vec<String>,
    /// How moves are chosen, if not as in `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// Options of the rules that differ from the default.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    #[schemars(schema_with = "options_schema")]
    pub rules: Table,
    /// What should come out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expectation>,
}

impl FitnessConfig {
    /// Games of each vector, or pairs of games against each opponent.
    pub fn count(&self) -> usize {
        self.pairs.or(self.games).unwrap_or(1)
    }
}

impl CurveConfig {
    /// Games, or pairs of games.
    pub fn count(&self) -> usize {
        self.pairs.or(self.games).unwrap_or(0)
    }
}

impl DeployConfig {
    /// Games, or pairs of games against each opponent.
    pub fn count(&self) -> usize {
        self.pairs.or(self.games).unwrap_or(100)
    }
}

impl ScoreConfig {
    /// Games, or in a game for two pairs of games against each opponent.
    pub fn count(&self, for_two: bool) -> usize {
        let games = self.games.unwrap_or(0);
        self.pairs.unwrap_or(if for_two { games / 2 } else { games })
    }
}

fn one() -> u64 {
    1
}

fn one_run() -> usize {
    1
}

impl Config {
    /// Reads an experiment; `quick` takes its quick variant, and `set` then changes single keys.
    ///
    /// # Errors
    /// A key is unknown, or a value is not of its kind.
    pub fn parse(file: &str, text: &str, quick: bool, set: &[(String, String)]) -> Result<Self, ConfigError> {
        let wrong = |reason: String| ConfigError { file: file.to_string(), reason };
        let (table, quick_keys) = table(file, text, quick, set)?;
        let mut config = Self::of(table).map_err(wrong)?;
        if !quick {
            config.quick = quick_keys;
        }
        Ok(config)
    }

    /// An experiment of its keys.
    ///
    /// # Errors
    /// A key is unknown, or a value is not of its kind.
    pub fn of(table: Table) -> Result<Self, String> {
        table.try_into().map_err(|error: toml::de::Error| suggest(&error.to_string()))
    }

    /// As it is written into the run's folder: what was chosen, and the defaults of what was not.
    pub fn text(&self) -> String {
        let mut resolved = self.clone();
        resolved.quick = Table::new();
        toml::to_string(&resolved).expect("a configuration can be written")
    }

    /// The name of the task and the options of its rules.
    pub fn task(&self) -> Result<(String, Options), String> {
        name_and_rest("task", &self.task).and_then(|(name, rest)| Ok((name, options(&rest)?)))
    }

    /// The name of the learner and its settings.
    pub fn learner(&self) -> Result<(String, serde_json::Value), String> {
        let (name, rest) = name_and_rest("learner", &self.learner)?;
        let settings = serde_json::to_value(&rest).map_err(|error| format!("learner: {error}"))?;
        Ok((name, settings))
    }
}

/// The keys of an experiment's file, with those of `quick` and `set` in their places, and those of its quick variant.
///
/// # Errors
/// The text is no such file, or there is no place for a key.
pub fn table(
    file: &str,
    text: &str,
    quick: bool,
    set: &[(String, String)],
) -> Result<(Table, Table), ConfigError> {
    let wrong = |reason: String| ConfigError { file: file.to_string(), reason };
    let mut table: Table =
        text.parse().map_err(|error: toml::de::Error| wrong(suggest(&error.to_string())))?;
    let quick_keys = match table.remove("quick") {
        None if quick => return Err(wrong("it has no quick variant".into())),
        None => Table::new(),
        Some(Value::Table(quick)) => quick,
        Some(_) => return Err(wrong("quick must be a table".into())),
    };
    if quick {
        table.insert("variant".into(), Value::String(QUICK.into()));
        for (path, value) in &quick_keys {
            put(&mut table, path, value.clone()).map_err(|reason| wrong(format!("quick: {reason}")))?;
        }
    }
    for (path, text) in set {
        put(&mut table, path, value(text)).map_err(|reason| wrong(format!("--set {reason}")))?;
    }
    Ok((table, quick_keys))
}

/// Options of rules, as the games read them.
pub type Options = BTreeMap<String, String>;

fn name_and_rest(what: &str, table: &Table) -> Result<(String, Table), String> {
    let mut rest = table.clone();
    match rest.remove("name") {
        Some(Value::String(name)) => Ok((name, rest)),
        Some(other) => Err(format!("{what}: name = {other}: must be a text")),
        None => Err(format!("{what}: name is missing")),
    }
}

/// The options of a table; numbers and switches may be written as such.
pub fn options(table: &Table) -> Result<Options, String> {
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Boolean(on) => Ok(if *on { "on" } else { "off" }.to_string()),
        other => Err(format!("{other}: must be a text, a whole number or a switch")),
    };
    let pair = |(key, value): (&String, &Value)| match text(value) {
        Ok(text) => Ok((key.clone(), text)),
        Err(reason) => Err(format!("{key} = {reason}")),
    };
    table.iter().map(pair).collect()
}

/// What [`options`] reads.
fn options_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": { "type": ["string", "integer", "boolean"] } })
}

/// A value as in a file, or a bare word.
fn value(text: &str) -> Value {
    let line = format!("it = {text}");
    line.parse::<Table>()
        .ok()
        .and_then(|mut table| table.remove("it"))
        .unwrap_or_else(|| Value::String(text.to_string()))
}

/// Puts a value into the place of a path as `fitness.racing.bound` or `score.0.games`.
fn put(table: &mut Table, path: &str, value: Value) -> Result<(), String> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    if first.is_empty() {
        return Err(format!("'{path}' is no key"));
    }
    let Some(rest) = rest else {
        table.insert(first.to_string(), value);
        return Ok(());
    };
    match table.entry(first).or_insert_with(|| Value::Table(Table::new())) {
        Value::Table(inner) => put(inner, rest, value),
        Value::Array(items) => {
            let count = items.len();
            if !rest.starts_with(|first: char| first.is_ascii_digit()) {
                return Err(format!(
                    "'{path}': there are {count} of {first}, from 0; the first is '{first}.0.{rest}'"
                ));
            }
            let (number, rest) =
                rest.split_once('.').ok_or_else(|| format!("'{path}' names a whole entry; add a key"))?;
            match number.parse::<usize>().ok().and_then(|number| items.get_mut(number)) {
                Some(Value::Table(inner)) => put(inner, rest, value),
                _ => Err(format!("'{path}': there is no {first} {number}; there are {count}, from 0")),
            }
        }
        other => Err(format!("'{path}': {first} = {other} has no keys of its own")),
    }
}

/// The message of a parser in one line, which may repeat a foreign text; one about an unknown name has the nearest one added.
pub fn suggest(message: &str) -> String {
    let lines: Vec<&str> =
        message.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains('|')).collect();
    let line = one_line(&plain_words(&lines.join(", ")));
    let mut quoted = line.split('`').skip(1).step_by(2);
    let (Some(given), known) = (quoted.next(), quoted.collect::<Vec<_>>()) else { return line };
    let unknown = line.contains("unknown field") || line.contains("unknown variant");
    match nearest(given, known.iter().copied()).filter(|_| unknown) {
        Some(near) => format!("{line} (did you mean '{near}'?)"),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
generations = 30
[task]
name = "tetris"
height = 10
[learner]
name = "cma-es"
[fitness]
games = 5
[[score]]
games = 10
[quick]
generations = 2
"score.0.games" = 3
"#;

    fn parse(text: &str, set: &[(&str, &str)]) -> Result<Config, String> {
        let set: Vec<(String, String)> =
            set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        Config::parse("it", text, false, &set).map_err(|error| error.to_string())
    }

    #[test]
    fn it_is_read_and_written_and_read_again() {
        let config = parse(TEXT, &[]).unwrap();
        assert_eq!((config.generations, config.runs, config.score[0].games), (30, 1, Some(10)));
        let again = Config::parse("it", &config.text(), false, &[]).unwrap();
        assert_eq!(again.text(), config.text());
        let quick = Config::parse("it", TEXT, true, &[]).unwrap();
        assert_eq!((quick.generations, quick.score[0].games), (2, Some(3)));
        // It says what it is, also when it is read from its folder.
        let read = Config::parse("it", &quick.text(), false, &[]).unwrap();
        assert_eq!((config.variant.as_str(), read.variant.as_str()), ("", QUICK));
        assert!(!config.text().contains("variant"));
        assert_eq!(
            config.task().unwrap(),
            ("tetris".into(), Options::from([("height".into(), "10".into())]))
        );
    }

    #[test]
    fn single_keys_are_set() {
        let set = [("seed", "7"), ("task.pieces", "harder"), ("fitness.racing.bound", "hoeffding")];
        let config = parse(TEXT, &set).unwrap();
        assert_eq!(config.seed, 7);
        assert_eq!(config.task["pieces"].as_str(), Some("harder"));
        assert_eq!(config.fitness.racing.unwrap()["bound"].as_str(), Some("hoeffding"));
        for (key, value, said) in [
            ("generatons", "3", "did you mean 'generations'"),
            ("fitness.game", "3", "did you mean 'games'"),
            ("score.4.games", "3", "there is no score 4"),
            ("score.games", "3", "'score.games': there are 1 of score, from 0; the first is 'score.0.games'"),
            ("score.0", "3", "'score.0' names a whole entry"),
            ("budget", "3", "unknown field `budget`, expected"),
            ("seed.x", "3", "no keys of its own"),
            ("seed", "-1", "seed"),
            (".", "3", "is no key"),
        ] {
            let start = if key == "seed.x" { format!("seed = 3{TEXT}") } else { TEXT.to_string() };
            let error = parse(&start, &[(key, value)]).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn faults_are_one_line() {
        for text in ["generations = ", "x", "[task]\nname = 3", "", "\"a\\u0085b\" = 3"] {
            let error = parse(text, &[]).unwrap_err();
            assert!(!error.contains(char::is_control) && error.starts_with("it: "), "{error:?}");
        }
        let said = suggest("unknown field `ma\u{85}ximum`, expected one of `minimum`, `maximum`");
        assert!(said.contains("`ma\\u{85}ximum`"), "{said}");
    }
}
