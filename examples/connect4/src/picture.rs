//! Connect four to be looked at: discs in cells, the letters of the columns below, the last disc marked.

use games::Side;
use games::draw::Ink;
use games::picture::{Cell, Label, Picture, Piece, SIDES, Shape, move_marks, to_move};

use crate::Connect4;
use crate::game::{HEIGHT, WIDTH, cell};

pub(crate) fn picture(position: &Connect4, last: Option<(&Connect4, u8)>) -> Picture {
    let last = last.map_or(0, |(before, column)| cell(column, before.landing_row(column)));
    let one = |bit: u64| {
        let owner = Side::BOTH.into_iter().find(|side| position.discs(*side) & bit != 0);
        let disc =
            |side: Side| Piece { shape: Shape::Discs(1), colour: SIDES[side.index()], text: String::new() };
        Some(Cell { piece: owner.map(disc), marked: bit == last })
    };
    let cells = (0..HEIGHT).rev().flat_map(|row| (0..WIDTH).map(move |column| cell(column, row)));
    let label = |column: u8| Label {
        place: (HEIGHT.into(), column.into()),
        text: char::from(b'a' + column).to_string(),
        marked: false,
    };
    let landing = |column: u8| (i32::from(HEIGHT - 1 - position.landing_row(column)), i32::from(column));
    let turn = to_move(position);
    Picture {
        labels: (0..WIDTH).map(label).collect(),
        moves: move_marks(position, |column| Some((None, landing(column)))),
        caption: vec![vec![(Some(Ink::Faint), turn.clone())]],
        ..Picture::new(format!("Connect four: {turn}"), WIDTH.into(), cells.map(one).collect())
    }
}
