//! What a run says of itself: which variant it is, what was expected and whether that came out, and in which unit.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{evalforge, folder, parameters};

const SMALL: &str = r#"
about = "small"
expect = "a thousand lines, as the paper says"
generations = 3
runs = 2
task = { name = "tetris", width = 7, height = 8 }
model = { features = "dellacherie" }
learner = { name = "cma-es", normalize = true, start = "unit" }
fitness = { games = 3 }
curve = { games = 5 }
[[score]]
games = 20
against = ["dellacherie"]
rules = { width = 7, height = 6 }
expect = { at_least = 1000 }
[quick]
generations = 2
"#;

/// Writes an experiment and runs it to its end.
fn learned(place: &Path, text: &str, folder: &str, more: &[&str]) -> (PathBuf, String) {
    let file = place.join("it.toml");
    fs::write(&file, text).unwrap();
    let folder = place.join(folder);
    let given = ["learn", file.to_str().unwrap(), "--out", folder.to_str().unwrap()];
    let (code, out, error) = evalforge(&[&given, more].concat());
    assert_eq!(code, 0, "{error}");
    (folder, out + &error)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_quick_run_says_so_in_every_file() {
    let place = folder("honest", "quick");
    let (full, told) = learned(&place, SMALL, "full", &[]);
    assert!(
        told.contains("expected tetris 7x6: at least 1,000") && told.contains("▼ not met: less"),
        "{told}"
    );
    let (quick, told) = learned(&place, SMALL, "quick", &["--quick"]);
    assert!(told.contains("it (quick variant): cma-es") && !told.contains("expected"), "{told}");
    assert!(read(&quick.join("config.toml")).contains("variant = \"quick\""));
    let manifest: Value = serde_json::from_str(&read(&quick.join("manifest.json"))).unwrap();
    assert_eq!(manifest["variant"], "quick");
    assert!(read(&quick.join("run-01/log.jsonl")).lines().all(|line| line.contains("\"variant\":\"quick\"")));
    for model in ["model.json", "run-02/model.json"] {
        assert!(read(&quick.join(model)).contains("in the quick variant of the experiment it,"));
    }
    assert!(read(&quick.join("report.html")).contains("Quick variant: fewer generations"));
    for file in ["config.toml", "manifest.json", "run-01/log.jsonl", "model.json", "report.html"] {
        let text = read(&full.join(file));
        assert!(!text.contains("variant\"") && !text.contains("variant ="), "{file}");
    }
    // Made again from its own configuration it is what it was.
    let config = read(&quick.join("config.toml"));
    let (again, _) = learned(&place, &config, "again", &[]);
    assert!(read(&again.join("report.html")).contains("Quick variant: fewer generations"));
    let (_, told, _) = evalforge(&["runs", place.to_str().unwrap()]);
    assert_eq!(told.matches("it (quick variant)").count(), 2, "{told}");
}

const PAIRS: &str = r#"
generations = 3
task = { name = "avalam" }
model = { features = "antisymmetric", bounds = [-1, 1] }
learner = { name = "genetic", population = 6 }
fitness = { against = ["random"], openings = 2, pairs = 2 }
curve = { pairs = 3 }
deploy = { choose = "finalists", pairs = 2 }
score = [{ pairs = 5, against = ["random"], expect = { at_least = 0.3 } }]
"#;

/// The same experiment in the words of earlier versions, where a game of some keys was a pair.
const OLD: [(&str, &str); 4] = [
    ("openings = 2, pairs = 2", "openings = 2, games = 2"),
    ("curve = { pairs = 3 }", "curve = { games = 3 }"),
    ("finalists\", pairs = 2", "finalists\", games = 2"),
    ("pairs = 5", "games = 10"),
];

#[test]
fn games_for_two_are_counted_in_pairs() {
    let place = folder("honest", "pairs");
    let (new, told) = learned(&place, PAIRS, "new", &[]);
    assert!(told.contains("n 5 pairs"), "{told}");
    let old = OLD.iter().fold(PAIRS.to_string(), |text, (new, old)| text.replace(new, old));
    let (old, _) = learned(&place, &old, "old", &[]);
    let lines = |folder: &Path| {
        let of = |line: &str| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            (line["seconds"], line["sum"]) = (Value::Null, Value::Null);
            line
        };
        read(&folder.join("log.jsonl")).lines().map(of).collect::<Vec<Value>>()
    };
    assert_eq!(lines(&old), lines(&new));
    for file in ["model.json", "scores.json"] {
        assert_eq!(read(&old.join(file)), read(&new.join(file)), "{file}");
    }
    // Six vectors, two pairs, three generations; the log counts pairs, people are told of games.
    assert_eq!(lines(&new)[2]["games"], 36);
    assert!(read(&new.join("model.json")).contains("3 generations, 72 games"));
    assert!(read(&new.join("report.html")).contains("<dt>games to learn</dt><dd>72</dd>"));
    // Shares lie between 0 and 1, and a few pairs that all end alike prove nothing.
    let within = |ends: &Value| {
        let [low, high] = [0, 1].map(|end| ends[end].as_f64().unwrap());
        assert!(0.0 <= low && low < high && high <= 1.0, "{ends}");
    };
    lines(&new).iter().for_each(|line| within(&line["curve"]["ci95"]));
    let scores: Value = serde_json::from_str(&read(&new.join("scores.json"))).unwrap();
    within(&scores[0]["players"][0]["score"]["ci95"]);
    let file = place.join("it.toml");
    fs::write(&file, PAIRS).unwrap();
    for (key, said) in [
        ("fitness.games=3", "fitness: games = 3 and pairs = 2: must be one of the two"),
        ("score.0.pairs=0", "score.0.pairs = 0: must be from 1 to"),
        ("score.0.expect.at_least=5", "expect: it is a share of the points: must be from 0 to 1"),
    ] {
        let (code, _, error) = evalforge(&["learn", file.to_str().unwrap(), "--set", key]);
        assert!(code == 2 && error.contains(said), "{key}: {error}");
    }
    fs::write(&file, SMALL).unwrap();
    let (code, _, error) = evalforge(&["learn", file.to_str().unwrap(), "--set", "curve={ pairs = 3 }"]);
    assert!(code == 2 && error.contains("curve.pairs = 3: a game for one has no pairs"), "{error}");
}

/// A run that a process of its own has made is the run of the whole, bit for bit, and the report joins the folders.
#[test]
fn runs_are_made_one_by_one_and_joined() {
    let place = folder("honest", "apart");
    let (whole, _) = learned(&place, SMALL, "whole", &[]);
    let lines = |path: &Path| {
        let of = |line: &str| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            (line["seconds"], line["sum"]) = (Value::Null, Value::Null);
            line
        };
        read(path).lines().map(of).collect::<Vec<Value>>()
    };
    let apart = ["1", "2"].map(|run| {
        let (folder, told) = learned(&place, SMALL, &format!("only-{run}"), &["--run", run]);
        assert!(told.contains(&format!(", run {run} of 2, seed 1")), "{told}");
        let own = format!("run-0{run}");
        let log = format!("{own}/log.jsonl");
        assert_eq!(lines(&folder.join(&log)), lines(&whole.join(&log)));
        let [one, all] = [&folder, &whole].map(|folder| parameters(&folder.join(&own)));
        assert!(one == all && one == parameters(&folder), "{one}");
        assert!(!folder.join(["run-02", "run-01"][usize::from(run == "2")]).exists());
        folder
    });
    let [first, second] = [&apart[0], &apart[1]].map(|folder| folder.to_str().unwrap());
    let (code, told, _) = evalforge(&["report", first, second]);
    assert!(code == 0 && told.contains("2 folders as one experiment"), "{told}");
    assert!(told.contains("learned, mean of 2 results") && told.contains("2 of 2"), "{told}");
    let (_, told, _) = evalforge(&["report", "--apart", first, second]);
    assert!(!told.contains("as one experiment"), "{told}");
    // Other seeds are more runs of the same.
    let (other, _) = learned(&place, SMALL, "seed-7", &["--seed", "7"]);
    let csv = place.join("all.csv");
    let given = [whole.to_str().unwrap(), other.to_str().unwrap(), "--csv", csv.to_str().unwrap()];
    assert_eq!(evalforge(&[&["report"], &given[..]].concat()).0, 0);
    let rows = read(&csv);
    assert!(
        rows.contains("\nit,,1,\"seed 1, run-01\",1,") && rows.contains("\nit,,7,\"seed 7, run-02\",3,"),
        "{rows}"
    );
    // One that was broken off goes on as what it is.
    let (code, _, error) = evalforge(&["resume", second]);
    assert!(code == 0 && error.contains("run 2 of 2"), "{error}");
    let (code, _, error) = evalforge(&["learn", place.join("it.toml").to_str().unwrap(), "--run", "3"]);
    assert!(code == 2 && error.contains("run = 3: must be from 1 to 2"), "{error}");
}

#[test]
fn figures_leave_as_svg_and_pdf() {
    let place = folder("honest", "figures");
    let (run, _) = learned(&place, SMALL, "run", &[]);
    let (run, out) = (run.to_str().unwrap(), place.join("figures"));
    let given = ["--axis", "games", "--scale", "linear", "--axis-scale", "log", "--size", "800x500"];
    let figures = ["report", run, "--figures", out.to_str().unwrap()];
    let (code, told, error) = evalforge(&[&figures[..], &given].concat());
    assert!(code == 0 && told.contains("figures into") && told.lines().count() == 1, "{told} {error}");
    let svg = read(&out.join("learning-lines.svg"));
    assert!(svg.contains("width=\"800\"") && svg.contains("games played to learn"), "{svg}");
    assert!(fs::read(out.join("learning-lines.pdf")).unwrap().starts_with(b"%PDF-1.4"));
    let count = |ending: &str| {
        let all = fs::read_dir(&out).unwrap().map(|file| file.unwrap().path());
        all.filter(|path| path.extension().is_some_and(|found| found == ending)).count()
    };
    assert!(count("svg") == count("pdf") && count("pdf") >= 5);
    for (given, said) in [
        (&["--axis", "games"][..], "--figures"),
        (&["--figures", "x", "--size", "80x500"], "two numbers from 200 to 10000"),
        (&["--figures", "x", "--axis", "lines"], "generations, games, time"),
    ] {
        let (code, _, error) = evalforge(&[&["report", run], given].concat());
        assert!(code == 2 && error.contains(said) && error.lines().count() == 1, "{error}");
    }
}
