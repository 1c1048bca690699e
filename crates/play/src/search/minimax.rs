//! Minimax, plain: every line to a depth, no pruning, no table, no order. What the others are checked against, and the
//! page to read first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::{Dice, Game, Side, Turn};

use super::evaluation::{Evaluation, rate};
use super::limits::{Budget, MAX_DEPTH};
use super::{Found, Limits, Searcher};

/// The search; knows only the limit of depth, and without one goes to the end of the game.
pub struct Minimax<E> {
    evaluation: E,
    stop: Option<Arc<AtomicBool>>,
}

impl<E> Minimax<E> {
    /// A search over an evaluation.
    pub fn new(evaluation: E) -> Self {
        Self { evaluation, stop: None }
    }
}

struct Visit<'a, E> {
    evaluation: &'a E,
    nodes: u64,
    watch: Budget,
    /// How many leaves lay at the horizon and not at the end of the game.
    horizon: u64,
}

impl<E> Visit<'_, E> {
    /// The value for the side to move and the principal variation that leads to it.
    fn value<G: Game>(
        &mut self,
        position: &G,
        sums: &E::Sums,
        side: Side,
        depth: u32,
        ply: usize,
    ) -> (f64, Vec<G::Move>)
    where
        E: Evaluation<G>,
    {
        self.nodes += 1;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if depth == 0 || moves.is_empty() {
            self.horizon += u64::from(!moves.is_empty());
            return (rate(self.evaluation, position, sums, side, ply), Vec::new());
        }
        let mut best = (f64::NEG_INFINITY, Vec::new());
        for mv in moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let sums = self.evaluation.after(sums, position, mv, &after);
            let (value, mut line) = self.value(&after, &sums, side.other(), depth - 1, ply + 1);
            if -value > best.0 {
                line.insert(0, mv);
                best = (-value, line);
            }
            if self.watch.stops(self.nodes, 1) {
                break;
            }
        }
        best
    }
}

impl<G: Game, E: Evaluation<G>> Searcher<G> for Minimax<E> {
    fn search(&mut self, position: &G, limits: &Limits, _dice: &mut Dice) -> Found<G> {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        let watch = Budget::new(None, None).with_stop(self.stop.clone());
        let depth = limits.depth.unwrap_or(MAX_DEPTH).max(1);
        let mut visit = Visit { evaluation: &self.evaluation, nodes: 0, watch, horizon: 0 };
        let (value, line) = visit.value(position, &self.evaluation.fresh(position), side, depth, 0);
        let best = *line.first().expect("the game is not over");
        let (nodes, exact) = (visit.nodes, visit.horizon == 0 && !visit.watch.stopped);
        Found { best, value, line, depth, nodes, exact, seconds: visit.watch.seconds() }
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }
}
