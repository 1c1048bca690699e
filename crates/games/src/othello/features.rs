//! The features of Othello by name: so far the board itself, after the move and for the side that moved.

use super::{Move, Othello, text};
use crate::error::InputError;
use crate::features::{FeatureInfo, FeatureSet, unknown_feature};
use crate::game::Side;

const BOARD: &str = "board";

/// The names of the sets; each square has a name of its own too.
pub fn feature_list() -> Vec<FeatureInfo> {
    let summary = "every square, a1 to h8: 1 a disc of the side that moved, -1 one of the other, 0 empty";
    vec![FeatureInfo { name: BOARD, summary: summary.into(), is_set: true }]
}

/// Squares, by their numbers.
#[derive(Debug, Clone)]
pub struct OthelloFeatures(Vec<u8>);

impl OthelloFeatures {
    /// The squares that a list of names stands for, each at most once.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn new(names: &str) -> Result<Self, InputError> {
        let mut squares = Vec::new();
        for wanted in names.split([',', '+']).map(str::trim) {
            let named = |&square: &u8| wanted == BOARD || text::square_name(square) == wanted;
            let found: Vec<u8> = (0..64).filter(named).collect();
            if found.is_empty() {
                return Err(unknown_feature(wanted, &feature_list()));
            }
            squares.extend(found);
        }
        let mut seen = 0u64;
        squares.retain(|square| {
            let new = seen >> square & 1 == 0;
            seen |= 1 << square;
            new
        });
        Ok(Self(squares))
    }
}

impl FeatureSet<Othello> for OthelloFeatures {
    fn names(&self) -> Vec<String> {
        self.0.iter().map(|&square| text::square_name(square)).collect()
    }

    fn extract(&self, before: &Othello, _mv: Move, after: &Othello, features: &mut [f64]) {
        self.extract_position(after, before.side(), features);
    }

    fn extract_position(&self, after: &Othello, mover: Side, features: &mut [f64]) -> bool {
        let (own, enemy) = (after.discs(mover), after.discs(mover.other()));
        for (square, feature) in self.0.iter().zip(features) {
            *feature = (own >> square & 1) as f64 - (enemy >> square & 1) as f64;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn the_board_after_the_first_move() {
        let features = OthelloFeatures::new("board").unwrap();
        let names = features.names();
        assert_eq!((names.len(), names[0].as_str(), names[63].as_str()), (64, "a1", "h8"));
        let before = Othello::start(&crate::rules::Fixed);
        let mut after = before;
        let mv = before.parse_move("d3").unwrap();
        after.play(mv).unwrap();
        let mut row = vec![f64::NAN; 64];
        features.extract(&before, mv, &after, &mut row);
        let of = |value: f64| -> Vec<&str> {
            names.iter().zip(&row).filter(|(_, x)| **x == value).map(|(name, _)| name.as_str()).collect()
        };
        // Black has flipped d4.
        assert_eq!((of(1.0), of(-1.0)), (vec!["d3", "d4", "e4", "d5"], vec!["e5"]));
        assert_eq!(of(0.0).len(), 59);
        assert_eq!(OthelloFeatures::new("h8, a1, h8").unwrap().names(), ["h8", "a1"]);
        assert!(OthelloFeatures::new("i9").unwrap_err().to_string().contains("known: board"));
    }
}
