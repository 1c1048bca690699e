//! Files that are there whole or not at all: written under another name beside, then renamed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Tries whether [`write()`] could write this file, so that a long job does not end with nothing. Leaves nothing behind.
///
/// # Errors
/// It could not.
pub fn check(path: &Path) -> io::Result<()> {
    let beside = beside(path)?;
    File::create(&beside)?;
    fs::remove_file(beside)
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
        Ok(Self { file: File::create(&beside)?, beside, path: path.to_path_buf() })
    }

    /// Puts the file in its place; an old one is replaced at once, and stays if something goes wrong.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.beside, &self.path)
    }
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
    other.push(format!(".{}.part", std::process::id()));
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
}
