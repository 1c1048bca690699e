use math::Dice;
use proptest::prelude::*;

use super::*;
use crate::game::{Game, Side};
use crate::othello::{Othello, flips};
use crate::rules::Fixed;

#[test]
fn the_shipped_sets_are_those_of_the_engines() {
    let logistello = PatternSet::shipped("logistello").unwrap();
    assert_eq!((logistello.patterns.len(), logistello.tables.len(), logistello.shown()), (11, 46, 51));
    let edax = PatternSet::shipped("edax").unwrap();
    assert_eq!((edax.tables.len(), edax.shown()), (46, 47));
    // With ties there are as many weights as a ply of Edax's file has.
    let ties = edax.ties();
    assert_eq!((0..edax.weights()).filter(|&number| ties[number] as usize == number).count(), 114_364);
    for (name, _) in SHIPPED {
        let set = PatternSet::shipped(name).unwrap();
        assert_eq!(PatternSet::parse(&set.text()), Ok(set));
    }
}

#[test]
fn faults_are_named_with_their_line() {
    for (text, line, said) in [
        ("a: a1 b1\n\nb: c1 d1 c1", 3, "the square c1 is named twice"),
        ("a: a1 b1 A1", 1, "the square a1 is named twice"),
        ("# x\na: a1 i1", 2, "'i1' is no square"),
        ("a:", 1, "0 squares; allowed: 1 to 10"),
        ("a: a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2", 1, "11 squares"),
        ("a: a1 b1\nb: h8 h7", 2, "b is an image of a"),
        ("a: a1\na: b1", 2, "the name a is taken"),
        ("mobility: a1", 1, "the name mobility is taken"),
        ("a: a1\nmobilty", 2, "'mobilty' is neither 'name: squares' nor one of mobility"),
        ("a: a1\nparity\nparity", 3, "parity is named twice"),
        ("a b: a1", 1, "'a b' is no name"),
        ("parity\n\n", 1, "there is no pattern"),
        ("", 1, "there is no pattern"),
    ] {
        let error = PatternSet::parse(text).unwrap_err();
        assert!(error.line == line && error.reason.contains(said), "{text}: {error}");
    }
    let many: String = ["c2", "d2", "e2", "f2", "g2", "h2", "c3", "d3", "e3"]
        .iter()
        .map(|square| format!("p-{square}: a1 b1 {square}\n"))
        .collect();
    let error = PatternSet::parse(&many).unwrap_err();
    assert!(error.line == 9 && error.reason.contains("more than 64 places"), "{error}");
}

/// A set with every kind of symmetry.
const ANY: &str = "edge: a1 b1 c1 d1 e1 f1 g1 h1\nlong: a1 b2 c3 d4 e5 f6 g7 h8\nblock: a1 b1 c1 a2 b2 c2\nmiddle: d4 e4 d5 e5\nmobility\npotential-mobility\nparity";

/// The entries that a board shows, found square by square as the patterns are defined.
fn plainly(set: &PatternSet, ties: &[u32], own: u64, other: u64) -> Vec<usize> {
    let mut shown = Vec::new();
    for Pattern { squares, first, .. } in &set.patterns {
        let mut seen: Vec<u64> = Vec::new();
        for symmetry in 0..8 {
            let place: Vec<u8> = squares.iter().map(|&square| image(square, symmetry)).collect();
            if seen.contains(&mask(&place)) {
                continue;
            }
            seen.push(mask(&place));
            let digit = |square: u8| (own >> square & 1) as usize + 2 * (other >> square & 1) as usize;
            let number = place.iter().rev().fold(0, |number, &square| 3 * number + digit(square));
            shown.push(ties[first + number] as usize);
        }
    }
    set.each_count(own, other, |entry| shown.push(entry));
    shown.sort_unstable();
    shown
}

fn looked_up(set: &PatternSet, ties: &[u32], indices: &Indices, own: u64, other: u64) -> Vec<usize> {
    let entry = |(&table, &number): (&u32, &u16)| ties[table as usize + usize::from(number)] as usize;
    let mut shown: Vec<usize> = set.tables().iter().zip(indices.numbers()).map(entry).collect();
    set.each_count(own, other, |entry| shown.push(entry));
    shown.sort_unstable();
    shown
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn numbers_kept_up_to_date_are_those_from_scratch(seed: u64) {
        let mut dice = Dice::seeded(&[seed]);
        let set = PatternSet::parse(ANY).unwrap();
        let (ties, exchanged) = (set.ties(), set.exchanged());
        let (mut board, mut moves) = (Othello::start(&Fixed), Vec::new());
        let mut indices = set.fresh(board.discs(Side::First), board.discs(Side::Second));
        while let Some(mv) = board.random_move(&mut dice, &mut moves) {
            if let Some(square) = mv.index() {
                let flipped = flips(square, board.own(), board.opponent());
                indices = set.after(&indices, square, flipped, board.side() == Side::First);
            }
            board.play_unchecked(mv);
            let (first, second) = (board.discs(Side::First), board.discs(Side::Second));
            prop_assert_eq!(indices, set.fresh(first, second));
            prop_assert_eq!(looked_up(&set, &ties, &indices, first, second), plainly(&set, &ties, first, second));
            // Seen by the other side, every number is the exchanged one.
            let other = set.fresh(second, first);
            for ((&table, &number), &theirs) in set.tables().iter().zip(indices.numbers()).zip(other.numbers()) {
                prop_assert_eq!(exchanged[table as usize + usize::from(number)], table + u32::from(theirs));
            }
        }
    }

    #[test]
    fn images_of_a_board_show_the_same(own: u64, rest: u64) {
        let set = PatternSet::parse(ANY).unwrap();
        let ties = set.ties();
        let other = rest & !own;
        let shown = plainly(&set, &ties, own, other);
        for symmetry in 1..8 {
            prop_assert_eq!(&plainly(&set, &ties, mirrored(own, symmetry), mirrored(other, symmetry)), &shown);
        }
    }

    #[test]
    fn any_text_is_taken_without_a_panic(text in "([a-z]{1,3}:( [a-h][1-8]){0,12}\n|[a-z#:\n ]{0,5}|parity\n){0,12}") {
        if let Ok(set) = PatternSet::parse(&text) {
            prop_assert_eq!(PatternSet::parse(&set.text()), Ok(set));
        }
    }
}
