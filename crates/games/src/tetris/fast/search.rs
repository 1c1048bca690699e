//! The best of all placements of a piece: lane by lane first, and the best lane at the end.

use wide::{f64x4, u32x8};

use super::super::Piece;
use super::board::{Board, OFFSET};
use super::lanes::{Terms, values};
use super::shapes::FIRST;
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
    #[inline]
    pub fn look_at(&mut self, piece: Piece) {
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
    #[inline]
    fn places<const W: usize, const S: usize>(&mut self, orientation: u32) {
        let places = self.board.width() + 1 - W;
        let first = 16 * orientation;
        let mut special = self.eight::<W, S, 0>(first);
        if places > LANES + FEW {
            special |= self.eight::<W, S, LANES>(first) << LANES;
        } else {
            for column in LANES..places {
                special |= self.one::<W, S>(first, column) << column;
            }
        }
        special &= (1 << places) - 1;
        self.special |= u64::from(special) << first;
    }

    /// Looks at eight places; which of them are special comes back.
    #[inline(never)]
    fn eight<const W: usize, const S: usize, const FROM: usize>(&mut self, first: u32) -> u32 {
        let (values, special) = values::<u32x8, W, S, K>(self.board, OFFSET + FROM, self.terms);
        let first = f64x4::splat(f64::from(first));
        for (half, values) in values.into_iter().enumerate() {
            let from = (FROM + 4 * half) as f64;
            let numbers = first + f64x4::new([from, from + 1.0, from + 2.0, from + 3.0]);
            // Not where it is no number, and the first of equals stays.
            let better = values.simd_gt(self.values[half]);
            self.values[half] = better.select(values, self.values[half]);
            self.numbers[half] = better.select(numbers, self.numbers[half]);
        }
        special.bits()
    }

    /// Looks at one place; whether it is special comes back.
    #[inline(never)]
    fn one<const W: usize, const S: usize>(&mut self, first: u32, column: usize) -> u32 {
        let (value, special) = values::<One, W, S, K>(self.board, OFFSET + column, self.terms);
        self.add(value, first + column as u32);
        special.bits()
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
        let lanes: [f64; 4] = self.values[0].fast_max(self.values[1]).to_array();
        let best = lanes[0].max(lanes[1]).max(lanes[2].max(lanes[3])).max(self.value);
        if best == f64::NEG_INFINITY {
            return None;
        }
        let mut number = if self.value == best { f64::from(self.number) } else { f64::INFINITY };
        for half in 0..2 {
            let equal = self.values[half].simd_eq(f64x4::splat(best));
            let numbers = equal.select(self.numbers[half], f64x4::splat(f64::INFINITY)).to_array();
            number = numbers.into_iter().fold(number, f64::min);
        }
        Some(Value { number: number as u32, value: best })
    }
}
