//! What a measurement of scores is resumed by: its header, and the games that its journal holds. A game of hours has several lines there, of
//! which the last one counts.

use std::collections::BTreeMap;
use std::path::Path;

use games::Rules;
use play::PlayedGame;
use serde::{Deserialize, Serialize};

use super::{Game, Games, ScoreSetup};
use crate::journal::{self, Journal, JournalError};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    game: String,
    rules: BTreeMap<String, String>,
    players: Vec<String>,
    seed: u64,
}

impl Header {
    fn new<G: PlayedGame>(setup: &ScoreSetup<G>) -> Self {
        let rules = setup.rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value)).collect();
        let players = setup.players.clone();
        Self { format: "evalforge score 1".into(), game: G::NAME.into(), rules, players, seed: setup.seed }
    }
}

impl journal::Header for Header {
    const FORMAT: &'static str = "evalforge score";
    const OF: &'static str = "scores";

    fn parts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("format", self.format.clone()),
            ("game", self.game.clone()),
            ("set of rules", format!("{:?}", self.rules)),
            ("list of players", self.players.join(" ")),
            ("seed", self.seed.to_string()),
        ]
    }
}

/// Opens the journal of a measurement, and reads the games in it; makes it if there is none.
///
/// # Errors
/// It cannot be read or written, or is of another measurement, or another process writes to it.
pub fn open_journal<G: PlayedGame>(
    path: &Path,
    setup: &ScoreSetup<G>,
) -> Result<(Journal, Games), JournalError> {
    let mut games = Games::new(setup.players.len(), setup.games);
    let journal = Journal::open(path, &Header::new(setup), &mut |line, game: Game| {
        possible(setup, &game).map_err(|reason| format!("line {line}: {reason}"))?;
        games.insert(game);
        Ok(())
    })?;
    Ok((journal, games))
}

/// Refuses a game that nobody can have played.
fn possible<G: PlayedGame>(setup: &ScoreSetup<G>, game: &Game) -> Result<(), String> {
    let Game { player, score, decisions, seconds, .. } = *game;
    if player >= setup.players.len() {
        return Err(format!("player {player} is none of the {}, from 0", setup.players.len()));
    }
    if !(seconds >= 0.0 && seconds.is_finite()) {
        return Err(format!("{seconds} seconds: must be a number from 0"));
    }
    let most = G::most_score(&setup.rules, decisions);
    if !score.is_finite() || score > most {
        return Err(format!(
            "{score} {} in {decisions} decisions: at most {most} are possible",
            G::SCORE_UNIT
        ));
    }
    Ok(())
}
