//! Tables of rows with holes for lanes: what each row has, in one word, and the code of a row that has so much.

use wide::u32x8;

use super::counts::{Block, LANES};
use super::word::{One, Word, add_lanes};
use games::tetris::height;
use games::tetris::holes::{
    ABOVE_BIT, CODES, HOLES_BIT, MOST_ABOVE, MOST_HOLES, MOST_OPEN, MOST_OVER, NO_ROW, OPEN_BIT, OVER_BIT,
    RANK_BIT,
};

/// The rows of a word.
pub const ROWS: usize = 32;
/// One word for each row, a byte each: its empty cells that are no holes, the empty cells of the row above it, its holes, and the
/// cells from its holes up to the tops of their columns, if these are no more than [`ENOUGH`].
pub type Rows = [u32; ROWS];

/// Where empty cells of the row above begin, holes, and the cells over them.
const ABOVE: u32 = 8;
pub const HOLES: u32 = 16;
pub const OVER: u32 = 24;
/// More cells over holes than a table tells apart; with those of a piece added they still fit a byte.
const ENOUGH: u32 = 100;

/// What each row of a board has, eight rows side by side.
#[inline(always)]
pub fn rows(blocks: &[Block; 2], width: usize) -> Rows {
    let columns: [[u32; 2 * LANES]; 3] = [
        bytemuck::cast([blocks[0].cells, blocks[1].cells]),
        bytemuck::cast([blocks[0].holes, blocks[1].holes]),
        bytemuck::cast([blocks[0].height, blocks[1].height]),
    ];
    let [cells, holes, heights] = columns;
    let top = cells[..width].iter().fold(0, |rows, &column| rows | column);
    // Above the highest cell all is empty.
    let eights = height(top).div_ceil(LANES as u32) as usize;
    let empty = u32x8::splat(width as u32);
    let mut rows = [empty + empty.up(ABOVE); ROWS / LANES];
    let mut above = empty;
    let [a, b] = [0, 1].map(|i| !blocks[i].holes.zero().bits() & 0xff);
    for eight in (0..eights).rev() {
        let mut here = empty;
        for column in &cells[..width] {
            here -= u32x8::splat(*column).unbounded_shr(NUMBERS[eight]) & u32x8::splat(1);
        }
        // The row above the last one is the first of the next eight.
        let next = here.shuffle_wrapping(u32x8::new([1, 2, 3, 4, 5, 6, 7, 0]));
        let first = above.shuffle_wrapping(u32x8::ZERO);
        let mut has = here + ((next & !LAST) | (first & LAST)).up(ABOVE);
        above = here;
        // Few columns have holes.
        let (mut over, mut holed) = (u32x8::ZERO, a | b << LANES);
        while holed != 0 {
            let i = holed.trailing_zeros() as usize % (2 * LANES);
            holed &= holed - 1;
            let hole = u32x8::ZERO - (u32x8::splat(holes[i]).unbounded_shr(NUMBERS[eight]) & u32x8::splat(1));
            // A column that sticks out to the last row has a height like a wall.
            over += (u32x8::splat(heights[i].min(u32::BITS) - 1) - NUMBERS[eight]) & hole;
            has += hole & u32x8::splat(ONE_HOLE);
        }
        rows[eight] = has + over.min(u32x8::splat(ENOUGH)).up(OVER);
    }
    bytemuck::cast(rows)
}

/// What a hole adds: it is no longer another empty cell.
const ONE_HOLE: u32 = (1 << HOLES) - 1;
/// The numbers of all rows.
const NUMBERS: [u32x8; ROWS / LANES] = [
    u32x8::new([0, 1, 2, 3, 4, 5, 6, 7]),
    u32x8::new([8, 9, 10, 11, 12, 13, 14, 15]),
    u32x8::new([16, 17, 18, 19, 20, 21, 22, 23]),
    u32x8::new([24, 25, 26, 27, 28, 29, 30, 31]),
];
/// All bits set in the last lane.
const LAST: u32x8 = u32x8::new([0, 0, 0, 0, 0, 0, 0, u32::MAX]);

/// The code of a row that has so much, or of none.
#[inline(always)]
pub fn code<V: Word>(has: V, rank: usize, none: V) -> V {
    // All but the open cells of a row are counted from 1.
    const LEAST: u32 = 1 << ABOVE | 1 << HOLES | 1 << OVER;
    const MOST: u32 = MOST_OPEN | MOST_ABOVE << ABOVE | MOST_HOLES << HOLES | MOST_OVER << OVER;
    const { assert!(OPEN_BIT == 0 && ABOVE_BIT == 2 && HOLES_BIT == 4 && OVER_BIT == 6) };
    let numbers = has.bytes_within(LEAST, MOST) - V::splat(LEAST);
    // Each byte six bits nearer to the one before it, and the last two once more.
    let pairs = numbers | numbers.down(ABOVE - ABOVE_BIT);
    let code = pairs & V::splat(0xf) | pairs.down(HOLES - HOLES_BIT) & V::splat(0x1f0);
    (code | V::splat((rank << RANK_BIT) as u32)) & !none | V::splat(NO_ROW) & none
}

/// What one row of a board has: all columns side by side, a wall adding nothing.
#[inline(always)]
fn row_of(blocks: &[Block; 2], row: u32) -> u32 {
    let (mut has, mut over) = (u32x8::ZERO, u32x8::ZERO);
    for block in blocks {
        let empty = (!block.cells).down(row);
        let hole = u32x8::ZERO - (block.holes.down(row) & u32x8::splat(1));
        // A column that sticks out to the last row has a height like a wall.
        over += (block.height.min(u32x8::splat(u32::BITS)) - u32x8::splat(row + 1)) & hole;
        has += (empty & u32x8::splat(1)) + (empty & u32x8::splat(2)).up(ABOVE - 1);
        has += hole & u32x8::splat(ONE_HOLE);
    }
    add_lanes(has) + (add_lanes(over).min(ENOUGH) << OVER)
}

/// The weights of the highest rows with holes, from the top down.
#[inline]
pub fn sum(hole_rows: u32, blocks: &[Block; 2], ranks: usize, weights: &[f64; CODES]) -> f64 {
    let (mut left, mut sum) = (hole_rows, 0.0);
    for rank in 0..ranks {
        if left == 0 {
            break;
        }
        let row = u32::BITS - 1 - left.leading_zeros();
        left &= !(1 << row);
        let One(code) = code(One(row_of(blocks, row)), rank, One(0));
        sum += weights[code as usize % CODES];
    }
    sum
}
