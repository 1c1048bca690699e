//! Run folders as users meet them after kills, full disks and editors: `learn` with the same command or `resume` always goes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::{begin, evalforge, folder, parameters};

const SPHERE: &str = "generations = 30\n[task]\nname = \"sphere\"\ndimension = 4\n[learner]\nname = \"cma-es\"\nstart = \"unit\"\n";

fn experiment(place: &Path) -> String {
    let file = place.join("it.toml");
    fs::write(&file, SPHERE).unwrap();
    file.to_str().unwrap().to_string()
}

/// What a user does after anything at all: the same command, or the one that it names.
fn goes_on(file: &str, out: &Path) {
    let out = out.to_str().unwrap();
    let (code, _, error) = evalforge(&["learn", file, "--out", out]);
    if code != 0 {
        assert!(
            code == 2 && error.contains(&format!("'evalforge learn --resume {out}' goes on")),
            "{code} {error}"
        );
        let (code, _, error) = evalforge(&["learn", "--resume", out]);
        assert_eq!(code, 0, "{error}");
    }
}

#[test]
fn killed_in_its_first_moments_it_goes_on() {
    let place = folder("folders", "birth");
    let file = experiment(&place);
    let whole = place.join("whole");
    goes_on(&file, &whole);
    let (mut unborn, mut born) = (0, 0);
    for kill in 0..60u64 {
        let out = place.join(format!("run-{kill}"));
        let mut child = begin(&["learn", &file, "--out", out.to_str().unwrap()]);
        std::thread::sleep(Duration::from_micros(kill * 700));
        child.kill().unwrap();
        child.wait().unwrap();
        *if out.join("manifest.json").exists() { &mut born } else { &mut unborn } += 1;
        goes_on(&file, &out);
        assert_eq!(parameters(&out), parameters(&whole), "killed after {} us", kill * 700);
        fs::remove_dir_all(out).unwrap();
    }
    assert!(unborn > 0, "no kill came before the folder was whole; after: {born}");
}

/// A limit on the size of files stands for a disk that is full at some moment, whichever.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_named_and_survived() {
    let place = folder("folders", "full");
    let file = experiment(&place);
    let whole = place.join("whole");
    goes_on(&file, &whole);
    let mut named = std::collections::BTreeSet::new();
    for blocks in [0, 1, 2, 3, 4, 6, 8, 12, 16] {
        let out = place.join(format!("run-{blocks}"));
        // Without the signal a write beyond the limit is an error, as on a full disk.
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_evalforge"), "learn", &file, "--out"])
            .arg(&out);
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        let line = error.lines().last().unwrap_or_default();
        assert_eq!(output.status.code(), Some(1), "{blocks}: {error}");
        assert!(line.contains(out.to_str().unwrap()) && line.contains("File too large"), "{blocks}: {error}");
        let names = ["manifest.json", "config.toml", "log.jsonl", "checkpoint.json", "report.html"];
        named.extend(names.into_iter().filter(|name| line.contains(&format!("/{name}: "))));
        goes_on(&file, &out);
        assert_eq!(parameters(&out), parameters(&whole), "{blocks}");
        let left = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert!(left.into_iter().all(|name| !name.ends_with(".part")));
    }
    assert!(named.contains("manifest.json") && named.len() > 2, "{named:?}");
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn what_was_changed_is_refused_or_written_down() {
    let place = folder("folders", "changed");
    let file = experiment(&place);
    let run = place.join("run");
    let out = run.to_str().unwrap();
    goes_on(&file, &run);
    let before = fs::read(run.join("model.json")).unwrap();
    edit(&run.join("config.toml"), "generations = 30", "generations = 32");
    let (code, _, error) = evalforge(&["learn", "--resume", out]);
    assert!(code == 2 && error.lines().count() == 1, "{code} {error}");
    for said in ["generations = 30, now 32", " --changed'", "learn --from"] {
        assert!(error.contains(said), "{said}: {error}");
    }
    assert_eq!(fs::read(run.join("model.json")).unwrap(), before);
    let (code, _, error) = evalforge(&["learn", "--resume", out, "--changed"]);
    assert_eq!(code, 0, "{error}");
    let text = fs::read_to_string(run.join("model.json")).unwrap();
    assert!(
        text.contains("32 generations") && text.contains("Changed on the way: generations = 30, now 32."),
        "{text}"
    );
    let again = evalforge(&["learn", "--resume", out]);
    assert_eq!(again.0, 0, "{}", again.2);
    let (code, told, error) = evalforge(&["runs", out]);
    assert!(code == 0 && told.contains("32 of 32"), "{told} {error}");
    // A new run from that model, with its configuration or another.
    let sets = ["--set", "learner.sigma=1e-9", "--set", "learner.start=zero", "--set", "generations=1"];
    for (name, experiment) in [("from", None), ("from-file", Some(file.as_str()))] {
        let new: PathBuf = place.join(name);
        let fixed = ["--from", out, "--out", new.to_str().unwrap()];
        let arguments = [&["learn"][..], experiment.as_slice(), &fixed, &sets].concat();
        let (code, _, error) = evalforge(&arguments);
        assert_eq!(code, 0, "{error}");
        let (old, new) = (parameters(&run), parameters(&new));
        for (key, value) in old.as_object().unwrap() {
            assert!((value.as_f64().unwrap() - new[key].as_f64().unwrap()).abs() < 1e-6, "{old} {new}");
        }
    }
    let (code, _, error) = evalforge(&["learn", "--from", place.to_str().unwrap()]);
    assert!(code == 2 && error.lines().count() == 1, "{error}");
    assert_eq!(evalforge(&["learn"]).0, 2);
}
