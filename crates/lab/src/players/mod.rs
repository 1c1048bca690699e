//! Players: who chooses a move. One player a file, and one line in the list.

mod greedy;
mod random;

use games::{Dice, Game};

use crate::names::UnknownName;

/// Chooses moves in a game.
pub trait Player<G: Game>: Send {
    /// One of the legal moves of a position in which a player is to move. Lots are drawn from `dice` only.
    fn choose(&mut self, position: &G, dice: &mut Dice) -> G::Move;
}

/// A player in the list, without its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// How it chooses, in one line.
    pub summary: &'static str,
}

/// The one list of players.
pub const PLAYERS: &[PlayerInfo] = &[
    PlayerInfo { name: "random", summary: "any legal move, all equally likely" },
    PlayerInfo { name: "greedy", summary: "the move with the best score right after it; ties by lot" },
];

/// The player of this name.
///
/// # Errors
/// There is none; the error lists those there are.
pub fn player<G: Game>(name: &str) -> Result<Box<dyn Player<G>>, UnknownName> {
    match name {
        "random" => Ok(Box::new(random::Random::default())),
        "greedy" => Ok(Box::new(greedy::Greedy::default())),
        _ => Err(UnknownName::new("player", name, PLAYERS.iter().map(|player| player.name))),
    }
}
