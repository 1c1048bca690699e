//! Games of Othello that others have played, from WTHOR and GGF files: with players and tournaments, and as labelled positions.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use games::othello::ggf::Ggf;
use games::othello::{Move, Othello};
use games::rules::Fixed;
use games::{Game, Side, Turn};

use super::wthor::{self, Names};
use super::{DataError, Dataset, Header, Label, Labelled, Record};

/// The largest file that is read: the whole of WTHOR takes 9 MB.
const MOST_BYTES: u64 = 1 << 30;

/// A game that was played elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Black and white; numbers where a file of names is missing.
    pub players: [String; 2],
    /// Where; empty if the file does not say.
    pub tournament: String,
    /// When, if the file says.
    pub year: Option<u16>,
    /// Where it began.
    pub start: Othello,
    /// All moves, passes included; they may stop before the end.
    pub moves: Vec<Move>,
    /// Black's discs less white's at the end, as it was written down, or as the moves lead to.
    pub score: Option<f64>,
}

/// The kinds of files, by the ends of their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Wthor,
    Ggf,
}

fn kind(path: &Path) -> Option<Kind> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "wtb" => Some(Kind::Wthor),
        "ggf" => Some(Kind::Ggf),
        _ => None,
    }
}

/// Whether a file is one of recorded games, by its name.
pub(crate) fn is_recorded(path: &Path) -> bool {
    kind(path).is_some()
}

/// The files that paths stand for: files as they are, the games of a folder by name.
pub(crate) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, DataError> {
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
            if is_recorded(&file) {
                found.push(file);
            }
        }
        if found.is_empty() {
            let reason = "no files of games (.wtb, .ggf) in this folder".to_string();
            return Err(DataError::Content { path: path.clone(), reason });
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Games of files and folders, and those that were left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chosen {
    /// The games, in the order of the files.
    pub games: Vec<Record<Othello>>,
    /// Games of other years, or of none where a year is asked for.
    pub other_years: usize,
    /// Games of which nobody knows how they ended, where the label asks for it.
    pub without_score: usize,
}

/// Reads the games of files and folders that can be labelled like this, all or those of some years.
///
/// # Errors
/// A file cannot be read, is damaged, or is none of recorded games.
pub fn choose(
    paths: &[PathBuf],
    years: Option<&RangeInclusive<u16>>,
    label: &Label,
) -> Result<Chosen, DataError> {
    let mut chosen = Chosen::default();
    for path in files(paths)? {
        if !is_recorded(&path) {
            let reason = "the name of a file of games ends with .wtb or .ggf".to_string();
            return Err(DataError::Content { path, reason });
        }
        for game in read_games(&path)? {
            let is_of_years =
                |years: &RangeInclusive<u16>| game.year.is_some_and(|year| years.contains(&year));
            if !years.is_none_or(is_of_years) {
                chosen.other_years += 1;
            } else if label.needs_end() && game.score.is_none() {
                chosen.without_score += 1;
            } else {
                let Recorded { start, moves, score, .. } = game;
                chosen.games.push(Record { start, moves, margin: score.unwrap_or(0.0) });
            }
        }
    }
    Ok(chosen)
}

/// Reads the games of a file: `.wtb`, with the names of the `.jou` and `.trn` files beside it if there are any, or `.ggf`.
///
/// # Errors
/// It cannot be read, or is damaged: the text names byte or line.
pub fn read_games(path: &Path) -> Result<Vec<Recorded>, DataError> {
    let bytes = bytes(path)?;
    let wrong = |path: &Path, reason: String| DataError::Content { path: path.to_path_buf(), reason };
    match kind(path) {
        Some(Kind::Wthor) => {
            let read = wthor::games(&bytes).map_err(|error| wrong(path, error.to_string()))?;
            let names = |end: &str, kind: Names| match beside(path, end) {
                None => Ok(Vec::new()),
                Some(path) => {
                    wthor::names(&self::bytes(&path)?, kind).map_err(|error| wrong(&path, error.to_string()))
                }
            };
            let (players, tournaments) = (names("jou", Names::Players)?, names("trn", Names::Tournaments)?);
            let name = |names: &[String], number: u16| match names.get(usize::from(number)) {
                Some(name) => name.clone(),
                None => format!("#{number}"),
            };
            let game = |game: wthor::WthorGame| Recorded {
                players: game.players.map(|player| name(&players, player)),
                tournament: name(&tournaments, game.tournament),
                year: Some(read.year),
                start: Othello::start(&Fixed),
                moves: game.moves,
                score: Some(2.0 * f64::from(game.black_discs) - 64.0),
            };
            Ok(read.games.into_iter().map(game).collect())
        }
        _ => {
            let text = String::from_utf8(bytes).map_err(|error| {
                wrong(path, format!("byte {}: it is no text", error.utf8_error().valid_up_to()))
            })?;
            let line = |at: usize| text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            let games = Ggf::parse_all(&text)
                .map_err(|error| wrong(path, format!("line {}: {}", line(error.at), error.reason)))?;
            if games.is_empty() {
                return Err(wrong(path, "it holds no game; one begins with '(;'".into()));
            }
            let game = |game: Ggf| {
                let end = game.end();
                let played = (end.turn() == Turn::Over).then(|| end.score(Side::First));
                let Ggf { players, start, moves, result } = game;
                Recorded {
                    players,
                    tournament: String::new(),
                    year: None,
                    start,
                    moves,
                    score: played.or(result),
                }
            };
            Ok(games.into_iter().map(game).collect())
        }
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, DataError> {
    let failed = |cause| DataError::File { path: path.to_path_buf(), cause };
    if fs::metadata(path).map_err(failed)?.len() > MOST_BYTES {
        let reason = format!("it is larger than {MOST_BYTES} bytes");
        return Err(DataError::Content { path: path.to_path_buf(), reason });
    }
    fs::read(path).map_err(failed)
}

/// The first file in the same folder whose name ends like this.
fn beside(path: &Path, end: &str) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let ends = |file: &PathBuf| {
        file.extension().and_then(|text| text.to_str()).is_some_and(|text| text.eq_ignore_ascii_case(end))
    };
    files.filter(ends).min()
}

/// The positions of recorded games, labelled by how they ended. Games of which nobody knows that are left out.
pub fn dataset(games: &[Recorded]) -> Dataset {
    let mut positions = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let Some(score) = game.score else { continue };
        let mut position = game.start;
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
    let header = Header {
        game: Othello::NAME.into(),
        rules: Default::default(),
        players: Vec::new(),
        opening_plies: 0,
        more_plies: 0,
        label: Label::Outcome,
        every: 1,
        distinct: false,
        seed: 0,
    };
    Dataset { header, positions }
}

#[cfg(test)]
mod tests {
    use super::super::wthor::tests::{file, name_file};
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("evalforge-recorded-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_database_is_read_with_its_names_and_becomes_positions() {
        let folder = folder("wthor");
        let (bytes, lines) = file(6, 5);
        let path = folder.join("WTH_2018.WTB");
        fs::write(&path, &bytes).unwrap();
        assert_eq!(read_games(&path).unwrap()[4].players, ["#4", "#2"]);
        fs::write(folder.join("WTH.JOU"), name_file(&["a", "b", "c", "d"], 20)).unwrap();
        fs::write(folder.join("WTH.TRN"), name_file(&["?", "Paris"], 26)).unwrap();
        let games = read_games(&path).unwrap();
        assert_eq!(
            (games[3].players.clone(), games[3].tournament.as_str()),
            (["d".into(), "c".into()], "Paris")
        );
        assert_eq!((games[4].players[0].as_str(), games[4].year), ("#4", Some(2018)));
        let data = super::super::read_for("othello", &path).unwrap();
        assert_eq!((data.games(), data.positions.len()), (5, lines.iter().map(Vec::len).sum::<usize>()));
        let first: Vec<_> = data.parsed::<Othello>().unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(first[0].1, games[0].score.unwrap().signum());
        assert_eq!(first[0].1, -first[1].1);
        // Damage is named with file and byte.
        fs::write(&path, &bytes[..100]).unwrap();
        let error = super::super::read_for("othello", &path).unwrap_err().to_string();
        assert!(error.contains("WTH_2018.WTB") && error.contains("byte 100: it is cut short"), "{error}");
        fs::write(&path, &bytes).unwrap();
        fs::write(folder.join("WTH.JOU"), [0; 7]).unwrap();
        let error = read_games(&path).unwrap_err().to_string();
        assert!(error.contains("WTH.JOU") && error.contains("byte 7"), "{error}");
    }

    #[test]
    fn games_are_chosen_by_year_and_by_what_the_label_asks() {
        let folder = folder("choose");
        for (name, year) in [("a.wtb", 2001_u16), ("b.wtb", 2002)] {
            let mut bytes = file(6, 5).0;
            bytes[10..12].copy_from_slice(&year.to_le_bytes());
            fs::write(folder.join(name), bytes).unwrap();
        }
        fs::write(folder.join("c.ggf"), "(;RE[-4]B[d3]W[c3];)(;B[f5];)").unwrap();
        fs::write(folder.join("d.txt"), "no game").unwrap();
        let (outcome, search): (Label, Label) =
            ("outcome".parse().unwrap(), "search:minimax(depth=1)".parse().unwrap());
        let counts = |years: Option<RangeInclusive<u16>>, label: &Label| {
            let Chosen { games, other_years, without_score } =
                choose(std::slice::from_ref(&folder), years.as_ref(), label).unwrap();
            (games.len(), other_years, without_score)
        };
        assert_eq!(counts(None, &outcome), (11, 0, 1));
        assert_eq!(counts(None, &search), (12, 0, 0));
        assert_eq!(counts(Some(2002..=2010), &outcome), (5, 7, 0));
        assert_eq!(counts(Some(2001..=2002), &search), (10, 2, 0));
        let games = choose(&[folder.join("c.ggf")], None, &outcome).unwrap().games;
        assert_eq!((games[0].margin, games[0].moves.len()), (-4.0, 2));
        let error = choose(&[folder.join("d.txt")], None, &outcome).unwrap_err().to_string();
        assert!(error.contains("d.txt") && error.contains("ends with .wtb or .ggf"), "{error}");
    }

    #[test]
    fn games_of_ggf_are_read_and_those_without_a_result_left_out() {
        let path = folder("ggf").join("some.ggf");
        fs::write(&path, "1 (;GM[Othello]PB[x]PW[y]RE[-4.00:r]B[d3]W[c3];)\n\n(;B[f5];)\n").unwrap();
        let games = read_games(&path).unwrap();
        assert_eq!((games.len(), games[0].score, games[1].score), (2, Some(-4.0), None));
        let data = super::super::read_for("othello", &path).unwrap();
        let labels: Vec<f32> = data.positions.iter().map(|one| one.label).collect();
        assert_eq!(labels, [-1.0, 1.0, -1.0]);
        for (text, said) in
            [("(;B[d3];)\n(;B[d3]B[c3];)", "line 2: move c3: the other side"), ("nothing", "no game")]
        {
            fs::write(&path, text).unwrap();
            let error = read_games(&path).unwrap_err().to_string();
            assert!(error.contains("some.ggf") && error.contains(said), "{error}");
        }
        fs::write(&path, b"(;B[d3]\xff").unwrap();
        assert!(read_games(&path).unwrap_err().to_string().contains("byte 7: it is no text"));
    }
}
