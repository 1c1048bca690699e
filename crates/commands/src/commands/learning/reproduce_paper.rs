//! `evalforge reproduce PAPER`: its tables and figures, theirs beside ours, on one page.

use std::io::{Write, stderr, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use games::Rules;
use games::tetris::{Tetris, TetrisRules};
use measure::score::{Games as Played, ScoreProgress, ScoreSetup, open_journal, run as play};
use play::Games;
use play::files::new_file;
use play::names::UnknownName;
use play::numbers::rough_duration as duration;
use report::paper::{Done, files, page, text, told, untested};
use report::plain;
use stats::Summary;
use train::costs::pace;
use train::experiments;
use train::reproduce::cell::{Cell, Ours};
use train::reproduce::paper::{Contest, Known, Learned, Paper, Part};
use train::reproduce::programs::{Lines, PROGRAMS, Setting};
use train::run::experiment::Experiment;
use train::run::folder::ExperimentFolder;

use super::learn::{origin, watched};
use crate::commands::Program;
use crate::failure::{Interrupted, Usage, unwritten};
use crate::outputs::{self, PaperPart, PaperTables, Reproduced};
use crate::terminal::{Status, interrupted, quoted, short};

/// How a paper is played again.
pub struct Wish<'a> {
    pub paper: &'a Paper,
    /// One part, by its name or that of a table or figure in it.
    pub only: Option<&'a str>,
    pub quick: bool,
    pub folder: PathBuf,
    pub threads: usize,
    pub json: bool,
}

impl Wish<'_> {
    /// The command that goes on.
    fn command(&self) -> String {
        let only = self.only.map_or(String::new(), |only| format!(" --only {only}"));
        let quick = if self.quick { " --quick" } else { "" };
        let folder = quoted(&self.folder.display().to_string());
        format!("evalforge reproduce {}{only}{quick} --out {folder}", self.paper.name)
    }

    fn parts(&self) -> anyhow::Result<Vec<&Part>> {
        let parts = &self.paper.part;
        let Some(only) = self.only else { return Ok(parts.iter().collect()) };
        let named = |part: &&Part| part.name == only || part.also.iter().any(|name| name == only);
        let found: Vec<&Part> = parts.iter().filter(named).collect();
        if found.is_empty() {
            let names =
                parts.iter().flat_map(|part| [&part.name].into_iter().chain(&part.also)).map(String::as_str);
            return Err(UnknownName::new("part", only, names).into());
        }
        Ok(found)
    }
}

/// Plays it, prints the tables and writes the page.
pub fn run<L: Games>(wish: &Wish, program: &Program) -> anyhow::Result<()> {
    let parts = wish.parts()?;
    std::fs::create_dir_all(&wish.folder).map_err(|error| unwritten("--out", &wish.folder, &error))?;
    foretell::<L>(wish, &parts)?;
    let mut done: Vec<Done> = Vec::new();
    for part in parts {
        let begun = Instant::now();
        let Some((cells, experiments, charts)) = made::<L>(wish, part, program)? else { break };
        let worked =
            experiments.iter().flat_map(|(_, it)| it.begun()).filter_map(|run| run.generations.last());
        let learning: f64 = worked.map(|generation| generation.seconds).sum();
        let one = Done {
            part,
            cells,
            experiments,
            charts,
            quick: wish.quick,
            seconds: begun.elapsed().as_secs_f64().max(learning),
            commit: program.commit.into(),
        };
        if !wish.json {
            writeln!(stdout(), "\n{}\n{}", part.title, text(&one))?;
        }
        for (name, text) in files(&one) {
            write(&wish.folder.join(name), &text)?;
        }
        done.push(one);
        // After every part, so that there is something to look at.
        write(&wish.folder.join("index.html"), &page(wish.paper, &done))?;
    }
    if wish.json {
        let parts = done.iter().map(|done| PaperPart {
            part: done.part.name.clone(),
            title: done.part.title.clone(),
            seconds: done.seconds,
            cells: done.cells.clone(),
        });
        let paper = wish.paper.name.to_string();
        outputs::print(&Reproduced::Paper(PaperTables { paper, quick: wish.quick, parts: parts.collect() }))?;
    } else if !done.is_empty() {
        writeln!(stdout(), "page {}", wish.folder.join("index.html").display())?;
    }
    if interrupted() {
        return Err(Interrupted(format!("; to go on: {}", wish.command())).into());
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    new_file::write(path, text.as_bytes()).map_err(|error| unwritten("--out", path, &error))
}

/// Says how long each part will take here.
fn foretell<L: Games>(wish: &Wish, parts: &[&Part]) -> anyhow::Result<()> {
    let pace = pace::<L>(&wish.paper.game) * wish.threads as f64;
    let mut out = stderr().lock();
    if wish.quick {
        writeln!(out, "quick form: fewer runs and games and smaller boards than the paper, no test of it")?;
    }
    let all: f64 = parts.iter().map(|part| part.cost(wish.quick)).sum();
    for part in parts.iter().filter(|_| parts.len() > 1) {
        writeln!(out, "{:14} about {}", part.name, duration(part.cost(wish.quick) / pace))?;
    }
    Ok(writeln!(
        out,
        "roughly {} here from the beginning, into {}",
        duration(all / pace),
        wish.folder.display()
    )?)
}

type Made = (Vec<Cell>, Vec<(String, report::Experiment)>, Vec<Lines>);

/// What comes of a part; `None` if it was broken off.
fn made<L: Games>(wish: &Wish, part: &Part, program: &Program) -> anyhow::Result<Option<Made>> {
    let (mut cells, mut experiments, mut charts) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(name) = &part.program {
        let (_, program) = PROGRAMS.iter().find(|(known, _)| known == name).expect("a test knows them all");
        let status = Mutex::new(Status::new());
        let watch = |text: &str| {
            status.lock().expect("nobody panics here").show(&format!("{}: {text}", part.name));
            if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let setting =
            Setting { quick: wish.quick, threads: wish.threads, folder: &wish.folder, watch: &watch };
        let made = program(&setting).map_err(|error| anyhow::anyhow!(error))?;
        status.lock().expect("nobody panics here").clear();
        let Some(made) = made else { return Ok(None) };
        cells.extend(made.cells);
        charts.extend(made.charts);
    }
    for contest in &part.contest {
        match contested(wish, contest)? {
            Some(more) => cells.extend(more),
            None => return Ok(None),
        }
    }
    for learned in &part.learn {
        let Some(experiment) = learn::<L>(wish, learned, program)? else { return Ok(None) };
        cells.extend(told(learned, &experiment));
        experiments.push((learned.label.clone(), experiment));
    }
    if wish.quick {
        cells = cells.into_iter().map(untested).collect();
    }
    Ok(Some((cells, experiments, charts)))
}

/// Plays the games of a contest that are not in its journal yet.
fn contested(wish: &Wish, contest: &Contest) -> anyhow::Result<Option<Vec<Cell>>> {
    let games = contest.games[usize::from(wish.quick)];
    if games == 0 {
        return Ok(Some(Vec::new()));
    }
    let rules = contest.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let rules = TetrisRules::from_pairs(rules).expect("a test reads the file");
    let players: Vec<String> = contest.players.iter().map(|known| known.player.clone()).collect();
    let setup = ScoreSetup::<Tetris> { rules, players, games, seed: contest.seed };
    let (mut journal, mut played) =
        open_journal(&wish.folder.join(format!("{}.jsonl", plain(&contest.name))), &setup)?;
    let status = Status::new();
    let all = games * setup.players.len();
    let mut watch = |live: &ScoreProgress| {
        let over: usize = live.players.iter().map(|(over, _)| over).sum();
        let speed = short(live.decisions as f64 / live.elapsed.as_secs_f64());
        status.show(&format!("{}: {over}/{all} games, {speed} decisions/s", contest.name));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(&setup, wish.threads, &mut played, Some(&mut journal), &mut watch)?;
    status.clear();
    if !played.complete() {
        return Ok(None);
    }
    let cell = |(player, known): (usize, &Known)| scored(contest, known, &played, player);
    Ok(Some(contest.players.iter().enumerate().map(cell).collect()))
}

fn scored(contest: &Contest, known: &Known, played: &Played, player: usize) -> Cell {
    let summary = Summary::of(&played.scores(player));
    let name = known.called.as_deref().unwrap_or(&known.player);
    let ours = Ours {
        value: summary.mean,
        ci95: Some(summary.exponential_ci95),
        n: summary.n,
        counted: "games".into(),
    };
    Cell::mean(&format!("{}, {name}", contest.name), known.theirs.as_ref(), ours, &known.why)
}

/// Learns what is not learned yet in the folder of its label.
fn learn<L: Games>(
    wish: &Wish,
    learned: &Learned,
    program: &Program,
) -> anyhow::Result<Option<report::Experiment>> {
    let text = experiments::find(&learned.experiment)?;
    let quick = if wish.quick { Some(&learned.quick) } else { None };
    let changes = learned.set.iter().chain(quick.into_iter().flatten());
    let set: Vec<(String, String)> = changes.map(|(key, value)| (key.clone(), value.to_string())).collect();
    let experiment =
        Experiment::parse::<L>(&learned.experiment, &learned.experiment, &text, wish.quick, &set)?;
    let folder = wish.folder.join(plain(&learned.label));
    let origin = origin(program, wish.threads);
    let run = if ExperimentFolder::is_free(&folder) {
        writeln!(stderr(), "{}", learned.label)?;
        experiment.begin(&folder, origin)?
    } else {
        let there = report::Experiment::read(&folder)?;
        if there.config.text() != experiment.plan(0).config.text() {
            let reason = "holds a run of another configuration; choose another --out, or take it away";
            return Err(Usage(format!("{}: {reason}", folder.display())).into());
        }
        if there.finished && (there.config.score.is_empty() || !there.scores.is_empty()) {
            return Ok(Some(there));
        }
        writeln!(stderr(), "{}", learned.label)?;
        Experiment::resume::<L>(&folder, origin, false)?
    };
    let (_, finish) = run.run(|stage| watched(stage, wish.threads, true))?;
    if !finish.whole {
        return Ok(None);
    }
    Ok(Some(report::Experiment::read(&folder)?))
}
