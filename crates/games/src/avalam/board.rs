//! The shape of the board and the start.

/// The number of cells.
pub const CELLS: u8 = 48;

/// The start as the course framework has it: `+` a tower of the first side, `-` one of the second, `.` no cell.
const SHAPE: [&[u8; 9]; 9] = [
    b"..+-.....",
    b".+-+-....",
    b".-+-+-+..",
    b".+-+-+-+-",
    b"+-+-.-+-+",
    b"-+-+-+-+.",
    b"..+-+-+-.",
    b"....-+-+.",
    b".....-+..",
];

const NONE: u8 = u8::MAX;

/// The number of the cell in each place of the 9x9 matrix.
static INDEX: [u8; 81] = index();
/// The place of each cell in the 9x9 matrix, 9 * row + column.
static PLACE: [u8; CELLS as usize] = places();
/// The cells around each cell.
pub static NEIGHBOURS: [u64; CELLS as usize] = neighbour_table();
/// The towers of the first side at the start.
pub const START_FIRST: u64 = start_first();

/// The cell in a row and column from 0 to 8, if there is one.
pub fn cell_at(row: u8, column: u8) -> Option<u8> {
    let index = *INDEX.get(9 * usize::from(row) + usize::from(column))?;
    (column < 9 && index != NONE).then_some(index)
}

/// The cells around a cell.
#[inline]
pub fn neighbours(cell: u8) -> u64 {
    NEIGHBOURS[usize::from(cell)]
}

/// Row and column of a cell.
pub fn place(cell: u8) -> (u8, u8) {
    let place = PLACE[usize::from(cell)];
    (place / 9, place % 9)
}

const fn index() -> [u8; 81] {
    let mut table = [NONE; 81];
    let (mut place, mut cell) = (0, 0);
    while place < 81 {
        if SHAPE[place / 9][place % 9] != b'.' {
            table[place] = cell;
            cell += 1;
        }
        place += 1;
    }
    assert!(cell == CELLS);
    table
}

const fn places() -> [u8; CELLS as usize] {
    let index = index();
    let mut table = [0; CELLS as usize];
    let mut place = 0;
    while place < 81 {
        if index[place] != NONE {
            table[index[place] as usize] = place as u8;
        }
        place += 1;
    }
    table
}

const fn neighbour_table() -> [u64; CELLS as usize] {
    let (index, places) = (index(), places());
    let mut table = [0; CELLS as usize];
    let mut cell = 0;
    while cell < CELLS as usize {
        let (row, column) = (places[cell] as i32 / 9, places[cell] as i32 % 9);
        let mut step = 0;
        while step < 9 {
            let (r, c) = (row + step / 3 - 1, column + step % 3 - 1);
            if step != 4 && 0 <= r && r < 9 && 0 <= c && c < 9 {
                let other = index[(9 * r + c) as usize];
                if other != NONE {
                    table[cell] |= 1 << other;
                }
            }
            step += 1;
        }
        cell += 1;
    }
    table
}

const fn start_first() -> u64 {
    let places = places();
    let mut cells = 0;
    let mut cell = 0;
    while cell < CELLS as usize {
        let place = places[cell] as usize;
        if SHAPE[place / 9][place % 9] == b'+' {
            cells |= 1 << cell;
        }
        cell += 1;
    }
    cells
}
