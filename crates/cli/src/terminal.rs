//! The terminal: colour, progress, Ctrl-C.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether a person looks at standard output.
pub fn is_screen() -> bool {
    stdout().is_terminal()
}

/// Columns of the screen; 100 where there is none.
pub fn screen_width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
}

/// Whether standard output takes colour: it is a terminal, and nobody has asked for none.
pub fn colour() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    is_screen() && !dumb && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// When Ctrl-C was first pressed.
static INTERRUPTED: OnceLock<Instant> = OnceLock::new();
/// What to print when a conversation is broken off; commands that poll [`interrupted`] leave it empty.
static FAREWELL: Mutex<Option<String>> = Mutex::new(None);

/// Makes Ctrl-C end a command at its next safe point; the second one ends it at once.
pub fn watch_for_interrupt() {
    let handler = || {
        let farewell = FAREWELL.lock().map(|text| text.clone()).unwrap_or_default();
        if let Some(text) = farewell {
            let _ = writeln!(stderr(), "\n{text}");
            std::process::exit(1);
        }
        // Some programs send the signal twice at once; a person takes longer.
        let first = INTERRUPTED.get_or_init(Instant::now);
        if first.elapsed() > Duration::from_millis(500) {
            let _ = writeln!(stderr(), "\nevalforge: interrupted twice; what was under way is lost");
            std::process::exit(1);
        }
    };
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = ctrlc::set_handler(handler);
}

/// Whether Ctrl-C has been pressed.
pub fn interrupted() -> bool {
    INTERRUPTED.get().is_some()
}

/// From now on Ctrl-C prints this and ends the program at once.
pub fn on_interrupt_say(text: String) {
    if let Ok(mut farewell) = FAREWELL.lock() {
        *farewell = Some(text);
    }
}

/// A progress bar on standard error that shows up only after two seconds, and only on a terminal.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
}

impl Progress {
    /// Of so many steps.
    pub fn new(what: &str, steps: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent}% {elapsed} so far, {eta} to go");
        bar.set_style(style.expect("the template is sound"));
        bar.set_message(what.to_string());
        Self { bar, begun: Instant::now() }
    }

    /// So many are done.
    pub fn set(&self, done: u64) {
        if self.bar.is_hidden() && self.begun.elapsed() > Duration::from_secs(2) && stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(done);
    }

    /// Does something that prints, the bar out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// One line on standard error that is written over and over; it shows up after two seconds, and only on a terminal.
pub struct Status {
    bar: ProgressBar,
    begun: Instant,
}

impl Status {
    /// Nothing yet.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg}");
        bar.set_style(style.expect("the template is sound"));
        Self { bar, begun: Instant::now() }
    }

    /// Shows this line in place of the last one.
    pub fn show(&self, line: &str) {
        if self.bar.is_hidden() && self.begun.elapsed() > Duration::from_secs(2) && stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_message(line.to_string());
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A rate or count for people: three or four digits and a letter.
pub fn short(number: f64) -> String {
    match number {
        n if !n.is_finite() => "-".to_string(),
        n if n >= 1e9 => format!("{:.2} G", n / 1e9),
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e4 => format!("{:.1} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}
