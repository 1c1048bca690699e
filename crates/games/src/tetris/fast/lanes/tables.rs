//! What tables of the surface add to the value of placements side by side.

use super::super::super::holes::CODES;
use super::super::super::surface::SYMBOL_BITS;
use super::super::board::OFFSET;
use super::super::holes::{EMPTY_ABOVE, HOLE, OVER_BIT, code};
use super::super::surface::{FastTable, LEVEL, MOST_SURFACES, inner, step};
use super::super::terms::Terms;
use super::super::word::Word;
use super::{Change, unrolled};

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

    /// The code of `C` neighbours from column k on.
    #[inline(always)]
    fn code<const C: usize>(&self, k: isize) -> V {
        let mut code = self.step(k + 1);
        unrolled!(C, [2 3], |i| code = code.up(SYMBOL_BITS as u32) | self.step(k + i as isize));
        code
    }

    /// The sum with what the tables add to it.
    #[inline(always)]
    pub(super) fn add_tables(&self, terms: &Terms, sum: V::Real) -> V::Real {
        let (mut sum, mut number) = (sum, 0);
        for table in &terms.tables {
            let more = match table {
                FastTable::Three(weights) => self.sum_of_table::<3, _>(number, weights),
                FastTable::Four(weights) => self.sum_of_table::<4, _>(number, weights),
                FastTable::Set(weights) => self.surface_set().weight(weights),
                FastTable::Holes(ranks, weights) => self.sum_of_hole_rows(*ranks, weights),
            };
            number += usize::from(table.patterns().is_some());
            sum = V::add_sums(sum, more);
        }
        sum
    }

    /// A table of `C` neighbouring columns from left to right: the places before the piece are added up already, those that
    /// it changes are looked up, those after it are as they were.
    #[inline(always)]
    fn sum_of_table<const C: usize, const N: usize>(&self, number: usize, weights: &[f64; N]) -> V::Real {
        let sums = &self.board.sums[number % MOST_SURFACES];
        let mut sum = V::load_sum(&sums.before, self.at + 1 - C);
        unrolled!(W + C - 1, [0 1 2 3 4 5 6], |i| {
            let code = self.code::<C>(i as isize + 1 - C as isize);
            sum = V::add_sums(sum, code.weight(weights));
        });
        let end = OFFSET + self.board.width() + 2 - C;
        for place in self.at + W..end {
            sum = V::add_sums(sum, V::load_sum(&sums.here, place));
        }
        sum
    }

    /// The highest rows with holes, from the top down: what a row had, less the cells that the piece fills, and its gaps and
    /// the cells that it heaps on holes.
    #[inline(always)]
    fn sum_of_hole_rows(&self, ranks: usize, weights: &[f64; CODES]) -> V::Real {
        let (mut left, mut sum) = (self.hole_rows(), V::zero_sum());
        let lowest = V::splat(1);
        for rank in 0..ranks {
            // Most boards have few such rows.
            if left.is_zero() {
                break;
            }
            let none = left.zero();
            // From 1; without a row all that follows is wrong, and not asked.
            let row = left.height();
            let shift = (row - lowest) & V::splat(31);
            left = left & !lowest.up_each(shift);
            let mut has = shift.entry(&self.board.rows);
            unrolled!(W, [0 1 2 3], |k| {
                // This row and the one above it.
                let filled = self.piece[k].down_each(shift) & V::splat(3);
                has = has - ((filled | filled.up(EMPTY_ABOVE - 1)) & V::splat(1 | 1 << EMPTY_ABOVE));
                // All bits set where there is a hole.
                let hole = V::splat(0) - (V::load(&self.board.holes, self.at + k).down_each(shift) & lowest);
                let over = (self.new_height(k) - self.heights[k]) & hole;
                let gap = V::splat(0) - (self.gap(k).down_each(shift) & lowest);
                let over = over + ((self.new_height(k) - row) & gap);
                has = has + over.up(OVER_BIT) + (gap & V::splat(HOLE));
            });
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
