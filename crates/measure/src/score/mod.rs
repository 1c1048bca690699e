//! Scores in games for one: many games, the same streams of chance for all players, results that survive an interruption.
//!
//! A game is named by (seed, number), so that the result of a game depends on neither the number of threads nor what was
//! played before. Everybody plays in the fastest way that the game has, see [`PlayedGame::solo`].
//!
//! Every game is kept in a journal as it ends. One that was broken off is taken up where it stood if its player allows it, and begins
//! again otherwise. Games that are broken off are the long ones: their scores enter the estimate, and the report says that the mean of
//! the finished ones is too low.

mod journal;
mod run;

pub use journal::open_journal;
pub use run::{RunError, ScoreProgress, run};

use std::collections::BTreeMap;

use play::PlayedGame;
use play::players::{PlayerError, PlayerSpec};
use serde::{Deserialize, Serialize, Serializer};
use stats::exponential_mean_ci95;

/// What is to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreSetup<G: PlayedGame> {
    /// The game.
    pub rules: G::Rules,
    /// The players as text.
    pub players: Vec<String>,
    /// Games for each of them.
    pub games: usize,
    /// The seed of all games.
    pub seed: u64,
}

impl<G: PlayedGame> ScoreSetup<G> {
    /// Checks that every player can play under the rules.
    ///
    /// # Errors
    /// One cannot, or the game is not for one.
    pub fn check(&self) -> Result<(), PlayerError> {
        self.specs()?.iter().try_for_each(|player| G::solo(&self.rules, player).map(|_| ()))
    }

    /// The players, read.
    fn specs(&self) -> Result<Vec<PlayerSpec<G>>, PlayerError> {
        self.players.iter().map(|player| PlayerSpec::parse(&self.rules, player)).collect()
    }
}

/// A game that is over, or as far as it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// The player's place in the list.
    pub player: usize,
    /// The game's number.
    pub game: usize,
    /// Its score; journals of earlier versions call it lines.
    #[serde(alias = "lines", serialize_with = "as_short_as_can_be")]
    pub score: f64,
    /// Moves made.
    pub decisions: u64,
    /// Time that the player took for it.
    pub seconds: f64,
    /// Where it stands, if it is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// Whole numbers without a point.
fn as_short_as_can_be<S: Serializer>(score: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match *score as i64 {
        whole if whole as f64 == *score => serializer.serialize_i64(whole),
        _ => serializer.serialize_f64(*score),
    }
}

/// All games of a measurement, by player and number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Games {
    /// `games[player]`, by number: those that there are, since millions may be asked for.
    games: Vec<BTreeMap<usize, Game>>,
    /// How many of each player are asked for.
    wanted: usize,
}

impl Games {
    /// No games yet.
    pub fn new(players: usize, games: usize) -> Self {
        Self { games: vec![BTreeMap::new(); players], wanted: games }
    }

    /// Puts a game into its place; games that were not asked for are left out.
    pub fn insert(&mut self, game: Game) {
        if let Some(games) = self.games.get_mut(game.player).filter(|_| game.game < self.wanted) {
            games.insert(game.game, game);
        }
    }

    /// The game in a place, over or not.
    pub fn get(&self, player: usize, game: usize) -> Option<&Game> {
        self.games.get(player)?.get(&game)
    }

    /// The finished games of a player, in order.
    pub fn finished(&self, player: usize) -> impl Iterator<Item = &Game> {
        self.games[player].values().filter(|game| game.position.is_none())
    }

    /// The games of a player that were broken off.
    pub fn broken_off(&self, player: usize) -> impl Iterator<Item = &Game> {
        self.games[player].values().filter(|game| game.position.is_some())
    }

    /// The scores of a player's finished games.
    pub fn scores(&self, player: usize) -> Vec<f64> {
        self.finished(player).map(|game| game.score).collect()
    }

    /// The scores of two players in the games that both have finished.
    pub fn paired(&self, first: usize, second: usize) -> (Vec<f64>, Vec<f64>) {
        let other = |number: usize| self.get(second, number).filter(|game| game.position.is_none());
        self.finished(first).filter_map(|game| Some((game.score, other(game.game)?.score))).unzip()
    }

    /// The mean where games were broken off: those that are over are the short ones, and their mean would be too low. Of
    /// exponential scores the best estimate is the sum of all, over the number of games that are over.
    pub fn censored_mean(&self, player: usize) -> f64 {
        self.sum(player) / self.finished(player).count() as f64
    }

    /// The 95 % interval of the mean if scores follow the exponential law, which is right for few games too, and for those
    /// that were broken off.
    pub fn exact_ci95(&self, player: usize) -> [f64; 2] {
        let broken_off = self.broken_off(player).next().is_some();
        exponential_mean_ci95(self.finished(player).count(), self.sum(player), broken_off)
    }

    fn sum(&self, player: usize) -> f64 {
        self.games[player].values().map(|game| game.score).sum()
    }

    /// Decisions a second of a player, on one thread.
    pub fn speed(&self, player: usize) -> f64 {
        let all = || self.games[player].values();
        // A journal may say anything.
        all().fold(0u64, |sum, game| sum.saturating_add(game.decisions)) as f64
            / all().map(|game| game.seconds).sum::<f64>()
    }

    /// Whether every game is over.
    pub fn complete(&self) -> bool {
        (0..self.games.len()).all(|player| self.finished(player).count() == self.wanted)
    }
}
