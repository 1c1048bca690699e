//! What an evaluation function may look at: functions of a position for a side, and the table that names them.

use games::Side;
use games::features::{Feature, FeatureGroup, FeatureTable};

use crate::Connect4;
use crate::game::{HEIGHT, WIDTH, cell};

pub(crate) const TABLE: FeatureTable<Connect4> = FeatureTable {
    features: &[
        Feature::of_position(
            "twos",
            "open lines of four with two own discs, less the other's",
            |position, side| lead(position, side, |own, other| open_lines(own, other, 2)),
        )
        .antisymmetric(),
        Feature::of_position("threes", "the same with three discs", |position, side| {
            lead(position, side, |own, other| open_lines(own, other, 3))
        })
        .antisymmetric(),
        Feature::of_position(
            "odd-threats",
            "cells of the rows 1, 3, 5 that complete four",
            |position, side| lead(position, side, |own, other| threats(own, other, 0)),
        )
        .antisymmetric(),
        Feature::of_position(
            "even-threats",
            "cells of the rows 2, 4, 6 that complete four",
            |position, side| lead(position, side, |own, other| threats(own, other, 1)),
        )
        .antisymmetric(),
        Feature::of_position("centre", "discs in the column in the middle", |position, side| {
            lead(position, side, |own, _| (0..HEIGHT).filter(|&row| own & cell(WIDTH / 2, row) != 0).count())
        })
        .antisymmetric(),
        Feature::of_position("constant", "1, so that who has just moved may be better off", |_, _| 1.0)
            .symmetric(),
    ],
    groups: &[FeatureGroup {
        name: "lines",
        meaning: "lines, threats and the middle",
        members: &["twos", "threes", "odd-threats", "even-threats", "centre"],
    }],
};

/// A count for one side less that for the other.
fn lead(position: &Connect4, side: Side, count: impl Fn(u64, u64) -> usize) -> f64 {
    let (own, other) = (position.discs(side), position.discs(side.other()));
    count(own, other) as f64 - count(other, own) as f64
}

/// The 69 lines of four cells, as bits.
fn lines() -> impl Iterator<Item = u64> {
    let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let cells = (0..WIDTH as i8).flat_map(|column| (0..HEIGHT as i8).map(move |row| (column, row)));
    cells.flat_map(move |(column, row)| {
        directions.into_iter().filter_map(move |(right, up)| {
            let (end_column, end_row) = (column + 3 * right, row + 3 * up);
            let inside = end_column < WIDTH as i8 && (0..HEIGHT as i8).contains(&end_row);
            let bit = |i: i8| cell((column + i * right) as u8, (row + i * up) as u8);
            inside.then(|| (0..4).map(bit).sum())
        })
    })
}

/// Lines with this many own discs and none of the other's.
fn open_lines(own: u64, other: u64, count: u32) -> usize {
    lines().filter(|line| line & other == 0 && (line & own).count_ones() == count).count()
}

/// Empty cells that would complete a line of four, of the rows with this remainder by two, the lowest row being 0.
fn threats(own: u64, other: u64, parity: u8) -> usize {
    let open = lines().filter(|line| line & other == 0 && (line & own).count_ones() == 3);
    let all = open.fold(0, |cells, line| cells | line & !own);
    let of_parity = |row: &u8| row % 2 == parity;
    let rows = (0..HEIGHT).filter(of_parity);
    rows.flat_map(|row| (0..WIDTH).map(move |column| cell(column, row))).filter(|bit| all & bit != 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;
    use games::rules::Fixed;

    #[test]
    fn features_by_hand() {
        assert_eq!(lines().count(), 69);
        // x has three in the lowest row, open on the right: one line with three, one threat in row 1.
        let position = Connect4::parse(&Fixed, "......./......./......./......./oo...../xxx....").unwrap();
        let value = |name: &str, side| {
            let set = Connect4::features(&Fixed, name).unwrap();
            let mut row = [0.0];
            assert!(set.extract_position(&position, side, &mut row));
            row[0]
        };
        assert_eq!(value("threes", Side::First), 1.0);
        assert_eq!(value("threes", Side::Second), -1.0);
        assert_eq!((value("odd-threats", Side::First), value("even-threats", Side::First)), (1.0, 0.0));
        assert_eq!(value("centre", Side::First), 0.0);
    }
}
