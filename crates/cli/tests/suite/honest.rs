//! What a run says of itself: which variant it is, what was expected and whether that came out, and in which unit.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{evalforge, folder};

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
