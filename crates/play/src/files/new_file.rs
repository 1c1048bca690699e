//! Files that are there whole or not at all: written under another name beside, then renamed. What a kill leaves of one is known by that name,
//! and by the lock that nobody holds on it any more.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::open_own;

/// How the name ends that a file has until it is whole.
const END: &str = ".part";

/// Tries whether [`write()`] could write this file, so that a long job does not end with nothing. Leaves nothing behind.
///
/// # Errors
/// It could not.
pub fn check(path: &Path) -> io::Result<()> {
    NewFile::create(path).map(drop)
}

/// Writes a file; an old one is replaced at once, and stays if something goes wrong.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file that is written piece by piece and is not there before [`NewFile::finish`]. Dropped before that, it never was.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    beside: PathBuf,
    path: PathBuf,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let beside = beside(path)?;
        let make = || OpenOptions::new().write(true).create_new(true).open(&beside);
        let file = match make() {
            // An earlier process of the same number was killed. Never opened as it is: it may be a link to anywhere.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_file(&beside)?;
                make()?
            }
            made => made?,
        };
        // Tells others that somebody is at work on it; a disk that knows no locks is no reason not to write.
        let _ = file.try_lock();
        Ok(Self { file, beside, path: path.to_path_buf() })
    }

    /// Puts an old file aside under another name, as the last thing before the new one takes its place: a full disk is known by then.
    ///
    /// # Errors
    /// The new one cannot be written, or the old one not be renamed.
    pub fn set_aside(&mut self, previous: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::rename(&self.path, previous) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            renamed => renamed,
        }
    }

    /// Puts the file in its place; an old one is replaced at once, and stays if something goes wrong.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.beside, &self.path)?;
        sync_folder(&self.path);
        Ok(())
    }
}

/// Removes what killed writers have left in a folder; whoever still writes holds a lock.
///
/// # Errors
/// The folder cannot be read, or a file not be removed.
pub fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !is_left_over(&path) {
            continue;
        }
        let held = open_own(&path, OpenOptions::new().read(true)).is_ok_and(|file| file.try_lock().is_err());
        match if held { Ok(()) } else { fs::remove_file(&path) } {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a file has the name of one that is not whole: `.NAME.NUMBER.part`.
pub fn is_left_over(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let number = name.strip_prefix('.').and_then(|name| name.strip_suffix(END)?.rsplit_once('.'));
    number.is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Lets the name of a file survive a power cut too, where the system knows how.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Nothing is there any more under this name if the file is in its place.
        let _ = fs::remove_file(&self.beside);
    }
}

/// The other name, in the same folder so that renaming is one step. The number of the process keeps two writers apart.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let refused = |reason| io::Error::new(io::ErrorKind::InvalidInput, reason);
    // A device would be replaced by a file.
    if path.exists() && !path.is_file() {
        return Err(refused("it is there and is not a file"));
    }
    let name = path.file_name().ok_or_else(|| refused("it is not the name of a file"))?;
    let mut other = OsString::from(".");
    other.push(name);
    other.push(format!(".{}{END}", std::process::id()));
    Ok(path.with_file_name(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_as_before() {
        let folder = std::env::temp_dir().join(format!("evalforge-new-file-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let path = folder.join("it");
        check(&path).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        for wrong in [&folder, &folder.join("no/such"), &folder.join(".."), Path::new("/dev/null")] {
            assert!(check(wrong).is_err() && write(wrong, b"").is_err(), "{}", wrong.display());
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_the_dead_have_left_is_cleared_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("evalforge-left-over-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let keep = [".it.part", "it.1.part", ".it.x.part", ".it..part", "it"];
        for name in keep.iter().chain(&[".it.1.part", ".a.b.4294967295.part"]) {
            fs::write(folder.join(name), "").unwrap();
        }
        let names = || {
            let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
            names.map(|name| name.into_string().unwrap()).collect::<std::collections::BTreeSet<_>>()
        };
        let mut living = NewFile::create(&folder.join("new")).unwrap();
        clear(&folder).unwrap();
        assert_eq!(names().len(), keep.len() + 1);
        living.write_all(b"whole").unwrap();
        living.finish().unwrap();
        assert!(keep.iter().chain(&["new"]).all(|name| names().contains(*name)));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn nothing_is_written_through_a_link() {
        let folder = std::env::temp_dir().join(format!("evalforge-linked-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("theirs"), "theirs").unwrap();
        let path = folder.join("it");
        for link in [&path, &beside(&path).unwrap()] {
            std::os::unix::fs::symlink("theirs", link).unwrap();
        }
        write(&path, b"ours").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"ours");
        assert_eq!(fs::read(folder.join("theirs")).unwrap(), b"theirs");
        fs::remove_dir_all(folder).unwrap();
    }
}
