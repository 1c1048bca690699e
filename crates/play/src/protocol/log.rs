//! What was said to other programs and by them, line by line, with the time: `12.345 #2 > go` is the second program being told to go, `<` what it
//! answers.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use games::error::one_line;

/// Where it is written. Copies write to the same place.
#[derive(Clone)]
pub struct WireLog(Arc<Inner>);

struct Inner {
    begun: Instant,
    programs: AtomicUsize,
    out: Mutex<Box<dyn Write + Send>>,
}

impl WireLog {
    /// A log that is written here.
    pub fn new(out: impl Write + Send + 'static) -> Self {
        let (programs, out) = (AtomicUsize::new(0), Mutex::new(Box::new(out) as Box<dyn Write + Send>));
        Self(Arc::new(Inner { begun: Instant::now(), programs, out }))
    }

    fn write(&self, program: usize, sign: char, line: &str) {
        let seconds = self.0.begun.elapsed().as_secs_f64();
        let line = format!("{seconds:.3} #{program} {sign} {}\n", one_line(line));
        // A log that cannot be written ends no match.
        if let Ok(mut out) = self.0.out.lock() {
            let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        }
    }
}

/// The part of a log that is about one program. What it is told before anybody names a log is kept until then: a program is greeted when its
/// player is made.
#[derive(Default)]
pub struct Wire {
    log: Option<(WireLog, usize)>,
    before: Vec<(char, String)>,
}

/// Greetings are shorter.
const MOST_BEFORE: usize = 100;

impl Wire {
    /// From now on it is written here, and what was said before, too.
    pub fn log_to(&mut self, log: &WireLog, program: &str) {
        let number = log.0.programs.fetch_add(1, Ordering::Relaxed) + 1;
        log.write(number, '=', program);
        self.before.drain(..).for_each(|(sign, line)| log.write(number, sign, &line));
        self.log = Some((log.clone(), number));
    }

    /// Said to the program (`>`), by it (`<`), or about it (`!`).
    pub fn note(&mut self, sign: char, line: &str) {
        match &self.log {
            Some((log, number)) => log.write(*number, sign, line),
            None if self.before.len() < MOST_BEFORE => self.before.push((sign, line.to_string())),
            None => {}
        }
    }
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wire")
    }
}
