//! What all estimates of the mean score of games too long to play say of themselves.

use play::{PlayedGame, title};

/// The first line of a report.
pub fn heading<G: PlayedGame>(rules: &G::Rules, player: &str, seed: u64, method: &str) -> String {
    let (title, options) = title::<G>(rules);
    let options: String = options.into_iter().map(|(key, value)| format!(", {key} {value}")).collect();
    format!("{title}{options}, {player} by {method}, seed {seed}")
}
