//! Criteria: what players look at, as differences between the side that moved and the other. Counted on bit boards.

use super::bits::{CORNERS, mobility, spread};
use super::stability::safe_discs;
use crate::features::Behaviour;

/// A criterion: its name, what it is, whether the sides see it alike, and its value for the side with the first discs, which has
/// just moved, against that with the second.
#[derive(Debug)]
pub struct Criterion {
    pub name: &'static str,
    pub meaning: &'static str,
    pub behaviour: Behaviour,
    pub value: fn(u64, u64) -> i32,
}

/// Criteria are known by their names.
impl PartialEq for Criterion {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

const fn difference(name: &'static str, meaning: &'static str, value: fn(u64, u64) -> i32) -> Criterion {
    Criterion { name, meaning, behaviour: Behaviour::ANTISYMMETRIC, value }
}

const fn shared(name: &'static str, meaning: &'static str, value: fn(u64, u64) -> i32) -> Criterion {
    Criterion { name, meaning, behaviour: Behaviour::SYMMETRIC, value }
}

/// All of them. All but the last belong to the set `criteria`.
pub static CRITERIA: [Criterion; 10] = [
    difference(
        "mobility",
        "squares that the side that moved could play on, less those of the other",
        |own, other| less(mobility(own, other), mobility(other, own)),
    ),
    difference(
        "potential-mobility",
        "empty squares next to a disc of the other side, less those next to one of the side that moved",
        |own, other| less(spread(other) & !(own | other), spread(own) & !(own | other)),
    ),
    difference("material", "discs, less those of the other side", less),
    difference("corners", "corners held, less those of the other side", |own, other| {
        less(own & CORNERS, other & CORNERS)
    }),
    difference(
        "corner-neighbours",
        "discs next to an empty corner (its X and C squares), less those of the other side",
        |own, other| {
            let near = spread(CORNERS & !(own | other)) & !CORNERS;
            less(own & near, other & near)
        },
    ),
    difference(
        "stable-discs",
        "discs that are seen never to be turned over, less those of the other side",
        |own, other| less(safe_discs(own, other), safe_discs(other, own)),
    ),
    difference(
        "centrality",
        "discs counted 3 in the middle, 2 and 1 in the rings around it, 0 at the edge, less those of the other side",
        |own, other| RINGS.iter().map(|ring| less(own & ring, other & ring)).sum(),
    ),
    // The other side is to move: with an even number of empty squares this one has the last.
    shared(
        "parity",
        "1 if the side that moved has the last move when nobody passes, -1 if the other has",
        |own, other| 1 - 2 * ((own | other).count_zeros() as i32 & 1),
    ),
    difference(
        "square-weights",
        "discs by their squares: a corner 100, beside it -20 and -50, the edge 10 and 5, inside -2 and -1, less those of the other side",
        |own, other| {
            SQUARES.iter().map(|(weight, squares)| weight * less(own & squares, other & squares)).sum()
        },
    ),
    shared("constant", "always 1", |_, _| 1),
];

/// The members of the set `criteria`.
pub fn all() -> &'static [Criterion] {
    &CRITERIA[..CRITERIA.len() - 1]
}

fn less(own: u64, other: u64) -> i32 {
    own.count_ones() as i32 - other.count_ones() as i32
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::bits::mirrored;
    use math::Dice;

    /// The discs of X and of O in a drawing.
    fn board(rows: [&str; 8]) -> (u64, u64) {
        let squares = rows.concat();
        assert_eq!(squares.len(), 64);
        let of =
            |disc: char| (0..64).zip(squares.chars()).filter(|(_, c)| *c == disc).map(|(i, _)| 1 << i).sum();
        (of('X'), of('O'))
    }

    fn value(name: &str, rows: [&str; 8]) -> i32 {
        let (own, other) = board(rows);
        (CRITERIA.iter().find(|one| one.name == name).expect(name).value)(own, other)
    }

    const EMPTY: &str = "........";

    #[test]
    fn mobility_counts_squares_to_play_on() {
        let alone = [EMPTY, EMPTY, EMPTY, "..XOO...", EMPTY, EMPTY, EMPTY, EMPTY];
        // X has f4; O has b4.
        assert_eq!(value("mobility", alone), 0);
        let more = ["XOO.....", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];
        // X has d1; behind X there is no square for O.
        assert_eq!(value("mobility", more), 1);
    }

    #[test]
    fn potential_mobility_counts_open_squares_next_to_discs() {
        // Beside O in the corner three squares are open, two of them beside X as well, which has five in all.
        let rows = ["O.......", "........", "X.......", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];
        // O: b1, a2, b2. X: a2, b2, b3, a4, b4.
        assert_eq!(value("potential-mobility", rows), 3 - 5);
    }

    #[test]
    fn material_and_corners() {
        let rows = ["X......O", ".XX.....", EMPTY, "...O....", EMPTY, EMPTY, EMPTY, "X......."];
        assert_eq!(value("material", rows), 4 - 2);
        assert_eq!(value("corners", rows), 2 - 1);
    }

    #[test]
    fn squares_beside_a_corner_count_while_it_is_empty() {
        // b1 and b2 are beside a1, which is taken; g1 (O), h2 (X) and g2 (O) beside h1, a7 (X) beside a8.
        let rows = ["XX....O.", ".X....OX", EMPTY, EMPTY, EMPTY, EMPTY, "X.......", EMPTY];
        assert_eq!(value("corner-neighbours", rows), 2 - 2);
        let rows = [".X....O.", ".X....OX", EMPTY, EMPTY, EMPTY, EMPTY, "X.......", EMPTY];
        assert_eq!(value("corner-neighbours", rows), 4 - 2);
    }

    #[test]
    fn stable_discs_lean_on_corners() {
        // a1, b1, c1 and a2, b2 of X are safe; O's h8 is, and g7 is not.
        let rows = ["XXX.....", "XX......", EMPTY, "...XO...", EMPTY, EMPTY, "......O.", ".......O"];
        assert_eq!(value("stable-discs", rows), 5 - 1);
    }

    #[test]
    fn centrality_is_more_in_the_middle() {
        // X: d4 3, c3 2, b2 1, a1 0. O: e5 3, e4 3.
        let rows = ["X.......", ".X......", "..X.....", "...XO...", "....O...", EMPTY, EMPTY, EMPTY];
        assert_eq!(value("centrality", rows), 6 - 6);
        assert_eq!(
            value("centrality", ["XX......", EMPTY, "..X.....", EMPTY, "....O...", EMPTY, EMPTY, EMPTY]),
            -1
        );
    }

    #[test]
    fn parity_is_who_has_the_last_move() {
        let full = "XXXXXXXX";
        // Two squares are left: the other side plays one, the side that moved the last one.
        assert_eq!(value("parity", [full, full, full, full, full, full, full, "OOOOOO.."]), 1);
        assert_eq!(value("parity", [full, full, full, full, full, full, full, "OOOOOOO."]), -1);
    }

    #[test]
    fn square_weights_by_hand() {
        // a1 100, b1 -20, c1 10, d1 5, b2 -50, c2 -2 for X; d4 -1, h8 100 for O.
        let rows = ["XXXX....", ".XX.....", EMPTY, "...O....", EMPTY, EMPTY, EMPTY, ".......O"];
        assert_eq!(value("square-weights", rows), 43 - 99);
        assert_eq!(SQUARES.iter().fold(0, |all, (_, squares)| all | squares), u64::MAX);
    }

    #[test]
    fn sides_and_symmetries_are_treated_alike() {
        let mut dice = Dice::seeded(&[31]);
        for _ in 0..500 {
            let (own, rest) = (dice.bits() & dice.bits(), dice.bits());
            let other = rest & !own;
            for Criterion { name, behaviour, value: of, .. } in &CRITERIA {
                let value = of(own, other);
                for symmetry in 1..8 {
                    assert_eq!(of(mirrored(own, symmetry), mirrored(other, symmetry)), value, "{name}");
                }
                let exchanged = if *behaviour == Behaviour::SYMMETRIC { value } else { -value };
                assert_eq!(of(other, own), exchanged, "{name}");
            }
        }
    }
}
