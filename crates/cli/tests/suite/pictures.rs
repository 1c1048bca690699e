//! `watch` and `explain` as their users meet them.

use std::fs;

use serde_json::Value;

use crate::common::{evalforge, folder, refused};

/// What a command says that ends well and has nothing to complain about.
fn done(arguments: &[&str]) -> String {
    let (code, out, error) = evalforge(arguments);
    assert_eq!((code, error.as_str()), (0, ""), "{arguments:?}");
    out
}

#[test]
fn a_game_is_printed_where_there_is_no_terminal() {
    let out = done(&["play", "tetris", "--watch", "--player", "dn", "--moves", "3"]);
    assert_eq!(out.matches("landing-height").count(), 3, "{out}");
    assert!(!out.contains('\x1b') && out.contains("pieces placed                      3"), "{out}");
    assert!(out.ends_with("Left after 3 pieces, with 0 lines.\n"), "{out}");
    assert_eq!(
        out,
        done(&["play", "tetris", "--watch", "--player", "dn", "--moves", "3", "--delay", "0.01"])
    );
    assert_ne!(out, done(&["play", "tetris", "--watch", "--player", "dn", "--moves", "3", "--seed", "2"]));

    let endless = done(&["play", "tetris", "--watch", "--player", "dn"]);
    assert!(endless.contains("Left after 50 pieces"), "it ends by itself");
    let small = [
        "play", "tetris", "--watch", "--player", "random", "--width", "4", "--height", "4", "--moves", "1000",
    ];
    let over = done(&small);
    assert!(over.contains("The game is over after ") && !over.contains("holes"), "{over}");
}

#[test]
fn a_gif_is_written_whole_or_not_at_all() {
    let folder = folder("pictures", "gif");
    let path = folder.join("game.gif");
    let path = path.to_str().unwrap();
    let film =
        |moves: &str| done(&["play", "tetris", "--watch", "--player", "dn", "--moves", moves, "--gif", path]);
    let out = film("20");
    assert!(out.starts_with(&format!("{path}: 20 pieces, ")) && out.ends_with(" kB\n"), "{out}");
    let bytes = fs::read(path).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(&[0x3b]));
    film("20");
    assert_eq!(fs::read(path).unwrap(), bytes, "the same game is the same file");
    film("21");
    assert!(fs::read(path).unwrap().len() > bytes.len());

    let wrong = |path: &str, part: &str| {
        refused(&["play", "tetris", "--watch", "--player", "dn", "--gif", path], &["--gif", path, part]);
    };
    wrong("/nowhere/at/all.gif", "No such file");
    wrong(folder.to_str().unwrap(), "not a file");
    refused(
        &["play", "tetris", "--watch", "--player", "dnn", "--gif", path],
        &["unknown player 'dnn'", "'dn'"],
    );
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["game.gif"], "nothing is left behind");
}

#[test]
fn explanations_add_up() {
    let position = "##.#....../####..###. - 7";
    let arguments = ["analyze", "tetris", "--position", position, "--piece", "T", "--player", "dn", "--json"];
    let result: Value = serde_json::from_str(&done(&arguments)).unwrap();
    assert_eq!((&result["piece"], &result["player"]), (&Value::from("T"), &Value::from("dn")));
    assert_eq!(result["position"], "##.#....../####..###. T 7");
    let moves = result["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 34);
    let mut last = f64::INFINITY;
    for one in moves {
        let features = one["features"].as_object().unwrap();
        let number = |feature: &Value, key: &str| feature[key].as_f64().unwrap();
        let sum: f64 = features.values().map(|feature| number(feature, "share")).sum();
        let value = one["value"].as_f64().unwrap();
        assert!((sum - value).abs() < 1e-9 && value <= last, "{one}");
        last = value;
        for feature in features.values() {
            assert_eq!(number(feature, "share"), number(feature, "weight") * number(feature, "value"));
        }
    }
    // What is explained is what is played.
    let best = moves[0]["move"].as_str().unwrap();
    let text = "##.#....../####..###. T 7";
    let watched = done(&["play", "tetris", "--watch", "--player", "dn", "--moves", "1", "--position", text]);
    assert!(watched.contains(&format!("placed                           {best}")), "{best}: {watched}");
}

#[test]
fn explanations_for_people() {
    let out = done(&["analyze", "tetris", "--piece", "O", "--player", "dn", "--top", "2"]);
    assert!(out.starts_with("dn plays O0a, the first of 2 best of 9 placements of O."), "{out}");
    assert!(out.contains("1= O0a") && out.contains("1= O0i") && out.contains("8= O0b"), "{out}");
    let line = |name: &str| -> Vec<String> {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().map(str::to_string).collect()
    };
    // A square in the corner: its middle is at 0.5, half of its height less one.
    assert_eq!(line("landing-height"), ["landing-height", "-12.63", "0.5", "-6.32", "0.5", "-6.32"]);
    assert_eq!(line("holes"), ["holes", "-13.08", "0", "0.00", "0", "0.00"]);
    assert!(out.contains(" |()()") && out.contains("place O:"), "both boards are drawn: {out}");

    let later = done(&["analyze", "tetris", "--piece", "O", "--player", "lookahead(dn)", "--top", "1"]);
    assert!(later.contains("landing-height") && !later.contains("share"), "{later}");
}

#[test]
fn entries_of_tables_have_shares_beside_features() {
    let path = folder("pictures", "tables").join("tables.json");
    let model = r#"{"format": "evalforge model 1", "game": "tetris", "features": "holes,surface-pairs,surface-set", "model": "linear",
        "parameters": {"holes": -4, "surface-pairs:0/0": 1.5, "surface-pairs:0/wall": 0.25, "surface-set:-2|0|2|0/0": -3}}"#;
    fs::write(&path, model).unwrap();
    let player = path.to_str().unwrap();
    let out = done(&["analyze", "tetris", "--piece", "O", "--player", player, "--top", "9"]);
    let line = |name: &str| -> Vec<String> {
        let line = out.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        line.split_whitespace().map(str::to_string).collect()
    };
    // The weight stands beside the name.
    assert_eq!(line("surface-set:-2|0|2|0/0")[1], "-3", "{out}");
    assert!(line("surface-pairs:0/0").contains(&"1.5".to_string()), "{out}");
    assert!(!out.contains("surface-pairs:1/1"), "nothing is said about what is not there: {out}");
    let json = done(&["analyze", "tetris", "--piece", "O", "--player", player, "--json"]);
    let result: Value = serde_json::from_str(&json).unwrap();
    for one in result["moves"].as_array().unwrap() {
        let features = one["features"].as_object().unwrap();
        let sum: f64 = features.values().map(|feature| feature["share"].as_f64().unwrap()).sum();
        assert!((sum - one["value"].as_f64().unwrap()).abs() < 1e-9, "{one}");
        let columns = features.iter().filter(|(name, _)| name.starts_with("surface-pairs:"));
        assert_eq!(columns.map(|(_, feature)| feature["value"].as_f64().unwrap()).sum::<f64>(), 10.0);
        assert_eq!(features.keys().filter(|name| name.starts_with("surface-set:")).count(), 1);
    }

    // A feature with a name of its own may not be forgotten; an entry of a table may, if there is such an entry.
    fs::write(&path, model.replace("\"holes\": -4, ", "")).unwrap();
    refused(&["analyze", "tetris", "--piece", "O", "--player", player], &["parameter 'holes' is missing"]);
    fs::write(&path, model.replace("0/wall", "wall/0")).unwrap();
    refused(
        &["analyze", "tetris", "--piece", "O", "--player", player],
        &["'surface-pairs:wall/0' belongs to no feature"],
    );
}

#[test]
fn surfaces_are_drawn_by_how_much_they_are_liked() {
    let folder = folder("pictures", "surfaces");
    let (path, picture) = (folder.join("tables.json"), folder.join("surfaces.svg"));
    let model = r#"{"format": "evalforge model 1", "game": "tetris", "features": "holes,surface-pairs,surface-set", "model": "linear",
        "parameters": {"holes": -4, "surface-pairs:3/wall": -1, "surface-pairs:0/0": 2, "surface-set:-1|1|1/1": 3, "surface-set:0": 2}}"#;
    fs::write(&path, model).unwrap();
    let (player, picture) = (path.to_str().unwrap(), picture.to_str().unwrap());
    let draw = |more: &[&'static str]| {
        done(&[&["analyze", "tetris", "--player", player, "--surfaces"], more].concat())
    };
    let out = draw(&[]);
    for part in [
        "less the mean weight of its table",
        "surface-pairs: 2 entries, mean weight +0.500; 43 more with weight 0, as if never met, are left out",
        "most liked\n▄▄▄▄▄▄\n+1.500\n0/0\n",
        // A wall is as high as what is drawn beside it.
        "most disliked\n██  ░░\n██▄▄░░\n-1.500\n3/wall\n",
        "most liked\n██▄▄ ▄▄██ ██▄▄██\n+0.500\n-1|1|1/1\n",
    ] {
        assert!(out.contains(part), "{part:?} is not in {out}");
    }
    let result: Value = serde_json::from_str(&draw(&["--json", "--top", "1"])).unwrap();
    let set = &result["tables"][1];
    assert_eq!((&set["table"], &set["mean"]), (&"surface-set".into(), &2.5.into()));
    assert_eq!(set["disliked"], serde_json::json!([{"entry": "0", "weight": 2.0, "above_mean": -0.5}]));

    let svg = |more: &[&str]| {
        let all =
            [&["analyze", "tetris", "--player", "record", "--surfaces", "--svg", picture], more].concat();
        let out = done(&all);
        assert!(out.starts_with(&format!("{picture}: 4 tables of the surface, ")), "{out}");
        fs::read_to_string(picture).unwrap()
    };
    let (all, few) = (svg(&[]), svg(&["--top", "2"]));
    assert!(all.starts_with("<svg ") && few.len() < all.len());
    assert_eq!([&all, &few].map(|svg| svg.matches("<title>").count()), [64, 16]);

    let explain = |more: &[&'static str]| [&["analyze", "tetris", "--surfaces"], more].concat();
    refused(&explain(&["--player", "dn"]), &["--surfaces: player 'dn'", "no table of the surface"]);
    refused(&explain(&["--player", "greedy"]), &["without an evaluation function"]);
    refused(&explain(&["--player", "record", "--piece", "T"]), &["--piece", "--surfaces"]);
    refused(
        &explain(&["--player", "record", "--svg", "/nowhere/at/all.svg"]),
        &["--svg '/nowhere", "No such file"],
    );
    refused(&["analyze", "tetris", "--player", "record", "--piece", "T", "--svg", "x.svg"], &["--surfaces"]);
}

#[test]
fn models_that_are_not_linear_have_no_shares() {
    let path = folder("pictures", "model").join("bent.json");
    let model = r#"{"format": "evalforge model 1", "game": "tetris", "features": "holes,lines", "model": "exponential",
        "parameters": {"holes": -1, "holes^": 2, "lines": 1, "lines^": 1}}"#;
    fs::write(&path, model).unwrap();
    let player = path.to_str().unwrap();
    let position = "##.#....../####..###. S";
    let arguments = ["analyze", "tetris", "--position", position, "--player", player, "--json", "--top", "3"];
    let result: Value = serde_json::from_str(&done(&arguments)).unwrap();
    assert_eq!(result["moves"].as_array().unwrap().len(), 3);
    let holes = &result["moves"][0]["features"]["holes"];
    assert!(holes["value"].is_number() && holes.get("share").is_none() && holes.get("weight").is_none());
}

#[test]
fn every_game_is_watched_and_explained() {
    let out = done(&["play", "avalam", "--watch", "--player", "observer", "--moves", "3"]);
    for part in
        ["moves played                       3", "towers for ", "isolated", "Left after 3 moves, with "]
    {
        assert!(out.contains(part), "{part:?} is not in {out}");
    }
    // A game that is only won or lost has no score.
    let out = done(&["play", "pushover", "--watch", "--player", "random", "--moves", "1000"]);
    assert!(out.contains(" wins after ") && out.ends_with(" moves.\n"), "{out}");
    let path = folder("pictures", "others").join("game.gif");
    let film =
        ["play", "othello", "--watch", "--player", "greedy", "--moves", "4", "--gif", path.to_str().unwrap()];
    assert!(done(&film).contains(": 4 moves, +") && fs::read(&path).unwrap().starts_with(b"GIF89a"));

    let out = done(&["analyze", "avalam", "--why", "--player", "observer"]);
    assert!(out.contains("best of 292 moves.\n") && out.contains("\nmoves with their values"), "{out}");
    // o has three in a row and a push ends the game; what it is worth is no matter of features.
    let line = ["analyze", "pushover", "--why", "--player", "expert", "--position", "ooo.+++.........-+ 20"];
    assert!(done(&line).contains(" wins"));
    let result: Value =
        serde_json::from_str(&done(&[&line[..], &["--json", "--top", "2"]].concat())).unwrap();
    assert_eq!((result["moves"].as_array().unwrap().len(), result.get("piece")), (2, None));
    assert_eq!(result["moves"][0]["end"], "wins");
}

#[test]
fn wrong_input_is_one_line_and_exit_2() {
    let explain = |more: &[&'static str]| [&["analyze", "tetris"], more].concat();
    refused(&explain(&["--player", "dn"]), &["no piece to place", "--piece T"]);
    refused(&explain(&["--player", "dn", "--piece", "X"]), &["'X'", "I, O, T, S, Z, J, L"]);
    refused(&explain(&["--player", "dnn", "--piece", "T"]), &["unknown player 'dnn'", "did you mean 'dn'?"]);
    refused(
        &explain(&["--player", "random", "--piece", "T"]),
        &["player 'random'", "no", "evaluation function"],
    );
    refused(&explain(&["--piece", "T"]), &["no player", "--player"]);
    refused(&explain(&["--player", "dn", "--piece", "T", "--top", "0"]), &["'0'", "from 1 to 1000"]);
    refused(&explain(&["--player", "dn", "--piece", "T", "--preview", "on"]), &["two pieces must be known"]);
    let over = "#.../#.../#.../#.../#... T";
    let small = ["--width", "4", "--height", "4", "--player", "dn", "--position", over];
    refused(&explain(&small), &["the game is over"]);
    refused(&[&["play", "tetris", "--watch"], &small[..]].concat(), &["the game is over"]);
    refused(&["analyze", "othello", "--why"], &["no player of an evaluation function is given", "--player"]);
    refused(
        &["analyze", "avalam", "--why", "--player", "observer", "--seed", "2"],
        &["--seed is for a search"],
    );
    refused(
        &["analyze", "othello", "--why", "--player", "alphabeta(depth=2)"],
        &["without an evaluation function"],
    );
    refused(&["play", "tetris", "--watch", "--player", "human"], &["--watch: ", "is left to a person"]);
    let two =
        done(&["play", "othello", "--watch", "--first", "greedy", "--second", "random", "--moves", "2"]);
    assert!(two.contains("greedy - random"), "{two}");
    refused(&["play", "tetris", "--watch", "--player", "dn", "--moves", "0"], &["'0'", "from 1 to"]);
    refused(&["play", "tetris", "--watch", "--player", "dn", "--delay", "-1"], &["'-1'", "from 0 to 60"]);
    let long = ["play", "tetris", "--watch", "--player", "dn", "--moves", "10001", "--gif", "x.gif"];
    refused(&long, &["--moves 10001", "at most 10000"]);
}
