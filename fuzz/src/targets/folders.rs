//! What the program itself has written and goes on from: journals, and the folders of runs.

use std::fs;
use std::path::Path;

use games::Rules;
use games::othello::Othello;
use games::rules::Fixed;
use games::tetris::{Tetris, TetrisRules};
use measure::arena::{self, Openings, Schedule};
use measure::score;
use play::files::checksum;
use train::run::experiment::Experiment;
use train::run::folder::{self, Origin};

use super::{Answer, Room, Verdict, again, check_line, refused, same};

/// The journal of `duel othello random greedy --games 6 --openings 4 --seed 1`.
pub(super) fn duel_journal(bytes: &[u8], room: &Room) -> Verdict {
    let openings = Openings::random(&Fixed, 4, 3, 1).map_err(|error| error.to_string())?;
    let setup = arena::DuelSetup::<Othello> {
        rules: Fixed,
        players: vec!["random".into(), "greedy".into()],
        schedule: Schedule::RoundRobin,
        openings,
        pairs: 3,
        seed: 1,
        most_moves: 1000,
        sprt: None,
        game_time: None,
        increment: 0.0,
        time_margin: 0.0,
        adjudication: Default::default(),
    };
    let open = |path: &Path| {
        let (_, results) = arena::open_journal(path, &setup)?;
        Ok::<_, measure::journal::JournalError>(format!("{:?}", results.all().collect::<Vec<_>>()))
    };
    journal(bytes, room, open)
}

/// The journal of `score tetris --player dellacherie --player dn --games 3 --width 6 --height 6 --seed 1`.
pub(super) fn score_journal(bytes: &[u8], room: &Room) -> Verdict {
    let setup = score::ScoreSetup::<Tetris> {
        rules: TetrisRules::from_pairs([("width", "6"), ("height", "6")])
            .map_err(|error| error.to_string())?,
        players: vec!["dellacherie".into(), "dn".into()],
        games: 3,
        seed: 1,
    };
    let open = |path: &Path| {
        let (_, games) = score::open_journal(path, &setup)?;
        let each =
            |player| (games.finished(player).collect::<Vec<_>>(), games.scores(player), games.speed(player));
        let _ = (games.complete(), games.paired(0, 1), games.exact_ci95(0), games.censored_mean(1));
        Ok::<_, measure::journal::JournalError>(format!("{:?} {:?}", each(0), each(1)))
    };
    journal(bytes, room, open)
}

/// A journal that was opened is whole, and opens as the same again; one that is refused is left as it was.
fn journal<E: std::fmt::Display>(
    bytes: &[u8],
    room: &Room,
    open: impl Fn(&Path) -> Result<String, E>,
) -> Verdict {
    let path = room.file("journal.jsonl", bytes)?;
    match open(&path) {
        Ok(found) => {
            same("a journal", &found, &again("a journal", "its lines", open(&path))?)?;
            Ok(Answer::Accepted)
        }
        Err(error) => {
            let left = fs::read(&path).map_err(|error| error.to_string())?;
            same("a journal that is refused", &bytes, &left.as_slice())?;
            refused(error)
        }
    }
}

/// How the files of a folder follow one another in an input.
const FILE: &str = "==> ";
/// The files that are read.
const FILES: &[&str] = &[
    "manifest.json",
    "config.toml",
    "log.jsonl",
    "model.json",
    "scores.json",
    "checkpoint.json",
    "checkpoint.previous.json",
];

/// The files of an input, with their names.
fn files(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut files: Vec<(&'static str, Vec<u8>)> = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let name = line.strip_prefix(FILE.as_bytes()).map(<[u8]>::trim_ascii_end);
        let known = name.and_then(|name| FILES.iter().find(|known| known.as_bytes() == name));
        match (known, files.last_mut()) {
            (Some(known), _) => files.push((known, Vec::new())),
            (None, Some((_, content))) => content.extend(line),
            (None, None) => {}
        }
    }
    files
}

/// The folder of a run that has come to an end or not: its report, its log, the newest checkpoint.
pub(super) fn run(bytes: &[u8], room: &Room) -> Verdict {
    let place = room.folder.join("run");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    for (name, content) in files(bytes) {
        fs::write(place.join(name), content).map_err(|error| error.to_string())?;
    }
    let saved = folder::newest(&place);
    if let Err(error) = folder::generations(&place) {
        check_line(&error.to_string())?;
    }
    // The learner of a checkpoint, if there is no model yet, and what is gone on with.
    if let Err(error) = Experiment::start_from::<games::Listed>(&place, "") {
        check_line(&error.to_string())?;
    }
    if let Err(error) = Experiment::resume::<games::Listed>(&place, origin(), true) {
        check_line(&error.to_string())?;
    }
    let experiments = match report::Experiment::read_all(&place) {
        Ok(experiments) => experiments,
        Err(error) => return refused(error),
    };
    let text = report::text(&experiments);
    if let Some(line) = text.lines().find(|line| line.contains(char::is_control)) {
        check_line(line)?;
    }
    report::html(&experiments);
    report::csv(&experiments);
    report::markdown(&experiments);
    match saved {
        Some(_) => Ok(Answer::Accepted),
        None => refused("no checkpoint that is whole"),
    }
}

fn origin() -> Origin {
    let word = || "unknown".to_string();
    Origin {
        version: "0.1.0".into(),
        commit: word(),
        source: String::new(),
        cpu: word(),
        threads: 1,
        now: word(),
    }
}

/// Makes the checksum of each checkpoint right.
pub(super) fn seal_run(bytes: &[u8]) -> Vec<u8> {
    const FORMAT: &[u8] = b"evalforge checkpoint 1 ";
    let mut sealed = Vec::new();
    for (name, content) in files(bytes) {
        sealed.extend(format!("{FILE}{name}\n").into_bytes());
        let end = content.iter().position(|&byte| byte == b'\n').filter(|_| content.starts_with(FORMAT));
        match (end, end.and_then(|end| content[end + 1..].strip_suffix(b"\n"))) {
            (Some(_), Some(body)) => {
                sealed.extend(FORMAT);
                sealed.extend(format!("{:016x}\n", checksum(body)).into_bytes());
                sealed.extend(body);
                sealed.push(b'\n');
            }
            _ => sealed.extend(content),
        }
    }
    sealed
}
