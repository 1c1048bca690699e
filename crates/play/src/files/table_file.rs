//! Tables in files: a head of text lines, an empty line, the content, and the checksum of all that. What a file says is
//! believed only after the checksum has been checked; whoever reads the content checks every bound.

use std::io::{self, Read};
use std::path::Path;

use games::error::one_line;
use thiserror::Error;

use crate::files::{checksum, new_file, open};

/// The longest head.
const MOST_HEAD: usize = 1 << 14;

/// Why a table cannot be read or written.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file system refuses.
    #[error("table '{}': {cause}", one_line(.path))]
    File {
        /// Which file.
        path: String,
        /// What it says.
        cause: io::Error,
    },
    /// The file holds something else.
    #[error("table '{}': {reason}", one_line(.path))]
    Content {
        /// Which file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Writes a table that ends without its checksum; a broken run leaves the old table or none.
pub fn save(path: &Path, bytes: Vec<u8>) -> Result<(), TableError> {
    new_file::write(path, &sealed(bytes))
        .map_err(|cause| TableError::File { path: path.display().to_string(), cause })
}

/// Reads a table that begins with `name`, of so many bytes at most.
pub fn load<T>(
    path: &Path,
    name: &str,
    most: u64,
    read: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<T, TableError> {
    let shown = || path.display().to_string();
    let failed = |cause| TableError::File { path: shown(), cause };
    let mut file = open(path).map_err(failed)?;
    // The first bytes tell a foreign file before all of it is read, which might never end.
    let mut bytes = Vec::new();
    (&mut file).take(name.len() as u64).read_to_end(&mut bytes).map_err(failed)?;
    if bytes == name.as_bytes() {
        file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    }
    read(&bytes).map_err(|reason| TableError::Content { path: shown(), reason })
}

/// The head after its first line, which is `name`, and the content of a table that is whole.
pub fn opened<'a>(bytes: &'a [u8], name: &str) -> Result<(&'a str, &'a [u8]), String> {
    if !bytes.starts_with(name.as_bytes()) {
        return Err(format!("it does not begin with '{}'", name.trim_end()));
    }
    let (bytes, sum) = bytes.split_last_chunk::<8>().ok_or("it is cut short")?;
    if checksum(bytes) != u64::from_le_bytes(*sum) {
        return Err("its checksum is wrong: it is cut short or damaged".into());
    }
    let end =
        bytes.windows(2).take(MOST_HEAD).position(|two| two == b"\n\n").ok_or("its head does not end")?;
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| "its head is no text")?;
    Ok((head.split_once('\n').map_or("", |(_, rest)| rest), &bytes[end + 2..]))
}

/// The bytes with their checksum.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_file_is_refused_in_one_line() {
        let error = opened(b"else", "a table 1\n").unwrap_err();
        assert_eq!(error, "it does not begin with 'a table 1'");
    }
}
