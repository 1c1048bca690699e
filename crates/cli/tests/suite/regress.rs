//! Functions of Othello fitted to recorded games, and played.

use std::fs;
use std::path::Path;

use games::othello::Othello;
use games::othello::ggf::Ggf;
use games::rules::Fixed;
use games::{Dice, Game};
use serde_json::Value;

use crate::common::{evalforge, folder};

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
    let fit = ["fit", "tables", "othello", "--data", &data, "--phases", "3", "--json", "--validation", "0.3"];
    let on = |threads: &'static str| {
        let (code, out, error) = evalforge(
            &[&fit[..], &["--patterns", &patterns, "--out", &tables, "--force", "--threads", threads]]
                .concat(),
        );
        assert_eq!(code, 0, "{error}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let one = on("1");
    let file = fs::read(&tables).unwrap();
    assert_eq!(one["error"], on("2")["error"]);
    assert_eq!(fs::read(&tables).unwrap(), file, "threads change nothing");
    let (code, out, error) = evalforge(
        &[&fit[..], &["--patterns", &patterns, "--out", &tables, "--force", "--memory", "0"]].concat(),
    );
    assert_eq!(code, 0, "{error}");
    let streamed: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&streamed["error"], &streamed["training"]["in_files"]), (&one["error"], &Value::Bool(true)));
    assert_eq!(one["training"]["in_files"], Value::Bool(false));
    assert_eq!(fs::read(&tables).unwrap(), file, "positions in files give the same");
    assert!(one["error"]["mean"].as_f64() < one["error_of_0"]["mean"].as_f64(), "{one}");
    assert_eq!(one["phases"].as_array().unwrap().len(), 3);
    let sums = folder.join("sums.json").display().to_string();
    let (code, out, error) =
        evalforge(&[&fit[..9], &["0.3", "--features", "criteria,constant", "--out", &sums]].concat());
    assert_eq!(code, 0, "{error}");
    let learned: Value = serde_json::from_str(&out).unwrap();
    assert!(learned["error"]["mean"].as_f64() < learned["error_of_0"]["mean"].as_f64(), "{learned}");
    // Weights that change gradually, and products.
    let (mixed, products) = (folder.join("mixed.tables"), folder.join("products.json"));
    let [mixed, products] = [mixed, products].map(|path| path.display().to_string());
    let common = ["fit", "tables", "othello", "--data", &data, "--force", "--out"];
    for more in [
        &[&mixed[..], "--patterns", &patterns, "--phases", "3,interpolated"][..],
        &[&products[..], "--features", "criteria", "--degree", "2", "--phases", "2"],
    ] {
        let (code, _, error) = evalforge(&[&common[..], more].concat());
        assert_eq!(code, 0, "{error}");
    }
    // Each is a player, alone and in a search, and better than chance.
    let search = format!("alphabeta(depth=2, eval={tables})");
    let gradual = format!("alphabeta(depth=2, eval={mixed})");
    for player in [tables.clone(), sums.clone(), search, gradual, products] {
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
        (&["--phases", "3,interpolated", "--smooth", "0.5"], "--smooth: interpolated phases"),
        (&["--phases", "interpolated"], "N equal parts"),
        (&["--degree", "2"], "--features"),
        (&["--features", "criteria", "--degree", "4"], "a whole number from 1 to 3"),
        (&["--features", "criteria", "--degree", "2", "--phases", "3,interpolated"], "without interpolation"),
        (&["--memory", "-1"], "a whole number from 0"),
        (
            &["--features", "criteria", "--degree", "3", "--phases", "60"],
            "parameters; allowed: at most 1000000",
        ),
        (
            &["--features", "board", "--degree", "3", "--phases", "2"],
            "47904 weights would be fitted at once; allowed: at most 4000",
        ),
    ] {
        let (code, out, error) =
            evalforge(&[&["fit", "tables", "othello", "--data", &data], arguments].concat());
        assert!(code == 2 && out.is_empty() && error.contains(said), "{arguments:?}: {code} {error}");
        assert!(!arguments.contains(&twice.as_str()) || error.contains("twice.txt"), "{error}");
    }
    let (code, _, error) = evalforge(&["duel", "othello", &damaged, "random", "--games", "2"]);
    assert!(code == 2 && error.contains("damaged.tables") && error.contains("checksum"), "{code} {error}");
    let (code, _, error) = evalforge(&["fit", "tables", "tetris"]);
    assert!(code == 2 && error.contains("tetris"), "{error}");
}

#[test]
fn tables_are_written_for_edax() {
    let folder = folder("regress", "edax");
    let data = folder.join("games.ggf");
    games_file(&data, 20);
    let (tables, file) = (folder.join("theirs.tables"), folder.join("eval.dat"));
    let [data, tables, file] = [data, tables, file].map(|path| path.display().to_string());
    let fit = [
        "fit",
        "tables",
        "othello",
        "--data",
        &data,
        "--patterns",
        "edax",
        "--phases",
        "2",
        "--iterations",
        "2",
    ];
    let (code, _, error) = evalforge(&[&fit[..], &["--force", "--out", &tables]].concat());
    assert_eq!(code, 0, "{error}");
    let export = ["fit", "export", "--to", "edax", &tables, "--out", &file];
    let (code, out, error) = evalforge(&[&export[..], &["--json"]].concat());
    assert_eq!(code, 0, "{error}");
    let said: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(said["bytes"], 28 + 61 * 114_364 * 2);
    let written = fs::read(&file).unwrap();
    assert_eq!((written.len(), &written[..8]), (28 + 61 * 114_364 * 2, &b"XADELAVE"[..]));
    let nowhere = folder.join("no/such/eval.dat").display().to_string();
    for (arguments, said) in [
        (&export[..], "it exists; --force replaces it"),
        (&["fit", "export", "--to", "edax", "patterns", "--out", &file, "--force"], "Edax has no table like"),
        (&["fit", "export", "--to", "edax", "no-such.tables", "--out", &file, "--force"], "no-such.tables"),
        (&["fit", "export", "--to", "edax", &data, "--out", &file, "--force"], "it does not begin with"),
        (&["fit", "export", "--to", "edax", &tables, "--out", &nowhere], "eval.dat"),
        (&["fit", "export", "--to", "edxa", &tables, "--out", &file], "edax"),
    ] {
        let (code, out, error) = evalforge(arguments);
        assert!(code == 2 && out.is_empty() && error.contains(said), "{arguments:?}: {code} {error}");
    }
    assert_eq!(fs::read(&file).unwrap(), written, "what is refused replaces nothing");
    let (code, _, error) = evalforge(&[&export[..], &["--force"]].concat());
    assert_eq!(code, 0, "{error}");
}
