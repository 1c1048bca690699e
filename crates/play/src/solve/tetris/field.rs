//! Small Tetris boards packed into one word, and what a drop makes of them.
//!
//! A board is a number: the floor row holds the highest bits, the row above it the next ones, and four rows in which a
//! piece may stick out the lowest. Boards that differ only near the top are then neighbours in a sorted list, as a
//! board and what follows it often are, and every drop that removes no row makes the number larger.

#[cfg(test)]
mod tests;

use games::tetris::{Clearing, GameOver, Losing, Piece, Pieces, TetrisRules};
use games::{InputError, Rules};

/// The most cells of a board that is solved: the sets of boards have one bit for each of the 2^28 patterns.
pub const MOST_CELLS: u32 = 28;

/// Rows above the board in which a piece may stick out.
const ROOM: u32 = 4;

/// One orientation of a piece over one column.
#[derive(Debug, Clone, Copy)]
struct Drop {
    column: usize,
    /// The row of the lowest cell in each column; so high where it has none that nothing holds it up there.
    bottoms: [u8; 4],
    height: u8,
    /// The cells when the piece stands on the floor.
    cells: u64,
}

/// What a drop leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landing {
    /// The board without the full rows, as [`Field::key`] numbers it; `None` if the game is lost.
    pub board: Option<u32>,
    /// Rows removed.
    pub lines: u32,
}

/// The geometry of a board and the drops of every piece that is dealt.
#[derive(Debug, Clone)]
pub struct Field {
    width: u32,
    limit: u32,
    clearing: Clearing,
    losing: Losing,
    symmetric: bool,
    /// The probability of each piece that can come, and where its drops are in `drops`.
    pieces: Vec<(f64, std::ops::Range<usize>)>,
    drops: Vec<Drop>,
    /// The height of a column by the number of its lowest bit; 0 for 64, the answer for no bit.
    heights: Vec<u8>,
}

impl Field {
    /// The field of these rules.
    ///
    /// # Errors
    /// The rules ask for more than a table over boards can tell, or for too many boards.
    pub fn new(rules: &TetrisRules) -> Result<Self, InputError> {
        let weights = checked(rules)?;
        let (width, limit) = (u32::from(rules.width), rules.limit());
        let bit = |row: u32, column: u32| 1u64 << ((limit + ROOM - 1 - row) * width + column);
        let total: u32 = weights.iter().sum();
        let (mut pieces, mut drops) = (Vec::new(), Vec::new());
        for (piece, weight) in Piece::ALL.into_iter().zip(weights).filter(|&(_, weight)| weight > 0) {
            let first = drops.len();
            for shape in piece.shapes() {
                for column in 0..=width - shape.columns().len() as u32 {
                    let mut bottoms = [u8::MAX; 4];
                    let mut cells = 0;
                    for (i, &filled) in shape.columns().iter().enumerate() {
                        bottoms[i] = shape.bottoms()[i] as u8;
                        let rows = (0..shape.height()).filter(|row| filled >> row & 1 != 0);
                        cells |= rows.map(|row| bit(row, column + i as u32)).sum::<u64>();
                    }
                    let height = shape.height() as u8;
                    drops.push(Drop { column: column as usize, bottoms, height, cells });
                }
            }
            pieces.push((f64::from(weight) / f64::from(total), first..drops.len()));
        }
        let rows = limit + ROOM;
        let height = |lowest: u32| if lowest < rows * width { rows - lowest / width } else { 0 };
        let heights = (0..=64).map(|lowest| height(lowest) as u8).collect();
        let symmetric = Piece::ALL.iter().all(|p| weights[*p as usize] == weights[p.mirrored() as usize]);
        let (clearing, losing) = (rules.clearing, rules.losing);
        Ok(Self { width, limit, clearing, losing, symmetric, pieces, drops, heights })
    }

    /// Cells of the board.
    pub fn cells(&self) -> u32 {
        self.width * self.limit
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// How many boards are kept under one number.
    pub fn images(&self, board: u32) -> usize {
        1 + usize::from(self.symmetric && self.mirrored(board) != board)
    }

    /// How many pieces may come.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// The probability of each.
    pub fn probabilities(&self) -> impl Iterator<Item = f64> {
        self.pieces.iter().map(|(probability, _)| *probability)
    }

    /// The number of a board that is not lost, from its columns with bit 0 at the floor.
    pub fn number(&self, columns: &[u32]) -> u32 {
        let cell = |row: u32| move |column: &u32| column >> row & 1;
        let rows = (0..self.limit).map(|row| {
            let cells = columns.iter().map(cell(row)).enumerate();
            cells.map(|(column, cell)| cell << column).sum::<u32>()
        });
        self.key(rows.fold(0, |number, row| number << self.width | row))
    }

    /// The number under which a board is kept: the smaller one of its own and that of its mirror image, if those are
    /// worth the same.
    #[inline]
    pub fn key(&self, board: u32) -> u32 {
        if self.symmetric { board.min(self.mirrored(board)) } else { board }
    }

    #[inline]
    fn mirrored(&self, board: u32) -> u32 {
        match self.width {
            4 => mirrored::<4>(board),
            5 => mirrored::<5>(board),
            6 => mirrored::<6>(board),
            7 => mirrored::<7>(board),
            8 => mirrored::<8>(board),
            _ => mirrored::<9>(board),
        }
    }

    /// Tells `visit` what every legal placement of every piece leads to: the piece's place among those that may come,
    /// and the landing. Losing placements come only where they are legal.
    #[inline]
    pub fn landings(&self, board: u32, visit: impl FnMut(usize, Landing)) {
        match self.width {
            4 => self.landings_at::<4>(board, visit),
            5 => self.landings_at::<5>(board, visit),
            6 => self.landings_at::<6>(board, visit),
            7 => self.landings_at::<7>(board, visit),
            8 => self.landings_at::<8>(board, visit),
            _ => self.landings_at::<9>(board, visit),
        }
    }

    /// The width is known to the compiler: this is where all the time goes.
    #[inline]
    fn landings_at<const W: u32>(&self, board: u32, mut visit: impl FnMut(usize, Landing)) {
        let board = u64::from(board) << (W * ROOM);
        let mut heights = [0; 16];
        for (height, column) in heights.iter_mut().zip(0..W) {
            *height = self.heights[(board & rows_of::<W>() << column).trailing_zeros() as usize];
        }
        for (piece, (_, drops)) in self.pieces.iter().enumerate() {
            let drops = &self.drops[drops.clone()];
            let mut survived = false;
            for drop in drops {
                let landing = self.landing::<W>(board, &heights, drop);
                if landing.board.is_some() || self.losing == Losing::Allowed {
                    survived = true;
                    visit(piece, landing);
                }
            }
            if !survived {
                drops.iter().for_each(|drop| visit(piece, self.landing::<W>(board, &heights, drop)));
            }
        }
    }

    #[inline(always)]
    fn landing<const W: u32>(&self, board: u64, heights: &[u8; 16], drop: &Drop) -> Landing {
        let mut row = 0;
        for (height, bottom) in heights[drop.column..drop.column + 4].iter().zip(drop.bottoms) {
            row = row.max(height.saturating_sub(bottom));
        }
        if self.clearing == Clearing::After && u32::from(row + drop.height) > self.limit {
            return Landing { board: None, lines: 0 };
        }
        let mut board = board | drop.cells >> (u32::from(row) * W);
        // The lowest bit of each row that is full.
        let mut full = (1..W).fold(board & rows_of::<W>(), |full, column| full & board >> column);
        let lines = full.count_ones();
        while full != 0 {
            // From the top down, so that the rows below keep their places.
            let place = full.trailing_zeros();
            let above = board & ((1 << place) - 1);
            let below = board >> (place + W) << (place + W);
            board = below | above << W;
            full &= full - 1;
        }
        if board & ((1 << (W * ROOM)) - 1) != 0 {
            return Landing { board: None, lines };
        }
        let board = (board >> (W * ROOM)) as u32;
        let key = if self.symmetric { board.min(mirrored::<W>(board)) } else { board };
        Landing { board: Some(key), lines }
    }
}

/// The lowest bit of every row of `W` bits.
const fn rows_of<const W: u32>() -> u64 {
    let (mut rows, mut place) = (0, 0);
    while place + W <= u64::BITS {
        rows |= 1 << place;
        place += W;
    }
    rows
}

/// Left and right exchanged.
#[inline(always)]
fn mirrored<const W: u32>(board: u32) -> u32 {
    let column = const { rows_of::<W>() as u32 };
    (0..W).fold(0, |image, left| image | (board >> left & column) << (W - 1 - left))
}

/// The weights of the pieces, if these rules can be solved.
fn checked(rules: &TetrisRules) -> Result<[u32; 7], InputError> {
    let Pieces::Weighted(weights) = rules.pieces else {
        let allowed =
            "uniform, harder, sz, weights:...; a solution knows the board and not what was dealt before";
        return Err(InputError::option("pieces", &rules.get("pieces"), allowed));
    };
    if rules.preview {
        let allowed = "off; a solution knows the board and one piece";
        return Err(InputError::option("preview", &rules.get("preview"), allowed));
    }
    let unused = u32::from(rules.over == GameOver::TopRow);
    let (width, most) = (u32::from(rules.width), MOST_CELLS / u32::from(rules.width) + unused);
    if most < 4 {
        let allowed = format!(
            "4 to {}, for a board of more than {MOST_CELLS} cells is not solved",
            MOST_CELLS / (4 - unused)
        );
        return Err(InputError::option("width", &rules.get("width"), allowed));
    }
    if u32::from(rules.height) > most {
        let allowed = format!(
            "4 to {most} at width {width}, for a board of more than {MOST_CELLS} cells is not solved"
        );
        return Err(InputError::option("height", &rules.get("height"), allowed));
    }
    Ok(weights)
}
