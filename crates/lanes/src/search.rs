//! The placements of a piece that may be the best: all are valued to about seven digits, and those that come close to the
//! highest value are kept. Nearly always that is one; where it is not, the exact values decide (`lib.rs`).

use wide::{f32x4, f32x8, u32x8};

use super::board::{Board, OFFSET};
use super::lanes::values;
use super::shapes::FIRST;
use super::terms::Terms;
use super::word::{One, Word};
use games::tetris::Piece;

const LANES: usize = <u32x8 as Word>::LANES;
/// Up to so many places beyond the first eight are sooner looked at one by one.
const FEW: usize = 3;

/// What has been seen so far, under feature list `K`. A placement has a number by orientation and then from left to right, 16 to an orientation.
pub struct Search<'a, const K: usize> {
    board: &'a Board,
    terms: &'a Terms,
    /// The values of the first eight places of each orientation, and of eight more on a wide board.
    lanes: [f32x8; 4],
    more_lanes: [f32x8; 4],
    wide: bool,
    /// The values of those looked at one by one, which ones that are, and the highest of them.
    singles: [f32; 64],
    single: u64,
    highest: f32,
    /// The placements that remove rows or stick out, one bit each.
    special: u64,
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
            lanes: [LOWEST; 4],
            more_lanes: [LOWEST; 4],
            wide: false,
            singles: [f32::NEG_INFINITY; 64],
            single: 0,
            highest: f32::NEG_INFINITY,
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
        self.lanes[orientation as usize] = values;
        if places > LANES + FEW {
            let (values, more) = eight_more::<W, S, K>(self.board, self.terms);
            (self.more_lanes[orientation as usize], self.wide) = (values, true);
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

    /// One placement more, in any order.
    #[inline(always)]
    pub fn add(&mut self, value: f32, number: u32) {
        self.singles[number as usize % 64] = value;
        self.single |= 1 << (number % 64);
        self.highest = greater(self.highest, value);
    }

    /// The placements that may be the best, one bit each: those whose values are so close to the highest. None if there is none
    /// with a value.
    #[inline(always)]
    pub fn candidates(&self, margin: f32) -> u64 {
        let [a, b, c, d] = self.lanes;
        let mut highest = a.fast_max(b).fast_max(c.fast_max(d));
        if self.wide {
            highest = self.more_lanes.iter().fold(highest, |highest, &lanes| highest.fast_max(lanes));
        }
        let [low, high]: [f32x4; 2] = bytemuck::cast(highest);
        let [a, b, c, d] = low.fast_max(high).to_array();
        let highest = greater(self.highest, greater(greater(a, b), greater(c, d)));
        if highest == f32::NEG_INFINITY {
            return 0;
        }
        let least = highest - margin;
        let near = |lanes: f32x8| u64::from(lanes.simd_ge(f32x8::splat(least)).to_bitmask());
        let [a, b, c, d] = self.lanes.map(near);
        let mut candidates = a | b << 16 | c << 32 | d << 48;
        if self.wide {
            let [a, b, c, d] = self.more_lanes.map(near);
            candidates |= (a | b << 16 | c << 32 | d << 48) << LANES;
        }
        let mut single = self.single;
        while single != 0 {
            let number = single.trailing_zeros();
            candidates |= u64::from(self.singles[number as usize % 64] >= least) << number;
            single &= single - 1;
        }
        candidates
    }

    /// All values so far, by number.
    pub fn values(&self) -> impl Iterator<Item = (u32, f32)> {
        let lanes = |all: [f32x8; 4], from: u32| {
            let all = all.into_iter().flat_map(f32x8::to_array);
            (0..).zip(all).map(move |(i, value)| (16 * (i / 8) + i % 8 + from, value))
        };
        let singles = (0..64).filter(|number| self.single >> number & 1 != 0);
        let singles = singles.map(|number| (number, self.singles[number as usize]));
        let all = lanes(self.lanes, 0).chain(lanes(self.more_lanes, LANES as u32)).chain(singles);
        all.filter(|(_, value)| *value > f32::NEG_INFINITY)
    }
}

/// Less than any value.
const LOWEST: f32x8 = f32x8::new([f32::NEG_INFINITY; 8]);

/// Not the library's, which ask more about what is no number.
#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The values of eight places, and which of them are special. In line: a call costs 33 instructions.
#[inline(always)]
fn eight<const W: usize, const S: usize, const K: usize, const FROM: usize>(
    board: &Board,
    terms: &Terms,
) -> (f32x8, u32) {
    let (values, special) = values::<u32x8, W, S, K>(board, OFFSET + FROM, terms);
    (values, special.bits())
}

/// Eight more on a wide board.
#[inline(never)]
fn eight_more<const W: usize, const S: usize, const K: usize>(board: &Board, terms: &Terms) -> (f32x8, u32) {
    eight::<W, S, K, LANES>(board, terms)
}

/// The value of one place, and whether it is special.
#[inline(never)]
fn one<const W: usize, const S: usize, const K: usize>(
    board: &Board,
    terms: &Terms,
    column: usize,
) -> (f32, u32) {
    let (value, special) = values::<One<u32>, W, S, K>(board, OFFSET + column, terms);
    (value, special.bits())
}
