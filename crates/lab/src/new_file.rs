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
    let beside = beside(path)?;
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    done
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
