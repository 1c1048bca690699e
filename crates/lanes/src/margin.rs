//! How far the values of lanes may be off, which have numbers of seven digits.
//!
//! A sum of products that is rounded at each of k steps is off by at most k u / (1 - k u) times the sum of their sizes, u being
//! half the distance of 1 from the next number, in whatever order it is added up (Higham, Accuracy and Stability of
//! Numerical Algorithms, section 3.1). How large features can be depends on the height of the pile: as long as that is
//! low, as in most of a game, so is the margin, and hardly any two placements come closer to each other.

use super::terms::{
    ALMOST_FULL_ROWS, CELLS, CELLS_OVER_HIGHEST_HOLES, CONNECTED_HOLES, DEEPEST_WELL, DIVERSITY, DROP_DEPTH,
    ERODED_CELLS, FAST_WELLS, FIRST_HEIGHT, FRONTIER, HEIGHT_RANGE, HEIGHTS_SQUARED, HIGHEST_HOLE_ROW,
    HOLE_ROWS_SQUARED, HOLES_CHANGE, LANDING_HEIGHT, LANDING_HEIGHT_SQUARED, LINES, LONG_PIECE_WELLS,
    MAX_HEIGHT_CHANGE, MEAN_HEIGHT, MEAN_HEIGHT_CHANGE, SUM_OF_DIFFERENCES, SUM_OF_DIFFERENCES_CHANGE,
    THIN_COVERS, WEIGHTED_CELLS, WELL_CELLS, WELLS,
};

/// Rows of a word.
const ROWS: usize = 32;
/// Steps of rounding beside one for each feature: those of tables, which add up at most 17 places of the board and look up at most
/// 9 entries, of a weight and its product, of comparing, and some to spare.
const STEPS: usize = 40;
/// No weight may be larger, or all of them smaller than its inverse: powers of two must have room on both sides.
const LARGEST: f64 = 1e200;

/// By how much two values may differ that should not, and the unit of values.
#[derive(Debug, Clone)]
pub struct Margins {
    scale: f64,
    by_height: [f32; ROWS + 1],
    /// Whether no value is off: equal ones are equal indeed. Round weights tie often.
    pub exact: bool,
}

impl Margins {
    /// The margins of weighted features on a board of some width, with tables whose weights add up to no more than
    /// `tables` and are no larger than `largest`. `None` if some weight is too large, or all are too small, to be sure.
    pub fn new(width: usize, weights: &[(usize, f64)], tables: f64, largest: f64) -> Option<Self> {
        let largest = weights.iter().fold(largest, |largest, (_, weight)| largest.max(weight.abs()));
        if largest > LARGEST || (largest != 0.0 && largest < 1.0 / LARGEST) {
            return None;
        }
        // A power of two: it changes no digit of a weight.
        let scale = if largest > 0.0 { math::powi(2.0, -(math::log2(largest).floor() as i32)) } else { 1.0 };
        let sizes = |height: usize| {
            let rows = (height + 4).min(ROWS);
            let most = |&(slot, weight): &(usize, f64)| weight.abs() * most(slot, width, rows) as f64;
            (weights.iter().map(most).sum::<f64>() + tables) * scale
        };
        // Whole numbers of a unit, of which sums have fewer than 2^24, are not rounded.
        let is_whole = |unit: f64| weights.iter().all(|(_, weight)| (weight * scale / unit).fract() == 0.0);
        let unit = (0..24).map(|digits| math::powi(2.0, -digits)).find(|&unit| is_whole(unit));
        // A mean is rounded even so.
        let rounded = |(slot, _): &(usize, f64)| [MEAN_HEIGHT, MEAN_HEIGHT_CHANGE].contains(slot);
        let all_whole = tables == 0.0 && !weights.iter().any(rounded);
        let exact = all_whole && unit.is_some_and(|unit| sizes(ROWS) / unit < math::powi(2.0, 24));
        let by_height = std::array::from_fn(|height| {
            let steps = (weights.len() + STEPS) as f64 * math::powi(2.0, -24);
            // Both values may be off; the last factor is for this sum itself.
            let margin = 2.0 * steps / (1.0 - steps) * sizes(height) * 1.001;
            if exact { 0.0 } else { margin as f32 }
        });
        Some(Self { scale, by_height, exact })
    }

    /// A value, or a weight, in the unit of lanes: the largest weight is between 1 and 2.
    #[inline(always)]
    pub fn scaled(&self, value: f64) -> f32 {
        (value * self.scale) as f32
    }

    /// The margin while the highest column has this height.
    #[inline(always)]
    pub fn of_height(&self, height: u32) -> f32 {
        self.by_height[(height as usize).min(ROWS)]
    }
}

/// The most that a feature can be on a board with so many rows that are not empty.
fn most(slot: usize, width: usize, rows: usize) -> usize {
    match slot {
        // Twice the height.
        LANDING_HEIGHT => 2 * rows + 4,
        LANDING_HEIGHT_SQUARED => (2 * rows + 4).pow(2),
        // An empty row has two.
        1 => (width + 1) * rows + 2 * ROWS,
        2 => width * (rows + 1),
        3
        | 6
        | CELLS_OVER_HIGHEST_HOLES
        | CELLS
        | CONNECTED_HOLES
        | LONG_PIECE_WELLS
        | HOLES_CHANGE
        | WELL_CELLS
        | SUM_OF_DIFFERENCES
        | SUM_OF_DIFFERENCES_CHANGE => width * rows,
        FRONTIER => (width + 1) * rows + 2 * ROWS + width * (rows + 1),
        // Below 0 where the piece sticks out.
        DROP_DEPTH => ROWS,
        WELLS | FAST_WELLS | WEIGHTED_CELLS => width * rows * (rows + 1) / 2,
        7 | 9 | HIGHEST_HOLE_ROW | ALMOST_FULL_ROWS | MAX_HEIGHT_CHANGE | MEAN_HEIGHT
        | MEAN_HEIGHT_CHANGE | HEIGHT_RANGE | DEEPEST_WELL => rows,
        HOLE_ROWS_SQUARED => rows * rows,
        DIVERSITY => 5,
        THIN_COVERS => width,
        HEIGHTS_SQUARED => width * rows * rows,
        10 => 1,
        ERODED_CELLS => 16,
        LINES => 4,
        // Heights and their differences.
        FIRST_HEIGHT.. => rows,
        _ => unreachable!("no such feature"),
    }
}
