//! Features that few lists have, for placements side by side.

use super::{Change, unrolled};
use crate::board::{OFFSET, PADDED};
use crate::rare::{down_to_floor, open_depth};
use crate::terms::{
    CELLS, CONNECTED_HOLES, DEEPEST_WELL, DROP_DEPTH, FRONTIER, HEIGHT_RANGE, HOLES_CHANGE, LONG_PIECE_WELLS,
    MAX_HEIGHT_CHANGE, MEAN_HEIGHT, MEAN_HEIGHT_CHANGE, SUM_OF_DIFFERENCES, SUM_OF_DIFFERENCES_CHANGE, Terms,
    WEIGHTED_CELLS, WELL_CELLS,
};
use crate::word::{Weight, Word};

impl<V: Word, const W: usize, const S: usize> Change<'_, V, W, S> {
    /// One of them. Means are sums here: their weights are divided.
    pub(super) fn rare(&self, slot: usize) -> V {
        let (board, rare) = (self.board, &self.board.rare);
        match slot {
            FRONTIER => self.row_transitions() + self.column_transitions(),
            DROP_DEPTH => V::splat(board.rows_within().wrapping_sub(Self::SHAPE.height)) - self.row,
            CELLS => V::splat(rare.cells + 4),
            WEIGHTED_CELLS => self.row.up(2) + V::splat(rare.weighted_cells + Self::SHAPE.sum_of_rows),
            MEAN_HEIGHT => self.heights_added(rare.heights),
            MEAN_HEIGHT_CHANGE => self.heights_added(0),
            SUM_OF_DIFFERENCES => self.differences_added(rare.differences),
            SUM_OF_DIFFERENCES_CHANGE => self.differences_added(0),
            MAX_HEIGHT_CHANGE => {
                let top = self.row + V::splat(Self::SHAPE.height);
                (top - V::splat(board.totals.max_height)).max(V::splat(0))
            }
            HOLES_CHANGE => self.holes() - V::splat(board.totals.holes),
            // Every run of holes adds two changes to its column, which has one without them.
            CONNECTED_HOLES => (self.column_transitions() - V::splat(board.width() as u32)).down(1),
            HEIGHT_RANGE => self.height_range(),
            LONG_PIECE_WELLS => self.long_piece_wells(),
            WELL_CELLS => self.new_well_cells(),
            DEEPEST_WELL => self.deepest_well(),
            _ => unreachable!("no such feature"),
        }
    }

    fn heights_added(&self, before: u32) -> V {
        let mut sum = V::splat(before);
        unrolled!(W, [0 1 2 3], |k| sum = sum + (self.new_height(k) - self.heights[k]));
        sum
    }

    /// The height of column k after the placement, that of a wall being above all.
    fn height_at(&self, k: isize) -> V {
        let inside = k >= 0 && (k as usize) < W;
        if inside { self.new_height(k as usize) } else { self.load(&self.board.heights, k) }
    }

    fn differences_added(&self, before: u32) -> V {
        let mut sum = V::splat(before);
        for k in 0..=W as isize {
            sum = sum + self.difference_added(k);
        }
        sum
    }

    /// What the difference of column k to its left neighbour, if it has one, grows by.
    fn difference_added(&self, k: isize) -> V {
        let (left, right) = (self.height_at(k - 1), self.height_at(k));
        let new = (left - right).max(right - left) & self.load(&self.board.pairs, k);
        new - self.load(&self.board.rare.difference, k)
    }

    fn height_range(&self) -> V {
        let rare = &self.board.rare;
        let others = self.load(&rare.lowest_before, 0).min(self.load(&rare.lowest_from, W as isize));
        let mut lowest = others;
        unrolled!(W, [0 1 2 3], |k| lowest = lowest.min(self.new_height(k)));
        let top = self.row + V::splat(Self::SHAPE.height);
        V::splat(self.board.totals.max_height).max(top) - lowest
    }

    /// The columns of the piece and one to each side.
    fn long_piece_wells(&self) -> V {
        let mut sum = V::splat(self.board.rare.long_piece_wells);
        for k in -1..=W as isize {
            let depth = self.height_at(k - 1).min(self.height_at(k + 1)) - self.height_at(k);
            let new = depth & depth.greater(V::splat(2));
            sum = sum + (new - self.load(&self.board.rare.long_piece_well, k));
        }
        sum
    }

    /// The empty cells of column k between two full ones.
    fn well(&self, k: isize) -> V {
        self.column(k - 1) & self.column(k + 1) & !self.column(k)
    }

    fn new_well_cells(&self) -> V {
        let mut sum = V::splat(self.board.rare.well_cells);
        for k in -1..=W as isize {
            let new = down_to_floor(self.well(k), !self.column(k)).count();
            sum = sum + (new - self.load(&self.board.rare.well_cell, k));
        }
        sum
    }

    fn deepest_well(&self) -> V {
        let rare = &self.board.rare;
        let others = self.load(&rare.deepest_before, -1).max(self.load(&rare.deepest_from, W as isize + 1));
        (-1..=W as isize).fold(others, |deepest, k| deepest.max(open_depth(self.well(k), self.height_at(k))))
    }

    /// The sum with heights of single columns and differences of two: what the board has, and what the piece changes.
    pub(super) fn add_heights(&self, terms: &Terms, sum: V::Real) -> V::Real {
        let weights = |all: &[f32; PADDED], k: usize| -> Weight {
            all[self.at + k..self.at + k + 8].try_into().expect("eight of them")
        };
        let mut sum = V::splat(1).add_weighted(&self.board.heights_worth, sum);
        for k in 0..W {
            let added = self.new_height(k) - self.heights[k];
            sum = added.add_weighted(&weights(&terms.heights, k), sum);
        }
        for k in 0..=W {
            sum = self.difference_added(k as isize).add_weighted(&weights(&terms.differences, k), sum);
        }
        sum
    }
}

const _: () = assert!(OFFSET >= 2, "two columns before the piece are looked at");
