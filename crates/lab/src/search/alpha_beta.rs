//! Alpha-beta: the value of plain minimax, without the lines that cannot change it.
//!
//! Negamax with principal-variation windows: the first move gets the whole window, every other only has to be shown to be
//! no better. Depth by depth, so that time may run out at any moment and the order of one depth serves the next; a table
//! of positions; windows around the last value. Nothing is left out on suspicion: the value of depth d is that of minimax
//! (a test holds the two together), and once the whole tree was seen it is the true one.

use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::{Dice, Game, Side, Turn};

use super::clock::Clock;
use super::endgame::{Endgame, Outcome};
use super::evaluation::{Evaluation, WIN, bounded, decided, end_value, is_decided, rate};
use super::limits::{Limits, MAX_DEPTH, Watch};
use super::order::{History, Killers, Ranked, sort};
use super::table::{Bound, TO_THE_END, Table};
use super::{DepthTime, Found, Searcher};

/// Memory for the table, in megabytes, unless said otherwise.
pub const DEFAULT_TABLE: usize = 64;

/// The share of a move's limits that the general search has before the endgame is asked, or the depth that it has reached:
/// there must be a good move in hand.
const ENDGAME_AFTER: f64 = 0.15;
const ENDGAME_DEPTH: u32 = 6;
/// The most of a credit that one answer of the endgame may take. What is left is enough for two plies later, when the
/// answer takes a twentieth.
const ENDGAME_SHARE: f64 = 0.8;
/// The most of what an endgame is expected to take that it is given: one in fifteen takes longer.
const ENDGAME_PATIENCE: f64 = 6.0;
/// An endgame is tried even if it is expected to take so many times what is left: half of them take a third of that.
const ENDGAME_HOPE: f64 = 2.0;

/// The buffers of one ply: an inner node allocates nothing.
struct Ply<G: Game, E: Evaluation<G>> {
    moves: Vec<G::Move>,
    children: Vec<(G, E::Sums)>,
    ranked: Vec<Ranked>,
}

impl<G: Game, E: Evaluation<G>> Default for Ply<G, E> {
    fn default() -> Self {
        Self { moves: Vec::new(), children: Vec::new(), ranked: Vec::new() }
    }
}

/// The search and what it remembers.
pub struct AlphaBeta<G: Game, E: Evaluation<G>> {
    evaluation: E,
    table: Option<Table<G::Move>>,
    /// Whether a depth begins with a narrow window around the value of the one before.
    pub aspiration: bool,
    clock: Clock,
    endgame: Option<Box<dyn Endgame<G>>>,
    plies: Vec<Ply<G, E>>,
    killers: Vec<Killers<G::Move>>,
    lines: Vec<Vec<G::Move>>,
    history: History,
    watch: Watch,
    stop: Option<Arc<AtomicBool>>,
    nodes: u64,
    /// What an answer less for the opponent is worth when moves are put in order: a hundredth of how far the evaluations of
    /// the moves at the root lie apart. Fewer answers are less to search: with 27 plies played in Avalam, searched to the end
    /// by the score, a quarter less.
    unit: f64,
    /// How often the depth ended before the game, or something known only to a depth was used.
    horizon: u64,
    depths: Vec<DepthTime>,
}

/// A node: where it is and what its parent wants to know.
#[derive(Clone, Copy)]
struct Node {
    side: Side,
    depth: u32,
    ply: usize,
    alpha: f64,
    beta: f64,
}

impl Node {
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

impl<G: Game, E: Evaluation<G>> AlphaBeta<G, E> {
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
            clock: Clock::of_game(G::NAME),
            endgame: None,
            plies: (0..most).map(|_| Ply::default()).collect(),
            killers: vec![Killers::default(); most],
            lines: vec![Vec::new(); most + 1],
            history: History::default(),
            watch: Watch::new(None, None),
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

    /// What finding out who wins is worth of a credit: once it is known, the rest of the game costs nothing.
    fn endgame_share(&self, position: &G, credit: f64) -> f64 {
        let Some(endgame) = &self.endgame else { return 0.0 };
        let expected = endgame.expected_nodes(position) / endgame.speed();
        let most = ENDGAME_SHARE * credit;
        if expected > most { 0.0 } else { (ENDGAME_PATIENCE * expected).min(most) }
    }

    /// Asks the endgame who wins, if the answer may be expected within what is left. `value` is what the general search thinks.
    fn ask_endgame(
        &mut self,
        position: &G,
        value: f64,
        nodes: Option<u64>,
        seconds: Option<f64>,
    ) -> Option<Outcome<G::Move>> {
        let endgame = self.endgame.as_mut()?;
        let by_time = seconds.map(|seconds| endgame.speed() * (seconds - self.watch.seconds()));
        let by_nodes = nodes.map(|nodes| nodes.saturating_sub(self.nodes) as f64);
        let left = by_time.into_iter().chain(by_nodes).reduce(f64::min)?;
        if endgame.expected_nodes(position) > ENDGAME_HOPE * left {
            return None;
        }
        endgame.solve(position, value > 0.0, &mut self.watch, &mut self.nodes)
    }

    /// The value of a node. Below `alpha` or above `beta` it is a bound only. Without meaning once the watch has stopped.
    fn visit(&mut self, position: &G, sums: &E::Sums, node: Node) -> f64 {
        let Node { side, depth, ply, alpha, beta } = node;
        self.nodes += 1;
        if ply > 0 && self.watch.stops(self.nodes, 1) {
            return 0.0;
        }
        let key = position.key();
        let known = self.table.as_ref().and_then(|table| table.get(key));
        let hint = known.and_then(|entry| entry.best);
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
        let Ply { moves, children, ranked } = buffers;
        // The move that was best before is often enough: the others are rated only if it is not.
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
        ranked.clear();
        for (i, mv) in moves[begin..].iter().enumerate() {
            let (after, sums) = self.child(position, sums, *mv);
            if node.depth > 2 && self.is_known_enough(&after, *mv, node, &mut best) {
                return best;
            }
            let mut value = -rate(&self.evaluation, &after, &sums, node.side.other(), node.ply + 1);
            if node.depth > 3 {
                value -= self.unit * after.count_moves() as f64;
            }
            let fame = self.history.get(mv);
            ranked.push(Ranked { child: i as u32, fame, value });
            children.push((after, sums));
        }
        if node.ply > 0 && self.watch.stops(self.nodes, ranked.len() as u32) {
            return best;
        }
        sort(ranked);
        for one in ranked.iter() {
            let (after, sums) = &children[one.child as usize];
            if self.try_move(after, sums, moves[begin + one.child as usize], node, &mut best) {
                break;
            }
        }
        best
    }

    /// Whether what the table knows of a child ends the node before any child is searched.
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

    /// Searches one move; whether that ends the node.
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

    /// All moves of a node with one ply to go: nothing below is searched, and nothing is ranked.
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
            let value = match after.turn() {
                Turn::Over => end_value(&after, side, ply),
                _ => {
                    self.horizon += 1;
                    bounded(self.evaluation.value(&after, &sums, side))
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

    /// Takes note of the value of a move; whether it is enough for the parent to turn elsewhere.
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
            // No move was shown to be the best: each is only known to be no better than this.
            (Bound::Upper, None)
        };
        table.put(key, to_table(best.value, node.ply), mv, depth, bound);
    }

    /// One depth from the root, in windows around what the last one found that widen until the value is inside.
    fn deepen(&mut self, position: &G, side: Side, depth: u32, last: Option<f64>, step: f64) -> f64 {
        let sums = self.evaluation.fresh(position);
        let (mut alpha, mut beta) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut wide = step;
        if let Some(last) = last.filter(|last| self.aspiration && depth > 2 && !is_decided(*last)) {
            (alpha, beta) = ((last - wide).next_down(), (last + wide).next_up());
        }
        loop {
            self.horizon = 0;
            let value = self.visit(position, &sums, Node { side, depth, ply: 0, alpha, beta });
            if self.watch.stopped || (alpha < value && value < beta) {
                return value;
            }
            wide *= 8.0;
            let give_up = wide > 600.0 * step || is_decided(value);
            if value <= alpha {
                alpha = if give_up { f64::NEG_INFINITY } else { value - wide };
            } else {
                beta = if give_up { f64::INFINITY } else { value + wide };
            }
        }
    }

    /// How far the evaluations of the moves lie apart: the scale of the function, whatever its unit.
    fn spread(&mut self, position: &G, side: Side, moves: &[G::Move]) -> f64 {
        let fresh = self.evaluation.fresh(position);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &mv in moves {
            let (after, sums) = self.child(position, &fresh, mv);
            let value = rate(&self.evaluation, &after, &sums, side, 1);
            if !is_decided(value) {
                (low, high) = (low.min(value), high.max(value));
            }
        }
        if high > low { high - low } else { 1.0 }
    }

    /// Follows the table from the end of a line that stopped at something known.
    fn lengthen(&self, position: &G, line: &mut Vec<G::Move>, depth: u32) {
        let Some(table) = &self.table else { return };
        let mut after = position.clone();
        line.iter().for_each(|&mv| after.play_unchecked(mv));
        while line.len() < depth as usize {
            let known = table.get(after.key()).filter(|entry| entry.bound == Bound::Exact);
            let Some(mv) = known.and_then(|entry| entry.best).filter(|&mv| after.is_legal(mv)) else {
                return;
            };
            after.play_unchecked(mv);
            line.push(mv);
        }
    }
}

/// A decided value as seen from its own position, not from the root: that is what holds wherever it is met.
fn to_table(value: f64, ply: usize) -> f64 {
    if is_decided(value) { value + (ply as f64).copysign(value) } else { value }
}

fn from_table(value: f64, ply: usize) -> f64 {
    if is_decided(value) { value - (ply as f64).copysign(value) } else { value }
}

impl<G: Game, E: Evaluation<G>> Searcher<G> for AlphaBeta<G, E> {
    fn search(&mut self, position: &G, limits: &Limits, _dice: &mut Dice) -> Found<G> {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        let allotted = limits.credit.map(|credit| self.clock.allot(position.step(), credit));
        let seconds = match (limits.time, &allotted) {
            (Some(time), Some(allotted)) => Some(time.min(allotted.seconds)),
            (time, allotted) => time.or(allotted.as_ref().map(|allotted| allotted.seconds)),
        };
        let seconds = match (limits.credit, limits.time, limits.depth) {
            (Some(credit), None, None) => {
                seconds.map(|share| share.max(self.endgame_share(position, credit)))
            }
            _ => seconds,
        };
        let most = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let most = most.min(allotted.as_ref().and_then(|allotted| allotted.depth).unwrap_or(MAX_DEPTH));
        self.watch = Watch::new(limits.nodes, seconds).with_stop(self.stop.clone());
        self.watch.is_armed = false;
        self.nodes = 0;
        self.depths.clear();
        self.history.fade();
        self.killers.fill(Killers::default());
        if let Some(table) = &mut self.table {
            table.next_age();
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let spread = self.spread(position, side, &moves);
        self.unit = spread / 100.0;
        let mut found = Found {
            best: moves[0],
            value: 0.0,
            line: Vec::new(),
            depth: 0,
            nodes: 0,
            exact: false,
            seconds: 0.0,
        };
        let mut asked = self.endgame.is_none();
        for depth in 1..=most {
            let (before, visited) = (self.watch.seconds(), self.nodes);
            let last = (depth > 1).then_some(found.value);
            let value = self.deepen(position, side, depth, last, spread / 12.0);
            if let Some(&best) = self.lines[0].first() {
                (found.best, found.value) = (best, value);
                found.line.clone_from(&self.lines[0]);
            }
            let (seconds_of_it, finished) = (self.watch.seconds() - before, !self.watch.stopped);
            let nodes = self.nodes - visited;
            self.depths.push(DepthTime { depth, seconds: seconds_of_it, nodes, finished });
            if !finished {
                break;
            }
            found.depth = depth;
            found.exact = self.horizon == 0 || (is_decided(value) && G::SCORE_UNIT.is_empty());
            let now = before + seconds_of_it;
            self.clock.note(depth, seconds_of_it);
            // A clock is not to be spent on the only move, nor on a better win.
            let clear = moves.len() == 1 || (is_decided(value) && value > 0.0);
            if found.exact || (clear && limits.is_timed()) {
                break;
            }
            let in_time = |seconds| self.clock.is_worth_it(position.step(), depth, now, seconds);
            let is_last = allotted.is_some() && !seconds.is_none_or(in_time);
            let used_nodes = limits.nodes.map_or(0.0, |most| self.nodes as f64 / most as f64);
            let used = seconds.map_or(0.0, |seconds| now / seconds).max(used_nodes);
            if !asked && limits.depth.is_none() && (is_last || depth >= ENDGAME_DEPTH || used > ENDGAME_AFTER)
            {
                asked = true;
                self.watch.is_armed = true;
                match self.ask_endgame(position, value, limits.nodes, seconds) {
                    Some(Outcome::Won(best)) => {
                        (found.best, found.value, found.line) = (best, WIN, vec![best]);
                        break;
                    }
                    // No other value is a draw's.
                    Some(Outcome::Drawn(best)) => {
                        (found.best, found.value, found.line) = (best, 0.0, vec![best]);
                        found.exact = true;
                        break;
                    }
                    Some(Outcome::Exact(best, margin)) => {
                        (found.best, found.value, found.line) = (best, decided(margin), vec![best]);
                        found.exact = true;
                        break;
                    }
                    // All moves lose; the one that looks best is the hardest to refute.
                    Some(Outcome::Lost) => {
                        found.value = -WIN;
                        break;
                    }
                    None if self.watch.stopped => break,
                    None => {}
                }
            }
            if is_last {
                break;
            }
            // The first depth is always finished: there is a move to answer with whatever the limits.
            self.watch.is_armed = true;
            if self.watch.look(self.nodes) {
                break;
            }
        }
        self.lengthen(position, &mut found.line, found.depth);
        found.nodes = self.nodes;
        found.seconds = self.watch.seconds();
        found
    }

    fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.history.clear();
        self.clock.new_game();
        if let Some(endgame) = &mut self.endgame {
            endgame.new_game();
        }
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }

    fn depths(&self) -> &[DepthTime] {
        &self.depths
    }
}
