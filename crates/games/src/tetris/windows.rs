//! Tables over small windows of the board: one feature for each pattern of full and empty cells in each place.
//!
//! A window and its mirror image share their table, so that a board and its image are worth the same. A move shows two
//! entries a window out of thousands: such features are read off as a list of what is there.

/// The most cells of a window: a table has two to the power of them entries.
pub const MOST_CELLS: usize = 16;

/// All windows of one size on a board, each with a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Windows {
    rows: usize,
    columns: usize,
    /// The lowest row and the first column of each window that has a table of its own.
    places: Vec<(usize, usize)>,
    width: usize,
}

impl Windows {
    /// The windows that a name as `cells-3x5` stands for, three rows of five columns; `None` if they do not fit.
    pub fn parse(name: &str, width: usize, height: usize) -> Option<Self> {
        let (rows, columns) = name.strip_prefix("cells-")?.split_once('x')?;
        let (rows, columns): (usize, usize) = (rows.parse().ok()?, columns.parse().ok()?);
        let fits = (1..=height).contains(&rows) && (1..=width).contains(&columns);
        if !fits || rows * columns > MOST_CELLS {
            return None;
        }
        let left =
            (0..=(width - columns) / 2).flat_map(|column| (0..=height - rows).map(move |row| (row, column)));
        Some(Self { rows, columns, places: left.collect(), width })
    }

    /// The number of features: all entries of all tables.
    pub fn count(&self) -> usize {
        self.places.len() << (self.rows * self.columns)
    }

    /// The number of entries that a board shows.
    pub fn shown(&self) -> usize {
        2 * self.places.len()
    }

    /// The name of each feature: the window's size, its lowest row and first column from 1, and its cells as a number in which
    /// the first column comes first and the lowest row of each column is its lowest bit.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        let cells = self.rows * self.columns;
        let name = move |row: usize, column: usize, pattern: usize| {
            format!("cells-{}x{}-{}-{}:{pattern}", self.rows, self.columns, row + 1, column + 1)
        };
        self.places.iter().flat_map(move |&(row, column)| (0..1 << cells).map(move |n| name(row, column, n)))
    }

    /// The rows and columns of a window.
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The last column that a window begins in.
    pub fn last_column(&self) -> usize {
        self.width - self.columns
    }

    /// How many windows begin in a column.
    pub fn in_column(&self) -> usize {
        self.places.len() / (self.last_column() / 2 + 1)
    }

    /// Adds the entries that a board shows, the first feature being number `first`.
    pub fn entries(&self, columns: &[u32], first: u32, entries: &mut Vec<(u32, f64)>) {
        let (mask, cells) = ((1u32 << self.rows) - 1, self.rows * self.columns);
        for (table, &(row, left)) in self.places.iter().enumerate() {
            let right = self.width - self.columns - left;
            let (mut here, mut there) = (0, 0);
            for i in 0..self.columns {
                here = here << self.rows | columns[left + i] >> row & mask;
                there = there << self.rows | columns[right + self.columns - 1 - i] >> row & mask;
            }
            let start = first + ((table as u32) << cells);
            entries.extend([(start + here, 1.0), (start + there, 1.0)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, columns: &[u32], height: usize) -> Vec<String> {
        let windows = Windows::parse(name, columns.len(), height).unwrap();
        let names: Vec<String> = windows.names().collect();
        assert_eq!(names.len(), windows.count());
        let mut entries = Vec::new();
        windows.entries(columns, 0, &mut entries);
        let mut shown: Vec<String> = entries.iter().map(|&(n, _)| names[n as usize].clone()).collect();
        shown.sort();
        shown
    }

    #[test]
    fn a_drawn_board_shows_what_is_there() {
        // Row 2   . . . .
        // Row 1   # . . #
        // Row 0   # # . #      the columns from the left, bit 0 at the floor
        let board = [0b011, 0b001, 0b000, 0b011];
        let two_by_two = shown("cells-2x2", &board, 3);
        let expected = [
            "cells-2x2-1-1:12", // 0b1100: the fourth column at the edge, empty beside it, seen in the mirror
            "cells-2x2-1-1:13", // 0b1101: the first column and the second
            "cells-2x2-1-2:1",  // the middle, in the mirror
            "cells-2x2-1-2:4",  // the middle
            "cells-2x2-2-1:4",  // row 2 and 1 at the left
            "cells-2x2-2-1:4",
            "cells-2x2-2-2:0",
            "cells-2x2-2-2:0",
        ];
        assert_eq!(two_by_two, expected);
    }

    #[test]
    fn an_image_shows_the_same() {
        let board = [0b1011, 0b0001, 0b0100, 0b1111, 0b0010];
        let image: Vec<u32> = board.iter().rev().copied().collect();
        for name in ["cells-1x1", "cells-2x3", "cells-3x5", "cells-4x1", "cells-4x4"] {
            assert_eq!(shown(name, &board, 4), shown(name, &image, 4), "{name}");
        }
    }

    #[test]
    fn windows_must_fit() {
        for name in ["cells-3x6", "cells-6x1", "cells-0x2", "cells-4x5", "cells-3", "cell-1x1", "cells-axb"] {
            assert_eq!(Windows::parse(name, 5, 5), None, "{name}");
        }
        // Three rows of all columns, three columns of all rows: the tables of the 5x5 board.
        let count = |name| Windows::parse(name, 5, 5).unwrap().count();
        assert_eq!((count("cells-3x5"), count("cells-5x3")), (3 << 15, 2 << 15));
    }
}
