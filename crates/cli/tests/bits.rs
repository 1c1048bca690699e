//! The same results on every machine: weights, scores and pages of small runs are those that are kept, bit for bit. `tests/portable.sh` runs
//! this with programs built for other processors. A change is a decision: `BLESS=1 cargo test -p evalforge-cli --test bits` writes what has
//! changed on purpose, and the change log says why.

#[path = "suite/common.rs"]
#[expect(dead_code, reason = "the suite uses all of it")]
mod common;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use common::{done, folder};

/// Every learner, and models with all kinds of functions.
const EXPERIMENTS: &[(&str, &str)] = &[
    (
        "cma-es",
        r#"
        generations = 12
        task = { name = "tetris", width = 7, height = 8 }
        model = { features = "bertsekas" }
        learner = { name = "cma-es", normalize = true, start = "unit" }
        fitness = { racing = { bound = "hoeffding", low = 0, high = 60, maximum = 12 } }
        curve = { games = 5 }
        score = [{ games = 20, against = ["dellacherie"], rules = { width = 7, height = 6 } }]
        "#,
    ),
    (
        "cma-es alone",
        r#"
        generations = 400
        task = { name = "rosenbrock", dimension = 24 }
        learner = { name = "cma-es" }
        "#,
    ),
    (
        "noisy-ce",
        r#"
        generations = 8
        task = { name = "tetris", width = 7, height = 8 }
        model = { features = "dellacherie" }
        learner = { name = "noisy-ce", noise = "geometric", population = 20 }
        fitness = { games = 2 }
        score = [{ games = 10, rules = { width = 7, height = 6 } }]
        "#,
    ),
    (
        "genetic",
        r#"
        generations = 5
        task = { name = "tetris", width = 6, height = 6, preview = "on" }
        model = { features = "boehm", form = "exponential", search = "lookahead", bounds = [-2, 2] }
        learner = { name = "genetic", population = 10 }
        fitness = { games = 1 }
        score = [{ games = 4, rules = { width = 6, height = 6, preview = "on" } }]
        "#,
    ),
    (
        "swarm",
        r#"
        generations = 6
        task = { name = "tetris", width = 7, height = 8 }
        model = { features = "dellacherie", form = "network(4)" }
        learner = { name = "swarm", population = 12 }
        fitness = { games = 2 }
        score = [{ games = 10, rules = { width = 7, height = 6 } }]
        "#,
    ),
    (
        "td-solo",
        r#"
        generations = 6
        task = { name = "tetris", width = 5, height = 5 }
        model = { features = "lines,cells-2x5" }
        learner = { name = "td-solo", games = 100, lambda = 0.3, given = { lines = 1 } }
        score = [{ games = 50, rules = { width = 5, height = 5 } }]
        "#,
    ),
    (
        "teacher",
        r#"
        generations = 2
        task = { name = "tetris", width = 6, height = 8 }
        model = { features = "dt", start = "dt-20" }
        learner = { name = "teacher", boards = 200, epochs = 3, frozen = ["holes"] }
        score = [{ games = 10, rules = { width = 6, height = 8 } }]
        "#,
    ),
    (
        "td",
        r#"
        generations = 6
        task = { name = "pushover", size = 3 }
        model = { features = "board", form = "mlp(6)" }
        learner = { name = "td", games = 100 }
        fitness = { openings = 2 }
        score = [{ games = 20, against = ["random"], rules = { size = 3 } }]
        "#,
    ),
    (
        "rounds",
        r#"
        generations = 4
        task = { name = "pushover", size = 3 }
        model = { features = "board", form = "mlp(6)" }
        learner = { name = "rounds", games = 40, window = 3, iterations = 8, label = "return", lambda = 0.5 }
        fitness = { openings = 2 }
        score = [{ games = 20, against = ["random"], rules = { size = 3 } }]
        "#,
    ),
];

/// What is not of the result: when, where, how long, and by which version.
const ASIDE: &[&str] = &[
    "schema",
    "seconds",
    "started",
    "commit",
    "cpu",
    "threads",
    "version",
    "decisions_per_second",
    "seconds_per_move",
];

/// What is of the result only by what it is a checksum or a copy of.
const COPIES: &[&str] = &["sum", "source", "config", "plan"];

/// Sets what is not of the result to 1, and leaves copies out.
fn set_aside(value: &mut Value) {
    match value {
        Value::Object(map) => {
            COPIES.iter().for_each(|key| drop(map.remove(*key)));
            for (key, value) in map {
                if ASIDE.contains(&key.as_str()) {
                    *value = if value.is_string() { "1".into() } else { 1.into() };
                }
                set_aside(value);
            }
        }
        Value::Array(all) => all.iter_mut().for_each(set_aside),
        _ => {}
    }
}

fn results_of(text: &str) -> String {
    let mut all = String::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let mut value = value.unwrap();
        set_aside(&mut value);
        writeln!(all, "{value}").unwrap();
    }
    all
}

/// FNV-1a.
fn digest(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Every result with its name.
fn results(place: &Path) -> Vec<(String, String)> {
    let path = |name: &str| place.join(name).to_str().unwrap().to_string();
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap();
    let mut all = Vec::new();
    for (name, text) in EXPERIMENTS {
        let (file, out) = (path("it.toml"), path(name));
        fs::write(&file, text).unwrap();
        done(&["learn", &file, "--out", &out, "--threads", "2"]);
        let mut result = String::new();
        for record in ["log.jsonl", "model.json", "scores.json", "manifest.json"] {
            let record = format!("{name}/{record}");
            if place.join(&record).exists() {
                let found = results_of(&read(&record));
                fs::write(place.join(&record), &found).unwrap();
                result += &found;
            }
        }
        all.push((format!("learn {name}"), result));
    }
    done(&["runs", &path("cma-es"), &path("swarm"), "--html", &path("a.html"), "--md", &path("a.md")]);
    // Where the runs lie is not of the result.
    all.push(("report".into(), (read("a.html") + &read("a.md")).replace(place.to_str().unwrap(), "")));

    done(&["label", "pushover", "--games", "60", "--label", "fraction", "--out", &path("data")]);
    all.push(("label".into(), read("data")));
    for (model, with) in
        [("mlp(4)", "bfgs"), ("logistic", "adam"), ("mlp(4)", "lbfgs"), ("polynomial(2)", "sgd")]
    {
        let fixed = [
            "fit",
            "pushover",
            "--data",
            &path("data"),
            "--iterations",
            "10",
            "--force",
            "--out",
            &path("model.json"),
        ];
        done(&[&fixed[..], &["--form", model, "--with", with]].concat());
        all.push((format!("fit {model} {with}"), results_of(&read("model.json"))));
    }
    for arguments in [
        &["score", "tetris", "--height", "10", "--games", "10", "--player", "dn", "--player", "dt-20"][..],
        &["score", "tetris", "--width", "6", "--height", "6", "--games", "10", "--player", "lookahead(dn)"],
        &["duel", "avalam", "mcts(nodes=300)", "alphabeta(depth=2)", "--games", "4"],
        &["duel", "othello", "alphabeta(depth=3)", "greedy", "--games", "6"],
    ] {
        all.push((
            arguments.join(" "),
            results_of(&done(&[arguments, &["--json", "--threads", "2"]].concat())),
        ));
    }
    all
}

#[test]
fn results_are_those_of_every_other_machine() {
    let place = folder("bits", "all");
    let results = results(&place);
    let found: String =
        results.iter().map(|(name, text)| format!("{:016x} {name}\n", digest(text))).collect();
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/bits.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&golden, &found).unwrap();
    }
    let kept = fs::read_to_string(&golden).unwrap();
    for ((name, text), (found, kept)) in results.iter().zip(found.lines().zip(kept.lines())) {
        let file = place.join("differs.txt");
        fs::write(&file, text).unwrap();
        assert_eq!(found, kept, "{name} has other bits than kept; they are in {}", file.display());
    }
    assert_eq!(found, kept);
}
