//! Tables of rows with holes for lanes: what each row has, in one word, and the code of a row that has so much.

use wide::u32x8;

use super::super::height;
use super::super::holes::{
    CODES, HOLES_BIT, MOST_ABOVE, MOST_HOLES, MOST_OPEN, MOST_OVER, NO_ROW, OPEN_BIT,
    OVER_BIT as OVER_OF_CODE, RANK_BIT,
};
use super::counts::{Block, LANES};
use super::word::{One, Word, add_lanes};

/// The rows of a word.
pub const ROWS: usize = 32;
/// One word for each row: its empty cells in the lowest five bits, those of the row above it in the next five, its holes in five
/// more, and from there on the cells from its holes up to the tops of their columns.
pub type Rows = [u32; ROWS];

/// Where empty cells of the row above begin, and holes.
pub const EMPTY_ABOVE: u32 = 5;
const HOLES: u32 = 10;
pub const HOLE: u32 = 1 << HOLES;
/// Where the cells over holes begin.
pub const OVER_BIT: u32 = 15;
/// A number of five bits.
const FIVE: u32 = 31;

/// What each row of a board has, eight rows side by side.
#[inline]
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
    let mut rows = [empty + empty.up(EMPTY_ABOVE); ROWS / LANES];
    let mut above = empty;
    for eight in (0..eights).rev() {
        let mut here = empty;
        for column in &cells[..width] {
            here -= u32x8::splat(*column).unbounded_shr(NUMBERS[eight]) & u32x8::splat(1);
        }
        // The row above the last one is the first of the next eight.
        let next = here.shuffle_wrapping(u32x8::new([1, 2, 3, 4, 5, 6, 7, 0]));
        let first = above.shuffle_wrapping(u32x8::ZERO);
        rows[eight] = here + ((next & !LAST) | (first & LAST)).up(EMPTY_ABOVE);
        above = here;
    }
    // Few columns have holes.
    let [a, b] = [0, 1].map(|i| !blocks[i].holes.zero().bits() & 0xff);
    let mut holed = a | b << LANES;
    while holed != 0 {
        let i = holed.trailing_zeros() as usize % (2 * LANES);
        holed &= holed - 1;
        for (rows, numbers) in rows.iter_mut().zip(NUMBERS).take(eights) {
            let hole = u32x8::ZERO - (u32x8::splat(holes[i]).unbounded_shr(numbers) & u32x8::splat(1));
            // A column that sticks out to the last row has a height like a wall.
            let over = u32x8::splat(heights[i].min(u32::BITS) - 1) - numbers;
            *rows += (over.up(OVER_BIT) + u32x8::splat(HOLE)) & hole;
        }
    }
    bytemuck::cast(rows)
}

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
    let one = V::splat(1);
    let holes = has.down(HOLES) & V::splat(FIVE);
    let open = ((has & V::splat(FIVE)) - holes).min(V::splat(MOST_OPEN));
    let over = has.down(OVER_BIT).min(V::splat(MOST_OVER)) - one;
    let above = (has.down(EMPTY_ABOVE) & V::splat(FIVE)).max(one).min(V::splat(MOST_ABOVE)) - one;
    let holes = holes.min(V::splat(MOST_HOLES)) - one;
    let code = over.up(OVER_OF_CODE) | holes.up(HOLES_BIT) | open.up(OPEN_BIT) | above;
    (code | V::splat((rank << RANK_BIT) as u32)) & !none | V::splat(NO_ROW) & none
}

/// What one row of a board has: all columns side by side, a wall adding nothing.
#[inline(always)]
fn row_of(blocks: &[Block; 2], row: u32) -> u32 {
    let [a, b] = [0, 1].map(|i| {
        let Block { cells, holes, height, .. } = &blocks[i];
        let empty = (!*cells).down(row);
        let hole = u32x8::ZERO - (holes.down(row) & u32x8::splat(1));
        // A column that sticks out to the last row has a height like a wall.
        let over = height.min(u32x8::splat(u32::BITS)) - u32x8::splat(row + 1);
        (empty & u32x8::splat(1))
            + (empty & u32x8::splat(2)).up(EMPTY_ABOVE - 1)
            + ((over.up(OVER_BIT) + u32x8::splat(HOLE)) & hole)
    });
    add_lanes(a + b)
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
        sum += code(One(row_of(blocks, row)), rank, One(0)).weight(weights);
    }
    sum
}
