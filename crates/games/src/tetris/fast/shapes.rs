//! Shapes with what the lanes ask of them, known to the compiler: most of it is 0 for most shapes, and falls away.

use super::super::Shape;
use super::super::pieces::SHAPES;

/// A piece in one orientation. All columns of all shapes are without gaps, and so are their rows.
#[derive(Debug, Clone, Copy)]
pub struct FastShape {
    /// Columns.
    pub width: usize,
    /// Rows of its box.
    pub height: u32,
    /// Row of the lowest cell in each column.
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

/// The number of each piece's first shape.
pub const FIRST: [usize; 7] = [0, 2, 3, 7, 9, 11, 15];

impl FastShape {
    const fn new(shape: &Shape) -> Self {
        let cells = shape.columns;
        let mut fast = Self {
            width: shape.width,
            height: shape.height,
            bottoms: shape.bottoms,
            tops: [0; 4],
            cells,
            open_left: [0; 4],
            open_right: [0; 4],
            differences: 0,
        };
        let mut i = 0;
        while i < shape.width {
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
