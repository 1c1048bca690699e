//! One piece deeper in vector lanes: the value of a placement plus what the best answers to the pieces after it are worth.

use super::super::{LOST, Losing, Piece, Placement};
use super::search::{Value, unpack};
use super::terms::ANY;
use super::{LinearPlayer, shape};

impl LinearPlayer {
    /// The first placement of the highest sum of its own value and the expectation of the best one after it. `weights` are
    /// those of the pieces to be dealt next; a piece that is already known takes their place.
    pub fn choose_ahead(&self, piece: Piece, known: Option<Piece>, weights: [u32; 7]) -> Placement {
        let choose = |losing_too| self.best_ahead(piece, known, weights, losing_too);
        choose(self.rules.losing == Losing::Allowed)
            .or_else(|| choose(true))
            .expect("every piece has a placement")
    }

    fn best_ahead(
        &self,
        piece: Piece,
        known: Option<Piece>,
        weights: [u32; 7],
        losing_too: bool,
    ) -> Option<Placement> {
        let mut best = None;
        let mut highest = f64::NEG_INFINITY;
        let mut after = self.clone();
        for orientation in 0..piece.shapes().len() as u8 {
            let shape = shape(piece, orientation);
            for column in 0..=(self.board.width() - shape.width) as u8 {
                // Such a value is no number if the placement loses and may not be chosen.
                let own = self.special_value::<{ ANY }>(shape, column.into(), losing_too);
                if own.is_nan() {
                    continue;
                }
                let placement = Placement { piece, orientation, column };
                after.board = self.board.clone();
                after.play(placement);
                let value = own + after.expectation(known, weights);
                if value > highest || best.is_none() {
                    (highest, best) = (value, Some(placement));
                }
            }
        }
        best
    }

    /// What the next piece can be expected to bring.
    fn expectation(&self, known: Option<Piece>, weights: [u32; 7]) -> f64 {
        if self.lost {
            return LOST;
        }
        if let Some(piece) = known {
            return self.best_value(piece);
        }
        let total: u32 = weights.iter().sum();
        let dealt = Piece::ALL.into_iter().zip(weights).filter(|&(_, weight)| weight > 0);
        let share =
            |(piece, weight): (Piece, u32)| self.best_value(piece) * f64::from(weight) / f64::from(total);
        dealt.map(share).sum()
    }

    /// The value of the best placement of a piece; what a loss is worth if that loses.
    fn best_value(&self, piece: Piece) -> f64 {
        let Value { number, value } = self.best(piece);
        let (orientation, column) = unpack(number);
        let shape = shape(piece, orientation);
        if self.board.dropped(shape, column.into(), self.rules.clearing).lost { LOST } else { value }
    }
}
