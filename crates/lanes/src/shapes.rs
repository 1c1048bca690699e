//! Shapes with what the lanes ask of them, known to the compiler: most of it is 0 for most shapes, and falls away.

use games::tetris::Shape;
use games::tetris::pieces::SHAPES;

/// A piece in one orientation. All columns of all shapes are without gaps, and so are their rows.
#[derive(Debug, Clone, Copy)]
pub struct FastShape {
    /// The same as all others know it.
    pub plain: &'static Shape,
    /// Columns.
    pub width: usize,
    /// Rows of its box.
    pub height: u32,
    /// Row of the lowest cell in each column, and `ABOVE_ALL` beyond the last one.
    pub bottoms: [u32; 4],
    /// Row above the highest cell in each column.
    pub tops: [u32; 4],
    /// Cells of each column, bit 0 the bottom of the box.
    pub cells: [u32; 4],
    /// Cells of each column with no cell of the piece to the left: one in each row of the box.
    pub open_left: [u32; 4],
    /// Cells of each column with no cell of the piece to the right: one in each row of the box.
    pub open_right: [u32; 4],
    /// Differences of neighbouring tops within -2 to 2, one bit each.
    pub differences: u32,
    /// The cells of its columns with nothing around them: eight from index 16 - n on have them from lane n on.
    pub spread: [u32; 32],
    /// Cells in each set of its rows.
    pub cells_in_rows: [u8; 16],
    /// Cells in each row, four bits a row.
    pub cells_by_row: u32,
    /// The rows of its cells, from 1, added up.
    pub sum_of_rows: u32,
}

/// All shapes of the pieces, in the order of pieces and orientations.
pub static ALL: [FastShape; 19] = {
    let mut all = [FastShape::new(&SHAPES[0][0]); 19];
    let (mut piece, mut number) = (0, 0);
    while piece < SHAPES.len() {
        let mut orientation = 0;
        while orientation < SHAPES[piece].len() {
            all[number] = FastShape::new(&SHAPES[piece][orientation]);
            number += 1;
            orientation += 1;
        }
        piece += 1;
    }
    all
};

/// Above all heights, those of walls too.
const ABOVE_ALL: u32 = 1000;

/// The number of each piece's first shape.
pub const FIRST: [usize; 7] = [0, 2, 3, 7, 9, 11, 15];

impl FastShape {
    const fn new(shape: &'static Shape) -> Self {
        let cells = shape.columns;
        let mut fast = Self {
            plain: shape,
            width: shape.width,
            height: shape.height,
            bottoms: shape.bottoms,
            tops: [0; 4],
            cells,
            open_left: [0; 4],
            open_right: [0; 4],
            differences: 0,
            spread: [0; 32],
            cells_in_rows: [0; 16],
            cells_by_row: 0,
            sum_of_rows: 0,
        };
        let mut i = 0;
        while i < 64 {
            let (rows, column) = (i / 4, i % 4);
            fast.cells_in_rows[rows] += (cells[column] & rows as u32).count_ones() as u8;
            i += 1;
        }
        let mut row = 0;
        while row < 4 {
            let cells = fast.cells_in_rows[1 << row] as u32;
            fast.cells_by_row |= cells << (4 * row);
            fast.sum_of_rows += cells * (row as u32 + 1);
            row += 1;
        }
        let mut i = shape.width;
        while i < 4 {
            fast.bottoms[i] = ABOVE_ALL;
            i += 1;
        }
        let mut i = 0;
        while i < shape.width {
            fast.spread[16 + i] = cells[i];
            fast.tops[i] = u32::BITS - cells[i].leading_zeros();
            fast.open_left[i] = if i > 0 { cells[i] & !cells[i - 1] } else { cells[i] };
            fast.open_right[i] = if i < 3 { cells[i] & !cells[i + 1] } else { cells[i] };
            if i > 0 {
                let number = fast.tops[i].wrapping_sub(fast.tops[i - 1]).wrapping_add(2);
                fast.differences |= if number <= 4 { 1 << number } else { 0 };
            }
            i += 1;
        }
        fast
    }
}
