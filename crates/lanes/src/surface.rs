//! Tables for lanes, those of the surface above all: the weights of patterns under codes that all tables share.
//!
//! A step from one column to the next is a symbol of four bits: 0 at a wall and beyond it, else the difference, which
//! tables do not tell apart outside -7 to 7, plus 8. The code of a pattern is its steps from left to right.

use wide::u32x8;

use super::board::{Columns, OFFSET, PADDED};
use super::counts::{Block, LANES, to_the_left};
use super::word::Word;
use games::tetris::Table;
use games::tetris::holes;
use games::tetris::surface::{self, SYMBOL_BITS};
use games::tetris::windows::Windows;

/// Codes of three and four columns.
pub const CODES_3: usize = 1 << (2 * SYMBOL_BITS);
pub const CODES_4: usize = 1 << (3 * SYMBOL_BITS);
/// What a difference of 0 is as a symbol; the largest one.
pub const LEVEL: u32 = 8;
pub const STEEPEST: u32 = 15;

/// A table with the weight of every code, which is 0 where no place on a board has it.
#[derive(Debug, Clone)]
pub enum FastTable {
    Three(Box<[f64; CODES_3]>),
    Four(Box<[f64; CODES_4]>),
    /// Two columns or five. They have lanes of their own: beside a wall a single step looks like one beyond it, and five columns
    /// are too many for a table with others.
    Other(usize, Box<[f64]>),
    /// Windows of cells.
    Cells(Windows, Box<[f64]>),
    Set(Box<[f64; surface::SETS]>),
    /// The highest rows with holes, so many of them.
    Holes(usize, Box<[f64; holes::CODES]>),
}

impl FastTable {
    /// The table with the weights of its entries.
    pub fn new(table: &Table, weights: &[f64]) -> Self {
        match table {
            Table::Cells(windows) => FastTable::Cells(windows.clone(), weights.into()),
            Table::Set(set) => {
                let all = set.numbers().map(|number| number.map_or(0.0, |number| weights[number])).collect();
                FastTable::Set(boxed(all))
            }
            Table::Holes(holes) => {
                let all =
                    holes.numbers().map(|number| number.map_or(0.0, |number| weights[number])).collect();
                FastTable::Holes(holes.rows(), boxed(all))
            }
            Table::Surface(surface) => {
                let numbers: Vec<Option<usize>> = surface.numbers().collect();
                let steps = surface.columns() - 1;
                let weight = |code: usize| {
                    own_code(surface, code).and_then(|own| numbers[own]).map_or(0.0, |n| weights[n])
                };
                let all: Vec<f64> = (0..1 << (SYMBOL_BITS * steps)).map(weight).collect();
                match surface.columns() {
                    3 => FastTable::Three(boxed(all)),
                    4 => FastTable::Four(boxed(all)),
                    columns => FastTable::Other(columns, all.into()),
                }
            }
        }
    }

    /// The columns of a pattern and the weights of all of them, if it is a table of neighbouring columns.
    pub fn patterns(&self) -> Option<(usize, &[f64])> {
        match self {
            FastTable::Three(weights) => Some((3, &weights[..])),
            FastTable::Four(weights) => Some((4, &weights[..])),
            FastTable::Other(columns, weights) => Some((*columns, weights)),
            FastTable::Set(_) | FastTable::Holes(..) | FastTable::Cells(..) => None,
        }
    }

    /// Whether lanes look patterns of neighbouring columns up in it.
    pub fn has_patterns(&self) -> bool {
        matches!(self, FastTable::Three(_) | FastTable::Four(_))
    }

    /// Whether it has lanes of its own, which no known list has.
    pub fn is_rare(&self) -> bool {
        matches!(self, FastTable::Other(..) | FastTable::Cells(..))
    }

    /// The most entries that a board of some width shows, for the margin of lanes.
    pub fn most_shown(&self, width: usize) -> usize {
        match self {
            FastTable::Three(_) | FastTable::Four(_) => width,
            FastTable::Other(..) => width + 1,
            // Sums of up to 44 rows and columns, five of them, and up to 80 entries: eight times the steps of others.
            FastTable::Cells(windows, _) => 8 * windows.shown(),
            FastTable::Set(_) => 1,
            FastTable::Holes(rows, _) => *rows,
        }
    }
}

pub fn boxed<T: std::fmt::Debug, const N: usize>(all: Vec<T>) -> Box<[T; N]> {
    all.into_boxed_slice().try_into().expect("a weight for each code")
}

/// The code that a table itself has for a code of steps; `None` where a wall is inside the pattern, or on both sides.
fn own_code(surface: &surface::Surface, code: usize) -> Option<usize> {
    let ranges = surface.ranges();
    let last = ranges.len() - 1;
    let step = |i: usize| (code >> (SYMBOL_BITS * (last - i))) as i32 & STEEPEST as i32;
    let beyond = (1..last).any(|i| step(i) == 0) || last > 0 && step(0) == 0 && step(last) == 0;
    let symbol = |i: usize| {
        let (low, high) = ranges[i];
        let inside = (step(i) - LEVEL as i32).clamp(low, high);
        (if step(i) == 0 { high + 1 - low } else { inside - low }) as usize
    };
    (!beyond).then(|| (0..=last).fold(0, |own, i| own << SYMBOL_BITS | symbol(i)))
}

/// What an inner column may be in the table of sets by the step to it, and by the step from it: it is what both say, one
/// bit each.
pub const INNER_BY_STEP_TO: [u32; 16] = inner_by_step(true);
pub const INNER_BY_STEP_FROM: [u32; 16] = inner_by_step(false);

const fn inner_by_step(to: bool) -> [u32; 16] {
    let mut bits = [0; 16];
    let mut i = 0;
    while i < surface::INNER.len() {
        let (left, right) = surface::INNER[i];
        let step = LEVEL as i32 + if to { -left } else { right };
        bits[step as usize] |= 1 << i;
        i += 1;
    }
    bits
}

/// The bits of inner columns that have these steps to them and from them.
#[inline(always)]
pub fn inner<V: Word>(to: V, from: V) -> V {
    let bits = to.look_up(&INNER_BY_STEP_TO) & from.look_up(&INNER_BY_STEP_FROM);
    bits.up(surface::FIRST_INNER as u32)
}

/// The steps to all columns from their left neighbours; `inner` is set where there is one.
#[inline(always)]
pub fn steps(blocks: &[Block; 2], inner: [u32x8; 2]) -> [u32x8; 2] {
    // A column that sticks out to the last row has a height like a wall.
    let heights = [0, 1].map(|i| blocks[i].height.min(u32x8::splat(u32::BITS)));
    let left = to_the_left(&heights);
    [0, 1].map(|i| step(heights[i] - left[i]) & inner[i])
}

/// The symbol of a difference.
#[inline(always)]
pub fn step<V: Word>(difference: V) -> V {
    (difference + V::splat(LEVEL)).max(V::splat(1)).min(V::splat(STEEPEST))
}

/// The weights of a table added up from left to right.
#[inline]
pub fn sum(steps: &Columns, width: usize, columns: usize, weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    places(steps, width, columns, |_, code| sum += weights[code]);
    sum
}

/// Goes from wall to wall, both included.
#[inline(always)]
fn places(steps: &Columns, width: usize, columns: usize, mut at: impl FnMut(usize, usize)) {
    let mask = (1 << (SYMBOL_BITS * (columns - 1))) - 1;
    let mut code = 0;
    // The first pattern begins with the wall, whose step to the first column is 0.
    for i in columns.min(3) - 2..width + 1 {
        code = (code << SYMBOL_BITS | steps[(OFFSET + i) % PADDED] as usize) & mask;
        if i + 2 >= columns {
            at(OFFSET + i + 1 - columns, code);
        }
    }
}

/// The bits of all inner columns; there are none beyond walls.
#[inline(always)]
pub fn inner_bits(steps: &Columns) -> [u32x8; 2] {
    [OFFSET, OFFSET + LANES].map(|at| inner(u32x8::load(steps, at), u32x8::load(steps, at + 1)))
}

/// Steps as a board keeps them.
#[inline(always)]
pub fn stored(steps: &[u32x8; 2]) -> Columns {
    let mut all = [0; PADDED];
    all[OFFSET..OFFSET + 2 * LANES].copy_from_slice(&bytemuck::cast::<[u32x8; 2], [u32; 2 * LANES]>(*steps));
    all
}
