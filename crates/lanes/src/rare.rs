//! What a board keeps for features that few lists have: their lanes add to it what a placement changes.

use super::board::{Columns, OFFSET, PADDED};
use super::word::{One, WALL_HEIGHT, Word};
use games::tetris::measure::sum_of_rows;

/// Sums over the whole board, and what single columns have in them.
#[derive(Debug, Clone)]
pub struct Rare {
    pub cells: u32,
    pub weighted_cells: u32,
    pub heights: u32,
    pub differences: u32,
    pub long_piece_wells: u32,
    pub well_cells: u32,
    /// The difference of each column's height to that of its left neighbour, if it has one.
    pub difference: Columns,
    /// The height of the lowest column before this one, and of this one and all after it; that of a wall if there is none.
    pub lowest_before: Columns,
    pub lowest_from: Columns,
    /// How far the column is below its lower neighbour, if it is a well for a long piece.
    pub long_piece_well: Columns,
    /// Well cells of the column.
    pub well_cell: Columns,
    /// The deepest well of the columns before this one, and of this one and all after it.
    pub deepest_before: Columns,
    pub deepest_from: Columns,
}

impl Rare {
    /// That of an empty board.
    pub const EMPTY: Self = Self {
        cells: 0,
        weighted_cells: 0,
        heights: 0,
        differences: 0,
        long_piece_wells: 0,
        well_cells: 0,
        difference: [0; PADDED],
        lowest_before: [WALL_HEIGHT; PADDED],
        lowest_from: [WALL_HEIGHT; PADDED],
        long_piece_well: [0; PADDED],
        well_cell: [0; PADDED],
        deepest_before: [0; PADDED],
        deepest_from: [0; PADDED],
    };

    /// Counts all but wells anew, on a board of some width.
    pub fn refresh(&mut self, width: usize, heights: &Columns, columns: &Columns) {
        (self.cells, self.weighted_cells, self.heights) = (0, 0, 0);
        (self.differences, self.long_piece_wells) = (0, 0);
        let mut lowest = WALL_HEIGHT;
        for i in OFFSET..OFFSET + width {
            let (own, left, right) = (heights[i], heights[i - 1], heights[i + 1]);
            self.cells += columns[i].count_ones();
            self.weighted_cells += sum_of_rows(columns[i]);
            self.heights += own;
            self.difference[i] = if i > OFFSET { own.abs_diff(left) } else { 0 };
            self.differences += self.difference[i];
            let depth = left.min(right).saturating_sub(own);
            self.long_piece_well[i] = if depth >= 3 { depth } else { 0 };
            self.long_piece_wells += self.long_piece_well[i];
            self.lowest_before[i] = lowest;
            lowest = lowest.min(own);
        }
        lowest = WALL_HEIGHT;
        for i in (OFFSET..OFFSET + width).rev() {
            lowest = lowest.min(heights[i]);
            self.lowest_from[i] = lowest;
        }
    }

    /// Counts wells anew.
    pub fn refresh_wells(&mut self, width: usize, heights: &Columns, columns: &Columns) {
        self.well_cells = 0;
        let (mut depths, mut deepest) = ([0; PADDED], 0);
        for i in OFFSET..OFFSET + width {
            let empty = !columns[i];
            let well = One(columns[i - 1] & columns[i + 1] & empty);
            self.well_cell[i] = down_to_floor(well, One(empty)).count().0;
            self.well_cells += self.well_cell[i];
            self.deepest_before[i] = deepest;
            depths[i] = open_depth(well, One(heights[i])).0;
            deepest = deepest.max(depths[i]);
        }
        deepest = 0;
        for i in (OFFSET..OFFSET + width).rev() {
            deepest = deepest.max(depths[i]);
            self.deepest_from[i] = deepest;
        }
    }
}

/// Well cells with all empty cells below them down to the next full one, in steps of twice the length each.
#[inline(always)]
pub fn down_to_floor<V: Word>(well: V, empty: V) -> V {
    let (mut cells, mut way) = (well, empty);
    for by in [1, 2, 4, 8, 16] {
        cells = cells | way & cells.down(by);
        way = way & way.down(by);
    }
    cells
}

/// How many of the well cells lie above the top.
#[inline(always)]
pub fn open_depth<V: Word>(well: V, height: V) -> V {
    well.down_each(height).count()
}
