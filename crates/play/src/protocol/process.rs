//! A program of somebody else's at the end of two pipes: lines to it, lines from it, and nobody waits for it longer than said. It ends with us,
//! and so does whatever it has started, however we end.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::log::Wire;
use super::pipe::read_line;

/// Lines that may wait to be looked at. A program that says more waits.
const MOST_LINES: usize = 1000;
/// How often somebody looks whether an answer is still wanted.
const GLANCE: Duration = Duration::from_millis(20);

/// What can be wrong with a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProcessError {
    /// It cannot be started.
    #[error("'{command}' cannot be started: {reason}")]
    Start {
        /// The command.
        command: String,
        /// What the system says.
        reason: String,
    },
    /// It has ended.
    #[error("the program ended{0}")]
    Ended(String),
    /// It does not answer.
    #[error("no answer within {0} s")]
    Late(String),
    /// It need not answer.
    #[error("nobody waits for an answer any more")]
    Unwanted,
}

/// A running program. It is ended when this is dropped, or when this process is gone.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    group: Group,
    /// What is said, for whoever wants to know.
    pub wire: Wire,
}

impl Process {
    /// Starts a command: a program and its arguments, separated by spaces; one with spaces in it stands in single quotes. No shell is
    /// asked.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &str) -> Result<Self, ProcessError> {
        let failed = |reason: String| ProcessError::Start { command: command.to_string(), reason };
        let words = words(command).map_err(|reason| failed(reason.into()))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| failed("there is no program in it".into()))?;
        let mut process = Command::new(program);
        process.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let group = Group::new().map_err(|error| failed(format!("no shell to watch over it: {error}")))?;
        group.take_in(&mut process);
        let mut child = process.spawn().map_err(|error| failed(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no pipes".into()));
        };
        let (sender, lines) = sync_channel(MOST_LINES);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(line)) = read_line(&mut output) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, lines, group, wire: Wire::default() })
    }

    /// Sends a line.
    ///
    /// # Errors
    /// It has ended.
    pub fn send(&mut self, line: &str) -> Result<(), ProcessError> {
        self.wire.note('>', line);
        let sent = self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| self.ended())
    }

    /// The next line it says before the time is over, `seconds` having been given, or `stop` is set.
    ///
    /// # Errors
    /// It has ended, or does not answer.
    pub fn line(
        &mut self,
        deadline: Instant,
        seconds: f64,
        stop: &AtomicBool,
    ) -> Result<String, ProcessError> {
        loop {
            // Before a line is looked at: a program that never falls silent must not be heard for ever.
            let left = deadline.saturating_duration_since(Instant::now());
            if stop.load(Ordering::Relaxed) {
                return Err(ProcessError::Unwanted);
            }
            if left.is_zero() {
                self.wire.note('!', &format!("no answer within {seconds} s"));
                return Err(ProcessError::Late(format!("{seconds}")));
            }
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => {
                    self.wire.note('<', &line);
                    return Ok(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn ended(&mut self) -> ProcessError {
        // Its pipes close a moment before it has ended.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                self.wire.note('!', &format!("ended: {status}"));
                return ProcessError::Ended(format!(": {status}"));
            }
            thread::sleep(Duration::from_millis(5));
        }
        ProcessError::Ended(String::new())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // What has ended already cannot be ended again, and that is all there is to it.
        let _ = self.child.kill();
        self.group.end();
        let _ = self.child.wait();
    }
}

/// A program with all that it starts, and a watcher: a shell in the same process group that reads from a pipe of which only we have the other
/// end. When the pipe ends, because it is told to or because this process is gone, be it killed, the shell kills the group. That needs
/// no signal handler, and no thread of ours to outlive another, as a parent-death signal would. Ctrl-C at a terminal does not
/// reach the group: whether a game goes on is for us to say.
#[cfg(unix)]
#[derive(Debug)]
struct Group(Child);

#[cfg(unix)]
impl Group {
    fn new() -> io::Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut watcher = Command::new("sh");
        watcher.args(["-c", "read line; kill -KILL 0"]).process_group(0);
        watcher.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(Self)
    }

    fn take_in(&self, command: &mut Command) {
        use std::os::unix::process::CommandExt;
        command.process_group(self.0.id().cast_signed());
    }

    fn end(&mut self) {
        if let Some(mut pipe) = self.0.stdin.take() {
            // A line is as good as the end, should a child of ours have inherited the pipe.
            let _ = pipe.write_all(b"\n");
            drop(pipe);
            let _ = self.0.wait();
        }
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// Elsewhere a program is ended when it is dropped, and that is all.
#[cfg(not(unix))]
#[derive(Debug)]
struct Group;

#[cfg(not(unix))]
impl Group {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    fn take_in(&self, _command: &mut Command) {}

    fn end(&mut self) {}
}

/// The words of a command.
fn words(command: &str) -> Result<Vec<String>, &'static str> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for sign in command.chars() {
        match sign {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            sign if sign.is_whitespace() && !quoted => words.extend(word.take()),
            sign => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    if quoted { Err("a quote is not closed") } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words() {
        assert_eq!(words(" a  -b 'c d'e '' ").unwrap(), ["a", "-b", "c de", ""]);
        assert!(words("a 'b").is_err());
        assert!(Process::start("  ").unwrap_err().to_string().contains("no program"));
        let error = Process::start("no-such-program-here x").unwrap_err().to_string();
        assert!(error.contains("'no-such-program-here x' cannot be started"), "{error}");
    }

    /// A program that says one line after another and never what is asked for is late, and nobody listens who is told to stop.
    #[cfg(unix)]
    #[test]
    fn a_program_that_never_falls_silent_is_late() {
        let mut process = Process::start("yes").unwrap();
        let mut heard = |seconds: f64, stop: bool| {
            let deadline = Instant::now() + Duration::from_secs_f64(seconds);
            let enough = Instant::now() + Duration::from_secs(20);
            loop {
                match process.line(deadline, seconds, &AtomicBool::new(stop)) {
                    Ok(_) => assert!(Instant::now() < enough, "it is listened to for ever"),
                    Err(error) => break error,
                }
            }
        };
        assert_eq!(heard(0.05, false), ProcessError::Late("0.05".into()));
        assert_eq!(heard(100.0, true), ProcessError::Unwanted);
    }

    /// A program that starts another one and thinks.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_program_has_started_ends_with_it() {
        let alive = |pid: &str| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
        };
        let command = "sh -c 'sleep 1000 & echo $!; echo $$; while :; do sleep 1000; done'";
        let mut process = Process::start(command).unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        let pids = [0, 1].map(|_| process.line(deadline, 10.0, &AtomicBool::new(false)).unwrap());
        assert!(pids.iter().all(|pid| alive(pid)));
        drop(process);
        while pids.iter().any(|pid| alive(pid)) {
            assert!(Instant::now() < deadline, "they live on");
            thread::sleep(Duration::from_millis(5));
        }
    }
}
