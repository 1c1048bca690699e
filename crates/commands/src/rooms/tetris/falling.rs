//! A piece moved by keys: where it is, what a key does to it, how all of it looks. No clock and no terminal in here.
//!
//! In the original game a piece falls, and may be moved and turned on its way; but the game knows placements only, reached at the top and
//! dropped straight. So a step is made only if its place is one that the game reaches, and the piece is there not yet below where it
//! would land: from there it falls to where the game puts it.

use games::draw::{Ink, Pen};
use games::tetris::original::Top;
use games::tetris::{Kind, Placement, Shape, Tetris};
use games::{Game, Turn};
use play::playout::GameDice;

use crate::keyboard::Key;

/// Rows above the board in which pieces of the simplified game are seen, of four that they may take: with them it fits on 24 lines.
const ABOVE: u32 = 2;

/// What an undo returns to.
#[derive(Clone)]
struct Moment {
    position: Tetris,
    dice: GameDice,
}

/// What a key asks of whoever holds the game.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    Nothing,
    Hint,
    Quit,
}

/// A game, its piece on the way.
pub struct Falling {
    now: Moment,
    before: Vec<Moment>,
    /// Where it would be placed; none if the game is over.
    piece: Option<Placement>,
    /// The top of its box, in rows of the board. Of the original game only.
    top: u32,
    /// A placement to be shown, and why.
    hint: Option<Placement>,
    pub message: String,
    pub is_paused: bool,
}

impl Falling {
    pub fn new(position: Tetris, seed: u64) -> Self {
        let now = Moment { position, dice: GameDice::new(seed, 0) };
        let mut game = Self {
            now,
            before: Vec::new(),
            piece: None,
            top: 0,
            hint: None,
            message: String::new(),
            is_paused: false,
        };
        game.deal();
        game
    }

    pub fn position(&self) -> &Tetris {
        &self.now.position
    }

    /// Pieces placed.
    pub fn pieces(&self) -> u64 {
        self.before.len() as u64
    }

    pub fn is_over(&self) -> bool {
        self.piece.is_none()
    }

    /// Whether pieces fall by themselves.
    pub fn falls(&self) -> bool {
        self.position().rules().game == Kind::Original
    }

    fn deal(&mut self) {
        let Moment { position, dice } = &mut self.now;
        while position.turn() == Turn::Chance {
            position.deal(&mut dice.deals);
        }
        let piece = position.current().filter(|_| position.turn() != Turn::Over);
        let width = position.columns().len();
        self.piece = piece.map(|piece| {
            let column = ((width - piece.shapes()[0].columns().len()) / 2) as u8;
            Placement { piece, orientation: 0, column }
        });
        self.top = u32::from(position.rules().height);
    }

    /// The board as the piece finds it; from above it, in the simplified game.
    fn board(&self) -> Top<'_> {
        let rules = self.position().rules();
        let rows = u32::from(rules.height) + if self.falls() { 0 } else { 4 };
        Top { columns: self.position().columns(), rows }
    }

    fn landing(&self, piece: Placement) -> u32 {
        self.board().landing_row(piece.shape(), usize::from(piece.column))
    }

    /// The row of the lowest cell of its box, as it is seen.
    fn row(&self, piece: Placement) -> u32 {
        let height = piece.shape().height();
        let top = if self.falls() { self.top } else { u32::from(self.position().rules().height) + ABOVE };
        // A piece of the simplified game may lie higher than there are rows to see it in.
        top.saturating_sub(height).max(if self.falls() { 0 } else { self.landing(piece) })
    }

    /// Moves it by columns, or turns it by quarters; one that cannot be moved stays.
    fn step(&mut self, columns: isize, quarters: usize) {
        let Some(piece) = self.piece else { return };
        let shapes = piece.piece.shapes();
        let orientation = (usize::from(piece.orientation) + quarters) % shapes.len();
        // A turn keeps the middle, as the original game has it.
        let to_middle = |shape: &Shape| (shapes[0].columns().len() - shape.columns().len()) as isize / 2;
        let shape = &shapes[orientation];
        let last = (self.position().columns().len() - shape.columns().len()) as isize;
        let column = piece.column as isize + columns + to_middle(shape) - to_middle(piece.shape());
        let to = |column: isize| Placement { orientation: orientation as u8, column: column as u8, ..piece };
        if !self.falls() {
            self.piece = Some(to(column.clamp(0, last)));
        } else if (0..=last).contains(&column) {
            let to = to(column);
            let is_reached = self.board().reached(piece.piece).holds(to);
            if is_reached && self.landing(to) + shape.height() <= self.top {
                self.piece = Some(to);
            }
        }
    }

    /// Down by a row; one that lies on something is placed. A piece of the simplified game comes from above at once.
    pub fn down(&mut self) {
        match self.piece {
            Some(piece) if self.falls() && self.row(piece) > self.landing(piece) => self.top -= 1,
            _ => self.place(),
        }
    }

    fn place(&mut self) {
        let Some(piece) = self.piece else { return };
        let before = self.now.clone();
        match self.now.position.play(piece) {
            Ok(()) => {
                self.before.push(before);
                (self.hint, self.message) = (None, String::new());
            }
            Err(error) => self.message = error.to_string(),
        }
        // One that may not lie there begins again at the top.
        self.deal();
    }

    fn undo(&mut self) {
        match self.before.pop() {
            Some(moment) => (self.now, self.hint, self.message) = (moment, None, String::new()),
            None => self.message = "there is nothing to undo".into(),
        }
        self.deal();
    }

    /// Shows a placement that somebody advises.
    pub fn advise(&mut self, placement: Placement, reason: String) {
        (self.hint, self.message) = (Some(placement), reason);
    }

    pub fn press(&mut self, key: Key) -> Wish {
        if self.is_paused && !matches!(key, Key::Sign('q') | Key::End) {
            self.is_paused = false;
            return Wish::Nothing;
        }
        match key {
            Key::Left => self.step(-1, 0),
            Key::Right => self.step(1, 0),
            Key::Up | Key::Sign('x') => self.step(0, 1),
            Key::Sign('z') => self.step(0, 3 * self.piece.map_or(1, |piece| piece.piece.shapes().len()) - 1),
            Key::Down => self.down(),
            Key::Sign(' ') => self.place(),
            Key::Sign('u') => self.undo(),
            Key::Sign('p') => self.is_paused = true,
            Key::Sign('h') => return Wish::Hint,
            Key::Sign('q') | Key::End => return Wish::Quit,
            Key::Sign(_) => {}
        }
        Wish::Nothing
    }

    /// The board with the piece, where it would land, and what there is to say beside it.
    pub fn draw(&self, colour: bool) -> String {
        let mut pen = Pen::new(colour);
        let position = self.position();
        let rows = u32::from(position.rules().height);
        let above = if self.falls() { 0 } else { ABOVE };
        let mut beside = self.panel().into_iter();
        let covers = |piece: Option<Placement>, row: Option<u32>, at: (usize, u32)| {
            let (Some(piece), Some(bottom)) = (piece, row) else { return false };
            let column = at.0.checked_sub(usize::from(piece.column));
            let cells = column.and_then(|column| piece.shape().columns().get(column));
            cells
                .is_some_and(|cells| at.1 >= bottom && at.1 < bottom + 4 && cells >> (at.1 - bottom) & 1 != 0)
        };
        let [here, lands] =
            [self.piece.map(|piece| self.row(piece)), self.piece.map(|piece| self.landing(piece))];
        let advised = self.hint.map(|piece| self.landing(piece));
        let highest = games::tetris::highest(position.columns());
        for row in (0..(rows + above).max(highest)).rev() {
            let wall = if row < rows { "|" } else { " " };
            pen.ink(Ink::Faint, wall);
            for (column, &cells) in position.columns().iter().enumerate() {
                let at = (column, row);
                match self.piece {
                    Some(piece) if covers(self.piece, here, at) => {
                        pen.ink(Ink::Piece(piece.piece as u8), "[]");
                    }
                    _ if cells >> row & 1 != 0 => pen.plain("[]"),
                    _ if covers(self.hint, advised, at) => pen.ink(Ink::Last, "()"),
                    _ if covers(self.piece, lands, at) => pen.ink(Ink::Faint, "::"),
                    _ => pen.ink(Ink::Faint, if row < rows { " ." } else { "  " }),
                }
            }
            pen.ink(Ink::Faint, wall);
            if let Some(line) = beside.next() {
                pen.plain(&format!("   {line}"));
            }
            pen.line();
        }
        pen.ink(Ink::Faint, &format!("+{}+", "--".repeat(position.columns().len())));
        pen.line();
        // A low board has no room beside it.
        for line in beside {
            pen.plain(&line);
            pen.line();
        }
        pen.finish()
    }

    fn panel(&self) -> Vec<String> {
        let mut lines = vec![format!("lines {}   pieces {}", self.position().lines(), self.pieces())];
        if let Some(next) = self.position().next() {
            lines.push(format!("next {}", next.letter()));
        }
        let keys = [
            "left, right   move",
            "up or x, z    turn",
            if self.falls() { "down          a row down" } else { "down, space   drop" },
            if self.falls() { "space         drop" } else { "" },
            "h             hint",
            "u             undo",
            "p             pause",
            "q             quit",
        ];
        lines.extend(keys.into_iter().filter(|key| !key.is_empty()).map(str::to_string));
        lines.push(if self.is_paused { "paused; any key goes on".into() } else { self.message.clone() });
        lines
    }
}
