//! Features: the numbers that an evaluation function looks at. They describe a move and the position it leads to, for
//! the side that moves.

use crate::error::InputError;
use crate::game::{Game, Side};

/// A list of named features of one game.
pub trait FeatureSet<G: Game>: Send + Sync {
    /// The name of each feature, in order.
    fn names(&self) -> Vec<String>;

    /// Overwrites `features` with the features of playing `mv` in `before`, which leads to `after`.
    fn extract(&self, before: &G, mv: G::Move, after: &G, features: &mut [f64]);

    /// The same for a position whose last move is not known, only that this side made it. `false`, and nothing is said about
    /// `features`, if some of them describe the move itself.
    fn extract_position(&self, after: &G, mover: Side, features: &mut [f64]) -> bool {
        let _ = (after, mover, features);
        false
    }

    /// For each feature, whether it describes the move itself and not what the move leads to. Nothing later tells it again: a
    /// look ahead adds it up from move to move.
    fn tells_of_move(&self) -> Vec<bool> {
        vec![false; self.names().len()]
    }

    /// Whether a move shows only a few of very many features, as those of tables: they are then read off by
    /// [`FeatureSet::extract_sparse`].
    fn is_sparse(&self) -> bool {
        false
    }

    /// How many features, the first ones, every move shows even where others are entries of tables.
    fn dense_count(&self) -> usize {
        if self.is_sparse() { 0 } else { self.names().len() }
    }

    /// The weighted sum of what a move shows. A game may add it up in another order, one in which its fast path does.
    fn weigh_sparse(&self, weights: &[f64], sparse: &[(u32, f64)]) -> f64 {
        sparse.iter().map(|&(number, value)| weights[number as usize] * value).sum()
    }

    /// Overwrites `sparse` with the numbers of the features of a move that are not 0, and their values. A number may come
    /// more than once: its values add up. By default the features are read off one by one.
    fn extract_sparse(&self, before: &G, mv: G::Move, after: &G, sparse: &mut Vec<(u32, f64)>) {
        let mut row = vec![0.0; self.names().len()];
        self.extract(before, mv, after, &mut row);
        sparse.clear();
        sparse.extend((0..).zip(row).filter(|&(_, value)| value != 0.0));
    }

    /// Overwrites `rows` with the features of every move of a position, one row after the other. A game may override
    /// this with something faster that gives the same numbers.
    fn extract_all(&self, position: &G, moves: &[G::Move], rows: &mut Vec<f64>) {
        let count = self.names().len();
        rows.clear();
        rows.resize(count * moves.len(), 0.0);
        for (&mv, row) in moves.iter().zip(rows.chunks_mut(count.max(1))) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            self.extract(position, mv, &after, row);
        }
    }
}

/// A feature or a named set of them, for lists and help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureInfo {
    /// The name.
    pub name: &'static str,
    /// The definition, or what the set holds, in one line.
    pub summary: String,
    /// Whether it is a set of several.
    pub is_set: bool,
}

/// The error about a feature that a game does not have.
pub(crate) fn unknown_feature(name: &str, known: &[FeatureInfo]) -> InputError {
    let names: Vec<&str> = known.iter().map(|info| info.name).collect();
    let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
    InputError::UnknownFeature { name: name.to_string(), known }
}
