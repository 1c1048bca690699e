//! What was computed before and can be computed again: files in the user's cache folder, by the rules of XDG. Nothing depends on them. One that
//! is missing, damaged or of another version is as good as none, and a folder that cannot be written to is no fault.

use std::path::{Path, PathBuf};

use super::new_file;

/// The file of this name in the cache; `None` where there is no folder for it.
pub fn path(name: &str) -> Option<PathBuf> {
    // Relative paths are to be ignored.
    let absolute = |key: &str| std::env::var_os(key).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    // Another version may have computed it otherwise.
    Some(folder.join("evalforge").join(format!("{name}-{}", env!("CARGO_PKG_VERSION"))))
}

/// Keeps bytes for the next time, if that can be done.
pub fn keep(path: &Path, bytes: &[u8]) {
    if let Some(folder) = path.parent()
        && std::fs::create_dir_all(folder).is_ok()
    {
        let _ = new_file::write(path, bytes);
    }
}
