//! The entries at the edge and the geometry of the board, one table a size.
//!
//! Entries are numbered as their letters: the left side by rows, the right side by rows, the top by columns, the
//! bottom by columns.

use super::Board;
use crate::game::Side;

const MOST_CELLS: usize = 5;
const MOST_ENTRIES: usize = 4 * MOST_CELLS;

/// A place at the edge where a piece is pushed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry(u8);

impl Entry {
    /// The entry of this number.
    ///
    /// # Panics
    /// If no board has that many.
    pub fn new(index: u8) -> Self {
        assert!(usize::from(index) < MOST_ENTRIES, "entry {index} of {MOST_ENTRIES}");
        Self(index)
    }

    /// Its number.
    pub fn index(self) -> u8 {
        self.0
    }

    /// Its letter, from A.
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }
}

/// One entry's line of cells, as a pushed piece meets them.
#[derive(Clone, Copy)]
struct Line {
    cells: [u8; MOST_CELLS],
    /// `prefix[k]`: the first k cells.
    prefix: [u32; MOST_CELLS + 1],
    /// Distance to the next cell, and whether it is towards lower bits.
    step: u32,
    down: bool,
}

/// The geometry of one size of board.
pub struct Table {
    size: usize,
    lines: [Line; MOST_ENTRIES],
    wins: [u32; 2 * MOST_CELLS + 2],
}

static TABLES: [Table; 3] = [Table::new(3), Table::new(4), Table::new(5)];

/// The table of a board of 3 to 5 cells along an edge.
pub fn table(size: u8) -> &'static Table {
    &TABLES[usize::from(size - 3)]
}

impl Table {
    const fn new(size: usize) -> Self {
        let empty = Line { cells: [0; MOST_CELLS], prefix: [0; MOST_CELLS + 1], step: 0, down: false };
        let mut lines = [empty; MOST_ENTRIES];
        let mut entry = 0;
        while entry < 4 * size {
            let place = entry % size;
            let (start, step, down) = match entry / size {
                0 => (place * size, 1, false),
                1 => (place * size + size - 1, 1, true),
                2 => (place, size, false),
                _ => (place + size * (size - 1), size, true),
            };
            lines[entry].step = step as u32;
            lines[entry].down = down;
            let mut k = 0;
            while k < size {
                let cell = if down { start - k * step } else { start + k * step };
                lines[entry].cells[k] = cell as u8;
                lines[entry].prefix[k + 1] = lines[entry].prefix[k] | 1 << cell;
                k += 1;
            }
            entry += 1;
        }
        // Rows, columns and two diagonals; unused places hold what no board can fill.
        let mut wins = [u32::MAX; 2 * MOST_CELLS + 2];
        let (mut down_right, mut down_left) = (0, 0);
        let mut i = 0;
        while i < size {
            wins[i] = lines[i].prefix[size];
            wins[size + i] = lines[2 * size + i].prefix[size];
            down_right |= 1 << (i * size + i);
            down_left |= 1 << (i * size + size - 1 - i);
            i += 1;
        }
        wins[2 * size] = down_right;
        wins[2 * size + 1] = down_left;
        Self { size, lines, wins }
    }

    /// Every entry of the board.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry> + Clone + use<> {
        (0..4 * self.size as u8).map(Entry)
    }

    /// Whether a push there could change exactly these cells, or some of them.
    #[inline]
    pub fn may_change(&self, entry: Entry, cells: u32) -> bool {
        cells & !self.lines[usize::from(entry.0)].prefix[self.size] == 0
    }

    /// Whether these cells hold a winning line.
    #[inline]
    pub fn has_line(&self, cells: u32) -> bool {
        self.wins.iter().any(|&line| line & !cells == 0)
    }

    /// The board after a push.
    #[inline]
    pub fn push(&self, board: Board, entry: Entry, side: Side) -> Board {
        let line = &self.lines[usize::from(entry.0)];
        let occupied = board[0] | board[1];
        let cells = &line.cells[..self.size];
        let block = cells.iter().take_while(|&&cell| occupied >> cell & 1 != 0).count();
        // In a full line the far piece falls off.
        let carried = line.prefix[block.min(self.size - 1)];
        let mut pushed = board.map(|pieces| {
            let moving = pieces & carried;
            pieces & !line.prefix[block] | if line.down { moving >> line.step } else { moving << line.step }
        });
        pushed[side.index()] |= 1 << line.cells[0];
        pushed
    }

    /// The image of a cell: bit 0 of the number mirrors top and bottom, bit 1 left and right, bit 2 the diagonal.
    fn mirrored_cell(&self, cell: u8, symmetry: usize) -> u8 {
        let size = self.size as u8;
        let (mut row, mut column) = (cell / size, cell % size);
        if symmetry & 1 != 0 {
            row = size - 1 - row;
        }
        if symmetry & 2 != 0 {
            column = size - 1 - column;
        }
        if symmetry & 4 != 0 {
            (row, column) = (column, row);
        }
        row * size + column
    }

    /// The image of a set of cells.
    pub fn mirrored(&self, cells: u32, symmetry: usize) -> u32 {
        let all = 0..(self.size * self.size) as u8;
        all.filter(|cell| cells >> cell & 1 != 0).map(|cell| 1 << self.mirrored_cell(cell, symmetry)).sum()
    }

    /// The image of an entry: the one whose line begins with the images of the first two cells.
    pub fn mirrored_entry(&self, entry: Entry, symmetry: usize) -> Entry {
        let cells = &self.lines[usize::from(entry.0)].cells;
        let begins = [cells[0], cells[1]].map(|cell| self.mirrored_cell(cell, symmetry));
        let found = self.entries().find(|other| self.lines[usize::from(other.0)].cells[..2] == begins);
        found.expect("the entries are closed under the symmetries of the square")
    }
}
