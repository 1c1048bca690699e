//! A board with what it takes to say quickly how a placement would change each feature.

use wide::u32x8;

use super::cells::{self, CellSums, CellTable};
use super::counts::{Block, BlockWells, LANES, Totals, Wanted, blocks, difference_bits, totals, wells};
use super::holes::{self, ROWS, Rows};
use super::lane_tables::{LaneTables, Sums};
use super::rare::Rare;
use super::shapes::FastShape;
use super::surface::{self, FastTable, inner_bits, steps, stored};
use super::terms::{ANY, Terms};
use super::word::{WALL_HEIGHT, Weight, Word, add_lanes, and_lanes, or_lanes};
use games::tetris::measure::Seen;
use games::tetris::original::Top;
use games::tetris::surface::SETS;
use games::tetris::{Clearing, Kind, MAX_WIDTH, TetrisRules, height};

/// Walls to the left of the first column: patterns of four columns begin up to three before a piece.
pub const OFFSET: usize = 4;
/// Room for the last lanes to look past the right wall; a power of two, so that a remainder is a mask.
pub const PADDED: usize = OFFSET + MAX_WIDTH + 12;

/// One number for each column; column i lies at index OFFSET + i.
pub type Columns = [u32; PADDED];

/// The board before a placement.
#[derive(Debug, Clone)]
pub struct Board {
    width: usize,
    /// One bit for each row of the board.
    within: u32,
    limit: u32,
    /// The highest pile over which every piece appears and gets everywhere.
    open: u32,
    /// All bits set in walls.
    pub walls: Columns,
    /// All bits set in columns with another one to the left.
    pub pairs: Columns,
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
    /// Rows that all columns before this one fill, and that this one and all after it fill.
    pub full_before: Columns,
    pub full_from: Columns,
    /// Differences seen before the pair (this one - 1, this one), and from the pair (this one, this one + 1) on; where tables
    /// ask for them, also what inner columns show before this one - 1 and after this one.
    pub differences_before: Columns,
    pub differences_from: Columns,
    /// Full cells above the column's hole in the highest row with holes, and whether its highest cell covers a hole.
    pub over_highest_holes: Columns,
    pub thin_covers: Columns,
    /// Rows with at most one empty cell in the columns before this one, and in this one and all after it.
    pub almost_full_before: Columns,
    pub almost_full_from: Columns,
    /// The step to each column from its left neighbour, as tables of the surface know it.
    pub steps: Columns,
    /// What patterns of neighbouring columns add up to.
    pub sums: Sums,
    /// The same for each table of two columns or five, and what windows of cells add up to.
    pub other_sums: Vec<Sums>,
    pub cell_sums: Vec<CellSums>,
    /// What each row has, where a table of rows with holes asks for it.
    pub rows: Rows,
    /// What few lists ask for.
    pub rare: Rare,
    /// What heights of single columns and differences of two are worth, for lanes.
    pub heights_worth: Weight,
    pub totals: Totals,
    /// The height of the highest column.
    pub highest: u32,
}

/// What becomes of the board.
pub struct Drop {
    pub row: u32,
    pub lines: u32,
    /// Cells of the piece in the removed rows.
    pub eroded: u32,
    pub lost: bool,
    /// All columns, the first eight and the others.
    columns: [u32x8; 2],
}

impl Drop {
    /// All columns, the first one first.
    #[inline(always)]
    fn cells(&self) -> [u32; 2 * LANES] {
        bytemuck::cast(self.columns)
    }

    pub fn height(&self, column: usize) -> u32 {
        height(self.columns[column / LANES].to_array()[column % LANES])
    }
}

impl Board {
    pub fn new(rules: &TetrisRules, columns: &[u32; MAX_WIDTH], terms: &Terms) -> Self {
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
            open: match rules.game {
                Kind::Simplified => u32::MAX,
                Kind::Original => u32::from(rules.height) - 4,
            },
            walls,
            pairs,
            columns: padded,
            heights: [WALL_HEIGHT; PADDED],
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
            full_before: [u32::MAX; PADDED],
            full_from: [u32::MAX; PADDED],
            differences_before: [0; PADDED],
            differences_from: [0; PADDED],
            over_highest_holes: [0; PADDED],
            thin_covers: [0; PADDED],
            almost_full_before: [u32::MAX; PADDED],
            almost_full_from: [u32::MAX; PADDED],
            steps: [0; PADDED],
            sums: Sums::EMPTY,
            other_sums: vec![Sums::EMPTY; terms.lane_tables.others.len()],
            cell_sums: terms.lane_tables.cells.iter().map(CellTable::sums).collect(),
            highest: 0,
            rows: [0; ROWS],
            rare: Rare::EMPTY,
            heights_worth: [0.0; 8],
            totals: Totals::default(),
        };
        let columns = [OFFSET, OFFSET + LANES].map(|from| load(&board.columns, from));
        board.become_columns(&columns, terms);
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

    /// Whether the pile may be in the way of a piece that is still moved and turned.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.highest > self.open
    }

    /// Rows of the board.
    #[inline]
    pub fn rows_within(&self) -> u32 {
        self.within.count_ones()
    }

    /// Shows a drop to the plain measures.
    #[inline]
    pub fn seen<T>(&self, drop: &Drop, shape: &FastShape, look: impl FnOnce(&Seen) -> T) -> T {
        let columns = drop.cells();
        look(&Seen {
            rows: self.rows_within(),
            before: self.cells(),
            after: &columns[..self.width],
            shape: shape.plain,
            landed: drop.row,
            lines: drop.lines,
            eroded: drop.eroded,
        })
    }

    /// Takes the columns and counts everything anew.
    fn become_columns(&mut self, columns: &[u32x8; 2], terms: &Terms) {
        match terms.list {
            0 => self.become_by::<0>(columns, terms),
            1 => self.become_by::<1>(columns, terms),
            2 => self.become_by::<2>(columns, terms),
            3 => self.become_by::<3>(columns, terms),
            _ => self.become_by::<ANY>(columns, terms),
        }
    }

    /// The same under feature list `K`.
    #[inline(never)]
    fn become_by<const K: usize>(&mut self, columns: &[u32x8; 2], terms: &Terms) {
        let wanted = terms.wanted::<K>();
        match self.width {
            ..=8 => self.refresh::<8>(columns, wanted, terms),
            9 | 10 => self.refresh::<10>(columns, wanted, terms),
            _ => self.refresh::<16>(columns, wanted, terms),
        }
    }

    /// The steps of a board whose walls are where they are here.
    #[inline(always)]
    fn steps_of(&self, blocks: &[Block; 2]) -> Columns {
        stored(&steps(blocks, [OFFSET, OFFSET + LANES].map(|from| load(&self.pairs, from))))
    }

    /// The sum of a drop with what the tables add to it, windows of cells only if asked.
    #[inline(never)]
    pub fn add_tables(
        &self,
        drop: &Drop,
        totals: &Totals,
        terms: &Terms,
        sum: f64,
        windows_too: bool,
    ) -> f64 {
        let blocks = blocks(&drop.columns);
        let steps = self.steps_of(&blocks);
        terms.tables.iter().fold(sum, |sum, table| {
            sum + match table {
                FastTable::Set(weights) => {
                    let [a, b] = inner_bits(&steps);
                    weights[(totals.differences | or_lanes(a | b)) as usize % SETS]
                }
                FastTable::Holes(ranks, weights) => holes::sum(totals.hole_rows, &blocks, *ranks, weights),
                FastTable::Cells(..) if !windows_too => 0.0,
                FastTable::Cells(windows, weights) => {
                    cells::sum(windows, &drop.cells()[..self.width], weights)
                }
                others => others
                    .patterns()
                    .map_or(0.0, |(columns, weights)| surface::sum(&steps, self.width, columns, weights)),
            }
        })
    }

    /// What windows of cells add up to after a drop, to about seven digits and in the unit of lanes.
    pub fn windows_after(&self, drop: &Drop, terms: &Terms) -> f32 {
        let tables = terms.lane_tables.cells.iter().zip(&self.cell_sums);
        tables.map(|(table, sums)| table.total_after(sums, &drop.cells()[..self.width], drop.row)).sum()
    }

    /// The same on a board of at most `N` columns.
    #[inline(always)]
    fn refresh<const N: usize>(&mut self, columns: &[u32x8; 2], wanted: Wanted, terms: &Terms) {
        let blocks = blocks(columns);
        self.refresh_block::<OFFSET>(&blocks[0], wanted);
        if N > LANES {
            self.refresh_block::<{ OFFSET + LANES }>(&blocks[1], wanted);
        }
        self.refresh_full::<N>(columns);
        if wanted.almost_full_rows {
            self.refresh_almost_full::<N>(columns);
        }
        self.totals = self.totals_of::<N>(&blocks, wanted);
        if wanted.any_wells() {
            let wells = wells(&blocks, wanted);
            self.refresh_wells::<OFFSET>(&blocks[0], &wells[0], wanted);
            if N > LANES {
                self.refresh_wells::<{ OFFSET + LANES }>(&blocks[1], &wells[1], wanted);
            }
            self.totals.add_wells(&wells, wanted);
        }
        if wanted.over_highest_holes {
            let row = height(self.totals.hole_rows);
            store(&mut self.over_highest_holes, OFFSET, blocks[0].over_hole(row));
            store(&mut self.over_highest_holes, OFFSET + LANES, blocks[1].over_hole(row));
        }
        if wanted.thin_covers {
            store(&mut self.thin_covers, OFFSET, blocks[0].thin_covers());
            store(&mut self.thin_covers, OFFSET + LANES, blocks[1].thin_covers());
        }
        self.highest = height(self.rows(columns));
        if wanted.steps() {
            self.steps = self.steps_of(&blocks);
        }
        if wanted.surface {
            self.sums.refresh(&self.steps, self.width, 4, &terms.lane_tables.patterns[..]);
        }
        if wanted.rare_tables {
            self.refresh_rare_tables(&terms.lane_tables);
        }
        if wanted.rows {
            self.rows = holes::rows(&blocks, self.width);
        }
        if wanted.differences() {
            let inner = if wanted.surface_set { inner_bits(&self.steps) } else { [u32x8::ZERO; 2] };
            self.refresh_differences::<N>(&self.differences(&blocks), &inner);
        }
        if wanted.rare {
            self.rare.refresh(self.width, &self.heights, &self.columns);
        }
        if wanted.rare_wells {
            self.rare.refresh_wells(self.width, &self.heights, &self.columns);
        }
        if wanted.heights {
            let worth = |weights: &[f32; PADDED], numbers: &Columns| -> f32 {
                (OFFSET..OFFSET + self.width).map(|i| weights[i] * numbers[i] as f32).sum()
            };
            let differences = worth(&terms.differences, &self.rare.difference);
            self.heights_worth = [worth(&terms.heights, &self.heights) + differences; 8];
        }
    }

    /// Adds up tables of two columns or five, and windows of cells.
    #[inline(never)]
    fn refresh_rare_tables(&mut self, tables: &LaneTables) {
        for ((columns, weights), sums) in tables.others.iter().zip(&mut self.other_sums) {
            sums.refresh(&self.steps, self.width, *columns, weights);
        }
        for (table, sums) in tables.cells.iter().zip(&mut self.cell_sums) {
            table.refresh(&self.columns[OFFSET..OFFSET + self.width], self.highest, sums);
        }
    }

    /// Eight columns from an index on.
    #[inline(always)]
    fn refresh_block<const FROM: usize>(&mut self, block: &Block, wanted: Wanted) {
        store(&mut self.columns, FROM, block.cells);
        store(&mut self.heights, FROM, block.height);
        if wanted.hole_rows || wanted.any_wells() {
            store(&mut self.tips, FROM, block.tips);
        }
        if wanted.hole_depth {
            store(&mut self.holed, FROM, !block.holes.zero());
        }
        if wanted.over_highest_holes || wanted.rows {
            store(&mut self.holes, FROM, block.holes);
        }
    }

    #[inline(always)]
    fn refresh_wells<const FROM: usize>(&mut self, block: &Block, wells: &BlockWells, wanted: Wanted) {
        store(&mut self.holes, FROM, block.holes);
        store(&mut self.half_wells_left, FROM, block.left & !block.cells);
        store(&mut self.half_holes_left, FROM, block.left & block.holes);
        store(&mut self.half_wells_right, FROM, block.right & !block.cells);
        store(&mut self.half_holes_right, FROM, block.right & block.holes);
        if wanted.wells {
            store(&mut self.wells, FROM, wells.all());
            store(&mut self.open_wells, FROM, wells.open);
        }
        if wanted.fast_wells {
            store(&mut self.fast_wells, FROM, wells.fast());
            store(&mut self.open_fast_wells, FROM, wells.fast_open);
        }
    }

    /// Differences with the column to the left, one bit each.
    #[inline(always)]
    fn differences(&self, blocks: &[Block; 2]) -> [u32x8; 2] {
        let [a, b] = difference_bits(blocks);
        [a & load(&self.pairs, OFFSET), b & load(&self.pairs, OFFSET + LANES)]
    }

    /// Rows that are full but for some neighbouring columns.
    #[inline(always)]
    fn refresh_full<const N: usize>(&mut self, columns: &[u32x8; 2]) {
        let columns: [u32; 2 * LANES] = bytemuck::cast(*columns);
        let mut full = u32::MAX;
        for i in 0..N {
            self.full_before[OFFSET + i] = full;
            full &= columns[i];
        }
        let mut full = u32::MAX;
        for i in (0..N).rev() {
            full &= columns[i];
            self.full_from[OFFSET + i] = full;
        }
    }

    /// Rows with at most one empty cell but for some neighbouring columns.
    #[inline(always)]
    fn refresh_almost_full<const N: usize>(&mut self, columns: &[u32x8; 2]) {
        let columns: [u32; 2 * LANES] = bytemuck::cast(*columns);
        let mut almost = u32::MAX;
        for i in 0..N {
            self.almost_full_before[OFFSET + i] = almost;
            almost = almost & columns[i] | self.full_before[OFFSET + i];
        }
        let mut almost = u32::MAX;
        for i in (0..N).rev() {
            almost = almost & columns[i] | self.full_from[OFFSET + i + 1];
            self.almost_full_from[OFFSET + i] = almost;
        }
    }

    /// All differences before and after each pair.
    #[inline(always)]
    fn refresh_differences<const N: usize>(&mut self, bits: &[u32x8; 2], inner: &[u32x8; 2]) {
        let [bits, inner]: [[u32; 2 * LANES]; 2] = [bytemuck::cast(*bits), bytemuck::cast(*inner)];
        let mut seen = 0;
        for i in 0..N {
            self.differences_before[OFFSET + i] = seen;
            seen |= bits[i] | if i > 0 { inner[i - 1] } else { 0 };
        }
        let mut seen = 0;
        for i in (0..N).rev() {
            self.differences_from[OFFSET + i] = seen;
            seen |= bits[i] | inner[i];
        }
    }

    /// The features of a board but for its wells.
    #[inline(always)]
    fn totals_of<const N: usize>(&self, blocks: &[Block; 2], wanted: Wanted) -> Totals {
        let mut totals = totals::<N>(blocks, self.within, self.width as u32, wanted);
        if wanted.differences() {
            let [a, b] = self.differences(blocks);
            totals.differences = or_lanes(a | b);
        }
        if wanted.squares {
            let squares = [0, 1].map(|i| {
                let height = blocks[i].height.min(u32x8::splat(u32::BITS));
                (height * height) & !load(&self.walls, OFFSET + i * LANES)
            });
            totals.squares = add_lanes(squares[0] + squares[1]);
        }
        if wanted.max_height {
            totals.max_height = height(self.rows(&[blocks[0].cells, blocks[1].cells]));
        }
        totals
    }

    /// Rows that are not empty.
    #[inline(always)]
    fn rows(&self, columns: &[u32x8; 2]) -> u32 {
        let [a, b] = [OFFSET, OFFSET + LANES].map(|from| load(&self.walls, from));
        or_lanes(columns[0] & !a | columns[1] & !b)
    }

    /// Where a shape comes to lie, and the columns with it.
    #[inline(always)]
    pub fn landed(&self, shape: &FastShape, column: usize) -> Drop {
        let mut row = 0;
        for k in 0..4 {
            let height = self.heights[(OFFSET + column + k) % PADDED];
            // Beyond the last column of the shape it is below 0.
            row = row.max(height as i32 - shape.bottoms[k] as i32);
        }
        let mut row = row as u32;
        if self.is_crowded() {
            row = self.row_from_top(shape, column);
        }
        let columns = [0, LANES].map(|from| {
            let piece = u32x8::load(&shape.spread, 16 + from - column % 16);
            load(&self.columns, OFFSET + from) | piece.unbounded_shl_scalar(row)
        });
        Drop { row, lines: 0, eroded: 0, lost: false, columns }
    }

    #[cold]
    #[inline(never)]
    fn row_from_top(&self, shape: &FastShape, column: usize) -> u32 {
        Top { columns: self.cells(), rows: self.rows_within() }.landing_row(shape.plain, column)
    }

    /// Drops a shape and says what comes of it; the board stays as it is.
    #[inline(always)]
    pub fn dropped(&self, shape: &FastShape, column: usize, clearing: Clearing) -> Drop {
        let mut drop = self.landed(shape, column);
        let (row, columns) = (drop.row, drop.columns);
        if clearing == Clearing::After && row + shape.height > self.limit {
            drop.lost = true;
            return drop;
        }
        let full = and_lanes(columns[0] & columns[1]);
        if full != 0 {
            self.clear(&mut drop, shape, full);
        }
        if clearing == Clearing::Before {
            drop.lost = self.rows(&drop.columns) >> self.limit != 0;
        }
        drop
    }

    /// Takes the full rows out.
    #[inline(always)]
    fn clear(&self, drop: &mut Drop, shape: &FastShape, full: u32) {
        drop.eroded = shape.cells_in_rows[(full >> drop.row) as usize % 16].into();
        drop.lines = full.count_ones();
        let mut blocks = drop.columns;
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
        // Walls have lost their top.
        let [a, b] = [OFFSET, OFFSET + LANES].map(|from| load(&self.walls, from));
        drop.columns = [blocks[0] | a, blocks[1] | b];
    }

    /// The features of the board after a drop.
    #[inline(always)]
    pub fn totals_after(&self, drop: &Drop, wanted: Wanted) -> Totals {
        let mut totals = match self.width {
            ..=8 => self.count::<8>(&drop.columns, wanted),
            9 | 10 => self.count::<10>(&drop.columns, wanted),
            _ => self.count::<16>(&drop.columns, wanted),
        };
        if drop.lost && wanted.row_transitions {
            let (transitions, rows) = self.above(&drop.columns);
            totals.row_transitions = totals.row_transitions + transitions - 2 * rows;
        }
        totals
    }

    #[inline(always)]
    fn count<const N: usize>(&self, columns: &[u32x8; 2], wanted: Wanted) -> Totals {
        let blocks = blocks(columns);
        let mut totals = self.totals_of::<N>(&blocks, wanted);
        if wanted.any_wells() {
            totals.add_wells(&wells(&blocks, wanted), wanted);
        }
        totals
    }

    /// Row transitions in the rows above the board, and the number of these rows up to the highest cell.
    #[cold]
    #[inline(never)]
    fn above(&self, columns: &[u32x8; 2]) -> (u32, u32) {
        let columns: [u32; 2 * LANES] = bytemuck::cast(*columns);
        let board = &columns[..self.width];
        let out = board.iter().fold(0, |rows, &column| rows | column) & !self.within;
        let rows = ((1u64 << height(out)) - 1) as u32 & !self.within;
        let pairs: u32 = board.windows(2).map(|pair| ((pair[0] ^ pair[1]) & rows).count_ones()).sum();
        let walls = (!board[0] & rows).count_ones() + (!board[self.width - 1] & rows).count_ones();
        (walls + pairs, rows.count_ones())
    }

    /// Drops a shape for good; the rows removed, and whether the game is lost.
    #[inline(always)]
    pub fn place(
        &mut self,
        shape: &FastShape,
        column: usize,
        clearing: Clearing,
        terms: &Terms,
    ) -> (u32, bool) {
        let drop = self.dropped(shape, column, clearing);
        self.become_columns(&drop.columns, terms);
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
