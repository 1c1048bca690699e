//! The tables of a report, the same on the page, in Markdown and on the terminal.

use std::collections::BTreeSet;
use std::path::PathBuf;

use play::numbers::{duration, grouped, interval, number};
use stats::{median, quantile};
use train::run::expectation::judged;
use train::run::record::{Contest, Generation, Scored};

use super::curves::has_curve;
use super::weights_plot::{baselines, deployed, of_run};
use super::{Experiment, Run};

/// A table: a heading, the heads of its columns, and rows as long as these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub heading: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// Columns with words in them beside the first; the others have numbers.
const WORDS: [&str; 5] = ["expected", "published", "verdict", "state", ""];

impl Table {
    /// Without rows.
    pub fn new(heading: &str, head: &[&str]) -> Self {
        let head = head.iter().map(ToString::to_string).collect();
        Self { heading: heading.to_string(), head, rows: Vec::new() }
    }

    /// Whether a column has words in it, which begin at the left, and not numbers.
    pub fn has_words(&self, column: usize) -> bool {
        column == 0 || WORDS.contains(&self.head[column].as_str())
    }
}

/// How far an experiment has come.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// In words.
    pub words: String,
    /// Generations done, as "40" or "12 to 40".
    pub generations: String,
    /// Games played to learn, of all runs.
    pub games: f64,
    /// Working time of all runs, in seconds.
    pub seconds: f64,
    /// Restarts of all runs.
    pub restarts: u64,
}

impl State {
    /// Of an experiment.
    pub fn of(experiment: &Experiment) -> Self {
        let lasts: Vec<&Generation> = experiment.begun().filter_map(|run| run.generations.last()).collect();
        let done = || lasts.iter().map(|last| last.generation);
        let (least, most) = (done().min().unwrap_or(0), done().max().unwrap_or(0));
        let (runs, asked) = (experiment.config.runs, experiment.config.generations);
        let generations = if least == most { format!("{most}") } else { format!("{least} to {most}") };
        let scored = match (experiment.scores.is_empty(), experiment.config.score.is_empty()) {
            (false, _) => "finished and scored",
            (true, false) => "finished, not scored yet",
            (true, true) => "finished",
        };
        let mut words = match () {
            () if experiment.finished && least < asked && !lasts.is_empty() => {
                format!("{scored}; stopped after {generations} of {asked} generations")
            }
            () if experiment.finished => scored.to_string(),
            () if lasts.is_empty() => "nothing done yet".to_string(),
            () if least >= asked && lasts.len() >= runs => "all generations done, no result yet".to_string(),
            () if runs > 1 => {
                let ended = done().filter(|&last| last >= asked).count();
                format!("not finished: {ended} of {runs} runs done, generation {generations} of {asked}")
            }
            () => format!("not finished: generation {generations} of {asked}"),
        };
        if experiment.folders.len() > 1 {
            words.push_str(&format!("; {} folders as one experiment", experiment.folders.len()));
        }
        for run in &experiment.runs {
            if let Some(fault) = &run.fault {
                words.push_str(&format!("; {}: {fault}", run.name));
            }
        }
        Self {
            words,
            generations,
            games: lasts.iter().map(|last| last.games as f64).sum(),
            seconds: lasts.iter().map(|last| last.seconds).sum(),
            restarts: lasts.iter().map(|last| last.standing.restarts).sum(),
        }
    }
}

/// How far they all have come.
pub fn states(experiments: &[Experiment], labels: &[String]) -> Table {
    let mut table = Table::new(
        "State",
        &["experiment", "runs", "generations", "games", "working time", "restarts", "state"],
    );
    for (experiment, label) in experiments.iter().zip(labels) {
        let state = State::of(experiment);
        table.rows.push(vec![
            label.clone(),
            format!("{} of {}", experiment.begun().count(), experiment.config.runs),
            format!("{} of {}", state.generations, experiment.config.generations),
            grouped(state.games),
            duration(state.seconds),
            state.restarts.to_string(),
            state.words,
        ]);
    }
    table
}

/// A game that the result was measured in, with the rules that are not the default.
fn contest_title(experiment: &Experiment, contest: &Contest) -> String {
    let rules: Vec<String> = contest.rules.iter().map(|(key, value)| format!(", {key} {value}")).collect();
    // Runs of other seeds played other games.
    let seed = match experiment.seeds().len() {
        1 => format!("seed {}", contest.seed),
        seeds => format!("{seeds} seeds"),
    };
    format!("{}{}, {seed}", contest.title, rules.concat())
}

/// What the ratio of the learned player to another says.
pub fn verdict(scored: &Scored) -> String {
    let (name, n) = (&scored.player, scored.score.n);
    match scored.ratio {
        None => String::new(),
        Some((_, [low, _])) if low > 1.0 => "▲ learned is better".to_string(),
        Some((_, [_, high])) if high < 1.0 => format!("▼ {name} is better"),
        Some((ratio, [low, high])) => {
            // The interval shrinks with the root of the games, and has to become as narrow as the distance to 1.
            let reach = if ratio > 1.0 { ratio - low } else { high - ratio };
            let more = n as f64 * (math::powi(reach / (ratio - 1.0), 2) - 1.0);
            match more {
                1.0..=1e9 => format!("○ open; about {} more games would settle it", rough(more)),
                _ => "○ open".to_string(),
            }
        }
    }
}

/// Two digits.
fn rough(value: f64) -> String {
    let unit = math::powf(10.0, (math::log10(value).floor() - 1.0).max(0.0));
    grouped((value / unit).ceil() * unit)
}

/// How good the result is, a table for each game that it was measured in.
pub fn scores(experiment: &Experiment) -> Vec<Table> {
    let head = ["player", "mean", "95 % interval", "games", "learned / it", "95 % interval", "verdict"];
    let table = |contest: &Contest| {
        let mut table = Table::new(&contest_title(experiment, contest), &head);
        table.head[3] = contest.counted().to_string();
        for scored in &contest.players {
            let score = &scored.score;
            let ratio = scored
                .ratio
                .map_or([String::new(), String::new()], |(ratio, ends)| [number(ratio), interval(ends)]);
            let [ratio, ends] = ratio;
            let ci95 = score.ci95.map(interval).unwrap_or_default();
            let n = grouped(score.n as f64);
            table.rows.push(vec![
                scored.player.clone(),
                number(score.mean),
                ci95,
                n,
                ratio,
                ends,
                verdict(scored),
            ]);
        }
        table
    };
    experiment.scores.iter().map(table).collect()
}

/// What was expected in numbers beside what was found; none if nothing was, or nothing is measured yet.
pub fn expectations(experiment: &Experiment) -> Option<Table> {
    let head = ["score", "expected", "found", "95 % interval", "n", "verdict"];
    let mut table = Table::new("What was expected", &head);
    for judged in judged(&experiment.config, &experiment.scores) {
        table.rows.push(vec![
            judged.what,
            judged.expected,
            number(judged.found.mean),
            judged.found.ci95.map(interval).unwrap_or_default(),
            format!("{} {}", grouped(judged.found.n as f64), judged.counted),
            judged.outcome.text().to_string(),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// The last value of a run's curve, or of its mean fitness if the experiment has no curve.
pub fn last_value(experiment: &Experiment, run: &Run) -> Option<f64> {
    if has_curve(experiment) {
        run.generations.iter().rev().find_map(|generation| generation.curve.as_ref()).map(|curve| curve.mean)
    } else {
        run.generations.last().map(|generation| generation.mean)
    }
}

/// The last values of the runs and the scores of the results, a column for each experiment.
pub fn comparison(experiments: &[Experiment], labels: &[String]) -> Table {
    let mut table = Table::new("Last values of the runs", &[""]);
    table.head.extend(labels.iter().cloned());
    let mut say = |what: &str, value: &dyn Fn(&Experiment) -> String| {
        let mut row = vec![what.to_string()];
        row.extend(experiments.iter().map(value));
        table.rows.push(row);
    };
    let kind = |experiment: &Experiment| if has_curve(experiment) { "score" } else { "mean fitness" };
    let values = |experiment: &Experiment| -> Vec<f64> {
        experiment.begun().filter_map(|run| last_value(experiment, run)).collect()
    };
    let or_dash = |value: f64| if value.is_nan() { "-".to_string() } else { number(value) };
    say("runs", &|experiment| values(experiment).len().to_string());
    say("measured", &|experiment| format!("{}, {}", experiment.manifest.unit, kind(experiment)));
    for (what, share) in [("median", 0.5), ("lowest", 0.0), ("highest", 1.0)] {
        say(what, &|experiment| or_dash(quantile(&values(experiment), share)));
    }
    say("games a run, median", &|experiment| {
        let lasts = experiment.begun().filter_map(|run| run.generations.last());
        let games: Vec<f64> = lasts.map(|last| last.games as f64).collect();
        if games.is_empty() { "-".to_string() } else { grouped(median(&games)) }
    });
    let titles = |experiment: &Experiment| -> Vec<String> {
        experiment.scores.iter().map(|contest| contest_title(experiment, contest)).collect()
    };
    let titles: BTreeSet<String> = experiments.iter().flat_map(titles).collect();
    for title in titles {
        say(&format!("learned, {title}"), &|experiment| {
            let contest =
                experiment.scores.iter().find(|contest| contest_title(experiment, contest) == title);
            let Some(scored) = contest.and_then(|contest| contest.players.first()) else {
                return "-".to_string();
            };
            let ci95 = scored.score.ci95.map(|ends| format!(" {}", interval(ends))).unwrap_or_default();
            let counted = contest.map_or("games", Contest::counted);
            format!("{}{ci95}, n {} {counted}", number(scored.score.mean), scored.score.n)
        });
    }
    table
}

/// The weights in the end, of unit length.
pub fn weights(experiment: &Experiment) -> Table {
    let names = &experiment.manifest.parameters;
    let finals: Vec<Vec<f64>> = experiment.begun().filter_map(|run| of_run(run, names)).collect();
    let (deployed, baselines) = (deployed(experiment), baselines(experiment));
    let mut table = Table::new("Weights in the end, of a vector of length 1", &["parameter"]);
    table.head.extend(deployed.iter().map(|_| "deployed".to_string()));
    let middle = if finals.len() > 1 { "median" } else { "the run" };
    table.head.push(middle.to_string());
    if finals.len() > 1 {
        table.head.push("quartiles".to_string());
    }
    table.head.extend(baselines.iter().map(|named| named.name.clone()));
    if finals.is_empty() {
        return table;
    }
    for (i, name) in names.iter().enumerate() {
        let values: Vec<f64> = finals.iter().map(|weights| weights[i]).collect();
        let mut row = vec![name.clone()];
        row.extend(deployed.iter().map(|weights| number(weights[i])));
        row.push(number(median(&values)));
        if finals.len() > 1 {
            row.push(interval([quantile(&values, 0.25), quantile(&values, 0.75)]));
        }
        row.extend(baselines.iter().map(|named| number(named.weights[i])));
        table.rows.push(row);
    }
    table
}

/// Where an experiment comes from.
pub fn origin(experiment: &Experiment) -> Table {
    let manifest = &experiment.manifest;
    let mut table = Table::new("Manifest", &["", ""]);
    let mut say = |key: &str, value: String| table.rows.push(vec![key.to_string(), value]);
    say("experiment", manifest.experiment.clone());
    if !manifest.variant.is_empty() {
        say("variant", manifest.variant.clone());
    }
    let folders: Vec<String> = experiment.folders.iter().map(|folder| folder.display().to_string()).collect();
    say("folder", folders.join(", "));
    say("version", manifest.version.clone());
    say("commit", manifest.commit.clone());
    say("seed", experiment.seeds().iter().map(u64::to_string).collect::<Vec<_>>().join(", "));
    say("started", manifest.started.clone());
    say("processor", manifest.cpu.clone());
    say("threads", manifest.threads.to_string());
    say("parameters", manifest.parameters.join(", "));
    say("unit", manifest.unit.clone());
    table
}

/// What to type to get the same again, a line for each folder.
pub fn command(experiment: &Experiment) -> String {
    let one = |folder: &PathBuf| {
        let path = folder.join("config.toml").display().to_string();
        let safe = |sign: char| sign.is_ascii_alphanumeric() || "/._-+".contains(sign);
        let word = if path.chars().all(safe) { path } else { format!("'{}'", path.replace('\'', "'\\''")) };
        format!("evalforge learn {word}")
    };
    experiment.folders.iter().map(one).collect::<Vec<_>>().join("\n")
}
