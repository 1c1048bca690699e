//! Avalam to be looked at: towers with their heights, and the two cells of the last move marked.

use super::{Avalam, Move, cell_at, place};
use crate::draw::Ink;
use crate::game::{Game, Side};
use crate::picture::{Cell, Colour, Picture, Piece, Place, Shape, move_marks, to_move};

const YELLOW: Colour = Colour(246, 200, 48);
const RED: Colour = Colour(226, 74, 90);

pub fn picture(position: &Avalam, last: Option<Move>) -> Picture {
    let sides = [YELLOW, RED];
    let tower = |cell: u8| {
        let (owner, height) = (position.owner(cell)?, position.height(cell));
        let text = if height > 1 { height.to_string() } else { String::new() };
        Some(Piece { shape: Shape::Discs(height), colour: sides[owner.index()], text })
    };
    let cell = |place: u8| {
        let cell = cell_at(place / 9, place % 9)?;
        let marked = last.is_some_and(|mv| mv.from == cell || mv.to == cell);
        Some(Cell { piece: tower(cell), marked })
    };
    let count =
        |side: Side| format!("{} {}", Avalam::SIDES[side.index()], position.towers_of(side).count_ones());
    let (yellow, red, turn) = (count(Side::First), count(Side::Second), to_move(position));
    let title = format!("Avalam: {yellow}, {red}, {turn}");
    let at = |cell: u8| -> Place { (i32::from(place(cell).0), i32::from(place(cell).1)) };
    let mut picture = Picture {
        sides,
        caption: vec![vec![
            (Some(Ink::First), yellow),
            (Some(Ink::Second), format!("  {red}")),
            (Some(Ink::Faint), format!("  {turn}")),
        ]],
        moves: move_marks(position, |mv| Some((Some(at(mv.from)), at(mv.to)))),
        ..Picture::new(title, 9, (0..81).map(cell).collect())
    };
    picture.label_lines(|column| column.to_string(), |row| row.to_string());
    picture
}
