//! What the tests of commands share: the real program, and a place of their own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

#[path = "validator.rs"]
pub mod validator;

/// The program that was built for these tests.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalforge"));
    // What tests leave in a cache is not the user's.
    command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command
}

/// Exit code, standard output and standard error of a command.
pub fn evalforge(arguments: &[&str]) -> (i32, String, String) {
    converse(arguments, "")
}

/// The same of a command that is told something on standard input. What it prints for machines has to be what its schema says.
pub fn converse(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = program();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who does not listen has nothing to be told.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let printed = text(output.stdout);
    if arguments.contains(&"--json") {
        validator::check_output(arguments, &printed);
    }
    (output.status.code().unwrap(), printed, text(output.stderr))
}

/// What a command says that ends well.
pub fn done(arguments: &[&str]) -> String {
    let (code, out, error) = evalforge(arguments);
    assert_eq!(code, 0, "{arguments:?}: {error}");
    out
}

/// Wrong input: exit 2, nothing on standard output, one line on standard error that holds all of `parts`.
pub fn refused(arguments: &[&str], parts: &[&str]) {
    let (code, out, error) = evalforge(arguments);
    assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    for part in parts {
        assert!(error.contains(part), "{arguments:?}: {part:?} is not in {error}");
    }
}

/// What a shell makes of the command to go on that a message ends with, but for the name of the program.
#[cfg(unix)]
pub fn words_to_go_on(message: &str) -> Vec<String> {
    let (_, command) = message.trim_end().rsplit_once("to go on: evalforge ").expect(message);
    let script = format!("set -- {command}; printf '%s\\n' \"$@\"");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{message}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect()
}

/// A command that goes on while the test does.
pub fn begin(arguments: &[&str]) -> Child {
    program().args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The parameters of the model that a run has learned.
pub fn parameters(run: &Path) -> Value {
    let text = fs::read_to_string(run.join("model.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["parameters"].clone()
}

/// An empty folder that no other test uses.
pub fn folder(test_file: &str, name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test_file}-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}
