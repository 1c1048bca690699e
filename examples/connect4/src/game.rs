//! The rules: two sides drop discs into seven columns of six cells; four in a line win.

use games::draw::{Ink, Pen};
use games::features::FeatureTable;
use games::picture::Picture;
use games::rules::Fixed;
use games::{Game, InputError, Side, Turn};

pub(crate) const WIDTH: u8 = 7;
pub(crate) const HEIGHT: u8 = 6;

/// A column has a bit more than cells, always empty, so that no line runs from the top of one into the next.
const COLUMN: u8 = HEIGHT + 1;

/// A position: the discs of each side, bit `7 * column + row`, the lowest row first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connect4 {
    discs: [u64; 2],
}

/// The bit of a cell.
pub(crate) fn cell(column: u8, row: u8) -> u64 {
    1 << (COLUMN * column + row)
}

/// Whether some discs have four in a line.
fn has_four(discs: u64) -> bool {
    [1, COLUMN - 1, COLUMN, COLUMN + 1].into_iter().any(|step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Connect4 {
    /// The discs of a side.
    pub fn discs(&self, side: Side) -> u64 {
        self.discs[side.index()]
    }

    /// The side that moves next, were the game to go on.
    fn side(&self) -> Side {
        let [first, second] = self.discs.map(u64::count_ones);
        if first == second { Side::First } else { Side::Second }
    }

    fn winner(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| has_four(self.discs(*side)))
    }

    /// The row that a disc in this column falls to; the height of the board if the column is full.
    pub(crate) fn landing_row(&self, column: u8) -> u8 {
        let taken = (self.discs[0] | self.discs[1]) >> (COLUMN * column) & ((1 << HEIGHT) - 1);
        taken.count_ones() as u8
    }
}

impl Game for Connect4 {
    type Rules = Fixed;
    type Move = u8;

    const NAME: &'static str = "connect4";
    const SUMMARY: &'static str = "drop discs into seven columns; four in a line win";
    const SIDES: &'static [&'static str] = &["x", "o"];
    const MOVE_HELP: &'static str = "the letter of a column, a to g";
    const SYMMETRIES: usize = 2;
    const FEATURES: FeatureTable<Self> = crate::features::TABLE;

    fn start(_rules: &Fixed) -> Self {
        Self { discs: [0; 2] }
    }

    fn turn(&self) -> Turn {
        let full = (self.discs[0] | self.discs[1]).count_ones() == u32::from(WIDTH * HEIGHT);
        if full || self.winner().is_some() { Turn::Over } else { Turn::Player(self.side()) }
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.turn() != Turn::Over {
            moves.extend((0..WIDTH).filter(|&column| self.landing_row(column) < HEIGHT));
        }
    }

    fn check(&self, column: u8) -> Result<(), InputError> {
        let illegal = |reason: &str| Err(InputError::illegal(self.move_text(column), reason));
        match self.turn() {
            Turn::Over => illegal("the game is over"),
            _ if column >= WIDTH || self.landing_row(column) >= HEIGHT => illegal("the column is full"),
            _ => Ok(()),
        }
    }

    fn play_unchecked(&mut self, column: u8) {
        let (side, row) = (self.side(), self.landing_row(column));
        self.discs[side.index()] |= cell(column, row);
    }

    fn score(&self, side: Side) -> f64 {
        self.final_value(side)
    }

    fn final_value(&self, side: Side) -> f64 {
        match self.winner() {
            Some(winner) if winner == side => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        }
    }

    fn step(&self) -> u32 {
        (self.discs[0] | self.discs[1]).count_ones() + 1
    }

    fn key(&self) -> u64 {
        let mixed = |discs: u64, factor: u64| discs.wrapping_mul(factor) ^ discs.wrapping_mul(factor) >> 29;
        mixed(self.discs[0], 0x9e37_79b9_7f4a_7c15)
            ^ mixed(self.discs[1], 0xc2b2_ae3d_27d4_eb4f).rotate_left(31)
    }

    /// Rows from the top, as `......./......./......./......./...o.../..xx...`; who is to move follows from the discs.
    fn text(&self) -> String {
        let sign = |bit: u64| match bit {
            _ if self.discs[0] & bit != 0 => 'x',
            _ if self.discs[1] & bit != 0 => 'o',
            _ => '.',
        };
        let row = |row: u8| (0..WIDTH).map(|column| sign(cell(column, row))).collect::<String>();
        (0..HEIGHT).rev().map(row).collect::<Vec<_>>().join("/")
    }

    fn parse(_rules: &Fixed, text: &str) -> Result<Self, InputError> {
        let refused = |reason: &str| InputError::position(text, reason);
        let rows: Vec<&[u8]> = text.trim().split('/').map(str::as_bytes).collect();
        if rows.len() != usize::from(HEIGHT) || rows.iter().any(|row| row.len() != usize::from(WIDTH)) {
            return Err(refused("6 rows of 7 cells are expected, from the top, with / between them"));
        }
        let mut position = Self { discs: [0; 2] };
        for (row, cells) in (0..HEIGHT).rev().zip(&rows) {
            for (column, sign) in (0..WIDTH).zip(cells.iter()) {
                match sign {
                    b'x' => position.discs[0] |= cell(column, row),
                    b'o' => position.discs[1] |= cell(column, row),
                    b'.' => {}
                    _ => return Err(refused("a cell is x, o or .")),
                }
            }
        }
        let all = position.discs[0] | position.discs[1];
        let hangs = |column| all >> (COLUMN * column) & 0x3f != (1 << position.landing_row(column)) - 1;
        let [first, second] = position.discs.map(u64::count_ones);
        match position.winner() {
            _ if (0..WIDTH).any(hangs) => Err(refused("a disc hangs in the air")),
            _ if first != second && first != second + 1 => {
                Err(refused("x has as many discs as o, or one more"))
            }
            // Whoever has four has just moved.
            Some(winner) if winner == position.side() => {
                Err(refused("the game went on after four in a line"))
            }
            Some(winner) if has_four(position.discs(winner.other())) => {
                Err(refused("both have four in a line"))
            }
            _ => Ok(position),
        }
    }

    fn move_text(&self, column: u8) -> String {
        char::from(b'a' + column).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, InputError> {
        match text.trim().as_bytes() {
            [letter @ b'a'..=b'g'] => Ok(letter - b'a'),
            _ => Err(InputError::move_text(text, "a letter from a to g")),
        }
    }

    fn draw(&self, pen: &mut Pen, last: Option<(&Self, u8)>) {
        let last = last.map_or(0, |(before, column)| cell(column, before.landing_row(column)));
        for row in (0..HEIGHT).rev() {
            for column in 0..WIDTH {
                let bit = cell(column, row);
                let (ink, sign) = match bit {
                    _ if self.discs[0] & bit != 0 => (Ink::First, "x"),
                    _ if self.discs[1] & bit != 0 => (Ink::Second, "o"),
                    _ => (Ink::Faint, "."),
                };
                pen.plain(if bit == last { "[" } else { " " });
                pen.ink(ink, sign);
                pen.plain(if bit == last { "]" } else { " " });
            }
            pen.line();
        }
        pen.ink(Ink::Faint, " a  b  c  d  e  f  g");
        pen.line();
    }

    fn picture(&self, last: Option<(&Self, u8)>) -> Picture {
        crate::picture::picture(self, last)
    }

    fn mirrored(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return self.clone();
        }
        let column = |discs: u64, column: u8| discs >> (COLUMN * column) & 0x3f;
        let image = |discs| (0..WIDTH).map(|at| column(discs, at) << (COLUMN * (WIDTH - 1 - at))).sum();
        Self { discs: self.discs.map(image) }
    }

    fn mirrored_move(&self, column: u8, symmetry: usize) -> u8 {
        if symmetry == 0 { column } else { WIDTH - 1 - column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_as_many_as_published() {
        // 7^n until a column can be full, then what others have counted; of the games of 8 plies they count those that go so far, and
        // 13,032 are over after 7 (counted by a plain program), which stay leaves here.
        let start = Connect4::start(&Fixed);
        for (depth, leaves) in [(1, 7), (4, 2_401), (6, 117_649), (7, 823_536), (8, 5_673_234 + 13_032)] {
            assert_eq!(games::perft(&start, depth), leaves);
        }
    }

    #[test]
    fn four_in_a_line_win_in_every_direction_and_nothing_else_does() {
        for (text, winner) in [
            ("......./......./......./......./ooo..../xxxx...", Some(Side::First)),
            ("......./......./x....../xo...../xo...../xo.....", Some(Side::First)),
            ("......./......./...x.../..xo.../.xoo.../xoox..x", Some(Side::First)),
            ("......./......./x....../ox...../oox..../xoox..x", Some(Side::First)),
            // The top of one column and the bottom of the next are no line.
            ("x....../x....../x....../o....../o....../ox.....", None),
        ] {
            let position = Connect4::parse(&Fixed, text).unwrap();
            assert_eq!(position.winner(), winner, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (text, said) in [
            ("", "6 rows of 7 cells"),
            ("......./......./......./......./......./...z...", "x, o or ."),
            ("......./......./......./......./...x.../.......", "hangs"),
            ("......./......./......./......./......./..oo...", "one more"),
            ("......./......./......./......./oooo.../xxxx...", "went on"),
        ] {
            let error = Connect4::parse(&Fixed, text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
