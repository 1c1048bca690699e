//! Every file of a run that was broken off, damaged in every way of a list. The run goes on to the same weights, or says in a line what is
//! wrong; it never goes on to others, and nothing outside of the folder is touched.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::jobs::Job;
use crate::program::{killed_after, run};
use crate::{Outcome, each, whole};

/// A kind of damage; the last path is a file outside of the folder.
type Damage = fn(&Path, &Path) -> std::io::Result<()>;

const DAMAGES: &[(&str, Damage)] = &[
    ("removed", |file, _| fs::remove_file(file)),
    ("emptied", |file, _| fs::write(file, "")),
    ("cut in half", |file, _| change(file, |bytes| bytes.truncate(bytes.len() / 2))),
    ("without its last byte", |file, _| change(file, |bytes| bytes.truncate(bytes.len().saturating_sub(1)))),
    ("with its first bit turned", |file, _| turn(file, 0.0)),
    ("with a bit turned at a third", |file, _| turn(file, 0.33)),
    ("with a bit turned in the middle", |file, _| turn(file, 0.5)),
    ("with its last bit turned", |file, _| turn(file, 1.0)),
    ("with a digit changed", |file, _| {
        change(file, |bytes| {
            if let Some(digit) = bytes.iter_mut().find(|byte| byte.is_ascii_digit()) {
                *digit = if *digit == b'7' { b'3' } else { b'7' };
            }
        })
    }),
    ("with nonsense behind", |file, _| change(file, |bytes| bytes.extend(b"\nnonsense\x1b[31m\xff"))),
    ("twice", |file, _| change(file, |bytes| bytes.extend(bytes.clone()))),
    ("of zeros", |file, _| change(file, |bytes| bytes.fill(0))),
    ("a folder", |file, _| fs::remove_file(file).and_then(|()| fs::create_dir(file))),
    ("a link to itself", |file, _| fs::remove_file(file).and_then(|()| symlink(file, file))),
    ("a link to a file outside", |file, outside| fs::remove_file(file).and_then(|()| symlink(outside, file))),
];

fn change(file: &Path, how: impl FnOnce(&mut Vec<u8>)) -> std::io::Result<()> {
    let mut bytes = fs::read(file)?;
    how(&mut bytes);
    fs::write(file, bytes)
}

fn turn(file: &Path, at: f64) -> std::io::Result<()> {
    change(file, |bytes| {
        let last = bytes.len().saturating_sub(1);
        if let Some(byte) = bytes.get_mut((at * last as f64) as usize) {
            *byte ^= 1;
        }
    })
}

/// All files below a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder of tests can be written");
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).expect("it is below"));
        fs::create_dir_all(target.parent().expect("it has one")).expect("the folder of tests can be written");
        fs::copy(&file, target).expect("it can be copied");
    }
}

/// Every file and every damage, or every so-manieth of them, to a run that was broken off and to one that is over.
pub fn all(job: &Job, step: usize, folder: &Path) -> Outcome {
    let failed = |reason: String| Outcome { tries: 1, failures: vec![reason] };
    let over = folder.join("over");
    let expected = match whole(job, None, &over) {
        Ok((expected, _)) => expected,
        Err(reason) => return failed(reason),
    };
    let Some(half) = half(job, &folder.join("half")) else {
        return failed("no run was broken off between its checkpoints".into());
    };
    let mut cases = Vec::new();
    for run in [&half, &over] {
        for file in files(&run.join("run")) {
            cases.extend(DAMAGES.iter().map(|damage| (run, file.clone(), damage)));
        }
    }
    let numbers: Vec<usize> = (0..cases.len()).step_by(step).collect();
    each(&numbers, &folder.join("tries"), |number, place| {
        let (run_before, file, (word, damage)) = &cases[number];
        copy(run_before, place);
        let outside = place.join("outside");
        fs::write(&outside, "mine").map_err(|error| error.to_string())?;
        let target = place.join(file.strip_prefix(run_before).expect("it is below"));
        damage(&target, &outside).map_err(|error| error.to_string())?;
        let what = format!("{} {word}", target.strip_prefix(place).expect("it is below").display());
        for arguments in (job.again)(place).iter().take(1).chain([&shown("run", place), &shown("", place)]) {
            let ended = run(arguments, None);
            let fine = matches!(ended.code, Some(0..=2)) && !ended.panicked() && !ended.hung;
            if !fine || ended.error.contains('\x1b') {
                return Err(format!("{what}: {}: {}", arguments[0], ended.told()));
            }
            if arguments[1] == "--resume" && ended.code == Some(0) {
                let result = (job.result)(place, &ended).map_err(|error| format!("{what}: {error}"))?;
                if result != expected {
                    return Err(format!("{what}: another result: {result}"));
                }
            }
        }
        match fs::read_to_string(&outside) {
            Ok(text) if text == "mine" => Ok(()),
            _ => Err(format!("{what}: something outside was written")),
        }
    })
}

/// The command that reports on a run, or lists them all.
fn shown(run: &str, place: &Path) -> Vec<String> {
    let words = ["runs".into(), place.join(run).display().to_string()];
    let page = ["--html".into(), place.join("page.html").display().to_string()];
    if run.is_empty() { words.to_vec() } else { [words, page].concat() }
}

/// A run with checkpoints that is not over.
fn half(job: &Job, folder: &Path) -> Option<PathBuf> {
    let begun = std::time::Instant::now();
    let place = folder.join("timed");
    whole(job, None, &place).ok()?;
    let longest = begun.elapsed();
    (1..200).find_map(|number| {
        let place = folder.join(number.to_string());
        fs::create_dir_all(&place).ok()?;
        job.prepare(&place);
        let after = longest.mul_f64(f64::from(number % 50) / 50.0);
        let _ = killed_after(&job.begin(&place), after);
        let has = |name: &str| files(&place).iter().any(|file| file.to_string_lossy().contains(name));
        (has("checkpoint") && !has("model.json")).then_some(place)
    })
}
