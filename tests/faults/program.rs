//! The real program, with or without a fault.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is broken, by the number of the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing; operations are counted.
    None,
    /// Killed in place of it.
    Kill(usize),
    /// No room from it on.
    Full(usize),
}

/// The library that breaks operations, and where it writes how many there were.
pub struct Shim {
    library: PathBuf,
    count: PathBuf,
}

impl Shim {
    /// Compiles it, where there is a C compiler and a loader that takes it.
    pub fn build(folder: &Path) -> Option<Self> {
        let (library, count) = (folder.join("shim.so"), folder.join("operations"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/faults/shim.c");
        let mut command = Command::new("cc");
        command.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
        let built = cfg!(target_os = "linux") && command.status().is_ok_and(|status| status.success());
        built.then_some(Self { library, count })
    }

    /// How many operations the last program had that was run without a fault.
    pub fn operations(&self) -> usize {
        let text = std::fs::read_to_string(&self.count).expect("the program has ended by itself");
        text.trim().parse().expect("a number")
    }
}

/// How a program has ended.
#[derive(Debug, Default)]
pub struct Ended {
    /// None if by a signal.
    pub code: Option<i32>,
    pub out: String,
    pub error: String,
    /// It had to be ended by us.
    pub hung: bool,
}

impl Ended {
    pub fn panicked(&self) -> bool {
        self.error.contains("panicked at")
    }

    /// In a line.
    pub fn told(&self) -> String {
        let said: Vec<&str> = self.error.lines().rev().take(2).collect();
        format!("exit {:?}{}: {}", self.code, if self.hung { ", hung" } else { "" }, said.join(" / "))
    }
}

fn command(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalforge"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program to its end; with a fault, which counts what is below the place.
pub fn run(arguments: &[String], fault: Option<(&Shim, Fault, &Path)>) -> Ended {
    let mut command = command(arguments);
    if let Some((shim, fault, place)) = fault {
        command.env("LD_PRELOAD", &shim.library).env("FAULT_UNDER", place);
        match fault {
            Fault::None => command.env("FAULT_COUNT", &shim.count),
            Fault::Kill(number) => command.env("FAULT_KILL", number.to_string()),
            Fault::Full(number) => command.env("FAULT_FULL", number.to_string()),
        };
    }
    let child = command.spawn().expect("the program is there");
    finished(child)
}

/// Waits, but not for ever. Whoever writes much is heard meanwhile.
fn finished(child: Child) -> Ended {
    let id = child.id();
    let (sender, receiver) = std::sync::mpsc::channel();
    let waiter = thread::spawn(move || {
        let output = child.wait_with_output();
        let _ = sender.send(());
        output
    });
    let hung = receiver.recv_timeout(PATIENCE).is_err();
    if hung {
        let _ = Command::new("kill").args(["-KILL", &id.to_string()]).status();
    }
    let output = waiter.join().expect("it only waits").expect("it can be waited for");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ended { code: output.status.code(), out: text(output.stdout), error: text(output.stderr), hung }
}

/// Kills the program after so long, unless it has ended; breaks if it has failed before.
pub fn killed_after(arguments: &[String], after: Duration) -> ControlFlow<String> {
    let mut child = command(arguments).spawn().expect("the program is there");
    let begun = Instant::now();
    while begun.elapsed() < after {
        if child.try_wait().expect("it can be waited for").is_some() {
            let ended = finished(child);
            // Exit 2: there is nothing to go on from.
            let fine = matches!(ended.code, Some(0 | 2)) && !ended.panicked();
            return if fine { ControlFlow::Continue(()) } else { ControlFlow::Break(ended.told()) };
        }
        thread::sleep(Duration::from_micros(500));
    }
    let _ = child.kill();
    let _ = child.wait();
    ControlFlow::Continue(())
}
