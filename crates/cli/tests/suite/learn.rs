//! `evalforge learn`, `resume` and `runs` as their users meet them: killed, damaged, refused, and gone on with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::{begin, evalforge, folder, parameters, program};

const SMALL: &str = r#"
about = "small"
generations = 25
task = { name = "tetris", width = 7, height = 8 }
model = { features = "dellacherie" }
learner = { name = "cma-es", normalize = true, start = "unit" }
fitness = { racing = { bound = "hoeffding", low = 0, high = 60, maximum = 12 } }
curve = { games = 5 }
score = [{ games = 20, against = ["dellacherie"], rules = { width = 7, height = 6 } }]
"#;

const PRACTICE: &str = r#"
generations = 12
task = { name = "tetris", width = 5, height = 5 }
model = { features = "lines,cells-2x5" }
learner = { name = "td-solo", games = 300, lambda = 0.3, given = { lines = 1 } }
score = [{ games = 500, against = ["random"], rules = { width = 5, height = 5 } }]
"#;

const STAGED: &str = r#"
about = "imitation, then factors of weights"
generations = 2
task = { name = "tetris", width = 6, height = 8 }
model = { features = "dt", start = "dt-20" }
stage = [
    { learner = { name = "cbmpi", boards = 300, epochs = 3, frozen = ["holes"] } },
    { generations = 4, model = { tune = ["holes", "*-transitions"] }, learner = { name = "cma-es", sigma = 0.2 }, fitness = { games = 3 } },
]
score = [{ games = 20, rules = { width = 6, height = 8 } }]
"#;

/// An empty place of a test's own.
fn place(name: &str) -> PathBuf {
    folder("learn", name)
}

/// Writes an experiment and runs it to its end.
fn learned(place: &Path, text: &str, folder: &str, more: &[&str]) -> (i32, String, String) {
    let file = place.join("it.toml");
    fs::write(&file, text).unwrap();
    let folder = place.join(folder);
    evalforge(&[&["learn", file.to_str().unwrap(), "--out", folder.to_str().unwrap()], more].concat())
}

fn resumed(folder: &Path) -> (i32, String, String) {
    evalforge(&["learn", "--resume", folder.to_str().unwrap()])
}

#[test]
fn killed_again_and_again_it_ends_where_it_would_have_ended() {
    killed("killed", SMALL, 24, &[("", 25)]);
}

#[test]
fn practice_goes_on_where_it_was_killed() {
    let place = killed("practice", PRACTICE, 6, &[("", 12)]);
    let scores = fs::read_to_string(place.join("whole/scores.json")).unwrap();
    let scores: Value = serde_json::from_str(&scores).unwrap();
    let mean = |player: usize| scores[0]["players"][player]["score"]["mean"].as_f64().unwrap();
    assert!(mean(0) > 3.0 * mean(1), "{scores}");
    assert_eq!(parameters(&place.join("whole"))["lines"], 1.0);
    for (key, said) in [
        ("learner.rate=2", "rate = 2: must be above 0 and at most 1"),
        ("learner.given={ holes = 1 }", "must be numbers for features of the model"),
        ("model.form=network(3)", "tables are added up, must be linear"),
        ("model.search=lookahead", "td-solo is for a linear function that looks one move ahead"),
        ("model.bounds=[-1, 1]", "td-solo knows none"),
    ] {
        let (code, _, error) = learned(&place, PRACTICE, "never", &["--set", key]);
        assert!(code == 2 && error.contains(said), "{key}: {error}");
    }
}

#[test]
fn stages_go_on_where_they_were_killed() {
    let place = killed("stages", STAGED, 6, &[("stage-1", 2), ("stage-2", 4)]);
    let whole = place.join("whole");
    let log = fs::read_to_string(whole.join("stage-1/log.jsonl")).unwrap();
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert!(last["taught"]["agreement"][1]["n"].as_u64().unwrap() >= 20, "{last}");
    // What is not learned in a stage is as it was before.
    let (first, second) = (parameters(&whole.join("stage-1")), parameters(&whole.join("stage-2")));
    assert_eq!(first["holes"], 2.03);
    assert_ne!(second["holes"], 2.03);
    assert_ne!(first["diversity"], 0.89);
    assert_eq!(second["diversity"], first["diversity"]);
    assert_eq!(parameters(&whole), second);
    // The folder that holds runs is listed, the run itself is reported on.
    let (code, told, _) = evalforge(&["runs", place.to_str().unwrap()]);
    assert!(code == 0 && told.contains("6 generations") && told.contains(": done"), "{told}");
    let (code, told, error) = evalforge(&["runs", whole.to_str().unwrap()]);
    assert!(code == 0 && told.contains("stage 2"), "{told} {error}");
    for (key, said) in [
        ("stage.0.learner.boards=3", "stage.0: learner: boards = 3: must be from 20"),
        ("stage.0.model.search=lookahead", "stage.0: learner: cbmpi is for a function that looks one move"),
        (
            "stage.0.model.tune=[\"holes\"]",
            "stage.0: model: tune and shift: cbmpi learns the function itself",
        ),
        ("stage.1.model.tune=[\"hole\"]", "stage.1: model: tune = \"hole\""),
    ] {
        let (code, _, error) = learned(&place, STAGED, "never", &["--set", key]);
        assert!(code == 2 && error.contains(said), "{key}: {error}");
    }
}

/// Runs an experiment whole, and again with kills; both end the same.
fn killed(name: &str, text: &str, kills: usize, logs: &[(&str, u64)]) -> PathBuf {
    let place = place(name);
    let whole = learned(&place, text, "whole", &[]);
    assert_eq!(whole.0, 0, "{}", whole.2);
    let folder = place.join("killed");
    let (file, out) = (place.join("it.toml"), folder.to_str().unwrap().to_string());
    let mut child = begin(&["learn", file.to_str().unwrap(), "--out", &out]);
    // Waits of all lengths, none of them chosen by hand.
    let mut wait = 7u64;
    for _ in 0..kills {
        wait = wait * 37 % 101;
        std::thread::sleep(Duration::from_millis(15 + wait));
        child.kill().unwrap();
        child.wait().unwrap();
        child =
            begin(&["learn", "--resume", &out, "--threads", if wait.is_multiple_of(2) { "1" } else { "2" }]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // On a busy machine the very first kill may have come before the folder was whole; then all is still to be done.
    if !folder.join("manifest.json").exists() {
        learned(&place, text, "killed", &[]);
    }
    let end = resumed(&folder);
    assert_eq!(end.0, 0, "{}", end.2);
    assert_eq!(parameters(&folder), parameters(&place.join("whole")));
    let scores = |folder: &Path| fs::read_to_string(folder.join("scores.json")).unwrap();
    assert_eq!(scores(&folder), scores(&place.join("whole")));
    for (place, generations) in logs {
        let log = fs::read_to_string(folder.join(place).join("log.jsonl")).unwrap();
        let number = |line| serde_json::from_str::<Value>(line).unwrap()["generation"].as_u64().unwrap();
        assert!(log.lines().map(number).eq(1..=*generations));
    }
    // Gone on with once more, nothing changes.
    let again = resumed(&folder);
    assert_eq!((again.0, again.1), (0, end.1));
    place
}

#[test]
#[cfg(unix)]
fn asked_to_end_it_keeps_what_it_has_and_says_how_to_go_on() {
    let place = place("asked");
    assert_eq!(learned(&place, SMALL, "whole", &[]).0, 0);
    let file = place.join("it.toml");
    for (name, signal) in [("term", "-TERM"), ("hup", "-HUP")] {
        let folder = place.join(name);
        let mut command = program();
        command.args(["learn", file.to_str().unwrap(), "--out", folder.to_str().unwrap(), "--threads", "1"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let log = || fs::read_to_string(folder.join("log.jsonl")).map_or(0, |text| text.lines().count());
        while log() < 3 {
            assert_eq!(child.try_wait().unwrap(), None, "it ended before it was asked to");
            std::thread::sleep(Duration::from_millis(1));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{signal}: {error}");
        let said = format!("interrupted; to go on: evalforge learn --resume {}", folder.display());
        assert!(error.lines().last().is_some_and(|line| line.contains(&said)), "{signal}: {error}");
        assert!((3..25).contains(&log()), "{}", log());
        assert_eq!(resumed(&folder).0, 0);
        assert_eq!(parameters(&folder), parameters(&place.join("whole")), "{signal}");
    }
}

#[test]
fn what_is_damaged_is_survived_or_named() {
    let place = place("damaged");
    assert_eq!(learned(&place, SMALL, "whole", &["--set", "generations=6"]).0, 0);
    let whole = place.join("whole");
    let names = ["config.toml", "manifest.json", "log.jsonl", "checkpoint.json", "checkpoint.previous.json"];
    let fresh = |name: &str| {
        let folder = place.join(name);
        fs::create_dir_all(&folder).unwrap();
        for name in names {
            fs::copy(whole.join(name), folder.join(name)).unwrap();
        }
        folder
    };
    let cut = |path: &Path, share: usize| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() * share / 100]).unwrap();
    };
    let survives = |folder: &Path| {
        let (code, _, error) = resumed(folder);
        assert_eq!(code, 0, "{}: {error}", folder.display());
        assert_eq!(parameters(folder), parameters(&whole));
    };
    // A log is for people: the run goes on without it.
    let is_told = |folder: &Path, said: &str| {
        let (code, _, error) = resumed(folder);
        assert!(code == 0 && error.contains(said), "{code} {error}");
        assert_eq!(parameters(folder), parameters(&whole));
    };
    let is_named = |folder: &Path, said: &str| {
        let before: Vec<Vec<u8>> = names.iter().filter_map(|name| fs::read(folder.join(name)).ok()).collect();
        let (code, _, error) = resumed(folder);
        let line = error.lines().last().unwrap_or_default();
        assert!(code == 2 && line.starts_with("evalforge: ") && line.contains(said), "{code} {error}");
        let after: Vec<Vec<u8>> = names.iter().filter_map(|name| fs::read(folder.join(name)).ok()).collect();
        assert_eq!(before, after, "something was overwritten");
    };
    let folder = fresh("checkpoint-cut");
    cut(&folder.join("checkpoint.json"), 60);
    survives(&folder);
    let folder = fresh("checkpoint-empty");
    cut(&folder.join("checkpoint.json"), 0);
    survives(&folder);
    let folder = fresh("checkpoint-gone");
    fs::remove_file(folder.join("checkpoint.json")).unwrap();
    survives(&folder);
    let folder = fresh("log-a-line-short");
    let log = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    // The last line is cut in its middle: the generation before it is whole.
    fs::write(folder.join("log.jsonl"), lines[..5].join("\n") + "\n" + &lines[5][..40]).unwrap();
    survives(&folder);
    let folder = fresh("log-too-short");
    fs::write(folder.join("log.jsonl"), lines[..3].join("\n") + "\n").unwrap();
    is_told(&folder, "3 of 6 generations are missing");
    let folder = fresh("log-changed");
    fs::write(folder.join("log.jsonl"), log.replacen("\"generation\":2", "\"generation\":7", 1)).unwrap();
    is_told(
        &folder,
        "line 2 is not as it was written (its checksum is wrong), 1 of 6 generations are missing",
    );
    let told = evalforge(&["runs", folder.to_str().unwrap()]).1;
    assert!(told.contains("line 2 is not as it was written"), "{told}");
    assert!(evalforge(&["runs", folder.to_str().unwrap()]).1.contains("6 generations"));
    let folder = fresh("no-checkpoint");
    for name in ["checkpoint.json", "checkpoint.previous.json"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    is_named(&folder, "log.jsonl holds 6 generations");
    let folder = fresh("both-damaged");
    for name in ["checkpoint.json", "checkpoint.previous.json"] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        fs::write(folder.join(name), text.replacen("\"evaluations\":", "\"evaluations\":9", 1)).unwrap();
    }
    is_named(&folder, "checksum");
    let folder = fresh("another-version");
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&version));
    fs::write(folder.join("manifest.json"), manifest.replace(&version, "\"version\": \"0.0.0\"")).unwrap();
    is_named(&folder, "made by evalforge 0.0.0");
    let folder = fresh("no-manifest");
    fs::remove_file(folder.join("manifest.json")).unwrap();
    is_named(&folder, "manifest.json");
    let folder = fresh("changed-configuration");
    let config = fs::read_to_string(folder.join("config.toml")).unwrap();
    fs::write(folder.join("config.toml"), config.replace("generations", "generatons")).unwrap();
    is_named(&folder, "generatons");
    let none = place.join("none");
    assert_eq!(resumed(&none).0, 2);
}

#[test]
fn two_processes_are_not_let_into_one_folder() {
    let place = place("two");
    let file = place.join("it.toml");
    fs::write(&file, SMALL.replace("generations = 25", "generations = 100000")).unwrap();
    let out = place.join("run").to_str().unwrap().to_string();
    let mut child = begin(&["learn", file.to_str().unwrap(), "--out", &out]);
    let mut tries = 0;
    let said = loop {
        std::thread::sleep(Duration::from_millis(50));
        tries += 1;
        let said = evalforge(&["learn", "--resume", &out]);
        // Until the first process has made its folder there is nothing to go on with.
        if said.2.contains("another process") || tries > 100 {
            break said;
        }
        assert_eq!(said.0, 2, "{}", said.2);
    };
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said.0 == 2 && said.2.contains("another process"), "{said:?}");
}

#[test]
fn threads_and_runs_change_nothing_that_they_should_not() {
    let place = place("threads");
    let many = ["--set", "runs=3", "--set", "generations=5"];
    for (folder, threads) in [("one", "1"), ("three", "3")] {
        let (code, _, error) = learned(&place, SMALL, folder, &[&many[..], &["--threads", threads]].concat());
        assert_eq!(code, 0, "{error}");
    }
    let (one, three) = (place.join("one"), place.join("three"));
    assert_eq!(parameters(&one), parameters(&three));
    for run in ["run-01", "run-02", "run-03"] {
        assert_eq!(parameters(&one.join(run)), parameters(&three.join(run)));
    }
    assert_ne!(parameters(&one.join("run-01")), parameters(&one.join("run-02")));
    let (code, out, _) = evalforge(&["runs", place.to_str().unwrap()]);
    assert!(code == 0 && out.lines().count() == 4 && out.contains("15 generations"), "{out}");
    let (_, json, _) = evalforge(&["runs", one.to_str().unwrap(), "--json"]);
    let listed = &serde_json::from_str::<Value>(&json).unwrap()["runs"];
    assert_eq!((&listed[0]["state"], &listed[0]["seed"]), (&"done".into(), &1.into()));
    // Another seed is another experiment.
    assert_eq!(learned(&place, SMALL, "seed", &[&many[..], &["--seed", "2"]].concat()).0, 0);
    assert_ne!(parameters(&one), parameters(&place.join("seed")));
}

#[test]
fn wrong_input_is_one_line_and_leaves_nothing_behind() {
    let place = place("wrong");
    for (key, said) in [
        ("generatons=3", "did you mean 'generations'"),
        ("generations=0", "generations = 0: must be from 1"),
        ("task.name=tetriss", "unknown task 'tetriss' (did you mean 'tetris'?)"),
        ("task.hight=10", "hight"),
        ("task.height=3", "height"),
        ("model.features=dnn", "dnn"),
        ("model.form=cubic", "form = cubic: must be one of linear"),
        ("model.search=deep", "search = deep: must be greedy or lookahead"),
        ("model.start=nobody.json", "model.start = nobody.json"),
        ("model.start=dn", "its parameters are"),
        ("model.bounds=[1, -1]", "must be two numbers, the lower one first"),
        ("learner.name=cmaes", "unknown learner 'cmaes' (did you mean 'cma-es'?)"),
        ("learner.sigmaa=1", "did you mean 'sigma'"),
        ("learner.sigma=-1", "sigma"),
        (
            "learner={ name = \"swarm\", population = 1000000000000 }",
            "population = 1000000000000: must be from 2 to",
        ),
        ("fitness.racing.bound=hofding", "did you mean 'hoeffding'"),
        ("fitness.racing.delta=2", "delta = 2: must be between 0 and 1"),
        ("deploy.choose=average", "with one run, must be mean or finalists"),
        ("score.0.against=[\"nobody\"]", "unknown player 'nobody'"),
        ("schedule=[{ from = 1, rules = {} }]", "from = 1: must be above 1"),
        ("curve.games=0", "curve.games = 0"),
    ] {
        let (code, out, error) = learned(&place, SMALL, "never", &["--set", key]);
        assert!(code == 2 && out.is_empty() && error.lines().count() == 1, "{key}: {code} {error}");
        assert!(error.contains(said), "{key}: {error}");
        assert!(!place.join("never").exists(), "{key}");
    }
    let function =
        "generations = 3\n[task]\nname = \"sphere\"\n[learner]\nname = \"noisy-ce\"\ndeviation = 1e200\n";
    let (code, _, error) = learned(&place, function, "infinite", &[]);
    assert!(code == 2 && error.contains("not a finite number"), "{code} {error}");
    // A file where the folder should be, and a folder that holds something else.
    fs::write(place.join("file"), "mine").unwrap();
    let (code, _, error) = learned(&place, SMALL, "file", &[]);
    assert!(code == 2 && error.contains("file"), "{error}");
    let (code, _, error) = learned(&place, SMALL, "file/below", &[]);
    assert!(code == 2 && error.contains("below"), "{error}");
    assert_eq!(fs::read_to_string(place.join("file")).unwrap(), "mine");
    fs::create_dir(place.join("full")).unwrap();
    fs::write(place.join("full/notes.txt"), "mine").unwrap();
    let (code, _, error) = learned(&place, SMALL, "full", &[]);
    assert!(code == 2 && error.contains("not empty"), "{error}");
    assert_eq!(fs::read_dir(place.join("full")).unwrap().count(), 1);
    let (code, _, error) = evalforge(&["learn", "tetris-quik"]);
    assert!(code == 2 && error.contains("did you mean 'tetris-quick'"), "{error}");
    assert_eq!(evalforge(&["learn", "no/such/file.toml"]).0, 2);
}

#[test]
fn the_pickpocket_finds_the_best_genome() {
    let place = place("pickpocket");
    let out = place.join("run");
    let (code, text, error) = evalforge(&["learn", "pickpocket", "--out", out.to_str().unwrap(), "--json"]);
    assert_eq!(code, 0, "{error}");
    assert!(serde_json::from_str::<Value>(&text).unwrap()["scores"].as_array().unwrap().is_empty());
    let genome = parameters(&out);
    assert_eq!(genome.as_object().unwrap().len(), 4);
    assert!(genome.as_object().unwrap().values().all(|bit| bit.as_f64() == Some(1.0)), "{genome}");
}

#[test]
fn a_schedule_changes_what_is_played() {
    let place = place("schedule");
    let stage = "schedule=[{ from = 4, rules = { height = 5 } }]";
    assert_eq!(learned(&place, SMALL, "plain", &["--set", "generations=6"]).0, 0);
    assert_eq!(learned(&place, SMALL, "staged", &["--set", "generations=6", "--set", stage]).0, 0);
    let lines = |folder: &str| {
        let text = fs::read_to_string(place.join(folder).join("log.jsonl")).unwrap();
        let line = |line: &str| {
            let value: Value = serde_json::from_str(line).unwrap();
            (value["centre"].clone(), value["best"].clone())
        };
        text.lines().map(line).collect::<Vec<_>>()
    };
    let (plain, staged) = (lines("plain"), lines("staged"));
    assert_eq!(plain[..3], staged[..3]);
    assert_ne!(plain[3], staged[3]);
}

const AVALAM: &str = r#"
generations = 4
task = { name = "avalam" }
model = { features = "antisymmetric", bounds = [-1, 1] }
learner = { name = "genetic", population = 8, selection = "truncation" }
fitness = { population = true, against = ["greedy"], openings = 2, environment = { size = 2, renew = 1 } }
curve = { games = 4 }
score = [{ games = 20, against = ["random"] }]
"#;

#[test]
fn games_for_two_are_learned_in_pairs() {
    let place = place("pairs");
    let (code, out, error) = learned(&place, AVALAM, "one", &["--threads", "1"]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("avalam against random"), "{out}");
    assert_eq!(learned(&place, AVALAM, "two", &["--threads", "2"]).0, 0);
    assert_eq!(parameters(&place.join("one")), parameters(&place.join("two")));
    let log = fs::read_to_string(place.join("one/log.jsonl")).unwrap();
    let games = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["most_games"].as_f64());
    // A pair against greedy and against each of the eight, and against the best of one and of two earlier generations.
    assert!(games.map(Option::unwrap).eq([9.0, 10.0, 11.0, 11.0]), "{log}");
    for (key, said) in [
        ("fitness.by=points", "by = points: must be wins or margin"),
        ("fitness.openings=90", "openings = 90: games are over before"),
        ("fitness.against=[\"nobody\"]", "unknown player 'nobody'"),
        ("task.name=sphere", "sphere"),
    ] {
        let (code, _, error) = learned(&place, AVALAM, "never", &["--set", key]);
        assert!(code == 2 && error.contains(said), "{key}: {error}");
    }
    let alone =
        AVALAM.replace("population = true", "population = false").replace("against = [\"greedy\"], ", "");
    assert!(learned(&place, &alone, "never", &[]).2.contains("an environment is empty at first"));
    let nobody = alone.replace(", environment = { size = 2, renew = 1 }", "");
    assert!(learned(&place, &nobody, "never", &[]).2.contains("nobody is met"));
}
