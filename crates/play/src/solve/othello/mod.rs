//! Othello to the end: the exact score and a move that reaches it.
//!
//! `board` is the position, `last` the last four empty squares, `search` all before them, `order` the move ordering, `table` the
//! transposition table, `cache` the same near the end.

mod board;
mod cache;
mod last;
mod order;
mod search;
mod table;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use games::othello::{Move, Othello};

use self::board::Board;
use self::cache::Cache;
use self::order::Order;
use self::search::{Lists, Search, lists};
use self::table::{NONE, Table};
use crate::patterns::TableModel;
use crate::search::limits::Budget;
use crate::shipped::PATTERNS;

/// Memory for the table, in megabytes, unless said otherwise.
pub const DEFAULT_TABLE: usize = 256;

/// The watch is asked before every step of at most so many positions: six empty squares are not watched.
const STEP_NODES: u64 = 1300;
const UNWATCHED: u32 = 6;

/// The best move and what it leads to, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// The best move; a pass if there is no other.
    pub best: Move,
    /// Own discs less the opponent's at the end, the empty squares being the winner's.
    pub score: i32,
}

/// The search, its transposition tables, and the function that puts moves in order.
pub struct Solver {
    table: Table,
    cache: Cache,
    tables: Arc<TableModel>,
    lists: Box<Lists>,
}

impl Solver {
    /// With a table of at most so many megabytes, which takes no memory before it is used.
    pub fn new(megabytes: usize) -> Self {
        Self { table: Table::new(megabytes), cache: Cache::new(), tables: PATTERNS.model(), lists: lists() }
    }

    /// Forgets what is known, so that the next search is as the first.
    pub fn forget(&mut self) {
        self.table.forget();
        self.cache.forget();
    }

    /// The exact score; `None` if the watch stopped it. Adds the positions that it looked at to `nodes`.
    pub fn solve(&mut self, position: &Othello, watch: &mut Budget, nodes: &mut u64) -> Option<Solved> {
        self.solve_within(position, -64, 64, watch, nodes)
    }

    /// The score if it lies between `low` and `high`; else one of them, or what is beyond it and known, and the move shows that.
    pub fn solve_within(
        &mut self,
        position: &Othello,
        low: i32,
        high: i32,
        watch: &mut Budget,
        nodes: &mut u64,
    ) -> Option<Solved> {
        let board = Board { own: position.own(), opponent: position.opponent() };
        let empties = board.empties().count_ones();
        self.table.prepare(empties);
        self.cache.prepare(empties);
        let mut search = Search {
            table: &mut self.table,
            cache: &mut self.cache,
            order: Order { tables: &self.tables, asked: empties },
            watch,
            lists: &mut self.lists,
            nodes: *nodes,
        };
        let (score, best) = search.score(board, low, high);
        *nodes = search.nodes;
        if watch.stopped {
            return None;
        }
        let best = if best == NONE { Move::PASS } else { Move::square(best) };
        Some(Solved { best, score })
    }
}

/// The empty squares of a position.
pub fn empties(position: &Othello) -> u32 {
    (!(position.own() | position.opponent())).count_ones()
}

/// The positions that the solver will look at, more or less: in random games with 14, 16 and 18 empty squares they were 62, 318 and
/// 1,454 thousand on average (n = 200 each), and one solution in ten takes twice as many.
pub fn expected_nodes(position: &Othello) -> f64 {
    math::powf(10.0, 0.36 * f64::from(empties(position)) - 0.25)
}
