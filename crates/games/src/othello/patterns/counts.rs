//! Tables over counts, beside those over squares.

use crate::othello::bits::spread;

/// What is counted. All is seen from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// Squares that each side could play on: one table for the own, one for the other's.
    Mobility,
    /// Empty squares next to discs of the other side: one table for the own, one for the other's.
    PotentialMobility,
    /// Whether the number of empty squares is odd.
    Parity,
    /// Always the same entry.
    Constant,
}

/// Entries of a table; what is more counts like the last.
const ENTRIES: usize = 40;

impl Counts {
    /// All, in the order of the list.
    pub const ALL: [Counts; 4] =
        [Counts::Mobility, Counts::PotentialMobility, Counts::Parity, Counts::Constant];

    /// The name in a file of patterns.
    pub fn name(self) -> &'static str {
        match self {
            Counts::Mobility => "mobility",
            Counts::PotentialMobility => "potential-mobility",
            Counts::Parity => "parity",
            Counts::Constant => "constant",
        }
    }

    /// The entries of its tables.
    pub fn entries(self) -> usize {
        match self {
            Counts::Mobility | Counts::PotentialMobility => 2 * ENTRIES,
            Counts::Parity => 2,
            Counts::Constant => 1,
        }
    }

    /// How many of them a board shows.
    pub fn shown(self) -> usize {
        if self.entries() > ENTRIES { 2 } else { 1 }
    }

    /// Calls `see` with each entry that a board shows to the side to move: the discs of that side and the other, and the squares that
    /// each may play on.
    #[inline]
    pub fn each(self, [own, other]: [u64; 2], moves: [u64; 2], mut see: impl FnMut(usize)) {
        let empties = !(own | other);
        let entry = |squares: u64| (squares.count_ones() as usize).min(ENTRIES - 1);
        match self {
            Counts::Mobility => {
                see(entry(moves[0]));
                see(ENTRIES + entry(moves[1]));
            }
            Counts::PotentialMobility => {
                see(entry(spread(other) & empties));
                see(ENTRIES + entry(spread(own) & empties));
            }
            Counts::Parity => see(empties.count_ones() as usize & 1),
            Counts::Constant => see(0),
        }
    }
}
