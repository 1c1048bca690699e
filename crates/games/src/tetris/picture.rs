//! Tetris to be looked at: the pile between its walls, and what is left of the last piece bright. A film also keeps the
//! colours of the pieces, which a position does not remember, and lights up rows before they go.

use super::{Piece, Placement, Tetris};
use crate::draw::Ink;
use crate::game::{Game, Turn};
use crate::picture::{Cell, Colour, HUES, Label, Picture, Piece as Block, Shape};

/// Cells of which nobody knows what they were.
const UNKNOWN: Colour = Colour(140, 148, 170);

fn block(colour: Colour, marked: bool) -> Cell {
    Cell { piece: Some(Block { shape: Shape::Block, colour, text: String::new() }), marked }
}

impl Piece {
    /// Its colour in pictures.
    pub fn colour(self) -> Colour {
        HUES[self as usize]
    }

    /// The piece alone, as its first shape.
    pub fn picture(self) -> Picture {
        let shape = &self.shapes()[0];
        let full =
            |row: u32| move |column: &u32| (column >> row & 1 != 0).then(|| block(self.colour(), true));
        let rows = (0..shape.height()).rev();
        let cells = rows.flat_map(|row| shape.columns().iter().map(full(row))).collect();
        Picture { round: false, ..Picture::new(self.letter().to_string(), shape.columns().len(), cells) }
    }
}

/// A board whose full cells look as `full` says, by column and row from the floor; at least `rows` high.
fn board(position: &Tetris, rows: usize, full: impl Fn(usize, usize) -> Option<Cell>) -> Picture {
    let (columns, height) = (position.columns().len(), usize::from(position.rules.height));
    // There is always room for one row that sticks out.
    let rows = rows.max(height + 1);
    let empty = |row: usize| (row < height).then(Cell::default);
    let at = |row: usize| {
        let full = &full;
        (0..columns).map(move |column| full(column, row).or_else(|| empty(row)))
    };
    let mut caption = vec![(None, format!("lines {}", position.lines))];
    let pieces = [(position.current, "to place"), (position.next, "next")];
    for (piece, what) in pieces.into_iter().filter_map(|(piece, what)| Some((piece?, what))) {
        caption.push((Some(Ink::Piece(piece as u8)), format!("  {} {what}", piece.letter())));
    }
    if position.turn() == Turn::Over {
        caption.push((None, "  game over".to_string()));
    }
    let words: Vec<&str> = caption.iter().map(|(_, text)| text.trim_start()).collect();
    let title = format!("Tetris: {}", words.join(", "));
    let label = |column: usize| Label {
        place: (rows as i32, column as i32),
        text: char::from(b'a' + column as u8).to_string(),
        marked: false,
    };
    Picture {
        outside: rows - height,
        plate: Colour(27, 31, 45),
        hole: Colour(11, 13, 21),
        round: false,
        labels: (0..columns).map(label).collect(),
        caption: vec![caption],
        ..Picture::new(title, columns, (0..rows).rev().flat_map(at).collect())
    }
}

pub fn picture(position: &Tetris, last: Option<(&Tetris, Placement)>) -> Picture {
    let landed = last.map(|(before, mv)| (before.left_of(mv).0, mv.piece.colour()));
    board(position, position.height() as usize, |column, row| {
        let is_full = |cells: u32| cells >> row & 1 != 0;
        match landed {
            Some((cells, colour)) if is_full(cells[column]) => Some(block(colour, true)),
            _ => is_full(position.columns[column]).then(|| block(UNKNOWN, false)),
        }
    })
}

pub fn frames(after: &Tetris, seen: &Picture, (before, mv): (&Tetris, Placement)) -> Vec<Picture> {
    let columns = before.columns().len();
    // Rows from the floor, with what was seen there.
    let mut rows: Vec<Vec<Option<Cell>>> = seen.cells.rchunks(columns).map(<[_]>::to_vec).collect();
    for cell in rows.iter_mut().flatten() {
        *cell = cell.take().and_then(|cell| Some(block(cell.piece?.colour, false)));
    }
    let (shape, left) = (mv.shape(), usize::from(mv.column));
    let landing = before.landing_row(shape, left) as usize;
    let top = landing + shape.height() as usize;
    rows.resize(rows.len().max(top), vec![None; columns]);
    for (i, &cells) in shape.columns().iter().enumerate() {
        for row in (0..shape.height() as usize).filter(|row| cells >> row & 1 != 0) {
            rows[landing + row][left + i] = Some(block(mv.piece.colour(), true));
        }
    }
    let high = |rows: &[Vec<Option<Cell>>]| {
        rows.iter().rposition(|row| row.iter().any(Option::is_some)).map_or(0, |row| row + 1)
    };
    let of = |rows: &[Vec<Option<Cell>>]| {
        board(after, high(rows), |column, row| rows.get(row).and_then(|row| row[column].clone()))
    };
    let mut frames = Vec::new();
    if after.lines > before.lines {
        let is_full = |row: &Vec<Option<Cell>>| row.iter().all(Option::is_some);
        let mut lit = rows.clone();
        lit.iter_mut().filter(|row| is_full(row)).for_each(|row| row.fill(Some(block(Colour::WHITE, true))));
        frames.push(of(&lit));
        rows.retain(|row| !is_full(row));
    }
    frames.push(of(&rows));
    frames
}
