//! `evalforge score` and `evalforge reproduce` as their users meet them.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::{done, evalforge, folder, program, refused, words_to_go_on};

fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

const SMALL: [&str; 6] = ["score", "tetris", "--height", "8", "--games", "40"];

fn score(more: &[&str]) -> (i32, String, String) {
    evalforge(&[&SMALL[..], more].concat())
}

#[test]
fn means_come_with_their_intervals_and_a_verdict() {
    let (code, out, _) = score(&["--player", "dn", "--player", "dellacherie"]);
    assert_eq!(code, 0);
    for part in
        ["tetris 10x8, 40 games, seed 1", "by 2/sqrt(n)", "by bootstrap", "n 40", "decisions/s", "Kolmogorov"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(out.contains("dn / dellacherie = ") && !out.contains("for few games"), "{out}");
    let few = evalforge(&["score", "tetris", "--height", "8", "--games", "4", "--player", "dn"]).1;
    assert!(few.contains("by the exponential law, for few games"), "{few}");
}

#[test]
fn json_and_csv_say_the_same() {
    let csv = fresh("scores.csv");
    let weights = ["--features", "dellacherie", "--weights=-1,1,-1,-1,-4,-1"];
    let more = ["--player", "dellacherie", "--json", "--csv", csv.to_str().unwrap()];
    let (code, out, _) = score(&[&more[..], &weights].concat());
    assert_eq!(code, 0);
    let result: Value = serde_json::from_str(&out).unwrap();
    let player = &result["players"][0];
    assert_eq!((player["player"].as_str(), player["n"].as_u64()), (Some("dellacherie"), Some(40)));
    let (mean, low) = (player["mean"].as_f64().unwrap(), player["ci95"][0].as_f64().unwrap());
    assert!((low - mean * (1.0 - 2.0 / 40f64.sqrt())).abs() < 1e-6);
    assert!(player["decisions_per_second"].as_f64().unwrap() > 0.0);
    // The same weights written out play the same games.
    assert_eq!(result["players"][1]["mean"], player["mean"]);
    assert_eq!(result["pairs"][0]["ratio"], 1.0);
    let text = std::fs::read_to_string(csv).unwrap();
    let lines: Vec<f64> =
        text.lines().skip(1).take(40).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect();
    assert!((lines.iter().sum::<f64>() / 40.0 - mean).abs() < 1e-9);
}

#[test]
fn a_precision_chooses_the_number_of_games() {
    let (_, out, _) =
        evalforge(&["score", "tetris", "--height", "6", "--player", "dn", "--precision", "20%", "--json"]);
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["players"][0]["n"], 100);
}

#[test]
fn a_journal_is_gone_on_from() {
    let path = fresh("resume.jsonl");
    let resume = ["--player", "dn", "--json", "--resume", path.to_str().unwrap()];
    let mean = |out: &str| serde_json::from_str::<Value>(out).unwrap()["players"][0]["mean"].clone();
    let (_, first, _) = score(&resume);
    let lines = std::fs::read_to_string(&path).unwrap().lines().count();
    let (_, again, _) = score(&resume);
    assert_eq!((mean(&first), lines), (mean(&again), 41));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 41);
    let other = score(&["--player", "dt-10", "--resume", path.to_str().unwrap()]);
    assert!(other.0 == 2 && other.2.contains("list of players"), "{other:?}");
}

#[test]
fn without_a_name_every_game_is_kept_from_the_first_on() {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kept-scores");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let score = |more: &[&str]| {
        let mut command = program();
        command.args(["score", "tetris", "--height", "8", "--player", "dn", "--json", "--games"]);
        command.args(more).current_dir(&place).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let kept = place.join("score-1.jsonl");
    let lines = || std::fs::read_to_string(&kept).map_or(0, |text| text.lines().count());
    let mut child = score(&["100000"]).spawn().unwrap();
    let is_kept = (0..1200).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        lines() > 10
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_kept, "nothing is kept");
    // What was kept is gone on from, and comes to the same; a measurement that comes to its end leaves nothing of its own.
    let games = (lines() + 20).to_string();
    let mean = |more: &[&str]| {
        let output = score(&[&[games.as_str()], more].concat()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["players"][0]["mean"].clone()
    };
    assert_eq!(mean(&["--resume", "score-1.jsonl"]), mean(&[]));
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 1);
    assert!(lines() > games.parse().unwrap());
}

#[test]
#[cfg(unix)]
fn ctrl_c_prints_the_result_so_far_and_how_to_go_on() {
    let place = folder("score", "interrupted");
    let mut command = program();
    let words = ["score", "tetris", "--height", "10", "--precision", "0.1%", "--threads", "2", "--json"];
    let more = ["--player", "linear(dn; -1,-1,-1,-1,-1,-1,-1,-1)", "--csv", "it's a b.csv"];
    command.args(words).args(more);
    command.current_dir(&place).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let kept = place.join("score-1.jsonl");
    let has_games = |_| {
        std::thread::sleep(Duration::from_millis(50));
        std::fs::read_to_string(&kept).is_ok_and(|text| text.lines().count() > 3)
    };
    assert!((0..1200).any(has_games));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    assert_eq!(words_to_go_on(&error), [&words[..], &more, &["--resume", "score-1.jsonl"]].concat());
}

#[test]
fn wrong_input_is_one_line_and_exit_2() {
    for (arguments, part) in [
        (&["score", "tetris"][..], "no player is given"),
        (&["score", "othello", "--player", "dn"], "allowed: tetris"),
        (&["score", "tetris", "--player", "delacherie"], "did you mean 'dellacherie'?"),
        (&["score", "tetris", "--player", "no/such.json"], "no/such.json"),
        (&["score", "tetris", "--player", "dn", "--games", "0"], "from 1 to"),
        (&["score", "tetris", "--player", "dn", "--precision", "0"], "0.01% to 100%"),
        (&["score", "tetris", "--player", "dn", "--precision", "5%", "--games", "3"], "cannot be used with"),
        (&["score", "tetris", "--features", "dn", "--weights=1,2"], "2 weights for the 8 features"),
        (&["score", "tetris", "--features", "surface-set", "--weights=1,2"], " and 171 more"),
        (&["score", "tetris", "--features", "dm", "--weights=1"], "unknown feature 'dm'"),
        (&["score", "tetris", "--features", "dn"], "--weights"),
        (&["score", "tetris", "--player", "dn", "--csv", "/no/such/folder/x.csv"], "/no/such/folder"),
        (&["score", "tetris", "--player", "dn", "--resume", "/no/such/folder/x"], "/no/such/folder"),
        (&["score", "tetris", "--player", "lookahead(random)"], "unknown player"),
        (&["score", "tetris", "--player", "optimal(no-such-table)"], "no-such-table"),
        (&["reproduce", "tetris-score"], "did you mean 'tetris-scores'?"),
        (&["reproduce", "tetris-scores", "--only", "10x11"], "unknown board '10x11' (did you mean '10x1"),
        (&["reproduce", "tetris-scores", "--only", "10x16", "--quick"], "--quick leaves this board out"),
    ] {
        refused(arguments, &[part]);
    }
}

/// One board of a table, a few of its games: those that the whole table begins with.
#[test]
fn a_part_of_a_table_is_its_first_games() {
    let place = folder("score", "part");
    let part = |games: &str| {
        let arguments =
            ["reproduce", "tetris-scores", "--only", "10x10-losing-allowed", "--games", games, "--json"];
        let said = done(&[&arguments[..], &["--out", place.to_str().unwrap()]].concat());
        let table: Value = serde_json::from_str(&said).unwrap();
        let rows = table["rows"].as_array().unwrap().clone();
        let lines = std::fs::read_to_string(place.join("10x10-losing-allowed.jsonl")).unwrap();
        (rows, lines.lines().skip(1).map(String::from).collect::<Vec<_>>())
    };
    let (rows, few) = part("3");
    assert!(rows.len() == 1 && rows[0]["player"] == "dellacherie" && rows[0]["n"] == 3, "{rows:?}");
    let (rows, more) = part("5");
    assert_eq!(rows[0]["n"], 5);
    assert!(few.len() == 3 && more.len() == 5 && more.starts_with(&few), "{few:?} {more:?}");
    let said = done(&["reproduce", "tetris-scores", "--only", "5x5", "--games", "200", "--json"]);
    assert!(said.contains("\"n\": 200") && !said.contains("10x10"), "{said}");
}
