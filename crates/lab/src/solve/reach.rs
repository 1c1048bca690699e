//! The boards that play can reach from the empty one, as a sorted list with a quick way from a board to its place.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Watch;
use super::field::Field;

/// A set of boards: one bit each, and for every word of 64 how many come before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boards {
    words: Vec<Word>,
    count: usize,
}

/// Kept together, so that finding a place touches one line of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    bits: u64,
    before: u32,
}

impl Boards {
    /// The set with these bits.
    pub fn from_bits(bits: impl Iterator<Item = u64>) -> Self {
        let mut count = 0;
        let words = bits.map(|bits| {
            let before = count as u32;
            count += bits.count_ones() as usize;
            Word { bits, before }
        });
        let words = words.collect();
        Self { words, count }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The place of a board in the sorted list; `None` if it is not in the set.
    #[inline]
    pub fn place(&self, board: u32) -> Option<usize> {
        let word = self.words.get(board as usize / 64)?;
        let bit = 1u64 << (board % 64);
        (word.bits & bit != 0).then(|| word.before as usize + (word.bits & (bit - 1)).count_ones() as usize)
    }

    /// The boards from the smallest up.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().zip(0u32..).flat_map(|(word, number)| {
            let mut bits = word.bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(number * 64 + bit)
            })
        })
    }
}

/// The words that hold one bit for every pattern of the field.
pub fn words(field: &Field) -> usize {
    (1usize << field.cells()).div_ceil(64)
}

/// All boards that can be reached, by ever longer games; `None` if broken off.
pub fn reachable(field: &Field, watch: Watch<'_>) -> Option<Boards> {
    /// Boards between two looks at the watch.
    const PART: usize = 1 << 18;
    const CHUNK: usize = 1 << 12;
    let seen: Vec<AtomicU64> = (0..words(field)).map(|_| AtomicU64::new(0)).collect();
    let is_new = |board: u32| {
        let (word, bit) = (&seen[board as usize / 64], 1 << (board % 64));
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    };
    let found = AtomicUsize::new(1);
    // About a third of all patterns are kept, where mirror images are one.
    let expected = (1u64 << field.cells()) as f64 / 3.0;
    let mut frontier = vec![field.key(0)];
    is_new(frontier[0]);
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for part in frontier.chunks(PART) {
            let new = part.par_chunks(CHUNK).map(|boards| {
                let mut new = Vec::new();
                for &board in boards {
                    field.landings(board, |_, landing| new.extend(landing.board.filter(|&b| is_new(b))));
                }
                found.fetch_add(new.len(), Ordering::Relaxed);
                new
            });
            next.extend(new.collect::<Vec<_>>().into_iter().flatten());
            let share = (found.load(Ordering::Relaxed) as f64 / expected).min(1.0);
            if let ControlFlow::Break(()) = watch(0.1 * share) {
                return None;
            }
        }
        frontier = next;
    }
    Some(Boards::from_bits(seen.into_iter().map(AtomicU64::into_inner)))
}
