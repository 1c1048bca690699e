//! Reading the folder of an experiment, finished or not. Every fault names the file and what is wrong with it.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use games::error::shown;
use play::evaluator::ModelFile;
use play::files::{MOST_TEXT, read_own_text};
use serde_json::Value;
use thiserror::Error;
use train::run::config::Config;
use train::run::folder::{read_log, stage_folders};
use train::run::record::{Contest, FORMAT, Generation, Manifest, PAIRS};
use train::selfplay::method;

/// A folder that cannot be reported.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}: {}", shown_path(.file), games::error::one_line(.reason))]
pub struct ReportError {
    /// The file or the folder.
    pub file: PathBuf,
    /// What is wrong.
    pub reason: String,
}

/// The whole path, as people have to find it, but on one line.
fn shown_path(path: &Path) -> String {
    path.display().to_string().chars().flat_map(char::escape_debug).filter(|&sign| sign != '\\').collect()
}

/// An experiment as its folder tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// The folder, or those of its parts.
    pub folders: Vec<PathBuf>,
    /// Where it comes from.
    pub manifest: Manifest,
    /// What was to be done.
    pub config: Config,
    /// The same as it is written.
    pub config_text: String,
    /// The runs that have begun, in their order.
    pub runs: Vec<Run>,
    /// Whether there is a result.
    pub finished: bool,
    /// What came out, if it is finished and is one thing.
    pub model: Option<ModelFile>,
    /// How good that is, if it was measured.
    pub scores: Vec<Contest>,
    /// Whether its vectors played pairs of games. The log counts these; here all is counted in games.
    pub in_pairs: bool,
}

/// One of the runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The name of its folder; "run" if it is the only one.
    pub name: String,
    /// The seed of its experiment.
    pub seed: u64,
    /// What it has done so far.
    pub generations: Vec<Generation>,
    /// What is wrong with its log, in a line, if anything is; what can be read is told all the same.
    pub fault: Option<String>,
    /// What came out, if it is finished.
    pub model: Option<ModelFile>,
}

impl Experiment {
    /// Reads a folder; the stages of an experiment that has them, as far as they have begun.
    ///
    /// # Errors
    /// It is no folder of an experiment, or something in it is damaged.
    pub fn read_all(folder: &Path) -> Result<Vec<Self>, ReportError> {
        match &stage_folders(folder)[..] {
            [] => Ok(vec![Self::read(folder)?]),
            stages => stages.iter().map(|stage| Self::read(stage)).collect(),
        }
    }

    /// Reads a folder, as far as the experiment in it has come.
    ///
    /// # Errors
    /// It is no folder of an experiment, or something in it is damaged.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let wrong = |file: &Path, reason: String| ReportError { file: file.to_path_buf(), reason };
        if !folder.is_dir() {
            let reason = if folder.exists() { "not a folder" } else { "there is no such folder" };
            return Err(wrong(folder, reason.into()));
        }
        let manifest = manifest(&folder.join("manifest.json"))?;
        let path = folder.join("config.toml");
        let text = read(&path)?.ok_or_else(|| wrong(&path, MISSING.into()))?;
        let config =
            Config::parse("", &text, false, &[]).map_err(|error| wrong(&path, one_line(&error.reason)))?;
        let mut runs = Vec::new();
        let in_pairs = counts_pairs(&manifest, &config);
        for (name, place) in run_folders(folder)? {
            let (mut generations, fault) = log(&place, manifest.parameters.len())?;
            if in_pairs {
                generations.iter_mut().for_each(in_games);
            }
            let model = model(&place.join("model.json"))?;
            runs.push(Run { name, seed: manifest.seed, generations, fault, model });
        }
        let model = model(&folder.join("model.json"))?;
        let scores = scores(&folder.join("scores.json"))?;
        let (folders, finished) = (vec![folder.to_path_buf()], model.is_some());
        let config_text = text;
        Ok(Self { folders, manifest, config, config_text, runs, finished, model, scores, in_pairs })
    }

    /// The seeds of its runs, each once.
    pub fn seeds(&self) -> Vec<u64> {
        let seeds: BTreeSet<u64> = self.runs.iter().map(|run| run.seed).collect();
        if seeds.is_empty() { vec![self.manifest.seed] } else { seeds.into_iter().collect() }
    }

    /// The runs that have done something.
    pub fn begun(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| !run.generations.is_empty())
    }
}

/// Whether a log counts pairs of games. Earlier versions did not say so, but only games for two had these units.
fn counts_pairs(manifest: &Manifest, config: &Config) -> bool {
    let learner = config.learner.get("name").and_then(|name| name.as_str());
    let old = ["points", "margin"].contains(&manifest.unit.as_str());
    manifest.counted == PAIRS || old && learner.is_some_and(|name| method(name).is_none())
}

/// Counts single games where pairs are counted.
fn in_games(line: &mut Generation) {
    line.games *= 2;
    line.most_games *= 2.0;
    line.games_each.iter_mut().for_each(|games| *games = games.saturating_mul(2));
}

const MISSING: &str = "it is missing, so this is no folder of a learning run";

/// The runs and where they lie: in folders of their own, or the only one in the experiment's.
fn run_folders(folder: &Path) -> Result<Vec<(String, PathBuf)>, ReportError> {
    if folder.join("log.jsonl").exists() {
        return Ok(vec![("run".into(), folder.to_path_buf())]);
    }
    let wrong = |error: std::io::Error| ReportError { file: folder.to_path_buf(), reason: error.to_string() };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let number = name.strip_prefix("run-").and_then(|number| number.parse::<u64>().ok());
        if let Some(number) = number.filter(|_| path.is_dir() && !path.is_symlink()) {
            found.push((number, name, path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, name, path)| (name, path)).collect())
}

/// The text of a file, or none if there is no such file.
fn read(path: &Path) -> Result<Option<String>, ReportError> {
    match read_own_text(path, MOST_TEXT) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ReportError { file: path.to_path_buf(), reason: error.to_string() }),
    }
}

fn manifest(path: &Path) -> Result<Manifest, ReportError> {
    let wrong = |reason: String| ReportError { file: path.to_path_buf(), reason };
    let text = read(path)?.ok_or_else(|| wrong(MISSING.into()))?;
    let json: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    // The format is told first: of another one the rest need not be there.
    match json.get("format").and_then(Value::as_str) {
        Some(FORMAT) => {}
        Some(other) => return Err(wrong(format!("its format is {}; known: {FORMAT}", shown(other)))),
        None => return Err(wrong("it names no format".into())),
    }
    serde_json::from_value(json).map_err(|error| wrong(one_line(&error.to_string())))
}

/// The generations of the log in a folder that can be read, and what is wrong with the others.
fn log(folder: &Path, parameters: usize) -> Result<(Vec<Generation>, Option<String>), ReportError> {
    let wrong =
        |error: std::io::Error| ReportError { file: folder.join("log.jsonl"), reason: error.to_string() };
    let mut log = read_log(folder).map_err(wrong)?;
    let last = log.generations.last().map_or(0, |line| line.generation);
    log.leave_out(|line| {
        let found = line.centre.len();
        (found != parameters)
            .then(|| format!("has {found} weights, but the manifest names {parameters} parameters"))
    });
    let fault = log.told(last);
    Ok((log.generations, fault))
}

fn model(path: &Path) -> Result<Option<ModelFile>, ReportError> {
    let wrong = |reason: String| ReportError { file: path.to_path_buf(), reason: one_line(&reason) };
    let Some(text) = read(path)? else { return Ok(None) };
    ModelFile::parse("", &text).map(Some).map_err(|error| match error {
        play::evaluator::ModelError::Format { reason, .. } => wrong(reason),
        other => wrong(other.to_string()),
    })
}

fn scores(path: &Path) -> Result<Vec<Contest>, ReportError> {
    let wrong = |reason: String| ReportError { file: path.to_path_buf(), reason: one_line(&reason) };
    let Some(text) = read(path)? else { return Ok(Vec::new()) };
    let mut json: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    open_ends(&mut json);
    serde_json::from_value(json).map_err(|error| wrong(error.to_string()))
}

/// JSON knows no infinity: an interval without an end has `null` there. A ratio beyond all bounds reads the same.
fn open_ends(json: &mut Value) {
    let contests = json.as_array_mut().into_iter().flatten();
    let players = contests.filter_map(|contest| contest.get_mut("players")?.as_array_mut()).flatten();
    for ratio in players.filter_map(|player| player.get_mut("ratio")?.as_array_mut()) {
        let [value, interval] = &mut ratio[..] else { continue };
        let high = interval.as_array_mut().and_then(|ends| ends.get_mut(1));
        for open in [Some(value), high].into_iter().flatten().filter(|number| number.is_null()) {
            *open = f64::MAX.into();
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
