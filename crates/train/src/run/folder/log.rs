//! `log.jsonl`: one line a generation, for people and pages. It is only ever appended to, but for the end of it that is played again. Each line
//! carries its checksum, so that a damaged one is known, told and left out; logs of earlier versions have none.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use play::files::{checksum, open_own};
use serde::{Deserialize, Serialize};

use super::super::record::Generation;
use super::FolderError;

pub(super) const LOG: &str = "log.jsonl";
/// Where lines go that are taken out of a log and will not come again as they were.
const ASIDE: &str = "log.aside.jsonl";
/// The longest line.
const MOST_LINE: u64 = 1 << 26;
/// Lines that a kill or a lost checkpoint may leave ahead of the checkpoint; they come out the same again.
const MOST_AHEAD: usize = 2;

/// What a log tells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Log {
    /// The generations that can be read, in their order, each as it was written last.
    pub generations: Vec<Generation>,
    /// The lines that cannot, by their numbers from 1, with what is wrong.
    pub faults: Vec<(usize, String)>,
    /// How many changes of the configuration it tells of.
    pub changes: usize,
    /// Where each whole line ends, with the generation that it is of, if it is of one.
    ends: Vec<(u64, Option<u64>)>,
}

/// A change of the configuration, as a line.
#[derive(Debug, Serialize, Deserialize)]
struct Changed {
    changed: Vec<String>,
    /// The generations done before it.
    after: u64,
}

/// How a line of a change begins.
const CHANGED: &[u8] = b"{\"changed\":";

/// Reads a log as far as it goes; one that is not there is empty.
///
/// # Errors
/// It cannot be read.
pub fn read_log(folder: &Path) -> io::Result<Log> {
    match open_own(&folder.join(LOG), OpenOptions::new().read(true)) {
        Ok(file) => Log::read(&file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Log::default()),
        Err(error) => Err(error),
    }
}

/// The generations of a log that can be read.
///
/// # Errors
/// It cannot be read.
pub fn generations(folder: &Path) -> io::Result<Vec<Generation>> {
    Ok(read_log(folder)?.generations)
}

impl Log {
    fn read(file: &File) -> io::Result<Self> {
        let mut reader = BufReader::new(file);
        let (mut log, mut line, mut end) = (Self::default(), Vec::new(), 0);
        for number in 1.. {
            line.clear();
            end += (&mut reader).take(MOST_LINE).read_until(b'\n', &mut line)? as u64;
            // What has no end is still being written, or never was.
            if !line.ends_with(b"\n") && (line.len() as u64) < MOST_LINE {
                break;
            }
            let mut of = None;
            match parse(&line) {
                Ok(Line::Changed) => log.changes += 1,
                Ok(Line::Generation(generation)) => {
                    of = Some(generation.generation);
                    // A generation that was played again counts as it was played last.
                    let earlier =
                        log.generations.iter().rposition(|one| one.generation < generation.generation);
                    log.generations.truncate(earlier.map_or(0, |earlier| earlier + 1));
                    log.generations.push(*generation);
                }
                Err(reason) => log.faults.push((number, reason)),
            }
            log.ends.push((end, of));
        }
        Ok(log)
    }

    /// Leaves out generations that something is wrong with.
    pub fn leave_out(&mut self, wrong: impl Fn(&Generation) -> Option<String>) {
        let lines = |of: u64| self.ends.iter().rposition(|end| end.1 == Some(of)).map_or(0, |line| line + 1);
        let faults = self.generations.iter().filter_map(|one| Some((lines(one.generation), wrong(one)?)));
        self.faults.extend(faults.collect::<Vec<_>>());
        self.faults.sort();
        self.generations.retain(|one| wrong(one).is_none());
    }

    /// How many whole lines of generations there are, damaged or not.
    pub(super) fn lines(&self) -> usize {
        self.ends.len() - self.changes
    }

    /// What is wrong with it, in a line for people, if anything is; so many generations should be there.
    pub fn told(&self, done: u64) -> Option<String> {
        let mut told = self.faults.iter().map(|(number, reason)| format!("line {number} {reason}"));
        let mut text: Vec<String> = told.by_ref().take(3).collect();
        match told.count() {
            0 => {}
            more => text.push(format!("{more} more lines are damaged")),
        }
        match done.saturating_sub(self.generations.len() as u64) {
            0 => {}
            lacking => text.push(format!("{lacking} of {done} generations are missing")),
        }
        (!text.is_empty()).then(|| {
            format!("{LOG}: {}; what is left is shown, and nothing else hangs on it", text.join(", "))
        })
    }
}

enum Line {
    Generation(Box<Generation>),
    Changed,
}

fn parse(line: &[u8]) -> Result<Line, String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    if !is_sound(line) {
        return Err("is not as it was written (its checksum is wrong)".into());
    }
    let wrong = |error: serde_json::Error| format!("is damaged: {error}");
    if line.starts_with(CHANGED) {
        return serde_json::from_slice::<Changed>(line).map(|_| Line::Changed).map_err(wrong);
    }
    serde_json::from_slice(line).map(Line::Generation).map_err(wrong)
}

/// The key of the checksum, the last of its line.
const SUM: &str = ",\"sum\":\"";
/// So long is the end of a line from there on.
const SUM_LENGTH: usize = SUM.len() + 16 + 2;

/// A record as a line with its checksum.
fn sealed(record: &impl Serialize) -> String {
    let text = serde_json::to_string(record).expect("a record can be written");
    let sum = checksum(text.as_bytes());
    format!("{}{SUM}{sum:016x}\"}}\n", text.strip_suffix('}').expect("a record is an object"))
}

/// Whether a line is as it was written, as far as it tells.
fn is_sound(line: &[u8]) -> bool {
    let Some((text, end)) = line.len().checked_sub(SUM_LENGTH).map(|at| line.split_at(at)) else {
        return true;
    };
    let Some(sum) = end.strip_prefix(SUM.as_bytes()).and_then(|sum| sum.strip_suffix(b"\"}")) else {
        return true;
    };
    let whole = [text, b"}"].concat();
    sum == format!("{:016x}", checksum(&whole)).as_bytes()
}

/// A log that is written to.
pub(super) struct OpenLog {
    file: File,
}

impl OpenLog {
    /// Opens the log of a folder, and reads it.
    pub(super) fn open(folder: &Path) -> Result<(Self, Log), FolderError> {
        let path = folder.join(LOG);
        let wrong = |error: io::Error| FolderError::of(&path, &error);
        let file = open_own(&path, OpenOptions::new().create(true).read(true).append(true)).map_err(wrong)?;
        let log = Log::read(&file).map_err(wrong)?;
        Ok((Self { file }, log))
    }

    /// Makes the log end where a run goes on that has done so many generations: lines of later ones, and one without an end, go. More of
    /// them than a kill can leave are kept aside.
    pub(super) fn go_back(&mut self, folder: &Path, log: &mut Log, done: u64) -> Result<(), FolderError> {
        let is_ahead = |&&(_, of): &&(u64, Option<u64>)| of.is_some_and(|of| of > done);
        let ahead = log.ends.iter().rev().take_while(is_ahead).count();
        let kept = log.ends.len() - ahead;
        let end = if kept == 0 { 0 } else { log.ends[kept - 1].0 };
        if ahead > MOST_AHEAD {
            let path = folder.join(ASIDE);
            let aside = || {
                let log = open_own(&folder.join(LOG), OpenOptions::new().read(true))?;
                let mut aside = open_own(&path, OpenOptions::new().create(true).append(true))?;
                let mut lines = BufReader::new(log);
                io::Seek::seek(&mut lines, io::SeekFrom::Start(end))?;
                io::copy(&mut lines, &mut aside)?;
                aside.sync_all()
            };
            aside().map_err(|error| FolderError::of(&path, &error))?;
        }
        log.ends.truncate(kept);
        log.generations.retain(|line| line.generation <= done);
        let path = folder.join(LOG);
        let cut = self.file.metadata().and_then(|found| match found.len() > end {
            true => self.file.set_len(end).and_then(|()| self.file.sync_data()),
            false => Ok(()),
        });
        cut.map_err(|error| FolderError::disk(&path, &error))
    }

    /// Writes down a generation.
    pub(super) fn append(&mut self, folder: &Path, line: &Generation) -> Result<(), FolderError> {
        self.write(folder, &sealed(line))
    }

    /// Writes down that the configuration has changed after so many generations.
    pub(super) fn append_change(
        &mut self,
        folder: &Path,
        what: &[String],
        after: u64,
    ) -> Result<(), FolderError> {
        self.write(folder, &sealed(&Changed { changed: what.to_vec(), after }))
    }

    fn write(&mut self, folder: &Path, text: &str) -> Result<(), FolderError> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| FolderError::disk(&folder.join(LOG), &error))
    }
}
