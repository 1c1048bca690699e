//! Criteria: what players look at, as differences between the side that moved and the other. Counted on bit boards.

use super::bits::{CORNERS, mobility, spread};
use super::stability::safe_discs;

/// One number read off the board after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the table below says what each one is
pub enum Criterion {
    Mobility,
    PotentialMobility,
    Material,
    Corners,
    CornerNeighbours,
    StableDiscs,
    Centrality,
    Parity,
    SquareWeights,
    Constant,
}

use Criterion::*;

/// Name, criterion and definition. All but the last belong to the set `criteria`.
pub const CRITERIA: &[(&str, Criterion, &str)] = &[
    ("mobility", Mobility, "squares that the side that moved could play on, less those of the other"),
    (
        "potential-mobility",
        PotentialMobility,
        "empty squares next to a disc of the other side, less those next to one of the side that moved",
    ),
    ("material", Material, "discs, less those of the other side"),
    ("corners", Corners, "corners held, less those of the other side"),
    (
        "corner-neighbours",
        CornerNeighbours,
        "discs next to an empty corner (its X and C squares), less those of the other side",
    ),
    (
        "stable-discs",
        StableDiscs,
        "discs that are seen never to be turned over, less those of the other side",
    ),
    (
        "centrality",
        Centrality,
        "discs counted 3 in the middle, 2 and 1 in the rings around it, 0 at the edge, less those of the other side",
    ),
    ("parity", Parity, "1 if the side that moved has the last move when nobody passes, -1 if the other has"),
    (
        "square-weights",
        SquareWeights,
        "discs by their squares: a corner 100, beside it -20 and -50, the edge 10 and 5, inside -2 and -1, less those of the other side",
    ),
    ("constant", Constant, "always 1"),
];

/// The members of the set `criteria`.
pub fn all() -> impl Iterator<Item = Criterion> {
    CRITERIA.iter().map(|&(_, criterion, _)| criterion).filter(|&criterion| criterion != Constant)
}

/// The classic weights of the squares of a quarter of the board; the others are its images.
const QUARTER: [[i32; 4]; 4] = [[100, -20, 10, 5], [-20, -50, -2, -2], [10, -2, -1, -1], [5, -2, -1, -1]];

/// Each weight with its squares.
const SQUARES: [(i32, u64); 7] = {
    let mut classes = [(100, 0), (-20, 0), (-50, 0), (10, 0), (5, 0), (-2, 0), (-1, 0)];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        let mut class = 0;
        while class < 7 {
            if classes[class].0 == QUARTER[row][column] {
                classes[class].1 |= 1 << square;
            }
            class += 1;
        }
        square += 1;
    }
    classes
};

/// The four squares in the middle, with one ring, with two.
const RINGS: [u64; 3] = [0x0000_0018_1800_0000, 0x0000_3c3c_3c3c_0000, 0x007e_7e7e_7e7e_7e00];

impl Criterion {
    /// Its value for the side with the discs `own`, which has just moved.
    pub fn value(self, own: u64, other: u64) -> f64 {
        let empties = !(own | other);
        let less = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
        let difference = match self {
            Mobility => less(mobility(own, other), mobility(other, own)),
            PotentialMobility => less(spread(other) & empties, spread(own) & empties),
            Material => less(own, other),
            Corners => less(own & CORNERS, other & CORNERS),
            CornerNeighbours => {
                let near = spread(empties & CORNERS) & !CORNERS;
                less(own & near, other & near)
            }
            StableDiscs => less(safe_discs(own, other), safe_discs(other, own)),
            Centrality => RINGS.iter().map(|ring| less(own & ring, other & ring)).sum(),
            // The other side is to move: with an even number of empty squares this one has the last.
            Parity => 1 - 2 * (empties.count_ones() as i32 & 1),
            SquareWeights => {
                SQUARES.iter().map(|(weight, squares)| weight * less(own & squares, other & squares)).sum()
            }
            Constant => 1,
        };
        f64::from(difference)
    }

    /// The name in the list.
    pub fn name(self) -> &'static str {
        CRITERIA.iter().find(|(_, one, _)| *one == self).expect("every criterion is in the list").0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::othello::bits::mirrored;

    /// The discs of X and of O in a drawing.
    fn board(rows: [&str; 8]) -> (u64, u64) {
        let squares = rows.concat();
        assert_eq!(squares.len(), 64);
        let of =
            |disc: char| (0..64).zip(squares.chars()).filter(|(_, c)| *c == disc).map(|(i, _)| 1 << i).sum();
        (of('X'), of('O'))
    }

    fn value(criterion: Criterion, rows: [&str; 8]) -> f64 {
        let (own, other) = board(rows);
        criterion.value(own, other)
    }

    const EMPTY: &str = "........";

    #[test]
    fn mobility_counts_squares_to_play_on() {
        let alone = [EMPTY, EMPTY, EMPTY, "..XOO...", EMPTY, EMPTY, EMPTY, EMPTY];
        // X has f4; O has b4.
        assert_eq!(value(Mobility, alone), 0.0);
        let more = ["XOO.....", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];
        // X has d1; behind X there is no square for O.
        assert_eq!(value(Mobility, more), 1.0);
    }

    #[test]
    fn potential_mobility_counts_open_squares_next_to_discs() {
        // Beside O in the corner three squares are open, two of them beside X as well, which has five in all.
        let rows = ["O.......", "........", "X.......", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];
        // O: b1, a2, b2. X: a2, b2, b3, a4, b4.
        assert_eq!(value(PotentialMobility, rows), 3.0 - 5.0);
    }

    #[test]
    fn material_and_corners() {
        let rows = ["X......O", ".XX.....", EMPTY, "...O....", EMPTY, EMPTY, EMPTY, "X......."];
        assert_eq!(value(Material, rows), 4.0 - 2.0);
        assert_eq!(value(Corners, rows), 2.0 - 1.0);
    }

    #[test]
    fn squares_beside_a_corner_count_while_it_is_empty() {
        // b1 and b2 are beside a1, which is taken; g1 (O), h2 (X) and g2 (O) beside h1, a7 (X) beside a8.
        let rows = ["XX....O.", ".X....OX", EMPTY, EMPTY, EMPTY, EMPTY, "X.......", EMPTY];
        assert_eq!(value(CornerNeighbours, rows), 2.0 - 2.0);
        let rows = [".X....O.", ".X....OX", EMPTY, EMPTY, EMPTY, EMPTY, "X.......", EMPTY];
        assert_eq!(value(CornerNeighbours, rows), 4.0 - 2.0);
    }

    #[test]
    fn stable_discs_lean_on_corners() {
        // a1, b1, c1 and a2, b2 of X are safe; O's h8 is, and g7 is not.
        let rows = ["XXX.....", "XX......", EMPTY, "...XO...", EMPTY, EMPTY, "......O.", ".......O"];
        assert_eq!(value(StableDiscs, rows), 5.0 - 1.0);
    }

    #[test]
    fn centrality_is_more_in_the_middle() {
        // X: d4 3, c3 2, b2 1, a1 0. O: e5 3, e4 3.
        let rows = ["X.......", ".X......", "..X.....", "...XO...", "....O...", EMPTY, EMPTY, EMPTY];
        assert_eq!(value(Centrality, rows), 6.0 - 6.0);
        assert_eq!(
            value(Centrality, ["XX......", EMPTY, "..X.....", EMPTY, "....O...", EMPTY, EMPTY, EMPTY]),
            -1.0
        );
    }

    #[test]
    fn parity_is_who_has_the_last_move() {
        let full = "XXXXXXXX";
        // Two squares are left: the other side plays one, the side that moved the last one.
        assert_eq!(value(Parity, [full, full, full, full, full, full, full, "OOOOOO.."]), 1.0);
        assert_eq!(value(Parity, [full, full, full, full, full, full, full, "OOOOOOO."]), -1.0);
    }

    #[test]
    fn square_weights_by_hand() {
        // a1 100, b1 -20, c1 10, d1 5, b2 -50, c2 -2 for X; d4 -1, h8 100 for O.
        let rows = ["XXXX....", ".XX.....", EMPTY, "...O....", EMPTY, EMPTY, EMPTY, ".......O"];
        assert_eq!(value(SquareWeights, rows), 43.0 - 99.0);
        assert_eq!(SQUARES.iter().fold(0, |all, (_, squares)| all | squares), u64::MAX);
    }

    #[test]
    fn sides_and_symmetries_are_treated_alike() {
        let mut dice = Dice::seeded(&[31]);
        for _ in 0..500 {
            let (own, rest) = (dice.bits() & dice.bits(), dice.bits());
            let other = rest & !own;
            for (name, criterion, _) in CRITERIA {
                let value = criterion.value(own, other);
                for symmetry in 1..8 {
                    assert_eq!(
                        criterion.value(mirrored(own, symmetry), mirrored(other, symmetry)),
                        value,
                        "{name}"
                    );
                }
                if !matches!(criterion, Parity | Constant) {
                    assert_eq!(criterion.value(other, own), -value, "{name}");
                }
            }
        }
    }
}
