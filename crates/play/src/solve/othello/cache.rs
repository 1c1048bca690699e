//! The transposition table of positions near the end. There are so many of them that the last one in a place wins, and so few
//! places that they stay in the processor's cache.

use super::board::Board;
use super::table::NONE;

/// The most places are 2 to this power, 400 KB. Four times as many save up to 7 % of the positions
/// and no time: they leave the cache.
const MOST_BITS: u32 = 14;

/// Bounds of a position, and the square that was best.
#[derive(Debug, Clone, Copy)]
struct Known {
    board: Board,
    low: i8,
    high: i8,
    best: u8,
}

/// No position: two colours on each square.
const FREE: Known =
    Known { board: Board { own: u64::MAX, opponent: u64::MAX }, low: -64, high: 64, best: NONE };

/// The places; whole positions are compared.
pub struct Cache {
    places: Box<[Known; 1 << MOST_BITS]>,
    /// So many bits of a key name its place,
    bits: u32,
    /// and so many have done so at most since everything was forgotten.
    used: u32,
}

impl Cache {
    /// With nothing in it.
    pub fn new() -> Self {
        let places: Box<[Known]> = vec![FREE; 1 << MOST_BITS].into();
        Self { places: places.try_into().expect("as many as there are"), bits: 1, used: 1 }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.places[..1 << self.used].fill(FREE);
        self.used = self.bits;
    }

    /// Makes ready for a search of a position with so many empty squares: few places are soon emptied.
    pub fn prepare(&mut self, empties: u32) {
        self.bits = empties.clamp(8, MOST_BITS);
        self.used = self.used.max(self.bits);
    }

    #[inline]
    fn place(&self, board: Board) -> usize {
        let mixed = (board.own ^ board.opponent.rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> (64 - self.bits)) as usize & ((1 << MOST_BITS) - 1)
    }

    /// A bound that answers whether the position is worth more than `alpha`, or else the square that was best, if any.
    #[inline]
    pub fn answer(&self, board: Board, alpha: i32) -> Result<i32, u8> {
        let known = &self.places[self.place(board)];
        if known.board != board {
            return Err(NONE);
        }
        let (low, high) = (i32::from(known.low), i32::from(known.high));
        if low > alpha {
            Ok(low)
        } else if high <= alpha {
            Ok(high)
        } else {
            Err(known.best)
        }
    }

    /// Takes note of the bound that a search for more than `alpha` has found, and of the move.
    #[inline]
    pub fn put(&mut self, board: Board, bound: i32, alpha: i32, best: u8) {
        let place = self.place(board);
        let known = &mut self.places[place];
        if known.board != board {
            *known = Known { board, ..FREE };
        }
        if bound > alpha {
            known.low = bound as i8;
        } else {
            known.high = bound as i8;
        }
        known.best = best;
    }
}
