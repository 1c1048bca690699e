//! The terminal: colour, progress, Ctrl-C, pictures that are drawn over and over.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
pub use play::numbers::short;
use play::solve::Progress;
pub use report::terminal::{beside, label, quoted};

use crate::keyboard;

/// Whether a person looks at standard output.
pub fn is_screen() -> bool {
    stdout().is_terminal()
}

/// Whether standard output is a terminal that can be drawn over.
pub fn is_canvas() -> bool {
    is_screen() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Columns of the screen; 100 where there is none.
pub fn screen_width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
}

/// Whether standard output takes colour: it is a terminal, and nobody has asked for none.
pub fn colour() -> bool {
    is_canvas() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// When Ctrl-C was first pressed, or the system first asked for the end.
static INTERRUPTED: OnceLock<Instant> = OnceLock::new();
/// What to print when a conversation is broken off; commands that poll [`interrupted`] leave it empty.
static FAREWELL: Mutex<Option<String>> = Mutex::new(None);

/// Makes Ctrl-C end a command at its next safe point; the second one ends it at once. SIGTERM and SIGHUP do the same: the system or a
/// closed terminal takes no more from a run than its user does.
pub fn watch_for_interrupt() {
    let handler = || {
        let farewell = FAREWELL.lock().map(|text| text.clone()).unwrap_or_default();
        if let Some(text) = farewell {
            Screen::restore();
            keyboard::restore();
            let _ = writeln!(stderr(), "{text}");
            std::process::exit(1);
        }
        // Some programs send the signal twice at once; a person takes longer.
        let first = INTERRUPTED.get_or_init(Instant::now);
        if first.elapsed() > Duration::from_millis(500) {
            Screen::restore();
            let _ = writeln!(stderr(), "\nevalforge: interrupted twice; what was under way is lost");
            std::process::exit(1);
        }
    };
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = on_signals(handler);
}

#[cfg(unix)]
fn on_signals(handler: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    if !hangups_are_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        signals.forever().for_each(|_| handler());
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn on_signals(handler: impl Fn() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(handler)
}

/// Whether the program was started by `nohup` or its kind, to go on when its terminal is closed.
#[cfg(unix)]
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 != 0)
}

/// Whether Ctrl-C has been pressed, or the system has asked for the end.
pub fn interrupted() -> bool {
    INTERRUPTED.get().is_some()
}

/// From now on Ctrl-C prints this and ends the program at once.
pub fn on_interrupt_say(text: String) {
    set_farewell(Some(text));
}

fn set_farewell(text: Option<String>) {
    if let Ok(mut farewell) = FAREWELL.lock() {
        *farewell = text;
    }
}

/// Does what leaves nothing behind that is worth keeping: Ctrl-C ends the program then and there, and says what is lost.
pub fn at_once<T>(lost: &str, work: impl FnOnce() -> T) -> T {
    let text = format!("evalforge: interrupted{lost}");
    if interrupted() {
        let _ = writeln!(stderr(), "{text}");
        std::process::exit(1);
    }
    set_farewell(Some(text));
    let done = work();
    set_farewell(None);
    done
}

/// Waits, but not beyond Ctrl-C.
pub fn pause(time: Duration) {
    let end = Instant::now() + time;
    while !interrupted() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        std::thread::sleep(left.min(Duration::from_millis(20)));
    }
}

/// Whether the cursor is hidden.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// A terminal on which pictures are drawn one over the other, without a cursor. Dropping it gives the cursor back.
pub struct Screen;

impl Screen {
    /// Clears the terminal and hides the cursor. Long lines are cut off instead of wrapped.
    pub fn new() -> std::io::Result<Self> {
        HIDDEN.store(true, Ordering::SeqCst);
        let screen = Self;
        write!(stdout(), "\x1b[?25l\x1b[?7l\x1b[H\x1b[2J")?;
        Ok(screen)
    }

    /// Draws over what was there; of a drawing that is too high the lower part.
    pub fn draw(&self, text: &str) -> std::io::Result<()> {
        let rows = terminal_size::terminal_size().map_or(usize::MAX, |(_, height)| usize::from(height.0));
        let lines: Vec<&str> = text.lines().collect();
        // The last row is left to the line that the program may end with.
        let seen = &lines[lines.len().saturating_sub(rows.saturating_sub(1).max(1))..];
        let mut out = stdout().lock();
        write!(out, "\x1b[H{}\x1b[K\n\x1b[J", seen.join("\x1b[K\n"))?;
        out.flush()
    }

    /// Gives the cursor back, if it is hidden.
    pub fn restore() {
        if HIDDEN.swap(false, Ordering::SeqCst) {
            let mut out = stdout();
            let _ = write!(out, "\x1b[?7h\x1b[?25h").and_then(|()| out.flush());
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        Self::restore();
    }
}

/// A progress bar on standard error that shows up only after two seconds, and only on a terminal.
pub struct StatusBar {
    bar: ProgressBar,
    begun: Instant,
}

impl StatusBar {
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

    /// Does something that prints, the line out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Works with a progress bar, and until Ctrl-C.
pub fn watched<T>(what: &str, work: impl FnOnce(Progress<'_>) -> T) -> T {
    const STEPS: f64 = 1000.0;
    let progress = Mutex::new((StatusBar::new(what, STEPS as u64), 0.0f64));
    let watch = |share: f64| {
        if let Ok(mut progress) = progress.lock() {
            progress.1 = progress.1.max(share);
            progress.0.set((progress.1 * STEPS) as u64);
        }
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = work(&watch);
    if let Ok(progress) = progress.lock() {
        progress.0.finish();
    }
    result
}
