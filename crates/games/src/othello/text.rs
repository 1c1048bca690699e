//! Othello as text: OBF positions, square names, the drawing.
//!
//! OBF is 64 squares from a1 by rows to h8 (`X` black, `O` white, `-` empty), a space, and the colour to move. What
//! follows the first `;` is a list of scored moves, which is no part of the position.

use super::{Move, Othello};
use crate::draw::{Ink, Pen};
use crate::error::InputError;
use crate::game::{Game, Side, Turn};

pub fn to_obf(position: &Othello) -> String {
    let (black, white) = (position.discs(Side::First), position.discs(Side::Second));
    let square = |i: usize| match (black >> i & 1, white >> i & 1) {
        (0, 0) => '-',
        (_, 0) => 'X',
        _ => 'O',
    };
    let board: String = (0..64).map(square).collect();
    format!("{board} {};", if position.side() == Side::First { 'X' } else { 'O' })
}

pub fn from_obf(text: &str) -> Result<Othello, InputError> {
    let refused = |reason: String| InputError::position(text, reason);
    let position = text.split(';').next().unwrap_or_default();
    let signs: Vec<char> = position.chars().filter(|c| !c.is_whitespace()).collect();
    if signs.len() != 65 {
        let last = position.split_whitespace().next_back().unwrap_or_default();
        let (squares, mover) = match last.chars().count() {
            1 => (signs.len() - 1, "and the colour to move"),
            _ => (signs.len(), "and no colour to move after a space"),
        };
        let reason = format!("{squares} squares {mover}, but OBF has 64 squares and then that colour");
        return Err(refused(reason));
    }
    let mut discs = [0u64; 2];
    for (i, &sign) in signs[..64].iter().enumerate() {
        match colour(sign) {
            Some(side) => discs[side.index()] |= 1 << i,
            None if matches!(sign, '-' | '.') => {}
            None => {
                let name = square_name(i as u8);
                return Err(refused(format!("{sign:?} on {name}; a square is X, O or -")));
            }
        }
    }
    let side = colour(signs[64]).ok_or_else(|| refused(format!("{:?} to move; X or O is", signs[64])))?;
    Ok(Othello::new(discs[side.index()], discs[side.other().index()], side))
}

fn colour(sign: char) -> Option<Side> {
    match sign {
        'X' | 'x' | '*' => Some(Side::First),
        'O' | 'o' => Some(Side::Second),
        _ => None,
    }
}

pub fn square_name(index: u8) -> String {
    format!("{}{}", char::from(b'a' + index % 8), index / 8 + 1)
}

pub fn parse_move(text: &str) -> Result<Move, InputError> {
    match text.trim().to_ascii_lowercase().as_bytes() {
        b"pass" | b"pa" => Ok(Move::PASS),
        &[column @ b'a'..=b'h', row @ b'1'..=b'8'] => Ok(Move::square((row - b'1') * 8 + column - b'a')),
        _ => Err(InputError::move_text(text, "a square is a1 to h8, and there is 'pass'")),
    }
}

/// Black discs are `X`, white `O`; the square of the last move is in brackets, `+` marks the legal ones.
pub fn draw(position: &Othello, pen: &mut Pen, last: Option<Move>) {
    let legal = super::mobility(position.own(), position.opponent());
    pen.ink(Ink::Faint, "    a  b  c  d  e  f  g  h");
    pen.line();
    for row in 0..8 {
        pen.ink(Ink::Faint, &format!(" {} ", row + 1));
        for column in 0..8 {
            let index = row * 8 + column;
            let is_last = last == Some(Move::square(index));
            let (ink, sign) = if position.discs(Side::First) >> index & 1 != 0 {
                (Ink::Black, 'X')
            } else if position.discs(Side::Second) >> index & 1 != 0 {
                (Ink::White, 'O')
            } else if legal >> index & 1 != 0 {
                (Ink::Faint, '+')
            } else {
                (Ink::Faint, '.')
            };
            if is_last {
                pen.ink(Ink::Last, &format!("[{sign}]"));
            } else {
                pen.ink(ink, &format!(" {sign} "));
            }
        }
        pen.ink(Ink::Faint, &format!(" {}", row + 1));
        pen.line();
    }
    pen.ink(Ink::Faint, "    a  b  c  d  e  f  g  h");
    pen.line();
    let count = |side| position.discs(side).count_ones();
    pen.plain(&format!("X black {}   O white {}", count(Side::First), count(Side::Second)));
    match position.turn() {
        Turn::Over => {}
        _ if legal == 0 => pen.plain("   (must pass)"),
        _ => pen.plain("   + may be played"),
    }
    pen.line();
}
