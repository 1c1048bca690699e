//! What a search asks of an evaluation: the value of a position for a side, kept up to date from move to move where
//! that is faster. And the scale on which evaluations and ends of games are compared.
//!
//! Ends lie in bands outside all evaluations: won is above, lost below, whatever a function says. Inside a band the margin
//! counts first and then the way there: a win sooner, a loss later. All of it is in whole numbers that `f64` holds
//! exactly, so that values come out equal whichever way a search finds them: alpha-beta and minimax to the last bit. Evaluations
//! stay within [`MOST`], 1e8; decided games lie beyond [`WIN`], 1e9.

use std::sync::Arc;

use games::{Dice, Game, Side, Turn};

use crate::evaluator::Evaluator;

/// A win lies above this, a loss below its negative.
pub const WIN: f64 = 1e9;

/// No evaluation leaves this range: what does is cut off.
pub const MOST: f64 = 1e8;

/// A hundredth of a point, the least margin, outweighs a thousand plies.
const MARGIN: f64 = 1e5;

/// An evaluation of positions in which a player is to move.
pub trait Evaluation<G: Game>: Send + Sync + 'static {
    /// What is kept from move to move: counts, a weighted sum. By default it is counted afresh.
    type Sums: Clone + Send;

    /// Up to how many plies before its horizon a search puts moves in order by the opponent's mobility alone, without a look
    /// at what they lead to: worth it where the evaluation takes long and low mobility is good.
    const BY_ANSWERS: u32 = 0;

    /// Whether nodes of one ply to go are looked up and kept in the table. Where moves are few, a look into memory takes as long as
    /// some of them.
    const LAST_PLY_IN_TABLE: bool = true;

    /// What one move less of the opponent's mobility counts where both put moves in order, in hundredths of how far evaluations lie apart.
    const ANSWER: f64 = 1.0;

    /// Counted from scratch.
    fn fresh(&self, position: &G) -> Self::Sums;

    /// Brought up to date: `mv` leads from `before`, to which `sums` belong, to `after`.
    fn after(&self, sums: &Self::Sums, before: &G, mv: G::Move, after: &G) -> Self::Sums {
        let _ = (sums, before, mv);
        self.fresh(after)
    }

    /// The value for a side; higher is better.
    fn value(&self, position: &G, sums: &Self::Sums, side: Side) -> f64;

    /// The same of a position that may be the end: `None` if it is. What an evaluation counts may tell that by the way.
    #[inline]
    fn value_unless_over(&self, position: &G, sums: &Self::Sums, side: Side) -> Option<f64> {
        (position.turn() != Turn::Over).then(|| self.value(position, sums, side))
    }
}

/// The value of a finished game for a side, `ply` plies below the root. Draws are 0.
pub fn end_value<G: Game>(position: &G, side: Side, ply: usize) -> f64 {
    let value = decided(position.final_value(side));
    if value == 0.0 { 0.0 } else { value - (ply as f64).copysign(value) }
}

/// The value of a game that is known to end with this margin. A draw is 0.
pub fn decided(margin: f64) -> f64 {
    if margin == 0.0 { 0.0 } else { (WIN + (margin.abs() * MARGIN).round()).copysign(margin) }
}

/// Whether a value is that of a game won or lost for certain.
pub fn is_decided(value: f64) -> bool {
    value.abs() > 2.0 * MOST
}

/// The final value behind a decided value; what is not decided stays as it is.
pub fn margin(value: f64) -> f64 {
    if !is_decided(value) {
        return value;
    }
    // The plies are at most a thousandth of a point.
    ((value.abs() - WIN + 500.0) / MARGIN * 100.0).floor().max(1.0).copysign(value) / 100.0
}

/// The value of a position in which `side` is to move, the end being worth what it is.
pub fn rate<G: Game, E: Evaluation<G>>(
    evaluation: &E,
    position: &G,
    sums: &E::Sums,
    side: Side,
    ply: usize,
) -> f64 {
    let value = evaluation.value_unless_over(position, sums, side);
    value.map_or_else(|| end_value(position, side, ply), bounded)
}

/// An evaluation kept out of the bands of decided games; what is no number counts nothing.
#[inline]
pub fn bounded(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-MOST, MOST) }
}

/// The game's own score.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score;

impl<G: Game> Evaluation<G> for Score {
    type Sums = ();

    fn fresh(&self, _position: &G) {}

    #[inline]
    fn value(&self, position: &G, _sums: &(), side: Side) -> f64 {
        position.score(side)
    }
}

/// Any number, always the same for a position: what a search must be right about without help from the evaluation.
#[derive(Debug, Clone, Copy)]
pub struct RandomHash {
    /// Another seed, other numbers.
    pub seed: u64,
    /// How many different numbers there are; few make many ties.
    pub values: usize,
}

impl<G: Game> Evaluation<G> for RandomHash {
    type Sums = ();

    fn fresh(&self, _position: &G) {}

    fn value(&self, position: &G, _sums: &(), side: Side) -> f64 {
        let number = Dice::seeded(&[self.seed, position.key()]).below(self.values) as f64;
        let value = number - (self.values / 2) as f64;
        if side == Side::First { value } else { -value }
    }
}

/// A model over features. They describe a move and what it leads to, for the side that moved: the value is that of the
/// last move. At the root there is none, and nothing to be valued.
pub struct ModelEval<G: Game>(pub Arc<Evaluator<G>>);

impl<G: Game> Evaluation<G> for ModelEval<G> {
    type Sums = Option<(Side, f64)>;

    fn fresh(&self, _position: &G) -> Self::Sums {
        None
    }

    fn after(&self, _sums: &Self::Sums, before: &G, mv: G::Move, after: &G) -> Self::Sums {
        let Turn::Player(side) = before.turn() else { return None };
        if let Some(weights) = self.0.table_weights() {
            let mut sparse = Vec::new();
            self.0.features().extract_sparse(before, mv, after, &mut sparse);
            return Some((side, self.0.features().weigh_sparse(weights, &sparse)));
        }
        // An inner node allocates nothing, if the features are not uncommonly many.
        let (mut few, mut many) = ([0.0; 64], Vec::new());
        let count = self.0.names().len();
        let row = match few.get_mut(..count) {
            Some(row) => row,
            None => {
                many.resize(count, 0.0);
                &mut many[..]
            }
        };
        self.0.features().extract(before, mv, after, row);
        Some((side, self.0.model().value(row)))
    }

    fn value(&self, _position: &G, sums: &Self::Sums, side: Side) -> f64 {
        match *sums {
            Some((mover, value)) if mover == side => value,
            Some((_, value)) => -value,
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::avalam::Avalam;

    #[test]
    fn ends_are_outside_all_evaluations_and_keep_their_margin() {
        let lone = |a: &str, b: &str| {
            let mut cells = vec!["0"; 81];
            (cells[2], cells[77]) = (a, b);
            Avalam::parse(&Default::default(), &format!("{}; 1", cells.join(" "))).unwrap()
        };
        let value = |position: &Avalam, ply| end_value(position, Side::First, ply);
        let (hundredth, two, level) = (lone("5", "-4"), lone("5", "4"), lone("5", "-5"));
        assert!(value(&hundredth, 100) > MOST && value(&two, 120) > value(&hundredth, 0));
        assert!(value(&two, 3) > value(&two, 5), "a win sooner");
        assert!(end_value(&two, Side::Second, 5) > end_value(&two, Side::Second, 3), "a loss later");
        assert_eq!(value(&level, 9), 0.0);
        for ply in [0, 1, 77] {
            assert_eq!(margin(value(&two, ply)), 2.0);
            assert_eq!(margin(value(&hundredth, ply)), 0.01);
            assert_eq!(margin(end_value(&hundredth, Side::Second, ply)), -0.01);
        }
        assert_eq!(margin(-3.25), -3.25);
        assert_eq!((bounded(f64::INFINITY), bounded(f64::NAN)), (MOST, 0.0));
    }
}
