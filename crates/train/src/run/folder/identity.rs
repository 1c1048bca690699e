//! What a run is a run of: a configuration, the files that it names, and a program. A result belongs to a seed only while these stay the same,
//! so each difference is told by its key, and a run goes on over it only if that is asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use games::error::shown;
use play::files::{checksum, open};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::super::plan::Plan;
use super::super::record::Manifest;

/// What the manifest tells of the program, the machine and the time.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// The version of the program.
    pub version: String,
    /// The commit that it was built from; empty if that is not known.
    pub commit: String,
    /// The checksum of all its sources that a result may depend on; empty if they are not known.
    pub source: String,
    /// The processor.
    pub cpu: String,
    /// Threads.
    pub threads: usize,
    /// Now, in UTC.
    pub now: String,
}

/// What a checkpoint is of.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The version of the program.
    pub version: String,
    /// The commit that it was built from.
    pub commit: String,
    /// The checksum of its sources.
    pub source: String,
    /// The checksum of the configuration.
    pub config: String,
    /// The checksum of what was made of it: every default in its place, and the files that it names.
    pub plan: String,
}

impl Identity {
    /// Of a run as its manifest tells it.
    pub fn of(manifest: &Manifest) -> Self {
        Self {
            version: manifest.version.clone(),
            commit: manifest.commit.clone(),
            source: manifest.source.clone(),
            config: sum(manifest.config.as_bytes()),
            plan: manifest.plan.clone(),
        }
    }
}

fn sum(bytes: &[u8]) -> String {
    format!("{:016x}", checksum(bytes))
}

/// The checksum of a plan and the files that it was made of.
pub(super) fn plan_sum(plan: &Plan, files: &BTreeMap<String, String>) -> String {
    sum(format!("{}\n{}\n{files:?}", plan.config.text(), plan.parameters.join("\n")).as_bytes())
}

/// What is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// In words.
    pub told: String,
    /// Whether a run can go on with it: what a learner has saved stays as it is.
    pub can_go_on: bool,
}

/// In what the program differs from the one that made a run.
pub(super) fn of_program(manifest: &Manifest, origin: &Origin) -> Option<Difference> {
    let is_known = |word: &str| !word.is_empty() && word != "unknown";
    let differ = |one: &str, other: &str| is_known(one) && is_known(other) && one != other;
    let sources = is_known(&manifest.source) && is_known(&origin.source);
    let is_other = manifest.version != origin.version
        || differ(&manifest.source, &origin.source)
        // Commits may differ in what no result depends on, which only the sources tell.
        || !sources && differ(&manifest.commit, &origin.commit);
    let named = |version: &str, commit: &str, source: &str| match source {
        "" => format!("evalforge {version} (commit {commit})"),
        source => format!("evalforge {version} (commit {commit}, sources {source})"),
    };
    is_other.then(|| Difference {
        told: format!(
            "made by {}, and this is {}",
            named(&manifest.version, &manifest.commit, &manifest.source),
            named(&origin.version, &origin.commit, &origin.source)
        ),
        can_go_on: true,
    })
}

/// What a learner has made its own when a run began, by the key or the table of it.
const FIXED: [&str; 7] = ["seed", "runs", "run", "task.name", "model", "learner", "fitness.racing"];

/// In which keys two configurations differ.
///
/// # Errors
/// One of them is none.
pub(super) fn of_configs(old: &str, new: &str) -> Result<Vec<Difference>, String> {
    let flat = |text: &str| -> Result<BTreeMap<String, String>, String> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| super::super::config::suggest(&error.to_string()))?;
        let mut keys = BTreeMap::new();
        table.iter().for_each(|(key, value)| flatten(key, value, &mut keys));
        Ok(keys)
    };
    let (old, new) = (flat(old)?, flat(new)?);
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let one = |key: &String| {
        let (was, is) = (old.get(key), new.get(key));
        let value = |value: Option<&String>| value.map_or("nothing".into(), |value| shortened(value));
        let told = format!("{key} = {}, now {}", value(was), value(is));
        (was != is).then(|| Difference { told, can_go_on: !is_fixed(key) })
    };
    Ok(keys.into_iter().filter_map(one).collect())
}

/// Whether a key is of what cannot change on the way, in a stage or outside.
fn is_fixed(key: &str) -> bool {
    let key = key.strip_prefix("stage.").and_then(|rest| rest.split_once('.')).map_or(key, |(_, rest)| rest);
    FIXED
        .iter()
        .any(|fixed| key.strip_prefix(fixed).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

fn flatten(path: &str, value: &Value, keys: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => {
            table.iter().for_each(|(key, value)| flatten(&format!("{path}.{key}"), value, keys));
        }
        Value::Array(items) if items.iter().any(Value::is_table) => {
            let each = items.iter().enumerate();
            each.for_each(|(number, value)| flatten(&format!("{path}.{number}"), value, keys));
        }
        other => {
            keys.insert(path.to_string(), other.to_string());
        }
    }
}

/// A value that a line has room for.
fn shortened(value: &str) -> String {
    const MOST: usize = 60;
    let text: String = value.escape_debug().filter(|&sign| sign != '\\').take(MOST).collect();
    if value.chars().count() > MOST { format!("{text}...") } else { text }
}

/// In which files two runs differ.
pub(super) fn of_files(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Difference> {
    let changed = old.iter().filter(|(name, sum)| new.get(*name) != Some(sum));
    let told = changed.map(|(name, _)| match new.contains_key(name) {
        true => format!("the file {} is another one now", shown(name)),
        false => format!("the file {} cannot be read any more", shown(name)),
    });
    told.map(|told| Difference { told, can_go_on: true }).collect()
}

/// The checksums of the files that a configuration names: models to begin from, opponents, tables.
pub(super) fn named_files(config: &str) -> BTreeMap<String, String> {
    let mut strings = Vec::new();
    if let Ok(table) = config.parse::<Table>() {
        collect(&Value::Table(table), &mut strings);
    }
    // Models that are written out have thousands of numbers, and name nothing.
    let words = strings
        .iter()
        .filter(|text| !text.starts_with('{'))
        .flat_map(|text| text.split(|sign: char| sign.is_whitespace() || "()[];,=\"'".contains(sign)));
    let is_name = |word: &&str| word.contains(['.', '/']) && word.parse::<f64>().is_err();
    words.filter(is_name).filter_map(|word| Some((word.to_string(), file_sum(Path::new(word))?))).collect()
}

fn collect(value: &Value, strings: &mut Vec<String>) {
    match value {
        Value::String(text) => strings.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, strings)),
        Value::Table(table) => table.values().for_each(|item| collect(item, strings)),
        _ => {}
    }
}

/// The checksum of a file and its length; of a very large one only the beginning is read.
fn file_sum(path: &Path) -> Option<String> {
    const MOST: u64 = 1 << 26;
    let file = open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(format!("{}-{length}", sum(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_by_key_and_value() {
        let old = "seed = 1\n[learner]\nname = \"cma-es\"\n[[score]]\ngames = 10\nagainst = [\"a\"]\n";
        let same = "# The same.\nseed=1\nscore = [{ against = [ \"a\" ], games = 10 }]\n[learner]\nname = 'cma-es'\n";
        assert_eq!(of_configs(old, same), Ok(Vec::new()));
        let new = "seed = 2\nruns = 3\n[learner]\nname = \"cma-es\"\nsigma = 0.5\n[[score]]\ngames = 11\n";
        let found = of_configs(old, new).unwrap();
        let told: Vec<(&str, bool)> = found.iter().map(|one| (one.told.as_str(), one.can_go_on)).collect();
        let expected = [
            ("learner.sigma = nothing, now 0.5", false),
            ("runs = nothing, now 3", false),
            ("score.0.against = [\"a\"], now nothing", true),
            ("score.0.games = 10, now 11", true),
            ("seed = 1, now 2", false),
        ];
        assert_eq!(told, expected);
        assert!(of_configs(old, "seed = ").is_err());
        assert!(is_fixed("stage.1.learner.sigma") && is_fixed("fitness.racing") && is_fixed("model.start"));
        assert!(!is_fixed("stage.1.generations") && !is_fixed("models") && !is_fixed("fitness.games"));
    }

    #[test]
    fn files_that_are_named_are_known_by_what_they_hold() {
        let path = std::env::temp_dir().join(format!("evalforge-identity-{}.json", std::process::id()));
        std::fs::write(&path, "{}").unwrap();
        let shown = path.display();
        let config = format!("a = [\"lookahead({shown})\"]\n[b]\nc = \"dn\"\nd = \"no/such.json\"\n");
        let old = named_files(&config);
        assert_eq!(old.keys().collect::<Vec<_>>(), [&shown.to_string()]);
        assert!(of_files(&old, &named_files(&config)).is_empty());
        std::fs::write(&path, "[]").unwrap();
        assert!(of_files(&old, &named_files(&config))[0].told.contains("is another one now"));
        std::fs::remove_file(&path).unwrap();
        assert!(of_files(&old, &named_files(&config))[0].told.contains("cannot be read any more"));
    }
}
