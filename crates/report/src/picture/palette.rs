//! The colours of Tetris pictures and their numbers.

use games::tetris::Piece;

/// Behind everything.
pub const GROUND: u8 = 0;
/// Inside the board.
pub const WELL: u8 = 1;
/// Between the empty cells.
pub const GRID: u8 = 2;
/// Around the board.
pub const WALL: u8 = 3;
/// What is to be read.
pub const TEXT: u8 = 4;
/// What need not be.
pub const FAINT: u8 = 5;
/// Shares above 0.
pub const GOOD: u8 = 6;
/// Shares below 0.
pub const BAD: u8 = 7;
/// Full rows before they go.
pub const FLASH: u8 = 8;
/// Used by no canvas.
pub const TRANSPARENT: u8 = 9;

const FIRST_BLOCK: u8 = 10;

const PLAIN: [[u8; 3]; FIRST_BLOCK as usize] = [
    [19, 22, 33],
    [11, 13, 21],
    [27, 31, 45],
    [86, 94, 122],
    [233, 236, 245],
    [133, 142, 171],
    [88, 196, 118],
    [226, 84, 104],
    [255, 255, 255],
    [0, 0, 0],
];

/// The seven pieces in the order of [`Piece::ALL`], and cells of which nobody knows what they were.
const BLOCKS: [[u8; 3]; 8] = [
    [46, 200, 218],
    [246, 200, 48],
    [172, 104, 238],
    [78, 200, 94],
    [242, 76, 102],
    [66, 134, 246],
    [246, 144, 48],
    [140, 148, 170],
];

/// What a cell is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// A piece.
    Piece(Piece),
    /// It lay there from the beginning.
    Unknown,
}

/// The three shades of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shade {
    /// Its face.
    Face,
    /// Its upper and left edges.
    Light,
    /// Its lower and right edges.
    Dark,
}

/// The colour of a block; the last piece is brighter than what lies.
pub fn block(block: Block, bright: bool, shade: Shade) -> u8 {
    let kind = match block {
        Block::Piece(piece) => piece as u8,
        Block::Unknown => 7,
    };
    FIRST_BLOCK + (kind * 2 + u8::from(bright)) * 3 + shade as u8
}

/// Red, green and blue of all colours, by number.
pub fn palette() -> Vec<u8> {
    let mut colours = PLAIN.to_vec();
    for base in BLOCKS {
        let darker = |share: f64| base.map(|part| (f64::from(part) * share) as u8);
        let lighter = base.map(|part| part + (255 - part) / 2);
        colours.extend([darker(0.66), darker(0.82), darker(0.46)]);
        colours.extend([base, lighter, darker(0.72)]);
    }
    colours.concat()
}
