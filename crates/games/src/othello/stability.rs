//! Discs that can never be turned over again, as many as are quickly found. What the opponent holds for ever bounds what the player
//! can reach.
//!
//! A disc is safe if on each of the four lines through it either the whole line is full, or a neighbour on it is safe and of
//! its colour. Along the edges, where nothing else matters, a table knows all.

use std::sync::LazyLock;

use super::bits::{FILE_A, FILE_H};

/// By the discs of both sides on an edge: the first side's that no further discs on this edge can turn over.
static EDGES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    // 255: not known yet and no answer, for a full edge of one colour is its own.
    let mut known = vec![None; 1 << 16];
    for own in 0..256usize {
        for opponent in (0..256usize).filter(|opponent| own & opponent == 0) {
            safe_on_edge(own as u8, opponent as u8, &mut known);
        }
    }
    known.into_iter().map(|safe| safe.unwrap_or(0)).collect()
});

/// The discs of `own` that stay whatever either side puts on the edge, and in whatever order.
fn safe_on_edge(own: u8, opponent: u8, known: &mut Vec<Option<u8>>) -> u8 {
    let place = usize::from(own) << 8 | usize::from(opponent);
    if let Some(safe) = known[place] {
        return safe;
    }
    let mut safe = own;
    for square in (0..8).filter(|square| (own | opponent) >> square & 1 == 0) {
        let flipped = flips_on_edge(own, opponent, square);
        safe &= safe_on_edge(own | flipped | 1 << square, opponent & !flipped, known);
        let flipped = flips_on_edge(opponent, own, square);
        safe &= safe_on_edge(own & !flipped, opponent | flipped | 1 << square, known);
    }
    known[place] = Some(safe);
    safe
}

fn flips_on_edge(own: u8, opponent: u8, square: i32) -> u8 {
    let mut flipped = 0;
    for step in [1, -1] {
        let (mut at, mut run) = (square + step, 0);
        while (0..8).contains(&at) && opponent >> at & 1 != 0 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own >> at & 1 != 0 {
            flipped |= run;
        }
    }
    flipped
}

const COLUMN_TO_ROW: u64 = 0x0102_0408_1020_4080;

/// A column at file a as a row, its first square lowest.
#[inline]
fn column(squares: u64) -> usize {
    ((squares & FILE_A).wrapping_mul(COLUMN_TO_ROW) >> 56) as usize
}

/// The row back as a column at file a.
#[inline]
fn to_column(row: u8) -> u64 {
    // The low seven bits spread without carries, the last one by itself.
    let low = u64::from(row & 127).wrapping_mul(0x0002_0408_1020_4081) & FILE_A;
    low | u64::from(row >> 7) << 56
}

fn safe_on_edges(edges: &[u8], own: u64, opponent: u64) -> u64 {
    let edge = |own: usize, opponent: usize| edges[(own & 255) << 8 | opponent & 255];
    let top = edge(own as usize, opponent as usize);
    let bottom = edge((own >> 56) as usize, (opponent >> 56) as usize);
    let left = edge(column(own), column(opponent));
    let right = edge(column(own >> 7), column(opponent >> 7));
    u64::from(top) | u64::from(bottom) << 56 | to_column(left) | to_column(right) << 7
}

/// The squares of full rows, columns, and diagonals of either kind.
#[inline]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut rows = discs & discs >> 1;
    rows &= rows >> 2;
    rows &= rows >> 4;
    let rows = (rows & FILE_A).wrapping_mul(255);
    let mut columns = discs & discs.rotate_right(8);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(32);
    // Along a diagonal what is empty spreads both ways; beyond the edge there is nothing.
    let gaps = !discs;
    let rising = !spread::<7>(gaps, !FILE_H, !FILE_A);
    let falling = !spread::<9>(gaps, !FILE_A, !FILE_H);
    [rows, columns, rising, falling]
}

/// `up` are the squares that a step towards higher bits may lead to, `down` those for a step back.
#[inline]
fn spread<const STEP: u32>(gaps: u64, mut up: u64, mut down: u64) -> u64 {
    let (mut higher, mut lower) = (gaps, gaps);
    higher |= up & higher << STEP;
    lower |= down & lower >> STEP;
    up &= up << STEP;
    down &= down >> STEP;
    higher |= up & higher << (2 * STEP);
    lower |= down & lower >> (2 * STEP);
    up &= up << (2 * STEP);
    down &= down >> (2 * STEP);
    higher |= up & higher << (4 * STEP);
    lower |= down & lower >> (4 * STEP);
    higher | lower
}

/// Discs of `own` that are safe for ever, whoever is to move.
pub fn safe_discs(own: u64, opponent: u64) -> u64 {
    let [rows, columns, rising, falling] = full_lines(own | opponent);
    let inner = own & 0x007e_7e7e_7e7e_7e00;
    let mut safe = safe_on_edges(&EDGES, own, opponent) | inner & rows & columns & rising & falling;
    if safe == 0 {
        return 0;
    }
    loop {
        let along_row = safe << 1 & !FILE_A | safe >> 1 & !FILE_H | rows;
        let along_column = safe << 8 | safe >> 8 | columns;
        let along_rising = safe << 7 & !FILE_H | safe >> 7 & !FILE_A | rising;
        let along_falling = safe << 9 & !FILE_A | safe >> 9 & !FILE_H | falling;
        let more = inner & along_row & along_column & along_rising & along_falling & !safe;
        if more == 0 {
            return safe;
        }
        safe |= more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Side, Turn};
    use crate::othello::Othello;
    use crate::rules::Fixed;
    use math::Dice;

    #[test]
    fn full_lines_are_those_without_a_gap() {
        let mut dice = Dice::seeded(&[21]);
        for _ in 0..500 {
            let discs = dice.bits() | dice.bits() | dice.bits() | dice.bits();
            for (line, (rows, columns)) in
                full_lines(discs).into_iter().zip([(0, 1), (1, 0), (1, -1), (1, 1)])
            {
                for square in 0..64 {
                    let on_line = |step: i32| {
                        let (row, column) = (square / 8 + step * rows, square % 8 + step * columns);
                        ((0..8).contains(&row) && (0..8).contains(&column)).then(|| 8 * row + column)
                    };
                    let full = (-7..8).filter_map(on_line).all(|square| discs >> square & 1 != 0);
                    assert_eq!(line >> square & 1 != 0, full, "{discs:x} {square} {rows} {columns}");
                }
            }
        }
    }

    #[test]
    fn columns_become_rows_and_back() {
        for row in 0..=255u8 {
            assert_eq!(column(to_column(row)), usize::from(row));
            assert_eq!(to_column(row) & !FILE_A, 0);
        }
    }

    #[test]
    fn what_is_safe_is_never_turned_over() {
        let mut dice = Dice::seeded(&[22]);
        let mut found = 0;
        for _ in 0..300 {
            let (mut board, mut moves, mut safe) = (Othello::start(&Fixed), Vec::new(), [0u64; 2]);
            while board.turn() != Turn::Over {
                for (side, safe) in Side::BOTH.into_iter().zip(&mut safe) {
                    *safe |= safe_discs(board.discs(side), board.discs(side.other()));
                    assert_eq!(*safe & !board.discs(side), 0, "{board:?}");
                    found += safe.count_ones();
                }
                let mv = board.random_move(&mut dice, &mut moves).expect("the game goes on");
                board.play_unchecked(mv);
            }
        }
        assert!(found > 10_000, "{found}");
        // A full board is safe everywhere.
        assert_eq!(safe_discs(!0xff, 0xff), !0xff);
        // A corner, and what leans on it along the edge.
        assert_eq!(safe_discs(0x0f, 0x10), 0x0f);
    }
}
