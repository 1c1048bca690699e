//! Games of Othello that others have played: files of WTHOR, with the names of players and tournaments beside them, and of GGF.

use std::fs;
use std::path::{Path, PathBuf};

use games::othello::Othello;
use games::othello::ggf::Ggf;
use games::rules::Fixed;
use games::{Game, Side, Turn};

use super::wthor::{self, Names};
use super::{GameEnd, RecordedError, RecordedGame, WrittenGame};

/// The largest file that is read: the whole of WTHOR takes 9 MB.
const MOST_BYTES: u64 = 1 << 30;

/// Reads the games of a file: `.wtb`, with the names of the `.jou` and `.trn` files beside it if there are any, or `.ggf`.
///
/// # Errors
/// It cannot be read, or is damaged: the text names byte or line.
pub fn read_games(path: &Path) -> Result<Vec<RecordedGame<Othello>>, RecordedError> {
    let bytes = bytes(path)?;
    let wrong = |path: &Path, reason: String| RecordedError::Content { path: path.to_path_buf(), reason };
    match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("wtb")) {
        true => {
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
            let game = |game: wthor::WthorGame| RecordedGame {
                players: game.players.map(|player| name(&players, player)),
                tournament: name(&tournaments, game.tournament),
                year: Some(read.year),
                start: Othello::start(&Fixed),
                moves: game.moves,
                score: Some(2.0 * f64::from(game.black_discs) - 64.0),
            };
            Ok(read.games.into_iter().map(game).collect())
        }
        false => {
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
                RecordedGame {
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

/// A game in GGF: behind each move its value and its seconds, as far as they are known.
pub fn ggf_text(game: &WrittenGame<Othello>) -> String {
    let all = |side: Side| Some(if side == Side::First { 64.0 } else { -64.0 });
    let (result, note) = match game.end {
        GameEnd::Score(score) => (Some(score), ""),
        GameEnd::Forfeit(side) => (all(side), ":r"),
        GameEnd::Time(side) => (all(side), ":t"),
        GameEnd::Open => (None, ""),
    };
    let moves = game.moves.iter().map(|&(mv, _, _)| mv).collect();
    let ggf = Ggf { players: game.players.clone(), start: game.start, moves, result };
    ggf.text_with(note, &|number| {
        let (_, value, seconds) = game.moves[number];
        match (value, seconds) {
            (Some(value), Some(seconds)) => format!("/{value:.2}/{seconds:.3}"),
            (Some(value), None) => format!("/{value:.2}"),
            (None, Some(seconds)) => format!("//{seconds:.3}"),
            (None, None) => String::new(),
        }
    }) + "\n"
}

fn bytes(path: &Path) -> Result<Vec<u8>, RecordedError> {
    let failed = |cause| RecordedError::File { path: path.to_path_buf(), cause };
    crate::files::read(path, MOST_BYTES).map_err(failed)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::wthor::random_file;
    use crate::recorded::wthor::tests::name_file;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("evalforge-recorded-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_database_is_read_with_its_names() {
        let folder = folder("wthor");
        let (bytes, _) = random_file(6, 5);
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
        // Damage is named with file and byte.
        fs::write(&path, &bytes[..100]).unwrap();
        let error = read_games(&path).unwrap_err().to_string();
        assert!(error.contains("WTH_2018.WTB") && error.contains("byte 100: it is cut short"), "{error}");
        fs::write(&path, &bytes).unwrap();
        fs::write(folder.join("WTH.JOU"), [0; 7]).unwrap();
        let error = read_games(&path).unwrap_err().to_string();
        assert!(error.contains("WTH.JOU") && error.contains("byte 7"), "{error}");
    }

    #[test]
    fn games_of_ggf_are_read() {
        let path = folder("ggf").join("some.ggf");
        fs::write(&path, "1 (;GM[Othello]PB[x]PW[y]RE[-4.00:r]B[d3]W[c3];)\n\n(;B[f5];)\n").unwrap();
        let games = read_games(&path).unwrap();
        assert_eq!((games.len(), games[0].score, games[1].score), (2, Some(-4.0), None));
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
