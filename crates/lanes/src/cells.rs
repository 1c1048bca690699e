//! Tables of windows of cells for lanes: a placement changes the windows that it touches, and all others are added up already.
//!
//! On the plain path a window and its mirror image share their table; here every place has the weights of its own, and one
//! look-up does for a window that is its own image. A decision of `dn,cells-3x5` takes 10,500 instructions, where adding up all
//! windows of every placement took 147,000. With `cells-3x4` it is 9,900: 3,300 for what is no window, 1,100 for the sums of the board, 1,000
//! for placements that remove rows, 2,600 for 550 look-ups of the others, and 2,300 to get ready for these. Windows of 12 cells and more
//! stay beyond five times `dn`, which takes 1,970.

use wide::u32x8;

use super::shapes::FastShape;
use super::surface::boxed;
use super::word::{One, Word};
use games::tetris::windows::{MOST_CELLS, Windows};
use games::tetris::{MAX_WIDTH, highest};

/// Rows, columns or placements side by side.
const LANES: usize = <u32x8 as Word>::LANES;
/// Room before the first column for windows that begin outside the board.
const AT: usize = MOST_CELLS;
/// The same on both sides, for lanes that go past the wall too; a power of two.
const ROOM: usize = 64;
/// The most columns that the windows have which lanes look at: no wider than the board is, and no further than it reaches.
const MOST_COLUMNS: usize = MAX_WIDTH + LANES;
/// The numbers of eight rows.
const NUMBERS: u32x8 = u32x8::new([0, 1, 2, 3, 4, 5, 6, 7]);
/// Sums of a board from one row to the next: those before each column, and those before the end.
const STRIDE: usize = 2 * MAX_WIDTH;
const SUMS: usize = 32 * STRIDE;
/// How many weights a table may have: the largest is that of 16 cells on 16 columns.
const SIZES: [usize; 4] = [1 << 13, 1 << 17, 1 << 21, 1 << 25];

/// Numbers by column; column i lies at index AT + i.
type Columns = [u32; ROOM];

/// The weights of all windows of one size.
#[derive(Debug, Clone)]
pub struct CellTable {
    rows: usize,
    columns: usize,
    /// The last column that a window begins in.
    last: usize,
    /// How many windows lie above each other.
    count: usize,
    /// By the window's first column, its lowest row and its pattern, as the plain path numbers them; in the unit of lanes.
    weights: Vec<f32>,
    /// Where the weights of the windows begin that begin in a column: nothing but zeros where none does.
    starts: Columns,
    /// How many columns there are before one that windows begin in.
    before: Columns,
    /// The weights of the empty windows of each row by the column that they begin in, and what all from a row on add up to.
    empty: Vec<[f32; 2 * LANES]>,
    empty_from: Vec<f32>,
}

/// What the windows of a board add up to.
#[derive(Debug, Clone)]
pub struct CellSums {
    columns: Columns,
    /// Of all windows that begin below a row and before a column.
    sums: Box<[f32; SUMS]>,
    total: f32,
}

impl CellTable {
    /// The table with the weights of its entries, `scaled` to the unit of lanes.
    pub fn new(windows: &Windows, weights: &[f64], scaled: impl Fn(f64) -> f32) -> Self {
        let (rows, columns) = windows.size();
        let (last, count, patterns) = (windows.last_column(), windows.in_column(), 1 << (rows * columns));
        let image = |pattern: usize| {
            (0..columns).fold(0, |image, i| image << rows | pattern >> (rows * i) & ((1 << rows) - 1))
        };
        let images: Vec<usize> = (0..patterns).map(image).collect();
        // Zeros for windows outside the board, and beyond: pages that nobody looks at take no memory.
        let used = (last + 2) * count * patterns;
        let mut all = vec![0.0; SIZES.into_iter().find(|&size| size >= used).expect("few windows")];
        let places = (0..=last).flat_map(|column| (0..count).map(move |row| (column, row)));
        for ((column, row), weights_here) in places.zip(all.chunks_exact_mut(patterns)) {
            let (left, right) = (column.min(last - column), column.max(last - column));
            let shared = &weights[(left * count + row) * patterns..][..patterns];
            for (pattern, weight) in weights_here.iter_mut().enumerate() {
                let own = if column == left { shared[pattern] } else { 0.0 };
                *weight = scaled(own + if column == right { shared[images[pattern]] } else { 0.0 });
            }
        }
        let starts = std::array::from_fn(|i| i.checked_sub(AT).map_or(last + 1, |i| i.min(last + 1)));
        let starts = starts.map(|column: usize| (column * count * patterns) as u32);
        let before = std::array::from_fn(|i| i.saturating_sub(AT).min(last + 1) as u32);
        let empty: Vec<[f32; 2 * LANES]> = (0..count)
            .map(|row| {
                let weight = |column: usize| all[(column * count + row) * patterns];
                std::array::from_fn(|column| if column <= last { weight(column) } else { 0.0 })
            })
            .collect();
        let empty_from = (0..=count).map(|from| empty[from..].iter().flatten().sum()).collect();
        Self { rows, columns, last, count, weights: all, starts, before, empty, empty_from }
    }

    /// The sums of a board, yet to be added up.
    pub fn sums(&self) -> CellSums {
        CellSums { columns: [0; ROOM], sums: boxed(vec![0.0; SUMS]), total: 0.0 }
    }

    /// The bits of a pattern.
    #[inline(always)]
    fn bits(&self) -> u32 {
        (self.rows * self.columns) as u32
    }

    /// The weights of the windows that begin in a column and its neighbours, in the same row.
    #[inline(always)]
    fn weights<V: Word>(&self, columns: &Columns, column: usize, row: u32) -> V::Real {
        let within = V::splat((1 << self.rows) - 1);
        let pattern = (0..self.columns).fold(V::splat(0), |pattern, i| {
            pattern.up(self.rows as u32) | (V::load(columns, AT + column + i).down(row) & within)
        });
        (V::load(&self.starts, AT + column) + V::splat(row << self.bits()) + pattern).weight_in(&self.weights)
    }

    /// Adds the weights of all windows in a row to sums by the column that they begin in.
    #[inline(always)]
    fn add_row(&self, columns: &Columns, row: u32, sums: &mut [f32; 2 * LANES]) {
        let eight = self.weights::<u32x8>(columns, 0, row).to_array();
        sums.iter_mut().zip(eight).for_each(|(sum, weight)| *sum += weight);
        for column in LANES..=self.last {
            sums[column % (2 * LANES)] += self.weights::<One<u32>>(columns, column, row);
        }
    }

    /// Adds up the windows of a board anew.
    pub fn refresh(&self, cells: &[u32], highest: u32, board: &mut CellSums) {
        board.columns[AT..AT + cells.len()].copy_from_slice(cells);
        // Those that a placement may change too.
        let known = self.count.min((highest as usize).max(self.rows - 1) + 4);
        let mut below = [0.0; 2 * LANES];
        for (row, sums) in board.sums.as_chunks_mut::<STRIDE>().0[1..].iter_mut().enumerate().take(known) {
            if row < highest as usize {
                self.add_row(&board.columns, row as u32, &mut below);
            } else {
                below.iter_mut().zip(&self.empty[row]).for_each(|(sum, weight)| *sum += weight);
            }
            let mut sum = 0.0;
            for column in 0..2 * LANES {
                sum += below[column];
                sums[column + 1] = sum;
            }
        }
        board.total = board.sums[known * STRIDE + 2 * LANES] + self.empty_from[known];
    }

    /// What all windows of another board add up to that is the same below a row.
    pub fn total_after(&self, board: &CellSums, cells: &[u32], row: u32) -> f32 {
        let mut columns = [0; ROOM];
        columns[AT..AT + cells.len()].copy_from_slice(cells);
        let known = self.count.min(highest(cells) as usize);
        let from = known.min((row as usize + 1).saturating_sub(self.rows));
        let mut all = [0.0; 2 * LANES];
        for row in from..known {
            self.add_row(&columns, row as u32, &mut all);
        }
        board.sums[from * STRIDE + 2 * LANES] + all.iter().sum::<f32>() + self.empty_from[known]
    }

    /// The sum with the weights of the windows of a board with a shape on it, whose leftmost column is this one in the first
    /// lane; the row that it lies on, and its cells.
    pub fn add<V: Word>(
        &self,
        board: &CellSums,
        column: usize,
        shape: &FastShape,
        row: V,
        piece: &[V],
        sum: V::Real,
    ) -> V::Real {
        const A: usize = SIZES[0];
        const B: usize = SIZES[1];
        const C: usize = SIZES[2];
        const D: usize = SIZES[3];
        match self.weights.len() {
            A => self.add_sized::<V, A>(board, column, shape, row, piece, sum),
            B => self.add_sized::<V, B>(board, column, shape, row, piece, sum),
            C => self.add_sized::<V, C>(board, column, shape, row, piece, sum),
            _ => self.add_sized::<V, D>(board, column, shape, row, piece, sum),
        }
    }

    /// The same with so many weights: what the compiler knows it need not check.
    #[inline(never)]
    fn add_sized<V: Word, const N: usize>(
        &self,
        board: &CellSums,
        column: usize,
        shape: &FastShape,
        row: V,
        piece: &[V],
        sum: V::Real,
    ) -> V::Real {
        let weights: &[f32; N] = self.weights[..].try_into().expect("a table of this size");
        let (reach, rows, at) = (self.columns - 1, self.rows as u32, AT + column);
        // As many rows of windows in all lanes: near the floor and the top some of them stay as they are.
        let touched = (self.rows + shape.height as usize - 1).min(self.count);
        let from = (row - V::splat(rows - 1)).max(V::splat(0)).min(V::splat((self.count - touched) as u32));
        // All but those that begin in the columns from `reach` before the piece to its last, and in these rows.
        let stride = |row: V| row.up(STRIDE.ilog2());
        let [left, right] =
            [at - reach, at + shape.width].map(|column| stride(from) + V::load(&self.before, column));
        let [above_left, above_right] = [left, right].map(|below| below + stride(V::splat(touched as u32)));
        let sum_of = |place: V| place.weight(&board.sums);
        let kept = V::add_sums(sum_of(right), sum_of(above_left));
        let gone = V::add_sums(sum_of(left), sum_of(above_right));
        let total = V::splat(1).add_weighted(&[board.total; 8], sum);
        let mut sum = V::add_sums(total, V::subtract_sums(kept, gone));
        // Windows by their first column, of those that some lane has on the board.
        let first = at - reach.min(column + V::LANES - 1);
        let end = (at + shape.width).min(AT + self.last + 1);
        if first >= end {
            return sum;
        }
        let mut columns = [V::splat(0); MOST_COLUMNS];
        let columns = &mut columns[..end - first + reach];
        for (i, column) in (first..).zip(columns.iter_mut()) {
            let old = V::load(&board.columns, i);
            let new = if (at..at + shape.width).contains(&i) { old | piece[i - at] } else { old };
            *column = new.down_each(from);
        }
        let (before, columns) = columns.split_at(reach);
        let (within, mask) = (V::splat((1 << rows) - 1), V::splat(((1u64 << self.bits()) - 1) as u32));
        for up in 0..touched as u32 {
            let next = |pattern: V, column: V| pattern.up(rows) | (column.down(up) & within);
            let mut pattern = before.iter().fold(V::splat(0), |pattern, &column| next(pattern, column));
            let row = (from + V::splat(up)).up(self.bits());
            for (i, &column) in (first..).zip(columns.iter()) {
                pattern = next(pattern, column) & mask;
                let entry = V::load(&self.starts, i) + row + pattern;
                sum = V::add_sums(sum, entry.weight(weights));
            }
        }
        sum
    }
}

/// The patterns of eight windows of as many rows in these columns, by their lowest rows.
#[inline(always)]
fn patterns<'a>(columns: impl Iterator<Item = &'a u32>, rows: usize, lowest: u32x8) -> u32x8 {
    let within = u32x8::splat((1 << rows) - 1);
    columns.fold(u32x8::ZERO, |pattern, &column| {
        pattern.up(rows as u32) | u32x8::splat(column).down_each(lowest) & within
    })
}

/// The weights of all windows of a board, added up in the order of the plain path.
pub fn sum(windows: &Windows, board: &[u32], weights: &[f64]) -> f64 {
    let (rows, columns) = windows.size();
    let (last, count, bits) = (windows.last_column(), windows.in_column(), rows * columns);
    let mut sum = 0.0;
    for left in 0..=last / 2 {
        let right = last - left;
        let weights = &weights[(left * count) << bits..(left * count + count) << bits];
        for (eight, weights) in weights.chunks(LANES << bits).enumerate() {
            let lowest = u32x8::splat((eight * LANES) as u32) + NUMBERS;
            let here = patterns(board[left..left + columns].iter(), rows, lowest).to_array();
            let there = patterns(board[right..right + columns].iter().rev(), rows, lowest).to_array();
            for ((weights, here), there) in weights.chunks_exact(1 << bits).zip(here).zip(there) {
                sum += weights[here as usize];
                sum += weights[there as usize];
            }
        }
    }
    sum
}
