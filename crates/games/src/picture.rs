//! A position as a picture in plain data: cells, pieces, what the last move touched, where the next ones are. A game says
//! what there is to see; whoever shows it (films, pages) knows how it looks, and knows no game.

use crate::draw::{Pen, Span};
use crate::game::{Game, Turn};

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Nothing of any.
    pub const BLACK: Self = Self(0, 0, 0);
    /// All of each.
    pub const WHITE: Self = Self(255, 255, 255);

    /// So much of another colour in this one, from 0 to 1.
    #[must_use]
    pub fn mix(self, other: Self, share: f64) -> Self {
        let part = |a: u8, b: u8| (f64::from(a) * (1.0 - share) + f64::from(b) * share).round() as u8;
        Self(part(self.0, other.0), part(self.1, other.1), part(self.2, other.2))
    }

    /// Whether light text can be read on it, and dark text cannot.
    pub fn is_dark(self) -> bool {
        self.0.max(self.1).max(self.2) < 120
    }
}

/// The sides of a game that has no colours of its own.
pub const SIDES: [Colour; 2] = [Colour(246, 200, 48), Colour(46, 200, 218)];

/// What [`crate::draw::Ink::Piece`] looks like, by its number.
pub const HUES: [Colour; 7] = [
    Colour(46, 200, 218),
    Colour(246, 200, 48),
    Colour(172, 104, 238),
    Colour(78, 200, 94),
    Colour(242, 76, 102),
    Colour(66, 134, 246),
    Colour(246, 144, 48),
];

/// A row and a column from 0 at the top left. -1 and the number of rows or columns are the strips around the cells.
pub type Place = (i32, i32);

/// What a piece looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// So many discs on each other, at least 1.
    Discs(u8),
    /// A block that fills its cell.
    Block,
}

/// What stands on a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its form.
    pub shape: Shape,
    /// Its colour.
    pub colour: Colour,
    /// A letter or two on it; may be empty.
    pub text: String,
}

/// A place of the board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// What stands there.
    pub piece: Option<Piece>,
    /// Whether the last move touched it.
    pub marked: bool,
}

/// A text beside the cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// The text.
    pub text: String,
    /// Whether the last move was made there.
    pub marked: bool,
}

/// A legal move that has a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveMark {
    /// The move as text.
    pub text: String,
    /// Where it begins, if it goes from one cell to another.
    pub from: Option<Place>,
    /// Where it is made.
    pub to: Place,
    /// What it is worth, in a few letters; see [`Picture::annotate`].
    pub value: Option<String>,
}

/// A position, to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The same in words, for those who do not see it.
    pub title: String,
    /// Cells from left to right.
    pub columns: usize,
    /// The cells by rows from the top; where there is none, `None`. Empty: all that is to be seen is the caption.
    pub cells: Vec<Option<Cell>>,
    /// Rows at the top that are outside of the board, which then has walls and is open above.
    pub outside: usize,
    /// Around the cells.
    pub plate: Colour,
    /// An empty cell.
    pub hole: Colour,
    /// Whether empty cells are round.
    pub round: bool,
    /// The colours of the sides.
    pub sides: [Colour; 2],
    /// Coordinates, or what else stands around the cells.
    pub labels: Vec<Label>,
    /// The legal moves, as far as they have places.
    pub moves: Vec<MoveMark>,
    /// Lines below the board.
    pub caption: Vec<Vec<Span>>,
}

impl Picture {
    /// A board of round cells by rows from the top, with nothing around it.
    pub fn new(title: String, columns: usize, cells: Vec<Option<Cell>>) -> Self {
        Self {
            title,
            columns,
            cells,
            outside: 0,
            plate: Colour(38, 43, 61),
            hole: Colour(25, 28, 40),
            round: true,
            sides: SIDES,
            labels: Vec::new(),
            moves: Vec::new(),
            caption: Vec::new(),
        }
    }

    /// The drawing for a terminal, for games that have nothing better.
    pub fn of_drawing<G: Game>(position: &G, last: Option<(&G, G::Move)>) -> Self {
        let mut pen = Pen::new(false);
        position.draw(&mut pen, last);
        Self { caption: pen.lines(), ..Self::new(position.text(), 0, Vec::new()) }
    }

    /// Cells from top to bottom.
    pub fn rows(&self) -> usize {
        self.cells.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The cell at a place, if there is one.
    pub fn cell(&self, (row, column): Place) -> Option<&Cell> {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        (column < self.columns).then(|| self.cells.get(row * self.columns + column)?.as_ref()).flatten()
    }

    /// How many pieces have a colour.
    pub fn count(&self, colour: Colour) -> usize {
        let pieces = self.cells.iter().flatten().filter_map(|cell| cell.piece.as_ref());
        pieces.filter(|piece| piece.colour == colour).count()
    }

    /// Puts texts to columns and rows: above and below, left and right.
    pub fn label_lines(&mut self, column: impl Fn(usize) -> String, row: impl Fn(usize) -> String) {
        let (rows, columns) = (self.rows(), self.columns);
        let columns_at = |at| (0..columns).map(move |i| ((at, i as i32), true, i));
        let rows_at = |at| (0..rows).map(move |i| ((i as i32, at), false, i));
        let upper = columns_at(-1).chain(columns_at(rows as i32));
        let all = upper.chain(rows_at(-1)).chain(rows_at(columns as i32));
        self.labels.extend(all.map(|(place, is_column, i)| {
            let text = if is_column { column(i) } else { row(i) };
            Label { place, text, marked: false }
        }));
    }

    /// Writes to each move what `value` says of its text.
    pub fn annotate(&mut self, value: impl Fn(&str) -> Option<String>) {
        for mv in &mut self.moves {
            mv.value = value(&mv.text);
        }
    }
}

/// Whose turn it is, in words.
pub fn to_move<G: Game>(position: &G) -> String {
    match position.turn() {
        Turn::Player(side) => format!("{} to move", G::SIDES[side.index()]),
        Turn::Chance => "chance to deal".to_string(),
        Turn::Over => "the game is over".to_string(),
    }
}

/// The marks of all legal moves, by where each is made and where it begins.
pub fn move_marks<G: Game>(
    position: &G,
    place: impl Fn(G::Move) -> Option<(Option<Place>, Place)>,
) -> Vec<MoveMark> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mark = |mv: G::Move| {
        let (from, to) = place(mv)?;
        Some(MoveMark { text: position.move_text(mv), from, to, value: None })
    };
    moves.into_iter().filter_map(mark).collect()
}
