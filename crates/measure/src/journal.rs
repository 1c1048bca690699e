//! The one file that a measurement can be resumed from: a first line that says what is measured, then one line for everything that has
//! ended, written as it ends. Whatever a kill has done to the last line, the lines before it hold.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use games::error::{one_line, shown};
use play::files::{is_wrong_path, open_as};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The longest line: a pair of games with all their moves, or a model written out in the first.
const MOST_LINE: u64 = 1 << 28;

/// What can be wrong with a journal.
#[derive(Debug, Error)]
#[error("'{}': {}", one_line(&.path.display().to_string()), one_line(.reason))]
pub struct JournalError {
    path: PathBuf,
    reason: String,
    /// Whether the file is not the one that was meant, rather than the disk at fault.
    pub wrong_input: bool,
}

/// A journal open for more lines.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// How often something long is written down on its way, where that can be taken up again: so much of it can be lost.
    pub save_every: Duration,
}

/// What is measured: the first line of a journal. Its first key must be `format`, whose value begins with [`Header::FORMAT`].
pub trait Header: Serialize + DeserializeOwned {
    /// The name of the format, without its version.
    const FORMAT: &'static str;
    /// Of what it is a journal, as `an arena`.
    const OF: &'static str;

    /// All that must be equal for a journal to be resumed, each with what it is called.
    fn parts(&self) -> Vec<(&'static str, String)>;
}

impl Journal {
    /// Opens the journal of a measurement and hands the lines in it to `take`, each with its number; makes the file if there is none. Nothing
    /// is changed in a file that is refused.
    ///
    /// # Errors
    /// It cannot be read or written, is of another measurement, is damaged, holds what `take` refuses, or another process writes to it.
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        header: &impl Header,
        take: &mut dyn FnMut(usize, T) -> Result<(), String>,
    ) -> Result<Self, JournalError> {
        let refused = |reason: String| JournalError { path: path.to_path_buf(), reason, wrong_input: true };
        let disk = |error: io::Error| JournalError {
            wrong_input: is_wrong_path(&error),
            ..refused(error.to_string())
        };
        let mut options = OpenOptions::new();
        let file = open_as(path, options.create(true).read(true).append(true)).map_err(disk)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(refused("another process writes to it".into())),
            // A disk that knows no locks is no reason to refuse.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let whole = read(BufReader::new(&file), header, take).map_err(refused)?;
        // Only what a kill has left of the last line goes.
        if file.metadata().map_err(disk)?.len() > whole {
            file.set_len(whole).map_err(disk)?;
        }
        let mut journal = Self { path: path.to_path_buf(), file, save_every: Duration::from_secs(60) };
        if whole == 0 {
            journal.append(header)?;
        }
        Ok(journal)
    }

    /// Writes a line down.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn append(&mut self, what: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_string(what).expect("plain data");
        line.push('\n');
        let wrong = |error: io::Error| JournalError {
            path: self.path.clone(),
            reason: error.to_string(),
            wrong_input: false,
        };
        self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()).map_err(wrong)
    }
}

/// Hands on the lines of a journal as they are read, and tells how many of its bytes are sound.
fn read<H: Header, T: DeserializeOwned>(
    mut reader: impl BufRead,
    expected: &H,
    take: &mut dyn FnMut(usize, T) -> Result<(), String>,
) -> Result<u64, String> {
    let foreign = || format!("not a journal of {}", H::OF);
    let disk = |error: io::Error| error.to_string();
    let (mut whole, mut line) = (0, Vec::new());
    for number in 0.. {
        line.clear();
        (&mut reader).take(MOST_LINE).read_until(b'\n', &mut line).map_err(disk)?;
        if line.is_empty() {
            break;
        }
        let last = reader.fill_buf().map_err(disk)?.is_empty();
        if !line.ends_with(b"\n") && !last {
            return Err(if number == 0 { foreign() } else { format!("line {} is too long", number + 1) });
        }
        if !line.ends_with(b"\n") {
            // A first line without an end may be anything: only what certainly was a header goes.
            let ours = format!("{{\"format\":\"{}", H::FORMAT);
            if number == 0 && !line.starts_with(ours.as_bytes()) {
                return Err(foreign());
            }
            break;
        }
        if number == 0 {
            let found: H =
                serde_json::from_slice(&line).map_err(|error| format!("{}: {error}", foreign()))?;
            same(&found, expected)?;
        } else {
            match serde_json::from_slice(&line) {
                Ok(item) => take(number + 1, item)?,
                // What a crash has left of a line may have an end too.
                Err(_) if last => break,
                Err(error) => return Err(format!("line {} is damaged: {error}", number + 1)),
            }
        }
        whole += line.len() as u64;
    }
    Ok(whole)
}

/// Says in what a journal is of another measurement.
fn same(found: &impl Header, expected: &impl Header) -> Result<(), String> {
    for ((what, found), (_, wanted)) in found.parts().into_iter().zip(expected.parts()) {
        if found != wanted {
            return Err(format!("it is of another {what}: {}, not {}", shown(&found), shown(&wanted)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::fs;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sum {
        format: String,
        seed: u64,
    }

    impl Header for Sum {
        const FORMAT: &'static str = "evalforge sum";
        const OF: &'static str = "sums";

        fn parts(&self) -> Vec<(&'static str, String)> {
            vec![("format", self.format.clone()), ("seed", self.seed.to_string())]
        }
    }

    fn sum(seed: u64) -> Sum {
        Sum { format: "evalforge sum 1".into(), seed }
    }

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("evalforge-journal-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    fn open(path: &Path, seed: u64) -> Result<(Journal, Vec<(usize, u64)>), JournalError> {
        let mut items = Vec::new();
        let journal = Journal::open(path, &sum(seed), &mut |line, item: u64| {
            items.push((line, item));
            if item < 100 { Ok(()) } else { Err(format!("line {line} is too large")) }
        })?;
        Ok((journal, items))
    }

    #[test]
    fn resumed_it_is_the_one_that_was_never_broken_off() {
        let (whole, broken) = (path("whole"), path("broken"));
        let mut journal = open(&whole, 1).unwrap().0;
        (0..5).for_each(|item: u64| journal.append(&item).unwrap());
        drop(journal);
        let bytes = fs::read(&whole).unwrap();
        // A kill may come after any byte, even in the first line; a crash may leave nonsense with an end.
        for (cut, nonsense) in (0..=bytes.len()).map(|cut| (cut, "")).chain([(bytes.len(), "{\"\n")]) {
            // So short a first line may be anything.
            if (1..b"{\"format\":\"evalforge sum".len()).contains(&cut) {
                continue;
            }
            fs::write(&broken, [&bytes[..cut], nonsense.as_bytes()].concat()).unwrap();
            let (mut journal, items) = open(&broken, 1).unwrap();
            assert_eq!(items, (0..items.len()).map(|i| (i + 2, i as u64)).collect::<Vec<_>>());
            assert!(
                items.len() == bytes[..cut].iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1)
            );
            (items.len()..5).for_each(|item| journal.append(&item).unwrap());
            drop(journal);
            assert_eq!(fs::read(&broken).unwrap(), bytes, "cut after {cut}");
        }
    }

    #[test]
    fn what_is_not_its_own_is_refused_and_left_alone() {
        let path = path("foreign");
        let first = "{\"format\":\"evalforge sum 1\",\"seed\":1}\n";
        for (text, said) in [
            ("mine", "not a journal of sums"),
            ("mine\n", "not a journal of sums: expected"),
            ("{}\n", "not a journal of sums: missing field"),
            (
                "{\"format\":\"evalforge sum 2\",\"seed\":1}\n",
                "another format: 'evalforge sum 2', not 'evalforge sum 1'",
            ),
            ("{\"format\":\"evalforge sum 1\",\"seed\":2}\n", "another seed: '2', not '1'"),
            (&format!("{first}1\nx\n3\n"), "line 3 is damaged"),
            (&format!("{first}1\n200\n"), "line 3 is too large"),
            ("{\"format\":\"evalforge sum 1\",\"se\\u001b[2Jed\":1}\n", "unknown field `se\\u{1b}[2Jed`"),
        ] {
            fs::write(&path, text).unwrap();
            let error = open(&path, 1).unwrap_err();
            assert!(error.wrong_input && error.to_string().contains(said), "{error}");
            assert!(!error.to_string().contains(char::is_control), "{error:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, first).unwrap();
        let journal = open(&path, 1).unwrap();
        assert!(open(&path, 1).unwrap_err().to_string().contains("another process writes to it"));
        drop(journal);
        assert!(open(&path, 1).is_ok());
        let error = open(Path::new("no/such/folder/x"), 1).unwrap_err();
        assert!(error.wrong_input && error.to_string().contains("no/such/folder/x"));
    }
}
