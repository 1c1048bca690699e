//! `evalforge runs`: what ran, when, and how well.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use games::error::one_line;
use play::Games;
use play::files::{MOST_TEXT, read_own_text};
use serde::Serialize;
use train::run::folder::{Checkpoint, generations, newest};
use train::run::record::{Contest, Manifest};

use crate::commands::{Plain, Program};
use crate::failure::Usage;
use crate::terminal::quoted;

/// List the runs in a folder: what ran, when, and how well
#[derive(Debug, Args)]
pub struct Runs {
    /// The folder that the runs' folders are in, or one of them
    #[arg(value_name = "DIR", default_value = "runs")]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A run as it is listed.
#[derive(Debug, Serialize)]
struct Listed {
    folder: PathBuf,
    experiment: String,
    /// `quick`, or empty for the experiment itself.
    variant: String,
    started: String,
    seed: u64,
    /// Generations done, of all runs of the experiment.
    generations: u64,
    games: u64,
    seconds: f64,
    state: String,
    /// The newest fitness or curve.
    last: Option<f64>,
    scores: Vec<Contest>,
}

impl Plain for Runs {
    fn run<L: Games>(self, _: &Program) -> anyhow::Result<()> {
        let folder = &self.folder;
        let refused = |error: std::io::Error| Usage(format!("{}: {error}", folder.display()));
        let mut listed: Vec<Listed> = match look(folder) {
            Some(one) => vec![one],
            None => {
                let entries = fs::read_dir(folder).map_err(refused)?;
                entries.filter_map(|entry| look(&entry.ok()?.path())).collect()
            }
        };
        listed.sort_by(|a, b| (&a.started, &a.folder).cmp(&(&b.started, &b.folder)));
        match self.json {
            true => writeln!(stdout(), "{}", serde_json::to_string_pretty(&listed)?)?,
            false => print(folder, &listed)?,
        }
        Ok(())
    }
}

fn print(folder: &Path, listed: &[Listed]) -> std::io::Result<()> {
    let mut out = stdout().lock();
    if listed.is_empty() {
        let folder = one_line(&folder.display().to_string());
        writeln!(out, "{folder} holds no runs; 'evalforge learn' makes one")?;
    }
    for run in listed {
        let variant =
            if run.variant.is_empty() { String::new() } else { format!(" ({} variant)", run.variant) };
        let line = format!(
            "{}  {}{variant}  seed {}  began {} UTC  {} generations, {} games, {:.0} s: {}",
            run.folder.display(),
            run.experiment,
            run.seed,
            run.started,
            run.generations,
            run.games,
            run.seconds,
            run.state
        );
        writeln!(out, "{}", one_line(&line))?;
        for contest in &run.scores {
            let told = contest.players.iter().map(|player| {
                let score = &player.score;
                format!("{} {} n {} {}", player.player, score.text(), score.n, contest.counted())
            });
            let line = format!("{}: {}", contest.title, told.collect::<Vec<_>>().join(", "));
            writeln!(out, "    {}", one_line(&line))?;
        }
        if let (true, Some(last)) = (run.scores.is_empty(), run.last) {
            writeln!(out, "    last generation {last:.4}")?;
        }
    }
    Ok(())
}

/// The folders with a log: those of runs, of stages and of the runs of stages, and the folder itself.
fn logs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut inner: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inner.retain(|path| path.is_dir() && !path.is_symlink());
    inner.sort();
    let mut folders: Vec<PathBuf> = inner.iter().flat_map(|path| logs(path)).collect();
    if folder.join("log.jsonl").is_file() {
        folders.push(folder.to_path_buf());
    }
    folders
}

/// The run in a folder, if there is one.
fn look(folder: &Path) -> Option<Listed> {
    let read = |name: &str| read_own_text(&folder.join(name), MOST_TEXT).ok();
    let manifest: Manifest = serde_json::from_str(&read("manifest.json")?).ok()?;
    let games_each = manifest.games_each();
    let scores = read("scores.json");
    let scores: Vec<Contest> = scores.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let folders = logs(folder);
    let checkpoints: Vec<Option<Checkpoint>> = folders.iter().map(|folder| newest(folder)).collect();
    let done = checkpoints.iter().flatten();
    let over = !checkpoints.is_empty()
        && checkpoints.iter().all(|one| one.as_ref().is_some_and(|one| one.ended.is_some()));
    let state = match (over, folder.join("model.json").is_file()) {
        (true, true) => "done".to_string(),
        _ => format!("not over; 'evalforge resume {}' goes on", quoted(&folder.display().to_string())),
    };
    let last = folders.iter().filter_map(|folder| generations(folder).ok()?.pop()).next_back();
    Some(Listed {
        folder: folder.to_path_buf(),
        experiment: manifest.experiment,
        variant: manifest.variant,
        started: manifest.started,
        seed: manifest.seed,
        generations: done.clone().map(|one| one.generation).sum(),
        games: done.clone().map(|one| one.games).sum::<u64>() * games_each,
        seconds: done.map(|one| one.seconds).sum(),
        state,
        last: last.map(|line| line.curve.map_or(line.best, |curve| curve.mean)),
        scores,
    })
}
