//! Patterns: small sets of squares, each with a table that has an entry for every way in which discs can lie on them.
//!
//! A pattern lies on the board in up to eight places, its images, which share one table; an image onto itself ties entries to each
//! other. An entry is found by a number with a digit for each square: 0 empty, 1 and 2 a disc of either side. All numbers of a
//! board stand in lanes of one array, so that a disc that is placed or turned over changes them by one addition of arrays.
//! The numbers are kept as the first side sees them; the second has tables with the colours exchanged ([`PatternSet::exchanged`]).
//! Beside the patterns there may be tables over counts: mobility, potential mobility, parity.

mod counts;
mod text;

use super::bits::{mirrored, mobility};
use super::text::square_name;
pub use counts::Counts;
pub use text::{PatternError, SHIPPED};

/// The most places of all patterns together.
pub const LANES: usize = 64;

/// The most squares of a pattern: its numbers fit 16 bits.
pub const MOST_SQUARES: usize = 10;

/// A pattern, where it was first named.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    name: String,
    squares: Vec<u8>,
    /// Its first entry among all weights.
    first: usize,
}

impl Pattern {
    fn entries(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }
}

/// The number of each place, as the first side's discs are 1 and the second's 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub struct Indices([u16; LANES]);

impl Indices {
    /// The numbers, one for each place; beyond the last place they mean nothing.
    pub fn numbers(&self) -> &[u16; LANES] {
        &self.0
    }
}

/// Patterns and counts, ready to be looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternSet {
    patterns: Vec<Pattern>,
    counts: Vec<(Counts, usize)>,
    /// The first weight of the table of each place.
    tables: Vec<u32>,
    /// The same in lanes, 0 beyond the last place.
    bases: Box<[u32; LANES]>,
    /// What a disc of the first side on each square adds to each number.
    steps: Box<[[u16; LANES]; 64]>,
    weights: usize,
}

fn image(square: u8, symmetry: usize) -> u8 {
    mirrored(1 << square, symmetry).trailing_zeros() as u8
}

fn mask(squares: &[u8]) -> u64 {
    squares.iter().map(|&square| 1 << square).sum()
}

/// The places of a pattern: its images that cover different squares, each in the order of the pattern's squares.
fn places(squares: &[u8]) -> Vec<Vec<u8>> {
    let mut places: Vec<Vec<u8>> = Vec::new();
    for symmetry in 0..8 {
        let place: Vec<u8> = squares.iter().map(|&square| image(square, symmetry)).collect();
        if places.iter().all(|other| mask(other) != mask(&place)) {
            places.push(place);
        }
    }
    places
}

impl PatternSet {
    /// Puts named patterns and counts together; they are known to be sound.
    fn new(named: Vec<(String, Vec<u8>)>, counts: Vec<Counts>) -> Self {
        let (mut weights, mut tables, mut patterns) = (0, Vec::new(), Vec::new());
        let mut steps = Box::new([[0; LANES]; 64]);
        for (name, squares) in named {
            let pattern = Pattern { name, squares, first: weights };
            for place in places(&pattern.squares) {
                let mut digit = 1;
                for &square in &place {
                    steps[usize::from(square)][tables.len()] = digit;
                    digit *= 3;
                }
                tables.push(weights as u32);
            }
            weights += pattern.entries();
            patterns.push(pattern);
        }
        let counts = counts
            .into_iter()
            .map(|count| {
                let first = weights;
                weights += count.entries();
                (count, first)
            })
            .collect();
        let mut bases = Box::new([0; LANES]);
        bases[..tables.len()].copy_from_slice(&tables);
        Self { patterns, counts, tables, bases, steps, weights }
    }

    /// The number of weights: all entries of all tables.
    pub fn weights(&self) -> usize {
        self.weights
    }

    /// How many entries a board shows.
    pub fn shown(&self) -> usize {
        self.tables.len() + self.counts.iter().map(|(count, _)| count.shown()).sum::<usize>()
    }

    /// The first weight of the table of each place.
    pub fn tables(&self) -> &[u32] {
        &self.tables
    }

    /// The text from which [`PatternSet::parse`] makes the same set.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Pattern { name, squares, .. } in &self.patterns {
            let squares: Vec<String> = squares.iter().map(|&square| square_name(square)).collect();
            text.push_str(&format!("{name}: {}\n", squares.join(" ")));
        }
        self.counts.iter().for_each(|(count, _)| text.push_str(&format!("{}\n", count.name())));
        text
    }

    /// The name of each table, its first weight and the number of its weights.
    pub fn sections(&self) -> Vec<(String, usize, usize)> {
        let patterns = self.patterns.iter().map(|one| (one.name.clone(), one.first, one.entries()));
        let counts = self.counts.iter().map(|&(count, first)| (count.name().into(), first, count.entries()));
        patterns.chain(counts).collect()
    }

    /// The name and the squares of each pattern, where it was first named.
    pub fn patterns(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.patterns.iter().map(|one| (one.name.as_str(), &one.squares[..]))
    }

    /// The tables over counts.
    pub fn counts(&self) -> impl Iterator<Item = Counts> {
        self.counts.iter().map(|&(count, _)| count)
    }

    /// The place on the board that covers these squares and no other, if a pattern has one.
    pub fn lane(&self, squares: &[u8]) -> Option<usize> {
        let covered = |lane: usize| (0..64).filter(move |&square| self.steps[square][lane] != 0);
        let wanted = mask(squares);
        (0..self.tables.len()).find(|&lane| covered(lane).map(|square| 1u64 << square).sum::<u64>() == wanted)
    }

    /// The weight that a place shows.
    pub fn entry(&self, lane: usize, indices: &Indices) -> usize {
        self.tables[lane] as usize + usize::from(indices.0[lane])
    }

    /// The numbers of a board, counted from scratch.
    pub fn fresh(&self, first: u64, second: u64) -> Indices {
        let (mut sum, mut twice) = ([0; LANES], [0; LANES]);
        self.add(&mut sum, first);
        self.add(&mut twice, second);
        for lane in 0..LANES {
            sum[lane] = sum[lane].wrapping_add(twice[lane].wrapping_mul(2));
        }
        Indices(sum)
    }

    #[inline]
    fn add(&self, sum: &mut [u16; LANES], mut discs: u64) {
        while discs != 0 {
            let step = &self.steps[discs.trailing_zeros() as usize];
            for lane in 0..LANES {
                sum[lane] = sum[lane].wrapping_add(step[lane]);
            }
            discs &= discs - 1;
        }
    }

    /// The numbers after a disc on `square`, of the first side or not, has turned `flipped` over.
    #[inline]
    pub fn after(&self, indices: &Indices, square: u8, mut flipped: u64, by_first: bool) -> Indices {
        // The second side adds 2 where it places and 1 where it turns; the first adds 1 and takes 1 away.
        let mut sum = indices.0;
        let placed = &self.steps[usize::from(square)];
        let digit = if by_first { 1 } else { 2 };
        for lane in 0..LANES {
            sum[lane] = sum[lane].wrapping_add(digit * placed[lane]);
        }
        let mut turned = [0u16; LANES];
        while flipped != 0 {
            let step = &self.steps[flipped.trailing_zeros() as usize];
            for lane in 0..LANES {
                turned[lane] = turned[lane].wrapping_add(step[lane]);
            }
            flipped &= flipped - 1;
        }
        for lane in 0..LANES {
            let change = if by_first { turned[lane].wrapping_neg() } else { turned[lane] };
            sum[lane] = sum[lane].wrapping_add(change);
        }
        Indices(sum)
    }

    /// Adds up the weights of the patterns of a board.
    #[inline]
    pub fn sum(&self, indices: &Indices, weights: &[i16]) -> i32 {
        // All places in one addition of arrays; then four sums, so that no look-up waits for the one before.
        let mut entries = [0; LANES];
        for lane in 0..LANES {
            entries[lane] = self.bases[lane].wrapping_add(u32::from(indices.0[lane]));
        }
        let mut sums = [0; 4];
        let (fours, rest) = entries[..self.tables.len()].as_chunks::<4>();
        for four in fours {
            for lane in 0..4 {
                sums[lane] += i32::from(weights[four[lane] as usize]);
            }
        }
        let rest: i32 = rest.iter().map(|&entry| i32::from(weights[entry as usize])).sum();
        sums.iter().sum::<i32>() + rest
    }

    /// Calls `see` with every weight of the tables of counts that a board shows to the side to move, which has the discs `own`.
    #[inline]
    pub fn each_count(&self, own: u64, other: u64, see: impl FnMut(usize)) {
        self.each_count_of([own, other], [mobility(own, other), mobility(other, own)], see);
    }

    /// The same, where the discs of both sides and the squares that they may play on are known.
    #[inline]
    pub fn each_count_of(&self, discs: [u64; 2], moves: [u64; 2], mut see: impl FnMut(usize)) {
        for &(count, first) in &self.counts {
            count.each(discs, moves, |entry| see(first + entry));
        }
    }

    /// For each weight the one that it is tied to, the lowest of those that are the same in a mirror.
    pub fn ties(&self) -> Vec<u32> {
        let mut ties: Vec<u32> = (0..self.weights as u32).collect();
        for pattern in &self.patterns {
            let Pattern { squares, first, .. } = pattern;
            // Where each square of the pattern goes under an image of it onto itself.
            let onto_itself = |symmetry: usize| -> Option<Vec<usize>> {
                squares
                    .iter()
                    .map(|&square| squares.iter().position(|&one| one == image(square, symmetry)))
                    .collect()
            };
            let turns: Vec<Vec<usize>> = (1..8).filter_map(onto_itself).collect();
            for number in 0..pattern.entries() {
                let turned = |turn: &Vec<usize>| -> usize {
                    (0..squares.len())
                        .map(|i| number / 3usize.pow(i as u32) % 3 * 3usize.pow(turn[i] as u32))
                        .sum()
                };
                let least = turns.iter().map(turned).min().unwrap_or(number).min(number);
                ties[first + number] = (first + least) as u32;
            }
        }
        ties
    }

    /// For each weight the one with the discs of the two sides exchanged; those of counts stay.
    pub fn exchanged(&self) -> Vec<u32> {
        let mut exchanged: Vec<u32> = (0..self.weights as u32).collect();
        for pattern in &self.patterns {
            for number in 0..pattern.entries() {
                let digits = (0..pattern.squares.len() as u32).map(|i| 3usize.pow(i));
                let other: usize = digits.map(|digit| [0, 2, 1][number / digit % 3] * digit).sum();
                exchanged[pattern.first + number] = (pattern.first + other) as u32;
            }
        }
        exchanged
    }
}

#[cfg(test)]
mod tests;
