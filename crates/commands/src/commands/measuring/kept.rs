//! Where the games of a measurement are kept while it goes on: in the file that the user named, or in one of our own, which goes when all is
//! over and told.

use std::fs::{File, remove_file};
use std::io::{ErrorKind, Write, stderr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use measure::journal::{Journal, JournalError};

use crate::failure::{Interrupted, Usage};
use crate::terminal::{Status, quoted};

/// A measurement that takes longer says where its games are kept.
const LONG: Duration = Duration::from_secs(5);

/// The file, open or not.
pub struct Kept {
    /// Why there is no file, if there is none.
    path: Result<PathBuf, String>,
    journal: Option<Journal>,
    /// What each of its lines holds, as `pair`.
    what: &'static str,
    is_ours: bool,
    is_said: bool,
}

impl Kept {
    /// Opens the file that was named and reads what it holds, or begins one of our own, `NAME-1.jsonl` or the next that is free, here.
    pub fn open<R>(
        named: Option<&PathBuf>,
        (name, what): (&str, &'static str),
        open: impl Fn(&Path) -> Result<(Journal, R), JournalError>,
        nothing: impl FnOnce() -> R,
    ) -> anyhow::Result<(Self, R)> {
        let kept = |path, journal, is_ours| Self { path, journal, what, is_ours, is_said: !is_ours };
        if let Some(path) = named {
            let (journal, held) = open(path).map_err(refused)?;
            return Ok((kept(Ok(path.clone()), Some(journal), false), held));
        }
        let ours = || -> anyhow::Result<(PathBuf, Journal)> {
            let path = free_name(name)?;
            let (journal, _) = open(&path)?;
            Ok((path, journal))
        };
        // A folder that takes no file is no reason not to play.
        Ok(match ours() {
            Ok((path, journal)) => (kept(Ok(path), Some(journal), true), nothing()),
            Err(error) => (kept(Err(error.to_string()), None, true), nothing()),
        })
    }

    /// The journal, to be written to.
    pub fn take_journal(&mut self) -> Option<Journal> {
        self.journal.take()
    }

    /// Tells where the lines are, should somebody pull the plug, once it has taken long enough.
    pub fn tell(&mut self, elapsed: Duration, status: &Status) {
        if elapsed > LONG && !self.is_said {
            self.is_said = true;
            status.aside(|| self.say());
        }
    }

    fn say(&self) {
        let what = self.what;
        // Nothing is lost if nobody hears it.
        let _ = match &self.path {
            Ok(path) => {
                let path = quoted(&path.display().to_string());
                writeln!(
                    stderr(),
                    "every {what} is kept in {path} until the end; --resume {path} goes on from it"
                )
            }
            Err(error) => {
                writeln!(stderr(), "{what}s are not kept: {error}; --resume FILE names another place")
            }
        };
    }

    /// The file to resume from, or what is said where there is none.
    pub fn path(&self) -> Result<&Path, String> {
        self.path.as_deref().map_err(|error| format!("; the {}s are lost: {error}", self.what))
    }

    /// What is said about an interruption: the command that goes on, which is the one that was given. Said again word by word, it lacks none of
    /// its options, be they known here or not.
    pub fn broken_off(&self) -> Interrupted {
        let journal = match self.path() {
            Ok(path) => path.display().to_string(),
            Err(error) => return Interrupted(error),
        };
        let mut words: Vec<String> =
            std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        if self.is_ours {
            let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
            words.splice(end..end, ["--resume".to_string(), journal]);
        }
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        Interrupted(format!("; to go on: evalforge {}", words.join(" ")))
    }

    /// All is over and told.
    pub fn tidy_up(self) -> anyhow::Result<()> {
        match self.path {
            Ok(path) if self.is_ours => Ok(remove_file(path)?),
            _ => Ok(()),
        }
    }
}

/// The first name that is free, taken at once so that no other process takes it too.
fn free_name(name: &str) -> std::io::Result<PathBuf> {
    for number in 1.. {
        let path = PathBuf::from(format!("{name}-{number}.jsonl"));
        match File::create_new(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|_| path),
        }
    }
    unreachable!("some number is free")
}

fn refused(error: JournalError) -> anyhow::Error {
    if error.wrong_input { Usage(format!("--resume {error}")).into() } else { error.into() }
}
