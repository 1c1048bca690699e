//! Starts a worker for each target, looks after it, and tells what came of it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::Target;
use crate::corpus::Corpus;
use crate::worker::{At, FOUND, kind};

/// What an input may take of the processor.
const MOST_TIME: Duration = Duration::from_secs(1);
/// What it may take by the clock, on a machine that has other work: whoever waits for something uses no processor.
const MOST_WAIT: Duration = Duration::from_secs(60);
/// How often somebody looks.
const GLANCE: Duration = Duration::from_millis(25);
/// Deaths of workers of a target after which there is no point in going on.
const MOST_DEATHS: usize = 5;
/// The clock of `/proc`, in ticks a second.
const TICKS: u64 = 100;

/// What is to be done.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program that works, which is this one.
    pub program: PathBuf,
    /// The seed of all inputs.
    pub seed: u64,
    /// Time for each target.
    pub time: Duration,
    /// Bytes for each target, if they are reached before.
    pub bytes: u64,
    /// Workers at the same time.
    pub threads: usize,
    /// Where inputs go that something is wrong with.
    pub out: PathBuf,
}

/// A parser that has failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The number of the input.
    pub number: u64,
    /// What is wrong.
    pub reason: String,
}

/// What came of a target.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Inputs, their bytes, how many were accepted.
    pub at: At,
    /// Time that the workers had.
    pub seconds: f64,
    /// One failure of each kind.
    pub failures: Vec<Failure>,
}

/// How far all is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Targets that are over.
    pub over: usize,
    /// The share of all that is done.
    pub share: f64,
}

/// Runs targets, some at the same time; `tell` hears of each as it ends, `progress` now and then.
///
/// # Errors
/// A worker cannot be started or looked after.
pub fn run(
    targets: &[&'static Target],
    options: &Options,
    tell: &mut dyn FnMut(usize, &Row),
    progress: &mut dyn FnMut(Progress),
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let shares = Mutex::new(vec![0.0; targets.len()]);
    let (sender, rows) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, targets.len()) {
            let (sender, next, shares) = (sender.clone(), &next, &shares);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(target) = targets.get(number) else { return };
                    let told = |share: f64| {
                        if let Ok(mut shares) = shares.lock() {
                            shares[number] = share;
                        }
                    };
                    let row = of_target(target, options, &told);
                    told(1.0);
                    if sender.send((number, row)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut over = 0;
        while over < targets.len() {
            match rows.recv_timeout(Duration::from_secs(1)) {
                Ok((number, row)) => {
                    over += 1;
                    tell(number, &row?);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            let done: f64 = shares.lock().map_or(0.0, |shares| shares.iter().sum());
            progress(Progress { over, share: done / targets.len() as f64 });
        }
        Ok(())
    })
}

/// A folder that is gone when this is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("evalforge-fuzz-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A worker, which ends with this.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        // What has ended already cannot be ended again.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Fuzzes one target, with a new worker whenever one has died.
fn of_target(target: &'static Target, options: &Options, told: &dyn Fn(f64)) -> io::Result<Row> {
    let folder = Folder::new(target.name)?;
    let (mut row, mut known, mut from, mut deaths) = (Row::default(), HashSet::new(), 0, 0);
    let share = |row: &Row, more: f64, bytes: u64| {
        let time = (row.seconds + more) / options.time.as_secs_f64();
        time.max((row.at.bytes + bytes) as f64 / options.bytes as f64).min(1.0)
    };
    let mut fail = |row: &mut Row, number: u64, reason: String| -> io::Result<()> {
        if known.insert(kind(&reason)) {
            save(target, options, number)?;
            row.failures.push(Failure { number, reason });
        }
        Ok(())
    };
    loop {
        let left = options.time.saturating_sub(Duration::from_secs_f64(row.seconds));
        let bytes = options.bytes.saturating_sub(row.at.bytes);
        if left.is_zero() || bytes == 0 || deaths >= MOST_DEATHS {
            return Ok(row);
        }
        let begun = Instant::now();
        let end = watch(target, options, &folder.0, (from, left, bytes), &|bytes| {
            told(share(&row, begun.elapsed().as_secs_f64(), bytes));
        })?;
        row.seconds += begun.elapsed().as_secs_f64();
        let at = At::read(&folder.0).unwrap_or(At { number: from, ..At::default() });
        row.at.inputs += at.inputs;
        row.at.bytes += at.bytes;
        row.at.accepted += at.accepted;
        for line in fs::read_to_string(folder.0.join(FOUND)).unwrap_or_default().lines() {
            if let Some((number, reason)) = line.split_once(' ')
                && let Ok(number) = number.parse()
            {
                fail(&mut row, number, reason.to_string())?;
            }
        }
        match end {
            End::Done if at.is_done => return Ok(row),
            End::Done => {
                return Err(io::Error::other(format!("{}: the worker has done nothing", target.name)));
            }
            End::Died(reason) | End::Hung(reason) => fail(&mut row, at.number, reason)?,
        }
        deaths += 1;
        from = at.number + 1;
    }
}

/// How a worker has ended.
enum End {
    Done,
    Died(String),
    Hung(String),
}

/// Starts a worker and waits until it ends, or does not go on.
fn watch(
    target: &Target,
    options: &Options,
    folder: &Path,
    (from, time, bytes): (u64, Duration, u64),
    told: &dyn Fn(u64),
) -> io::Result<End> {
    let said = folder.join("said");
    let mut command = Command::new(&options.program);
    command
        .args(["--worker", target.name, "--seed", &options.seed.to_string(), "--from", &from.to_string()])
        .args(["--seconds", &time.as_secs_f64().to_string(), "--bytes", &bytes.to_string()])
        // Names of files in inputs lead nowhere.
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&said)?);
    let mut worker = Worker(command.spawn()?);
    // Since when it is at its input, and what it had used by then.
    let (mut last, mut since, mut used) = (None, Instant::now(), Duration::ZERO);
    loop {
        thread::sleep(GLANCE);
        if let Some(status) = worker.0.try_wait()? {
            let said = fs::read(&said).unwrap_or_default();
            return Ok(ended(status, &String::from_utf8_lossy(&said)));
        }
        let at = At::read(folder);
        told(at.map_or(0, |at| at.bytes));
        let now = processor_time(worker.0.id());
        if at.map(|at| at.number) != last {
            (last, since, used) = (at.map(|at| at.number), Instant::now(), now.unwrap_or_default());
        } else if at.is_none_or(|at| !at.is_done) {
            let (busy, waited) = (now.unwrap_or_default().saturating_sub(used), since.elapsed());
            if busy > MOST_TIME || waited > MOST_WAIT {
                let (busy, waited) = (busy.as_secs_f64(), waited.as_secs_f64());
                return Ok(End::Hung(format!(
                    "no end after {busy:.1} s of the processor, {waited:.1} s by the clock"
                )));
            }
        }
    }
}

fn ended(status: ExitStatus, said: &str) -> End {
    if status.success() {
        return End::Done;
    }
    let last: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).take(2).collect();
    End::Died(format!("the process died ({status}) {}", last.join(" ").escape_debug()))
}

/// What a process has used of the processor; only Linux tells.
fn processor_time(id: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, in brackets, may hold anything; user and system time are the 12th and 13th after it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 1000 / TICKS))
}

/// Where an input is kept.
pub fn kept(target: &Target, options: &Options, number: u64) -> PathBuf {
    options.out.join(format!("{}-{}-{number}", target.name, options.seed))
}

fn save(target: &'static Target, options: &Options, number: u64) -> io::Result<()> {
    fs::create_dir_all(&options.out)?;
    fs::write(kept(target, options, number), Corpus::read(target)?.input(options.seed, number))
}
