//! Players: who chooses a move. One player a file, and one line in the list. Beside them every model is a player: those
//! that are shipped by their names, and any model file by its path.
//!
//! A player is written as text, everywhere the same: `random`, `dn`, `my/model.json`, `linear(dt; -2.18, 2.42, ...)`, the
//! text of a model's file itself, `lookahead(dn)` for the same function one piece deeper, `optimal(FILE)` for the best
//! play of a solved board, `perfect` for that of Push-over, `external(xmlrpc="http://HOST:PORT")` for a player of Avalam that is a server,
//! `external(gtp="COMMAND")` or `external(nboard="COMMAND")` for one of Othello that is another program. Between two sides and
//! without chance there are searches as well, in the notation of [`notation`]: `alphabeta(depth=4, eval=my/model.json)`,
//! `mcts(simulations=1000)`, `hybrid(1: best-move, 20: alphabeta)`.

pub mod common_limits;
mod failure;
mod greedy;
pub mod lookahead;
pub mod model;
pub mod notation;
mod player_spec;
mod random;
pub mod searching;
pub mod spec;
mod thought;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use games::{Dice, Game, Side};
use thiserror::Error;

pub use self::failure::{PlayError, PlayerFailure, Trouble};

use self::notation::NotationError;
use crate::evaluator::ModelError;
use crate::files::TableError;
use crate::names::UnknownName;
use crate::protocol::external::ExternalError;
use crate::protocol::log::WireLog;
use crate::search::probcut::ProbCutError;
use crate::search::ratios::RatiosError;

pub use player_spec::{
    OwnFunction, OwnPlayer, PlayerSpec, check, player, player_names, prepare, unknown_evaluation,
};
pub use searching::SearchMaker;
pub use thought::Thought;

/// Chooses moves in a game.
pub trait Player<G: Game>: Send {
    /// One of the legal moves of a position in which a player is to move. Lots are drawn from `dice` only.
    ///
    /// # Errors
    /// A program of somebody else's has no move to give: it has ended, is late, breaks a rule or gives up. Players of our own always have
    /// one.
    fn choose(&mut self, position: &G, dice: &mut Dice) -> Result<G::Move, PlayerFailure>;

    /// A new game begins. Whatever was remembered of the last one is forgotten: a player that has played before must play
    /// like one that has not.
    fn new_game(&mut self) {}

    /// The moves from the start to where the game begins, said after [`Player::new_game`] if they are known. A player that takes
    /// positions as they come does not mind.
    fn opening(&mut self, _moves: &[G::Move]) {}

    /// The time that the player allows itself for a move, if it looks at a clock. An arena takes longer silence for a
    /// stall.
    fn limit(&self) -> Option<Duration> {
        None
    }

    /// What is left of the time for the whole game, said before a move; none if there is no limit. A player that does not
    /// look at a clock does not mind.
    fn game_time(&mut self, _seconds: Option<f64>) {}

    /// A player that thinks answers soon, with the best move so far, when this flag is set: nobody waits for the answer any more.
    fn stop_by(&mut self, _stop: Arc<AtomicBool>) {}

    /// A player that is another program writes down here what is said to it and by it.
    fn log_to(&mut self, _log: &WireLog) {}

    /// What the player thought of the last move that it chose, if it thinks in numbers.
    fn thought(&self) -> Option<Thought<G::Move>> {
        None
    }

    /// What the player knows for certain about a position, as `wins in 5`, said of `side`; most know nothing.
    fn remark(&self, _position: &G, _side: Side) -> Option<String> {
        None
    }

    /// What the player knows for certain about the moves of a position, the best first; most know nothing.
    fn advice(&self, _position: &G) -> Vec<(G::Move, String)> {
        Vec::new()
    }
}

/// A player in the list, without its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// How it chooses, in one line.
    pub summary: &'static str,
}

/// The one list of players that every game has; models are players too, see [`crate::PlayedGame::MODELS`].
pub const PLAYERS: &[PlayerInfo] = &[
    PlayerInfo { name: "random", summary: "any legal move, all equally likely" },
    PlayerInfo { name: "greedy", summary: "the move with the best score right after it; ties by lot" },
];

/// A text that is no player.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// There is none of this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// Its model is at fault.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Its table of values is at fault.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Its options are at fault.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The ratios of its clock are at fault.
    #[error(transparent)]
    Clock(#[from] RatiosError),
    /// The fit of its cuts is at fault.
    #[error(transparent)]
    ProbCut(#[from] ProbCutError),
    /// A player that only one game has is at fault.
    #[error(transparent)]
    Own(Box<dyn std::error::Error + Send + Sync>),
    /// Its server is at fault.
    #[error(transparent)]
    External(#[from] ExternalError),
}
