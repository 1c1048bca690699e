//! A board as the solver sees it: the discs of the player to move and of the opponent, and for parity the parts of the board
//! in which the number of empty squares is odd.

pub use games::othello::{CORNERS, spread};
use games::othello::{flips, mobility, safe_discs};

/// The discs of the player to move, and the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Board {
    pub own: u64,
    pub opponent: u64,
}

impl Board {
    #[inline]
    pub fn empties(self) -> u64 {
        !(self.own | self.opponent)
    }

    #[inline]
    pub fn moves(self) -> u64 {
        mobility(self.own, self.opponent)
    }

    #[inline]
    pub fn flips(self, square: u32) -> u64 {
        flips(square as u8, self.own, self.opponent)
    }

    /// After a disc on a square has turned these over: the other side is to move.
    #[inline]
    pub fn after(self, square: u32, flipped: u64) -> Board {
        Board { own: self.opponent ^ flipped, opponent: self.own ^ flipped ^ 1 << square }
    }

    #[inline]
    pub fn passed(self) -> Board {
        Board { own: self.opponent, opponent: self.own }
    }

    /// Stable discs of the opponent, as many as are quickly found: they bound the score that the player can reach.
    pub fn safe_of_opponent(self) -> u64 {
        safe_discs(self.opponent, self.own)
    }

    /// The score of a finished game: the empty squares go to the winner.
    #[inline]
    pub fn final_score(self) -> i32 {
        let difference = self.own.count_ones() as i32 - self.opponent.count_ones() as i32;
        difference + difference.signum() * self.empties().count_ones() as i32
    }
}

/// The quarter of the board that a square lies in, as one of four bits.
#[inline]
pub fn quarter(square: u32) -> u32 {
    1 << (square >> 4 & 2 | square >> 2 & 1)
}

/// The squares of each set of quarters.
pub const QUARTERS: [u64; 16] = {
    let mut table = [0; 16];
    let quarters =
        [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];
    let mut set = 0;
    while set < 16 {
        let mut number = 0;
        while number < 4 {
            if set >> number & 1 != 0 {
                table[set] |= quarters[number];
            }
            number += 1;
        }
        set += 1;
    }
    table
};

/// The quarters with an odd number of empty squares. Whoever plays there may hope for the last word.
pub fn odd_quarters(empties: u64) -> u32 {
    (0..4)
        .filter(|number| (empties & QUARTERS[1 << number]).count_ones() % 2 == 1)
        .map(|number| 1 << number)
        .sum()
}

/// The squares next to each square.
pub const NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let bit: u64 = 1 << square;
        table[square] = spread(bit) & !bit;
        square += 1;
    }
    table
};

/// The squares of a set, lowest first.
pub fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(square)
    })
}
