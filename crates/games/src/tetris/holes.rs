//! Tables over the highest rows with holes: how many holes a row has, how else it is open, and what lies over it.
//!
//! What a hole costs depends on how soon it can be opened. That takes the rows over it, the first of which is told by its
//! empty cells; and once it is open, the row itself. Nothing here tells left from right: a board and its mirror image
//! show the same.

use super::height;
use super::surface::Profile;

/// The most rows that a table looks at: their rank has two bits of a code.
const MOST_ROWS: usize = 4;
/// Larger numbers than these are not told apart: holes of a row, its other empty cells, cells over its holes, and empty
/// cells of the row above it.
pub const MOST_HOLES: u32 = 3;
pub const MOST_OPEN: u32 = 3;
pub const MOST_OVER: u32 = 6;
pub const MOST_ABOVE: u32 = 4;

/// Where each number, counted from its least, begins in a code; and the rank of the row.
pub const OPEN_BIT: u32 = 0;
pub const ABOVE_BIT: u32 = 2;
pub const HOLES_BIT: u32 = 4;
pub const OVER_BIT: u32 = 6;
pub const RANK_BIT: u32 = 9;
/// All codes.
pub const CODES: usize = MOST_ROWS << RANK_BIT;
/// A code that no row has, since it stands for four holes.
pub const NO_ROW: u32 = 3 << HOLES_BIT;

/// A table over the highest rows with holes, each rank having entries of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoleRows {
    rows: usize,
    /// The entry of each code.
    numbers: Vec<Option<u32>>,
    names: Vec<String>,
    profiles: Vec<Profile>,
}

/// What is told of a row with holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    holes: u32,
    /// Empty cells that are no holes.
    open: u32,
    /// Cells from the holes up to the tops of their columns, holes among them.
    over: u32,
    /// Empty cells of the row above, of any kind.
    above: u32,
}

impl Row {
    /// The row with this number, from 0, if it has holes.
    fn of(board: &[u32], row: u32) -> Option<Self> {
        let holed = |&&column: &&u32| column >> row & 1 == 0 && height(column) > row;
        let empty = |row: u32| board.iter().filter(|&&column| column >> row & 1 == 0).count() as u32;
        let holes = board.iter().filter(holed).count() as u32;
        let over = board.iter().filter(holed).map(|&column| height(column) - row - 1).sum();
        // There is a row above every hole.
        (holes > 0).then(|| Self { holes, open: empty(row) - holes, over, above: empty(row + 1) })
    }

    /// What such a row may look like, with the rows above it, between two columns that are full: the columns with holes, those that
    /// are open, and those that are empty in the row above alone.
    fn profile(self) -> Profile {
        let full = 0b11;
        let covers = (0..self.holes).map(|hole| {
            let cells = self.over / self.holes + u32::from(hole < self.over % self.holes);
            ((1 << cells) - 1) << 1
        });
        let open = (0..self.open).map(|_| 0);
        let above = (self.open..self.above).map(|_| 1);
        [full].into_iter().chain(covers).chain(open).chain(above).chain([full]).map(Some).collect()
    }

    /// The code of such a row. A full row above, as a lost pile may have, is as one with an empty cell.
    fn code(self, rank: usize) -> usize {
        let above = self.above.clamp(1, MOST_ABOVE) - 1;
        let open = self.open.min(MOST_OPEN);
        let holes = self.holes.min(MOST_HOLES) - 1;
        let over = self.over.min(MOST_OVER) - 1;
        let code = over << OVER_BIT | holes << HOLES_BIT | above << ABOVE_BIT | open << OPEN_BIT;
        rank << RANK_BIT | code as usize
    }
}

impl HoleRows {
    /// The table that a name as `hole-rows-3` stands for, the three highest rows; `None` if it is no such name.
    pub fn parse(name: &str) -> Option<Self> {
        let rows = (1..=MOST_ROWS).find(|rows| name == format!("hole-rows-{rows}"))?;
        let (mut numbers, mut names, mut profiles) = (vec![None; CODES], Vec::new(), Vec::new());
        for rank in 0..rows {
            for holes in 1..=MOST_HOLES {
                for open in 0..=MOST_OPEN {
                    // Something lies over each of them.
                    for over in holes..=MOST_OVER {
                        // What is open is empty above too.
                        for above in open.max(1)..=MOST_ABOVE {
                            let row = Row { holes, open, over, above };
                            numbers[row.code(rank)] = Some(names.len() as u32);
                            names.push(format!("{name}:{}/{holes}/{open}/{over}/{above}", rank + 1));
                            profiles.push(row.profile());
                        }
                    }
                }
            }
        }
        Some(Self { rows, numbers, names, profiles })
    }

    /// How many rows it looks at.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of the entry of each code, if there is one.
    pub fn numbers(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.numbers.iter().map(|number| number.map(|number| number as usize))
    }

    /// The name of each entry: rank of the row from the top, holes, other empty cells, cells over the holes, empty cells of
    /// the row above.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What each entry may look like.
    pub fn profiles(&self) -> &[Profile] {
        &self.profiles
    }

    /// The entries that a board shows, from the highest row down.
    pub fn shown(&self, board: &[u32]) -> impl Iterator<Item = u32> {
        let rows = (0..u32::BITS - 1).rev().filter_map(|row| Row::of(board, row)).enumerate();
        rows.take(self.rows).map(|(rank, row)| self.numbers[row.code(rank)].expect("every row has an entry"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, board: &[u32]) -> Vec<String> {
        let table = HoleRows::parse(name).unwrap();
        table.shown(board).map(|number| table.names()[number as usize].clone()).collect()
    }

    /// ```text
    /// 6 #.....   rows from 1
    /// 5 #.#...   row 5: none
    /// 4 ..#..#   row 4: a hole under a5, three more empty cells, over it a5 and a6, four empty cells in row 5
    /// 3 ####.#   row 3: none
    /// 2 #..#.#   row 2: holes under b3 and c3, e2, over them b3 and c3 to c5; e3 is empty in row 3
    /// 1 .#####   row 1: a hole under a2, over it a2 to a6; three empty cells in row 2
    ///   abcdef
    /// ```
    const BOARD: [u32; 6] = [0b110110, 0b101, 0b11101, 0b111, 0b1, 0b1111];

    #[test]
    fn rows_of_a_drawn_board() {
        let all = ["1/1/3/2/4", "2/2/1/4/1", "3/1/0/5/3"];
        assert_eq!(shown("hole-rows-3", &BOARD), all.map(|one| format!("hole-rows-3:{one}")));
        assert_eq!(shown("hole-rows-4", &BOARD), all.map(|one| format!("hole-rows-4:{one}")));
        assert_eq!(shown("hole-rows-1", &BOARD), ["hole-rows-1:1/1/3/2/4"]);
        let image: Vec<u32> = BOARD.iter().rev().copied().collect();
        assert_eq!(shown("hole-rows-3", &image), shown("hole-rows-3", &BOARD));
        // Without holes nothing is shown.
        assert!(shown("hole-rows-3", &[0b11, 0b1, 0b111, 0]).is_empty());
    }

    #[test]
    fn an_entry_is_drawn_as_it_is_named() {
        let table = HoleRows::parse("hole-rows-1").unwrap();
        for (number, profile) in table.profiles().iter().enumerate() {
            let board: Vec<u32> = profile.iter().flatten().copied().collect();
            assert_eq!(table.shown(&board).collect::<Vec<_>>(), [number as u32], "{}", table.names()[number]);
        }
    }

    #[test]
    fn large_numbers_are_one() {
        // Four holes with 3 cells over each; five more empty cells; nothing but the four columns above.
        let board = [0b1110, 0b1110, 0b1110, 0b1110, 0, 0, 0, 0, 0];
        assert_eq!(shown("hole-rows-2", &board), ["hole-rows-2:1/3/3/6/4"]);
        // A full row above, as on a lost board.
        assert_eq!(shown("hole-rows-2", &[0b10, 0b11]), ["hole-rows-2:1/1/0/1/1"]);
        // The highest row that can have a hole.
        assert_eq!(shown("hole-rows-1", &[1 << 31, u32::MAX]), ["hole-rows-1:1/1/0/1/1"]);
    }

    #[test]
    fn every_entry_has_a_code_and_a_name_of_its_own() {
        let table = HoleRows::parse("hole-rows-3").unwrap();
        // One hole with 6 numbers of cells over it, two with 5, three with 4; above 1 to 4 with 0 or 1 open, then fewer.
        assert_eq!(table.names().len(), 3 * (4 + 4 + 3 + 2) * (6 + 5 + 4));
        let mut numbers: Vec<usize> = table.numbers().flatten().collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..table.names().len()));
        assert_eq!(table.numbers().nth(NO_ROW as usize), Some(None));
        for name in ["hole-rows-0", "hole-rows-5", "hole-rows-03", "hole-rows-", "hole-rows"] {
            assert_eq!(HoleRows::parse(name), None, "{name}");
        }
    }
}
