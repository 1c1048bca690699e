//! Functions of Othello that add up entries of tables, their numbers kept up to date from move to move.

use std::sync::Arc;

use games::Side;
use games::othello::patterns::Indices;
use games::othello::{Move, Othello};

use super::evaluation::Evaluation;
use crate::tables::TableModel;

/// Such a function as an evaluation.
#[derive(Clone)]
pub struct Tabled(pub Arc<TableModel>);

impl Evaluation<Othello> for Tabled {
    type Sums = Indices;

    fn fresh(&self, position: &Othello) -> Indices {
        self.0.set().fresh(position.discs(Side::First), position.discs(Side::Second))
    }

    #[inline]
    fn after(&self, sums: &Indices, before: &Othello, mv: Move, after: &Othello) -> Indices {
        match mv.index() {
            // What has changed sides is what the mover has now and the other had before.
            Some(square) => {
                let flipped = after.opponent() & before.opponent();
                self.0.set().after(sums, square, flipped, before.side() == Side::First)
            }
            None => *sums,
        }
    }

    #[inline]
    fn value(&self, position: &Othello, sums: &Indices, side: Side) -> f64 {
        let to_move = position.side();
        let value = self.0.value(sums, position.own(), position.opponent(), to_move == Side::First);
        if side == to_move { value } else { -value }
    }
}

/// Counted from scratch at every position: what the numbers kept up to date are held to.
#[derive(Clone)]
pub struct TabledAfresh(pub Arc<TableModel>);

impl Evaluation<Othello> for TabledAfresh {
    type Sums = ();

    fn fresh(&self, _position: &Othello) {}

    fn value(&self, position: &Othello, _sums: &(), side: Side) -> f64 {
        let value = self.0.fresh_value(position.own(), position.opponent());
        if side == position.side() { value } else { -value }
    }
}
