//! What is broken: a small job of each kind that keeps something, how it goes on, and what must be the same in the end.

use std::fs;
use std::path::Path;

use play::files::checksum;
use serde_json::Value;

use crate::damage::copy;
use crate::program::{Ended, run};

/// A job.
pub struct Job {
    pub name: &'static str,
    /// Only in the long form.
    pub slow: bool,
    /// The experiment that it needs, if any.
    experiment: &'static str,
    arguments: &'static [&'static str],
    /// The commands that make what it reads, if any: into `@/made`.
    before: &'static [&'static [&'static str]],
    /// What it writes, which is there whole or not at all.
    pub files: &'static [&'static str],
    /// The commands of which one must go on, in the order in which a user would try them.
    pub again: fn(&Path) -> Vec<Vec<String>>,
    /// What must not depend on what happened, read from the place or from what was said.
    pub result: fn(&Path, &Ended) -> Result<String, String>,
}

impl Job {
    /// Writes what it needs into its place. What a command makes, all tries share: it may say how long it took.
    pub fn prepare(&self, place: &Path) {
        fs::write(place.join("experiment.toml"), self.experiment)
            .expect("the folder of tests can be written");
        let first = place.with_file_name("whole");
        if self.before.is_empty() {
            return;
        }
        if place != first {
            return copy(&first.join("made"), &place.join("made"));
        }
        fs::create_dir_all(place.join("made")).expect("the folder of tests can be written");
        for arguments in self.before {
            let ended = run(&words(arguments, place), None);
            assert!(ended.code == Some(0), "{}", ended.told());
        }
    }

    /// The command that begins.
    pub fn begin(&self, place: &Path) -> Vec<String> {
        words(self.arguments, place)
    }
}

/// A command; `@` stands for the place.
fn words(arguments: &[&str], place: &Path) -> Vec<String> {
    let place = place.display().to_string();
    arguments.iter().map(|argument| argument.replace('@', &place)).collect()
}

const ONE_STAGE: &str = "generations = 5\nruns = 2\n[task]\nname = \"sphere\"\ndimension = 3\n\
    [learner]\nname = \"cma-es\"\npopulation = 4\n";

const STAGES: &str = "generations = 3\n[task]\nname = \"sphere\"\ndimension = 3\n\
    [learner]\nname = \"cma-es\"\npopulation = 4\n[[stage]]\n[[stage]]\ngenerations = 4\n";

/// The one list.
pub const JOBS: &[Job] = &[
    Job {
        name: "learn",
        slow: false,
        experiment: ONE_STAGE,
        before: &[],
        files: &[],
        arguments: &["learn", "@/experiment.toml", "--out", "@/run", "--threads", "1"],
        again: learned_again,
        result: model,
    },
    Job {
        name: "stages",
        slow: false,
        experiment: STAGES,
        before: &[],
        files: &[],
        arguments: &["learn", "@/experiment.toml", "--out", "@/run", "--threads", "1"],
        again: learned_again,
        result: model,
    },
    Job {
        name: "score",
        slow: false,
        experiment: "",
        before: &[],
        files: &[],
        arguments: SCORE,
        again: |place| vec![JOBS[2].begin(place)],
        result: said,
    },
    Job {
        name: "duel",
        slow: false,
        experiment: "",
        before: &[],
        files: &[],
        arguments: DUEL,
        again: |place| vec![JOBS[3].begin(place)],
        result: said,
    },
    Job {
        name: "label",
        slow: false,
        experiment: "",
        before: &[],
        files: &[],
        arguments: &["label", "pushover", "--games", "30", "--out", "@/positions.txt", "--threads", "1"],
        again: |place| vec![JOBS[4].begin(place)],
        result: |place, _| fs::read_to_string(place.join("positions.txt")).map_err(|error| error.to_string()),
    },
    Job {
        name: "reproduce tetris",
        slow: false,
        experiment: "",
        before: &[],
        files: &[],
        arguments: TETRIS,
        again: |place| vec![JOBS[5].begin(place)],
        result: said,
    },
    Job {
        name: "reproduce pushover",
        slow: true,
        experiment: "",
        before: &[],
        files: &[],
        arguments: PUSHOVER,
        again: |place| vec![JOBS[6].begin(place)],
        result: said,
    },
    Job {
        name: "fit",
        slow: false,
        experiment: include_str!("positions.txt"),
        before: &[],
        files: &[],
        arguments: FIT,
        again: |place| vec![JOBS[7].begin(place)],
        result: |place, _| weights(&place.join("model.json")).map(|model| model["parameters"].to_string()),
    },
    Job {
        name: "solve",
        slow: false,
        experiment: "",
        before: &[],
        files: &["table"],
        arguments: &[
            "solve",
            "tetris",
            "--width",
            "4",
            "--height",
            "4",
            "--out",
            "@/table",
            "--threads",
            "1",
        ],
        again: |place| vec![JOBS[8].begin(place)],
        result: |place, _| sums(&JOBS[8], place),
    },
    Job {
        name: "runs",
        slow: false,
        experiment: ONE_STAGE,
        before: &[LEARN],
        files: &["page.html", "curves.svg", "rows.csv", "tables.md"],
        arguments: RUNS,
        again: |place| vec![JOBS[9].begin(place)],
        result: |place, _| sums(&JOBS[9], place),
    },
    Job {
        name: "figures",
        slow: false,
        experiment: ONE_STAGE,
        before: &[LEARN],
        files: &["figures/learning-value.svg", "figures/learning-value.pdf", "figures/weights.svg"],
        arguments: &["runs", "@/made", "--figures", "@/figures"],
        again: |place| vec![JOBS[10].begin(place)],
        result: |place, _| sums(&JOBS[10], place),
    },
    Job {
        name: "scores as csv",
        slow: false,
        experiment: "",
        before: &[],
        files: &["scores.csv"],
        arguments: CSV,
        again: |place| vec![JOBS[11].begin(place)],
        result: |place, _| sums(&JOBS[11], place),
    },
    Job {
        name: "tables",
        slow: false,
        experiment: "corner: a1 b1 a2 b2\nmobility\n",
        before: &[GAMES],
        files: &["it.tables"],
        arguments: TABLES,
        again: |place| vec![JOBS[12].begin(place)],
        result: |place, _| sums(&JOBS[12], place),
    },
    Job {
        name: "export",
        slow: false,
        experiment: "",
        before: &[GAMES, EDAX],
        files: &["eval.dat"],
        arguments: &["fit", "export", "--to", "edax", "@/made/it.tables", "--out", "@/eval.dat"],
        again: |place| vec![JOBS[13].begin(place)],
        result: |place, _| sums(&JOBS[13], place),
    },
];

#[rustfmt::skip]
const SCORE: &[&str] = &["score", "tetris", "--player", "greedy", "--player", "random", "--width", "6", "--height", "8", "--games", "6",
    "--resume", "@/games.jsonl", "--json", "--threads", "1"];

#[rustfmt::skip]
const DUEL: &[&str] = &["duel", "othello", "greedy", "random", "--games", "8", "--openings", "4", "--resume", "@/games.jsonl", "--json",
    "--csv", "@/games.csv", "--save", "@/games.txt", "--threads", "1"];

#[rustfmt::skip]
const TETRIS: &[&str] = &["reproduce", "tetris-scores", "--only", "10x10-losing-allowed", "--games", "6", "--out", "@/table", "--json",
    "--threads", "1"];

#[rustfmt::skip]
const PUSHOVER: &[&str] = &["reproduce", "pushover-muller", "--quick", "--games", "4", "--out", "@/table", "--json", "--threads", "1"];

#[rustfmt::skip]
const FIT: &[&str] = &["fit", "pushover", "--data", "@/experiment.toml", "--model", "linear", "--out", "@/model.json", "--html",
    "@/page.html", "--threads", "1"];

const LEARN: &[&str] = &["learn", "@/experiment.toml", "--out", "@/made", "--threads", "1"];

#[rustfmt::skip]
const RUNS: &[&str] = &["runs", "@/made", "--html", "@/page.html", "--svg", "@/curves.svg", "--csv", "@/rows.csv", "--md", "@/tables.md"];

#[rustfmt::skip]
const CSV: &[&str] = &["score", "tetris", "--player", "random", "--games", "20", "--csv", "@/scores.csv",
    "--resume", "@/games.jsonl", "--threads", "1"];

#[rustfmt::skip]
const GAMES: &[&str] = &["label", "othello", "--games", "30", "--label", "difference/64", "--out", "@/made/it.txt", "--threads", "1"];

#[rustfmt::skip]
const TABLES: &[&str] = &["fit", "tables", "othello", "--data", "@/made/it.txt", "--patterns", "@/experiment.toml", "--phases", "2",
    "--out", "@/it.tables", "--threads", "1"];

#[rustfmt::skip]
const EDAX: &[&str] = &["fit", "tables", "othello", "--data", "@/made/it.txt", "--patterns", "edax", "--phases", "1", "--iterations", "1",
    "--out", "@/made/it.tables", "--threads", "1"];

/// The checksum of a file; some name the place that they are made from.
pub fn contents(place: &Path, name: &str) -> std::io::Result<u64> {
    let bytes = fs::read(place.join(name))?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => checksum(text.replace(&place.display().to_string(), "@").as_bytes()),
        Err(error) => checksum(error.as_bytes()),
    })
}

/// The files that a job writes, as their checksums.
fn sums(job: &Job, place: &Path) -> Result<String, String> {
    let sum = |name: &&str| {
        Ok(format!("{name} {:x}", contents(place, name).map_err(|error| format!("{name}: {error}"))?))
    };
    job.files.iter().map(sum).collect::<Result<Vec<String>, String>>().map(|sums| sums.join(", "))
}

/// Who goes on with a run types `learn --resume`; if that says that there is none, the command once more.
fn learned_again(place: &Path) -> Vec<Vec<String>> {
    let resume = ["learn".to_string(), "--resume".into(), place.join("run").display().to_string()];
    vec![[&resume[..], &["--threads".into(), "1".into()]].concat(), JOBS[0].begin(place)]
}

/// The weights that were learned, and the fitness of every generation.
fn model(place: &Path, _: &Ended) -> Result<String, String> {
    let model = weights(&place.join("run/model.json"))?;
    Ok(format!("{} {}", model["parameters"], model["history"]))
}

fn weights(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// What was printed, but for times.
fn said(_: &Path, ended: &Ended) -> Result<String, String> {
    let mut value: Value =
        serde_json::from_str(&ended.out).map_err(|error| format!("{error}: {}", ended.out))?;
    forget_times(&mut value);
    Ok(value.to_string())
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries
                .retain(|key, _| !["second", "time", "per_s", "file"].iter().any(|part| key.contains(part)));
            entries.values_mut().for_each(forget_times);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}
