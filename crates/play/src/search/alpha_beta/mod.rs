//! Alpha-beta: the value of plain minimax, without the lines that cannot change it.
//!
//! Negamax with principal variation search: the first move gets the whole window, every other a null window, in which it only has to be
//! shown to be no better; values are `f64`, and a null window is one step of `next_up`. Iterative deepening, so that time may run out at
//! any moment and the move order of one depth serves the next; a transposition table; aspiration windows around the last value.
//!
//! Nothing is pruned on suspicion: depth d has the value of minimax at depth d, with or without table (a test holds the two together). A
//! node no leaf of which lay at the horizon is known "to the end", in the table too; when the root is, the search is exact and stops. Only
//! with [`Cuts`], which have to be asked for, it prunes what a shallower search makes as good as certain.

mod every_move;
mod root;
mod swindle;
#[cfg(test)]
mod tests;

use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::{Game, Side, Turn};

use super::DepthTime;
use super::clock::Clock;
use super::endgame::Endgame;
use super::evaluation::{Evaluation, MOST, bounded, end_value, is_decided, rate};
use super::limits::{Budget, MAX_DEPTH};
use super::order::{History, Killers, Ranked, sort};
use super::probcut::Cuts;
use super::table::{Bound, TO_THE_END, Table};
use crate::PlayedGame;

/// Memory for the table, in megabytes, unless said otherwise.
pub const DEFAULT_TABLE: usize = 64;

/// The first ply below the root at which [`Cuts`] may prune.
const FIRST_CUT: usize = 2;

/// The buffers of one ply: an inner node allocates nothing.
struct Ply<G: Game, E: Evaluation<G>> {
    moves: Vec<G::Move>,
    children: Vec<G>,
    sums: Vec<E::Sums>,
    ranked: Vec<Ranked>,
}

impl<G: Game, E: Evaluation<G>> Default for Ply<G, E> {
    fn default() -> Self {
        Self { moves: Vec::new(), children: Vec::new(), sums: Vec::new(), ranked: Vec::new() }
    }
}

/// The search and what it remembers.
pub struct AlphaBeta<G: Game, E: Evaluation<G>> {
    evaluation: E,
    table: Option<Table<G::Move>>,
    /// Whether a depth begins with an aspiration window: narrow, around the value of the one before.
    pub aspiration: bool,
    /// How much is played for mistakes of the other side by who is behind, from 0 to 0.9; never in a search to a depth.
    pub swindle: f64,
    clock: Clock,
    endgame: Option<Box<dyn Endgame<G>>>,
    cuts: Option<Box<Cuts>>,
    plies: Vec<Ply<G, E>>,
    killers: Vec<Killers<G::Move>>,
    /// The principal variation from each ply on.
    lines: Vec<Vec<G::Move>>,
    history: History,
    watch: Budget,
    stop: Option<Arc<AtomicBool>>,
    nodes: u64,
    /// What one move less of the opponent's mobility is worth when moves are put in order: some hundredths of how far the evaluations
    /// of the moves at the root lie apart. Low mobility is less to search: with 27 plies played in Avalam, searched to the end by the
    /// score, a quarter less.
    unit: f64,
    /// How many leaves lay at the horizon and not at the end of the game, or were known only to a depth.
    horizon: u64,
    depths: Vec<DepthTime>,
}

/// A node: where it is, and its window.
#[derive(Clone, Copy)]
struct Node {
    side: Side,
    depth: u32,
    ply: usize,
    alpha: f64,
    beta: f64,
}

impl Node {
    /// One whose value is asked for, whatever it is.
    fn open(side: Side, depth: u32, ply: usize) -> Node {
        Node { side, depth, ply, alpha: f64::NEG_INFINITY, beta: f64::INFINITY }
    }

    /// The node below, with this window of the parent.
    fn below(&self, alpha: f64, beta: f64) -> Node {
        Node { side: self.side.other(), depth: self.depth - 1, ply: self.ply + 1, alpha: -beta, beta: -alpha }
    }
}

/// The best so far at a node.
struct Best<M> {
    value: f64,
    mv: Option<M>,
}

impl<G: PlayedGame, E: Evaluation<G>> AlphaBeta<G, E> {
    /// A search with a table of at most so many megabytes; with 0 there is none.
    ///
    /// # Panics
    /// If the game is not one of two sides without chance.
    pub fn new(evaluation: E, table: usize) -> Self {
        assert!(super::is_searchable::<G>(), "{} is no game of two sides without chance", G::NAME);
        let most = MAX_DEPTH as usize + 1;
        Self {
            evaluation,
            table: (table > 0).then(|| Table::new(table)),
            aspiration: true,
            swindle: G::SWINDLE,
            clock: Clock::of::<G>(),
            endgame: None,
            cuts: None,
            plies: (0..most).map(|_| Ply::default()).collect(),
            killers: vec![Killers::default(); most],
            lines: vec![Vec::new(); most + 1],
            history: History::default(),
            watch: Budget::new(None, None),
            stop: None,
            nodes: 0,
            unit: 0.0,
            horizon: 0,
            depths: Vec::new(),
        }
    }

    /// With another plan for the time of a game.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// With a way to find out who wins near the end. It is asked only when time or nodes are limited and no depth is: a search
    /// to a depth stays what it is.
    #[must_use]
    pub fn with_endgame(mut self, endgame: Option<Box<dyn Endgame<G>>>) -> Self {
        self.endgame = endgame;
        self
    }

    /// Leaving out what is as good as certain by these cuts. What it finds is no longer the value of minimax.
    #[must_use]
    pub fn with_cuts(mut self, cuts: Option<Cuts>) -> Self {
        self.cuts = cuts.map(Box::new);
        self
    }

    /// Whether a shallower search makes it as good as certain on which side of its null window the value of a node lies: the bound
    /// that is kept then. Only the side that the evaluation points to is tried. Neither at the root nor next to it, nor in wide
    /// windows (on the principal variation), nor where an end is in question.
    fn cut(&mut self, position: &G, sums: &E::Sums, node: Node) -> Option<f64> {
        let Node { side, depth, ply, alpha, beta } = node;
        let is_narrow = beta <= alpha.next_up() && !is_decided(alpha) && !is_decided(beta);
        let is_asked =
            ply >= FIRST_CUT && is_narrow && self.cuts.as_ref().is_some_and(|cuts| cuts.know(depth));
        if !is_asked || position.turn() == Turn::Over {
            return None;
        }
        // A search that is asked for a cut makes none itself.
        let cuts = self.cuts.take()?;
        let is_high = bounded(self.evaluation.value(position, sums, side)) >= beta;
        let (bound, sigmas) = if is_high { (beta, cuts.confidence) } else { (alpha, -cuts.confidence) };
        let (horizon, mut made) = (self.horizon, None);
        for cut in cuts.at(depth, position.step()) {
            let threshold = cut.threshold(bound, sigmas);
            if threshold.abs() >= MOST {
                continue;
            }
            let (alpha, beta) =
                if is_high { (threshold.next_down(), threshold) } else { (threshold, threshold.next_up()) };
            let value = self.visit(position, sums, Node { depth: cut.shallow, alpha, beta, ..node });
            if self.watch.stopped {
                break;
            }
            if (is_high && value >= threshold) || (!is_high && value <= threshold) {
                made = Some(bound);
                break;
            }
        }
        (self.cuts, self.horizon) = (Some(cuts), horizon);
        made
    }

    /// The value of a node. A fail low (at most `alpha`) or a fail high (at least `beta`) is a bound only. Without meaning once the watch
    /// has stopped.
    fn visit(&mut self, position: &G, sums: &E::Sums, node: Node) -> f64 {
        let Node { side, depth, ply, alpha, beta } = node;
        self.nodes += 1;
        if ply > 0 && self.watch.stops(self.nodes, 1) {
            return 0.0;
        }
        if depth == 1 && !E::LAST_PLY_IN_TABLE {
            return self.untabled(position, sums, node);
        }
        let key = position.key();
        let known = self.table.as_ref().and_then(|table| table.get(key));
        let mut hint = known.and_then(|entry| entry.best);
        if let Some(entry) = known
            && ply > 0
            && u32::from(entry.depth) >= depth
        {
            let value = from_table(entry.value, ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
                Bound::Nothing => false,
            };
            if enough {
                self.horizon += u64::from(entry.depth != TO_THE_END);
                self.lines[ply].clear();
                return value;
            }
        }
        if let Some(bound) = self.cut(position, sums, node) {
            self.lines[ply].clear();
            // It is known to this depth, and not to the end.
            self.horizon += 1;
            if let Some(table) = &mut self.table {
                let side = if bound >= beta { Bound::Lower } else { Bound::Upper };
                table.put(key, bound, None, depth as u8, side);
            }
            return bound;
        }
        if self.cuts.is_some() {
            if self.watch.stopped {
                return 0.0;
            }
            // A search that made no cut has found a move to begin with.
            hint = hint.or_else(|| self.table.as_ref()?.get(key)?.best);
        }
        self.lines[ply].clear();
        let mut buffers = take(&mut self.plies[ply]);
        position.legal_moves(&mut buffers.moves);
        if buffers.moves.is_empty() {
            self.plies[ply] = buffers;
            return end_value(position, side, ply);
        }
        debug_assert_eq!(position.turn(), Turn::Player(side), "the sides move in turn");
        let horizon = take(&mut self.horizon);
        let best = match depth {
            1 => self.last_ply(position, sums, node, hint, &mut buffers),
            _ => self.inner(position, sums, node, hint, &mut buffers),
        };
        self.plies[ply] = buffers;
        if !self.watch.stopped {
            self.learn(key, node, &best);
        }
        self.horizon += horizon;
        best.value
    }

    /// All moves of a node with more than one ply to go.
    fn inner(
        &mut self,
        position: &G,
        sums: &E::Sums,
        node: Node,
        hint: Option<G::Move>,
        buffers: &mut Ply<G, E>,
    ) -> Best<G::Move> {
        let mut best = Best { value: f64::NEG_INFINITY, mv: None };
        let Ply { moves, children, sums: sums_after, ranked } = buffers;
        // The table's move often makes the cut-off: the others are rated only if it does not.
        let hinted = hint.and_then(|hint| moves.iter().position(|&mv| mv == hint));
        let mut begin = 0;
        if let Some(place) = hinted {
            // The others keep their order.
            moves[..=place].rotate_right(1);
            begin = 1;
            let (after, sums) = self.child(position, sums, moves[0]);
            if self.try_move(&after, &sums, moves[0], node, &mut best) {
                return best;
            }
        }
        children.clear();
        sums_after.clear();
        ranked.clear();
        let by_answers = node.depth <= E::BY_ANSWERS;
        for (i, mv) in moves[begin..].iter().enumerate() {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            if node.depth > 2 && self.is_known_enough(&after, *mv, node, &mut best) {
                return best;
            }
            let value = if by_answers {
                -(after.count_moves() as f64)
            } else {
                let sums = self.evaluation.after(sums, position, *mv, &after);
                let value = -rate(&self.evaluation, &after, &sums, node.side.other(), node.ply + 1);
                sums_after.push(sums);
                if node.depth > 3 { value - self.unit * after.count_moves() as f64 } else { value }
            };
            let history_score = self.history.get(mv);
            ranked.push(Ranked { child: i as u32, history_score, value });
            children.push(after);
        }
        if node.ply > 0 && self.watch.stops(self.nodes, ranked.len() as u32) {
            return best;
        }
        sort(ranked);
        for one in ranked.iter() {
            let number = one.child as usize;
            let (after, mv) = (&children[number], moves[begin + number]);
            let counted;
            let sums = if by_answers {
                counted = self.evaluation.after(sums, position, mv, after);
                &counted
            } else {
                &sums_after[number]
            };
            if self.try_move(after, sums, mv, node, &mut best) {
                break;
            }
        }
        best
    }

    /// Whether what the table knows of a child makes a cut-off before any child is searched (enhanced transposition cut-off).
    fn is_known_enough(&mut self, after: &G, mv: G::Move, node: Node, best: &mut Best<G::Move>) -> bool {
        let Some(entry) = self.table.as_ref().and_then(|table| table.get(after.key())) else { return false };
        let value = -from_table(entry.value, node.ply + 1);
        let is_deep = u32::from(entry.depth) + 1 >= node.depth;
        if node.ply == 0 || !is_deep || entry.bound == Bound::Lower || value < node.beta {
            return false;
        }
        self.horizon += u64::from(entry.depth != TO_THE_END);
        self.lines[node.ply + 1].clear();
        self.improve(value, mv, node, best)
    }

    /// Searches one move, all but the first in a null window and once more if they fail high; whether that ends the node, by a cut-off or
    /// because the watch has stopped.
    fn try_move(
        &mut self,
        after: &G,
        sums: &E::Sums,
        mv: G::Move,
        node: Node,
        best: &mut Best<G::Move>,
    ) -> bool {
        let alpha = node.alpha.max(best.value);
        let mut value = f64::INFINITY;
        if best.mv.is_some() {
            value = -self.visit(after, sums, node.below(alpha, alpha.next_up()));
        }
        if value > alpha && (best.mv.is_none() || value < node.beta) {
            value = -self.visit(after, sums, node.below(alpha, node.beta));
        }
        if self.watch.stopped {
            return true;
        }
        self.improve(value, mv, node, best)
    }

    /// The value of a node with one ply to go, the table left alone.
    fn untabled(&mut self, position: &G, sums: &E::Sums, node: Node) -> f64 {
        let Node { side, ply, .. } = node;
        self.lines[ply].clear();
        let mut buffers = take(&mut self.plies[ply]);
        position.legal_moves(&mut buffers.moves);
        let value = match buffers.moves.is_empty() {
            true => end_value(position, side, ply),
            false => self.last_ply(position, sums, node, None, &mut buffers).value,
        };
        self.plies[ply] = buffers;
        value
    }

    /// All moves of a node with one ply to go: each leads to a leaf, and nothing is ranked.
    fn last_ply(
        &mut self,
        position: &G,
        sums: &E::Sums,
        node: Node,
        hint: Option<G::Move>,
        buffers: &mut Ply<G, E>,
    ) -> Best<G::Move> {
        let mut best = Best { value: f64::NEG_INFINITY, mv: None };
        let moves = &mut buffers.moves;
        let mut begin = 0;
        if let Some(place) = hint.and_then(|hint| moves.iter().position(|&mv| mv == hint)) {
            moves.swap(0, place);
            begin = 1;
        }
        self.killers[node.ply].to_front(moves, begin);
        let (ply, side) = (node.ply + 1, node.side.other());
        self.lines[ply].clear();
        let mut work = 0;
        for &mv in moves.iter() {
            let (after, sums) = self.child(position, sums, mv);
            work += 1;
            let value = match self.evaluation.value_unless_over(&after, &sums, side) {
                None => end_value(&after, side, ply),
                Some(value) => {
                    self.horizon += 1;
                    bounded(value)
                }
            };
            if self.improve(-value, mv, node, &mut best) {
                break;
            }
        }
        self.nodes += u64::from(work);
        self.watch.stops(self.nodes, work);
        best
    }

    #[inline]
    fn child(&self, position: &G, sums: &E::Sums, mv: G::Move) -> (G, E::Sums) {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let sums = self.evaluation.after(sums, position, mv, &after);
        (after, sums)
    }

    /// Takes note of the value of a move; whether it fails high and so makes a cut-off.
    #[inline]
    fn improve(&mut self, value: f64, mv: G::Move, node: Node, best: &mut Best<G::Move>) -> bool {
        if value <= best.value {
            return false;
        }
        *best = Best { value, mv: Some(mv) };
        if value > node.alpha {
            let (upper, lower) = self.lines.split_at_mut(node.ply + 1);
            let line = &mut upper[node.ply];
            line.clear();
            line.push(mv);
            line.extend_from_slice(&lower[0]);
        }
        if value < node.beta {
            return false;
        }
        self.killers[node.ply].push(mv);
        self.history.reward(&mv, node.depth);
        true
    }

    /// Puts what came of a node into the table. Its own horizon is in `self.horizon`.
    fn learn(&mut self, key: u64, node: Node, best: &Best<G::Move>) {
        let Some(table) = &mut self.table else { return };
        let depth = if self.horizon == 0 { TO_THE_END } else { node.depth as u8 };
        let (bound, mv) = if best.value >= node.beta {
            (Bound::Lower, best.mv)
        } else if best.value > node.alpha {
            (Bound::Exact, best.mv)
        } else {
            // Fail low: no move was shown to be the best, each is only known to be no better than this.
            (Bound::Upper, None)
        };
        table.put(key, to_table(best.value, node.ply), mv, depth, bound);
    }
}

/// A decided value as seen from its own position, not from the root: that is what holds wherever it is met.
fn to_table(value: f64, ply: usize) -> f64 {
    if is_decided(value) { value + (ply as f64).copysign(value) } else { value }
}

fn from_table(value: f64, ply: usize) -> f64 {
    if is_decided(value) { value - (ply as f64).copysign(value) } else { value }
}
