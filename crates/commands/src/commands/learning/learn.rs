//! `evalforge learn`: experiments, from their file to a model with its score.

use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use games::error::shown;
use play::Games;
use play::numbers::rough_duration as duration;
use play::threads::on_threads;
use train::costs::{pace, processor_seconds};
use train::experiments;
use train::run::experiment::{Experiment, ExperimentError, ExperimentRun};
use train::run::folder::{ExperimentFolder, FolderError, Origin};
use train::run::live::RunProgress;
use train::run::runner::LocalRunner;
use train::run::stage::{Finish, Stage};

use super::learn_view::{View, finished};
use crate::arguments::{Threads, whole_number};
use crate::commands::{Plain, Program};
use crate::failure::{Interrupted, Usage};
use crate::terminal::quoted;

/// Learn an evaluation function as an experiment describes it
///
/// EXPERIMENT is one of those that 'evalforge list experiments' names, or a file. Everything goes into a folder: the configuration, a
/// log with one line a generation, a checkpoint, the model, its scores, a report. Ctrl-C ends it; 'evalforge learn
/// --resume DIR' goes on after the last whole generation, also after a crash, and the result is that of a run that was never broken off. A run whose
/// configuration was edited, or that another program has begun, is refused, and what differs is named; with --changed it goes on all the same.
#[derive(Debug, Args)]
pub struct Learn {
    /// What to learn
    #[arg(value_name = "EXPERIMENT|FILE.toml", required_unless_present_any = ["from", "resume"])]
    experiment: Option<String>,
    /// Begin from what the run in this folder has learned; without EXPERIMENT, with its configuration
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Go on with the run in this folder, which was broken off or has crashed
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["experiment", "from", "out", "set", "quick", "seed"]
    )]
    resume: Option<PathBuf>,
    /// With --resume: go on although config.toml or the program is not what the run was begun with; the log and the model say so
    #[arg(long, requires = "resume")]
    changed: bool,
    /// The folder of the run; new or empty [default: runs/EXPERIMENT-N]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Change a key, as generations=10 or learner.sigma=0.3; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, String)>,
    /// Make only this one of the experiment's runs, from 1, as it is among all; 'evalforge runs' joins the folders
    #[arg(long, value_name = "K", value_parser = whole_number(1..=1000usize))]
    run: Option<usize>,
    /// The quick variant, which ends in about a minute
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    programs: Programs,
    /// The seed of everything [default: as in the experiment]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX >> 1))]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Go on with a run that was broken off, or that crashed
#[derive(Debug, Args)]
pub struct Resume {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Go on although config.toml or the program is not what the run was begun with; the log and the model say so
    #[arg(long)]
    changed: bool,
    #[command(flatten)]
    programs: Programs,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Whether a file may say which programs are started.
#[derive(Debug, Args)]
struct Programs {
    /// Start the other programs that the experiment names as opponents, external(...); they are listed first
    #[arg(long)]
    allow_programs: bool,
}

impl Programs {
    /// Lists the programs of a file, if they may be started. Whoever wrote it could have any command run otherwise.
    fn check(&self, file: &str, experiment: &Experiment) -> anyhow::Result<()> {
        let programs: Vec<String> = experiment.programs().iter().map(|program| shown(program)).collect();
        if programs.is_empty() {
            return Ok(());
        }
        let list = programs.join(", ");
        if !self.allow_programs {
            let reason = format!("starts other programs: {list}; --allow-programs lets it");
            return Err(Usage(format!("{}: {reason}", shown(file))).into());
        }
        Ok(writeln!(stderr(), "starts other programs: {list}")?)
    }
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.trim().is_empty());
    let (key, value) = pair.ok_or("allowed: KEY=VALUE, as generations=10")?;
    Ok((key.trim().to_string(), value.trim().to_string()))
}

impl Plain for Learn {
    fn run<L: Games>(self, program: &Program) -> anyhow::Result<()> {
        if let Some(folder) = self.resume {
            let Self { changed, programs, threads, json, .. } = self;
            return Resume { folder, changed, programs, threads, json }.run::<L>(program);
        }
        let mut set = self.set;
        // A run from another has the name of that one's folder.
        let (name, called) = match (self.experiment, &self.from) {
            (None, Some(folder)) => (folder.join("config.toml").display().to_string(), folder.clone()),
            (name, _) => {
                let name = name.expect("one of the two is required");
                (name.clone(), PathBuf::from(name))
            }
        };
        if let Some(seed) = self.seed {
            set.push(("seed".into(), seed.to_string()));
        }
        if let Some(run) = self.run {
            set.push(("run".into(), run.to_string()));
        }
        let short = called.file_stem().map_or(name.clone(), |stem| stem.to_string_lossy().into_owned());
        let text = experiments::find(&name)?;
        if let Some(folder) = &self.from {
            // Before what was asked for, which may begin elsewhere.
            set.insert(0, Experiment::start_from::<L>(folder, &text)?);
        }
        let experiment = Experiment::parse::<L>(&short, &name, &text, self.quick, &set)?;
        self.programs.check(&name, &experiment)?;
        let named = self.run.map_or(short.clone(), |run| format!("{short}-run-{run:02}"));
        let folder = self.out.unwrap_or_else(|| free_folder(&named));
        let threads = self.threads.count();
        let run = experiment.begin(&folder, origin(program, threads))?;
        let line = foretold::<L>(&name, run.experiment(), &text, self.quick, &set, threads);
        if let Some(line) = &line {
            writeln!(stderr(), "{line}")?;
        }
        go_on(&run, threads, line.is_some(), self.json)
    }
}

impl Plain for Resume {
    fn run<L: Games>(self, program: &Program) -> anyhow::Result<()> {
        let folder = self.folder;
        if !folder.is_dir() {
            return Err(Usage(format!("{}: there is no such folder", folder.display())).into());
        }
        let threads = self.threads.count();
        let run = Experiment::resume::<L>(&folder, origin(program, threads), self.changed)?;
        self.programs.check(&folder.join("config.toml").display().to_string(), run.experiment())?;
        go_on(&run, threads, false, self.json)
    }
}

/// How long a shipped experiment will take here, scores included; `None` if that was never measured, or if what was changed says
/// nothing about the time.
fn foretold<L: Games>(
    name: &str,
    experiment: &Experiment,
    text: &str,
    quick: bool,
    set: &[(String, String)],
    threads: usize,
) -> Option<String> {
    let there = processor_seconds(name, quick)?;
    let only = |allowed: &[&str]| set.iter().all(|(key, _)| allowed.contains(&key.as_str()));
    let game = experiment.configs().next()?.task.get("name")?.as_str()?.to_string();
    let share = if only(&["seed"]) {
        1.0
    } else if only(&["seed", "run", "runs", "generations"]) {
        let work = |of: &Experiment| {
            let config = of.configs().next()?;
            let runs = if config.run.is_some() { 1 } else { config.runs };
            Some(runs as f64 * config.generations as f64)
        };
        work(experiment)? / work(&Experiment::parse::<L>(name, name, text, quick, &[]).ok()?)?
    } else {
        return None;
    };
    let seconds = share * there / pace::<L>(&game) / threads as f64;
    let threads = if threads == 1 { "one thread".to_string() } else { format!("{threads} threads") };
    Some(format!("about {} here on {threads}, scores included", duration(seconds)))
}

/// Runs what is left of an experiment, and tells what came of it.
fn go_on(run: &ExperimentRun, threads: usize, is_foretold: bool, json: bool) -> anyhow::Result<()> {
    let folder = run.folder();
    let (stage, finish) = run.run(|stage| watched(stage, threads, is_foretold))?;
    if !finish.whole {
        return Err(Interrupted(format!(
            "; to go on: evalforge learn --resume {}",
            quoted(&folder.display().to_string())
        ))
        .into());
    }
    let page = folder.join("report.html");
    let read = report::Experiment::read_all(folder)?;
    play::files::new_file::write(&page, report::html(&read).as_bytes())
        .map_err(|error| ExperimentError::from(FolderError::disk(&page, &error)))?;
    finished(&stage, folder, &finish, &page, json)
}

/// Runs a stage, to its end or to Ctrl-C, and shows how it stands.
pub fn watched(stage: &Stage, threads: usize, is_foretold: bool) -> anyhow::Result<Finish> {
    let live = RunProgress::new(stage.plan.run_numbers().len());
    let view = View::new(stage, threads, is_foretold);
    let result = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| view.watch(&live));
        let result = on_threads(threads, || stage.run(&LocalRunner::new(&stage.plan), threads, &live));
        view.end();
        // A watcher that failed has nothing to say about the result.
        let _ = watcher.join();
        result
    });
    Ok(result??)
}

/// The first of runs/NAME-1, runs/NAME-2 ... that is free.
fn free_folder(name: &str) -> PathBuf {
    let mut paths = (1..).map(|number| Path::new("runs").join(format!("{name}-{number}")));
    paths.find(|path| ExperimentFolder::is_free(path)).expect("some number is free")
}

pub fn origin(program: &Program, threads: usize) -> Origin {
    Origin {
        version: program.version.into(),
        commit: program.commit.into(),
        source: program.source.into(),
        cpu: cpu(),
        threads,
        now: report::terminal::utc(
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        ),
    }
}

/// The processor's name where the system tells it, else its kind.
fn cpu() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or(std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string())
}
