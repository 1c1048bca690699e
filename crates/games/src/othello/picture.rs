//! Othello to be looked at: discs on green, the square of the last move and the legal ones marked.

use super::{Move, Othello};
use crate::draw::Ink;
use crate::game::{Game, Side};
use crate::picture::{Cell, Colour, Picture, Piece, Shape, move_marks, to_move};

const BLACK: Colour = Colour(52, 56, 66);
const WHITE: Colour = Colour(238, 240, 244);

pub fn picture(position: &Othello, last: Option<Move>) -> Picture {
    let sides = [BLACK, WHITE];
    let disc =
        |side: Side| Piece { shape: Shape::Discs(1), colour: sides[side.index()], text: String::new() };
    let cell = |square: u8| {
        let owner = Side::BOTH.into_iter().find(|&side| position.discs(side) >> square & 1 != 0);
        Some(Cell { piece: owner.map(disc), marked: last == Some(Move::square(square)) })
    };
    let count =
        |side: Side| format!("{} {}", Othello::SIDES[side.index()], position.discs(side).count_ones());
    let (black, white, turn) = (count(Side::First), count(Side::Second), to_move(position));
    let title = format!("Othello: {black}, {white}, {turn}");
    let mut picture = Picture {
        plate: Colour(24, 98, 70),
        hole: Colour(16, 64, 46),
        sides,
        caption: vec![vec![
            (Some(Ink::First), black),
            (Some(Ink::Second), format!("  {white}")),
            (Some(Ink::Faint), format!("  {turn}")),
        ]],
        moves: move_marks(position, |mv| {
            let square = i32::from(mv.index()?);
            Some((None, (square / 8, square % 8)))
        }),
        ..Picture::new(title, 8, (0..64).map(cell).collect())
    };
    picture.label_lines(|column| char::from(b'a' + column as u8).to_string(), |row| (row + 1).to_string());
    picture
}
