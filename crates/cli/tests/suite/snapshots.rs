//! What people read, word by word: help, lists, tables, reports and errors, kept in `tests/snapshots`. A change of any of them is a
//! decision: `BLESS=1 cargo test -p evalforge-cli snapshots` accepts it, and the diff shows it. Times and speeds are left out.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::common::{folder, program};

fn snapshots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// Compares with what is kept.
fn same(name: &str, text: &str) {
    let path = snapshots().join(format!("{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let missing = |error| panic!("{}: {error}; BLESS=1 writes it", path.display());
    let kept = fs::read_to_string(&path).unwrap_or_else(missing);
    let mut lines = kept.lines().zip(text.lines()).enumerate();
    if let Some((number, (kept, now))) = lines.find(|(_, (kept, now))| kept != now) {
        panic!("{name}.txt, line {}: was\n{kept}\nis\n{now}\nBLESS=1 accepts it", number + 1);
    }
    assert_eq!(kept.len(), text.len(), "{name}.txt has other lines at its end; BLESS=1 accepts it");
}

/// The command as it is typed, what it prints on 80 columns, and its exit code if that is not 0.
fn session(words: &[&str]) -> String {
    let output = program().args(words).env("COLUMNS", "80").env_remove("BLESS").output().unwrap();
    let typed: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let code = match output.status.code().unwrap() {
        0 => String::new(),
        code => format!("(exit code {code})\n"),
    };
    let typed = format!("$ evalforge {}", typed.join(" "));
    format!("{}\n{out}{error}{code}\n", typed.trim_end())
}

fn quoted(word: &str) -> String {
    if word.contains([' ', '(']) { format!("'{word}'") } else { word.to_string() }
}

/// Without what depends on the machine.
fn timeless(text: &str) -> String {
    let line = |line: &str| match (line.split_once(" a move takes "), line.split_once(" decisions/s ")) {
        (Some((before, _)), _) => format!("{before} a move takes #\n"),
        (_, Some((_, after))) => format!("  # decisions/s {after}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The names in a section of a help text.
fn names(help: &str, section: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != section).skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    // Deeper lines go on with the one before.
    let names =
        lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_string).collect()
}

#[test]
fn help() {
    let whole = session(&["--help"]);
    same("help", &whole);
    let commands = names(&whole, "Commands:");
    assert!((10..=17).contains(&commands.len()), "{commands:?}");
    let mut kept = vec!["help.txt".to_string()];
    for command in commands.iter().filter(|name| *name != "help") {
        let mut text = session(&[command, "--help"]);
        // Of two games, of which one has a solver, a protocol and files of games, if the command knows it.
        let games = ["Games:", "Games, and more:"].map(|section| names(&text, section)).concat();
        if let Some(game) = games.iter().find(|game| *game == "othello").or(games.first()) {
            text += &session(&[command, game, "--help"]);
        }
        for below in ["clock", "probcut", "tables", "export", "perft"] {
            if text.contains(&format!("\n  {below} ")) {
                text += &session(&[command, below, "othello", "--help"]);
            }
        }
        same(&format!("help-{command}"), &text);
        kept.push(format!("help-{command}.txt"));
    }
    let files =
        fs::read_dir(snapshots()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let others: Vec<String> = files.filter(|file| file.starts_with("help") && !kept.contains(file)).collect();
    assert!(others.is_empty(), "there are no such commands: {others:?}");
}

#[test]
fn lists() {
    for kind in ["games", "features", "models", "learners", "searches", "players", "experiments"] {
        same(&format!("list-{kind}"), &session(&["list", kind]));
    }
    same("list-players-othello", &session(&["list", "players", "othello"]));
}

#[test]
fn tables() {
    let duel = ["duel", "othello", "greedy", "random", "--games", "10", "--seed", "3", "--threads", "1"];
    same("duel", &timeless(&session(&duel)));
    let score = ["score", "tetris", "--width", "6", "--height", "8", "--player", "dellacherie", "--player"];
    let games = ["dn", "--games", "12", "--threads", "1"];
    same("score", &timeless(&session(&[&score[..], &games].concat())));
}

const SPHERE: &str = "about = \"a test function\"\ngenerations = 6\nseed = 5\n[task]\nname = \"sphere\"\ndimension = 3\n\
                      [learner]\nname = \"cma-es\"\n";

/// Replaces what depends on the day and the machine in the records of a run.
fn stop_the_clock(run: &Path) {
    let log = fs::read_to_string(run.join("log.jsonl")).unwrap();
    let timeless = log.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record["seconds"] = json!(1.0);
        record.as_object_mut().unwrap().remove("sum");
        format!("{record}\n")
    });
    fs::write(run.join("log.jsonl"), timeless.collect::<String>()).unwrap();
    let manifest = fs::read_to_string(run.join("manifest.json")).unwrap();
    let mut manifest: Value = serde_json::from_str(&manifest).unwrap();
    for (key, value) in [("version", "0"), ("commit", "0"), ("cpu", "none"), ("started", "then")] {
        manifest[key] = json!(value);
    }
    fs::write(run.join("manifest.json"), manifest.to_string()).unwrap();
}

#[test]
fn reports() {
    let place = folder("snapshots", "reports");
    let (file, run) = (place.join("sphere.toml"), place.join("run"));
    fs::write(&file, SPHERE).unwrap();
    let learn = ["learn", file.to_str().unwrap(), "--out", run.to_str().unwrap(), "--threads", "1"];
    let learned = program().args(learn).output().unwrap();
    assert!(learned.status.success(), "{}", String::from_utf8_lossy(&learned.stderr));
    stop_the_clock(&run);

    let markdown = place.join("report.md");
    let run = run.to_str().unwrap();
    let plain = |text: String| text.replace(place.to_str().unwrap(), "PLACE");
    let text = plain(session(&["runs", run]));
    // The size of the page is no matter of words.
    let text: String =
        text.lines().filter(|line| !line.starts_with("written: ")).map(|line| format!("{line}\n")).collect();
    same("report", &text);
    session(&["runs", run, "--md", markdown.to_str().unwrap()]);
    same("report-markdown", &plain(fs::read_to_string(&markdown).unwrap()));
}

/// One of each family, and of those that all commands share.
#[test]
fn errors() {
    let wrong: &[&[&str]] = &[
        &[],
        &["paly"],
        &["list", "feature"],
        &["list", "searches", "othello"],
        &["score", "tetris", "--features", "hole", "--weights", "1"],
        &["learn", "tetris-quick", "--set", "score.games=3"],
        &["learn", "tetris-quick", "--set", "budget=3"],
        &["duel", "othello", "greedy", "random", "--alpha", "0.1"],
        &["completions", "bsh"],
        &["play", "otelo"],
        &["play", "othello", "--second", "gredy"],
        &["play", "othello", "--position", "XO"],
        &["play", "othello", "--watch", "--player", "dn"],
        &["review", "nowhere.txt"],
        &["analyze", "tetris", "--player", "dn", "--piece", "X"],
        &["analyze", "othello", "--player", "alphabeta(dept=3)"],
        &["learn", "nothing"],
        &["learn", "tetris-cma", "--set", "generations"],
        &["learn", "--resume", "nowhere"],
        &["runs", "nowhere"],
        &["reproduce", "tetris-score"],
        &["score", "tetris"],
        &["score", "othello", "--player", "dn"],
        &["score", "tetris", "--player", "dn", "--games", "-3"],
        &["duel", "tetris", "dn", "dt-10"],
        &["duel", "othello", "greedy", "random", "--gmaes", "10"],
        &["duel", "othello", "greedy", "random", "--games", "7"],
        &["duel", "othello", "greedy"],
        &["duel", "avalam", "a", "b", "c"],
        &["tune", "time"],
        &["score", "tetris", "--player", "dn", "--method", "height"],
        &["bench", "perft", "pushover", "3", "--size", "9"],
        &["bench", "go"],
        &["tune", "clock", "othello", "--player", "random"],
        &["score", "othello", "--method", "grade"],
        &["label", "othello", "--out", "nowhere/a.txt", "--label", "outcomes"],
        &["fit", "othello", "--data", "nowhere.txt", "--form", "liner"],
        &["fit", "tables", "othello", "--data", "nowhere.wtb", "--discs", "1-2"],
        &["fit", "export", "--to", "edax", "nowhere.tables", "--out", "nowhere/eval.dat"],
        &["tune", "probcut", "othello", "--depth", "2"],
        &["engine", "tetris", "--player", "dn"],
        &["engine", "othello", "--protocol", "xml-rpc"],
        &["solve", "avalam"],
        &["solve", "tetris", "--width", "10", "--height", "20"],
    ];
    same("errors", &wrong.iter().map(|words| session(words)).collect::<String>());
}
