//! `evalforge label` as its users meet it: files written, read back, kept, broken off, refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use games::Game;
use games::othello::Othello;
use games::pushover::Pushover;
use serde_json::Value;
use train::data::{Label, read};

use crate::common::{evalforge, folder, program};

/// An empty place of a test's own.
fn place(name: &str) -> PathBuf {
    folder("label", name)
}

fn done(path: &Path, arguments: &[&str]) -> String {
    let (code, out, error) = evalforge(&[arguments, &["--out", path.to_str().unwrap()]].concat());
    assert_eq!(code, 0, "{error}");
    out
}

#[test]
fn positions_come_back_from_both_formats_and_any_number_of_threads() {
    let place = place("formats");
    let label = ["label", "othello", "--games", "30", "--seed", "7", "--label", "fraction"];
    let [one, three, packed] = ["one.txt", "three.txt", "packed"].map(|name| place.join(name));
    let out = done(&one, &[&label[..], &["--threads", "1"]].concat());
    for part in [
        "othello, 30 games of random after 6 random plies, seed 7, 1 threads",
        " positions labelled by fraction in ",
        "for the side to move: above 0 ",
    ] {
        assert!(out.contains(part), "no '{part}' in\n{out}");
    }
    done(&three, &[&label[..], &["--threads", "3"]].concat());
    assert_eq!(fs::read(&one).unwrap(), fs::read(&three).unwrap());
    let json: Value = serde_json::from_str(&done(
        &packed,
        &[&label[..], &["--format", "packed", "--threads", "2", "--json"]].concat(),
    ))
    .unwrap();
    let (text, packed_data) = (read(&one).unwrap(), read(&packed).unwrap());
    assert_eq!(text, packed_data);
    assert_eq!(json["positions"], text.positions.len());
    assert_eq!(json["bytes"], fs::metadata(&packed).unwrap().len());
    assert_eq!((&json["games"], &json["complete"]), (&30.into(), &true.into()));
    assert!(fs::metadata(&packed).unwrap().len() * 2 < fs::metadata(&one).unwrap().len());
    assert_eq!((text.header.label.clone(), text.games()), (Label::Fraction, 30));
    assert!(text.parsed::<Othello>().unwrap().all(|position| position.is_ok()));
    // The lines are as described.
    let content = fs::read_to_string(&one).unwrap();
    let (header, lines) = content.split_once('\n').unwrap();
    assert!(header.starts_with("evalforge positions 1 text {\"game\":\"othello\""), "{header}");
    let fields: Vec<&str> = lines.lines().next().unwrap().split('\t').collect();
    assert_eq!((fields.len(), fields[2], fields[3]), (4, "6", "0"));
    assert_eq!(fs::read_dir(&place).unwrap().count(), 3, "nothing else is left");
}

#[test]
fn rules_and_two_players_and_symmetries() {
    let place = place("options");
    let path = place.join("it.txt");
    let label =
        ["label", "pushover", "--size", "5", "--player", "greedy", "--player", "random", "--games", "40"];
    let more = ["--openings", "2", "--label", "simulations:5", "--every", "2", "--distinct"];
    let out = done(&path, &[&label[..], &more].concat());
    assert!(out.contains("pushover, size 5, 40 games of greedy and random after 2"), "{out}");
    assert!(out.contains(" more were equal to one of them"), "{out}");
    let data = read(&path).unwrap();
    assert_eq!(data.header.players, ["greedy", "random"]);
    assert!(data.header.distinct && data.rules::<Pushover>().unwrap().size == 5);
    let mut texts = std::collections::HashSet::new();
    for position in data.parsed::<Pushover>().unwrap() {
        let (position, label) = position.unwrap();
        assert!((label * 5.0 - (label * 5.0).round()).abs() < 1e-5, "{label} of five games");
        let images = (0..Pushover::SYMMETRIES).map(|symmetry| position.mirrored(symmetry).text());
        assert!(texts.insert(images.min().unwrap()));
    }
}

#[test]
fn a_search_labels() {
    let path = place("search").join("it.txt");
    let label = ["label", "avalam", "--games", "3", "--openings", "24"];
    let out = done(&path, &[&label[..], &["--label", "search:alphabeta(depth=3, table=1)"]].concat());
    assert!(out.contains("labelled by search:alphabeta(depth=3, table=1) in"), "{out}");
    let data = read(&path).unwrap();
    assert_eq!(data.header.label.to_string(), "search:alphabeta(depth=3, table=1)");
    assert!(data.positions.iter().any(|position| position.label.abs() == 1.0));
}

#[test]
fn recorded_games_are_labelled_and_learned_from() {
    let place = place("recorded");
    let (games, out) = (place.join("games.ggf"), place.join("it.txt"));
    fs::write(&games, "(;RE[-4]B[d3]W[c3];)\n(;RE[12]B[f5]W[d6]B[c3];)\n(;B[f5];)\n").unwrap();
    let label = ["label", "othello", "--data", games.to_str().unwrap()];
    let said = done(&out, &[&label[..], &["--label", "difference/64"]].concat());
    assert!(said.contains("othello, 2 recorded games, seed "), "{said}");
    assert!(said.contains("left out: 0 games of other years, 1 without a result"), "{said}");
    let labels = |path: &Path| -> Vec<f32> {
        read(path).unwrap().positions.iter().map(|one| 64.0 * one.label).collect()
    };
    assert_eq!(labels(&out), [-4.0, 4.0, -4.0, 12.0, -12.0, 12.0, -12.0]);
    // A search needs no result, and what it finds in discs is learned from.
    let by_value = ["--label", "value/64:alphabeta(depth=2)", "--force", "--json"];
    let json: Value = serde_json::from_str(&done(&out, &[&label[..], &by_value].concat())).unwrap();
    assert_eq!((&json["games"], &json["positions"]), (&3.into(), &9.into()));
    assert_eq!(json["recorded"]["without_score"], 0);
    assert!(labels(&out).iter().all(|discs| discs.fract() == 0.0 && discs.abs() < 20.0));
    // With this seed the lots leave games to learn from and games to test on.
    let regress =
        ["fit", "tables", "othello", "--features", "criteria", "--validation", "0.5", "--seed", "2"];
    let (code, _, error) = evalforge(&[&regress[..], &["--data", out.to_str().unwrap()]].concat());
    assert_eq!(code, 0, "{error}");
    for (more, said) in [
        (&["--years", "2001"][..], "--data: nothing to label: 3 games of other years"),
        (&["--years", "2002-2001"], "allowed: a year from 1 to 9999, or two of them"),
        (&["--games", "3"], "cannot be used with"),
        (&["--data", "no.txt"], "'no.txt': the name of a file of games ends with .wtb or .ggf"),
    ] {
        let path = place.join("none").display().to_string();
        let (code, _, error) = evalforge(&[&label[..], &["--out", &path], more].concat());
        assert!(code == 2 && error.contains(said), "{error}");
    }
    let (code, _, error) = evalforge(&["label", "avalam", "--data", "games.ggf", "--out", "none"]);
    assert!(code == 2 && error.contains("--data"), "{error}");
}

#[test]
fn a_file_is_replaced_only_by_force() {
    let place = place("force");
    let path = place.join("mine.txt");
    fs::write(&path, "mine").unwrap();
    let label = ["label", "avalam", "--games", "2", "--out", path.to_str().unwrap()];
    let (code, _, error) = evalforge(&label);
    assert!(code == 2 && error.contains("it exists; --force replaces it"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    // An error later on leaves it, too.
    let (code, _, _) = evalforge(&[&label[..], &["--force", "--player", "nobody"]].concat());
    assert_eq!((code, fs::read_to_string(&path).unwrap().as_str()), (2, "mine"));
    assert_eq!(evalforge(&[&label[..], &["--force"]].concat()).0, 0);
    assert_eq!(read(&path).unwrap().games(), 2);
    assert_eq!(fs::read_dir(&place).unwrap().count(), 1);
}

#[test]
#[cfg(unix)]
fn ctrl_c_keeps_the_games_that_are_whole() {
    let place = place("interrupted");
    let path = place.join("it");
    let mut command = program();
    command.args(["label", "avalam", "--games", "1000000", "--openings", "0", "--label", "simulations:20"]);
    command.args(["--format", "packed", "--threads", "2", "--out", path.to_str().unwrap()]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!path.exists(), "a file that is not whole has no name yet");
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("interrupted; ") && error.contains(" of 1000000 games"), "{error}");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("the openings ran out (1 different)"), "{out}");
    let data = read(&path).unwrap();
    let games = data.games();
    let again = place.join("again");
    let games = games.to_string();
    done(&again, &["label", "avalam", "--games", &games, "--openings", "0", "--label", "simulations:20"]);
    assert_eq!(read(&again).unwrap(), data);
    assert_eq!(fs::read_dir(&place).unwrap().count(), 2);
}

#[test]
fn wrong_input_is_one_line() {
    let place = place("wrong");
    let path = place.join("it.txt");
    let path = path.to_str().unwrap();
    let folder = place.to_str().unwrap();
    for (arguments, said) in [
        ("othello", "--out"),
        ("othello --out PATH --games 0", "allowed: a whole number from 1"),
        ("othello --out PATH --games x", "'x'"),
        ("othello --out PATH --every 0", "allowed: a whole number from 1"),
        ("othello --out PATH --openings 90", "--openings 90: random games of othello are over before"),
        ("othello --out PATH --openings -1", "allowed: a whole number from 0"),
        ("othello --out PATH --label outcomes", "unknown label 'outcomes'; known: outcome, fraction"),
        ("othello --out PATH --label simulations:0", "allowed: 1 to"),
        ("othello --out PATH --label search:random", "unknown search 'random'"),
        ("othello --out PATH --label search:alphabeta(time=-1)", "time cannot be '-1'; allowed: seconds"),
        ("othello --out PATH --label search:alphabeta(eval=no/such.json)", "no/such.json"),
        ("othello --out PATH --format csv", "unknown format 'csv'; known: text, packed"),
        ("othello --out PATH --player randm", "unknown player 'randm' (did you mean 'random'?)"),
        ("othello --out PATH --player random --player greedy --player random", "--player: 3 given"),
        ("othello --out no/such/file", "--out 'no/such/file'"),
        ("othello --out FOLDER", "it is there and is not a file"),
        ("othello --out FOLDER --force", "it is there and is not a file"),
        ("othelo --out PATH", "did you mean 'othello'?"),
        ("tetris --out PATH", "game 'tetris' is for one player"),
        ("pushover --out PATH --size 9", "size"),
    ] {
        let words = arguments.split(' ').map(|word| match word {
            "PATH" => path,
            "FOLDER" => folder,
            word => word,
        });
        let words: Vec<&str> = ["label"].into_iter().chain(words).collect();
        let (code, out, error) = evalforge(&words);
        assert!(code == 2 && out.is_empty() && error.lines().count() == 1, "{arguments}: {code} {error}");
        assert!(error.contains(said), "{arguments}: {error}");
    }
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0, "nothing is left behind");
}
