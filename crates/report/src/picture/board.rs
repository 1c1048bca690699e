//! Boards of games for two as discs on a plate: what stands where, and how it is drawn. A game joins in with an arm of
//! [`Board::of`] and its colours.

use std::any::Any;

use games::avalam::{Avalam, cell_at};
use games::othello::Othello;
use games::pushover::Pushover;
use games::{Game, Side};
use play::PlayedGame;

use super::canvas::Canvas;
use super::font;

/// Pixels of a cell.
pub const CELL: usize = 46;

/// Behind everything.
pub const GROUND: u8 = 0;
/// What the cells lie in.
const PLATE: u8 = 1;
/// A cell.
const HOLE: u8 = 2;
/// What is to be read.
pub const TEXT: u8 = 3;
/// What need not be.
pub const FAINT: u8 = 4;
/// Lines behind a chart.
pub const GRID: u8 = 5;
/// Around the cells of the last move.
const MARK: u8 = 6;
/// Used by no canvas.
pub const TRANSPARENT: u8 = 7;
/// The shades of the first side, then those of the second.
const SIDES: u8 = 8;
const SHADES: u8 = 6;

/// The shades of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shade {
    /// The top of a disc.
    Face,
    /// Its rim.
    Rim,
    /// Its edge.
    Edge,
    /// A number on it.
    Number,
    /// In a chart, and what names the side.
    Line,
    /// Below a line.
    Area,
}

/// The colour of a side.
pub fn of_side(side: Side, shade: Shade) -> u8 {
    SIDES + side.index() as u8 * SHADES + shade as u8
}

type Rgb = [u8; 3];

fn mix(a: Rgb, b: Rgb, share: f64) -> Rgb {
    [0, 1, 2].map(|i| (f64::from(a[i]) * (1.0 - share) + f64::from(b[i]) * share).round() as u8)
}

/// Red, green and blue of all colours of a game's pictures.
pub fn palette(game: &str) -> Vec<u8> {
    let ground = [19, 22, 33];
    let (plate, first, second): (Rgb, Rgb, Rgb) = match game {
        Avalam::NAME => ([38, 43, 61], [246, 200, 48], [226, 74, 90]),
        Othello::NAME => ([24, 98, 70], [52, 56, 66], [238, 240, 244]),
        _ => ([38, 43, 61], [246, 200, 48], [46, 200, 218]),
    };
    let mut colours = vec![
        ground,
        plate,
        mix(plate, [0, 0, 0], 0.35),
        [233, 236, 245],
        [133, 142, 171],
        [44, 50, 70],
        [235, 240, 255],
        [0, 0, 0],
    ];
    for face in [first, second] {
        let is_dark = face.iter().all(|&part| part < 120);
        // A dark side still has to be seen on a dark ground.
        let line = if is_dark { mix(face, [255, 255, 255], 0.45) } else { face };
        let number = if is_dark { [233, 236, 245] } else { mix(face, [0, 0, 0], 0.75) };
        let (rim, edge) = (mix(face, [255, 255, 255], 0.35), mix(face, [0, 0, 0], 0.5));
        colours.extend([face, rim, edge, number, line, mix(line, ground, 0.68)]);
    }
    colours.concat()
}

/// A tower or a disc: whose, and how high.
type Piece = (Side, u8);

/// What stands where, by rows from the top. A place without a cell is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    columns: usize,
    cells: Vec<Option<Option<Piece>>>,
    /// Whether all cells that a move changes are of interest, and not only the one that it fills.
    marks_all: bool,
}

impl Board {
    /// The board of a position; `None` if the game has no such picture.
    pub fn of<G: PlayedGame>(position: &G) -> Option<Self> {
        let any = position as &dyn Any;
        if let Some(position) = any.downcast_ref::<Avalam>() {
            let cell = |place: u8| {
                let cell = cell_at(place / 9, place % 9)?;
                Some(position.owner(cell).map(|owner| (owner, position.height(cell))))
            };
            return Some(Self { columns: 9, cells: (0..81).map(cell).collect(), marks_all: true });
        }
        if let Some(position) = any.downcast_ref::<Othello>() {
            let owner = |cell: u8| Side::BOTH.into_iter().find(|&side| position.discs(side) >> cell & 1 != 0);
            let cells = (0..64).map(|cell| Some(owner(cell).map(|side| (side, 1))));
            return Some(Self { columns: 8, cells: cells.collect(), marks_all: false });
        }
        let position = any.downcast_ref::<Pushover>()?;
        let (size, board) = (position.size(), position.board());
        let owner = |cell: u8| Side::BOTH.into_iter().find(|side| board[side.index()] >> cell & 1 != 0);
        let cells = (0..size * size).map(|cell| Some(owner(cell).map(|side| (side, 1))));
        Some(Self { columns: usize::from(size), cells: cells.collect(), marks_all: true })
    }

    /// Pixels in both directions.
    pub fn size(&self) -> (usize, usize) {
        (self.columns * CELL, self.cells.len() / self.columns * CELL)
    }

    /// How many pieces the first side has more than the second.
    pub fn ahead(&self) -> f64 {
        let count =
            |side| self.cells.iter().flatten().flatten().filter(|piece| piece.0 == side).count() as f64;
        count(Side::First) - count(Side::Second)
    }

    fn is_marked(&self, place: usize, before: Option<&Board>) -> bool {
        before.is_some_and(|before| match (self.marks_all, before.cells[place], self.cells[place]) {
            (true, was, is) => was != is,
            (false, was, is) => was == Some(None) && is != was,
        })
    }

    /// Draws the board; `before` is that before the last move.
    pub fn draw(&self, canvas: &mut Canvas, (left, top): (usize, usize), before: Option<&Board>) {
        let middle = |place: usize| {
            let (row, column) = (place / self.columns, place % self.columns);
            (left + column * CELL + CELL / 2, top + row * CELL + CELL / 2)
        };
        let there = || (0..self.cells.len()).filter(|&place| self.cells[place].is_some());
        for place in there() {
            let (x, y) = middle(place);
            canvas.fill(x - CELL / 2, y - CELL / 2, CELL, CELL, PLATE);
        }
        for place in there() {
            let (x, y) = middle(place);
            if self.is_marked(place, before) {
                disc(canvas, (x, y), 21.5, MARK, PLATE);
            }
            disc(canvas, (x, y), 19.5, HOLE, PLATE);
            if let Some(Some(piece)) = self.cells[place] {
                tower(canvas, (x, y), piece);
            }
        }
    }
}

/// Discs on each other, the upper ones further up.
fn tower(canvas: &mut Canvas, (x, y): (usize, usize), (side, height): Piece) {
    const LEVEL: usize = 4;
    let lowest = y + LEVEL * usize::from(height - 1) / 2;
    let [face, rim, edge, number] =
        [Shade::Face, Shade::Rim, Shade::Edge, Shade::Number].map(|shade| of_side(side, shade));
    for level in 0..usize::from(height) {
        let y = lowest - LEVEL * level;
        disc(canvas, (x, y + 1), 15.5, edge, edge);
        disc(canvas, (x, y - 1), 14.5, rim, rim);
        disc(canvas, (x, y - 1), 12.5, face, face);
    }
    if height > 1 {
        let top = lowest - LEVEL * usize::from(height - 1) - 1;
        let (left, top) = (x - font::WIDTH, top - font::HEIGHT);
        canvas.text(left + 1, top + 1, 2, number, &height.to_string());
    }
}

/// A disc; the pixels that its edge runs through have a colour of their own.
fn disc(canvas: &mut Canvas, (x, y): (usize, usize), radius: f64, colour: u8, soft: u8) {
    let reach = radius.ceil() as i64;
    for down in -reach..=reach {
        for right in -reach..=reach {
            let distance = ((down * down + right * right) as f64).sqrt();
            let (px, py) = (x as i64 + right, y as i64 + down);
            if distance <= radius && px >= 0 && py >= 0 {
                let colour = if distance > radius - 0.7 { soft } else { colour };
                canvas.fill(px as usize, py as usize, 1, 1, colour);
            }
        }
    }
}
