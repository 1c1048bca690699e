//! What a match or tournament is resumed by: its header, and the pairs that its journal holds.

use std::collections::BTreeMap;
use std::path::Path;

use games::Rules;
use play::PlayedGame;
use play::players::notation::with_todays_keys;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Adjudication, DuelSetup, PlayedPair, Results, Schedule};
use crate::journal::{self, Journal, JournalError};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    game: String,
    rules: BTreeMap<String, String>,
    /// With the keys of today, whichever they were written with.
    #[serde(deserialize_with = "players_of_today")]
    players: Vec<String>,
    schedule: Schedule,
    openings: String,
    most_moves: usize,
    seed: u64,
    /// Left out where there is none, as in files from before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "credit")]
    game_time: Option<f64>,
    #[serde(default, skip_serializing_if = "is_zero")]
    increment: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    time_margin: f64,
    #[serde(default, skip_serializing_if = "Adjudication::is_none")]
    adjudication: Adjudication,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

fn todays(players: &[String]) -> Vec<String> {
    players.iter().map(|text| with_todays_keys(text)).collect()
}

fn players_of_today<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Vec::deserialize(from).map(|players: Vec<String>| todays(&players))
}

impl Header {
    // The number of pairs and the test are left out: more may be played, and another question asked.
    fn new<G: PlayedGame>(setup: &DuelSetup<G>) -> Self {
        let rules = setup.rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value)).collect();
        Self {
            format: "evalforge arena 1".into(),
            game: G::NAME.into(),
            rules,
            players: todays(&setup.players),
            schedule: setup.schedule,
            openings: setup.openings.label().to_string(),
            most_moves: setup.most_moves,
            seed: setup.seed,
            game_time: setup.game_time,
            increment: setup.increment,
            time_margin: setup.time_margin,
            adjudication: setup.adjudication,
        }
    }
}

impl journal::Header for Header {
    const FORMAT: &'static str = "evalforge arena";
    const OF: &'static str = "an arena";

    fn parts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("format", self.format.clone()),
            ("game", self.game.clone()),
            ("set of rules", format!("{:?}", self.rules)),
            ("list of players", self.players.join(" ")),
            ("schedule", format!("{:?}", self.schedule)),
            ("set of openings", self.openings.clone()),
            ("limit of moves", self.most_moves.to_string()),
            ("seed", self.seed.to_string()),
            ("time of a game", self.game_time.map_or("none".into(), |seconds| format!("{seconds} s"))),
            ("increment", format!("{} s", self.increment)),
            ("time margin", format!("{} s", self.time_margin)),
            ("adjudication", format!("{:?}", self.adjudication)),
        ]
    }
}

/// Opens the journal of a match, and reads the pairs in it; makes it if there is none.
///
/// # Errors
/// It cannot be read or written, or is of another match, or another process writes to it.
pub fn open_journal<G: PlayedGame>(
    path: &Path,
    setup: &DuelSetup<G>,
) -> Result<(Journal, Results), JournalError> {
    let mut results = Results::new(setup);
    let journal = Journal::open(path, &Header::new(setup), &mut |line, pair: PlayedPair| {
        // In a Swiss tournament the same two may meet in every round.
        if pair.pair >= setup.pairs * setup.schedule.rounds() {
            return Err(format!(
                "it holds more than the {} games of two players that are asked for: ask for as many as before, or more",
                2 * setup.pairs
            ));
        }
        if pair.opening != setup.openings.get(pair.pair).text() {
            return Err(format!("line {line} has another opening than pair {}", pair.pair));
        }
        results.insert(pair);
        Ok(())
    })?;
    Ok((journal, results))
}
