//! How each feature is read off: the plain definitions, to which the fast path is held.

use super::features::Feature;
use super::{Placement, Shape, Tetris, height};

/// A placement and the boards before and after it.
pub struct Seen<'a> {
    /// Rows of the board.
    pub rows: u32,
    pub before: &'a [u32],
    pub after: &'a [u32],
    pub shape: &'static Shape,
    /// Where the bottom of the piece came to lie.
    pub landed: u32,
    /// Rows removed.
    pub lines: u32,
    /// Cells of the piece in them.
    pub eroded: u32,
}

impl<'a> Seen<'a> {
    /// What there is to see of this placement.
    pub fn new(before: &'a Tetris, placement: Placement, after: &'a Tetris) -> Self {
        let shape = placement.shape();
        let from = usize::from(placement.column);
        let landed = before.landing_row(shape, from);
        let mut full = u32::MAX;
        for (column, &cells) in before.columns().iter().enumerate() {
            let dropped = shape.columns().get(column.wrapping_sub(from)).map_or(0, |cells| cells << landed);
            full &= cells | dropped;
        }
        let lines = (after.lines() - before.lines()) as u32;
        let gone: u32 = shape.columns().iter().map(|cells| (cells << landed & full).count_ones()).sum();
        let eroded = if lines > 0 { gone } else { 0 };
        let rows = u32::from(before.rules().height);
        Self { rows, before: before.columns(), after: after.columns(), shape, landed, lines, eroded }
    }

    /// The value of a feature.
    pub fn value(&self, feature: Feature) -> f64 {
        let board = self.after;
        match feature {
            Feature::LandingHeight => f64::from(self.landed) + f64::from(self.shape.height() - 1) / 2.0,
            Feature::ErodedCells => f64::from(self.lines * self.eroded),
            Feature::RowTransitions => f64::from(row_transitions(board, self.rows)),
            Feature::ColumnTransitions => f64::from(column_transitions(board)),
            Feature::Holes => f64::from(holes(board)),
            Feature::Wells => f64::from(wells(board)),
            Feature::FastWells => f64::from(fast_wells(board)),
            Feature::HoleDepth => f64::from(hole_depth(board)),
            Feature::RowsWithHoles => f64::from(rows_with_holes(board)),
            Feature::Diversity => f64::from(diversity(board)),
            Feature::Height(column) => f64::from(height(board[usize::from(column)])),
            Feature::Difference(column) => {
                let column = usize::from(column);
                f64::from(height(board[column]).abs_diff(height(board[column + 1])))
            }
            Feature::MaxHeight => f64::from(max_height(board)),
            Feature::SumOfDifferences => f64::from(sum_of_differences(board)),
            Feature::MeanHeight => mean_height(board),
            Feature::MaxHeightChange => f64::from(max_height(board)) - f64::from(max_height(self.before)),
            Feature::HolesChange => f64::from(holes(board)) - f64::from(holes(self.before)),
            Feature::SumOfDifferencesChange => {
                f64::from(sum_of_differences(board)) - f64::from(sum_of_differences(self.before))
            }
            Feature::MeanHeightChange => mean_height(board) - mean_height(self.before),
            Feature::Lines => f64::from(self.lines),
            Feature::Constant => 1.0,
            Feature::Cells => f64::from(board.iter().map(|column| column.count_ones()).sum::<u32>()),
            Feature::WeightedCells => f64::from(weighted_cells(board)),
            Feature::WellCells => f64::from(well_cells(board)),
            Feature::HeightRange => f64::from(max_height(board) - min_height(board)),
            Feature::ConnectedHoles => f64::from(connected_holes(board)),
            Feature::DeepestWell => f64::from(deepest_well(board)),
            Feature::DropDepth => f64::from(self.rows) - f64::from(self.landed + self.shape.height()),
            Feature::Frontier => f64::from(row_transitions(board, self.rows) + column_transitions(board)),
            Feature::LongPieceWells => f64::from(long_piece_wells(board)),
            Feature::HighestHoleRow => f64::from(height(hole_rows(board))),
            Feature::CellsOverHighestHoles => f64::from(cells_over_highest_holes(board)),
            Feature::HoleRowsSquared => f64::from(rows_with_holes(board).pow(2)),
            Feature::ThinCovers => f64::from(thin_covers(board)),
            Feature::AlmostFullRows => f64::from(almost_full_rows(board)),
            Feature::HeightsSquared => {
                f64::from(board.iter().map(|&column| height(column).pow(2)).sum::<u32>())
            }
            Feature::LandingHeightSquared => math::powi(self.value(Feature::LandingHeight), 2),
        }
    }
}

/// The cells of a column's left and right neighbour, walls being full.
fn neighbours(board: &[u32], column: usize) -> (u32, u32) {
    let left = if column == 0 { u32::MAX } else { board[column - 1] };
    (left, board.get(column + 1).copied().unwrap_or(u32::MAX))
}

/// The rows below the top of a column.
fn below_top(column: u32) -> u32 {
    ((1u64 << height(column)) - 1) as u32
}

/// Over all rows of the board. Where a lost pile sticks out, each of its rows counts by how far it is from an empty one,
/// as on the authors' simulator.
fn row_transitions(board: &[u32], rows: u32) -> u32 {
    let top = max_height(board).max(rows);
    let within = ((1u64 << top) - 1) as u32;
    let walls = (board[0] ^ within) & within;
    let right = (board[board.len() - 1] ^ within) & within;
    let pairs: u32 = board.windows(2).map(|pair| ((pair[0] ^ pair[1]) & within).count_ones()).sum();
    walls.count_ones() + pairs + right.count_ones() - 2 * (top - rows)
}

fn column_transitions(board: &[u32]) -> u32 {
    let of = |&column: &u32| (u64::from(column) ^ (u64::from(column) << 1 | 1)).count_ones();
    board.iter().map(of).sum()
}

fn holes(board: &[u32]) -> u32 {
    board.iter().map(|&column| (below_top(column) & !column).count_ones()).sum()
}

/// The number of empty cells from `row` down to the next full cell or the floor.
fn empty_run(column: u32, row: u32) -> u32 {
    row + 1 - height(column & ((2u64 << row) - 1) as u32)
}

/// The rows of a column's well cells, the highest first.
fn well_rows(board: &[u32], column: usize) -> impl Iterator<Item = u32> + use<> {
    let (left, right) = neighbours(board, column);
    // Above the highest full cell of both neighbours there is no well; two walls make none either.
    let mut well = left & right & !board[column];
    std::iter::from_fn(move || {
        let row = u32::BITS.checked_sub(well.leading_zeros() + 1)?;
        well ^= 1 << row;
        Some(row)
    })
}

fn wells(board: &[u32]) -> u32 {
    let of = |column: usize| well_rows(board, column).map(|row| empty_run(board[column], row)).sum::<u32>();
    (0..board.len()).map(of).sum()
}

/// The depth of every well of a column, from its highest well cell down the whole run of empty cells.
fn well_depths(board: &[u32], column: usize) -> impl Iterator<Item = u32> {
    let mut below = u32::BITS;
    well_rows(board, column).filter_map(move |row| {
        // Well cells further down the same run have been counted.
        let depth = if row < below { empty_run(board[column], row) } else { 0 };
        below = below.min(row + 1 - depth);
        (depth > 0).then_some(depth)
    })
}

fn fast_wells(board: &[u32]) -> u32 {
    let of = |column: usize| well_depths(board, column).map(|depth| depth * (depth + 1) / 2).sum::<u32>();
    (0..board.len()).map(of).sum()
}

fn well_cells(board: &[u32]) -> u32 {
    (0..board.len()).map(|column| well_depths(board, column).sum::<u32>()).sum()
}

fn hole_depth(board: &[u32]) -> u32 {
    board.iter().map(|&column| (u64::from(column) & (u64::from(column) + 1)).count_ones()).sum()
}

/// The rows that hold a hole, one bit each.
fn hole_rows(board: &[u32]) -> u32 {
    board.iter().fold(0, |rows, &column| rows | below_top(column) & !column)
}

fn rows_with_holes(board: &[u32]) -> u32 {
    hole_rows(board).count_ones()
}

fn cells_over_highest_holes(board: &[u32]) -> u32 {
    let row = height(hole_rows(board));
    let of = |&column: &u32| {
        let hole = row > 0 && row < height(column) && column >> (row - 1) & 1 == 0;
        if hole { (column >> row).count_ones() } else { 0 }
    };
    board.iter().map(of).sum()
}

fn thin_covers(board: &[u32]) -> u32 {
    let thin = |&&column: &&u32| height(column) >= 2 && column >> (height(column) - 2) & 1 == 0;
    board.iter().filter(thin).count() as u32
}

/// A lost pile that sticks out has such rows above the board too.
fn almost_full_rows(board: &[u32]) -> u32 {
    let empty = |row: u32| board.iter().filter(|&&column| column >> row & 1 == 0).count();
    (0..u32::BITS).filter(|&row| empty(row) == 1).count() as u32
}

fn diversity(board: &[u32]) -> u32 {
    let difference = |pair: &[u32]| height(pair[1]) as i32 - height(pair[0]) as i32;
    let seen = board.windows(2).map(difference).filter(|difference| (-2..=2).contains(difference));
    seen.fold(0u32, |set, difference| set | 1 << (difference + 2)).count_ones()
}

fn max_height(board: &[u32]) -> u32 {
    board.iter().map(|&column| height(column)).max().unwrap_or(0)
}

fn min_height(board: &[u32]) -> u32 {
    board.iter().map(|&column| height(column)).min().unwrap_or(0)
}

fn sum_of_differences(board: &[u32]) -> u32 {
    board.windows(2).map(|pair| height(pair[0]).abs_diff(height(pair[1]))).sum()
}

fn mean_height(board: &[u32]) -> f64 {
    f64::from(board.iter().map(|&column| height(column)).sum::<u32>()) / board.len() as f64
}

fn weighted_cells(board: &[u32]) -> u32 {
    board.iter().map(|&column| sum_of_rows(column)).sum()
}

/// The rows of the cells of a column, from 1, added up: the number of a row less one has five bits, and each is counted.
#[inline]
pub fn sum_of_rows(column: u32) -> u32 {
    let count = |mask: u32| (column & mask).count_ones();
    let low = count(0xaaaa_aaaa) + 2 * count(0xcccc_cccc) + 4 * count(0xf0f0_f0f0);
    column.count_ones() + low + 8 * count(0xff00_ff00) + 16 * count(0xffff_0000)
}

/// The most well cells above the top of a column.
fn deepest_well(board: &[u32]) -> u32 {
    let of = |column: usize| {
        let (left, right) = neighbours(board, column);
        (left & right & !board[column] & !below_top(board[column])).count_ones()
    };
    (0..board.len()).map(of).max().unwrap_or(0)
}

fn connected_holes(board: &[u32]) -> u32 {
    // The lowest cell of each run of holes.
    let of = |&column: &u32| {
        let holes = below_top(column) & !column;
        (holes & !(holes << 1)).count_ones()
    };
    board.iter().map(of).sum()
}

fn long_piece_wells(board: &[u32]) -> u32 {
    let of = |column: usize| {
        let left = if column == 0 { u32::BITS } else { height(board[column - 1]) };
        let right = board.get(column + 1).map_or(u32::BITS, |&cells| height(cells));
        left.min(right).saturating_sub(height(board[column]))
    };
    (0..board.len()).map(of).filter(|&depth| depth >= 3).sum()
}

#[cfg(test)]
mod tests {
    use super::super::features::{feature_list, feature_name, parse_features};
    use super::*;
    use crate::game::Game;
    use crate::rules::Rules;
    use crate::tetris::{Piece, TetrisRules};

    fn tetris(width: &str, board: &str) -> Tetris {
        let rules = TetrisRules::from_pairs([("width", width), ("height", "6")]).unwrap();
        Tetris::parse(&rules, board).unwrap()
    }

    /// Checks features of a board alone: on boards of 6 rows.
    fn board_features(width: &str, board: &str, expected: &[(&str, f64)]) -> Vec<Feature> {
        let (before, after) = (tetris(width, "-"), tetris(width, board));
        let placement = Placement { piece: Piece::O, orientation: 0, column: 0 };
        check(&Seen::new(&before, placement, &after), expected)
    }

    fn check(seen: &Seen, expected: &[(&str, f64)]) -> Vec<Feature> {
        let one = |&(name, value): &(&str, f64)| {
            let features = parse_features(seen.after.len() as u8, name).unwrap();
            assert_eq!(features.len(), 1, "{name}");
            assert!((seen.value(features[0]) - value).abs() < 1e-12, "{name}: {}", seen.value(features[0]));
            features[0]
        };
        expected.iter().map(one).collect()
    }

    /// ```text
    /// 4 #.....   heights 4 2 3 2 0 3
    /// 3 #.#..#   rows: 4 changes in each of the rows 1 to 3, 2 in each of 4 to 6
    /// 2 ##.#.#   columns: 1 3 3 1 1 1
    /// 1 #.##.#   holes: b1 under b2, c2 under c3
    ///   abcdef   wells: b1, b3 and c2 with 1 each, e1 with 1, e2 with 2
    /// ```
    fn example() -> Vec<Feature> {
        board_features(
            "6",
            "#...../#.#..#/##.#.#/#.##.#",
            &[
                ("row-transitions", 18.0),
                ("column-transitions", 10.0),
                ("frontier", 28.0),
                ("holes", 2.0),
                ("connected-holes", 2.0),
                ("wells", 6.0),
                ("fast-wells", 6.0), // b 1 and 1, c 1, e 1+2
                ("well-cells", 5.0), // b1, b3, c2, e1, e2
                ("deepest-well", 2.0),
                ("hole-depth", 2.0),
                ("rows-with-holes", 2.0),
                ("diversity", 3.0), // -2 1 -1 -2 3
                ("height-1", 4.0),
                ("height-5", 0.0),
                ("difference-1", 2.0),
                ("difference-5", 3.0),
                ("max-height", 4.0),
                ("sum-of-differences", 9.0),
                ("mean-height", 14.0 / 6.0),
                ("cells", 12.0),
                ("weighted-cells", 25.0), // 4 in row 1, 4 in row 2, 3 in row 3, 1 in row 4
                ("height-range", 4.0),
                ("long-piece-wells", 0.0), // e is 2 below d
                ("constant", 1.0),
                ("highest-hole-row", 2.0),         // c2
                ("cells-over-highest-holes", 1.0), // c3
                ("hole-rows-squared", 4.0),
                ("thin-covers", 2.0),      // b2 over b1, c3 over c2
                ("almost-full-rows", 0.0), // two cells are empty in rows 1 and 2
                ("heights-squared", 42.0), // 16 + 4 + 9 + 4 + 0 + 9
            ],
        )
    }

    /// ```text
    /// 4 #.#.   holes a1 and a2, connected; above them a3 and a4
    /// 3 #.#.   b is a well from row 3 on, where a is full: runs of 3 and 4
    /// 2 ..#.   d beside the wall: 1+2+3+4
    /// 1 ..#.
    /// ```
    fn deep_wells() -> Vec<Feature> {
        board_features(
            "4",
            "#.#./#.#./..#./..#.",
            &[
                ("wells", 17.0),
                ("fast-wells", 20.0), // 1+2+3+4 in b too
                ("deepest-well", 4.0),
                ("well-cells", 8.0), // all of b, all of d
                ("long-piece-wells", 8.0),
                ("holes", 2.0),
                ("connected-holes", 1.0),
                ("hole-depth", 2.0),
                ("rows-with-holes", 2.0),
                ("diversity", 0.0),
                ("highest-hole-row", 2.0),
                ("cells-over-highest-holes", 2.0), // a3 and a4
                ("thin-covers", 0.0),              // a3 lies right below a4
                ("heights-squared", 32.0),
            ],
        )
    }

    /// ```text
    /// 5 #...
    /// 4 ##..   row 3 is the highest with holes: a3 and b3; above them a4, a5 and b4
    /// 3 ..#.   b4 lies right above b3, a4 is not the highest cell of its column
    /// 2 #.##   b2 is a hole too
    /// 1 ###.   one cell is empty in rows 1 and 2; d1 is a hole below d2, its highest cell
    /// ```
    fn covered_holes() -> Vec<Feature> {
        board_features(
            "4",
            "#.../##../..#./#.##/###.",
            &[
                ("holes", 4.0),
                ("highest-hole-row", 3.0),
                ("cells-over-highest-holes", 3.0),
                ("hole-rows-squared", 9.0),
                ("thin-covers", 2.0),
                ("almost-full-rows", 2.0),
                ("heights-squared", 54.0), // 25 + 16 + 9 + 4
            ],
        )
    }

    /// An O into the corner completes both rows: `##..` twice, and nothing is left.
    fn a_move() -> Vec<Feature> {
        let mut before = tetris("4", "##../##.. O");
        let placement = before.parse_move("0c").unwrap();
        let mut after = before.clone();
        after.play(placement).unwrap();
        before.lines = 0;
        let expected = [
            ("landing-height", 0.5),
            ("landing-height-squared", 0.25),
            ("eroded-cells", 8.0),
            ("lines", 2.0),
            ("drop-depth", 4.0),
            ("max-height-change", -2.0),
            ("holes-change", 0.0),
            ("sum-of-differences-change", -2.0),
            ("mean-height-change", -1.0),
            ("row-transitions", 12.0),
            ("column-transitions", 4.0),
        ];
        check(&Seen::new(&before, placement, &after), &expected)
    }

    #[test]
    fn every_feature_is_as_counted_by_hand() {
        let counted: Vec<Feature> = [example(), deep_wells(), covered_holes(), a_move()].concat();
        for info in feature_list().into_iter().filter(|info| !info.is_set) {
            let feature = parse_features(6, info.name).unwrap()[0];
            assert!(counted.contains(&feature), "{} has no example", feature_name(feature));
        }
    }

    #[test]
    fn a_piece_over_a_gap_lands_on_the_highest_column_and_erodes_only_its_own_cells() {
        // A T pointing down fills row 2 with its foot; the row goes, and with it one cell of the piece.
        let before = tetris("4", "#.##/#.## T");
        let placement = before.parse_move("2a").unwrap();
        let mut after = before.clone();
        after.play(placement).unwrap();
        let expected = [("landing-height", 1.5), ("eroded-cells", 1.0), ("lines", 1.0), ("holes", 1.0)];
        check(&Seen::new(&before, placement, &after), &expected);
    }

    #[test]
    fn sets_have_the_sizes_of_the_papers() {
        let size = |names: &str| parse_features(10, names).unwrap().len();
        let sizes =
            [("bertsekas", 21), ("dellacherie", 6), ("thiery", 2), ("dn", 8), ("bd", 26), ("bdn", 28)];
        let others = [("dt", 9), ("lagoudakis", 10), ("fahey", 4), ("xtris", 6), ("boehm", 12)];
        for (names, expected) in sizes.into_iter().chain(others) {
            assert_eq!(size(names), expected, "{names}");
        }
        assert_eq!(size("dellacherie,thiery"), size("dn"));
        assert_eq!(size("holes + height-10, dn"), 9);
        assert_eq!(size("height-1,difference-1"), 2);
        for wrong in ["", "hole", "height-11", "height-0", "dn,,holes"] {
            assert!(parse_features(10, wrong).is_err(), "{wrong}");
        }
    }
}
