//! Push-over as text: the line of the paper's database, and the drawing.
//!
//! `+ooo...+....o...Eo 9 .+oo...+....o...`: the cells by rows, the letter of the last move (`-` for none), who made
//! it, the number of single moves so far, and the board before the last move, to which the side to move may not
//! return. The last two may be missing: then as many moves as there are pieces, or one more, and no such board. A label
//! with a decimal point at the end, as in the database, is no part of the position.

use super::{Board, Entry, Pushover, PushoverRules};
use crate::draw::{Ink, Pen};
use crate::error::{InputError, shown};
use crate::game::{Game, Side, Turn};

fn cells_text(board: Board, size: u8) -> String {
    let cell = |i: u8| match (board[0] >> i & 1, board[1] >> i & 1) {
        (0, 0) => '.',
        (_, 0) => 'o',
        _ => '+',
    };
    (0..size * size).map(cell).collect()
}

pub fn to_text(position: &Pushover) -> String {
    let cells = cells_text(position.board, position.size());
    let last = position.last.map_or('-', Entry::letter);
    let mover = if position.side() == Side::First { '+' } else { 'o' };
    let mut text = format!("{cells}{last}{mover} {}", position.ply);
    if let Some(board) = position.forbidden {
        text.push(' ');
        text.push_str(&cells_text(board, position.size()));
    }
    text
}

pub fn from_text(rules: &PushoverRules, text: &str) -> Result<Pushover, InputError> {
    let refused = |reason: String| InputError::position(text, reason);
    let size = rules.size;
    let count = usize::from(size * size);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.len() > 1 && words.last().is_some_and(|w| w.contains('.') && w.parse::<f64>().is_ok()) {
        words.pop();
    }
    let (&first, rest) = words.split_first().ok_or_else(|| refused("it is empty".into()))?;
    let signs: Vec<char> = first.chars().collect();
    if signs.len() != count + 2 {
        let found = signs.len();
        let reason = format!(
            "{found} signs, but size {size} has {count} cells, the last move's letter and who made it"
        );
        return Err(refused(reason));
    }
    let board = parse_cells(&signs[..count]).map_err(refused)?;
    let last = match signs[count] {
        '-' => None,
        letter => Some(parse_move(size, &letter.to_string()).map_err(|error| refused(error.to_string()))?),
    };
    let odd = match signs[count + 1] {
        'o' => 1,
        '+' => 0,
        sign => return Err(refused(format!("{sign:?} made the last move; o or + did"))),
    };
    let pieces = (board[0] | board[1]).count_ones() as u16;
    let ply = match rest.first() {
        None => pieces + (pieces + odd) % 2,
        Some(word) => word.parse().map_err(|_| refused(format!("{} is no number of moves", shown(word))))?,
    };
    if ply % 2 != odd {
        let who = signs[count + 1];
        return Err(refused(format!("{who} cannot have made move {ply}: o makes the odd ones")));
    }
    if ply > rules.limit() {
        return Err(refused(format!("{ply} moves are past the limit of {}", rules.limit())));
    }
    let forbidden = match rest.get(1) {
        None => None,
        Some(word) if word.chars().count() == count => {
            let board = parse_cells(&word.chars().collect::<Vec<_>>()).map_err(refused)?;
            rules.repetition.then_some(board)
        }
        Some(word) => {
            let reason = format!("the board before has {} cells, not {count}", word.chars().count());
            return Err(refused(reason));
        }
    };
    if let Some(word) = rest.get(2) {
        return Err(refused(format!("{} is too much", shown(word))));
    }
    Ok(Pushover { board, forbidden, last, ply, rules: rules.clone() })
}

fn parse_cells(signs: &[char]) -> Result<Board, String> {
    let mut board = [0; 2];
    for (i, sign) in signs.iter().enumerate() {
        match sign {
            'o' => board[0] |= 1 << i,
            '+' => board[1] |= 1 << i,
            '.' => {}
            _ => return Err(format!("{sign:?} in cell {i}; a cell is o, + or .")),
        }
    }
    Ok(board)
}

pub fn parse_move(size: u8, text: &str) -> Result<Entry, InputError> {
    let last = char::from(b'A' + 4 * size - 1);
    match text.trim().to_ascii_uppercase().as_bytes() {
        &[letter] if (b'A'..=last as u8).contains(&letter) => Ok(Entry::new(letter - b'A')),
        _ => Err(InputError::move_text(text, format!("an entry is a letter from A to {last}"))),
    }
}

/// The board with its letters around it; the last entry is in brackets.
pub fn draw(position: &Pushover, pen: &mut Pen) {
    let size = position.size();
    let letter = |pen: &mut Pen, index: u8| {
        let entry = Entry::new(index);
        if position.last == Some(entry) {
            pen.ink(Ink::Last, &format!("[{}]", entry.letter()));
        } else {
            pen.ink(Ink::Faint, &format!(" {} ", entry.letter()));
        }
    };
    let columns = |pen: &mut Pen, from: u8| {
        pen.plain("      ");
        (0..size).for_each(|column| letter(pen, from + column));
        pen.line();
    };
    columns(pen, 2 * size);
    for row in 0..size {
        pen.plain("  ");
        letter(pen, row);
        pen.plain(" ");
        for column in 0..size {
            let cell = row * size + column;
            let held = |side: Side| position.board[side.index()] >> cell & 1 != 0;
            match Side::BOTH.into_iter().find(|&side| held(side)) {
                Some(Side::First) => pen.ink(Ink::First, " o "),
                Some(Side::Second) => pen.ink(Ink::Second, " + "),
                None => pen.ink(Ink::Faint, " . "),
            }
        }
        pen.plain(" ");
        letter(pen, size + row);
        pen.line();
    }
    columns(pen, 3 * size);
    pen.plain(&format!("move {} of {}", position.ply, position.rules.limit()));
    if position.turn() == Turn::Over {
        pen.plain(match position.winner() {
            Some(Side::First) => "   o has a line",
            Some(Side::Second) => "   + has a line",
            None => "   the limit is reached",
        });
    }
    pen.line();
}
