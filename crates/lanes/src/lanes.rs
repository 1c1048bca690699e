//! The value of placements side by side: what each of them changes.

mod rare;
mod tables;

use super::board::{Board, Columns};
use super::shapes::{ALL, FastShape};
use super::terms::{
    ALMOST_FULL_ROWS, ANY, CELLS_OVER_HIGHEST_HOLES, DIVERSITY, DN_LANES, ERODED_CELLS, FAST_WELLS,
    FIRST_RARE, HEIGHTS_SQUARED, HIGHEST_HOLE_ROW, HOLE_ROWS_SQUARED, KNOWN, LANDING_HEIGHT,
    LANDING_HEIGHT_SQUARED, MOST, TABLED, THIN_COVERS, Terms, WELLS,
};
use super::word::{Weight, Word};
use games::tetris::height;

/// The values of the placements of shape `S`, which is `W` wide, under list `K`, the first lane's leftmost column being at
/// an index; and all bits set where a placement removes rows or sticks out. Such a value is no number.
#[inline(always)]
pub fn values<V: Word, const W: usize, const S: usize, const K: usize>(
    board: &Board,
    at: usize,
    terms: &Terms,
) -> (V::Real, V) {
    let change = Change::<V, W, S>::new(board, at);
    let sum = if const { K == ANY } { change.sum(terms) } else { change.known_sum::<K>(&terms.first) };
    let sum = if const { K >= TABLED } { change.add_tables(terms, sum) } else { sum };
    let sum = if const { K == ANY } { change.add_rare_tables(terms, sum) } else { sum };
    let special = change.special();
    (special.spoil(sum), special)
}

/// Does something for each number below `$n`, of those given. Written out: arrays that a loop walks stay in memory, 145
/// instructions a decision, and closures are called once there are many of them.
macro_rules! unrolled {
    ($n:expr, [$($i:literal)*], |$k:ident| $step:expr) => {
        $(if $i < $n {
            let $k: usize = $i;
            $step;
        })*
    };
}
use unrolled;

/// Something for each column of a shape.
macro_rules! each {
    (|$k:ident| $of:expr) => {{
        let mut all = [V::splat(0); W];
        unrolled!(W, [0 1 2 3], |$k| all[$k] = $of);
        all
    }};
}

/// From one column of a shape to the next.
macro_rules! fold {
    ($start:expr, |$all:ident, $k:ident| $step:expr) => {{
        let mut $all = $start;
        unrolled!(W, [0 1 2 3], |$k| $all = $step);
        $all
    }};
}

/// What every placement has, as numbered in a slot that is known when this is compiled. A macro and not a function: a function in line
/// brings all its arms into every place that asks for one of them, 3,000 of them here, and building this crate took two minutes.
macro_rules! number {
    ($change:ident, $slot:expr) => {
        match $slot {
            LANDING_HEIGHT => $change.landing_height(),
            1 => $change.row_transitions(),
            2 => $change.column_transitions(),
            3 => $change.holes(),
            WELLS => $change.wells(),
            FAST_WELLS => $change.fast_wells(),
            6 => $change.hole_depth(),
            7 => $change.rows_with_holes(),
            DIVERSITY => $change.diversity(),
            9 => V::splat($change.board.totals.max_height).max($change.row + V::splat(Self::SHAPE.height)),
            HIGHEST_HOLE_ROW => $change.hole_rows().height(),
            CELLS_OVER_HIGHEST_HOLES => $change.cells_over_highest_holes(),
            HOLE_ROWS_SQUARED => $change.rows_with_holes().times($change.rows_with_holes()),
            THIN_COVERS => $change.thin_covers(),
            ALMOST_FULL_ROWS => $change.almost_full_rows(),
            HEIGHTS_SQUARED => $change.heights_squared(),
            LANDING_HEIGHT_SQUARED => $change.landing_height().times($change.landing_height()),
            _ => V::splat(1),
        }
    };
}

/// The slot of feature `i` of a known list; that of eroded cells, which are 0 here, where there is none.
const fn slot_of(list: usize, i: usize) -> usize {
    if list < KNOWN.len() && i < KNOWN[list].len() { KNOWN[list][i] } else { ERODED_CELLS }
}

/// What placements change: one shape in neighbouring places.
struct Change<'a, V, const W: usize, const S: usize> {
    board: &'a Board,
    /// Index of the first lane's leftmost column.
    at: usize,
    /// The bottom row of the shape's box.
    row: V,
    /// The same, known to the compiler to be less than 32: it guards shifts by anything else in places. Lanes that go
    /// past the wall are wrong by it, and never asked.
    shift: V,
    /// Columns as they are, what the piece adds to them, and what they become.
    old: [V; W],
    piece: [V; W],
    new: [V; W],
    heights: [V; W],
}

/// Well cells above the old tops, counted from the row that their runs end on.
struct Wells<V, const W: usize> {
    left: V,
    right: V,
    gaps: [V; W],
    above: [V; W],
}

impl<'a, V: Word, const W: usize, const S: usize> Change<'a, V, W, S> {
    const SHAPE: FastShape = ALL[S];

    #[inline(always)]
    fn new(board: &'a Board, at: usize) -> Self {
        const { assert!(ALL[S].width == W) };
        let old: [V; W] = each!(|k| V::load(&board.columns, at + k));
        let heights: [V; W] = each!(|k| V::load(&board.heights, at + k));
        // Some column of the shape reaches its bottom: no row is below 0.
        let bottom = heights[0] - V::splat(Self::SHAPE.bottoms[0]);
        let row = fold!(bottom, |row, k| row.max(heights[k] - V::splat(Self::SHAPE.bottoms[k])));
        let shift = row & V::splat(31);
        let piece: [V; W] = each!(|k| V::splat(Self::SHAPE.cells[k]).up_each(shift));
        let new = each!(|k| old[k] | piece[k]);
        Self { board, at, row, shift, old, piece, new, heights }
    }

    /// The weighted sum of a known list, which begins with a feature that is not 0 here.
    #[inline(always)]
    fn known_sum<const K: usize>(&self, weights: &[Weight; MOST]) -> V::Real {
        const { assert!(MOST == 17) };
        let sum = number!(self, const { slot_of(K, 0) }).weighted(&weights[0]);
        let sum = self.add::<K, 1>(weights, sum);
        let sum = self.add::<K, 2>(weights, sum);
        let sum = self.add::<K, 3>(weights, sum);
        let sum = self.add::<K, 4>(weights, sum);
        let sum = self.add::<K, 5>(weights, sum);
        let sum = self.add::<K, 6>(weights, sum);
        let sum = self.add::<K, 7>(weights, sum);
        let sum = self.add::<K, 8>(weights, sum);
        let sum = self.add::<K, 9>(weights, sum);
        let sum = self.add::<K, 10>(weights, sum);
        let sum = self.add::<K, 11>(weights, sum);
        let sum = self.add::<K, 12>(weights, sum);
        let sum = self.add::<K, 13>(weights, sum);
        let sum = self.add::<K, 14>(weights, sum);
        let sum = self.add::<K, 15>(weights, sum);
        self.add::<K, 16>(weights, sum)
    }

    /// Feature `I` of the list, if there is one and it is not 0 here. Not a closure: the compiler would call it.
    #[inline(always)]
    fn add<const K: usize, const I: usize>(&self, weights: &[Weight; MOST], sum: V::Real) -> V::Real {
        if const { slot_of(K, I) == ERODED_CELLS } {
            sum
        } else {
            number!(self, const { slot_of(K, I) }).add_weighted(&weights[I], sum)
        }
    }

    /// The weighted sum of any list.
    #[inline(always)]
    fn sum(&self, terms: &Terms) -> V::Real {
        // Most mixtures begin as `dn`, which has code of its own: `dn,constant` takes 3,251 instructions for 3,504.
        let (mut sum, others) = match terms.begins_as_dn {
            true => (self.known_sum::<0>(&terms.first), &terms.lanes[DN_LANES..]),
            false => (V::zero_sum(), &terms.lanes[..]),
        };
        for (slot, weight) in others {
            let number = match *slot {
                FIRST_RARE.. => self.rare(*slot),
                slot => number!(self, slot),
            };
            sum = number.add_weighted(weight, sum);
        }
        if terms.wanted.heights { self.add_heights(terms, sum) } else { sum }
    }

    /// Twice the height, which is whole.
    #[inline(always)]
    fn landing_height(&self) -> V {
        self.row.up(1) + V::splat(Self::SHAPE.height - 1)
    }

    /// Which lanes remove rows or stick out.
    #[inline(always)]
    fn special(&self) -> V {
        let others = V::load(&self.board.full_before, self.at) & V::load(&self.board.full_from, self.at + W);
        let full = fold!(others, |full, k| full & self.new[k]);
        self.row.greater(V::splat(self.board.limit().wrapping_sub(Self::SHAPE.height))) | !full.zero()
    }

    /// A column of the board as it was, counted from the leftmost one of the piece.
    #[inline(always)]
    fn load(&self, columns: &Columns, k: isize) -> V {
        V::load(columns, (self.at as isize + k) as usize)
    }

    /// Column k of the lanes after the placement; columns outside the piece are as they were.
    #[inline(always)]
    fn column(&self, k: isize) -> V {
        if k >= 0 && (k as usize) < W { self.new[k as usize] } else { self.load(&self.board.columns, k) }
    }

    /// The bottom of the piece in column k.
    #[inline(always)]
    fn bottom(&self, k: usize) -> V {
        self.row + V::splat(Self::SHAPE.bottoms[k])
    }

    #[inline(always)]
    fn new_height(&self, k: usize) -> V {
        self.row + V::splat(Self::SHAPE.tops[k])
    }

    /// All bits set where the piece leaves a gap below it in column k. A single column never does.
    #[inline(always)]
    fn has_gap(&self, k: usize) -> V {
        if W == 1 { V::splat(0) } else { self.bottom(k).greater(self.heights[k]) }
    }

    /// The rows of the gap: from the old top to the bottom of the piece.
    #[inline(always)]
    fn gap(&self, k: usize) -> V {
        if W == 1 {
            return V::splat(0);
        }
        V::splat(1 << Self::SHAPE.bottoms[k]).up_each(self.shift) - V::load(&self.board.tips, self.at + k)
    }

    /// An open side of the piece is a change where its neighbour is empty, and ends one where it is full. Each row of the
    /// piece has one open side to the left and one to the right.
    #[inline(always)]
    fn row_transitions(&self) -> V {
        let full_left = fold!(V::splat(0), |full, k| {
            let left = if k == 0 { V::load(&self.board.columns, self.at - 1) } else { self.old[k - 1] };
            full | left.down_each(self.shift) & V::splat(Self::SHAPE.open_left[k])
        });
        let full_right = fold!(V::splat(0), |full, k| {
            let right = if k + 1 == W { V::load(&self.board.columns, self.at + W) } else { self.old[k + 1] };
            full | right.down_each(self.shift) & V::splat(Self::SHAPE.open_right[k])
        });
        let base = self.board.totals.row_transitions + 2 * Self::SHAPE.height;
        V::splat(base) - full_left.twice_count_of_four() - full_right.twice_count_of_four()
    }

    /// A gap below the piece adds two changes to its column; without one the top only moves up.
    #[inline(always)]
    fn column_transitions(&self) -> V {
        // All bits set are -1.
        let gaps = fold!(V::splat(0), |sum, k| sum + self.has_gap(k));
        V::splat(self.board.totals.column_transitions) - gaps.up(1)
    }

    #[inline(always)]
    fn holes(&self) -> V {
        let sum = V::splat(self.board.totals.holes);
        if W == 1 {
            return sum;
        }
        fold!(sum, |sum, k| sum + (self.bottom(k) - self.heights[k]))
    }

    /// The cells of the piece count where its column has a hole, old or new.
    #[inline(always)]
    fn hole_depth(&self) -> V {
        fold!(V::splat(self.board.totals.hole_depth), |sum, k| {
            let holed = V::load(&self.board.holed, self.at + k) | self.has_gap(k);
            sum + (holed & V::splat(Self::SHAPE.cells[k].count_ones()))
        })
    }

    #[inline(always)]
    fn rows_with_holes(&self) -> V {
        if W == 1 {
            return V::splat(self.board.totals.hole_rows.count_ones());
        }
        self.hole_rows().count()
    }

    /// The rows with a hole, one bit each.
    #[inline(always)]
    fn hole_rows(&self) -> V {
        fold!(V::splat(self.board.totals.hole_rows), |rows, k| rows | self.gap(k))
    }

    /// What lies over holes elsewhere counts if the piece makes none above them; its own columns are looked at anew.
    #[inline(always)]
    fn cells_over_highest_holes(&self) -> V {
        let (board, highest) = (self.board, self.hole_rows().height());
        let elsewhere = fold!(V::splat(board.totals.over_highest_holes), |sum, k| {
            sum - V::load(&board.over_highest_holes, self.at + k)
        });
        let same = (highest - V::splat(height(board.totals.hole_rows))).zero();
        // Nothing without holes.
        let row = V::splat(1).up_each(highest).down(1);
        fold!(elsewhere & same, |sum, k| {
            let holes = V::load(&board.holes, self.at + k) | self.gap(k);
            sum + ((self.new_height(k) - highest) & !(holes & row).zero())
        })
    }

    /// A single cell of the piece over a gap is a thin cover; any other part of it is none.
    #[inline(always)]
    fn thin_covers(&self) -> V {
        fold!(V::splat(self.board.totals.thin_covers), |sum, k| {
            let others = sum - V::load(&self.board.thin_covers, self.at + k);
            // All bits set are -1.
            if Self::SHAPE.cells[k].count_ones() == 1 { others - self.has_gap(k) } else { others }
        })
    }

    #[inline(always)]
    fn almost_full_rows(&self) -> V {
        let (board, after) = (self.board, self.at + W);
        let mut full = V::load(&board.full_before, self.at);
        let mut almost = V::load(&board.almost_full_before, self.at);
        unrolled!(W, [0 1 2 3], |k| (full, almost) = (full & self.new[k], almost & self.new[k] | full));
        let (full_after, almost_after) =
            (V::load(&board.full_from, after), V::load(&board.almost_full_from, after));
        ((almost & full_after | full & almost_after) & !(full & full_after)).count()
    }

    /// The difference of two squares is that of the numbers times their sum.
    #[inline(always)]
    fn heights_squared(&self) -> V {
        fold!(V::splat(self.board.totals.squares), |sum, k| {
            let (new, old) = (self.new_height(k), self.heights[k]);
            sum + (new - old).times(new + old)
        })
    }

    /// The cells of the piece that make a well of a hole beside them.
    #[inline(always)]
    fn beside_holes(&self) -> V {
        let board = self.board;
        let mut beside = self.piece[0] & self.load(&board.half_holes_left, -1);
        beside = beside | self.piece[W - 1] & self.load(&board.half_holes_right, W as isize);
        fold!(beside, |beside, k| {
            let mut beside = beside;
            let bottoms = &Self::SHAPE.bottoms;
            // A hole below the piece is beside a part of it only if that reaches lower.
            if k > 0 && bottoms[k - 1] < bottoms[k] {
                beside = beside | self.piece[k - 1] & V::load(&board.holes, self.at + k);
            }
            if k + 1 < W && bottoms[(k + 1) % 4] < bottoms[k] {
                beside = beside | self.piece[k + 1] & V::load(&board.holes, self.at + k);
            }
            beside
        })
    }

    /// The well cells above the old top of a column next to the piece, or of one of its own: the first from the old top,
    /// those of the gap from there too, those above the piece from its top. `None` if they are too many for the tables, or
    /// if the piece makes a well of a hole: then the lanes must be counted otherwise.
    #[inline(always)]
    fn well_cells(&self, left: V, right: V) -> Option<Wells<V, W>> {
        let board = self.board;
        let left = (left & self.load(&board.half_wells_left, -1)).down_within(self.load(&board.heights, -1));
        let at = W as isize;
        let right =
            (right & self.load(&board.half_wells_right, at)).down_within(self.load(&board.heights, at));
        let gaps: [V; W] = each!(|k| {
            let cells = self.column(k as isize - 1) & self.column(k as isize + 1) & self.gap(k);
            cells.down_within(self.heights[k])
        });
        let above: [V; W] = each!(|k| self.well_above(k));
        let all = fold!(left | right | above[0], |all, k| all | gaps[k]);
        let too_many = all & V::splat(!0xff);
        (too_many | self.beside_holes()).is_zero().then_some(Wells { left, right, gaps, above })
    }

    /// Well cells above the piece. No piece has a valley: only beside its outer columns can there be a wall of its own.
    #[inline(always)]
    fn well_above(&self, k: usize) -> V {
        let tops = &Self::SHAPE.tops;
        let outer = |column: isize, inner: usize| {
            let cells = self.load(&self.board.columns, column).down_each(self.shift).down(tops[k]);
            cells & V::splat((1 << tops[inner].saturating_sub(tops[k])) - 1)
        };
        if W == 1 {
            (self.column(-1) & self.column(1)).down_within(self.new_height(0))
        } else if k == 0 && tops[1] > tops[0] {
            outer(-1, 1)
        } else if k == W - 1 && tops[k - 1] > tops[k] {
            outer(W as isize, k - 1)
        } else {
            V::splat(0)
        }
    }

    #[inline(always)]
    fn wells(&self) -> V {
        // Only the cells of the piece make new wells beside it.
        let Some(cells) = self.well_cells(self.piece[0], self.piece[W - 1]) else {
            return Self::wells_step_by_step(self.board, self.at);
        };
        let mut sum = fold!(V::splat(self.board.totals.wells), |sum, k| {
            sum - V::load(&self.board.open_wells, self.at + k)
        });
        let mut bytes = cells.left | cells.right.up(8);
        if W == 1 {
            bytes = bytes | cells.above[0].up(16);
        } else {
            // No more than two cells: their places add up to what they are as a number.
            sum = sum + cells.above[0] + cells.above[W - 1];
            bytes = bytes | cells.gaps[0].up(16) | cells.gaps[1].up(24);
        }
        sum = sum + bytes.sum_of_places();
        if W > 2 {
            let more = if W > 3 { cells.gaps[2] | cells.gaps[3].up(8) } else { cells.gaps[2] };
            sum = sum + more.sum_of_places();
        }
        sum
    }

    /// The piece's columns and one to each side are counted anew, step by step down from every well cell at once. It takes
    /// the board, not the change: what a call borrows must lie in memory, which costs the common case dearly.
    #[cold]
    #[inline(never)]
    fn wells_step_by_step(board: &'a Board, at: usize) -> V {
        let change = Self::new(board, at);
        let mut sum = V::splat(board.totals.wells);
        for j in 0..W + 2 {
            let k = j as isize - 1;
            let mut empty = !change.column(k);
            let mut well = change.column(k - 1) & change.column(k + 1) & empty;
            while !well.is_zero() {
                sum = sum + well.count();
                empty = empty.up(1);
                well = well & empty;
            }
            sum = sum - V::load(&board.wells, at + j - 1);
        }
        sum
    }

    /// The highest cell of each well counts for all of it: beside the piece, in the gaps and above the piece.
    #[inline(always)]
    fn fast_wells(&self) -> V {
        let Some(cells) = self.well_cells(self.new[0], self.new[W - 1]) else {
            return Self::fast_wells_step_by_step(self.board, self.at);
        };
        let open = &self.board.open_fast_wells;
        let mut sum =
            V::splat(self.board.totals.fast_wells) - self.load(open, -1) - self.load(open, W as isize);
        sum = fold!(sum, |sum, k| sum - V::load(open, self.at + k));
        let bytes = cells.left | cells.right.up(8) | cells.gaps[0].up(16) | cells.above[0].up(24);
        sum = sum + bytes.sum_up_to_highest();
        if W > 1 {
            let mut more = cells.gaps[1] | cells.above[1].up(8);
            if W > 2 {
                more = more | cells.gaps[2].up(16) | cells.above[2].up(24);
            }
            sum = sum + more.sum_up_to_highest();
        }
        if W > 3 {
            sum = sum + (cells.gaps[3] | cells.above[3].up(8)).sum_up_to_highest();
        }
        sum
    }

    #[cold]
    #[inline(never)]
    fn fast_wells_step_by_step(board: &'a Board, at: usize) -> V {
        let change = Self::new(board, at);
        let mut sum = V::splat(board.totals.fast_wells);
        for j in 0..W + 2 {
            let k = j as isize - 1;
            sum = sum - V::load(&board.fast_wells, at + j - 1);
            let empty = !change.column(k);
            let mut well = change.column(k - 1) & change.column(k + 1) & empty;
            while !well.is_zero() {
                let mut below = well;
                for by in [1, 2, 4, 8, 16] {
                    below = below | below.down(by);
                }
                let mut cell = below & !below.down(1);
                let mut depth = V::splat(0);
                while !cell.is_zero() {
                    // Each step down adds one more to what is added: 1 + 2 + ... + n.
                    let here = !cell.zero();
                    depth = depth + (here & V::splat(1));
                    sum = sum + (depth & here);
                    // The rest of this run is counted with it.
                    well = well & !cell;
                    cell = cell.down(1) & empty;
                }
            }
        }
        sum
    }

    #[inline(always)]
    fn diversity(&self) -> V {
        (self.differences() & V::splat(0b11111)).count()
    }

    /// Differences of neighbouring heights within -2 to 2, one bit each; and what inner columns show that stay as they were.
    #[inline(always)]
    fn differences(&self) -> V {
        let bit = |left: V, right: V| V::splat(1).up_each(right - left + V::splat(2));
        let left = bit(V::load(&self.board.heights, self.at - 1), self.new_height(0));
        let right = bit(self.new_height(W - 1), V::load(&self.board.heights, self.at + W));
        let before = V::load(&self.board.differences_before, self.at);
        let others = before | V::load(&self.board.differences_from, self.at + W);
        // Differences within the piece are the same wherever it lands.
        (left | right) & V::splat(0b11111) | others | V::splat(Self::SHAPE.differences)
    }
}
