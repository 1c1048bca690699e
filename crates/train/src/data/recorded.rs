//! What others have recorded of a game, as labelled positions: games, all or those of some years, and positions with a number.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use games::{Side, Turn};
use play::PlayedGame;
use play::recorded::{RecordedError, RecordedGame, RecordedPosition};

use super::{DataError, Dataset, Header, Label, Labelled, Record};

impl From<RecordedError> for DataError {
    fn from(error: RecordedError) -> Self {
        match error {
            RecordedError::File { path, cause } => DataError::File { path, cause },
            RecordedError::Content { path, reason } => DataError::Content { path, reason },
        }
    }
}

/// Whether a file is one of recorded games, by its name.
pub(crate) fn is_recorded<G: PlayedGame>(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str());
    end.is_some_and(|end| G::RECORDED.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

fn endings<G: PlayedGame>(between: &str) -> String {
    G::RECORDED.iter().map(|end| format!(".{end}")).collect::<Vec<_>>().join(between)
}

/// The files that paths stand for: files as they are, the games of a folder by name.
pub(crate) fn files<G: PlayedGame>(paths: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |cause| DataError::File { path: path.clone(), cause };
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if is_recorded::<G>(&file) {
                found.push(file);
            }
        }
        if found.is_empty() {
            let reason = format!("no files of games ({}) in this folder", endings::<G>(", "));
            return Err(DataError::Content { path: path.clone(), reason });
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Games of files and folders, and those that were left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen<G: PlayedGame> {
    /// The games, in the order of the files.
    pub games: Vec<Record<G>>,
    /// Games of other years, or of none where a year is asked for.
    pub other_years: usize,
    /// Games of which nobody knows how they ended, where the label asks for it.
    pub without_score: usize,
}

/// Reads the games of files and folders that can be labelled like this, all or those of some years.
///
/// # Errors
/// A file cannot be read, is damaged, or is none of recorded games.
pub fn choose<G: PlayedGame>(
    paths: &[PathBuf],
    years: Option<&RangeInclusive<u16>>,
    label: &Label,
) -> Result<Chosen<G>, DataError> {
    let mut chosen = Chosen { games: Vec::new(), other_years: 0, without_score: 0 };
    for path in files::<G>(paths)? {
        if !is_recorded::<G>(&path) {
            let reason = format!("the name of a file of games ends with {}", endings::<G>(" or "));
            return Err(DataError::Content { path, reason });
        }
        for game in G::read_games(&path)? {
            let is_of_years =
                |years: &RangeInclusive<u16>| game.year.is_some_and(|year| years.contains(&year));
            if !years.is_none_or(is_of_years) {
                chosen.other_years += 1;
            } else if label.needs_end() && game.score.is_none() {
                chosen.without_score += 1;
            } else {
                let RecordedGame { start, moves, score, .. } = game;
                chosen.games.push(Record { start, moves, margin: score.unwrap_or(0.0) });
            }
        }
    }
    Ok(chosen)
}

/// The positions of recorded games, labelled by how they ended. Games of which nobody knows that are left out.
pub fn dataset<G: PlayedGame>(games: &[RecordedGame<G>]) -> Dataset {
    let mut positions = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let Some(score) = game.score else { continue };
        let mut position = game.start.clone();
        let all = game.moves.iter().map(Some).chain([None]);
        for (ply, mv) in all.enumerate() {
            let Turn::Player(side) = position.turn() else { break };
            let for_side = if side == Side::First { score } else { -score };
            let label = if for_side == 0.0 { 0.0 } else { for_side.signum() as f32 };
            positions.push(Labelled { text: position.text(), label, ply: ply as u32, game: number as u64 });
            match mv {
                Some(&mv) => position.play_unchecked(mv),
                None => break,
            }
        }
    }
    Dataset { header: header::<G>(Label::Outcome), positions }
}

/// Positions that somebody else has labelled.
pub fn labelled<G: PlayedGame>(positions: Vec<RecordedPosition<G>>) -> Dataset {
    let one = |one: RecordedPosition<G>| Labelled {
        text: one.position.text(),
        label: one.label,
        ply: one.ply,
        game: one.game,
    };
    Dataset { header: header::<G>(Label::Fraction), positions: positions.into_iter().map(one).collect() }
}

/// Nobody of ours played, and nothing was left to chance.
fn header<G: PlayedGame>(label: Label) -> Header {
    Header {
        game: G::NAME.into(),
        rules: Default::default(),
        players: Vec::new(),
        opening_plies: 0,
        more_plies: 0,
        label,
        every: 1,
        distinct: false,
        seed: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::read_for;
    use games::othello::Othello;
    use play::recorded::wthor::random_file;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("evalforge-recorded-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn recorded_games_become_positions() {
        let folder = folder("wthor");
        let (bytes, lines) = random_file(6, 5);
        let path = folder.join("WTH_2018.WTB");
        fs::write(&path, &bytes).unwrap();
        let games = Othello::read_games(&path).unwrap();
        let data = read_for::<Othello>(&path).unwrap();
        assert_eq!((data.games(), data.positions.len()), (5, lines.iter().map(Vec::len).sum::<usize>()));
        let first: Vec<_> = data.parsed::<Othello>().unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(first[0].1, games[0].score.unwrap().signum());
        assert_eq!(first[0].1, -first[1].1);
        fs::write(&path, &bytes[..100]).unwrap();
        let error = read_for::<Othello>(&path).unwrap_err().to_string();
        assert!(error.contains("WTH_2018.WTB") && error.contains("byte 100: it is cut short"), "{error}");
        let path = folder.join("some.ggf");
        fs::write(&path, "1 (;GM[Othello]PB[x]PW[y]RE[-4.00:r]B[d3]W[c3];)\n\n(;B[f5];)\n").unwrap();
        let labels: Vec<f32> =
            read_for::<Othello>(&path).unwrap().positions.iter().map(|one| one.label).collect();
        assert_eq!(labels, [-1.0, 1.0, -1.0], "games without a result are left out");
    }

    #[test]
    fn games_are_chosen_by_year_and_by_what_the_label_asks() {
        let folder = folder("choose");
        for (name, year) in [("a.wtb", 2001_u16), ("b.wtb", 2002)] {
            let mut bytes = random_file(6, 5).0;
            bytes[10..12].copy_from_slice(&year.to_le_bytes());
            fs::write(folder.join(name), bytes).unwrap();
        }
        fs::write(folder.join("c.ggf"), "(;RE[-4]B[d3]W[c3];)(;B[f5];)").unwrap();
        fs::write(folder.join("d.txt"), "no game").unwrap();
        let (outcome, search): (Label, Label) =
            ("outcome".parse().unwrap(), "search:minimax(depth=1)".parse().unwrap());
        let counts = |years: Option<RangeInclusive<u16>>, label: &Label| {
            let Chosen { games, other_years, without_score } =
                choose::<Othello>(std::slice::from_ref(&folder), years.as_ref(), label).unwrap();
            (games.len(), other_years, without_score)
        };
        assert_eq!(counts(None, &outcome), (11, 0, 1));
        assert_eq!(counts(None, &search), (12, 0, 0));
        assert_eq!(counts(Some(2002..=2010), &outcome), (5, 7, 0));
        assert_eq!(counts(Some(2001..=2002), &search), (10, 2, 0));
        let games = choose::<Othello>(&[folder.join("c.ggf")], None, &outcome).unwrap().games;
        assert_eq!((games[0].margin, games[0].moves.len()), (-4.0, 2));
        let error = choose::<Othello>(&[folder.join("d.txt")], None, &outcome).unwrap_err().to_string();
        assert!(error.contains("d.txt") && error.contains("ends with .wtb or .ggf"), "{error}");
    }
}
