//! Every move of a position by its value: all of them deepen together, so that values are compared that come from the same depth.

use games::{Side, Turn};

use super::root::{ASPIRATION, ENDGAME_AFTER, ENDGAME_DEPTH};
use super::{AlphaBeta, Node};
use crate::PlayedGame;
use crate::search::endgame::Outcome;
use crate::search::evaluation::{Evaluation, WIN, decided, is_decided, rate};
use crate::search::limits::{Limits, MAX_DEPTH};
use crate::search::{Found, by_value};

/// The part of what is left of the limits that goes into endgames: they may fail, and the others want to be searched deeper.
const ENDGAMES: f64 = 0.5;

impl<G: PlayedGame, E: Evaluation<G>> AlphaBeta<G, E> {
    /// All moves to one depth, then to the next, within the limits. A depth that was not finished for all of them counts for none. The
    /// end of a game stays what it is, and so does what the endgame has found out; it is asked once, under the conditions of a search.
    pub(super) fn deepen_all(
        &mut self,
        position: &G,
        limits: &Limits,
        watch: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Vec<Found<G>>> {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        let seconds = self.clock.seconds(position.step(), limits);
        let mut all = Found::of_moves(position);
        let moves: Vec<G::Move> = all.iter().map(|(one, _)| one.best).collect();
        let step = self.begin(position, side, &moves, limits.nodes, seconds) / ASPIRATION;
        let mut is_known: Vec<bool> = all.iter().map(|(one, _)| one.exact).collect();
        let mut asked = self.endgame.is_none() || limits.depth.is_some();
        'depths: for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) {
            let mut deeper = Vec::new();
            for number in 0..all.len() {
                if !watch(number, all.len()) {
                    return None;
                }
                if is_known[number] {
                    continue;
                }
                let (one, after) = &all[number];
                let found = self.deepened(one, after, side.other(), depth, step);
                if self.watch.stopped {
                    break 'depths;
                }
                deeper.push((number, found));
            }
            for (number, found) in deeper {
                is_known[number] = found.exact;
                all[number].0 = found;
            }
            // The first depth is always finished.
            self.watch.is_armed = true;
            let used_nodes = limits.nodes.map_or(0.0, |most| self.nodes as f64 / most as f64);
            let used = seconds.map_or(0.0, |seconds| self.watch.seconds() / seconds).max(used_nodes);
            if !asked && (depth >= ENDGAME_DEPTH || used > ENDGAME_AFTER) {
                asked = true;
                self.solve_all(&mut all, &mut is_known, limits.nodes, seconds);
            }
            if is_known.iter().all(|&known| known) || self.watch.look(self.nodes) {
                break;
            }
        }
        for (one, _) in &mut all {
            self.lengthen(position, &mut one.line, one.depth);
        }
        Some(by_value(all))
    }

    /// A move one depth further; `after` it this side is to move. Without meaning once the watch has stopped.
    fn deepened(&mut self, one: &Found<G>, after: &G, side: Side, depth: u32, step: f64) -> Found<G> {
        let (nodes, begun) = (self.nodes, self.watch.seconds());
        let answer = if depth == 1 {
            self.nodes += 1;
            self.lines[1].clear();
            self.horizon = 1;
            rate(&self.evaluation, after, &self.evaluation.fresh(after), side, 1)
        } else {
            self.deepen(after, Node::open(side, depth - 1, 1), Some(0.0 - one.value), step)
        };
        let mut line = vec![one.best];
        line.extend_from_slice(&self.lines[1]);
        Found {
            best: one.best,
            value: 0.0 - answer,
            line,
            depth,
            nodes: one.nodes + self.nodes - nodes,
            exact: self.horizon == 0 || (is_decided(answer) && G::SCORE_UNIT.is_empty()),
            seconds: one.seconds + self.watch.seconds() - begun,
        }
    }

    /// Asks the endgame about all moves that are not known yet, each with its share of what may go into it.
    fn solve_all(
        &mut self,
        all: &mut [(Found<G>, G)],
        is_known: &mut [bool],
        nodes: Option<u64>,
        seconds: Option<f64>,
    ) {
        let now = (self.nodes, self.watch.seconds());
        let last_node = nodes.map(|most| now.0 + (ENDGAMES * most.saturating_sub(now.0) as f64) as u64);
        let last_second = seconds.map(|most| now.1 + ENDGAMES * (most - now.1).max(0.0));
        let mut open = is_known.iter().filter(|&&known| !known).count();
        for ((one, after), known) in all.iter_mut().zip(is_known).filter(|(_, known)| !**known) {
            let (spent, begun) = (self.nodes, self.watch.seconds());
            let nodes = last_node.map(|last| spent + last.saturating_sub(spent) / open as u64);
            let seconds = last_second.map(|last| begun + (last - begun).max(0.0) / open as f64);
            open -= 1;
            self.watch.go_on(nodes, seconds);
            let outcome = self.ask_endgame(after, 0.0 - one.value, nodes, seconds);
            one.nodes += self.nodes - spent;
            one.seconds += self.watch.seconds() - begun;
            let Some(outcome) = outcome else { continue };
            *known = true;
            one.line.truncate(1);
            // Who wins is known, by how much is not.
            one.exact = G::SCORE_UNIT.is_empty();
            match outcome {
                Outcome::Won(answer) => {
                    one.value = -WIN;
                    one.line.push(answer);
                }
                Outcome::Lost => one.value = WIN,
                Outcome::Drawn(answer) => {
                    (one.value, one.exact) = (0.0, true);
                    one.line.push(answer);
                }
                Outcome::Exact(answer, margin) => {
                    (one.value, one.exact) = (0.0 - decided(margin), true);
                    one.line.push(answer);
                }
            }
        }
        self.watch.go_on(nodes, seconds);
    }
}
