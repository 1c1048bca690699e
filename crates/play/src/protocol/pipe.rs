//! Lines in, lines out: an engine at the end of a pipe. A thread of its own reads, so that a line that comes in can end what the
//! engine is thinking about.

use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use games::othello::Othello;

use super::gtp::Gtp;
use super::othello::nboard::Nboard;
use super::thinker::Thinker;
use crate::PlayedGame;

/// Longer lines are cut off; a whole game takes some thousand bytes.
const LONGEST: u64 = 1 << 16;

/// How often somebody looks whether a line is waiting.
const GLANCE: Duration = Duration::from_millis(5);
/// A move that is asked for gets at least so long, even if something else is wanted by then,
const LEAST_MOVE: Duration = Duration::from_secs(1);
/// and a hint so long.
const LEAST_HINT: Duration = Duration::from_millis(100);

/// A line, without its end; `None` where there are no more. What is no text is shown as such and obeyed by nobody.
pub fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
        skip_line(input)?;
    }
    let line = String::from_utf8_lossy(&bytes);
    Ok(Some(line.trim_end_matches(['\n', '\r']).to_string()))
}

fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let (count, is_last) = (end.map_or(bytes.len(), |end| end + 1), end.is_some() || bytes.is_empty());
        input.consume(count);
        if is_last {
            return Ok(());
        }
    }
}

/// Speaks GTP until told to quit or until there is nothing more to read.
///
/// # Errors
/// Nobody listens any more, or the input cannot be read.
pub fn serve_gtp<G: PlayedGame>(
    rules: &G::Rules,
    mind: Thinker<G>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut engine = Gtp::new(rules, mind);
    while !engine.is_over
        && let Some(line) = read_line(input)?
    {
        if let Some(answer) = engine.answer(&line) {
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
    }
    Ok(())
}

/// What the engine is doing, for the thread that reads.
#[derive(Default)]
struct Work {
    /// Lines that have come in and are not obeyed yet.
    waiting: AtomicUsize,
    /// When it began to think, and for how long it may at least.
    thinking: Mutex<Option<(Instant, Duration)>>,
    is_over: AtomicBool,
}

/// Speaks the protocol of NBoard until told to quit or until there is nothing more to read.
///
/// # Errors
/// Nobody listens any more.
pub fn serve_nboard(
    mind: Thinker<Othello>,
    mut input: Box<dyn BufRead + Send>,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (stop, work) = (mind.stop_flag(), Arc::new(Work::default()));
    let mut engine = Nboard::new(mind);
    let (sender, lines) = channel();
    let (reader, watcher) = (Arc::clone(&work), Arc::clone(&work));
    // It may wait for a line for ever: nobody waits for it.
    thread::spawn(move || {
        while let Ok(Some(line)) = read_line(&mut *input) {
            reader.waiting.fetch_add(1, Ordering::SeqCst);
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        while !watcher.is_over.load(Ordering::Relaxed) {
            interrupt(&watcher, &stop);
            thread::sleep(GLANCE);
        }
    });
    let served = lines.into_iter().try_for_each(|line| {
        work.waiting.fetch_sub(1, Ordering::SeqCst);
        let least = if line.trim_start().starts_with("go") { LEAST_MOVE } else { LEAST_HINT };
        set(&work, Some((Instant::now(), least)));
        let mut result = Ok(());
        engine.obey(&line, &mut |text| {
            if result.is_ok() {
                result = writeln!(output, "{text}").and_then(|()| output.flush());
            }
        });
        set(&work, None);
        match result {
            Ok(()) if engine.is_over => Err(None),
            Ok(()) => Ok(()),
            Err(error) => Err(Some(error)),
        }
    });
    work.is_over.store(true, Ordering::Relaxed);
    served.or_else(|error| error.map_or(Ok(()), Err))
}

fn set(work: &Work, value: Option<(Instant, Duration)>) {
    if let Ok(mut thinking) = work.thinking.lock() {
        *thinking = value;
    }
}

/// Ends what the engine is thinking about, if it has had its least time and a line is waiting.
fn interrupt(work: &Work, stop: &AtomicBool) {
    let thinking = work.thinking.lock().ok().and_then(|thinking| *thinking);
    let is_enough = thinking.is_some_and(|(since, least)| since.elapsed() >= least);
    if is_enough && work.waiting.load(Ordering::SeqCst) > 0 {
        stop.store(true, Ordering::Relaxed);
    }
}
