//! The root of alpha-beta: iterative deepening until the limits are reached, and the endgame where it can be asked.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::{Dice, Side, Turn};

use super::{AlphaBeta, Node, swindle};
use crate::PlayedGame;
use crate::search::clock::RESERVE;
use crate::search::endgame::Outcome;
use crate::search::evaluation::{Evaluation, WIN, decided, is_decided, rate};
use crate::search::limits::{Budget, Limits, MAX_DEPTH};
use crate::search::order::Killers;
use crate::search::table::Bound;
use crate::search::{DepthTime, Found, Searcher};

/// The share of a move's limits that the general search has before the endgame is asked, or the depth that it has reached:
/// there must be a good move in hand.
pub(super) const ENDGAME_AFTER: f64 = 0.15;
pub(super) const ENDGAME_DEPTH: u32 = 6;
/// The most of a game time that one answer of the endgame may take. What is left is enough for two plies later, when the
/// answer takes a twentieth.
const ENDGAME_SHARE: f64 = 0.8;
/// The most of what an endgame is expected to take that it is given: one in fifteen takes longer.
const ENDGAME_PATIENCE: f64 = 6.0;
/// The most of what is left of a game time that is spent on finding a trap.
const TRAP_SHARE: f64 = 0.4;
/// An endgame is tried even if it is expected to take so many times what is left: half of them take a third of that.
const ENDGAME_DARING: f64 = 2.0;
/// The first aspiration window is this part of how far the evaluations of the moves lie apart, up and down.
pub(super) const ASPIRATION: f64 = 12.0;

impl<G: PlayedGame, E: Evaluation<G>> AlphaBeta<G, E> {
    /// What finding out who wins is worth of a game time: once it is known, the rest of the game costs nothing.
    fn endgame_share(&self, position: &G, game_time: f64) -> f64 {
        let Some(endgame) = &self.endgame else { return 0.0 };
        let expected = endgame.expected_nodes(position) / endgame.speed();
        let most = ENDGAME_SHARE * game_time;
        if expected > most { 0.0 } else { (ENDGAME_PATIENCE * expected).min(most) }
    }

    /// Asks the endgame who wins, if the answer may be expected within what is left. `value` is what the general search thinks.
    pub(super) fn ask_endgame(
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
        if endgame.expected_nodes(position) > ENDGAME_DARING * left {
            return None;
        }
        endgame.solve(position, value > 0.0, &mut self.watch, &mut self.nodes)
    }

    /// One depth from a root, whose window does not count, in aspiration windows around what the last one found, which widen at each fail low or fail high until the
    /// value is inside.
    pub(super) fn deepen(&mut self, position: &G, root: Node, last: Option<f64>, step: f64) -> f64 {
        let sums = self.evaluation.fresh(position);
        let (mut alpha, mut beta) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut wide = step;
        if let Some(last) = last.filter(|last| self.aspiration && root.depth > 2 && !is_decided(*last)) {
            (alpha, beta) = ((last - wide).next_down(), (last + wide).next_up());
        }
        loop {
            self.horizon = 0;
            let value = self.visit(position, &sums, Node { alpha, beta, ..root });
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

    /// Begins a search within these limits, which may end it once its watch is armed; how far the evaluations of the moves lie apart.
    pub(super) fn begin(
        &mut self,
        position: &G,
        side: Side,
        moves: &[G::Move],
        nodes: Option<u64>,
        seconds: Option<f64>,
    ) -> f64 {
        self.watch = Budget::new(nodes, seconds).with_stop(self.stop.clone());
        self.watch.is_armed = false;
        self.nodes = 0;
        self.depths.clear();
        self.history.fade();
        self.killers.fill(Killers::default());
        if let Some(table) = &mut self.table {
            table.next_age();
        }
        let spread = self.spread(position, side, moves);
        self.unit = E::ANSWER * spread / 100.0;
        spread
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

    /// Lengthens a principal variation that stopped at an entry of the table, by the best moves that the table knows.
    pub(super) fn lengthen(&self, position: &G, line: &mut Vec<G::Move>, depth: u32) {
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

impl<G: PlayedGame, E: Evaluation<G>> Searcher<G> for AlphaBeta<G, E> {
    fn search(&mut self, position: &G, limits: &Limits, _dice: &mut Dice) -> Found<G> {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        let allotted = limits.game_time.map(|game_time| self.clock.allot(position.step(), game_time));
        let seconds = match (limits.time, &allotted) {
            (Some(time), Some(allotted)) => Some(time.min(allotted.seconds)),
            (time, allotted) => time.or(allotted.as_ref().map(|allotted| allotted.seconds)),
        };
        let seconds = match (limits.game_time, limits.time, limits.depth) {
            (Some(game_time), None, None) => {
                seconds.map(|share| share.max(self.endgame_share(position, game_time)))
            }
            _ => seconds,
        };
        let most = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let most = most.min(allotted.as_ref().and_then(|allotted| allotted.depth).unwrap_or(MAX_DEPTH));
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let spread = self.begin(position, side, &moves, limits.nodes, seconds);
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
        // What perfect play comes to where it wins nothing.
        let mut sure = None;
        for depth in 1..=most {
            let (before, visited) = (self.watch.seconds(), self.nodes);
            let last = (depth > 1).then_some(found.value);
            let value = self.deepen(position, Node::open(side, depth, 0), last, spread / ASPIRATION);
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
                let no_win = found.exact && moves.len() > 1 && value <= 0.0 && limits.depth.is_none();
                let asks = self.endgame.as_ref().is_some_and(|endgame| !endgame.knows_margins());
                sure = (no_win && asks).then_some(if value < 0.0 { 0.0 } else { 0.5 });
                break;
            }
            let swindles = limits.depth.is_none() && self.swindles(depth, value);
            let share = if swindles { 1.0 - swindle::SHARE } else { 1.0 };
            let in_time = |seconds| self.clock.is_worth_it(position.step(), depth, now, share * seconds);
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
                        sure = Some(0.5);
                        break;
                    }
                    Some(Outcome::Exact(best, margin)) => {
                        (found.best, found.value, found.line) = (best, decided(margin), vec![best]);
                        found.exact = true;
                        break;
                    }
                    Some(Outcome::Lost) => {
                        found.value = -WIN;
                        sure = Some(0.0);
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
            let nodes = limits.nodes.map(|nodes| (share * nodes as f64) as u64);
            self.watch.go_on(nodes, seconds.map(|seconds| share * seconds));
            if self.watch.look(self.nodes) {
                break;
            }
        }
        if let Some(sure) = sure {
            self.watch.is_armed = true;
            // Nothing else is left to spend a game time on; two plies later there is as much to do.
            let spent = self.watch.seconds();
            let rest =
                limits.game_time.map(|game_time| spent + TRAP_SHARE * (game_time - spent - RESERVE).max(0.0));
            if let Some(seconds) = rest.filter(|_| limits.time.is_none()) {
                self.watch.until(seconds);
            }
            let best = self.trap(position, side, found.best, sure);
            if best != found.best {
                (found.best, found.line) = (best, vec![best]);
            }
        }
        let is_open = sure.is_none() && !found.exact && limits.depth.is_none() && moves.len() > 1;
        if is_open && self.swindles(found.depth, found.value) {
            self.watch.go_on(limits.nodes, seconds);
            let best = self.swindled(position, side, found.best, found.depth);
            if best != found.best {
                (found.best, found.line) = (best, vec![best]);
            }
        }
        self.lengthen(position, &mut found.line, found.depth);
        found.nodes = self.nodes;
        found.seconds = self.watch.seconds();
        found
    }

    fn every_move(
        &mut self,
        position: &G,
        limits: &Limits,
        _dice: &mut Dice,
        watch: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Vec<Found<G>>> {
        self.deepen_all(position, limits, watch)
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
