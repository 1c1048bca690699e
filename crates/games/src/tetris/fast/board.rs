//! A board with what it takes to say quickly how a placement would change each feature.

use super::super::{Clearing, MAX_WIDTH, TetrisRules, height, overflows, without_rows};
use super::shapes::FastShape;

/// Walls to the left of the first column: lanes look two columns back.
pub const OFFSET: usize = 2;
/// Room for the last lanes to look past the right wall.
pub const PADDED: usize = OFFSET + MAX_WIDTH + 14;
/// The "height" of a wall: no difference to it lies within -2 to 2.
const WALL_HEIGHT: u32 = 1000;

/// Which features are counted; the others stay 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    pub wells: bool,
    pub fast_wells: bool,
    pub diversity: bool,
}

/// Features of a whole board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub row_transitions: u32,
    pub column_transitions: u32,
    pub holes: u32,
    pub wells: u32,
    pub fast_wells: u32,
    pub hole_depth: u32,
    /// Rows with a hole, one bit each.
    pub hole_rows: u32,
    /// Differences of neighbouring heights within -2 to 2, one bit each.
    pub differences: u32,
    pub max_height: u32,
}

/// The board before a placement. Column i lies at index OFFSET + i of every array.
#[derive(Debug, Clone)]
pub struct Board {
    width: usize,
    /// One bit for each row of the board.
    within: u32,
    limit: u32,
    wanted: Wanted,
    pub columns: [u32; PADDED],
    pub heights: [u32; PADDED],
    /// All bits set where the column has a hole.
    pub holed: [u32; PADDED],
    /// The holes, one bit each.
    pub holes: [u32; PADDED],
    /// Wells, and those above the column's top.
    pub wells: [u32; PADDED],
    pub open_wells: [u32; PADDED],
    /// Fast wells, and what they would be with the holes alone.
    pub fast_wells: [u32; PADDED],
    pub covered_fast_wells: [u32; PADDED],
    /// Rows that all columns before this one fill, and that this one and all after it fill.
    pub full_before: [u32; PADDED],
    pub full_from: [u32; PADDED],
    /// Differences seen before the pair (this one - 1, this one), and from the pair (this one, this one + 1) on.
    pub differences_before: [u32; PADDED],
    pub differences_from: [u32; PADDED],
    pub totals: Totals,
}

/// What becomes of the board.
pub struct Drop {
    pub row: u32,
    pub lines: u32,
    /// Cells of the piece in the removed rows.
    pub eroded: u32,
    pub lost: bool,
    columns: [u32; PADDED],
}

impl Drop {
    pub fn height(&self, column: usize) -> u32 {
        height(self.columns[OFFSET + column])
    }
}

impl Board {
    pub fn new(rules: &TetrisRules, columns: &[u32; MAX_WIDTH], wanted: Wanted) -> Self {
        let width = usize::from(rules.width);
        let mut padded = [u32::MAX; PADDED];
        padded[OFFSET..OFFSET + width].copy_from_slice(&columns[..width]);
        let mut board = Self {
            width,
            within: ((1u64 << rules.height) - 1) as u32,
            limit: rules.limit(),
            wanted,
            columns: padded,
            heights: [WALL_HEIGHT; PADDED],
            holed: [0; PADDED],
            holes: [0; PADDED],
            wells: [0; PADDED],
            open_wells: [0; PADDED],
            fast_wells: [0; PADDED],
            covered_fast_wells: [0; PADDED],
            full_before: [u32::MAX; PADDED],
            full_from: [u32::MAX; PADDED],
            differences_before: [0; PADDED],
            differences_from: [0; PADDED],
            totals: Totals::default(),
        };
        board.refresh();
        board
    }

    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The columns, from left to right.
    pub fn cells(&self) -> &[u32] {
        &self.columns[OFFSET..OFFSET + self.width]
    }

    #[inline]
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Counts everything anew from the columns.
    fn refresh(&mut self) {
        let end = OFFSET + self.width;
        let mut totals = Totals::default();
        let mut full = u32::MAX;
        let mut left = u32::MAX;
        let mut left_height = WALL_HEIGHT;
        for i in OFFSET..end {
            let (column, right) = (self.columns[i], self.columns[i + 1]);
            let one = Column::new(column);
            let (wells, fast_wells) = self.wanted.wells_of(left & right & !column, column);
            totals.add(&one, (left ^ column) & self.within);
            totals.wells += wells;
            totals.fast_wells += fast_wells;
            let (covered, covered_fast) = self.wanted.wells_of(left & right & one.holes, column);
            self.heights[i] = one.height;
            self.holes[i] = one.holes;
            self.holed[i] = if one.holes == 0 { 0 } else { u32::MAX };
            self.wells[i] = wells;
            self.open_wells[i] = wells - covered;
            self.fast_wells[i] = fast_wells;
            self.covered_fast_wells[i] = covered_fast;
            self.full_before[i] = full;
            full &= column;
            self.differences_before[i] = totals.differences;
            totals.differences |= difference_bit(left_height, one.height);
            (left, left_height) = (column, one.height);
        }
        totals.row_transitions += (!left & self.within).count_ones();
        // Lanes past the right wall look here: everything has been before, nothing comes any more.
        self.full_before[end..].fill(full);
        let mut full = u32::MAX;
        for i in (OFFSET..end).rev() {
            full &= self.columns[i];
            self.full_from[i] = full;
        }
        if self.wanted.diversity {
            let mut differences = 0;
            for i in (OFFSET..end - 1).rev() {
                differences |= difference_bit(self.heights[i], self.heights[i + 1]);
                self.differences_from[i] = differences;
            }
        }
        self.totals = totals;
    }

    /// Drops a shape and says what comes of it; the board stays as it is.
    pub fn dropped(&self, shape: &FastShape, column: usize, clearing: Clearing) -> Drop {
        let from = OFFSET + column;
        let mut row = 0;
        for k in 0..shape.width {
            row = row.max(self.heights[from + k].saturating_sub(shape.bottoms[k]));
        }
        let mut columns = self.columns;
        for k in 0..shape.width {
            columns[from + k] |= shape.cells[k] << row;
        }
        let mut drop = Drop { row, lines: 0, eroded: 0, lost: false, columns };
        if clearing == Clearing::After && row + shape.height > self.limit {
            drop.lost = true;
        } else {
            self.clear(&mut drop, shape, column);
            let board = &drop.columns[OFFSET..OFFSET + self.width];
            drop.lost = clearing == Clearing::Before && overflows(board, self.limit);
        }
        drop
    }

    fn clear(&self, drop: &mut Drop, shape: &FastShape, column: usize) {
        let from = OFFSET + column;
        let mut full = self.full_before[from] & self.full_from[from + shape.width];
        for k in 0..shape.width {
            full &= drop.columns[from + k];
        }
        if full != 0 {
            let cells = shape.cells.iter().map(|cells| (cells << drop.row & full).count_ones());
            drop.eroded = cells.sum();
            drop.lines = full.count_ones();
            let board = &mut drop.columns[OFFSET..OFFSET + self.width];
            board.iter_mut().for_each(|column| *column = without_rows(*column, full));
        }
    }

    /// The features of the board after a drop.
    pub fn totals_after(&self, drop: &Drop) -> Totals {
        let mut totals = Totals::default();
        let end = OFFSET + self.width;
        let mut left = u32::MAX;
        let mut left_height = WALL_HEIGHT;
        for i in OFFSET..end {
            let (column, right) = (drop.columns[i], drop.columns[i + 1]);
            let one = Column::new(column);
            let (wells, fast_wells) = self.wanted.wells_of(left & right & !column, column);
            totals.add(&one, (left ^ column) & self.within);
            totals.wells += wells;
            totals.fast_wells += fast_wells;
            totals.differences |= difference_bit(left_height, one.height);
            (left, left_height) = (column, one.height);
        }
        totals.row_transitions += (!left & self.within).count_ones();
        totals
    }

    /// Drops a shape for good; the rows removed, and whether the game is lost.
    pub fn place(&mut self, shape: &FastShape, column: usize, clearing: Clearing) -> (u32, bool) {
        let drop = self.dropped(shape, column, clearing);
        self.columns = drop.columns;
        self.refresh();
        (drop.lines, drop.lost)
    }
}

/// Features of one column.
struct Column {
    height: u32,
    transitions: u32,
    holes: u32,
    hole_depth: u32,
}

impl Column {
    #[inline(always)]
    fn new(column: u32) -> Self {
        let top = height(column);
        let wide = u64::from(column);
        Self {
            height: top,
            transitions: (wide ^ (wide << 1 | 1)).count_ones(),
            holes: ((1u64 << top) - 1) as u32 & !column,
            hole_depth: (wide & (wide + 1)).count_ones(),
        }
    }
}

impl Wanted {
    /// Wells and fast wells of a column with these well cells.
    #[inline(always)]
    fn wells_of(self, mut well: u32, column: u32) -> (u32, u32) {
        if well == 0 {
            return (0, 0);
        }
        let (mut wells, mut fast_wells) = (0, 0);
        if self.fast_wells {
            let top = u32::BITS - 1 - well.leading_zeros();
            // Full cells below the highest well cell; what is left above the highest of them is its run.
            let below = column & ((1u64 << top) - 1) as u32;
            let depth = top + 1 - height(below);
            fast_wells = depth * (depth + 1) / 2;
        }
        if self.wells {
            let mut empty = !column;
            while well != 0 {
                wells += well.count_ones();
                empty <<= 1;
                well &= empty;
            }
        }
        (wells, fast_wells)
    }
}

impl Totals {
    #[inline(always)]
    fn add(&mut self, column: &Column, row_changes: u32) {
        self.row_transitions += row_changes.count_ones();
        self.column_transitions += column.transitions;
        self.holes += column.holes.count_ones();
        self.hole_rows |= column.holes;
        self.hole_depth += column.hole_depth;
        self.max_height = self.max_height.max(column.height);
    }
}

/// The bit of a difference within -2 to 2, or none.
#[inline(always)]
fn difference_bit(left: u32, right: u32) -> u32 {
    let number = right.wrapping_sub(left).wrapping_add(2);
    if number <= 4 { 1 << number } else { 0 }
}
