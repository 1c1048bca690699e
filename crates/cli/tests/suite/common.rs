//! What the tests of commands share: the real program, and a place of their own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The program that was built for these tests.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_evalforge"))
}

/// Exit code, standard output and standard error of a command.
pub fn evalforge(arguments: &[&str]) -> (i32, String, String) {
    let output = program().args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// An empty folder that no other test uses.
pub fn folder(test_file: &str, name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test_file}-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}
