//! Files that are none, never end or cannot be: one line and exit 2, at once, and no memory for what is only claimed.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{evalforge, folder, program};

/// Exit code and standard error of a command that must end by itself, within a gigabyte.
fn ended(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v 4000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_evalforge")])
        .args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let (mut child, begun) = (command.spawn().unwrap(), Instant::now());
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn what_never_ends_is_refused() {
    let place = folder("files", "endless");
    let pipe = place.join("a-pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for source in [Path::new("/dev/zero"), &pipe] {
        let at = |name: &str| {
            let path = place.join(name);
            let _ = fs::remove_file(&path);
            symlink(source, &path).unwrap();
            path.to_str().unwrap().to_string()
        };
        let [json, toml, wtb, ggf, obf, plain] =
            ["it.json", "it.toml", "it.wtb", "it.ggf", "it.obf", "it"].map(at);
        let optimal = format!("optimal({plain})");
        let [probcut, clock] =
            ["probcut", "clock"].map(|option| format!("alphabeta(depth=2, {option}={json})"));
        let out = place.join("out").to_str().unwrap().to_string();
        for arguments in [
            &["learn", &toml, "--out", &out][..],
            &["learn", "tetris-quick", "--set", &format!("model.start={json}"), "--out", &out],
            &["score", "tetris", "--player", &json],
            &["score", "tetris", "--player", &optimal],
            &["score", "tetris", "--player", "dn", "--resume", &plain],
            &["duel", "othello", "random", "greedy", "--games", "2", "--resume", &plain],
            &["duel", "othello", "random", "greedy", "--games", "2", "--positions", &plain],
            &["duel", "othello", &probcut, "greedy", "--games", "2"],
            &["duel", "othello", &clock, "greedy", "--games", "2"],
            &["fit", "othello", "--data", &plain],
            &["fit", "othello", "--data", &wtb],
            &["fit", "othello", "--data", &ggf],
            &["fit", "othello", "--data", &obf],
            &["review", &plain],
            &["solve", "othello", &obf],
            &["fit", "tables", "othello", "--patterns", &plain, "--data", &wtb],
        ] {
            let (code, error) = ended(arguments);
            let is_one_line = error.lines().count() == 1;
            assert!(
                code == Some(2) && is_one_line && error.contains("regular file"),
                "{arguments:?}: {code:?} {error}"
            );
        }
    }
}

/// A file that claims much is read as far as anybody has a use for it.
#[test]
fn a_long_file_is_refused_before_it_is_read() {
    let place = folder("files", "long");
    let path = place.join("it.json");
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let path = path.to_str().unwrap();
    for arguments in [&["score", "tetris", "--player", path][..], &["learn", path], &["review", path]] {
        let (code, error) = ended(arguments);
        assert!(code == Some(2) && error.contains("it has 1099511627776 bytes; at most"), "{code:?} {error}");
    }
    let (code, error) = ended(&["score", "tetris", "--player", "dn", "--resume", path]);
    assert!(code == Some(2) && error.contains("not a journal"), "{code:?} {error}");
}

#[test]
fn games_that_are_only_asked_for_take_no_memory() {
    let place = folder("files", "many");
    let journal = place.join("journal");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 2000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_evalforge")]);
    command.args([
        "score",
        "tetris",
        "--height",
        "8",
        "--player",
        "dn",
        "--games",
        "100000000",
        "--threads",
        "1",
    ]);
    command.arg("--resume").arg(&journal).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let plays = (0..1200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        lines() > 10 || child.try_wait().unwrap().is_some()
    });
    let is_alive = child.try_wait().unwrap().is_none();
    // Nobody else writes to a journal in the meantime.
    let score = ["score", "tetris", "--height", "8", "--player", "dn", "--resume", journal.to_str().unwrap()];
    let (code, _, error) = evalforge(&score);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(plays && is_alive && lines() > 10);
    assert!(code == 2 && error.contains("another process writes to it"), "{code} {error}");
}

#[test]
fn games_that_nobody_can_have_played_are_refused() {
    let place = folder("files", "impossible");
    let journal = place.join("journal");
    let score = ["score", "tetris", "--height", "8", "--games", "3", "--player", "dn", "--resume"];
    let score = [&score[..], &[journal.to_str().unwrap()]].concat();
    let output = program().args(&score).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(&journal).unwrap();
    let header = text.lines().next().unwrap();
    let line = |score: &str, decisions: u64, player: u64, seconds: &str| {
        format!(
            "{{\"player\":{player},\"game\":0,\"score\":{score},\"decisions\":{decisions},\"seconds\":{seconds}}}\n"
        )
    };
    for (line, said) in [
        (line("948", 133, 0, "1"), Some("line 2: 948 lines in 133 decisions: at most 53 are possible")),
        (line("54", 133, 0, "1"), Some("at most 53")),
        (line("53", 133, 0, "1"), None),
        (line("1", 133, 1, "1"), Some("player 1 is none of the 1")),
        (line("1", 133, 0, "-1"), Some("-1 seconds")),
    ] {
        // With another line after it: the last one may be what a crash has left.
        fs::write(&journal, format!("{header}\n{line}{}", text.lines().nth(2).unwrap().to_string() + "\n"))
            .unwrap();
        let (code, _, error) = evalforge(&score);
        match said {
            Some(said) => assert!(code == 2 && error.contains(said), "{code} {error}"),
            None => assert_eq!(code, 0, "{error}"),
        }
    }
}
