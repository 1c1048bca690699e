//! The terms of a match as their users meet them: games ended early, books of openings, clocks with increments, programs that crash.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{evalforge, folder, refused};

fn json(arguments: &[&str]) -> Value {
    let (code, out, error) = evalforge(&[arguments, &["--json"]].concat());
    assert_eq!(code, 0, "{error}");
    serde_json::from_str(&out).unwrap()
}

fn place(name: &str) -> PathBuf {
    folder("arena-terms", name)
}

#[test]
fn what_is_solved_is_not_played_on() {
    let duel = ["duel", "othello", "alphabeta(nodes=2000)", "greedy", "--games", "6", "--openings", "20"];
    let (whole, ended) = (json(&duel), json(&[&duel[..], &["--adjudicate"]].concat()));
    assert_eq!((&ended["adjudicated"]["solved"], &whole["adjudicated"]["solved"]), (&6.into(), &0.into()));
    let moves = |value: &Value| value["moves"]["mean"].as_f64().unwrap();
    assert!(moves(&ended) < moves(&whole) - 5.0, "{ended}");
    let (code, out, _) = evalforge(&[&duel[..], &["--adjudicate"]].concat());
    assert!(code == 0 && out.contains("ended early: 6 solved, 0 given up, 0 drawn"), "{out}");
    let size = ["--size", "3", "--openings", "2", "--games", "4"];
    let solved = json(&[&["duel", "pushover", "random", "random", "--adjudicate"], &size[..]].concat());
    assert_eq!(solved["adjudicated"]["solved"], 4, "{solved}");
    refused(
        &["duel", "avalam", "greedy", "random", "--adjudicate"],
        &["--adjudicate: game 'avalam' has neither"],
    );
}

#[test]
fn players_give_up_or_agree_by_their_own_values() {
    let place = place("values");
    let journal = place.join("games.jsonl");
    let few = ["--games", "8", "--openings", "8", "--seed", "3"];
    let duel = [&["duel", "othello", "alphabeta(depth=1)", "alphabeta(depth=1)"], &few[..]].concat();
    // Greed says that it is behind, and keeps saying it.
    let lost = json(&[&duel[..], &["--resign", "2,4", "--resume", journal.to_str().unwrap()]].concat());
    let resigned = lost["adjudicated"]["resign"].as_u64().unwrap();
    assert!(resigned > 0, "{lost}");
    // What was on the board then is no margin.
    assert_eq!(lost["margin"]["n"].as_u64().unwrap(), 8 - resigned, "{lost}");
    let drawn = json(&[&duel[..], &["--draw", "2,1000"]].concat());
    assert_eq!((&drawn["adjudicated"]["draw"], &drawn["draws"]), (&8.into(), &8.into()), "{drawn}");
    assert_eq!(drawn["moves"]["mean"], 4.0);
    // Other terms are another match.
    refused(&[&duel[..], &["--resume", journal.to_str().unwrap()]].concat(), &["another adjudication"]);
    for wrong in ["3", "0,5", "3,-1", "3,x", "1.5,2"] {
        refused(
            &[&duel[..], &["--resign", wrong]].concat(),
            &["--resign", "allowed: a whole number of moves"],
        );
    }
}

#[test]
fn openings_come_from_books() {
    let place = place("books");
    let file = |name: &str, text: &str| {
        fs::write(place.join(name), text).unwrap();
        place.join(name).to_str().unwrap().to_string()
    };
    let book = file("book.txt", "# three\nf5d6c3d3c4\nf5 f6 e6\nf5d6c5\n");
    let games = file("games.ggf", "(;B[f5]W[d6]B[c3]W[d3];) (;B[d3]W[c3]B[c4];)");
    let csv = place.join("games.csv").to_str().unwrap().to_string();
    let openings = |more: &[&str]| {
        let duel = ["duel", "othello", "greedy", "random", "--games", "4", "--csv", &csv, "--positions"];
        json(&[&duel[..], more].concat());
        let text = fs::read_to_string(&csv).unwrap();
        let opening = |line: &str| line.split(',').nth(4).unwrap().to_string();
        text.lines().skip(1).step_by(2).map(opening).collect::<Vec<_>>()
    };
    let all = openings(&[&book]);
    assert_eq!(openings(&[&book, "--start", "2"])[0], all[1]);
    assert_ne!(openings(&[&book, "--plies", "2"])[0], all[0]);
    let mixed = |seed: &str| openings(&[&book, "--order", "random", "--seed", seed]);
    assert_eq!(mixed("1"), mixed("1"));
    assert!(["1", "2", "3", "4"].iter().any(|seed| mixed(seed) != all));
    assert_eq!(openings(&[&games, "--plies", "2"])[0], openings(&[&book, "--plies", "2"])[0]);
    refused(&["duel", "othello", "greedy", "random", "--start", "2"], &["--positions"]);
    let far = ["duel", "othello", "greedy", "random", "--positions", &book, "--start", "9"];
    refused(&far, &["--positions", "it holds 3 openings"]);
}

#[test]
#[cfg(unix)]
fn a_program_that_crashes_loses_the_game_and_is_started_again() {
    let place = place("crash");
    let (script, log) = (place.join("crash.sh"), place.join("pipe.log"));
    let engine = env!("CARGO_BIN_EXE_evalforge");
    // After so many lines the program hears no more, and ends.
    let text = format!(
        "i=0\nwhile [ $i -lt 12 ] && read -r line; do echo \"$line\"; i=$((i+1)); done | '{engine}' engine othello --player greedy\n"
    );
    fs::write(&script, text).unwrap();
    let player = format!("external(gtp=\"sh '{}'\")", script.display());
    let duel = ["duel", "othello", &player, "greedy", "--games", "4", "--openings", "0", "--threads", "1"];
    let result = json(&[&duel[..], &["--log", log.to_str().unwrap()]].concat());
    assert_eq!((&result["games"], &result["losses"]), (&4.into(), &4.into()), "{result}");
    assert!(result["forfeits"][0][0]["reason"].as_str().unwrap().contains("the program ended"), "{result}");
    let log = fs::read_to_string(log).unwrap();
    for part in [" #1 = sh ", " > protocol_version", " < = 2", " > genmove black", " ! ended", " #4 "] {
        assert!(log.contains(part), "no '{part}' in {log}");
    }
}

#[test]
fn clocks_have_increments_and_margins() {
    let duel = ["duel", "othello", "alphabeta", "greedy", "--games", "2", "--openings", "40"];
    let (code, out, error) = evalforge(
        &[&duel[..], &["--game-time", "0.3", "--increment", "0.01", "--time-margin", "1"]].concat(),
    );
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("0.3 s a game and 0.01 s a move each"), "{out}");
    refused(&[&duel[..], &["--increment", "1"]].concat(), &["--game-time"]);
    // More threads than any machine has.
    let many = [&duel[..], &["--game-time", "0.3", "--time-margin", "60", "--threads", "1000"]].concat();
    let (code, _, error) = evalforge(&many);
    assert!(code == 0 && error.contains("warning: 1000 games at once"), "{error}");
}
