//! The command line of the fuzzer.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use fuzz::corpus::Corpus;
use fuzz::runner::{self, Failure, Options, Row, kept};
use fuzz::targets::Room;
use fuzz::worker::{self, Work};
use fuzz::{TARGETS, Target, find};

/// Time for each target, where neither it nor the number of bytes is given.
const SECONDS: f64 = 30.0;

/// Throws damaged inputs at every parser: no panic, no hang, no blow-up; errors of one line; what is printed reads as the same.
#[derive(Parser)]
struct Arguments {
    /// What to fuzz [default: all]
    targets: Vec<String>,
    /// Time for each target [default: 30, without --bytes]
    #[arg(long, value_parser = seconds)]
    seconds: Option<f64>,
    /// Bytes for each target; what is reached first counts
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    bytes: Option<u64>,
    /// The seed of all inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Targets at the same time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Read only the input of this number, and tell what comes of it
    #[arg(long, value_name = "NUMBER")]
    one: Option<u64>,
    /// Read only the input in this file
    #[arg(long, conflicts_with = "one")]
    file: Option<PathBuf>,
    /// Where inputs go that something is wrong with
    #[arg(long, default_value = "target/fuzz")]
    out: PathBuf,
    /// List the targets
    #[arg(long)]
    list: bool,
    #[arg(long, hide = true)]
    worker: bool,
    #[arg(long, hide = true, default_value_t = 0)]
    from: u64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
    seconds.ok_or_else(|| "0 to 1000000 seconds are allowed".into())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err((code, message)) => {
            eprintln!("evalforge-fuzz: {message}");
            ExitCode::from(code)
        }
    }
}

type Failed = (u8, String);

fn failed(error: &std::io::Error) -> Failed {
    (1, error.to_string())
}

/// Whether nothing was found.
fn run(arguments: &Arguments) -> Result<bool, Failed> {
    if arguments.list {
        TARGETS.iter().for_each(|target| println!("{:17} {}", target.name, target.reads));
        return Ok(true);
    }
    let named = |name: &String| {
        let known = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
        find(name).ok_or_else(|| (2, format!("unknown target {name:?}; known: {}", known())))
    };
    let targets: Vec<&'static Target> = match &arguments.targets[..] {
        [] => TARGETS.iter().collect(),
        names => names.iter().map(named).collect::<Result<_, _>>()?,
    };
    // With bytes alone there is no limit of time.
    let seconds = arguments.seconds.unwrap_or(if arguments.bytes.is_some() { 1e6 } else { SECONDS });
    let (time, bytes) = (Duration::from_secs_f64(seconds), arguments.bytes.unwrap_or(u64::MAX));
    if arguments.worker {
        let work = Work { target: targets[0], seed: arguments.seed, from: arguments.from, time, bytes };
        worker::run(work, std::path::Path::new(".")).map_err(|error| failed(&error))?;
        return Ok(true);
    }
    if arguments.one.is_some() || arguments.file.is_some() {
        let [target] = targets[..] else { return Err((2, "one target is to be named".into())) };
        return one(target, arguments).map_err(|error| failed(&error));
    }
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let threads = usize::from(arguments.threads);
    fuzz(
        &targets,
        &Options { program, seed: arguments.seed, time, bytes, threads, out: arguments.out.clone() },
    )
}

/// Reads one input in this process, with its limits.
fn one(target: &'static Target, arguments: &Arguments) -> std::io::Result<bool> {
    let input = match (&arguments.file, arguments.one) {
        (Some(path), _) => std::fs::read(path)?,
        (None, number) => Corpus::read(target)?.input(arguments.seed, number.unwrap_or_default()),
    };
    println!("{} bytes: {}", input.len(), input[..input.len().min(2000)].escape_ascii());
    let folder = std::env::temp_dir().join(format!("evalforge-fuzz-{}-one", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    worker::limit()?;
    worker::keep_panics();
    let begun = Instant::now();
    let answer = worker::judge(target, &input, &Room::new(&folder));
    std::fs::remove_dir_all(&folder)?;
    println!(
        "{} after {:.3} s",
        answer.as_ref().map_or_else(String::clone, |answer| format!("{answer:?}")),
        begun.elapsed().as_secs_f64()
    );
    Ok(answer.is_ok())
}

fn fuzz(targets: &[&'static Target], options: &Options) -> Result<bool, Failed> {
    println!(
        "{:17} {:>10} {:>13} {:>9} {:>9} {:>8}",
        "target", "inputs", "bytes", "inputs/s", "accepted", "failures"
    );
    let (begun, is_terminal) = (Instant::now(), std::io::stderr().is_terminal());
    let mut wrong = 0;
    let clear = if is_terminal { "\r\x1b[K" } else { "" };
    let mut tell = |number: usize, row: &Row| {
        eprint!("{clear}");
        let Row { at, seconds, failures } = row;
        let share = 100.0 * at.accepted as f64 / at.inputs.max(1) as f64;
        let speed = at.inputs as f64 / seconds.max(1e-9);
        let target = targets[number];
        println!(
            "{:17} {:>10} {:>13} {speed:>9.0} {share:>7.1} % {:>8}",
            target.name,
            at.inputs,
            at.bytes,
            failures.len()
        );
        wrong += usize::from(!failures.is_empty());
        for Failure { number, reason } in failures {
            println!("  {} input {number}: {reason}", target.name);
            println!("    kept in {}", kept(target, options, *number).display());
            let seed = options.seed;
            println!(
                "    cargo run --release -p evalforge-fuzz -- {} --seed {seed} --one {number}",
                target.name
            );
        }
    };
    let mut progress = |progress: runner::Progress| {
        let left = begun.elapsed().as_secs_f64() * (1.0 - progress.share) / progress.share.max(1e-9);
        if is_terminal && progress.over < targets.len() {
            eprint!("{clear}{} of {} targets, about {left:.0} s left", progress.over, targets.len());
            let _ = std::io::stderr().flush();
        }
    };
    runner::run(targets, options, &mut tell, &mut progress).map_err(|error| failed(&error))?;
    println!("{} passed, {wrong} failed", targets.len() - wrong);
    Ok(wrong == 0)
}
