//! `evalforge runs`: what ran, when, and how well; a report of those that are named.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use games::error::one_line;
use play::Games;
use play::files::{MOST_TEXT, read_own_text};
use train::run::folder::{Checkpoint, generations, newest};
use train::run::record::{Contest, Manifest};

use super::report::Report;
use crate::commands::{Plain, Program};
use crate::failure::Usage;
use crate::outputs::{self, ListedRun, RunList};
use crate::terminal::quoted;

/// List learning runs, or show what came of those that are named: scores, learning curves, weights
///
/// Without a folder it lists what is in 'runs': what ran, when, and how well. A folder that holds runs is listed in the same way; of the folder
/// of a run it makes a report. Runs that are not finished are shown as far as they are. Several folders are compared in the same charts; those of
/// one experiment with other seeds, or of single runs of it ('learn --run'), are one experiment of many runs, pooled. If no file is asked for,
/// a summary is printed and the page is written as report.html into the first folder.
#[derive(Debug, Args)]
pub struct Runs {
    #[command(flatten)]
    report: Report,
    /// Print the list as JSON, also of the folders of runs
    #[arg(long, conflicts_with_all = ["html", "svg", "csv", "md", "figures"])]
    json: bool,
}

impl Plain for Runs {
    fn run<L: Games>(self, _: &Program) -> anyhow::Result<()> {
        let Self { mut report, json } = self;
        if report.folders.is_empty() {
            report.folders.push("runs".into());
        }
        let folders = report.folders.clone();
        if let Some(folder) = folders.iter().find(|folder| !folder.is_dir()) {
            let reason = if folder.exists() { "not a folder" } else { "there is no such folder" };
            return Err(Usage(format!("{}: {reason}", folder.display())).into());
        }
        if report.has_files() || !json && !folders.iter().all(|folder| is_place(folder)) {
            return report.run();
        }
        let mut listed: Vec<ListedRun> = Vec::new();
        for folder in &folders {
            match look(folder) {
                Some(one) => listed.push(one),
                None => {
                    let refused = |error: std::io::Error| Usage(format!("{}: {error}", folder.display()));
                    let entries = fs::read_dir(folder).map_err(refused)?;
                    listed.extend(entries.filter_map(|entry| look(&entry.ok()?.path())));
                }
            }
        }
        listed.sort_by(|a, b| (&a.started, &a.folder).cmp(&(&b.started, &b.folder)));
        match json {
            true => outputs::print(&RunList { runs: listed })?,
            false => print(&folders, &listed)?,
        }
        Ok(())
    }
}

/// Whether this is a folder that holds runs, or could, and not that of a run.
fn is_place(folder: &Path) -> bool {
    !["config.toml", "manifest.json", "log.jsonl"].iter().any(|record| folder.join(record).exists())
}

fn print(folders: &[PathBuf], listed: &[ListedRun]) -> std::io::Result<()> {
    let mut out = stdout().lock();
    if listed.is_empty() {
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let folder = one_line(&folders.join(", "));
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
fn look(folder: &Path) -> Option<ListedRun> {
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
        _ => {
            format!("not over; 'evalforge learn --resume {}' goes on", quoted(&folder.display().to_string()))
        }
    };
    let last = folders.iter().filter_map(|folder| generations(folder).ok()?.pop()).next_back();
    Some(ListedRun {
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
