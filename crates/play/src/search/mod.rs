//! Searches: from values of positions to moves. One search a file, and one line in the list.
//!
//! A search is generic over the game and over its evaluation, so that both are compiled into its inner loop; a text chooses the types in
//! one place, [`SearchMaker`](crate::players::SearchMaker).
//!
//! All but the one-ply search are for two sides and no chance, and for sides that move in turn (a forced pass is a move).

pub mod alpha_beta;
pub mod avalam_eval;
pub mod best_move;
pub mod clock;
pub mod endgame;
pub mod evaluation;
pub mod hybrid;
pub mod limits;
pub mod mcts;
pub mod minimax;
pub mod order;
pub mod pattern_eval;
pub mod probcut;
pub mod ratios;
pub mod rollout;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tree;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::{Dice, Game, Turn};

use evaluation::end_value;

pub use evaluation::Evaluation;
pub use limits::Limits;

/// A search in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
}

/// The one list of searches.
pub const SEARCHES: &[SearchInfo] = &[
    SearchInfo { name: "best-move", summary: "one ply: the move into the best position" },
    SearchInfo {
        name: "minimax",
        summary: "every line to a depth, nothing left out: slow, plain, for checking",
    },
    SearchInfo {
        name: "alphabeta",
        summary: "deeper and deeper, without the lines that cannot matter; a table of positions, a clock",
    },
    SearchInfo {
        name: "mcts",
        summary: "simulated games, more of those that go well; certain ends are known as such",
    },
    SearchInfo { name: "hybrid", summary: "one search up to a step of the game, another after it" },
];

/// What a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<G: Game> {
    /// The move to play.
    pub best: G::Move,
    /// Its value for the side to move, on the scale of the search: see [`evaluation`]; simulations say how often it wins.
    pub value: f64,
    /// The principal variation: the moves that both sides are expected to play, the best one first.
    pub line: Vec<G::Move>,
    /// How many plies were searched in full.
    pub depth: u32,
    /// How many positions were visited.
    pub nodes: u64,
    /// Whether the value is the true one, with no evaluation in it.
    pub exact: bool,
    /// How long it took.
    pub seconds: f64,
}

impl<G: Game> Found<G> {
    /// Every move of a position and where it leads, none of them looked at yet: only what ends the game has its value.
    fn of_moves(position: &G) -> Vec<(Self, G)> {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let found = |best: G::Move| {
            let mut after = position.clone();
            after.play_unchecked(best);
            let exact = after.turn() == Turn::Over;
            let value = if exact { end_value(&after, side, 1) } else { 0.0 };
            (Found { best, value, line: vec![best], depth: 1, nodes: 1, exact, seconds: 0.0 }, after)
        };
        moves.into_iter().map(found).collect()
    }
}

/// Moves by falling value, equal ones in their order.
fn by_value<G: Game>(all: Vec<(Found<G>, G)>) -> Vec<Found<G>> {
    let mut all: Vec<Found<G>> = all.into_iter().map(|(found, _)| found).collect();
    all.sort_by(|a, b| b.value.total_cmp(&a.value));
    all
}

/// What a depth of iterative deepening has taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthTime {
    /// The depth in plies.
    pub depth: u32,
    /// Seconds of this depth alone.
    pub seconds: f64,
    /// Positions visited in it.
    pub nodes: u64,
    /// Whether it was finished; if not, it would have taken longer.
    pub finished: bool,
}

/// Finds moves. What it learns about a position it may keep for the next.
pub trait Searcher<G: Game>: Send {
    /// The best move of a position in which a player is to move. Lots are drawn from `dice` only.
    ///
    /// # Panics
    /// If the game is over.
    fn search(&mut self, position: &G, limits: &Limits, dice: &mut Dice) -> Found<G>;

    /// What every move of a position is worth, by falling value, all of them known equally well: to the same depth or by as many simulations,
    /// unless the end is known. `watch` is asked before each move that is looked at, with its number and how many there are; `None` if it says no.
    ///
    /// By default each is searched by itself, for searches whose only limit is a depth: one ply less than that, but at least one.
    ///
    /// # Panics
    /// If the game is over.
    fn every_move(
        &mut self,
        position: &G,
        limits: &Limits,
        dice: &mut Dice,
        watch: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Vec<Found<G>>> {
        let below = Limits { depth: limits.depth.map(|depth| depth.saturating_sub(1).max(1)), ..*limits };
        let mut all = Found::of_moves(position);
        let count = all.len();
        for (number, (one, after)) in all.iter_mut().enumerate() {
            if !watch(number, count) {
                return None;
            }
            if !one.exact {
                let answer = self.search(after, &below, dice);
                one.line.extend(answer.line);
                (one.value, one.depth, one.exact) = (0.0 - answer.value, answer.depth + 1, answer.exact);
                (one.nodes, one.seconds) = (answer.nodes, answer.seconds);
            }
        }
        Some(by_value(all))
    }

    /// Another game begins: forget what belongs to this one.
    fn new_game(&mut self) {}

    /// A search ends early, with the best move so far, when this flag is set; one of a single ply is short enough without.
    fn stop_by(&mut self, _stop: Arc<AtomicBool>) {}

    /// What each depth of the last search has taken; nothing for a search that does not deepen.
    fn depths(&self) -> &[DepthTime] {
        &[]
    }
}

/// Whether these searches can play a game at all.
pub fn is_searchable<G: Game>() -> bool {
    G::SIDES.len() == 2 && !G::CHANCE
}
