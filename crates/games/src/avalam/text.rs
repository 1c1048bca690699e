//! Avalam as text: the 9x9 matrix of the course framework, moves, the drawing.
//!
//! A tower of height h is h for player 1 (the first side) and -h for player -1; every other place of the matrix is 0.
//! Rows are separated by `/`, and the player to move follows after `;`. Any separators are read, a nested list
//! or the lines of a CSV file included; without a player, the number of towers tells whose turn it is.

use super::{Avalam, CELLS, MAX_HEIGHT, Move, cell_at, place};
use crate::draw::{Ink, Pen};
use crate::error::{InputError, shown};
use crate::game::Side;

pub fn to_text(position: &Avalam) -> String {
    let value = |row: u8, column: u8| {
        let Some(cell) = cell_at(row, column) else { return 0 };
        let height = position.height(cell) as i8;
        if position.owner(cell) == Some(Side::Second) { -height } else { height }
    };
    let row = |row: u8| (0..9).map(|column| value(row, column).to_string()).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = (0..9).map(row).collect();
    format!("{}; {}", rows.join("/"), if position.side() == Side::First { 1 } else { -1 })
}

pub fn from_text(text: &str) -> Result<Avalam, InputError> {
    let refused = |reason: String| InputError::position(text, reason);
    let (matrix, player) = match text.split_once(';') {
        Some((matrix, player)) => (matrix, Some(player.trim())),
        None => (text, None),
    };
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '/' | '[' | ']');
    let words: Vec<&str> = matrix.split(separator).filter(|word| !word.is_empty()).collect();
    if words.len() != 81 {
        return Err(refused(format!("{} numbers; the matrix has 9 rows of 9", words.len())));
    }
    let mut position = Avalam { planes: [0; 3], first: 0, side: Side::First };
    for (i, word) in words.iter().enumerate() {
        let (row, column) = (i as u8 / 9, i as u8 % 9);
        let value: i8 = match word.parse() {
            Ok(value) if (-5..=5).contains(&value) => value,
            _ => {
                let reason = format!("{} in row {row}, column {column}; a tower is -5 to 5", shown(word));
                return Err(refused(reason));
            }
        };
        match cell_at(row, column) {
            Some(cell) => position.set(cell, value.unsigned_abs(), value > 0),
            None if value == 0 => {}
            None => return Err(refused(format!("there is no cell in row {row}, column {column}"))),
        }
    }
    position.side = match player {
        Some("1" | "+1") => Side::First,
        Some("-1") => Side::Second,
        Some(other) => return Err(refused(format!("player {} to move; 1 or -1 is", shown(other)))),
        // Every move takes one tower away.
        None if (u32::from(CELLS) - position.towers().count_ones()).is_multiple_of(2) => Side::First,
        None => Side::Second,
    };
    Ok(position)
}

pub fn parse_move(text: &str) -> Result<Move, InputError> {
    let refused = |reason: &str| InputError::move_text(text, reason);
    const FORM: &str = "a move is row and column of a tower, then of its goal, as 21-32";
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '-' | '(' | ')' | '>');
    let digits: Vec<char> = text.chars().filter(|&c| !separator(c)).collect();
    let numbers: Option<Vec<u8>> = digits.iter().map(|c| c.to_digit(9).map(|d| d as u8)).collect();
    let Some(numbers) = numbers else {
        let digits = digits.iter().all(char::is_ascii_digit);
        return Err(refused(if digits { "rows and columns are 0 to 8" } else { FORM }));
    };
    let [i1, j1, i2, j2] = numbers[..] else { return Err(refused(FORM)) };
    match (cell_at(i1, j1), cell_at(i2, j2)) {
        (Some(from), Some(to)) if from != to => Ok(Move { from, to }),
        (Some(_), Some(_)) => Err(refused("a tower does not move onto itself")),
        (None, _) => Err(refused(&format!("there is no cell in row {i1}, column {j1}"))),
        (_, None) => Err(refused(&format!("there is no cell in row {i2}, column {j2}"))),
    }
}

/// `+h` and `-h` are towers, `.` an empty cell; the last move is in brackets, round where the tower left.
pub fn draw(position: &Avalam, pen: &mut Pen, last: Option<Move>) {
    let columns = |pen: &mut Pen| {
        pen.plain("   ");
        (0..9).for_each(|column| pen.ink(Ink::Faint, &format!("  {column} ")));
        pen.line();
    };
    columns(pen);
    for row in 0..9 {
        pen.ink(Ink::Faint, &format!(" {row} "));
        for column in 0..9 {
            let Some(cell) = cell_at(row, column) else {
                pen.plain("    ");
                continue;
            };
            debug_assert_eq!(place(cell), (row, column));
            let height = position.height(cell);
            let (ink, sign) = match position.owner(cell) {
                Some(Side::First) => (Ink::First, format!("+{height}")),
                Some(Side::Second) => (Ink::Second, format!("-{height}")),
                None => (Ink::Faint, " .".to_string()),
            };
            match last {
                Some(mv) if mv.to == cell => pen.ink(Ink::Last, &format!("[{sign}]")),
                Some(mv) if mv.from == cell => pen.ink(Ink::Last, &format!("({sign})")),
                _ => pen.ink(ink, &format!(" {sign} ")),
            }
        }
        pen.ink(Ink::Faint, &format!(" {row}"));
        pen.line();
    }
    columns(pen);
    let count = |side, among: u64| (position.towers_of(side) & among).count_ones();
    let of = |side| {
        let fives = position.by_height()[usize::from(MAX_HEIGHT)];
        format!("{} ({} of height {MAX_HEIGHT})", count(side, position.towers()), count(side, fives))
    };
    pen.plain(&format!("+ yellow {}   - red {}", of(Side::First), of(Side::Second)));
    pen.line();
}
