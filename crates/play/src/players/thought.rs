//! What a player thought of the move that it has just made.

use crate::search::Found;
use crate::search::evaluation::{is_decided, margin};
use games::Game;

/// What a player thought of its move.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought<M> {
    /// The value for the side that moved: the margin in points if `decided`, else in the unit of its evaluation.
    pub value: f64,
    /// Whether the game is won, lost or drawn for certain.
    pub decided: bool,
    /// Plies searched in full; 0 if nobody says.
    pub depth: u32,
    /// Positions looked at; 0 if nobody says.
    pub nodes: u64,
    /// The expected moves, the one that was made first; may be empty.
    pub line: Vec<M>,
}

impl<M> Thought<M> {
    /// What a search has found.
    pub fn of<G: Game<Move = M>>(found: Found<G>) -> Self {
        Self {
            value: margin(found.value),
            decided: is_decided(found.value) || (found.exact && found.value == 0.0),
            depth: found.depth,
            nodes: found.nodes,
            line: found.line,
        }
    }

    /// A value of which nothing else is known.
    pub fn value(value: f64) -> Self {
        Self { value, decided: false, depth: 0, nodes: 0, line: Vec::new() }
    }
}
