//! Whatever breaks, nothing is lost: the program is killed, or finds the disk full, at every single thing it does to a file; it is killed at
//! random moments; the files of a run are damaged in every way of a list. Each time it must go on to the bits of a run that nothing
//! happened to, or say what is wrong in a line.
//!
//! `cargo test -p evalforge-cli --test faults` tries some of it, `... -- --long` all of it; names choose parts, as `-- --long learn damage`.

mod damage;
mod jobs;
mod program;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use games::Dice;
use jobs::{JOBS, Job, contents};
use program::{Ended, Fault, Shim, run};

/// How much is tried.
struct Amount {
    /// Operations of each job that are broken, spread evenly; all of them if there are fewer.
    operations: usize,
    /// Kills at random moments.
    kills: usize,
    /// Every so-manieth damage.
    damage_step: usize,
}

const QUICK: Amount = Amount { operations: 12, kills: 12, damage_step: 7 };
const LONG: Amount = Amount { operations: usize::MAX, kills: 1000, damage_step: 1 };

/// What came of a part.
struct Outcome {
    tries: usize,
    failures: Vec<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let long = arguments.iter().any(|argument| argument == "--long");
    let chosen: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|part| name.contains(part.as_str()));
    let amount = if long { LONG } else { QUICK };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("faults");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
    let shim = Shim::build(&folder);
    if shim.is_none() {
        println!("no C compiler or not Linux: operations are not broken here");
    }
    let (mut tries, mut failures) = (0, 0);
    let mut tell = |name: &str, outcome: Outcome| {
        println!("{name:<18} {:>6} tries {:>4} failures", outcome.tries, outcome.failures.len());
        for failure in outcome.failures.iter().take(5) {
            println!("    {failure}");
        }
        tries += outcome.tries;
        failures += outcome.failures.len();
    };
    for job in JOBS.iter().filter(|job| long || !job.slow) {
        for (word, fault) in [("kill", Fault::Kill as fn(usize) -> Fault), ("full disk", Fault::Full)] {
            let name = format!("{}, {word}", job.name);
            if let Some(shim) = shim.as_ref().filter(|_| is_chosen(&name)) {
                tell(&name, broken(job, shim, fault, &amount, &folder.join(&name)));
            }
        }
    }
    if is_chosen("random kills") {
        tell("random kills", random_kills(&JOBS[0], amount.kills, &folder.join("random")));
    }
    if is_chosen("damage") {
        tell("damage", damage::all(&JOBS[0], amount.damage_step, &folder.join("damage")));
    }
    println!("\n{} passed, {failures} failed", tries - failures);
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tries all numbers on two threads; a try says what went wrong, in a folder of its own.
fn each(
    numbers: &[usize],
    folder: &Path,
    attempt: impl Fn(usize, &Path) -> Result<(), String> + Sync,
) -> Outcome {
    let (next, failures, begun) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Instant::now());
    let mut told = begun;
    let work = |tell: &mut dyn FnMut(usize)| {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&number) = numbers.get(at) else { break };
            let place = folder.join(number.to_string());
            std::fs::create_dir_all(&place).expect("the folder of tests can be written");
            match attempt(number, &place) {
                Ok(()) => drop(std::fs::remove_dir_all(&place)),
                Err(reason) => failures.lock().unwrap().push(format!("{number}: {reason}")),
            }
            tell(at + 1);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| work(&mut |_| {}));
        work(&mut |done| {
            if told.elapsed() > Duration::from_secs(10) {
                told = Instant::now();
                let left = begun.elapsed().as_secs_f64() * (numbers.len() - done) as f64 / done as f64;
                println!("    {done} of {}, {left:.0} s left", numbers.len());
            }
        });
    });
    Outcome { tries: numbers.len(), failures: failures.into_inner().unwrap() }
}

/// Breaks operations of a job, one in each try, and lets it go on.
fn broken(job: &Job, shim: &Shim, fault: fn(usize) -> Fault, amount: &Amount, folder: &Path) -> Outcome {
    let (expected, operations) = match whole(job, Some(shim), &folder.join("whole")) {
        Ok(whole) => whole,
        Err(reason) => return Outcome { tries: 1, failures: vec![format!("without a fault: {reason}")] },
    };
    let step = operations.div_ceil(amount.operations).max(1);
    let numbers: Vec<usize> = (1..=operations).step_by(step).collect();
    each(&numbers, folder, |number, place| {
        job.prepare(place);
        let ended = run(&job.begin(place), Some((shim, fault(number), place)));
        match (fault(number), ended.code) {
            (_, None) if ended.hung => return Err("hung".into()),
            (Fault::None | Fault::Kill(_), _) | (Fault::Full(_), Some(0)) => {}
            (Fault::Full(_), Some(1)) => names_a_file(&ended, place)?,
            (Fault::Full(_), _) => return Err(format!("with a full disk: {}", ended.told())),
        }
        whole_or_none(job, place, &folder.join("whole"))?;
        goes_on(job, place, &expected)
    })
}

/// Nothing half written has the name of something whole.
fn whole_or_none(job: &Job, place: &Path, whole: &Path) -> Result<(), String> {
    let differs =
        |name: &&&str| contents(place, name).is_ok_and(|sum| contents(whole, name).ok() != Some(sum));
    job.files.iter().find(differs).map_or(Ok(()), |name| Err(format!("{name} is half written")))
}

/// A full disk is told in a line that names the file.
fn names_a_file(ended: &Ended, place: &Path) -> Result<(), String> {
    let lines: Vec<&str> = ended.error.lines().filter(|line| line.starts_with("evalforge: ")).collect();
    match lines[..] {
        [line] if line.contains(&place.display().to_string()) => Ok(()),
        _ => Err(format!("does not name the file: {}", ended.told())),
    }
}

/// What a job gives if nothing happens, and how many operations it takes.
fn whole(job: &Job, shim: Option<&Shim>, place: &Path) -> Result<(String, usize), String> {
    std::fs::create_dir_all(place).map_err(|error| error.to_string())?;
    job.prepare(place);
    let ended = run(&job.begin(place), shim.map(|shim| (shim, Fault::None, place)));
    if ended.code != Some(0) {
        return Err(ended.told());
    }
    Ok(((job.result)(place, &ended)?, shim.map_or(0, Shim::operations)))
}

/// Goes on after whatever has happened, and compares.
fn goes_on(job: &Job, place: &Path, expected: &str) -> Result<(), String> {
    let mut said = Vec::new();
    for arguments in (job.again)(place) {
        let ended = run(&arguments, None);
        match ended.code {
            Some(0) => {
                let result = (job.result)(place, &ended)?;
                return if result == expected { Ok(()) } else { Err(format!("another result: {result}")) };
            }
            // It says that there is nothing to go on from, or that all is there already.
            Some(2) if !ended.panicked() => said.push(ended.told()),
            _ => return Err(ended.told()),
        }
    }
    // A file that is whole is not made again.
    match (job.result)(place, &Ended::default()) {
        Ok(result) if result == expected => Ok(()),
        _ => Err(format!("nothing goes on: {}", said.join("; "))),
    }
}

fn random_kills(job: &Job, kills: usize, folder: &Path) -> Outcome {
    let begun = Instant::now();
    let expected = match whole(job, None, &folder.join("whole")) {
        Ok((expected, _)) => expected,
        Err(reason) => return Outcome { tries: 1, failures: vec![reason] },
    };
    let longest = begun.elapsed();
    let numbers: Vec<usize> = (0..kills).collect();
    each(&numbers, folder, |number, place| {
        job.prepare(place);
        let mut dice = Dice::seeded(&[number as u64, 0x6661_756c]);
        // Up to three kills, one after another: the second may hit what mends the first.
        for attempt in 0..=dice.below(3) {
            let arguments = match attempt {
                0 => job.begin(place),
                _ => (job.again)(place).remove(0),
            };
            let after = longest.mul_f64(dice.unit());
            if let ControlFlow::Break(reason) = program::killed_after(&arguments, after) {
                return Err(reason);
            }
        }
        goes_on(job, place, &expected)
    })
}
