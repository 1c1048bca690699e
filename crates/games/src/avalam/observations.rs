//! The 39 observation functions of Branly & Guichard (2022): counts of towers, of isolated towers and of links.
//!
//! A tower is *isolated* if it can take part in no move; towers of height 5 always are. A *link* is an unordered pair of
//! neighbouring towers that may be merged, that is, two legal moves. The counts are taken in three ways, which a test
//! holds equal: each function by itself and by its definition (`plain.rs`), all in one loop over the towers
//! ([`Observations::of`]), and brought up to date around the two cells of a move ([`Observations::after`]).

use super::board::NEIGHBOURS;
use super::{Avalam, Move};
use crate::game::Side;

/// The number of observation functions.
pub const OBSERVATIONS: usize = 39;

/// The name of each, in the order of the counts. "own" is the side that is asked for.
pub const NAMES: [&str; OBSERVATIONS] = [
    "score",
    "own-towers-1",
    "own-towers-2",
    "own-towers-3",
    "own-towers-4",
    "own-towers-5",
    "enemy-towers-1",
    "enemy-towers-2",
    "enemy-towers-3",
    "enemy-towers-4",
    "enemy-towers-5",
    "own-isolated-1",
    "own-isolated-2",
    "own-isolated-3",
    "own-isolated-4",
    "own-isolated-5",
    "enemy-isolated-1",
    "enemy-isolated-2",
    "enemy-isolated-3",
    "enemy-isolated-4",
    "enemy-isolated-5",
    "links-1-1-own",
    "links-1-1-enemy",
    "links-1-1-mixed",
    "links-1-2-own",
    "links-1-2-enemy",
    "links-1-2-mixed",
    "links-1-3-own",
    "links-1-3-enemy",
    "links-1-3-mixed",
    "links-1-4-own",
    "links-1-4-enemy",
    "links-1-4-mixed",
    "links-2-2-own",
    "links-2-2-enemy",
    "links-2-2-mixed",
    "links-2-3-own",
    "links-2-3-enemy",
    "links-2-3-mixed",
];

/// Where each group of counts begins. Own heights come before those of the enemy; links go by kind, then owners.
pub(super) const TOWERS: usize = 1;
pub(super) const ISOLATED: usize = 11;
pub(super) const LINKS: usize = 21;
/// The pairs of heights that may be merged.
pub(super) const KINDS: [(usize, usize); 6] = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3)];

/// Places in memory: one more than there are functions, for a length that vector instructions like. The last one takes
/// what is counted of pairs that are no links, and is then set to 1: the place of a constant.
const PLACES: usize = 40;
const CONSTANT: usize = OBSERVATIONS;

/// `LINK[o][h][4 * p + b - 1]`: the place of links between a tower of owner o and height h and one of owner p and height
/// b. Pairs that are too high go to the spare place, so that no branch depends on a height.
static LINK: [[[u8; 8]; 6]; 2] = link_places();

const fn link_places() -> [[[u8; 8]; 6]; 2] {
    let mut table = [[[CONSTANT as u8; 8]; 6]; 2];
    let mut index = 0;
    while index < 2 * 2 * KINDS.len() {
        let (o, p, kind) = (index & 1, index >> 1 & 1, index >> 2);
        let (low, high) = KINDS[kind];
        let owners = if o == p { o } else { 2 };
        let place = (LINKS + 3 * kind + owners) as u8;
        table[o][low][4 * p + high - 1] = place;
        table[o][high][4 * p + low - 1] = place;
        index += 1;
    }
    table
}

/// All counts of one position. They are kept for the first side and turned round when the second asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observations {
    counts: [i16; PLACES],
}

impl Observations {
    /// Counts a position in one loop over its towers: 160 ns, the mean over random games.
    pub fn of(position: &Avalam) -> Self {
        let (sets, reach, first) = (position.by_height(), position.at_most(), position.first);
        let mut counts = [0; PLACES];
        for h in 1..=5 {
            for (o, mine) in [first, !first].into_iter().enumerate() {
                counts[TOWERS + 5 * o + h - 1] = ones(sets[h] & mine);
            }
        }
        for o in 0..2 {
            counts[ISOLATED + 5 * o + 4] = counts[TOWERS + 5 * o + 4];
        }
        for h in 1..=4 {
            let mut towers = sets[h];
            while towers != 0 {
                let cell = towers.trailing_zeros();
                let alone = NEIGHBOURS[cell as usize] & reach[5 - h] == 0;
                counts[ISOLATED + 5 * owner(first, cell) + h - 1] += i16::from(alone);
                towers &= towers - 1;
            }
        }
        add_links::<1>(&sets, first, &mut counts);
        add_links::<2>(&sets, first, &mut counts);
        Self::finished(counts)
    }

    /// The counts after a legal move in `before`, whose counts these are.
    ///
    /// The links of the two cells go, those of the new tower come. No tower gets higher goals by a move, so that only those
    /// that lose a link can become isolated, and none ceases to be. 50 ns, 460 instructions, a third of a whole count.
    #[inline]
    #[must_use]
    pub fn after(&self, before: &Avalam, mv: Move) -> Self {
        let (sets, mut reach, first) = (before.by_height(), before.at_most(), before.first);
        let (from_bit, to_bit) = (1u64 << mv.from, 1u64 << mv.to);
        let near_from = NEIGHBOURS[usize::from(mv.from)] & !to_bit;
        let near_to = NEIGHBOURS[usize::from(mv.to)] & !from_bit;
        let (low, high) = (usize::from(before.height(mv.from)), usize::from(before.height(mv.to)));
        // Legal moves never need the bound; it spares the checks of the array accesses below.
        let (low, high) = (low.clamp(1, 4), high.clamp(1, 4));
        let sum = (low + high).min(5);
        let (o, p) = (owner(first, mv.from.into()), owner(first, mv.to.into()));
        let mut counts = self.counts;

        counts[0] += 2 * p as i16 - 1;
        counts[TOWERS + 5 * o + low - 1] -= 1;
        counts[TOWERS + 5 * p + high - 1] -= 1;
        counts[TOWERS + 5 * o + sum - 1] += 1;

        let (links_from, links_to, links_sum) = (&LINK[o][low], &LINK[p][high], &LINK[o][sum]);
        counts[usize::from(links_from[4 * p + high - 1])] -= 1;
        for q in 0..2 {
            let theirs = if q == 0 { first } else { !first };
            for b in 1..=4 {
                let (at_from, at_to) = (ones(near_from & sets[b] & theirs), ones(near_to & sets[b] & theirs));
                counts[usize::from(links_from[4 * q + b - 1])] -= at_from;
                counts[usize::from(links_to[4 * q + b - 1])] -= at_to;
                counts[usize::from(links_sum[4 * q + b - 1])] += at_to;
            }
        }

        counts[ISOLATED + 5 * o + sum - 1] += i16::from(near_to & reach[5 - sum] == 0);
        let mut lost = near_from & reach[5 - low] | near_to & reach[5 - high] & !reach[5 - sum];
        for (h, reach) in reach.iter_mut().enumerate() {
            *reach = *reach & !from_bit & !to_bit | u64::from(sum <= h) << mv.to;
        }
        while lost != 0 {
            let cell = lost.trailing_zeros();
            let h = usize::from(before.height(cell as u8)).clamp(1, 4);
            let alone = NEIGHBOURS[cell as usize] & reach[5 - h] == 0;
            counts[ISOLATED + 5 * owner(first, cell) + h - 1] += i16::from(alone);
            lost &= lost - 1;
        }
        Self { counts: closed(counts) }
    }

    fn finished(mut counts: [i16; PLACES]) -> Self {
        let towers = |o: usize| counts[TOWERS + 5 * o..][..5].iter().sum::<i16>();
        counts[0] = towers(0) - towers(1);
        Self { counts: closed(counts) }
    }

    /// The counts for a side, in the order of [`NAMES`].
    #[inline]
    pub fn counts(&self, side: Side) -> [i16; OBSERVATIONS] {
        let mut counts = [0; OBSERVATIONS];
        counts.copy_from_slice(&self.counts[..OBSERVATIONS]);
        if side == Side::Second {
            counts = std::array::from_fn(|index| counts[turned(index)]);
            counts[0] = -counts[0];
        }
        counts
    }

    /// The weighted sum for a side, 11 ns. Eight partial sums run side by side, so that the last digits may differ from those
    /// of a sum in the order of the names.
    #[inline]
    pub fn value(&self, side: Side, weights: &Weights) -> f64 {
        let mut sums = [0.0; 8];
        let weights = &weights.by_side[side.index()];
        for (counts, weights) in self.counts.chunks_exact(8).zip(weights.chunks_exact(8)) {
            for lane in 0..8 {
                sums[lane] += weights[lane] * f64::from(counts[lane]);
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}

/// Weights of all observation functions and of a constant, for both sides. Counts are those of the first side; the second has weights of
/// its own, exchanged, so that a search never turns counts round.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    by_side: [[f64; PLACES]; 2],
}

impl Weights {
    /// One weight for each of [`NAMES`], and the weight of 1.
    pub fn new(weights: &[f64; OBSERVATIONS], constant: f64) -> Self {
        let mut by_side = [[constant; PLACES]; 2];
        for (index, &weight) in weights.iter().enumerate() {
            by_side[0][index] = weight;
            by_side[1][turned(index)] = if index == 0 { -weight } else { weight };
        }
        Self { by_side }
    }
}

/// Counts the links whose lower tower has height `LOW`. The height is known when this is compiled, so that the inner loops
/// are unrolled: 1,490 instructions for the whole count instead of 3,900.
#[inline]
fn add_links<const LOW: usize>(sets: &[u64; 6], first: u64, counts: &mut [i16; PLACES]) {
    for (o, mine) in [first, !first].into_iter().enumerate() {
        let mut found = [0; 8];
        let mut towers = sets[LOW] & mine;
        while towers != 0 {
            let near = NEIGHBOURS[towers.trailing_zeros() as usize];
            towers &= towers - 1;
            for b in LOW..6 - LOW {
                // Equal towers: of one owner, each pair once, with the towers still to come; of two, by the first side.
                let theirs = if b > LOW {
                    [sets[b] & first, sets[b] & !first]
                } else if o == 0 {
                    [towers, sets[b] & !first]
                } else {
                    [0, towers]
                };
                found[b - 1] += ones(near & theirs[0]);
                found[b + 3] += ones(near & theirs[1]);
            }
        }
        for (place, found) in LINK[o][LOW].iter().zip(found) {
            counts[usize::from(*place)] += found;
        }
    }
}

/// The place of a count when the sides are exchanged; the score also changes its sign.
const fn turned(index: usize) -> usize {
    match index {
        0 => 0,
        1..LINKS => (index - 1) / 10 * 10 + (index - 1 + 5) % 10 + 1,
        _ => match (index - LINKS) % 3 {
            0 => index + 1,
            1 => index - 1,
            _ => index,
        },
    }
}

fn closed(mut counts: [i16; PLACES]) -> [i16; PLACES] {
    counts[CONSTANT] = 1;
    counts
}

#[inline]
fn ones(cells: u64) -> i16 {
    cells.count_ones() as i16
}

/// 0 if the first side owns the tower of a cell.
#[inline]
fn owner(first: u64, cell: u32) -> usize {
    (!first >> cell & 1) as usize
}
