//! `evalforge estimate`: the mean score of games too long to play, by splitting or by what else a game has.

use clap::Args;
use games::{Game, Rules};
use play::names::UnknownName;
use play::solo::Measure;
use play::{PlayedGame, title};
use serde_json::{Map, Value, json};

pub use super::estimate_splitting::Splitting;
use crate::arguments::{Common, For, Given, OnGame};
use crate::failure::Usage;
use crate::rooms::{CliGame, Own};

/// The method that every game has which is lost level by level.
pub const SPLITTING: &str = "splitting";

/// Estimate the mean score of a player whose games are too long to play
///
/// splitting measures it: how often a game rises to a first level, as the height of a pile, what share of those excursions reach the next
/// one, and so on to the end of the game.
#[derive(Debug, Args)]
pub struct Estimate {
    /// A player or model file
    #[arg(long)]
    pub player: String,
    /// splitting, or another that the game has
    #[arg(long)]
    pub method: String,
    #[command(flatten)]
    splitting: Splitting,
    /// Seed, threads, JSON.
    #[command(flatten)]
    pub common: Common,
}

impl OnGame for Estimate {
    const FOR: For = For::Able("is not lost level by level");
    const USAGE: Option<&'static str> =
        Some("evalforge estimate <GAME> --player <PLAYER> --method <METHOD> [OPTIONS]");

    fn own<G: CliGame>() -> Option<Own> {
        G::ESTIMATE
    }

    fn is_able<G: CliGame>() -> bool {
        G::highest_level(&G::Rules::default(), Measure::Height).is_some()
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        match G::ESTIMATE {
            _ if self.method == SPLITTING => {
                if let Some(option) = G::ESTIMATE.and_then(|own| given.any_of(own.describe)) {
                    return Err(Usage(format!("--{option} is not for --method {SPLITTING}")).into());
                }
                self.splitting.run::<G>(given.rules::<G>()?, self.player, &self.common)
            }
            Some(own) => (own.run)(given),
            None => Err(UnknownName::new("method", &self.method, [SPLITTING]).into()),
        }
    }
}

/// The first line of a report.
pub fn heading<G: PlayedGame>(rules: &G::Rules, player: &str, seed: u64, method: &str) -> String {
    let (title, options) = title::<G>(rules);
    let options: String = options.into_iter().map(|(key, value)| format!(", {key} {value}")).collect();
    format!("{title}{options}, {player} by {method}, seed {seed}")
}

/// The options of the rules.
pub fn options_json<G: Game>(rules: &G::Rules) -> Map<String, Value> {
    rules.to_pairs().into_iter().map(|(key, value)| (key.into(), json!(value))).collect()
}
