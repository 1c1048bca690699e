//! What tables add to the value of placements side by side.

use super::{Change, unrolled};
use crate::board::OFFSET;
use crate::holes::{HOLES, OVER, code};
use crate::lane_tables::{LEFT, LaneTables, RIGHT, Sums};
use crate::surface::{LEVEL, inner, step};
use crate::terms::Terms;
use crate::word::Word;
use games::tetris::holes::CODES;
use games::tetris::surface::SYMBOL_BITS;

impl<V: Word, const W: usize, const S: usize> Change<'_, V, W, S> {
    /// The step to column k from its left neighbour after the placement.
    #[inline(always)]
    fn step(&self, k: isize) -> V {
        let last = W as isize;
        if k == 0 {
            let wall = self.load(&self.board.walls, -1);
            step(self.new_height(0) - self.load(&self.board.heights, -1)) & !wall
        } else if k == last {
            let wall = self.load(&self.board.walls, last);
            step(self.load(&self.board.heights, last) - self.new_height(W - 1)) & !wall
        } else if k > 0 && k < last {
            let tops = &Self::SHAPE.tops;
            V::splat((LEVEL + tops[k as usize]).wrapping_sub(tops[k as usize - 1]))
        } else {
            self.load(&self.board.steps, k)
        }
    }

    /// The code of four neighbours from column k on.
    #[inline(always)]
    fn code(&self, k: isize) -> V {
        let bits = SYMBOL_BITS as u32;
        self.step(k + 1).up(2 * bits) | self.step(k + 2).up(bits) | self.step(k + 3)
    }

    /// The sum with what the tables add to it.
    #[inline(always)]
    pub(super) fn add_tables(&self, terms: &Terms, sum: V::Real) -> V::Real {
        let (tables, mut sum) = (&terms.lane_tables, sum);
        if terms.wanted.surface {
            sum = self.add_patterns(tables, sum);
        }
        if let Some(weights) = &tables.set {
            sum = V::add_sums(sum, self.surface_set().weight(weights));
        }
        if let Some((ranks, weights)) = &tables.holes {
            sum = self.add_hole_rows(*ranks, weights, sum);
        }
        sum
    }

    /// The same with tables that no known list has.
    #[inline(always)]
    pub(super) fn add_rare_tables(&self, terms: &Terms, sum: V::Real) -> V::Real {
        if !terms.wanted.rare_tables {
            return sum;
        }
        let (board, tables, mut sum) = (self.board, &terms.lane_tables, sum);
        for ((columns, weights), sums) in tables.others.iter().zip(&board.other_sums) {
            sum = self.add_others(*columns, weights, sums, sum);
        }
        for (table, sums) in tables.cells.iter().zip(&board.cell_sums) {
            sum = table.add(sums, self.at - OFFSET, &Self::SHAPE, self.row, &self.piece, sum);
        }
        sum
    }

    /// Patterns of any number of columns: the places that the piece changes are those that end in its first column and later,
    /// and begin in its last and before.
    fn add_others(&self, columns: usize, weights: &[f32], sums: &Sums, sum: V::Real) -> V::Real {
        let before = columns - 1;
        let mask = V::splat(((1u64 << (SYMBOL_BITS * before)) - 1) as u32);
        let mut sum = V::add_sums(sum, V::load_sum(&sums.before, self.at - before));
        sum = V::add_sums(sum, V::load_sum(&sums.from, self.at + W));
        let mut code = V::splat(0);
        for k in 1 - before as isize..(W + before) as isize {
            code = (code.up(SYMBOL_BITS as u32) | self.step(k)) & mask;
            if k >= 0 {
                sum = V::add_sums(sum, code.weight_in(weights));
            }
        }
        sum
    }

    /// Places before and after the piece are added up already. Those that it changes are looked up, all places on one side of it
    /// at once; those of a narrow piece that reach from side to side by themselves.
    #[inline(always)]
    fn add_patterns(&self, tables: &LaneTables, sum: V::Real) -> V::Real {
        let sums = &self.board.sums;
        let mut sum = V::add_sums(sum, V::load_sum(&sums.before, self.at - 3));
        sum = V::add_sums(sum, V::load_sum(&sums.from, self.at + W));
        sum = V::add_sums(sum, self.code(-3).weight(&tables.left[LEFT[S]]));
        unrolled!(3, [1 2], |k| if W + k < 4 {
            sum = V::add_sums(sum, self.code((W + k) as isize - 4).weight(&tables.patterns));
        });
        V::add_sums(sum, self.code(W as isize - 1).weight(&tables.right[RIGHT[S]]))
    }

    /// The highest rows with holes, from the top down: what a row had, less the cells that the piece fills, and its gaps and
    /// the cells that it heaps on holes.
    #[inline(always)]
    fn add_hole_rows(&self, ranks: usize, weights: &[f32; CODES], sum: V::Real) -> V::Real {
        let (mut left, mut sum) = (self.hole_rows(), sum);
        let one = V::splat(1);
        for rank in 0..ranks {
            // Most boards have few such rows.
            if left.is_zero() {
                break;
            }
            let none = left.zero();
            // From 1; without a row all that follows is wrong, and not asked.
            let row = left.height();
            let shift = (row - one) & V::splat(31);
            let bit = one.up_each(shift);
            left = left & !bit;
            // Cells of the piece in this row and in the one above it, which is the first of the piece if this one is below it.
            let filled = V::splat(Self::SHAPE.cells_by_row << 4).down_each((row - self.row).up(2));
            let filled = (filled & V::splat(0xf)) | (filled & V::splat(0xf0)).up(4);
            let has = shift.entry(&self.board.rows) - filled;
            let from_row = self.row - row;
            let (mut over, mut gaps) = (V::splat(0), V::splat(0));
            unrolled!(W, [0 1 2 3], |k| {
                let hole = (V::load(&self.board.holes, self.at + k) & bit).same(bit);
                over = over + ((self.new_height(k) - self.heights[k]) & hole);
                if W > 1 {
                    let gap = (self.gap(k) & bit).same(bit);
                    over = over + ((from_row + V::splat(Self::SHAPE.tops[k])) & gap);
                    // All bits set are -1.
                    gaps = gaps - gap;
                }
            });
            let has = has + gaps.up(HOLES) - gaps + over.up(OVER);
            sum = V::add_sums(sum, code(has, rank, none).weight(weights));
        }
        sum
    }

    /// What is present on the surface.
    #[inline(always)]
    fn surface_set(&self) -> V {
        let mut seen = self.differences() | inner(self.step(-1), self.step(0));
        unrolled!(W, [0 1 2 3], |k| seen = seen | inner(self.step(k as isize), self.step(k as isize + 1)));
        seen | inner(self.step(W as isize), self.step(W as isize + 1))
    }
}
