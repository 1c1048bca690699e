//! One target in a process of its own: inputs one after the other, from a number on. What it is at stands in a file; whatever it finds itself is
//! appended to another. Whoever has started it sees to what it cannot tell: that it died, or does not go on.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::Target;
use crate::corpus::Corpus;
use crate::targets::{Answer, Room, check_line};

/// Address space of a worker: more than any parser of small inputs has a use for.
const MOST_MEMORY: u64 = 2 << 30;
/// The stack of a thread as Rust makes it, on which most parsers run.
const STACK: usize = 2 << 20;
/// Different failures of one worker after which there is no point in going on.
const MOST_FAILURES: usize = 10;

/// The file of the number, in the folder of a worker.
pub const AT: &str = "at";
/// The file of what was found.
pub const FOUND: &str = "found";

/// What a worker does.
pub struct Work {
    /// The target.
    pub target: &'static Target,
    /// The seed of all inputs.
    pub seed: u64,
    /// The first number.
    pub from: u64,
    /// When to stop.
    pub time: Duration,
    /// After how many bytes to stop.
    pub bytes: u64,
}

/// Where a worker is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct At {
    /// The number of the input.
    pub number: u64,
    /// Inputs that were read before it.
    pub inputs: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How many of them were accepted.
    pub accepted: u64,
    /// Whether all is done.
    pub is_done: bool,
}

impl At {
    /// As in the file.
    pub fn to_bytes(self) -> [u8; 40] {
        let mut bytes = [0; 40];
        let words = [self.number, self.inputs, self.bytes, self.accepted, u64::from(self.is_done)];
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// From the file of a worker; none if it has not begun.
    pub fn read(folder: &Path) -> Option<Self> {
        let bytes = fs::read(folder.join(AT)).ok()?;
        let (words, []) = bytes.as_chunks::<8>() else { return None };
        let &[number, inputs, bytes, accepted, is_done] = words else { return None };
        let [number, inputs, bytes, accepted, is_done] =
            [number, inputs, bytes, accepted, is_done].map(u64::from_le_bytes);
        Some(Self { number, inputs, bytes, accepted, is_done: is_done != 0 })
    }
}

/// The last panic, caught by whomever: one that a parser hides is a panic too.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// What a parser says to an input, or what is wrong with the parser.
pub fn judge(target: &Target, input: &[u8], room: &Room) -> Result<Answer, String> {
    let answer = catch_unwind(AssertUnwindSafe(|| (target.read)(input, room)));
    if let Some(panic) = PANIC.lock().ok().and_then(|mut panic| panic.take()) {
        return Err(panic);
    }
    let answer = answer.unwrap_or_else(|_| Err("it panics".into()))?;
    if let Answer::Refused(reason) = &answer {
        check_line(reason)?;
    }
    Ok(answer)
}

/// Keeps panics, instead of printing them.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.payload_as_str().unwrap_or("a panic without words");
        let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        if let Ok(mut panic) = PANIC.lock() {
            *panic = Some(format!("panic: {message}{}", place.unwrap_or_default()));
        }
    }));
}

/// Limits what this process may use.
///
/// # Errors
/// The system refuses.
pub fn limit() -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let only = |most| Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(Resource::As, only(MOST_MEMORY))?;
        // Nobody looks at the dump of a process that was to die.
        setrlimit(Resource::Core, only(0))?;
    }
    Ok(())
}

/// Works in a folder of its own, on a thread with the usual stack.
///
/// # Errors
/// Samples cannot be read, or files not written.
pub fn run(work: Work, folder: &Path) -> io::Result<()> {
    let corpus = Corpus::read(work.target)?;
    limit()?;
    keep_panics();
    let folder = folder.to_path_buf();
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || inputs(&work, &corpus, &folder))?;
    worker.join().unwrap_or_else(|_| Err(io::Error::other("the harness has failed")))
}

fn inputs(work: &Work, corpus: &Corpus, folder: &Path) -> io::Result<()> {
    let begun = Instant::now();
    let file = File::create(folder.join(AT))?;
    let mut found = OpenOptions::new().create(true).append(true).open(folder.join(FOUND))?;
    let mut known: HashSet<String> = HashSet::new();
    let room = Room::new(folder);
    let mut at = At { number: work.from, ..At::default() };
    while begun.elapsed() < work.time && at.bytes < work.bytes && known.len() < MOST_FAILURES {
        write_at(&file, &at.to_bytes())?;
        let input = corpus.input(work.seed, at.number);
        match judge(work.target, &input, &room) {
            Ok(answer) => at.accepted += u64::from(answer == Answer::Accepted),
            Err(reason) => {
                if known.insert(kind(&reason)) {
                    writeln!(found, "{} {}", at.number, reason.escape_debug())?;
                }
            }
        }
        at.number += 1;
        at.inputs += 1;
        at.bytes += input.len() as u64;
    }
    at.is_done = true;
    write_at(&file, &at.to_bytes())
}

/// What two failures have in common, so that one is told: the place of a panic, or the words without numbers and what was read.
pub fn kind(reason: &str) -> String {
    if let Some((_, place)) = reason.rsplit_once(" (").filter(|_| reason.starts_with("panic")) {
        return place.to_string();
    }
    let is_death = reason.starts_with("the process died");
    let words =
        if is_death { reason } else { reason.split(['"', '\'', ':', '{', '(']).next().unwrap_or_default() };
    words.chars().filter(|sign| !sign.is_ascii_digit()).take(100).collect()
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, 0)
}

#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    use std::io::{Seek, SeekFrom};
    file.seek(SeekFrom::Start(0))?;
    file.write_all(bytes)
}
