//! What lanes look up in tables: not to the last digit, and so in any order that takes few look-ups.
//!
//! Tables of three and of four columns are one table of four. Of the places that a shape changes, those on its left know of
//! the shape nothing but its tops, which are always the same: one look-up by the three steps on the left finds them all, and
//! likewise on the right. A shape of three columns takes two look-ups, where place by place it would take eleven in a
//! table of three columns and one of four.

use super::board::{Columns, OFFSET, PADDED};
use super::cells::CellTable;
use super::shapes::{ALL, FastShape};
use super::surface::{CODES_3, CODES_4, FastTable, LEVEL, boxed};
use games::tetris::holes;
use games::tetris::surface::{SETS, SYMBOL_BITS};

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
    pub set: Option<Box<[f32; SETS]>>,
    /// Patterns of two columns or five, so many of them.
    pub others: Vec<(usize, Vec<f32>)>,
    pub cells: Vec<CellTable>,
    /// The highest rows with holes, so many of them.
    pub holes: Option<(usize, Box<[f32; holes::CODES]>)>,
}

impl LaneTables {
    /// The tables of these, weights in the unit of lanes.
    pub fn new(tables: &[FastTable], scaled: impl Fn(f64) -> f32) -> Self {
        let mut patterns = vec![0.0; CODES_4];
        let (mut set, mut holes, mut ranks) = (None, None, 0);
        let (mut others, mut cells) = (Vec::new(), Vec::new());
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
                FastTable::Other(columns, weights) => {
                    others.push((*columns, weights.iter().map(|&weight| scaled(weight)).collect()));
                }
                FastTable::Cells(windows, weights) => cells.push(CellTable::new(windows, weights, &scaled)),
                FastTable::Set(weights) => {
                    add(set.get_or_insert_with(|| vec![0.0; SETS]), &weights[..]);
                }
                FastTable::Holes(rows, weights) => {
                    add(holes.get_or_insert_with(|| vec![0.0; holes::CODES]), &weights[..]);
                    ranks = ranks.max(*rows);
                }
            }
        }
        let has_patterns = tables.iter().any(FastTable::has_patterns);
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
            others,
            cells,
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

/// What patterns of neighbouring columns add up to on a board. A place lies at the index of its first column: the first one of four
/// has two columns of the board, since a pattern is that of its last three columns too; beyond the places there is nothing.
#[derive(Debug, Clone)]
pub struct Sums {
    /// The weights of all places before.
    pub before: [f32; PADDED],
    /// The weights of this place and all after it.
    pub from: [f32; PADDED],
}

impl Sums {
    pub const EMPTY: Self = Self { before: [0.0; PADDED], from: [0.0; PADDED] };

    /// Adds up anew, patterns of so many columns, with a weight for each of their codes.
    #[inline(always)]
    pub fn refresh(&mut self, steps: &Columns, width: usize, columns: usize, patterns: &[f32]) {
        let (mut code, mut sum, mask) = (0, 0.0, (1 << (SYMBOL_BITS * (columns - 1))) - 1);
        // A place ends with its last step; two columns may be the wall and the first one.
        let first = if columns == 2 { OFFSET } else { OFFSET + 1 };
        for end in first..OFFSET + width + 1 {
            code = (code << SYMBOL_BITS | steps[end % PADDED] as usize) & mask;
            let place = end + 1 - columns;
            self.before[place % PADDED] = sum;
            self.from[place % PADDED] = patterns[code];
            sum += patterns[code];
        }
        let mut sum = 0.0;
        for place in (first + 1 - columns..OFFSET + width + 2 - columns).rev() {
            sum += self.from[place % PADDED];
            self.from[place % PADDED] = sum;
        }
    }
}
