//! Shapes with what the lanes ask of them.

use super::super::Shape;

/// A piece in one orientation.
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
    /// How many cells each column has.
    pub counts: [u32; 4],
    /// Cells of each column with no cell of the piece to the left.
    pub open_left: [u32; 4],
    /// Cells of each column with no cell of the piece to the right.
    pub open_right: [u32; 4],
    /// How many open sides there are.
    pub open_sides: u32,
    /// Differences of neighbouring tops within -2 to 2, one bit each.
    pub differences: u32,
}

impl FastShape {
    pub fn new(shape: &Shape) -> Self {
        let width = shape.columns().len();
        let cells: [u32; 4] = std::array::from_fn(|i| shape.columns().get(i).copied().unwrap_or(0));
        let open_left = std::array::from_fn(|i| cells[i] & !if i == 0 { 0 } else { cells[i - 1] });
        let open_right = std::array::from_fn(|i| cells[i] & !cells.get(i + 1).copied().unwrap_or(0));
        let count = |sides: &[u32; 4]| sides.iter().map(|cells| cells.count_ones()).sum::<u32>();
        let tops = cells.map(|cells| u32::BITS - cells.leading_zeros());
        let difference = |pair: &[u32]| pair[1].wrapping_sub(pair[0]).wrapping_add(2);
        let differences = tops[..width].windows(2).map(difference).filter(|&number| number <= 4);
        Self {
            width,
            height: shape.height(),
            differences: differences.fold(0, |set, number| set | 1 << number),
            bottoms: std::array::from_fn(|i| shape.bottoms().get(i).copied().unwrap_or(0)),
            tops,
            counts: cells.map(u32::count_ones),
            cells,
            open_left,
            open_right,
            open_sides: count(&open_left) + count(&open_right),
        }
    }
}
