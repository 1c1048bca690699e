//! `evalforge fit` as its users meet it: models that play, pages, repeated fits, and what is refused.

use std::fs;

use serde_json::Value;

use crate::common::{done, evalforge, folder};

/// Labelled positions of a game, and the path to them.
fn labelled(place: &std::path::Path, game: &str, games: &str, format: &str) -> String {
    let path = place.join(format!("{game}-{format}")).display().to_string();
    done(&["label", game, "--games", games, "--label", "fraction", "--format", format, "--out", &path]);
    path
}

#[test]
fn a_model_is_written_plays_and_comes_out_the_same_again() {
    let place = folder("fit", "plays");
    for (game, games) in [("pushover", "120"), ("othello", "20"), ("avalam", "40")] {
        let [text, packed] = ["text", "packed"].map(|format| labelled(&place, game, games, format));
        let out = |name: &str| place.join(format!("{game}-{name}")).display().to_string();
        let (model, page, other) = (out("a.json"), out("a.html"), out("b.json"));
        let fit = |data: &str, out: &str, threads: &str, more: &[&str]| {
            let fixed =
                ["fit", game, "--data", data, "--form", "mlp(4)", "--with", "bfgs", "--iterations", "12"];
            let rest = ["--starts", "2", "--force", "--out", out, "--threads", threads];
            done(&[&fixed[..], &rest, more].concat())
        };
        let said = fit(&text, &model, "1", &["--html", &page]);
        for part in
            ["mlp(4) over", "learned from", "validation loss 0.", "won and lost told apart in", "written: "]
        {
            assert!(said.contains(part), "no '{part}' in\n{said}");
        }
        let json: Value = serde_json::from_str(&fit(&packed, &other, "3", &["--json"])).unwrap();
        assert_eq!(
            fs::read(&model).unwrap(),
            fs::read(&other).unwrap(),
            "formats and threads change nothing"
        );
        assert_eq!(json["starts"].as_array().unwrap().len(), 2);
        let right = &json["judged"]["right"];
        let [low, share, high] =
            [&right["ci95"][0], &right["share"], &right["ci95"][1]].map(|number| number.as_f64().unwrap());
        assert!(0.0 <= low && low < share && share < high && high <= 1.0, "{right}");
        assert!(right["n"].as_u64() > right["games"].as_u64());
        let page = fs::read_to_string(&page).unwrap();
        for part in ["<svg", "Calibration", "said to be won", "Training and validation loss"] {
            assert!(page.contains(part), "no '{part}' on the page");
        }
        for player in
            [model.clone(), format!("greedy(eval={model})"), format!("alphabeta(depth=1, eval={model})")]
        {
            done(&["duel", game, &player, "random", "--games", "2", "--threads", "1"]);
        }
    }
}

#[test]
fn every_model_and_optimiser_fits() {
    let place = folder("fit", "all");
    let data = labelled(&place, "pushover", "60", "text");
    for (model, with) in [
        ("linear", "lbfgs(memory=4)"),
        ("logistic", "adam(rate=0.01)"),
        ("network(3)", "sgd"),
        ("mlp(6, 3, relu)", "adam"),
        ("mlp(4, sigmoid, T=0.5, theta=1)", "bfgs"),
        ("exponential", "adam"),
    ] {
        let out = place.join("model.json").display().to_string();
        let iterations =
            ["--iterations", "4", "--force", "--out", &out, "--features", "muller", "--balance", "side"];
        done(
            &[&["fit", "pushover", "--data", &data, "--form", model, "--with", with], &iterations[..]]
                .concat(),
        );
        done(&["duel", "pushover", &out, "random", "--games", "2", "--threads", "1"]);
    }
}

#[test]
fn the_database_of_the_paper_is_read_too() {
    let path = folder("fit", "paper").join("database.txt");
    let game = "o...............Ao  0.142\no...........+...M+ -0.285\noo..........+...Ao  0.428\n\
                oo..........++..N+ -0.571\nooo.........++..Ao  0.714\nooo.........+++.O+ -0.857\n\
                oooo........+++.Ao  1.000\n";
    fs::write(&path, game.repeat(5)).unwrap();
    let fit = |more: &[&str]| {
        let (path, fixed) =
            (path.display().to_string(), ["fit", "pushover", "--target", "sign", "--json", "--data"]);
        evalforge(&[&fixed[..], &[&path], more].concat())
    };
    let (code, out, error) = fit(&["--select", "|e|>0.5"]);
    assert_eq!(code, 0, "{error}");
    let json: Value = serde_json::from_str(&out).unwrap();
    // Three of each game lie in its second half and go on; one game in five is held out.
    assert_eq!((json["positions"].as_u64(), json["games"].as_u64()), (Some(12), Some(4)));
    fs::write(&path, format!("{game}oo..........++x.N+ 0.5\n")).unwrap();
    let (code, _, error) = fit(&[]);
    assert_eq!(code, 2);
    assert!(error.contains("line 8: position") && error.contains("'x' in cell 14"), "{error}");
}

#[test]
fn wrong_input_is_named() {
    let place = folder("fit", "wrong");
    let data = labelled(&place, "pushover", "20", "text");
    let damaged = place.join("damaged").display().to_string();
    let text = fs::read_to_string(&data).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let damage = |line: &str| fs::write(&damaged, format!("{}\n{}\n{line}\n", lines[0], lines[1])).unwrap();
    let refused = |arguments: &[&str], said: &str| {
        let (code, out, error) = evalforge(&[&["fit", "pushover"], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {error}");
        assert!(error.contains(said) && error.lines().count() == 1, "{arguments:?}: {error}");
    };
    for (option, value, said) in [
        ("--select", "|won|>0", "unknown column 'won'; known: e, label, first, ply, game"),
        ("--select", "|e|>1", "no position is left to learn from: of "),
        ("--form", "mlp(0)", "unknown form 'mlp(0)'; known: linear"),
        ("--form", "mlp(16, sigmoid, T=0)", "unknown form"),
        ("--with", "bgfs", "unknown optimiser 'bgfs'; known: bfgs, lbfgs, adam, sgd"),
        ("--with", "adam(rate=-1)", "adam: rate cannot be '-1'; allowed: above 0"),
        ("--loss", "hinge", "unknown loss 'hinge'; known: squared"),
        ("--target", "score", "unknown target 'score'; known: label, sign"),
        ("--balance", "half", "unknown balance 'half'; known: none, sign, side"),
        ("--validation", "95%", "allowed: from 0 to 90%"),
        ("--features", "bord", "--features: unknown feature 'bord'; known: board, muller"),
        ("--starts", "0", "allowed: a whole number from 1"),
        ("--decay", "-1", "allowed: a number from 0"),
        ("--size", "5", "--size: the rules are those of the data"),
        ("--out", "no/such/folder/model.json", "--out 'no/such/folder/model.json'"),
    ] {
        refused(&["--data", &data, option, value], said);
    }
    refused(&["--data", "no/such/file"], "--data: positions 'no/such/file'");
    refused(&[], "--data");
    damage("oo..............A+\t0.5\t2");
    refused(&["--data", &damaged], "line 3: position, label, ply and game are expected");
    damage("oo..............A+\t7\t2\t0");
    refused(&["--data", &damaged], "line 3: a label lies from -1 to 1");
    damage("oo......x.......A+\t0.5\t2\t0");
    refused(&["--data", &damaged], "position number 2 (line 3 of a text file): position 'oo......x");
    fs::write(&damaged, "something else\n").unwrap();
    refused(&["--data", &damaged], "it does not begin with");
    let (code, _, error) = evalforge(&["fit", "othello", "--data", &data]);
    assert!(code == 2 && error.contains("positions of 'pushover', but othello is expected"), "{error}");
    let (code, _, error) = evalforge(&["fit", "tetris", "--data", &data]);
    assert!(code == 2 && error.contains("for one player"), "{error}");
}
