//! What is left of a game of Avalam: the towers that can still take part in a move, and what the others are worth.
//!
//! Values are whole numbers that add up over independent parts of the board: 64 for each tower and 1 for each of height 5.
//! There are never more than nine of those, so that the sign of a sum is the result of the game, tie-break included.

use games::avalam::{Avalam, neighbours};

/// What a tower counts; a tower of height 5 counts one more.
pub const TOWER: i32 = 64;

/// A position for the side to move: the towers by height, and which of them are its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub heights: [u64; 6],
    pub own: u64,
}

/// A move with the heights of both towers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub from: u8,
    pub to: u8,
    pub low: u8,
    pub high: u8,
}

impl Position {
    pub fn of(position: &Avalam) -> Self {
        Self { heights: position.by_height(), own: position.towers_of(position.side()) }
    }

    #[inline]
    pub fn all(&self) -> u64 {
        self.heights.iter().fold(0, |all, towers| all | towers)
    }

    /// The towers of height at most h, at index h.
    #[inline]
    pub fn at_most(&self) -> [u64; 6] {
        let mut sets = self.heights;
        for h in 1..6 {
            sets[h] |= sets[h - 1];
        }
        sets
    }

    #[inline]
    pub fn height(&self, cell: u8) -> u8 {
        let [_, one, two, three, four, five] = self.heights;
        // In binary: no branch and no loop.
        let (low, middle, high) = (one | three | five, two | three, four | five);
        (low >> cell & 1 | (middle >> cell & 1) << 1 | (high >> cell & 1) << 2) as u8
    }

    #[inline]
    pub fn is_own(&self, cell: u8) -> bool {
        self.own >> cell & 1 != 0
    }

    /// After a move, for the other side.
    #[inline]
    pub fn after(&self, step: Step) -> Self {
        let (from, to) = (1u64 << step.from, 1u64 << step.to);
        let mut heights = self.heights;
        heights[usize::from(step.low)] &= !from;
        heights[usize::from(step.high)] &= !to;
        heights[usize::from(step.low + step.high)] |= to;
        let own = self.own & !from & !to | u64::from(self.is_own(step.from)) << step.to;
        let mut after = Self { heights, own };
        after.own = after.all() & !own;
        after
    }
}

/// The towers that can still take part in a move, each with those that it may be merged with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Links {
    pub goals: [u64; 48],
    pub active: u64,
    /// Those with one goal only.
    pub single: u64,
}

impl Links {
    pub fn of(position: &Position) -> Self {
        let at_most = position.at_most();
        let mut links = Links { goals: [0; 48], active: 0, single: 0 };
        for h in 1..=4 {
            for cell in cells(position.heights[h]) {
                links.set(cell, neighbours(cell) & at_most[5 - h]);
            }
        }
        links
    }

    #[inline]
    fn set(&mut self, cell: u8, goals: u64) {
        let bit = 1u64 << cell;
        self.goals[usize::from(cell)] = goals;
        self.active = self.active & !bit | u64::from(goals != 0) << cell;
        self.single = self.single & !bit | u64::from(goals.is_power_of_two()) << cell;
    }

    /// The goals of the new tower of a move; `at_most` is that of the position before it.
    #[inline]
    pub fn stay(&self, step: Step, at_most: &[u64; 6]) -> u64 {
        self.goals[usize::from(step.to)] & !(1 << step.from) & at_most[usize::from(5 - step.low - step.high)]
    }

    /// After a move: only what was linked with its two towers has changed.
    #[inline]
    pub fn after(&self, step: Step, at_most: &[u64; 6]) -> Self {
        let mut after = *self;
        let (from, to) = (1u64 << step.from, 1u64 << step.to);
        let stay = self.stay(step, at_most);
        let changed = (self.goals[usize::from(step.from)] | self.goals[usize::from(step.to)]) & !from & !to;
        for cell in cells(changed) {
            let lost = if stay >> cell & 1 != 0 { from } else { from | to };
            after.set(cell, self.goals[usize::from(cell)] & !lost);
        }
        after.set(step.from, 0);
        after.set(step.to, stay);
        after
    }
}

/// The cells of a set.
#[inline]
pub fn cells(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        cell
    })
}

/// Lone pairs: two towers that can only be merged with one another. Nothing else on the board matters to them.
///
/// Two own towers become one own tower whoever moves, and the same for the enemy: a mere change of turns. Of two towers of different
/// owners, the one stays whose owner moves first. Two pairs of one kind cancel: whoever answers a move in one with a move in the
/// other loses nothing by it, and to begin with one of them gains nothing, as the other player takes the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pairs {
    /// All their towers.
    pub towers: u64,
    /// What those of one owner are worth.
    pub value: i32,
    /// Whether one is left over when equal ones have cancelled: of one owner, mixed, mixed and of height 5 together.
    pub odd: [bool; 3],
}

impl Pairs {
    #[inline]
    pub fn of(position: &Position, links: &Links) -> Self {
        let mut pairs = Pairs::default();
        for cell in cells(links.single) {
            let other = links.goals[usize::from(cell)].trailing_zeros() as u8;
            // Each pair once: both have one goal, and so one another.
            if other < cell || links.single >> other & 1 == 0 {
                continue;
            }
            pairs.towers |= 1 << cell | 1 << other;
            let kind = kind(position, cell, other);
            pairs.odd[kind] ^= true;
            if kind == 0 {
                let value = TOWER + i32::from(position.height(cell) + position.height(other) == 5);
                pairs.value += if position.is_own(cell) { value } else { -value };
            }
        }
        pairs
    }

    /// What the pairs bring the side to move if nothing else is left: the mixed ones are taken in turn, the dearest first.
    #[inline]
    pub fn total(&self) -> i32 {
        let [_, mixed, five] = self.odd;
        let rest = if mixed { TOWER } else { 0 };
        self.value + if five { TOWER + 1 - rest } else { rest }
    }
}

/// The kind of a lone pair: the index in [`Pairs::odd`].
#[inline]
pub fn kind(position: &Position, cell: u8, other: u8) -> usize {
    if position.is_own(cell) == position.is_own(other) {
        return 0;
    }
    1 + usize::from(position.height(cell) + position.height(other) == 5)
}

/// The value of the towers that no move can change.
#[inline]
pub fn settled(position: &Position, active: u64) -> i32 {
    let difference = |towers: u64| {
        (towers & position.own).count_ones() as i32 - (towers & !position.own).count_ones() as i32
    };
    TOWER * difference(position.all() & !active) + difference(position.heights[5])
}
