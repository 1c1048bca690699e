//! The value of placements side by side: what each of them changes.

use super::super::features::Feature;
use super::board::{Board, OFFSET};
use super::shapes::FastShape;
use super::word::Word;

/// Whether the lanes can compute a feature.
pub fn knows(feature: Feature) -> bool {
    !matches!(
        feature,
        Feature::SumOfDifferences
            | Feature::MeanHeight
            | Feature::MaxHeightChange
            | Feature::HolesChange
            | Feature::SumOfDifferencesChange
            | Feature::MeanHeightChange
            | Feature::Cells
            | Feature::WeightedCells
            | Feature::WellCells
            | Feature::HeightRange
            | Feature::ConnectedHoles
            | Feature::DeepestWell
            | Feature::DropDepth
            | Feature::Frontier
            | Feature::LongPieceWells
    )
}

/// Writes the values of the placements from column `first` on; the bits that come back mark those that remove rows or
/// stick out, whose values are not right. Lanes past the last place hold nonsense.
#[inline]
pub fn values<V: Word>(
    board: &Board,
    shape: &FastShape,
    first: usize,
    terms: &[(Feature, f64)],
    values: &mut [f64],
) -> u32 {
    match shape.width {
        1 => values_of::<V, 1>(board, shape, first, terms, values),
        2 => values_of::<V, 2>(board, shape, first, terms, values),
        3 => values_of::<V, 3>(board, shape, first, terms, values),
        _ => values_of::<V, 4>(board, shape, first, terms, values),
    }
}

#[inline(never)]
fn values_of<V: Word, const W: usize>(
    board: &Board,
    shape: &FastShape,
    first: usize,
    terms: &[(Feature, f64)],
    values: &mut [f64],
) -> u32 {
    let change = Change::<V, W>::new(board, shape, OFFSET + first);
    let mut sum = V::zero_sum();
    for &(feature, weight) in terms {
        let value = match feature {
            Feature::LandingHeight => {
                let half = f64::from(shape.height - 1) / 2.0;
                sum = change.row.add_weighted_offset(half, weight, sum);
                continue;
            }
            // No row is removed in these lanes.
            Feature::ErodedCells | Feature::Lines => continue,
            Feature::Constant => V::splat(1),
            Feature::RowTransitions => change.row_transitions(),
            Feature::ColumnTransitions => change.column_transitions(),
            Feature::Holes => change.holes(),
            Feature::Wells => change.wells(),
            Feature::FastWells => change.fast_wells(),
            Feature::HoleDepth => change.hole_depth(),
            Feature::RowsWithHoles => change.rows_with_holes(),
            Feature::Diversity => change.diversity(),
            Feature::MaxHeight => change.max_height(),
            Feature::Height(column) => change.height(column.into()),
            Feature::Difference(column) => {
                let (a, b) = (change.height(column.into()), change.height(usize::from(column) + 1));
                a.saturating_sub(b) + b.saturating_sub(a)
            }
            other => unreachable!("{other:?} is not known to the fast path"),
        };
        sum = value.add_weighted(weight, sum);
    }
    V::store(sum, values);
    change.special()
}

/// What placements change: one shape in neighbouring places.
struct Change<'a, V, const W: usize> {
    board: &'a Board,
    shape: &'a FastShape,
    /// Index of the first lane's leftmost column.
    at: usize,
    /// The bottom row of the shape's box.
    row: V,
    /// Columns as they are, as they become, and empty cells left below the piece.
    old: [V; W],
    new: [V; W],
    gaps: [V; W],
}

/// Well cells above the old tops, counted from the row that their runs end on.
struct Wells<V, const W: usize> {
    left: V,
    right: V,
    /// In the gap below the piece, and above it.
    own: [[V; 2]; W],
}

impl<'a, V: Word, const W: usize> Change<'a, V, W> {
    #[inline(always)]
    fn new(board: &'a Board, shape: &'a FastShape, at: usize) -> Self {
        let old: [V; W] = std::array::from_fn(|k| V::load(&board.columns, at + k));
        let heights: [V; W] = std::array::from_fn(|k| V::load(&board.heights, at + k));
        let mut row = heights[0].saturating_sub(V::splat(shape.bottoms[0]));
        for k in 1..W {
            row = row.max(heights[k].saturating_sub(V::splat(shape.bottoms[k])));
        }
        let new = std::array::from_fn(|k| old[k] | V::splat(shape.cells[k]).up_each(row));
        let gaps = std::array::from_fn(|k| row + V::splat(shape.bottoms[k]) - heights[k]);
        Self { board, shape, at, row, old, new, gaps }
    }

    /// Which lanes remove rows or stick out.
    #[inline(always)]
    fn special(&self) -> u32 {
        let mut full =
            V::load(&self.board.full_before, self.at) & V::load(&self.board.full_from, self.at + W);
        for column in self.new {
            full = full & column;
        }
        let top = self.row + V::splat(self.shape.height);
        let out = top.greater(V::splat(self.board.limit()));
        if full.is_zero() { out } else { out | (full.not_zero() & V::splat(1)).greater(V::splat(0)) }
    }

    /// Column k of the lanes after the placement; columns outside the piece are as they were.
    #[inline(always)]
    fn column(&self, k: isize) -> V {
        if k >= 0 && (k as usize) < W {
            self.new[k as usize]
        } else {
            V::load(&self.board.columns, (self.at as isize + k) as usize)
        }
    }

    #[inline(always)]
    fn new_height(&self, k: usize) -> V {
        self.row + V::splat(self.shape.tops[k])
    }

    /// An open side of the piece is a change where its neighbour is empty, and ends one where it is full.
    #[inline(always)]
    fn row_transitions(&self) -> V {
        let mut full = V::splat(0);
        for k in 0..W {
            let left = if k == 0 { V::load(&self.board.columns, self.at - 1) } else { self.old[k - 1] };
            let right = if k + 1 == W { V::load(&self.board.columns, self.at + W) } else { self.old[k + 1] };
            let left = left.down_each(self.row) & V::splat(self.shape.open_left[k]);
            let right = right.down_each(self.row) & V::splat(self.shape.open_right[k]);
            // Four rows a side: eight nibbles fill a lane.
            full = full | left.up(8 * k as u32) | right.up(8 * k as u32 + 4);
        }
        let base = self.board.totals.row_transitions + self.shape.open_sides;
        V::splat(base) - full.count().up(1)
    }

    /// A gap below the piece adds two changes to its column; without one the top only moves up.
    #[inline(always)]
    fn column_transitions(&self) -> V {
        let mut sum = V::splat(self.board.totals.column_transitions);
        for gap in self.gaps {
            sum = sum + (gap.not_zero() & V::splat(2));
        }
        sum
    }

    #[inline(always)]
    fn holes(&self) -> V {
        self.gaps.iter().fold(V::splat(self.board.totals.holes), |sum, &gap| sum + gap)
    }

    /// The cells of the piece count where its column has a hole, old or new.
    #[inline(always)]
    fn hole_depth(&self) -> V {
        let mut sum = V::splat(self.board.totals.hole_depth);
        for k in 0..W {
            let holed = V::load(&self.board.holed, self.at + k) | self.gaps[k].not_zero();
            sum = sum + (holed & V::splat(self.shape.counts[k]));
        }
        sum
    }

    #[inline(always)]
    fn rows_with_holes(&self) -> V {
        let mut rows = V::splat(self.board.totals.hole_rows);
        for k in 0..W {
            // The rows from the old top up to the bottom of the piece.
            let bottom = self.row + V::splat(self.shape.bottoms[k]);
            let top = bottom - self.gaps[k];
            rows = rows | (V::splat(1).up_each(bottom) - V::splat(1).up_each(top));
        }
        rows.count()
    }

    /// The well cells above the old top of a column next to the piece, or of one of its own: the first from the old top,
    /// those of the gap from there too, those above the piece from its top. `None` if they are too many for the tables, or
    /// if the piece makes a well of a hole: then the lanes must be counted otherwise.
    #[inline(always)]
    fn well_cells(&self) -> Option<Wells<V, W>> {
        let beside = |k: isize, h: isize| {
            let cells = self.column(k - 1) & self.column(k + 1) & !self.column(k);
            cells.down_each(V::load(&self.board.heights, (self.at as isize + h) as usize))
        };
        let left = beside(-1, -1);
        let right = beside(W as isize, W as isize);
        let mut all = left | right;
        let mut into_holes = self.piece(0) & V::load(&self.board.holes, self.at - 1);
        into_holes = into_holes | self.piece(W - 1) & V::load(&self.board.holes, self.at + W);
        let mut own = [[V::splat(0); 2]; W];
        for k in 0..W {
            let j = k as isize;
            let cells = self.column(j - 1) & self.column(j + 1) & !self.new[k];
            let top = self.row + V::splat(self.shape.bottoms[k]) - self.gaps[k];
            let gap = cells.down_each(top) & (V::splat(1).up_each(self.gaps[k]) - V::splat(1));
            let above = cells.down_each(self.new_height(k));
            own[k] = [gap, above];
            all = all | gap | above;
            let mut beside = V::splat(0);
            if k > 0 {
                beside = beside | self.piece(k - 1);
            }
            if k + 1 < W {
                beside = beside | self.piece(k + 1);
            }
            into_holes = into_holes | beside & V::load(&self.board.holes, self.at + k);
        }
        let too_many = all & V::splat(!0xff);
        (too_many | into_holes).is_zero().then_some(Wells { left, right, own })
    }

    /// The cells of the piece's column k.
    #[inline(always)]
    fn piece(&self, k: usize) -> V {
        V::splat(self.shape.cells[k]).up_each(self.row)
    }

    #[inline(always)]
    fn wells(&self) -> V {
        let Some(cells) = self.well_cells() else { return self.wells_step_by_step() };
        let mut sum = V::splat(self.board.totals.wells);
        for j in 0..W + 2 {
            sum = sum - V::load(&self.board.open_wells, self.at + j - 1);
        }
        sum = sum + cells.left.sum_of_places() + cells.right.sum_of_places();
        for [gap, above] in cells.own {
            sum = sum + gap.sum_of_places() + above.sum_of_places();
        }
        sum
    }

    /// The piece's columns and one to each side are counted anew, step by step down from every well cell at once.
    #[inline(never)]
    fn wells_step_by_step(&self) -> V {
        let mut sum = V::splat(self.board.totals.wells);
        for j in 0..W + 2 {
            let k = j as isize - 1;
            let mut empty = !self.column(k);
            let mut well = self.column(k - 1) & self.column(k + 1) & empty;
            while !well.is_zero() {
                sum = sum + well.count();
                empty = empty.up(1);
                well = well & empty;
            }
            sum = sum - V::load(&self.board.wells, self.at + j - 1);
        }
        sum
    }

    /// In each column the highest well cell counts: above the piece, in the gap, or among the holes as before.
    #[inline(always)]
    fn fast_wells(&self) -> V {
        let Some(cells) = self.well_cells() else { return self.fast_wells_step_by_step() };
        let mut sum = V::splat(self.board.totals.fast_wells);
        for j in 0..W + 2 {
            sum = sum - V::load(&self.board.fast_wells, self.at + j - 1);
            let covered = V::load(&self.board.covered_fast_wells, self.at + j - 1);
            let highest = match j {
                0 => [cells.left; 2],
                _ if j == W + 1 => [cells.right; 2],
                _ => cells.own[j - 1],
            };
            let [gap, above] = highest.map(|cells| (cells.not_zero(), cells.sum_up_to_highest()));
            sum = sum + (above.1 | !above.0 & (gap.1 | !gap.0 & covered));
        }
        sum
    }

    #[inline(never)]
    fn fast_wells_step_by_step(&self) -> V {
        let mut sum = V::splat(self.board.totals.fast_wells);
        for j in 0..W + 2 {
            let k = j as isize - 1;
            sum = sum - V::load(&self.board.fast_wells, self.at + j - 1);
            let empty = !self.column(k);
            let well = self.column(k - 1) & self.column(k + 1) & empty;
            let mut below = well;
            for by in [1, 2, 4, 8, 16] {
                below = below | below.down_each(V::splat(by));
            }
            let mut cell = below & !below.down_each(V::splat(1));
            let mut depth = V::splat(0);
            while !cell.is_zero() {
                // Each step down adds one more to what is added: 1 + 2 + ... + n.
                let here = cell.not_zero();
                depth = depth + (here & V::splat(1));
                sum = sum + (depth & here);
                cell = cell.down_each(V::splat(1)) & empty;
            }
        }
        sum
    }

    #[inline(always)]
    fn diversity(&self) -> V {
        let bit = |left: V, right: V| V::splat(1).up_each(right - left + V::splat(2));
        let before = V::load(&self.board.differences_before, self.at);
        let mut seen = before | V::load(&self.board.differences_from, self.at + W);
        seen = seen | bit(V::load(&self.board.heights, self.at - 1), self.new_height(0));
        // Differences within the piece are the same wherever it lands.
        seen = seen | V::splat(self.shape.differences);
        seen = seen | bit(self.new_height(W - 1), V::load(&self.board.heights, self.at + W));
        (seen & V::splat(0b11111)).count()
    }

    #[inline(always)]
    fn max_height(&self) -> V {
        V::splat(self.board.totals.max_height).max(self.row + V::splat(self.shape.height))
    }

    /// The height of a column in every lane: new where the lane's piece covers it.
    #[inline(always)]
    fn height(&self, column: usize) -> V {
        let mut height = V::splat(self.board.heights[OFFSET + column]);
        // Its lane for each column of the piece; a lane that is none shifts out of the table.
        let index = OFFSET + column;
        for k in 0..W {
            let lane = index.wrapping_sub(k + self.at);
            if lane < V::LANES {
                let only = V::load(&ONE_LANE, 7 - lane);
                height = height & !only | self.new_height(k) & only;
            }
        }
        height
    }
}

/// All bits set at one place: eight from index 7 - n on have it in lane n.
const ONE_LANE: [u32; 15] = {
    let mut table = [0; 15];
    table[7] = u32::MAX;
    table
};
