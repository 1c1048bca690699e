//! The one door by which files are read: regular files only, so that nothing hangs on a pipe or reads a device for ever, and no more bytes than
//! whoever reads has a use for. What belongs to a folder is never reached through a symbolic link in it, which would lead out of it.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The most that text which people write may have: models, experiments, openings, problems.
pub const MOST_TEXT: u64 = 1 << 28;

/// Whether the path is not what was meant, rather than the disk at fault or full.
pub fn is_wrong_path(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, InvalidData, InvalidFilename, InvalidInput, IsADirectory};
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem};
    matches!(
        error.kind(),
        AlreadyExists
            | InvalidData
            | InvalidFilename
            | InvalidInput
            | IsADirectory
            | NotADirectory
            | NotFound
            | PermissionDenied
            | ReadOnlyFilesystem
    )
}

/// Opens a regular file to be read piece by piece.
///
/// # Errors
/// There is none, or it is something else.
pub fn open(path: &Path) -> io::Result<File> {
    open_as(path, OpenOptions::new().read(true))
}

/// Opens a regular file in the way of `options`, which may make it.
///
/// # Errors
/// It cannot be opened, or is something else.
pub fn open_as(path: &Path, options: &OpenOptions) -> io::Result<File> {
    // Before it is opened, since that alone waits for ever on a pipe that nobody writes to.
    match fs::metadata(path) {
        Ok(found) => regular(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = options.open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a regular file, which may be so many at most.
///
/// # Errors
/// It cannot be read, is something else, or longer.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    bytes(open(path)?, most)
}

/// The text of a regular file, which may have so many bytes at most.
///
/// # Errors
/// It cannot be read, is something else, longer, or no text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text(read(path, most)?)
}

/// Opens a regular file of a folder that is our own, in the way of `options`; a symbolic link in its place is refused.
///
/// # Errors
/// It cannot be opened, or is something else.
pub fn open_own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let link =
        || io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link, which might lead anywhere");
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => return Err(link()),
        Ok(found) => regular(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    // Somebody may have put it there since.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path);
    #[cfg(unix)]
    let file = file.map_err(|error| if error.raw_os_error() == Some(libc::ELOOP) { link() } else { error });
    let file = file?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// The text of a file of a folder that is our own.
///
/// # Errors
/// It cannot be read, is a symbolic link or no file, longer, or no text.
pub fn read_own_text(path: &Path, most: u64) -> io::Result<String> {
    text(bytes(open_own(path, OpenOptions::new().read(true))?, most)?)
}

fn regular(found: &Metadata) -> io::Result<()> {
    match (found.is_file(), found.is_dir()) {
        (true, _) => Ok(()),
        (_, true) => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file")),
        _ => {
            let reason = "it is not a regular file: a device or a pipe might never end";
            Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
        }
    }
}

fn bytes(file: File, most: u64) -> io::Result<Vec<u8>> {
    let long = |length: String| {
        let reason = format!("it has {length} bytes; at most {most} are read");
        io::Error::new(io::ErrorKind::InvalidData, reason)
    };
    let length = file.metadata()?.len();
    if length > most {
        return Err(long(length.to_string()));
    }
    // What it says of itself may be wrong, as of files that a system makes up as they are read.
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(long(format!("more than {most}"))) } else { Ok(bytes) }
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_some_size_are_read() {
        let folder = std::env::temp_dir().join(format!("evalforge-open-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let path = folder.join("it");
        fs::write(&path, "text").unwrap();
        assert_eq!(read(&path, 4).unwrap(), b"text");
        assert_eq!(read_text(&path, 4).unwrap(), "text");
        assert_eq!(read_own_text(&path, 4).unwrap(), "text");
        let said = |result: io::Result<Vec<u8>>| result.unwrap_err().to_string();
        assert_eq!(said(read(&path, 3)), "it has 4 bytes; at most 3 are read");
        assert_eq!(said(read(&folder, 9)), "it is a folder, not a file");
        assert_eq!(read(&folder.join("none"), 9).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path, 9).unwrap_err().to_string(), "it is no text");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn devices_pipes_and_links_are_refused_at_once() {
        let folder = std::env::temp_dir().join(format!("evalforge-open-links-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let pipe = folder.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [Path::new("/dev/zero"), &pipe] {
            for error in
                [read(path, 9).unwrap_err(), open_own(path, OpenOptions::new().read(true)).unwrap_err()]
            {
                assert!(error.to_string().contains("not a regular file"), "{error}");
            }
        }
        // A file that a system makes up says that it is empty.
        if Path::new("/proc/self/maps").exists() {
            assert!(read(Path::new("/proc/self/maps"), 9).unwrap_err().to_string().contains("more than 9"));
        }
        fs::write(folder.join("there"), "mine").unwrap();
        let link = folder.join("link");
        std::os::unix::fs::symlink("there", &link).unwrap();
        assert_eq!(read(&link, 9).unwrap(), b"mine");
        assert!(read_own_text(&link, 9).unwrap_err().to_string().contains("symbolic link"));
        for link in [&link, &folder.join("dangling")] {
            let _ = std::os::unix::fs::symlink("nowhere", link);
            assert!(open_own(link, OpenOptions::new().create(true).append(true)).is_err());
        }
        assert!(!folder.join("nowhere").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
