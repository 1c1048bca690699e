//! Tables: feature sets with one feature for each pattern, of which a board shows a few.

use super::holes::HoleRows;
use super::surface::{Profile, Surface, SurfaceSet};
use super::windows::Windows;

/// The names of tables or the forms of their names, what they are, and one of the form.
pub const TABLE_NAMES: &[(&str, &str, &str)] = &[
    (
        "cells-RxC",
        "tables of all patterns of R rows and C columns, as cells-3x5: one feature for each pattern in each place, mirror \
         images counted together",
        "cells-2x2",
    ),
    (
        "surface-pairs",
        "table of how far both neighbours of a column are above it, -3 or less to 4 or more or a wall: how many columns have \
         each pair, mirror images counted together",
        "surface-pairs",
    ),
    (
        "surface-set",
        "table of what the surface has, a feature being 1 for the very set: height differences of -2 to 2, inner columns with \
         neighbours 0/0, 0/1, 1/0, 1/1, -1/0 or 0/-1 above them; mirror images counted together",
        "surface-set",
    ),
    (
        "surface-KxC",
        "table of K neighbouring columns, 2 to 5, walls too, as surface-4x3: height differences clipped to -C to C, 1 to 7; how \
         many places have each pattern, mirror images counted together",
        "surface-3x2",
    ),
    (
        "hole-rows-N",
        "table of the N highest rows with holes, 1 to 4, as hole-rows-3: a feature being 1 for the rank of such a row, its holes \
         (up to 3), its other empty cells (up to 3), the cells from its holes to the tops of their columns (up to 6) and the empty \
         cells of the row above (1 to 4)",
        "hole-rows-2",
    ),
];

/// A table of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Table {
    /// Windows of cells.
    Cells(Windows),
    /// Height differences of neighbouring columns, place by place.
    Surface(Surface),
    /// What is present on the surface.
    Set(SurfaceSet),
    /// The highest rows with holes.
    Holes(HoleRows),
}

impl Table {
    /// The table of a name on a board of this size; `None` if it is no such name or does not fit.
    pub fn parse(name: &str, width: usize, height: usize) -> Option<Self> {
        if name == SurfaceSet::NAME {
            return Some(Table::Set(SurfaceSet::new()));
        }
        let surface = Surface::parse(name, width).map(Table::Surface);
        let holes = || HoleRows::parse(name).map(Table::Holes);
        surface.or_else(holes).or_else(|| Windows::parse(name, width, height).map(Table::Cells))
    }

    /// The number of features: all entries.
    pub fn count(&self) -> usize {
        match self {
            Table::Cells(windows) => windows.count(),
            Table::Surface(surface) => surface.names().len(),
            Table::Set(set) => set.names().len(),
            Table::Holes(holes) => holes.names().len(),
        }
    }

    /// The name of each feature.
    pub fn names(&self) -> Vec<String> {
        match self {
            Table::Cells(windows) => windows.names().collect(),
            Table::Surface(surface) => surface.names().to_vec(),
            Table::Set(set) => set.names().to_vec(),
            Table::Holes(holes) => holes.names().to_vec(),
        }
    }

    /// Whether all boards show as many entries, so that the same number added to every weight changes no choice.
    pub fn shows_as_many(&self) -> bool {
        !matches!(self, Table::Holes(_))
    }

    /// What there is to draw of each entry, if it tells of the surface or of holes: one pattern of columns, or all that are
    /// present.
    pub fn profiles(&self) -> Option<Vec<Vec<Profile>>> {
        match self {
            Table::Cells(_) => None,
            Table::Surface(surface) => Some(surface.profiles().into_iter().map(|one| vec![one]).collect()),
            Table::Set(set) => Some(set.profiles()),
            Table::Holes(holes) => Some(holes.profiles().iter().map(|one| vec![one.clone()]).collect()),
        }
    }

    /// Adds the entries that a board shows, the first feature being number `first`.
    pub fn entries(&self, board: &[u32], first: u32, entries: &mut Vec<(u32, f64)>) {
        match self {
            Table::Cells(windows) => windows.entries(board, first, entries),
            Table::Surface(surface) => {
                entries.extend(surface.shown(board).map(|number| (first + number, 1.0)));
            }
            Table::Set(set) => entries.push((first + set.shown(board), 1.0)),
            Table::Holes(holes) => {
                entries.extend(holes.shown(board).map(|number| (first + number, 1.0)));
            }
        }
    }
}
