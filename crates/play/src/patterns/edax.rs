//! The evaluation file of Edax, `eval.dat`: a function with patterns that Edax has too, written so that Edax plays by it.
//!
//! All numbers have their lowest byte first. The head is two words of 32 bits, "EDAX" and "EVAL" with the first letter highest, then
//! version, release and build, then a date as a 64-bit float: 28 bytes. Then, for each of the plies 0 to 60, which are boards with 4 to 64
//! discs, 114,364 weights of 16 bits, 128 to a disc, for the side to move.
//!
//! The tables follow each other as `patterns/edax.txt` names them. An entry is numbered by its squares in the order of that file, the first
//! one counting most: 0 a disc of the side to move, 1 one of the other, 2 empty. Of entries that are the same in a mirror only the lowest is
//! written. The last weight of a ply is the constant.

use games::othello::patterns::{Counts, PatternSet};
use thiserror::Error;

use super::{Form, TableModel};

/// Weights to a disc.
const SCALE: f64 = 128.0;
const HEAD: [u32; 5] = [u32::from_be_bytes(*b"EDAX"), u32::from_be_bytes(*b"EVAL"), 3, 2, 5];
const FEWEST_DISCS: u32 = 4;
const MOST_DISCS: u32 = 64;

/// Why Edax cannot take a function.
#[derive(Debug, Error, PartialEq)]
pub enum EdaxError {
    /// A table that Edax has not.
    #[error(
        "Edax has no table like {0}; allowed: those of 'evalforge fit tables --patterns edax', all or some, and parity"
    )]
    Table(String),
    /// Values are no discs.
    #[error("its form is {0}; allowed: linear, for Edax counts in discs")]
    Form(&'static str),
    /// A weight does not fit.
    #[error(
        "a weight of {table} with {discs} discs on the board is {weight} discs; allowed: -255 to 255, what Edax has room for"
    )]
    Weight {
        /// The table's name.
        table: String,
        /// The discs on the board.
        discs: u32,
        /// In discs.
        weight: f64,
    },
}

/// The file of a function.
///
/// # Errors
/// Edax cannot take it.
pub fn edax_file(model: &TableModel) -> Result<Vec<u8>, EdaxError> {
    if model.form() != Form::Linear {
        return Err(EdaxError::Form(model.form().name()));
    }
    let order = order(model.set())?;
    let mut bytes: Vec<u8> = HEAD.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(0f64.to_le_bytes());
    for discs in FEWEST_DISCS..=MOST_DISCS {
        let mut put = |entry: Option<usize>, weight: f64| {
            let rounded = (weight * SCALE).round();
            if rounded.abs() > f64::from(i16::MAX) {
                return Err(EdaxError::Weight { table: table_name(model.set(), entry), discs, weight });
            }
            bytes.extend((rounded as i16).to_le_bytes());
            Ok(())
        };
        for &entry in &order {
            put(entry, entry.map_or(0.0, |entry| model.weight(entry, discs)))?;
        }
        // What depends on nothing but the number of discs, on any board that has so many.
        let (mut constant, mut last) = (0.0, None);
        model.set().each_count(u64::MAX >> (64 - discs), 0, |entry| {
            constant += model.weight(entry, discs);
            last = Some(entry);
        });
        put(last, constant)?;
    }
    Ok(bytes)
}

fn table_name(set: &PatternSet, entry: Option<usize>) -> String {
    let holds = |(_, first, count): &(String, usize, usize)| {
        entry.is_some_and(|entry| (*first..first + count).contains(&entry))
    };
    set.sections().into_iter().find(holds).map_or_else(String::new, |(name, _, _)| name)
}

/// For each weight of a ply but the constant, in the order of the file, which weight of the set it is; none where the set has not the pattern.
fn order(set: &PatternSet) -> Result<Vec<Option<usize>>, EdaxError> {
    let edax = PatternSet::shipped("edax").expect("the set is shipped");
    let known = |squares: &[u8]| edax.lane(squares).is_some();
    let foreign = set.patterns().find(|(_, squares)| !known(squares));
    let foreign = foreign.map(|(name, _)| name).or_else(|| {
        let mut counts = set.counts().filter(|count| !matches!(count, Counts::Parity | Counts::Constant));
        counts.next().map(Counts::name)
    });
    if let Some(name) = foreign {
        return Err(EdaxError::Table(name.to_string()));
    }
    let ties = edax.ties();
    let mut order = Vec::new();
    let mut is_there = vec![false; edax.weights()];
    for (_, squares) in edax.patterns() {
        let (theirs, ours) = (edax.lane(squares).expect("it is its own"), set.lane(squares));
        for number in 0..3usize.pow(squares.len() as u32) {
            let (mut own, mut other, mut rest) = (0u64, 0u64, number);
            for &square in squares.iter().rev() {
                match rest % 3 {
                    0 => own |= 1 << square,
                    1 => other |= 1 << square,
                    _ => {}
                }
                rest /= 3;
            }
            let tied = ties[edax.entry(theirs, &edax.fresh(own, other))] as usize;
            if !is_there[tied] {
                is_there[tied] = true;
                order.push(ours.map(|lane| set.entry(lane, &set.fresh(own, other))));
            }
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use games::Dice;
    use games::othello::{Othello, Phases};
    use games::rules::Fixed;
    use games::{Game, Side};

    use super::*;

    /// Every place of Edax's patterns, type by type, as Edax lists them.
    const FEATURES: &str = "
        a1b1a2b2c1a3c2b3c3 h1g1h2g2f1h3f2g3f3 a8a7b8b7a6c8b6c7c6 h8h7g8g7h6f8g6f7f6
        a5a4a3a2a1b2b1c1d1e1 h5h4h3h2h1g2g1f1e1d1 a4a5a6a7a8b7b8c8d8e8 h4h5h6h7h8g7g8f8e8d8
        b2a1b1c1d1e1f1g1h1g2 b7a8b8c8d8e8f8g8h8g7 b2a1a2a3a4a5a6a7a8b7 g2h1h2h3h4h5h6h7h8g7
        a1c1d1c2d2e2f2e1f1h1 a8c8d8c7d7e7f7e8f8h8 a1a3a4b3b4b5b6a5a6a8 h1h3h4g3g4g5g6h5h6h8
        a2b2c2d2e2f2g2h2 a7b7c7d7e7f7g7h7 b1b2b3b4b5b6b7b8 g1g2g3g4g5g6g7g8
        a3b3c3d3e3f3g3h3 a6b6c6d6e6f6g6h6 c1c2c3c4c5c6c7c8 f1f2f3f4f5f6f7f8
        a4b4c4d4e4f4g4h4 a5b5c5d5e5f5g5h5 d1d2d3d4d5d6d7d8 e1e2e3e4e5e6e7e8
        a1b2c3d4e5f6g7h8 a8b7c6d5e4f3g2h1
        b1c2d3e4f5g6h7 h2g3f4e5d6c7b8 a2b3c4d5e6f7g8 g1f2e3d4c5b6a7
        c1d2e3f4g5h6 a3b4c5d6e7f8 f1e2d3c4b5a6 h3g4f5e6d7c8
        d1e2f3g4h5 a4b5c6d7e8 e1d2c3b4a5 h4g5f6e7d8
        d1c2b3a4 a5b6c7d8 e1f2g3h4 h5g6f7e8";

    /// The packed sizes of the tables, the constant left out.
    const SIZES: [usize; 12] = [10206, 29889, 29646, 29646, 3321, 3321, 3321, 3321, 1134, 378, 135, 45];

    /// Where each digit of a table goes in its mirror: the first two are corners, the others are turned round.
    fn mirror(table: usize, squares: usize) -> Vec<usize> {
        match table {
            0 => vec![0, 2, 1, 3, 5, 4, 7, 6, 8],
            1 => vec![9, 8, 7, 6, 4, 5, 3, 2, 1, 0],
            _ => (0..squares).rev().collect(),
        }
    }

    /// What a program sees that reads the file as Edax does: for each table the packed place of every number.
    fn unpacked() -> Vec<Vec<usize>> {
        let squares = [9, 10, 10, 10, 8, 8, 8, 8, 7, 6, 5, 4];
        let table = |(table, &squares): (usize, &usize)| {
            let (mirror, mut count) = (mirror(table, squares), 0);
            let mut packed: Vec<usize> = Vec::new();
            for number in 0..3usize.pow(squares as u32) {
                let digits: Vec<usize> =
                    (0..squares).map(|i| number / 3usize.pow((squares - 1 - i) as u32) % 3).collect();
                let other = mirror.iter().fold(0, |sum, &from| 3 * sum + digits[from]);
                if other < number {
                    packed.push(packed[other]);
                } else {
                    packed.push(count);
                    count += 1;
                }
            }
            assert_eq!(count, SIZES[table]);
            packed
        };
        squares.iter().enumerate().map(table).collect()
    }

    /// The value in 128ths of a disc.
    fn seen_by_edax(file: &[u8], unpacked: &[Vec<usize>], own: u64, other: u64) -> i32 {
        let ply = (own | other).count_ones() as usize - 4;
        let weight = |number: usize| {
            let at = 28 + 2 * (114_364 * ply + number);
            i32::from(i16::from_le_bytes([file[at], file[at + 1]]))
        };
        let mut sum = weight(114_363);
        let mut first = 0;
        for (table, places) in FEATURES.trim().lines().enumerate() {
            for place in places.split_whitespace() {
                let square = |name: &[u8]| (name[0] - b'a') + 8 * (name[1] - b'1');
                let colour = |square: u8| match (own >> square & 1, other >> square & 1) {
                    (1, _) => 0,
                    (_, 1) => 1,
                    _ => 2,
                };
                let number =
                    place.as_bytes().chunks(2).fold(0, |number, name| 3 * number + colour(square(name)));
                sum += weight(first + unpacked[table][number]);
            }
            first += SIZES[table];
        }
        sum
    }

    /// A function of these patterns whose weights are drawn by lot.
    fn any_model(set: PatternSet, phases: &str, spread: f64) -> TableModel {
        let (ties, mut dice) = (set.ties(), Dice::seeded(&[11]));
        let phases = Phases::parse(phases).unwrap();
        let weights: Vec<Vec<f64>> = (0..phases.count())
            .map(|_| {
                let any: Vec<f64> = ties.iter().map(|_| spread * (dice.unit() - 0.5)).collect();
                ties.iter().map(|&lowest| any[lowest as usize]).collect()
            })
            .collect();
        TableModel::new(set, phases, Form::Linear, &weights, "")
    }

    /// Holds the file to the function on the positions of a random game.
    fn same(model: &TableModel, unpacked: &[Vec<usize>]) {
        let file = edax_file(model).unwrap();
        assert_eq!(file.len(), 28 + 61 * 114_364 * 2);
        assert_eq!(&file[..8], b"XADELAVE");
        let (mut dice, mut moves) = (Dice::seeded(&[12]), Vec::new());
        for _ in 0..3 {
            let mut board = Othello::start(&Fixed);
            loop {
                let (own, other) = (board.own(), board.opponent());
                let seen = f64::from(seen_by_edax(&file, unpacked, own, other)) / SCALE;
                let value = model.fresh_value(own, other);
                // Half a step for each of 47 weights.
                assert!((seen - value).abs() <= 23.5 / SCALE, "{seen} {value} {}", board.text());
                let Some(mv) = board.random_move(&mut dice, &mut moves) else { break };
                board.play_unchecked(mv);
            }
            assert!(board.discs(Side::First).count_ones() + board.discs(Side::Second).count_ones() > 30);
        }
    }

    #[test]
    fn edax_sees_the_same_value() {
        let unpacked = unpacked();
        same(&any_model(PatternSet::shipped("edax").unwrap(), "phases(15)", 20.0), &unpacked);
        // Some of the patterns, named from elsewhere on the board, and parity, which is a constant for each ply.
        let some =
            "edge: h8 h7 h6 h5 h4 h3 h2 h1 g2 g7\ncorner: h8 g8 f8 h7 g7 f7 h6 g6 f6\nparity\nconstant";
        same(&any_model(PatternSet::parse(some).unwrap(), "phases(60)", 20.0), &unpacked);
    }

    #[test]
    fn what_edax_has_no_place_for_is_named() {
        let refused = |text: &str| {
            edax_file(&any_model(PatternSet::parse(text).unwrap(), "phases(2)", 1.0)).unwrap_err().to_string()
        };
        assert!(
            refused("row-2: a2 b2 c2 d2 e2 f2 g2 h2\nblock: a1 b1 a2 b2").contains("no table like block")
        );
        assert!(refused("row-2: a2 b2 c2 d2 e2 f2 g2 h2\nmobility").contains("no table like mobility"));
        let set = PatternSet::parse("row-2: a2 b2 c2 d2 e2 f2 g2 h2").unwrap();
        let logistic =
            TableModel::new(set.clone(), Phases::one(), Form::Logistic, &[vec![0.0; set.weights()]], "");
        assert_eq!(edax_file(&logistic), Err(EdaxError::Form("logistic")));
        let large = edax_file(&any_model(set, "phases(2)", 2000.0)).unwrap_err();
        assert!(matches!(&large, EdaxError::Weight { table, discs: 4, .. } if table == "row-2"), "{large}");
    }
}
