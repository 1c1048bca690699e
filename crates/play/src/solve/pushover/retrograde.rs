//! Retrograde analysis: from the ends of the game back to all boards, one distance a round.
//!
//! Of the eight images of a board only the one with the least number is kept. A board has at most two values: `first`
//! if every push is allowed, and `second` if the best push is forbidden as a repetition. A forbidden push that is not the
//! best one, or that is no better than another, changes nothing; so these two are the values of all states of a board.
//! Where the best push can never be a repetition, `second` is `first`.
//!
//! Round d looks at the boards that are still open, by what was known after round d - 1, and finds what is decided in exactly
//! d moves. What is still open when nothing changes any more is a draw: there each side can always move to another such
//! board, for ever.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::code::{Code, Lines};
use crate::solve::Progress;
use crate::solve::boards::Boards;
use crate::solve::value::{MOST_DISTANCE, Value};

/// Boards that a thread takes at once.
const CHUNK: usize = 1 << 11;
/// Words of 64 boards that are listed between two looks at the watch.
const PART: u32 = 1 << 11;
/// The first share of the work: listing the boards.
const LISTING: f64 = 0.2;

/// What is known of a board; the values are bytes of [`Value`], 0 for unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// The value if every push is allowed.
    pub first: u8,
    /// The value if the best push is forbidden.
    pub second: u8,
    /// The entry of the best push; what it means is up to `second`, where the two differ.
    pub best: u8,
}

/// The boards without a line, one of each eight images, by their numbers. `None` if broken off.
pub fn list(code: &Code, watch: Progress<'_>) -> Option<Boards> {
    let all = code.count().div_ceil(64);
    let mut words: Vec<u64> = Vec::with_capacity(all as usize);
    for part in (0..all).step_by(PART as usize) {
        words.par_extend((part..all.min(part + PART)).into_par_iter().map(|word| bits(code, word)));
        if watch(LISTING * words.len() as f64 / f64::from(all)).is_break() {
            return None;
        }
    }
    Some(Boards::from_bits(words.into_iter()))
}

fn bits(code: &Code, word: u32) -> u64 {
    let mut bits = 0;
    for bit in 0..64.min(code.count() - 64 * word) {
        let number = 64 * word + bit;
        let is_least = code.images(number).iter().all(|&image| image >= number);
        if is_least && code.end(number).is_none() {
            bits |= 1 << bit;
        }
    }
    bits
}

/// Where in the list a board stands, and under which image; `None` if somebody has a line.
#[inline]
pub fn place(code: &Code, boards: &Boards, number: u32) -> Option<(usize, usize)> {
    let images = code.images(number);
    let least = images.iter().copied().min().expect("there are images");
    let place = boards.place(least)?;
    let symmetry = images.iter().position(|&image| image == least).expect("it is one of them");
    Some((place, symmetry))
}

/// The values of all listed boards, and the number of rounds; `None` if broken off.
pub fn solve(
    code: &Code,
    boards: &Boards,
    repetition: bool,
    watch: Progress<'_>,
) -> Option<(Vec<Known>, u32)> {
    let numbers: Vec<u32> = boards.iter().collect();
    let work = Work { code, boards, numbers, repetition };
    let mut known = vec![Known::default(); boards.len()];
    let mut open: Vec<u32> = (0..boards.len() as u32).collect();
    let (mut done, broken_off) = (LISTING, AtomicBool::new(false));
    for round in 1.. {
        assert!(round <= u32::from(MOST_DISTANCE), "a longer win than a byte can hold");
        let look = |&place: &u32| {
            let (old, new) = (known[place as usize], work.look(&known, place as usize));
            ((old.first, old.second) != (new.first, new.second)).then_some((place, new))
        };
        let parts = open.par_chunks(CHUNK).map(|places| {
            if broken_off.load(Ordering::Relaxed) || watch(done).is_break() {
                broken_off.store(true, Ordering::Relaxed);
                return Vec::new();
            }
            places.iter().filter_map(look).collect()
        });
        let changed: Vec<Vec<(u32, Known)>> = parts.collect();
        if broken_off.load(Ordering::Relaxed) {
            return None;
        }
        if changed.iter().all(Vec::is_empty) {
            return Some((known, round - 1));
        }
        changed.iter().flatten().for_each(|&(place, new)| known[place as usize] = new);
        open.retain(|&place| known[place as usize].first == 0 || known[place as usize].second == 0);
        // Draws stay open: the share does not reach 1.
        let share = 1.0 - open.len() as f64 / boards.len() as f64;
        done = LISTING + (1.0 - LISTING) * share;
    }
    unreachable!("the distances are bounded")
}

/// What a push is worth to the side that makes it, as far as is known.
#[derive(Clone, Copy)]
struct Push {
    rank: i32,
    byte: u8,
    pushed: u32,
    entry: usize,
}

struct Work<'a> {
    code: &'a Code,
    boards: &'a Boards,
    numbers: Vec<u32>,
    repetition: bool,
}

impl Work<'_> {
    /// What the boards after each push say of a board.
    fn look(&self, known: &[Known], place: usize) -> Known {
        let code = self.code;
        let number = self.numbers[place];
        let lines = code.lines(number);
        let is_new = known[place].first == 0;
        // The best push, and the best of those that make another board.
        let none = Push { rank: i32::MIN, byte: 0, pushed: u32::MAX, entry: 0 };
        let (mut best, mut other) = (none, none);
        for entry in 0..code.entries() {
            let pushed = code.pushed(number, &lines, entry);
            if pushed == best.pushed {
                continue;
            }
            let byte = self.after(known, number, code.turned(pushed));
            let found = Push { rank: rank(byte), byte, pushed, entry };
            if found.rank > best.rank {
                (best, other) = (found, best);
            } else if found.rank > other.rank {
                other = found;
            }
            // In an open board a win is a new one, and none is sooner.
            if is_new && best.rank > 0 && (other.rank > 0 || !self.may_repeat(number, &lines, best)) {
                break;
            }
        }
        let first = best.byte;
        let may_repeat = self.may_repeat(number, &lines, best);
        Known { first, second: if may_repeat { other.byte } else { first }, best: best.entry as u8 }
    }

    /// Whether a push may ever be forbidden. One that ends the game never was made before.
    fn may_repeat(&self, number: u32, lines: &Lines, push: Push) -> bool {
        let ends = [Value::Win(1), Value::Loss(1)].map(Value::byte).contains(&push.byte);
        self.repetition && !ends && self.code.may_repeat(number, lines, push.entry)
    }

    /// The byte of a push for the side that makes it, as far as it is known. `before` is the board that it saw, `number`
    /// the one that the other side sees now.
    #[inline]
    fn after(&self, known: &[Known], before: u32, number: u32) -> u8 {
        let Some((place, symmetry)) = place(self.code, self.boards, number) else {
            return byte_before(self.code.end(number).expect("what is not listed is over").byte());
        };
        let Known { first, second, best } = known[place];
        if !self.repetition || first == second {
            return byte_before(first);
        }
        let least = self.numbers[place];
        let forbidden = self.code.images(self.code.turned(before))[symmetry];
        let is_best = self.code.pushed(least, &self.code.lines(least), best.into()) == forbidden;
        byte_before(if is_best { second } else { first })
    }
}

/// [`Value::before`] of bytes; what is unknown stays so.
fn byte_before(byte: u8) -> u8 {
    Value::from_byte(byte).map_or(0, |value| value.before().byte())
}

fn rank(byte: u8) -> i32 {
    Value::from_byte(byte).map_or(0, Value::rank)
}
