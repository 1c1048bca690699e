//! Endgames: who wins, or by how much, found by what only one game knows, long before a general search sees the end. In Othello it is the
//! solver.
//!
//! Alpha-beta asks it when time or nodes are limited and its expected nodes fit; a search to a depth never does, so that it stays equal to
//! minimax.

pub mod avalam;
mod avalam_rest;
pub mod othello;

use games::Game;

use super::limits::Budget;

/// How a game ends if both play well, for the side to move, and a move that gets there. Of a lost position all moves lose:
/// there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome<M> {
    /// This move wins.
    Won(M),
    /// Nothing wins; this move draws.
    Drawn(M),
    /// Every move loses.
    Lost,
    /// This move ends with this margin, and none with a better one.
    Exact(M, f64),
}

/// Finds out who wins.
pub trait Endgame<G: Game>: Send {
    /// The positions that it will have to look at, more or less.
    fn expected_nodes(&self, position: &G) -> f64;

    /// Positions looked at in a second, as far as it is known.
    fn speed(&self) -> f64;

    /// Who wins; `None` if the watch stopped it. Adds the positions that it looked at to `nodes`. The answer does not depend on
    /// what it looks like, but comes sooner if that is right.
    ///
    /// # Panics
    /// If the game is over.
    fn solve(
        &mut self,
        position: &G,
        looks_won: bool,
        watch: &mut Budget,
        nodes: &mut u64,
    ) -> Option<Outcome<G::Move>>;

    /// Plies to the end of the game, where a position tells.
    fn plies_left(&self, _position: &G) -> Option<u32> {
        None
    }

    /// Whether it says by how much, which a search then plays for where it cannot win.
    fn knows_margins(&self) -> bool;

    /// Another game begins: forget what belongs to this one.
    fn new_game(&mut self);
}
