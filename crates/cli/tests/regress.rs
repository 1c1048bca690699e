//! Functions of Othello fitted to recorded games, and played.

mod common;

use std::fs;
use std::path::Path;

use common::{evalforge, folder};
use games::othello::Othello;
use games::othello::ggf::Ggf;
use games::rules::Fixed;
use games::{Dice, Game};
use serde_json::Value;

/// Random games in a file.
fn games_file(path: &Path, count: u64) {
    let mut text = String::new();
    for number in 0..count {
        let (mut dice, mut moves) = (Dice::seeded(&[number]), Vec::new());
        let (start, mut line) = (Othello::start(&Fixed), Vec::new());
        let mut position = start;
        while let Some(mv) = position.random_move(&mut dice, &mut moves) {
            line.push(mv);
            position.play_unchecked(mv);
        }
        let players = ["x", "y"].map(String::from);
        text.push_str(&Ggf { players, start, moves: line, result: None }.text());
        text.push('\n');
    }
    fs::write(path, text).unwrap();
}

#[test]
fn tables_and_sums_are_fitted_written_and_played() {
    let folder = folder("regress", "played");
    let data = folder.join("games.ggf");
    games_file(&data, 150);
    let data = data.display().to_string();
    let patterns = folder.join("small.txt");
    fs::write(&patterns, "corner: a1 b1 a2 b2\nedge: a1 b1 c1 d1\nmobility\nparity\n").unwrap();
    let (patterns, tables) =
        (patterns.display().to_string(), folder.join("small.tables").display().to_string());
    let fit = ["regress", "othello", "--data", &data, "--phases", "3", "--json", "--validation", "0.3"];
    let on = |threads: &'static str| {
        let (code, out, error) = evalforge(
            &[&fit[..], &["--patterns", &patterns, "--out", &tables, "--threads", threads]].concat(),
        );
        assert_eq!(code, 0, "{error}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let one = on("1");
    let file = fs::read(&tables).unwrap();
    assert_eq!(one["error"], on("2")["error"]);
    assert_eq!(fs::read(&tables).unwrap(), file, "threads change nothing");
    assert!(one["error"]["mean"].as_f64() < one["error_of_0"]["mean"].as_f64(), "{one}");
    assert_eq!(one["phases"].as_array().unwrap().len(), 3);
    let sums = folder.join("sums.json").display().to_string();
    let (code, out, error) =
        evalforge(&[&fit[..8], &["0.3", "--features", "criteria,constant", "--out", &sums]].concat());
    assert_eq!(code, 0, "{error}");
    let learned: Value = serde_json::from_str(&out).unwrap();
    assert!(learned["error"]["mean"].as_f64() < learned["error_of_0"]["mean"].as_f64(), "{learned}");
    // Each is a player, alone and in a search, and better than chance.
    for player in [tables.clone(), sums.clone(), format!("alphabeta(depth=2, eval={tables})")] {
        let (code, out, error) =
            evalforge(&["duel", "othello", &player, "random", "--games", "40", "--json"]);
        assert_eq!(code, 0, "{error}");
        let result: Value = serde_json::from_str(&out).unwrap();
        assert!(result["score"].as_f64().unwrap() > 0.5, "{player}: {result}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder("regress", "wrong");
    let data = folder.join("games.ggf");
    games_file(&data, 40);
    let data = data.display().to_string();
    let twice = folder.join("twice.txt");
    fs::write(&twice, "# mine\ncorner: a1 b1 a1\n").unwrap();
    let twice = twice.display().to_string();
    let damaged = folder.join("damaged.tables");
    fs::write(&damaged, "evalforge tables 1\ngame othello\n\n12345678").unwrap();
    let damaged = damaged.display().to_string();
    for (arguments, said) in [
        (&["--patterns", &twice][..], "line 2: the square a1 is named twice"),
        (&["--patterns", "no-such-set"], "allowed: logistello, edax or a text file"),
        (&["--phases", "0"], "N equal parts"),
        (&["--discs", "40-20"], "two numbers from 4 to 64"),
        (&["--form", "cubic"], "unknown form 'cubic'; known: linear, logistic"),
        (&["--features", "mobilty"], "unknown feature 'mobilty'"),
        (&["--features", "criteria", "--smooth", "0.5"], "--smooth: it is for --patterns"),
        (&["--features", "criteria", "--form", "logistic"], "--form logistic: it is for --patterns"),
        (&["--features", "criteria,phases(3)"], "features without phases"),
        (&["--test-from", "2016"], "--test-from: 40 games to learn from and 0 to test on"),
        (&["--out", "function.json"], "has to end with .tables"),
        (&["--data", "no-such-folder"], "no-such-folder"),
    ] {
        let (code, out, error) = evalforge(&[&["regress", "othello", "--data", &data], arguments].concat());
        assert!(code == 2 && out.is_empty() && error.contains(said), "{arguments:?}: {code} {error}");
        assert!(!arguments.contains(&twice.as_str()) || error.contains("twice.txt"), "{error}");
    }
    let (code, _, error) = evalforge(&["duel", "othello", &damaged, "random", "--games", "2"]);
    assert!(code == 2 && error.contains("damaged.tables") && error.contains("checksum"), "{code} {error}");
    let (code, _, error) = evalforge(&["regress", "tetris"]);
    assert!(code == 2 && error.contains("tetris"), "{error}");
}
