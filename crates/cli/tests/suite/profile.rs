//! `evalforge tune clock` as its users meet it: measured, written, drawn, used by a clock, refused.

use std::fs;

use serde_json::Value;

use crate::common::{evalforge, folder, refused};

#[test]
fn a_search_is_measured_and_a_clock_uses_it() {
    let place = folder("profile", "measured");
    let [ratios, plot] =
        ["ratios.json", "plot.html"].map(|name| place.join(name).to_str().unwrap().to_string());
    let profile =
        ["tune", "clock", "avalam", "--depth", "3", "--games", "5", "--openings", "2", "--seed", "4"];
    let (code, out, error) =
        evalforge(&[&profile[..], &["--force", "--out", &ratios, "--html", &plot]].concat());
    assert_eq!(code, 0, "{error}");
    for part in [
        "avalam, 5 games of alphabeta(depth=3) after 0 to 2 random plies, seed 4",
        "legal moves",
        "depth 3",
        "first quartile",
    ] {
        assert!(out.contains(part), "no '{part}' in\n{out}");
    }
    // Two games of five begin at the start.
    assert!(out.lines().any(|line| line.split_whitespace().take(3).eq(["1", "2", "292.0"])), "{out}");
    let page = fs::read_to_string(&plot).unwrap();
    assert_eq!((page.matches("<svg").count(), page.matches("</html>").count()), (2, 1));
    assert!(page.contains("Legal moves by step") && page.contains("Time of each depth by step"));
    let file: Value = serde_json::from_str(&fs::read_to_string(&ratios).unwrap()).unwrap();
    assert_eq!((&file["game"], &file["games"]), (&"avalam".into(), &5.into()));
    let clock = format!("alphabeta(game-time=0.2, clock={ratios})");
    let (code, out, error) = evalforge(&["duel", "avalam", &clock, "random", "--games", "2", "--json"]);
    assert_eq!(code, 0, "{error}");
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["wins"], 2);
    let (code, _, error) = evalforge(&["duel", "othello", &clock, "random", "--games", "2"]);
    assert!(code == 2 && error.contains("it is of 'avalam', not of othello"), "{error}");
    fs::write(&ratios, "{}").unwrap();
    let (code, _, error) = evalforge(&["duel", "avalam", &clock, "random", "--games", "2"]);
    assert!(code == 2 && error.contains("not what 'evalforge tune clock' writes"), "{error}");
}

#[test]
fn what_no_clock_has_to_do_with_is_the_same_on_any_number_of_threads() {
    let counted = |threads: &str| {
        let arguments =
            ["tune", "clock", "pushover", "--depth", "3", "--games", "9", "--json", "--threads", threads];
        let (code, out, error) = evalforge(&arguments);
        assert_eq!(code, 0, "{error}");
        let value: Value = serde_json::from_str(&out).unwrap();
        let counts = value["steps"].as_array().unwrap().iter().map(|step| {
            let depths = step["depths"].as_array().unwrap().iter();
            let nodes: Vec<Value> = depths.map(|depth| depth["nodes"].clone()).collect();
            (step["step"].clone(), step["moves"].clone(), step["range"].clone(), nodes)
        });
        counts.collect::<Vec<_>>()
    };
    assert_eq!(counted("1"), counted("3"));
}

#[test]
fn wrong_input_is_one_line() {
    for (arguments, said) in [
        ("avalam --player random", "--player random: it does not search; allowed: alphabeta(...)"),
        ("avalam --player mcts", "only alphabeta(...) goes from depth to depth"),
        ("avalam --player alfabeta", "did you mean 'alphabeta'?"),
        ("avalam --player alphabeta(clock=no/such)", "clock 'no/such': No such file"),
        ("avalam --games 0", "allowed: a whole number from 1"),
        ("avalam --time 0", "allowed: a number from 0.001"),
        ("avalam --time nan", "allowed: a number from 0.001"),
        ("avalam --depth 0", "allowed: a whole number from 1"),
        ("avalam --openings 50", "--openings = 50: a random game of avalam is over before"),
        ("avalam --out no/such/file", "--out 'no/such/file'"),
        ("avalam --html no/such/file", "--html 'no/such/file'"),
        (
            "avalam --player alphabeta(game-time=1) --html page.html",
            "--html 'page.html': a game time leaves out depths",
        ),
        ("avalan", "did you mean 'avalam'?"),
        ("tetris", "game 'tetris' is for one player"),
    ] {
        let words: Vec<&str> = ["tune", "clock"].into_iter().chain(arguments.split(' ')).collect();
        refused(&words, &[said]);
    }
}
