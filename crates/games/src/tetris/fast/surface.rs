//! Tables for lanes, those of the surface above all: the weights of patterns under codes that all tables share.
//!
//! A step from one column to the next is a symbol of four bits: 0 at a wall and beyond it, else the difference, which
//! tables do not tell apart outside -7 to 7, plus 8. The code of a pattern is its steps from left to right.

use wide::u32x8;

use super::super::holes;
use super::super::surface::{self, SYMBOL_BITS};
use super::super::tables::Table;
use super::board::{Columns, OFFSET, PADDED};
use super::counts::{Block, LANES, to_the_left};
use super::shapes::{ALL, FastShape};
use super::word::Word;

/// Codes of three and four columns.
const CODES_3: usize = 1 << (2 * SYMBOL_BITS);
pub const CODES_4: usize = 1 << (3 * SYMBOL_BITS);
/// What a difference of 0 is as a symbol; the largest one.
pub const LEVEL: u32 = 8;
pub const STEEPEST: u32 = 15;

/// A table with the weight of every code, which is 0 where no place on a board has it.
#[derive(Debug, Clone)]
pub enum FastTable {
    Three(Box<[f64; CODES_3]>),
    Four(Box<[f64; CODES_4]>),
    Set(Box<[f64; surface::SETS]>),
    /// The highest rows with holes, so many of them.
    Holes(usize, Box<[f64; holes::CODES]>),
}

impl FastTable {
    /// The table with the weights of its entries, if the lanes know it.
    pub fn new(table: &Table, weights: &[f64]) -> Option<Self> {
        match table {
            Table::Cells(_) => None,
            Table::Set(set) => {
                let all = set.numbers().map(|number| number.map_or(0.0, |number| weights[number])).collect();
                Some(FastTable::Set(boxed(all)))
            }
            Table::Holes(holes) => {
                let all =
                    holes.numbers().map(|number| number.map_or(0.0, |number| weights[number])).collect();
                Some(FastTable::Holes(holes.rows(), boxed(all)))
            }
            Table::Surface(surface) => {
                let numbers: Vec<Option<usize>> = surface.numbers().collect();
                let steps = surface.columns() - 1;
                let weight = |code: usize| {
                    own_code(surface, code).and_then(|own| numbers[own]).map_or(0.0, |n| weights[n])
                };
                let all = (0..1 << (SYMBOL_BITS * steps)).map(weight).collect();
                match surface.columns() {
                    3 => Some(FastTable::Three(boxed(all))),
                    4 => Some(FastTable::Four(boxed(all))),
                    // Beside a wall a single step looks like one beyond it; five columns are too many.
                    _ => None,
                }
            }
        }
    }

    /// The columns of a pattern and the weights of all of them, if it is a table of neighbouring columns.
    pub fn patterns(&self) -> Option<(usize, &[f64])> {
        match self {
            FastTable::Three(weights) => Some((3, &weights[..])),
            FastTable::Four(weights) => Some((4, &weights[..])),
            FastTable::Set(_) | FastTable::Holes(..) => None,
        }
    }

    /// The most entries that a board of some width shows.
    pub fn most_shown(&self, width: usize) -> usize {
        match self {
            FastTable::Three(_) | FastTable::Four(_) => width,
            FastTable::Set(_) => 1,
            FastTable::Holes(rows, _) => *rows,
        }
    }
}

/// The weights of four neighbouring columns by their code, or of what else has as many.
type Patterns = Box<[f32; CODES_4]>;

/// What lanes look up: all tables of a kind are one, and all places that a shape changes on one side of it are.
#[derive(Debug, Clone)]
pub struct LaneTables {
    /// Patterns of four columns, those of their last three columns with them.
    pub patterns: Patterns,
    /// The places on the left of a shape that begin before it or change with its first column, by the steps to the two
    /// columns before it and to its first one; see [`LEFT`].
    pub left: Vec<Patterns>,
    /// The same on its right, by the steps to the three columns after its last one; see [`RIGHT`].
    pub right: Vec<Patterns>,
    pub set: Option<Box<[f32; surface::SETS]>>,
    /// The highest rows with holes, so many of them.
    pub holes: Option<(usize, Box<[f32; holes::CODES]>)>,
}

impl LaneTables {
    /// The tables of these, weights in the unit of lanes.
    pub fn new(tables: &[FastTable], scaled: impl Fn(f64) -> f32) -> Self {
        let mut patterns = vec![0.0; CODES_4];
        let (mut set, mut holes, mut ranks) = (None, None, 0);
        let add = |all: &mut Vec<f64>, weights: &[f64]| {
            all.iter_mut().zip(weights).for_each(|(all, weight)| *all += weight);
        };
        for table in tables {
            match table {
                FastTable::Three(weights) => {
                    let last_three = |code: usize| weights[code % CODES_3];
                    patterns.iter_mut().enumerate().for_each(|(code, all)| *all += last_three(code));
                }
                FastTable::Four(weights) => add(&mut patterns, &weights[..]),
                FastTable::Set(weights) => {
                    add(set.get_or_insert_with(|| vec![0.0; surface::SETS]), &weights[..]);
                }
                FastTable::Holes(rows, weights) => {
                    add(holes.get_or_insert_with(|| vec![0.0; holes::CODES]), &weights[..]);
                    ranks = ranks.max(*rows);
                }
            }
        }
        let has_patterns = tables.iter().any(|table| table.patterns().is_some());
        let side =
            |sides: &[usize; 19], others: fn(&FastShape, &[f64], usize) -> f64, by: fn(usize) -> usize| {
                let first = |&number: &usize| has_patterns && !sides[..number].contains(&sides[number]);
                let table = |number: usize| {
                    let others: Vec<f64> =
                        (0..CODES_3).map(|code| others(&ALL[number], &patterns, code)).collect();
                    let all = patterns.iter().enumerate().map(|(code, weight)| weight + others[by(code)]);
                    lanes(all.collect(), &scaled)
                };
                (0..ALL.len()).filter(first).map(table).collect::<Vec<Patterns>>()
            };
        Self {
            left: side(&LEFT, others_left, |code| code % CODES_3),
            right: side(&RIGHT, others_right, |code| code >> SYMBOL_BITS),
            patterns: lanes(patterns.clone(), &scaled),
            set: set.map(|all| lanes(all, &scaled)),
            holes: holes.map(|all| (ranks, lanes(all, &scaled))),
        }
    }
}

fn lanes<const N: usize>(all: Vec<f64>, scaled: impl Fn(f64) -> f32) -> Box<[f32; N]> {
    boxed(all.into_iter().map(scaled).collect())
}

/// The step from one column of a shape to the next.
const fn step_of(shape: &FastShape, k: usize) -> usize {
    (LEVEL + shape.tops[k]).wrapping_sub(shape.tops[k - 1]) as usize
}

/// The places on the left of a shape but for the first one: `code` is the step before it and the one to its first column. A
/// narrow shape has places that both sides change; a wide one has one that neither does.
fn others_left(shape: &FastShape, patterns: &[f64], code: usize) -> f64 {
    let mut code = code;
    (1..shape.width).fold(0.0, |sum, k| {
        code = (code << SYMBOL_BITS | step_of(shape, k)) % CODES_4;
        sum + patterns[code]
    })
}

/// The places on the right of a shape but for the last one: `code` is the step from its last column and the one after it.
fn others_right(shape: &FastShape, patterns: &[f64], code: usize) -> f64 {
    let mut code = code << SYMBOL_BITS;
    (1..shape.width.min(3)).fold(0.0, |sum, k| {
        code = code >> SYMBOL_BITS | step_of(shape, shape.width - k) << (2 * SYMBOL_BITS);
        sum + patterns[code]
    })
}

/// Which table of the left, and of the right, is a shape's: shapes whose tops are alike there share it.
pub const LEFT: [usize; 19] = sides(true);
pub const RIGHT: [usize; 19] = sides(false);

const fn sides(left: bool) -> [usize; 19] {
    let (mut numbers, mut unlike, mut i) = ([0; 19], 0, 0);
    while i < 19 {
        numbers[i] = unlike;
        let mut j = 0;
        while j < i {
            if alike(&ALL[i], &ALL[j], left) {
                numbers[i] = numbers[j];
            }
            j += 1;
        }
        if numbers[i] == unlike {
            unlike += 1;
        }
        i += 1;
    }
    numbers
}

/// Whether two shapes change places on one side alike.
const fn alike(a: &FastShape, b: &FastShape, left: bool) -> bool {
    if a.width != b.width && (a.width < 3 || b.width < 3 || left) {
        return false;
    }
    let mut k = 1;
    while k < a.width && k < 3 {
        let (in_a, in_b) = if left { (k, k) } else { (a.width - k, b.width - k) };
        if step_of(a, in_a) != step_of(b, in_b) {
            return false;
        }
        k += 1;
    }
    true
}

fn boxed<T: std::fmt::Debug, const N: usize>(all: Vec<T>) -> Box<[T; N]> {
    all.into_boxed_slice().try_into().expect("a weight for each code")
}

/// The code that a table itself has for a code of steps; `None` where a wall is inside the pattern, or on both sides.
fn own_code(surface: &surface::Surface, code: usize) -> Option<usize> {
    let ranges = surface.ranges();
    let last = ranges.len() - 1;
    let step = |i: usize| (code >> (SYMBOL_BITS * (last - i))) as i32 & STEEPEST as i32;
    let beyond = (1..last).any(|i| step(i) == 0) || step(0) == 0 && step(last) == 0;
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

/// What patterns of four columns add up to on a board. A place lies at the index of its first column: the first one has two columns
/// of the board, since a pattern is that of its last three columns too; beyond the places there is nothing.
#[derive(Debug, Clone)]
pub struct Sums {
    /// The weights of all places before.
    pub before: [f32; PADDED],
    /// The weights of this place and all after it.
    pub from: [f32; PADDED],
}

impl Sums {
    pub const EMPTY: Self = Self { before: [0.0; PADDED], from: [0.0; PADDED] };

    /// Adds up anew.
    #[inline]
    pub fn refresh(&mut self, steps: &Columns, width: usize, patterns: &[f32; CODES_4]) {
        let (mut code, mut sum) = (0, 0.0);
        // A place ends with its third step.
        for end in OFFSET + 1..OFFSET + width + 1 {
            code = (code << SYMBOL_BITS | steps[end % PADDED] as usize) % CODES_4;
            let place = end - 3;
            self.before[place % PADDED] = sum;
            self.from[place % PADDED] = patterns[code];
            sum += patterns[code];
        }
        let mut sum = 0.0;
        for place in (OFFSET - 2..OFFSET + width - 2).rev() {
            sum += self.from[place % PADDED];
            self.from[place % PADDED] = sum;
        }
    }
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
    for i in 1..width + 1 {
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
