//! Folders as kills, full disks, editors and strangers leave them.

use std::fs;
use std::path::Path;

use super::super::experiment::{Experiment, ExperimentError, ExperimentRun};
use super::super::tests::{FINALISTS, RACING, STAGES, go_on, origin, parse, place, written};
use super::{ExperimentFolder, Origin, generations, newest, read_log};

fn resume(folder: &Path, accepted: bool) -> Result<ExperimentRun, ExperimentError> {
    Experiment::resume::<games::Listed>(folder, origin(), accepted)
}

fn refusal(result: Result<ExperimentRun, ExperimentError>) -> String {
    let error = result.err().expect("it is refused");
    assert!(error.wrong_input(), "{error}");
    error.to_string()
}

/// Why a folder is not gone on with, once its runs are opened.
fn refusal_of_runs(folder: &Path) -> String {
    let error = resume(folder, false).and_then(|run| go_on(&run, false)).err().expect("it is refused");
    assert!(error.wrong_input(), "{error}");
    error.to_string()
}

/// A run of six generations that has ended, or was broken off after so many.
fn begun(folder: &Path, text: &str, generations: Option<usize>) {
    let run = parse(text).begin(folder, origin()).unwrap();
    match generations {
        Some(generations) => (0..generations).for_each(|_| assert!(!go_on(&run, true).unwrap().whole)),
        None => assert!(go_on(&run, false).unwrap().whole),
    }
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// Every state that a kill can leave of a birth: what is not a run yet can be made one, what is can be gone on with.
#[test]
fn a_birth_that_was_killed_is_no_dead_end() {
    let (whole, folder) = (place("birth-whole"), place("birth"));
    begun(&whole, FINALISTS, None);
    let manifest = fs::read_to_string(whole.join("manifest.json")).unwrap();
    let unborn: [&[(&str, &str)]; 4] = [
        &[],
        &[("lock", "")],
        &[("lock", ""), (".manifest.json.4194304.part", "{\"form")],
        &[(".manifest.json.1.part", "")],
    ];
    for left in unborn {
        fs::create_dir_all(&folder).unwrap();
        left.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
        assert!(ExperimentFolder::is_free(&folder));
        assert!(refusal(resume(&folder, false)).contains("'evalforge learn' begins one"));
        begun(&folder, FINALISTS, None);
        assert_eq!(written(&folder), written(&whole));
        assert!(
            fs::read_dir(&folder).unwrap().all(|entry| !entry
                .unwrap()
                .path()
                .to_string_lossy()
                .ends_with(".part"))
        );
        fs::remove_dir_all(&folder).unwrap();
    }
    // Killed before config.toml was there, or while it was written.
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("manifest.json"), manifest).unwrap();
    fs::write(folder.join(".config.toml.4194304.part"), "gener").unwrap();
    assert!(!ExperimentFolder::is_free(&folder));
    assert!(refusal(parse(FINALISTS).begin(&folder, origin())).contains("evalforge learn --resume"));
    assert!(go_on(&resume(&folder, false).unwrap(), false).unwrap().whole);
    assert_eq!(written(&folder), written(&whole));
    assert!(!folder.join(".config.toml.4194304.part").exists());
    // What is somebody else's is left alone, a file of the same name too.
    for name in ["notes.txt", "config.toml"] {
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), "mine").unwrap();
        assert!(refusal(parse(FINALISTS).begin(&folder, origin())).contains("not empty"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
    // So it is with a stage that is begun on the way.
    let staged = place("birth-stage");
    let run = parse(STAGES).begin(&staged, origin()).unwrap();
    fs::create_dir_all(staged.join("stage-1")).unwrap();
    fs::write(staged.join("stage-1/.manifest.json.4194304.part"), "{").unwrap();
    assert!(go_on(&run, false).unwrap().whole);
    for folder in [whole, folder, staged] {
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn what_was_edited_is_named_and_refused() {
    let (folder, config) = (place("edited"), place("edited").join("config.toml"));
    begun(&folder, FINALISTS, Some(3));
    let before = fs::read_to_string(&config).unwrap();
    for (from, to, said, can_go_on) in [
        ("generations = 6", "generations = 4", "generations = 6, now 4", true),
        ("games = 3", "games = 2", "fitness.games = 3, now 2", true),
        ("seed = 1", "seed = 2", "seed = 1, now 2", false),
        ("population = 10", "population = 12", "learner.population = 10, now 12", false),
        ("dimension = 3\n", "", "task.dimension = 3, now nothing", true),
    ] {
        edit(&config, from, to);
        let error = refusal(resume(&folder, false));
        assert!(error.contains(said) && error.contains("learn --from"), "{error}");
        assert_eq!(error.contains(" --changed' goes on"), can_go_on, "{error}");
        if !can_go_on {
            assert!(refusal(resume(&folder, true)).contains("cannot go on with that"));
        }
        fs::write(&config, &before).unwrap();
    }
    // Cut anywhere, it is refused or still says the same; without it, the run is as it was begun.
    for cut in (0..before.len()).step_by(7) {
        fs::write(&config, &before[..cut]).unwrap();
        refusal(resume(&folder, false));
    }
    fs::write(&config, format!("# A remark.\n{before}")).unwrap();
    assert!(resume(&folder, false).is_ok());
    fs::remove_file(&config).unwrap();
    assert!(resume(&folder, false).is_ok());
    assert_eq!(fs::read_to_string(&config).unwrap(), before);
    // With the copy edited too, the checkpoint knows.
    edit(&config, "games = 3", "games = 2");
    edit(&folder.join("manifest.json"), "games = 3", "games = 2");
    assert!(refusal_of_runs(&folder).contains("checkpoint.json: it is of another run"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn another_program_is_named_and_refused() {
    let folder = place("program");
    let program = |version: &str, commit: &str, source: &str| Origin {
        version: version.into(),
        commit: commit.into(),
        source: source.into(),
        ..origin()
    };
    let begun = program("1", "aaa", "11");
    assert!(!go_on(&parse(FINALISTS).begin(&folder, begun).unwrap(), true).unwrap().whole);
    let resumed = |origin: Origin| Experiment::resume::<games::Listed>(&folder, origin, false);
    let error = refusal(resumed(program("2", "aaa", "11")));
    assert!(
        error.contains("made by evalforge 1 (commit aaa, sources 11), and this is evalforge 2 ("),
        "{error}"
    );
    refusal(resumed(program("1", "aaa", "22")));
    refusal(resumed(program("1", "bbb", "")));
    // Of the same sources a commit changes nothing.
    assert!(resumed(program("1", "bbb", "11")).is_ok());
    assert!(resumed(program("1", "unknown", "")).is_ok());
    fs::remove_dir_all(folder).unwrap();
}

/// Gone on with as it was changed, it is the run that was meant so from the beginning, and says what it is.
#[test]
fn an_accepted_change_is_written_down() {
    let (whole, folder) = (place("changed-whole"), place("changed"));
    begun(&whole, &FINALISTS.replace("generations = 6", "generations = 8"), None);
    begun(&folder, FINALISTS, None);
    edit(&folder.join("config.toml"), "generations = 6", "generations = 8");
    drop(resume(&folder, true).unwrap());
    // Killed before a generation was over: the change is accepted already.
    assert!(folder.join("before-1-model.json").is_file() && !folder.join("model.json").exists());
    assert!(go_on(&resume(&folder, false).unwrap(), false).unwrap().whole);
    let (lines, learners, model) = written(&folder);
    let (all, meant, other) = written(&whole);
    assert_eq!((&lines, &learners), (&all, &meant));
    assert!(model.contains("Changed on the way: generations = 6, now 8.") && model != other);
    let log = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    let told = log
        .lines()
        .position(|line| line.starts_with("{\"changed\":[\"generations = 6, now 8\"],\"after\":6"));
    assert_eq!((told, log.lines().count()), (Some(6), 9));
    assert!(read_log(&folder).unwrap().told(8).is_none());
    for folder in [whole, folder] {
        fs::remove_dir_all(folder).unwrap();
    }
}

/// A stage follows the configuration above it, on the way too.
#[test]
fn stages_follow_what_is_above_them() {
    let folder = place("follow");
    begun(&folder, STAGES, Some(2));
    edit(&folder.join("stage-1/config.toml"), "generations = 4", "generations = 3");
    let error = refusal_of_runs(&folder);
    assert!(error.contains("generations = 4, now 3; a stage follows"), "{error}");
    fs::remove_file(folder.join("stage-1/config.toml")).unwrap();
    edit(&folder.join("config.toml"), "generations = 4", "generations = 3");
    refusal(resume(&folder, false));
    assert!(go_on(&resume(&folder, true).unwrap(), false).unwrap().whole);
    assert_eq!(generations(&folder.join("stage-1")).unwrap().len(), 3);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_new_run_begins_from_what_another_has_learned() {
    let (old, new) = (place("from"), place("from-new"));
    let first = "generations = 9\n[task]\nname = \"sphere\"\ndimension = 3\n[learner]\nname = \"cma-es\"\nstart = \"unit\"\n";
    for generations in [Some(4), None] {
        begun(&old, first, generations);
        let second = "generations = 1\n[task]\nname = \"sphere\"\ndimension = 3\n[learner]\nname = \"cma-es\"\nsigma = 1e-9\n";
        let set = [Experiment::start_from::<games::Listed>(&old, second).unwrap()];
        let experiment = Experiment::parse::<games::Listed>("it", "it.toml", second, false, &set).unwrap();
        go_on(&experiment.begin(&new, origin()).unwrap(), false).unwrap();
        let [last, first] = [&old, &new].map(|folder| generations_of(folder).pop().unwrap());
        let near = last.iter().zip(&first).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near, "{last:?} {first:?}");
        for folder in [&old, &new] {
            fs::remove_dir_all(folder).unwrap();
        }
    }
    begun(&old, RACING, Some(1));
    let error = Experiment::start_from::<games::Listed>(&old, "").unwrap_err();
    assert!(error.wrong_input() && error.to_string().contains("nothing was learned here yet"), "{error}");
    fs::remove_dir_all(old).unwrap();
}

fn generations_of(folder: &Path) -> Vec<Vec<f64>> {
    generations(folder).unwrap().into_iter().map(|line| line.centre).collect()
}

/// Any byte of any line may be wrong: the run goes on by its checkpoint, and the line is named.
#[test]
fn a_damaged_log_stops_nothing() {
    let (whole, folder) = (place("log-whole"), place("log"));
    begun(&whole, FINALISTS, None);
    begun(&folder, FINALISTS, Some(4));
    let log = folder.join("log.jsonl");
    let before = fs::read(&log).unwrap();
    let second = before.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for at in (second..second + 150).step_by(11) {
        let mut bytes = before.clone();
        bytes[at] ^= 2;
        fs::write(&log, &bytes).unwrap();
        let told = read_log(&folder).unwrap().told(4).unwrap();
        assert!(told.contains("line 2 ") && told.contains("1 of 4 generations are missing"), "{told}");
        assert_eq!(generations(&folder).unwrap().len(), 3);
    }
    assert!(go_on(&resume(&folder, false).unwrap(), false).unwrap().whole);
    let model = |folder: &Path| fs::read_to_string(folder.join("model.json")).unwrap();
    assert_eq!(model(&folder), model(&whole));
    let read = read_log(&folder).unwrap();
    assert_eq!((read.generations.len(), read.faults.len(), read.faults[0].0), (5, 1, 2));
    // Lines of earlier versions have no checksum.
    let lines = String::from_utf8(before.clone()).unwrap();
    let old = lines.lines().map(|line| format!("{}}}\n", line.split(",\"sum\"").next().unwrap()));
    fs::write(&log, old.collect::<String>()).unwrap();
    assert_eq!(read_log(&folder).unwrap().told(4), None);
    // Emptied, or longer than the checkpoint by more than a kill can leave.
    fs::write(&log, "").unwrap();
    assert!(read_log(&folder).unwrap().told(6).unwrap().contains("6 of 6 generations are missing"));
    let old = newest(&folder).unwrap();
    super::checkpoint::save(&folder, &super::Checkpoint { generation: 1, ended: None, ..old }).unwrap();
    fs::write(&log, &before).unwrap();
    go_on(&resume(&folder, false).unwrap(), true).unwrap();
    let aside = fs::read(folder.join("log.aside.jsonl")).unwrap();
    assert_eq!(aside, before[second..]);
    for folder in [whole, folder] {
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn without_a_checkpoint_no_log_is_erased() {
    let folder = place("lost");
    begun(&folder, FINALISTS, Some(3));
    for name in ["checkpoint.json", "checkpoint.previous.json"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    let before = fs::read(folder.join("log.jsonl")).unwrap();
    let error = refusal_of_runs(&folder);
    assert!(error.contains("log.jsonl holds 3 generations") && error.contains("evalforge learn"), "{error}");
    assert_eq!(fs::read(folder.join("log.jsonl")).unwrap(), before);
    // Nor that of a stage whose manifest is lost.
    let staged = place("lost-stage");
    begun(&staged, STAGES, Some(3));
    fs::remove_file(staged.join("stage-1/manifest.json")).unwrap();
    assert!(refusal_of_runs(&staged).contains("stage-1: the folder is not empty"));
    assert!(staged.join("stage-1/log.jsonl").is_file());
    for folder in [folder, staged] {
        fs::remove_dir_all(folder).unwrap();
    }
}

/// Whatever a folder from elsewhere holds links in the place of, nothing is read or written where they lead.
#[test]
#[cfg(unix)]
fn no_link_leads_out_of_a_folder() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (place("links"), place("links-outside"));
    let text = "generations = 2\n[task]\nname = \"tetris\"\nwidth = 6\nheight = 6\n[model]\nfeatures = \"dn\"\n\
                [learner]\nname = \"cma-es\"\n[[score]]\ngames = 2\nrules = { width = 6, height = 6 }\n";
    fs::create_dir_all(&outside).unwrap();
    for name in ["lock", "manifest.json", "config.toml", "log.jsonl", "checkpoint.json", "score-1.jsonl"] {
        begun(&folder, text, Some(1));
        let (inner, outer) = (folder.join(name), outside.join(name));
        match inner.exists() {
            true => fs::rename(&inner, &outer).unwrap(),
            false => fs::write(&outer, "").unwrap(),
        }
        symlink(&outer, &inner).unwrap();
        if name == "checkpoint.json" {
            symlink(&outer, folder.join("checkpoint.previous.json")).unwrap();
        }
        let before = fs::read(&outer).unwrap();
        let error = refusal_of_runs(&folder);
        let is_named = error.contains(name) && (error.contains("symbolic link") || name == "manifest.json");
        assert!(is_named, "{name}: {error}");
        assert_eq!(fs::read(&outer).unwrap(), before, "{name}");
        fs::remove_dir_all(&folder).unwrap();
    }
    // Results replace a link in their place.
    begun(&folder, text, Some(1));
    fs::write(outside.join("theirs"), "theirs").unwrap();
    for name in ["model.json", "scores.json"] {
        symlink(outside.join("theirs"), folder.join(name)).unwrap();
    }
    assert!(go_on(&resume(&folder, false).unwrap(), false).unwrap().whole);
    assert_eq!(fs::read_to_string(outside.join("theirs")).unwrap(), "theirs");
    assert!(!folder.join("model.json").is_symlink());
    fs::remove_dir_all(&folder).unwrap();
    // Folders inside are folders; the one outside may be reached by any way.
    for (text, inner) in [(RACING, "run-02"), (STAGES, "stage-1")] {
        begun(&folder, text, Some(1));
        let _ = fs::remove_dir_all(outside.join(inner));
        fs::rename(folder.join(inner), outside.join(inner)).unwrap();
        symlink(outside.join(inner), folder.join(inner)).unwrap();
        let error = refusal_of_runs(&folder);
        assert!(error.contains(inner) && error.contains("symbolic link"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
    begun(&folder, FINALISTS, Some(1));
    let link = outside.join("link");
    symlink(&folder, &link).unwrap();
    assert!(go_on(&resume(&link, false).unwrap(), false).unwrap().whole);
    for folder in [folder, outside] {
        fs::remove_dir_all(folder).unwrap();
    }
}
