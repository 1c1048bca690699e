//! The database of the French federation, WTHOR: files of games (`.wtb`), of players (`.jou`) and of tournaments (`.trn`).
//!
//! All begin with 16 bytes: century, year, month and day of the file, the number of games (u32), the number of names (u16), the year
//! of the games (u16), the size of the board, the kind, the depth of the theoretical scores, and one byte more. A game is 68
//! bytes: tournament, black and white (u16), black's discs at the end, the same after best play from the depth on, and 60
//! squares as 10 * row + column, 0 where there is none. Passes are left out. Numbers are little-endian.

use games::Game;
use games::othello::{Move, Othello};
use games::rules::Fixed;

const HEADER: usize = 16;
const GAME: usize = 68;
const MOVES: usize = 60;
/// The first move of a game stands here.
const FIRST_MOVE: usize = 8;

/// The bytes of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// `.jou`.
    Players,
    /// `.trn`.
    Tournaments,
}

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {byte}: {reason}")]
pub struct WthorError {
    /// The byte at which the fault begins, the first being 0.
    pub byte: usize,
    /// What is wrong.
    pub reason: String,
}

/// The games of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Wthor {
    /// The year in which they were played.
    pub year: u16,
    /// The empty squares from which the theoretical scores are those of best play.
    pub depth: u8,
    /// The games.
    pub games: Vec<WthorGame>,
}

/// A game of the database.
#[derive(Debug, Clone, PartialEq)]
pub struct WthorGame {
    /// The number of the tournament.
    pub tournament: u16,
    /// The numbers of black and white.
    pub players: [u16; 2],
    /// Black's discs at the end, the empty squares being the winner's.
    pub black_discs: u8,
    /// Black's discs after best play from the depth on.
    pub theoretical: u8,
    /// All moves, passes included.
    pub moves: Vec<Move>,
}

fn fault<T>(byte: usize, reason: impl Into<String>) -> Result<T, WthorError> {
    Err(WthorError { byte, reason: reason.into() })
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Checks that a file has a header and as many records as that says.
fn check_size(bytes: &[u8], count: impl Fn(&[u8]) -> usize, record: usize) -> Result<usize, WthorError> {
    if bytes.len() < HEADER {
        return fault(bytes.len(), format!("it is cut short: a header has {HEADER} bytes"));
    }
    let count = count(bytes);
    let wanted = HEADER + count * record;
    match bytes.len() {
        size if size < wanted => {
            fault(size, format!("it is cut short: {count} records of {record} bytes end at byte {wanted}"))
        }
        size if size > wanted => {
            fault(wanted, format!("{} bytes follow the last of {count} records", size - wanted))
        }
        _ => Ok(count),
    }
}

/// Reads a file of games.
///
/// # Errors
/// It is cut short or too long, of another board, or a move in it is illegal.
pub fn games(bytes: &[u8]) -> Result<Wthor, WthorError> {
    let count = |bytes: &[u8]| u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
    let count = check_size(bytes, count, GAME)?;
    if !matches!(bytes[12], 0 | 8) {
        return fault(12, format!("a board of size {}; 8 (or 0, which means the same) is read", bytes[12]));
    }
    if bytes[13] != 0 {
        return fault(13, format!("kind {}; 0, whole games, is read", bytes[13]));
    }
    let games = (0..count).map(|number| game(bytes, HEADER + number * GAME)).collect::<Result<_, _>>()?;
    Ok(Wthor { year: u16_at(bytes, 10), depth: bytes[14], games })
}

fn game(bytes: &[u8], at: usize) -> Result<WthorGame, WthorError> {
    let record = &bytes[at..at + GAME];
    for (offset, what) in [(6, "black's discs"), (7, "theoretical discs")] {
        if record[offset] > 64 {
            return fault(at + offset, format!("{} {what}; 0 to 64 are possible", record[offset]));
        }
    }
    let mut position = Othello::start(&Fixed);
    let (mut moves, mut is_over) = (Vec::with_capacity(MOVES), false);
    for (offset, &byte) in record.iter().enumerate().skip(FIRST_MOVE) {
        if byte == 0 {
            is_over = true;
            continue;
        }
        let wrong = |reason: String| WthorError { byte: at + offset, reason };
        if is_over {
            return Err(wrong("a move follows the end of the game".into()));
        }
        let (row, column) = (byte / 10, byte % 10);
        if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
            return Err(wrong(format!("move {byte} is no square: 10 * row + column, from 11 to 88")));
        }
        if position.is_legal(Move::PASS) {
            position.play_unchecked(Move::PASS);
            moves.push(Move::PASS);
        }
        let mv = Move::square((row - 1) * 8 + column - 1);
        position.play(mv).map_err(|error| wrong(error.to_string()))?;
        moves.push(mv);
    }
    Ok(WthorGame {
        tournament: u16_at(record, 0),
        players: [u16_at(record, 2), u16_at(record, 4)],
        black_discs: record[6],
        theoretical: record[7],
        moves,
    })
}

/// Reads a file of names; the number of a player or tournament is its place in the list.
///
/// # Errors
/// It is cut short or too long.
pub fn names(bytes: &[u8], kind: Names) -> Result<Vec<String>, WthorError> {
    let record = if kind == Names::Players { 20 } else { 26 };
    check_size(bytes, |bytes| usize::from(u16_at(bytes, 8)), record)?;
    // Names are of one byte a letter; what is not ASCII in them is taken for Latin-1.
    let name = |bytes: &[u8]| {
        let letters = bytes.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte));
        letters.filter(|letter| !letter.is_control()).collect::<String>().trim().to_string()
    };
    Ok(bytes[HEADER..].chunks(record).map(name).collect())
}

/// A file of random games, and their moves: what tests of its readers need.
pub fn random_file(seed: u64, count: u32) -> (Vec<u8>, Vec<Vec<Move>>) {
    let mut bytes = vec![20, 24, 1, 1];
    bytes.extend(count.to_le_bytes());
    bytes.extend([0, 0, 0xe2, 7, 8, 0, 24, 0]);
    let (mut dice, mut moves) = (games::Dice::seeded(&[seed]), Vec::new());
    let mut lines = Vec::new();
    for number in 0..count {
        let (mut position, mut line) = (Othello::start(&Fixed), Vec::new());
        while let Some(mv) = position.random_move(&mut dice, &mut moves) {
            line.push(mv);
            position.play_unchecked(mv);
        }
        let discs = (64.0 + position.score(games::Side::First)) / 2.0;
        bytes.extend([1, 0, number as u8, 0, 2, 0, discs as u8, 32]);
        let mut squares: Vec<u8> = line
            .iter()
            .filter_map(|mv| mv.index())
            .map(|square| (square / 8 + 1) * 10 + square % 8 + 1)
            .collect();
        squares.resize(MOVES, 0);
        bytes.extend(squares);
        lines.push(line);
    }
    (bytes, lines)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn name_file(names: &[&str], record: usize) -> Vec<u8> {
        let mut bytes = vec![20, 24, 1, 1, 0, 0, 0, 0];
        bytes.extend((names.len() as u16).to_le_bytes());
        bytes.extend([0; 6]);
        for name in names {
            let mut name = name.as_bytes().to_vec();
            name.resize(record, 0);
            bytes.extend(name);
        }
        bytes
    }

    #[test]
    fn games_and_names_are_read_whole() {
        let (bytes, lines) = random_file(5, 40);
        let read = games(&bytes).unwrap();
        assert_eq!((read.year, read.depth, read.games.len()), (2018, 24, 40));
        assert!(
            lines.iter().any(|line| line[..line.len() - 1].contains(&Move::PASS)),
            "some games have a pass"
        );
        for (game, line) in read.games.iter().zip(&lines) {
            assert_eq!(game.moves, *line);
        }
        assert_eq!(read.games[3].players, [3, 2]);
        let bytes = name_file(&["Tastet Marc", "", "x"], 20);
        assert_eq!(names(&bytes, Names::Players).unwrap(), ["Tastet Marc", "", "x"]);
        assert!(names(&bytes, Names::Tournaments).unwrap_err().reason.contains("cut short"));
    }

    #[test]
    fn damage_is_named_with_its_byte() {
        let (good, _) = random_file(5, 3);
        let damaged = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] = value;
            games(&bytes).unwrap_err()
        };
        for (error, byte, said) in [
            (games(&good[..10]).unwrap_err(), 10, "a header has 16 bytes"),
            (games(&good[..100]).unwrap_err(), 100, "3 records of 68 bytes end at byte 220"),
            (games(&[&good[..], &[0]].concat()).unwrap_err(), 220, "1 bytes follow the last of 3"),
            (damaged(12, 10), 12, "a board of size 10"),
            (damaged(13, 1), 13, "kind 1"),
            (damaged(16 + 6, 65), 22, "65 black's discs"),
            (damaged(16 + 8, 19), 24, "move 19 is no square"),
            (damaged(16 + 8, 11), 24, "it flips no disc"),
            (damaged(16 + 9, 44), 25, "the square is taken"),
            (damaged(16 + 8, 0), 25, "a move follows the end"),
            (damaged(4, 200), 220, "cut short"),
        ] {
            assert!(error.byte == byte && error.reason.contains(said), "{error}");
        }
        // Any single damage is an error or another game, never a panic.
        for at in 0..good.len() {
            for value in [0, 1, 88, 255] {
                let mut bytes = good.clone();
                bytes[at] = value;
                let _ = games(&bytes);
            }
        }
    }
}
