//! Features of a whole board, counted from all of its columns.

use wide::u32x8;

use super::word::{Word, add_lanes, count_lanes, heights, or_lanes};
use games::tetris::height;

/// Columns looked at together.
pub const LANES: usize = <u32x8 as Word>::LANES;

/// Which features are counted; the others are whatever they are.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub row_transitions: bool,
    pub column_transitions: bool,
    pub holes: bool,
    pub wells: bool,
    pub fast_wells: bool,
    pub hole_depth: bool,
    pub hole_rows: bool,
    pub diversity: bool,
    pub max_height: bool,
    /// Heights of single columns, or differences of two.
    pub heights: bool,
    pub over_highest_holes: bool,
    pub thin_covers: bool,
    pub almost_full_rows: bool,
    /// The squares of heights.
    pub squares: bool,
    /// What few lists have (`rare.rs`).
    pub rare: bool,
    /// The wells of such lists.
    pub rare_wells: bool,
    /// Tables of any kind.
    pub tables: bool,
    /// Patterns of neighbouring columns.
    pub surface: bool,
    /// What is present on the surface.
    pub surface_set: bool,
    /// Patterns of two columns or five, windows of cells.
    pub rare_tables: bool,
    /// What each row has, for tables of rows with holes.
    pub rows: bool,
}

impl Wanted {
    pub const NOTHING: Self = Self {
        row_transitions: false,
        column_transitions: false,
        holes: false,
        wells: false,
        fast_wells: false,
        hole_depth: false,
        hole_rows: false,
        diversity: false,
        max_height: false,
        heights: false,
        over_highest_holes: false,
        thin_covers: false,
        almost_full_rows: false,
        squares: false,
        rare: false,
        rare_wells: false,
        tables: false,
        surface: false,
        surface_set: false,
        rare_tables: false,
        rows: false,
    };

    /// Whether wells of any kind are.
    #[inline(always)]
    pub fn any_wells(self) -> bool {
        self.wells || self.fast_wells
    }

    /// Whether steps from column to column are.
    #[inline(always)]
    pub fn steps(self) -> bool {
        self.surface || self.surface_set || self.rare_tables
    }

    /// Whether differences of neighbouring heights are.
    #[inline(always)]
    pub fn differences(self) -> bool {
        self.diversity || self.surface_set
    }
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
    /// Full cells above the holes of the highest row with holes.
    pub over_highest_holes: u32,
    pub thin_covers: u32,
    pub almost_full_rows: u32,
    pub squares: u32,
}

/// Eight columns and their neighbours. A wall, being full, has no holes and no wells and changes nowhere.
#[derive(Clone, Copy)]
pub struct Block {
    pub cells: u32x8,
    pub left: u32x8,
    pub right: u32x8,
    pub height: u32x8,
    /// The first row above the column, one bit; nothing for a wall.
    pub tips: u32x8,
    /// All rows below the top.
    below: u32x8,
    pub holes: u32x8,
}

/// Wells of eight columns.
#[derive(Clone, Copy)]
pub struct BlockWells {
    pub open: u32x8,
    pub covered: u32x8,
    pub fast_open: u32x8,
    pub fast_covered: u32x8,
}

/// All columns in two blocks.
#[inline(always)]
pub fn blocks(columns: &[u32x8; 2]) -> [Block; 2] {
    let [a, b] = *columns;
    let to_left = u32x8::new([1, 2, 3, 4, 5, 6, 7, 0]);
    let (a_left, b_left, last) = (a.shuffle(to_left), b.shuffle(to_left), only(7));
    let [left, more_left] = to_the_left(columns);
    [
        Block::new(a, left | only(0), (a_left & !last) | (b_left & last)),
        Block::new(b, more_left, b_left | last),
    ]
}

/// What lies in the lane to the left, and in the first one anything. Neighbours are taken from lane to lane: from memory
/// they would wait for the columns to arrive there.
#[inline(always)]
pub fn to_the_left(lanes: &[u32x8; 2]) -> [u32x8; 2] {
    let to_right = u32x8::new([7, 0, 1, 2, 3, 4, 5, 6]);
    let [a, b] = lanes.map(|lanes| lanes.shuffle(to_right));
    [a, (b & !only(0)) | (a & only(0))]
}

/// All bits set in one lane.
#[inline(always)]
fn only(lane: usize) -> u32x8 {
    u32x8::new(std::array::from_fn(|i| if i == lane { u32::MAX } else { 0 }))
}

impl Block {
    #[inline(always)]
    fn new(cells: u32x8, left: u32x8, right: u32x8) -> Self {
        let height = heights(cells);
        let tips = u32x8::splat(1).up_each(height);
        let below = tips - u32x8::splat(1);
        Self { cells, left, right, height, tips, below, holes: below & !cells }
    }

    /// Well cells of holes, and those above the top, counted from there.
    #[inline(always)]
    fn well_cells(&self) -> (u32x8, u32x8) {
        let all = self.left & self.right & !self.cells;
        // Where it is 32 there is no cell above; the compiler would guard against more than 31.
        let open = (all & !self.below).down_each(self.height & u32x8::splat(31));
        (all & self.below, open)
    }

    /// In each column the full cells above its hole in this row, from 1, if it has one there.
    #[inline(always)]
    pub fn over_hole(&self, row: u32) -> u32x8 {
        let hole = u32x8::splat((1u64 << row >> 1) as u32);
        // A column that sticks out to the last row has a height like a wall.
        let height = self.height.min(u32x8::splat(u32::BITS));
        (height - u32x8::splat(row)) & !(self.holes & hole).zero()
    }

    /// 1 for each column with a hole right below its highest cell.
    #[inline(always)]
    pub fn thin_covers(&self) -> u32x8 {
        let covered = self.below.down(1) & !self.below.down(2);
        !(self.holes & covered).zero() & u32x8::splat(1)
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

/// The wells of both blocks.
#[inline(always)]
pub fn wells(blocks: &[Block; 2], wanted: Wanted) -> [BlockWells; 2] {
    let [(covered, open), (more_covered, more_open)] = [blocks[0].well_cells(), blocks[1].well_cells()];
    let zero = u32x8::ZERO;
    let none = BlockWells { open: zero, covered: zero, fast_open: zero, fast_covered: zero };
    let mut wells = [none; 2];
    if ((open | more_open) & u32x8::splat(!0xff)).is_zero() {
        for (wells, open) in wells.iter_mut().zip([open, more_open]) {
            if wanted.wells {
                wells.open = open.sum_of_places();
            }
            if wanted.fast_wells {
                wells.fast_open = open.sum_up_to_highest();
            }
        }
    } else {
        for (wells, open) in wells.iter_mut().zip([open, more_open]) {
            (wells.open, wells.fast_open) =
                each(open, |cells| (sum_of_places(cells), triangle(height(cells))));
        }
    }
    if !(covered | more_covered).is_zero() {
        for (i, covered) in [covered, more_covered].into_iter().enumerate() {
            (wells[i].covered, wells[i].fast_covered) = blocks[i].covered_wells(covered);
        }
    }
    wells
}

impl BlockWells {
    #[inline(always)]
    pub fn all(&self) -> u32x8 {
        self.open + self.covered
    }

    #[inline(always)]
    pub fn fast(&self) -> u32x8 {
        self.fast_open + self.fast_covered
    }
}

/// The bits of differences to the column on the left within -2 to 2; others have none.
#[inline(always)]
pub fn difference_bits(blocks: &[Block; 2]) -> [u32x8; 2] {
    // A column that sticks out to the last row has a height like a wall.
    let heights = [0, 1].map(|i| blocks[i].height.min(u32x8::splat(u32::BITS)));
    let left = to_the_left(&heights);
    [0, 1].map(|i| u32x8::splat(1).up_each(heights[i] - left[i] + u32x8::splat(2)) & u32x8::splat(0b11111))
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

/// The features but for wells and differences of a board that is no wider than `N` columns, which is 8, 10 or 16. Bits are
/// counted two columns at a time: with tables, eight columns at a time, a decision of `dn` takes 80 instructions more.
#[inline(always)]
pub fn totals<const N: usize>(blocks: &[Block; 2], within: u32, width: u32, wanted: Wanted) -> Totals {
    let [a, b] = blocks;
    let one = u32x8::splat(1);
    let mut totals = Totals::default();
    if wanted.row_transitions {
        let changes = |block: &Block| (block.cells ^ block.right) & u32x8::splat(within);
        let first = !a.cells.to_array()[0] & within;
        totals.row_transitions = count::<N>(changes(a), changes(b)) + first.count_ones();
    }
    if wanted.column_transitions {
        // Each change to full has one to empty below it, and above the top there is one more.
        let covers = |block: &Block| block.cells & !((block.cells + block.cells) | one);
        totals.column_transitions = 2 * count::<N>(covers(a), covers(b)) + width;
    }
    if wanted.holes {
        totals.holes = count::<N>(a.holes, b.holes);
    }
    if wanted.hole_depth {
        let above_holes = |block: &Block| block.cells & (block.cells + one);
        totals.hole_depth = count::<N>(above_holes(a), above_holes(b));
    }
    if wanted.hole_rows {
        totals.hole_rows = or_lanes(a.holes | b.holes);
    }
    if wanted.over_highest_holes {
        let row = height(totals.hole_rows);
        totals.over_highest_holes = add_lanes(a.over_hole(row) + b.over_hole(row));
    }
    if wanted.thin_covers {
        totals.thin_covers = add_lanes(a.thin_covers() + b.thin_covers());
    }
    if wanted.almost_full_rows {
        let (mut full, mut almost) = (u32::MAX, u32::MAX);
        for cells in bytemuck::cast::<_, [u32; 2 * LANES]>([a.cells, b.cells]) {
            (full, almost) = (full & cells, almost & cells | full);
        }
        totals.almost_full_rows = (almost & !full).count_ones();
    }
    totals
}

impl Totals {
    #[inline(always)]
    pub fn add_wells(&mut self, wells: &[BlockWells; 2], wanted: Wanted) {
        if wanted.wells {
            self.wells = add_lanes(wells[0].all() + wells[1].all());
        }
        if wanted.fast_wells {
            self.fast_wells = add_lanes(wells[0].fast() + wells[1].fast());
        }
    }
}

/// The bits set in the first `N` columns.
#[inline(always)]
fn count<const N: usize>(a: u32x8, b: u32x8) -> u32 {
    let first = count_lanes::<LANES>(a);
    match N {
        8 => first,
        10 => first + count_lanes::<2>(b),
        _ => first + count_lanes::<LANES>(b),
    }
}
