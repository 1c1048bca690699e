//! The transposition table: bounds that hold for ever, so that entries of earlier null windows serve later ones.

use super::board::Board;

/// Bounds of a position, and the square that was best. Squares above 63 are none.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub low: i8,
    pub high: i8,
    pub best: u8,
    /// The logarithm of the positions that it took.
    work: u8,
}

/// No square.
pub const NONE: u8 = 64;

const UNKNOWN: Entry = Entry { low: -64, high: 64, best: NONE, work: 0 };

/// Neighbouring places for every key.
const PLACES: usize = 3;

/// The places of a key with the search that they belong to, in one line of the processor's cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Bucket {
    boards: [Board; PLACES],
    entries: [Entry; PLACES],
    age: u32,
}

/// No board has nothing on it: a place without a board is free.
const FREE: Bucket =
    Bucket { boards: [Board { own: 0, opponent: 0 }; PLACES], entries: [UNKNOWN; PLACES], age: 0 };

/// So many buckets are used: 2 to the power of the empty squares less this. Twice as many save 0.4 % of the positions with 18 empty
/// squares, and no time.
const SMALLER: u32 = 5;

/// The table: whole positions are compared, so that no two are ever taken for each other.
pub struct Table {
    buckets: Vec<Bucket>,
    most: usize,
    /// Only so many buckets are used, less one: a small search stays in the cache.
    mask: usize,
    age: u32,
}

impl Table {
    /// Of at most so many megabytes, and no memory before it is used.
    pub fn new(megabytes: usize) -> Self {
        let most = ((megabytes << 20) / size_of::<Bucket>()).max(1 << 8);
        Self { buckets: Vec::new(), most: 1 << most.ilog2(), mask: 0, age: 1 }
    }

    /// Forgets everything, at no cost.
    pub fn forget(&mut self) {
        self.age += 1;
    }

    /// Makes ready for a search of a position with so many empty squares.
    pub fn prepare(&mut self, empties: u32) {
        let wanted = (1usize << empties.saturating_sub(SMALLER).clamp(8, 38)).min(self.most);
        if self.buckets.len() < wanted {
            self.buckets.resize(wanted, FREE);
        }
        self.mask = wanted - 1;
    }

    #[inline]
    fn place(&self, board: Board) -> usize {
        let mixed = (board.own ^ board.opponent.rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed ^ mixed >> 32) as usize & self.mask
    }

    /// What is known about a position.
    #[inline]
    pub fn get(&self, board: Board) -> Option<Entry> {
        let bucket = &self.buckets[self.place(board)];
        let place = bucket.boards.iter().position(|&known| known == board)?;
        (bucket.age == self.age).then_some(bucket.entries[place])
    }

    /// Takes note that a position is worth at least `low` and at most `high`.
    pub fn put(&mut self, board: Board, low: i32, high: i32, best: u8, work: u8) {
        let place = self.place(board);
        let bucket = &mut self.buckets[place];
        if bucket.age != self.age {
            *bucket = Bucket { age: self.age, ..FREE };
        }
        let same = bucket.boards.iter().position(|&known| known == board);
        let least = || (0..PLACES).min_by_key(|&place| bucket.entries[place].work);
        let place = same.or_else(least).unwrap_or(0);
        let entry = &mut bucket.entries[place];
        if same.is_none() {
            bucket.boards[place] = board;
            *entry = UNKNOWN;
        }
        entry.low = entry.low.max(low as i8);
        entry.high = entry.high.min(high as i8);
        // A free place has no work.
        entry.work = entry.work.max(work + 1);
        if best != NONE {
            entry.best = best;
        }
    }
}
