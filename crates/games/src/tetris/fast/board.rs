//! A board with what it takes to say quickly how a placement would change each feature.

use wide::u32x8;

use super::super::{Clearing, MAX_WIDTH, TetrisRules, height, overflows};
use super::shapes::FastShape;
use super::word::{Word, add_bytes, add_lanes, count_in_bytes, or_lanes};

/// Walls to the left of the first column: lanes look two columns back.
pub const OFFSET: usize = 2;
/// Room for the last lanes to look past the right wall; a power of two, so that a remainder is a mask.
pub const PADDED: usize = OFFSET + MAX_WIDTH + 14;
/// Added to the "height" of a wall, which is 32 cells: no difference to it lies within -2 to 2.
const WALL_EXTRA: u32 = 1000;
/// Columns looked at together.
const LANES: usize = <u32x8 as Word>::LANES;

/// Which features are counted; the others stay 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    pub wells: bool,
    pub fast_wells: bool,
    pub diversity: bool,
    pub max_height: bool,
}

/// Features of a whole board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub row_transitions: u32,
    pub column_transitions: u32,
    pub holes: u32,
    pub wells: u32,
    pub fast_wells: u32,
    pub hole_depth: u32,
    /// Rows with a hole, one bit each.
    pub hole_rows: u32,
    /// Differences of neighbouring heights within -2 to 2, one bit each.
    pub differences: u32,
    pub max_height: u32,
}

/// One number for each column; column i lies at index OFFSET + i.
pub type Columns = [u32; PADDED];

/// The board before a placement.
#[derive(Debug, Clone)]
pub struct Board {
    width: usize,
    /// One bit for each row of the board.
    within: u32,
    limit: u32,
    pub wanted: Wanted,
    /// All bits set in walls.
    walls: Columns,
    /// All bits set in columns with another one to the left.
    pairs: Columns,
    pub columns: Columns,
    pub heights: Columns,
    /// The first row above the column, one bit; nothing for a wall.
    pub tips: Columns,
    /// All bits set where the column has a hole.
    pub holed: Columns,
    /// The holes, one bit each.
    pub holes: Columns,
    /// Empty cells that a full cell to the right would make wells, and those of them that are holes.
    pub half_wells_left: Columns,
    pub half_holes_left: Columns,
    /// The same for a full cell to the left.
    pub half_wells_right: Columns,
    pub half_holes_right: Columns,
    /// Wells, and those above the column's top.
    pub wells: Columns,
    pub open_wells: Columns,
    /// Fast wells, and those above the column's top.
    pub fast_wells: Columns,
    pub open_fast_wells: Columns,
    /// Whether there are any of the latter.
    pub any_covered: bool,
    /// Rows that all columns before this one fill, and that this one and all after it fill.
    pub full_before: Columns,
    pub full_from: Columns,
    /// Differences seen before the pair (this one - 1, this one), and from the pair (this one, this one + 1) on.
    pub differences_before: Columns,
    pub differences_from: Columns,
    pub totals: Totals,
}

/// What becomes of the board.
pub struct Drop {
    pub row: u32,
    pub lines: u32,
    /// Cells of the piece in the removed rows.
    pub eroded: u32,
    pub lost: bool,
    columns: Columns,
}

impl Drop {
    pub fn height(&self, column: usize) -> u32 {
        height(self.columns[OFFSET + column])
    }
}

impl Board {
    pub fn new(rules: &TetrisRules, columns: &[u32; MAX_WIDTH], wanted: Wanted) -> Self {
        let width = usize::from(rules.width);
        let mut padded = [u32::MAX; PADDED];
        padded[OFFSET..OFFSET + width].copy_from_slice(&columns[..width]);
        let mut walls = [u32::MAX; PADDED];
        walls[OFFSET..OFFSET + width].fill(0);
        let mut pairs = [0; PADDED];
        pairs[OFFSET + 1..OFFSET + width].fill(u32::MAX);
        let mut board = Self {
            width,
            within: ((1u64 << rules.height) - 1) as u32,
            limit: rules.limit(),
            wanted,
            walls,
            pairs,
            columns: padded,
            heights: [u32::BITS + WALL_EXTRA; PADDED],
            tips: [0; PADDED],
            holed: [0; PADDED],
            holes: [0; PADDED],
            half_wells_left: [0; PADDED],
            half_holes_left: [0; PADDED],
            half_wells_right: [0; PADDED],
            half_holes_right: [0; PADDED],
            wells: [0; PADDED],
            open_wells: [0; PADDED],
            fast_wells: [0; PADDED],
            open_fast_wells: [0; PADDED],
            any_covered: false,
            full_before: [u32::MAX; PADDED],
            full_from: [u32::MAX; PADDED],
            differences_before: [0; PADDED],
            differences_from: [0; PADDED],
            totals: Totals::default(),
        };
        board.refresh();
        board
    }

    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The columns, from left to right.
    pub fn cells(&self) -> &[u32] {
        &self.columns[OFFSET..OFFSET + self.width]
    }

    #[inline]
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Counts everything anew from the columns.
    fn refresh(&mut self) {
        let mut counts = Counts::default();
        self.any_covered = false;
        self.refresh_block::<OFFSET>(&mut counts);
        if self.width > LANES {
            self.refresh_block::<{ OFFSET + LANES }>(&mut counts);
        }
        self.refresh_full();
        if self.wanted.diversity {
            self.refresh_differences();
        }
        self.totals = self.totals_of(&self.columns, &counts);
    }

    /// Eight columns from an index on.
    #[inline(always)]
    fn refresh_block<const FROM: usize>(&mut self, counts: &mut Counts) {
        let block = Block::new(&self.columns, FROM);
        store(&mut self.heights, FROM, block.height + (load(&self.walls, FROM) & u32x8::splat(WALL_EXTRA)));
        // Below the top all bits are set: one more is the bit of the row above.
        store(&mut self.tips, FROM, block.below + u32x8::splat(1));
        store(&mut self.holed, FROM, !block.holes.zero());
        store(&mut self.holes, FROM, block.holes);
        if self.wanted.wells || self.wanted.fast_wells {
            store(&mut self.half_wells_left, FROM, block.left & !block.cells);
            store(&mut self.half_holes_left, FROM, block.left & block.holes);
            store(&mut self.half_wells_right, FROM, block.right & !block.cells);
            store(&mut self.half_holes_right, FROM, block.right & block.holes);
            let wells = block.wells(self.wanted);
            if self.wanted.wells {
                store(&mut self.wells, FROM, wells.open + wells.covered);
                store(&mut self.open_wells, FROM, wells.open);
            }
            if self.wanted.fast_wells {
                store(&mut self.fast_wells, FROM, wells.fast());
                store(&mut self.open_fast_wells, FROM, wells.fast_open);
            }
            self.any_covered |= wells.any_covered;
            counts.add_wells(&wells);
        }
        if self.wanted.diversity {
            // Differences with the column to the left, for now.
            let bits = block.differences(&self.heights, FROM) & load(&self.pairs, FROM);
            store(&mut self.differences_from, FROM, bits);
            counts.differences |= bits;
        }
        // Last: the ways before it part and meet, and would have to keep its many numbers.
        counts.add(&block, self.within);
    }

    /// Rows that are full but for some neighbouring columns.
    #[inline(always)]
    fn refresh_full(&mut self) {
        let end = OFFSET + self.width;
        let mut full = u32::MAX;
        for i in OFFSET..end {
            self.full_before[i] = full;
            full &= self.columns[i];
        }
        let mut full = u32::MAX;
        for i in (OFFSET..end).rev() {
            full &= self.columns[i];
            self.full_from[i] = full;
        }
    }

    /// From the differences of single pairs to all those before and after.
    #[inline(always)]
    fn refresh_differences(&mut self) {
        let end = OFFSET + self.width;
        let mut seen = 0;
        for i in OFFSET..end {
            self.differences_before[i] = seen;
            seen |= self.differences_from[i];
        }
        let mut seen = 0;
        for i in (OFFSET..end).rev() {
            let single = self.differences_from[i];
            self.differences_from[i] = seen;
            seen |= single;
        }
    }

    /// The features of a board from what its columns count.
    #[inline(always)]
    fn totals_of(&self, columns: &Columns, counts: &Counts) -> Totals {
        let mut totals = counts.totals(self.width as u32);
        if self.width.is_multiple_of(LANES) {
            // The right wall lies in no block.
            let last = columns[OFFSET + self.width - 1];
            totals.row_transitions += (!last & self.within).count_ones();
        }
        if self.wanted.max_height {
            let rows = columns[OFFSET..OFFSET + self.width].iter().fold(0, |rows, &column| rows | column);
            totals.max_height = height(rows);
        }
        totals
    }

    /// Drops a shape and says what comes of it; the board stays as it is.
    #[inline(always)]
    pub fn dropped(&self, shape: &FastShape, column: usize, clearing: Clearing) -> Drop {
        let from = OFFSET + column;
        let mut row = 0;
        let mut full = self.full_before[from % PADDED] & self.full_from[(from + shape.width) % PADDED];
        for k in 0..4 {
            if k < shape.width {
                row = row.max(self.heights[(from + k) % PADDED].saturating_sub(shape.bottoms[k]));
            }
        }
        let mut columns = self.columns;
        for k in 0..4 {
            if k < shape.width {
                let cells = &mut columns[(from + k) % PADDED];
                *cells |= shape.cells[k] << row;
                full &= *cells;
            }
        }
        let mut drop = Drop { row, lines: 0, eroded: 0, lost: false, columns };
        if clearing == Clearing::After && row + shape.height > self.limit {
            drop.lost = true;
            return drop;
        }
        if full != 0 {
            self.clear(&mut drop, shape, full);
        }
        if clearing == Clearing::Before {
            drop.lost = overflows(&drop.columns[OFFSET..OFFSET + self.width], self.limit);
        }
        drop
    }

    /// Takes the full rows out.
    #[inline(always)]
    fn clear(&self, drop: &mut Drop, shape: &FastShape, full: u32) {
        let cells = shape.cells.iter().map(|cells| (cells << drop.row & full).count_ones());
        drop.eroded = cells.sum();
        drop.lines = full.count_ones();
        let mut blocks = [OFFSET, OFFSET + LANES].map(|from| load(&drop.columns, from));
        let mut full = full;
        while full != 0 {
            // From the top down, so that the rows below keep their numbers.
            let row = u32::BITS - 1 - full.leading_zeros();
            let below = (1 << row) - 1;
            blocks = blocks.map(|columns| {
                columns & u32x8::splat(below) | columns.unbounded_shr_scalar(1) & u32x8::splat(!below)
            });
            full &= below;
        }
        for (i, columns) in blocks.into_iter().enumerate() {
            let from = OFFSET + LANES * i;
            // Walls have lost their top.
            store(&mut drop.columns, from, columns | load(&self.walls, from));
        }
    }

    /// The features of the board after a drop.
    #[inline(always)]
    pub fn totals_after(&self, drop: &Drop) -> Totals {
        let mut counts = Counts::default();
        self.count_block::<OFFSET>(&drop.columns, &mut counts);
        if self.width > LANES {
            self.count_block::<{ OFFSET + LANES }>(&drop.columns, &mut counts);
        }
        let mut totals = self.totals_of(&drop.columns, &counts);
        if drop.lost {
            let (transitions, rows) = self.above(&drop.columns);
            totals.row_transitions = totals.row_transitions + transitions - 2 * rows;
        }
        totals
    }

    /// Row transitions in the rows above the board, and the number of these rows up to the highest cell.
    #[cold]
    #[inline(never)]
    fn above(&self, columns: &Columns) -> (u32, u32) {
        let board = &columns[OFFSET..OFFSET + self.width];
        let out = board.iter().fold(0, |rows, &column| rows | column) & !self.within;
        let rows = ((1u64 << height(out)) - 1) as u32 & !self.within;
        let pairs: u32 = board.windows(2).map(|pair| ((pair[0] ^ pair[1]) & rows).count_ones()).sum();
        let walls = (!board[0] & rows).count_ones() + (!board[self.width - 1] & rows).count_ones();
        (walls + pairs, rows.count_ones())
    }

    #[inline(always)]
    fn count_block<const FROM: usize>(&self, columns: &Columns, counts: &mut Counts) {
        let block = Block::new(columns, FROM);
        if self.wanted.wells || self.wanted.fast_wells {
            counts.add_wells(&block.wells(self.wanted));
        }
        if self.wanted.diversity {
            let left = Block::below(block.left).count();
            let bits = difference_bits(left, block.height) & load(&self.pairs, FROM);
            counts.differences |= bits;
        }
        counts.add(&block, self.within);
    }

    /// Drops a shape for good; the rows removed, and whether the game is lost.
    pub fn place(&mut self, shape: &FastShape, column: usize, clearing: Clearing) -> (u32, bool) {
        let drop = self.dropped(shape, column, clearing);
        self.columns = drop.columns;
        self.refresh();
        (drop.lines, drop.lost)
    }
}

#[inline(always)]
fn load(columns: &Columns, from: usize) -> u32x8 {
    u32x8::load(columns, from)
}

#[inline(always)]
fn store(columns: &mut Columns, from: usize, block: u32x8) {
    columns[from..from + LANES].copy_from_slice(&block.to_array());
}

/// The bits of differences within -2 to 2; others have none.
#[inline(always)]
fn difference_bits(left: u32x8, right: u32x8) -> u32x8 {
    u32x8::splat(1).up_each(right - left + u32x8::splat(2)) & u32x8::splat(0b11111)
}

/// Eight columns and their neighbours. A wall, being full, has no holes and no wells and changes nowhere.
struct Block {
    cells: u32x8,
    left: u32x8,
    right: u32x8,
    /// All rows below the top.
    below: u32x8,
    holes: u32x8,
    height: u32x8,
}

/// Wells of eight columns.
struct BlockWells {
    open: u32x8,
    covered: u32x8,
    fast_open: u32x8,
    fast_covered: u32x8,
    any_covered: bool,
}

impl Block {
    #[inline(always)]
    fn new(columns: &Columns, from: usize) -> Self {
        let cells = load(columns, from);
        let below = Self::below(cells);
        Self {
            cells,
            left: load(columns, from - 1),
            right: load(columns, from + 1),
            below,
            holes: below & !cells,
            height: below.count(),
        }
    }

    /// All rows up to the highest full cell.
    #[inline(always)]
    fn below(cells: u32x8) -> u32x8 {
        let mut below = cells;
        for by in [1, 2, 4, 8, 16] {
            below |= below.unbounded_shr_scalar(by);
        }
        below
    }

    #[inline(always)]
    fn differences(&self, heights: &Columns, from: usize) -> u32x8 {
        difference_bits(load(heights, from - 1), self.height)
    }

    #[inline(always)]
    fn wells(&self, wanted: Wanted) -> BlockWells {
        let all = self.left & self.right & !self.cells;
        let covered = all & self.below;
        // Counted from the top of the column.
        let open = (all & !self.below).down_each(self.height);
        let zero = u32x8::ZERO;
        let mut wells =
            BlockWells { open: zero, covered: zero, fast_open: zero, fast_covered: zero, any_covered: false };
        if !(open & u32x8::splat(!0xff)).is_zero() {
            let (sums, highest) = each(open, |cells| (sum_of_places(cells), triangle(height(cells))));
            (wells.open, wells.fast_open) = (sums, highest);
        } else {
            if wanted.wells {
                wells.open = open.sum_of_places();
            }
            if wanted.fast_wells {
                wells.fast_open = open.sum_up_to_highest();
            }
        }
        if !covered.is_zero() {
            wells.any_covered = true;
            (wells.covered, wells.fast_covered) = self.covered_wells(covered);
        }
        wells
    }

    /// Wells and fast wells of holes, column by column: they are few.
    #[inline(always)]
    fn covered_wells(&self, covered: u32x8) -> (u32x8, u32x8) {
        let cells = self.cells.to_array();
        let covered_lanes = covered.zero().bits();
        let covered = covered.to_array();
        let (mut wells, mut fast) = ([0; LANES], [0; LANES]);
        let mut columns = !covered_lanes & 0xff;
        while columns != 0 {
            let i = columns.trailing_zeros() as usize % LANES;
            columns &= columns - 1;
            let (mut left, mut counted) = (covered[i], u32::BITS);
            while left != 0 {
                // The highest one first; what is full below it ends its run.
                let row = u32::BITS - 1 - left.leading_zeros();
                let floor = height(cells[i] & ((1 << row) - 1));
                let depth = row + 1 - floor;
                // The highest of a run counts for all of it.
                if floor != counted {
                    (fast[i], counted) = (fast[i] + triangle(depth), floor);
                }
                wells[i] += depth;
                left &= (1 << row) - 1;
            }
        }
        (u32x8::new(wells), u32x8::new(fast))
    }
}

impl BlockWells {
    #[inline(always)]
    fn fast(&self) -> u32x8 {
        self.fast_open + self.fast_covered
    }
}

/// 1 + 2 + ... + n.
#[inline]
fn triangle(n: u32) -> u32 {
    n * (n + 1) / 2
}

/// The places of the bits set, from 1, added up.
fn sum_of_places(mut cells: u32) -> u32 {
    let mut sum = 0;
    while cells != 0 {
        sum += cells.trailing_zeros() + 1;
        cells &= cells - 1;
    }
    sum
}

#[cold]
#[inline(never)]
fn each(lanes: u32x8, of: impl Fn(u32) -> (u32, u32)) -> (u32x8, u32x8) {
    let both = lanes.to_array().map(of);
    (u32x8::new(both.map(|both| both.0)), u32x8::new(both.map(|both| both.1)))
}

/// Features added up over blocks: most of them one count a byte.
struct Counts {
    row_transitions: u32x8,
    /// Full cells on empty ones.
    covers: u32x8,
    holes: u32x8,
    hole_depth: u32x8,
    hole_rows: u32x8,
    /// One number a lane.
    wells: u32x8,
    fast_wells: u32x8,
    differences: u32x8,
}

impl Default for Counts {
    #[inline(always)]
    fn default() -> Self {
        let zero = u32x8::ZERO;
        Self {
            row_transitions: zero,
            covers: zero,
            holes: zero,
            hole_depth: zero,
            hole_rows: zero,
            wells: zero,
            fast_wells: zero,
            differences: zero,
        }
    }
}

impl Counts {
    #[inline(always)]
    fn add(&mut self, block: &Block, within: u32) {
        let one = u32x8::splat(1);
        let cells = block.cells;
        let changes = (cells ^ block.left) & u32x8::splat(within);
        self.row_transitions += count_in_bytes(changes);
        self.covers += count_in_bytes(cells & !((cells + cells) | one));
        self.holes += count_in_bytes(block.holes);
        self.hole_depth += count_in_bytes(cells & (cells + one));
        self.hole_rows |= block.holes;
    }

    #[inline(always)]
    fn add_wells(&mut self, wells: &BlockWells) {
        self.wells += wells.open + wells.covered;
        self.fast_wells += wells.fast();
    }

    #[inline(always)]
    fn totals(&self, width: u32) -> Totals {
        // Two sums in the halves of each lane.
        let pair = |a: u32x8, b: u32x8| {
            let both = add_lanes(a + b.unbounded_shl_scalar(16));
            (both & 0xffff, both >> 16)
        };
        let (row_transitions, covers) = pair(add_bytes(self.row_transitions), add_bytes(self.covers));
        let (holes, hole_depth) = pair(add_bytes(self.holes), add_bytes(self.hole_depth));
        // No more than 16 columns of 32 * 33 / 2.
        let (wells, fast_wells) = pair(self.wells, self.fast_wells);
        Totals {
            row_transitions,
            // Each change to full has one to empty below it, and above the top there is one more.
            column_transitions: 2 * covers + width,
            holes,
            wells,
            fast_wells,
            hole_depth,
            hole_rows: or_lanes(self.hole_rows),
            differences: or_lanes(self.differences),
            max_height: 0,
        }
    }
}
