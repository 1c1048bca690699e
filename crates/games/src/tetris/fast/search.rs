//! The best of all placements of a piece: lane by lane first, and the best lane at the end.

use wide::{f64x4, u32x8};

use super::super::Piece;
use super::board::{Board, OFFSET};
use super::lanes::values;
use super::shapes::FIRST;
use super::terms::Terms;
use super::word::{One, Word};

const LANES: usize = <u32x8 as Word>::LANES;
/// Up to so many places beyond the first eight are sooner looked at one by one.
const FEW: usize = 3;

/// What has been seen so far, under feature list `K`. A placement has a number by orientation and then from left to right, 16 to an orientation.
pub struct Search<'a, const K: usize> {
    board: &'a Board,
    terms: &'a Terms,
    /// The best of each lane, and its number.
    values: [f64x4; 2],
    numbers: [f64x4; 2],
    /// The best of those looked at one by one.
    value: f64,
    number: u32,
    /// The placements that remove rows or stick out, one bit each.
    special: u64,
}

/// A placement by its number, and what it is worth.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    pub number: u32,
    pub value: f64,
}

/// The orientation and the column of a number.
#[inline]
pub fn unpack(number: u32) -> (u8, u8) {
    ((number / 16) as u8, (number % 16) as u8)
}

impl<'a, const K: usize> Search<'a, K> {
    #[inline]
    pub fn new(board: &'a Board, terms: &'a Terms) -> Self {
        Self {
            board,
            terms,
            values: [f64x4::splat(f64::NEG_INFINITY); 2],
            numbers: [f64x4::ZERO; 2],
            value: f64::NEG_INFINITY,
            number: u32::MAX,
            special: 0,
        }
    }

    /// Placements that have no value yet.
    #[inline]
    pub fn special(&self) -> u64 {
        self.special
    }

    /// Looks at all placements of a piece.
    #[inline(always)]
    pub fn look_at(&mut self, piece: Piece) {
        self.look_at_lanes(piece);
        self.join();
    }

    #[inline(always)]
    fn look_at_lanes(&mut self, piece: Piece) {
        match piece {
            Piece::I => {
                self.places::<4, { FIRST[0] }>(0);
                self.places::<1, { FIRST[0] + 1 }>(1);
            }
            Piece::O => self.places::<2, { FIRST[1] }>(0),
            Piece::T => {
                self.places::<3, { FIRST[2] }>(0);
                self.places::<2, { FIRST[2] + 1 }>(1);
                self.places::<3, { FIRST[2] + 2 }>(2);
                self.places::<2, { FIRST[2] + 3 }>(3);
            }
            Piece::S => {
                self.places::<3, { FIRST[3] }>(0);
                self.places::<2, { FIRST[3] + 1 }>(1);
            }
            Piece::Z => {
                self.places::<3, { FIRST[4] }>(0);
                self.places::<2, { FIRST[4] + 1 }>(1);
            }
            Piece::J => {
                self.places::<3, { FIRST[5] }>(0);
                self.places::<2, { FIRST[5] + 1 }>(1);
                self.places::<3, { FIRST[5] + 2 }>(2);
                self.places::<2, { FIRST[5] + 3 }>(3);
            }
            Piece::L => {
                self.places::<3, { FIRST[6] }>(0);
                self.places::<2, { FIRST[6] + 1 }>(1);
                self.places::<3, { FIRST[6] + 2 }>(2);
                self.places::<2, { FIRST[6] + 3 }>(3);
            }
        }
    }

    /// Looks at all places of one orientation.
    #[inline(always)]
    fn places<const W: usize, const S: usize>(&mut self, orientation: u32) {
        let places = self.board.width() + 1 - W;
        let first = 16 * orientation;
        let (values, mut special) = eight::<W, S, K, 0>(self.board, self.terms);
        self.keep(values, first);
        if places > LANES + FEW {
            let (values, more) = eight_more::<W, S, K>(self.board, self.terms);
            self.keep(values, first + LANES as u32);
            special |= more << LANES;
        } else {
            for column in LANES..places {
                let (value, one_special) = one::<W, S, K>(self.board, self.terms, column);
                self.add(value, first + column as u32);
                special |= one_special << column;
            }
        }
        special &= (1 << places) - 1;
        self.special |= u64::from(special) << first;
    }

    /// Keeps the better ones of eight placements, the first of which has this number. In line with all that looks at them:
    /// kept behind a reference they are stored under a mask, which is slow on some processors.
    #[inline(always)]
    fn keep(&mut self, values: [f64x4; 2], first: u32) {
        for (half, values) in values.into_iter().enumerate() {
            let from = f64::from(first + 4 * half as u32);
            let numbers = f64x4::new([from, from + 1.0, from + 2.0, from + 3.0]);
            // Not where it is no number, and the first of equals stays.
            let better = values.simd_gt(self.values[half]);
            self.values[half] = better.select(values, self.values[half]);
            self.numbers[half] = better.select(numbers, self.numbers[half]);
        }
    }

    /// The best of the lanes joins those looked at one by one.
    #[inline(always)]
    fn join(&mut self) {
        let lanes: [f64; 4] = self.values[0].fast_max(self.values[1]).to_array();
        let best = greater(greater(lanes[0], lanes[1]), greater(lanes[2], lanes[3]));
        let none = f64x4::splat(f64::INFINITY);
        let [low, high] =
            [0, 1].map(|half| self.values[half].simd_eq(f64x4::splat(best)).select(self.numbers[half], none));
        let numbers: [f64; 4] = low.fast_min(high).to_array();
        let number = less(less(numbers[0], numbers[1]), less(numbers[2], numbers[3]));
        self.add(best, number as u32);
    }

    /// One placement more, in any order.
    #[inline]
    pub fn add(&mut self, value: f64, number: u32) {
        if value > self.value || value == self.value && number < self.number {
            (self.value, self.number) = (value, number);
        }
    }

    /// The first of the best, if there is any.
    #[inline]
    pub fn best(&self) -> Option<Value> {
        (self.value > f64::NEG_INFINITY).then_some(Value { number: self.number, value: self.value })
    }
}

/// Not the library's, which ask more about what is no number.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn less(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The values of eight places, and which of them are special. In line: a call costs 33 instructions.
#[inline(always)]
fn eight<const W: usize, const S: usize, const K: usize, const FROM: usize>(
    board: &Board,
    terms: &Terms,
) -> ([f64x4; 2], u32) {
    let (values, special) = values::<u32x8, W, S, K>(board, OFFSET + FROM, terms);
    (values, special.bits())
}

/// Eight more on a wide board.
#[inline(never)]
fn eight_more<const W: usize, const S: usize, const K: usize>(
    board: &Board,
    terms: &Terms,
) -> ([f64x4; 2], u32) {
    eight::<W, S, K, LANES>(board, terms)
}

/// The value of one place, and whether it is special.
#[inline(never)]
fn one<const W: usize, const S: usize, const K: usize>(
    board: &Board,
    terms: &Terms,
    column: usize,
) -> (f64, u32) {
    let (value, special) = values::<One, W, S, K>(board, OFFSET + column, terms);
    (value, special.bits())
}
