//! Sets of boards, each board a number: a sorted list with a quick way from a board to its place.

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
