//! `evalforge runs FOLDER` as its users meet it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::common::{self, evalforge};

/// The folder of one run of ten generations.
fn folder(name: &str) -> PathBuf {
    let folder = common::folder("report", name);
    let config = "generations = 12\n[task]\nname = \"tetris\"\n[learner]\nname = \"cma-es\"\n";
    fs::write(folder.join("config.toml"), config).unwrap();
    let manifest = json!({
        "format": "evalforge run 1", "experiment": name, "version": "0", "commit": "0", "cpu": "none",
        "threads": 1, "seed": 1, "started": "then", "parameters": ["one", "two"], "unit": "lines",
    });
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    let generation = |number: u64| {
        let line = json!({
            "generation": number, "evaluations": number, "games": number, "seconds": 1.0, "best": 2.0, "mean": 1.0,
            "games_each": [1], "most_games": 1.0, "centre": [3.0, 4.0],
            "standing": {"generation": number, "step": 1.0, "deviations": [], "axes": [], "restarts": 0},
        });
        format!("{line}\n")
    };
    fs::write(folder.join("log.jsonl"), (1..=10).map(generation).collect::<String>()).unwrap();
    folder
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_summary_and_a_page_unless_files_are_asked_for() {
    let folder = folder("default");
    let (code, out, error) = evalforge(&["runs", word(&folder)]);
    assert_eq!((code, error.as_str()), (0, ""));
    for part in ["not finished: generation 10 of 12", "0.600", "0.800", "written: "] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("report-default"));
}

#[test]
fn the_files_that_are_asked_for() {
    let (first, second) = (folder("first"), folder("second"));
    let [html, csv, md] = ["all.html", "all.csv", "all.md"].map(|name| first.join(name));
    let files = ["--html", word(&html), "--csv", word(&csv), "--md", word(&md)];
    let (code, out, _) = evalforge(&[&["runs", word(&first), word(&second)][..], &files].concat());
    assert_eq!((code, out.lines().count()), (0, 3), "{out}");
    assert!(!first.join("report.html").exists());
    assert!(fs::read_to_string(html).unwrap().contains("<h1>2 experiments</h1>"));
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 21);
    assert!(fs::read_to_string(md).unwrap().contains("| one | 0.600 |"));
}

#[test]
fn wrong_input_is_one_line_and_exit_2() {
    let folder = folder("wrong");
    let log = folder.join("log.jsonl");
    let before = fs::read(&log).unwrap();
    let damaged = self::folder("damaged");
    fs::write(damaged.join("log.jsonl"), "{}\n").unwrap();
    let (code, out, _) = evalforge(&["runs", word(&damaged)]);
    assert!(code == 0 && out.contains("line 1 is damaged: missing field"), "{out}");
    for (arguments, part) in [
        (&["runs"][..], "runs: there is no such folder"),
        (&["no/such/folder"], "no/such/folder: there is no such folder"),
        (&[env!("CARGO_TARGET_TMPDIR"), "--md", "x.md"], "manifest.json: it is missing"),
        (&[word(&folder), "--html", "/no/such/folder/x.html"], "--html '/no/such/folder/x.html'"),
        (&[word(&folder), "--csv", word(&log)], "a record of the run"),
        (&[word(&folder), "--csv", "x", "--md", "x"], "already asked for"),
        (&[word(&folder), "--json", "--md", "x"], "cannot be used with"),
    ] {
        let (code, out, error) = evalforge(&[&["runs"][..], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {error}");
        assert!(error.lines().count() == 1 && error.contains(part), "{arguments:?}: {error}");
    }
    assert_eq!(fs::read(&log).unwrap(), before);
}
