//! Push-over to be looked at: the letters of the entries around the board, and all cells that the last move changed marked.

use super::{Entry, Pushover, changed};
use crate::draw::Ink;
use crate::game::Side;
use crate::picture::{Cell, Label, Picture, Piece, Place, SIDES, Shape, move_marks, to_move};

pub fn picture(position: &Pushover, last: Option<(&Pushover, Entry)>) -> Picture {
    let (size, board) = (position.size(), position.board());
    let touched = last.map_or(0, |(before, _)| changed(before.board(), board));
    let disc =
        |side: Side| Piece { shape: Shape::Discs(1), colour: SIDES[side.index()], text: String::new() };
    let cell = |cell: u8| {
        let owner = Side::BOTH.into_iter().find(|side| board[side.index()] >> cell & 1 != 0);
        Some(Cell { piece: owner.map(disc), marked: touched >> cell & 1 != 0 })
    };
    // Left, right, top, bottom, as the letters go.
    let at = |entry: Entry| -> Place {
        let (line, size) = (i32::from(entry.index() % size), i32::from(size));
        match entry.index() / position.size() {
            0 => (line, -1),
            1 => (line, size),
            2 => (-1, line),
            _ => (size, line),
        }
    };
    let label = |entry: Entry| {
        let marked = last.is_some_and(|(_, mv)| mv == entry);
        Label { place: at(entry), text: entry.letter().to_string(), marked }
    };
    let (number, turn) =
        (format!("move {} of {}", position.ply(), position.rules().limit()), to_move(position));
    Picture {
        labels: position.table().entries().map(label).collect(),
        moves: move_marks(position, |mv| Some((None, at(mv)))),
        caption: vec![vec![(None, number.clone()), (Some(Ink::Faint), format!("  {turn}"))]],
        ..Picture::new(
            format!("Push-over: {number}, {turn}"),
            usize::from(size),
            (0..size * size).map(cell).collect(),
        )
    }
}
