//! What is broken: a small job of each kind that keeps something, how it goes on, and what must be the same in the end.

use std::fs;
use std::path::Path;

use play::files::checksum;
use serde_json::Value;

use crate::program::Ended;

/// A job.
pub struct Job {
    pub name: &'static str,
    /// Only in the long form.
    pub slow: bool,
    /// The experiment that it needs, if any.
    experiment: &'static str,
    arguments: &'static [&'static str],
    /// The commands of which one must go on, in the order in which a user would try them.
    pub again: fn(&Path) -> Vec<Vec<String>>,
    /// What must not depend on what happened, read from the place or from what was said.
    pub result: fn(&Path, &Ended) -> Result<String, String>,
}

impl Job {
    /// Writes what it needs into its place.
    pub fn prepare(&self, place: &Path) {
        fs::write(place.join("experiment.toml"), self.experiment)
            .expect("the folder of tests can be written");
    }

    /// The command that begins; `@` stands for the place.
    pub fn begin(&self, place: &Path) -> Vec<String> {
        let place = place.display().to_string();
        self.arguments.iter().map(|argument| argument.replace('@', &place)).collect()
    }
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
        arguments: &["learn", "@/experiment.toml", "--out", "@/run", "--threads", "1"],
        again: learned_again,
        result: model,
    },
    Job {
        name: "stages",
        slow: false,
        experiment: STAGES,
        arguments: &["learn", "@/experiment.toml", "--out", "@/run", "--threads", "1"],
        again: learned_again,
        result: model,
    },
    Job {
        name: "score",
        slow: false,
        experiment: "",
        arguments: SCORE,
        again: |place| vec![JOBS[2].begin(place)],
        result: said,
    },
    Job {
        name: "duel",
        slow: false,
        experiment: "",
        arguments: DUEL,
        again: |place| vec![JOBS[3].begin(place)],
        result: said,
    },
    Job {
        name: "label",
        slow: false,
        experiment: "",
        arguments: &["label", "pushover", "--games", "30", "--out", "@/positions.txt", "--threads", "1"],
        again: |place| vec![JOBS[4].begin(place)],
        result: |place, _| fs::read_to_string(place.join("positions.txt")).map_err(|error| error.to_string()),
    },
    Job {
        name: "reproduce tetris",
        slow: false,
        experiment: "",
        arguments: TETRIS,
        again: |place| vec![JOBS[5].begin(place)],
        result: said,
    },
    Job {
        name: "reproduce pushover",
        slow: true,
        experiment: "",
        arguments: PUSHOVER,
        again: |place| vec![JOBS[6].begin(place)],
        result: said,
    },
    Job {
        name: "fit",
        slow: false,
        experiment: include_str!("positions.txt"),
        arguments: FIT,
        again: |place| vec![JOBS[7].begin(place)],
        result: |place, _| weights(&place.join("model.json")).map(|model| model["parameters"].to_string()),
    },
    Job {
        name: "solve",
        slow: false,
        experiment: "",
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
        result: |place, _| {
            fs::read(place.join("table"))
                .map(|bytes| format!("{:x}", checksum(&bytes)))
                .map_err(|error| error.to_string())
        },
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
