//! Games between players of two-player games: pairs from common openings with sides exchanged, matches of two and
//! tournaments of many, spread over threads, with results that survive an interruption.
//!
//! A game is named by (seed, players, pair, which of the two), so that players who do not look at a clock have the same
//! games on any number of threads. A player that panics, stalls or answers an illegal move loses that game, and the
//! match goes on.

pub mod adjudication;
pub mod duel;
pub mod game;
mod journal;
pub mod openings;
pub mod record;
pub mod results;
mod supervised;
pub mod thought;
pub mod tournament;

pub use adjudication::{Adjudication, Patience, Verdict};
pub use duel::{ArenaError, DuelProgress, Maker, run};
pub use game::{Played, Reason, Winner};
pub use journal::open_journal;
pub use openings::{BookOrder, OpeningError, Openings};
pub use record::{GameRecord, RecordError};
pub use results::{PlayedPair, Results, Tally};
pub use thought::Thought;
pub use tournament::{CrossTable, Schedule, Standing};

use play::PlayedGame;
use stats::Sprt;

/// A game longer than this is drawn unless told otherwise.
pub const MOST_MOVES: usize = 1000;

/// What is to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct DuelSetup<G: PlayedGame> {
    /// The game.
    pub rules: G::Rules,
    /// The players as text.
    pub players: Vec<String>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Where games begin.
    pub openings: Openings<G>,
    /// Pairs of games in every meeting; with a test, at most.
    pub pairs: usize,
    /// The seed of everything that is left to chance.
    pub seed: u64,
    /// A game with this many moves is drawn.
    pub most_moves: usize,
    /// The test that ends a meeting of two.
    pub sprt: Option<Sprt>,
    /// Seconds of each player for all its moves of a game; who needs more loses.
    pub game_time: Option<f64>,
    /// Seconds of a game time that each move gives back to its player.
    pub increment: f64,
    /// Seconds by which a player may overrun its game time before it loses.
    pub time_margin: f64,
    /// What may end a game before its end.
    pub adjudication: Adjudication,
}

/// A pair of games to be played: two places in the list of players, and the pair's number in their meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Job {
    /// Who has the first side in the first game.
    pub first: usize,
    /// Who has it in the second.
    pub second: usize,
    /// Which pair; it names the opening too.
    pub pair: usize,
}
