//! The seven tetrominoes in all their orientations.

/// A tetromino.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the letters are the names
pub enum Piece {
    I,
    O,
    T,
    S,
    Z,
    J,
    L,
}

/// A piece in one orientation: in each of its columns, the cells above the bottom of its box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub width: usize,
    pub height: u32,
    pub bottoms: [u32; 4],
    pub columns: [u32; 4],
}

impl Shape {
    /// Each column is given by the row of its lowest cell and the number of its cells, which have no gap.
    const fn new(columns: &[(u32, u32)]) -> Self {
        let mut shape = Shape { width: columns.len(), height: 0, bottoms: [0; 4], columns: [0; 4] };
        let mut i = 0;
        while i < columns.len() {
            let (bottom, cells) = columns[i];
            shape.bottoms[i] = bottom;
            shape.columns[i] = ((1 << cells) - 1) << bottom;
            if bottom + cells > shape.height {
                shape.height = bottom + cells;
            }
            i += 1;
        }
        shape
    }

    /// Rows of its box.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The row of the lowest cell in each column.
    pub fn bottoms(&self) -> &[u32] {
        &self.bottoms[..self.width]
    }

    /// The cells of each column, bit 0 the bottom of the box.
    pub fn columns(&self) -> &[u32] {
        &self.columns[..self.width]
    }
}

const FLAT: (u32, u32) = (0, 1);

/// Orientation 0 first, then a quarter turn clockwise each.
pub static SHAPES: [&[Shape]; 7] = [
    &[Shape::new(&[FLAT, FLAT, FLAT, FLAT]), Shape::new(&[(0, 4)])],
    &[Shape::new(&[(0, 2), (0, 2)])],
    &[
        Shape::new(&[FLAT, (0, 2), FLAT]),
        Shape::new(&[(0, 3), (1, 1)]),
        Shape::new(&[(1, 1), (0, 2), (1, 1)]),
        Shape::new(&[(1, 1), (0, 3)]),
    ],
    &[Shape::new(&[FLAT, (0, 2), (1, 1)]), Shape::new(&[(1, 2), (0, 2)])],
    &[Shape::new(&[(1, 1), (0, 2), FLAT]), Shape::new(&[(0, 2), (1, 2)])],
    &[
        Shape::new(&[(0, 2), FLAT, FLAT]),
        Shape::new(&[(0, 3), (2, 1)]),
        Shape::new(&[(1, 1), (1, 1), (0, 2)]),
        Shape::new(&[FLAT, (0, 3)]),
    ],
    &[
        Shape::new(&[FLAT, FLAT, (0, 2)]),
        Shape::new(&[(0, 3), FLAT]),
        Shape::new(&[(0, 2), (1, 1), (1, 1)]),
        Shape::new(&[(2, 1), (0, 3)]),
    ],
];

impl Piece {
    /// All seven, in the order of their numbers.
    pub const ALL: [Piece; 7] = [Piece::I, Piece::O, Piece::T, Piece::S, Piece::Z, Piece::J, Piece::L];

    /// Its distinct orientations.
    pub fn shapes(self) -> &'static [Shape] {
        SHAPES[self as usize]
    }

    /// Its letter.
    pub fn letter(self) -> char {
        char::from(b"IOTSZJL"[self as usize])
    }

    /// The piece of a capital letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }

    /// The piece that it is in a mirror.
    #[must_use]
    pub fn mirrored(self) -> Piece {
        match self {
            Piece::S => Piece::Z,
            Piece::Z => Piece::S,
            Piece::J => Piece::L,
            Piece::L => Piece::J,
            same => same,
        }
    }

    /// The piece and orientation that an orientation of this piece is in a mirror.
    pub fn mirrored_orientation(self, orientation: u8) -> (Piece, u8) {
        let mut columns = self.shapes()[usize::from(orientation)].columns().to_vec();
        columns.reverse();
        let piece = self.mirrored();
        let found = piece.shapes().iter().position(|shape| shape.columns() == columns);
        (piece, found.expect("the shapes are closed under reflection") as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_four_cells_and_all_distinct() {
        let all: Vec<&Shape> = Piece::ALL.iter().flat_map(|piece| piece.shapes()).collect();
        assert_eq!(all.len(), 19);
        for (i, shape) in all.iter().enumerate() {
            assert_eq!(shape.columns().iter().map(|column| column.count_ones()).sum::<u32>(), 4);
            assert!(shape.columns().iter().any(|column| column & 1 != 0));
            assert!(all[i + 1..].iter().all(|other| other.columns() != shape.columns()));
        }
    }
}
