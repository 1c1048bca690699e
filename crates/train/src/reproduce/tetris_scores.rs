//! The scores of Tetris controllers in the papers and on the simulator of their authors (Thiery & Scherrer 2009, Boumaza
//! 2013, Scherrer et al. 2015), beside our own.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use games::Rules;
use games::tetris::{Tetris, TetrisRules};
use measure::score::ScoreSetup;
use serde::Deserialize;
use stats::Summary;

use super::{ratio_to_range, read};

/// A measurement: players on one board, on the same pieces.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contest {
    /// Its name, also of its journal.
    pub name: String,
    /// The rules that differ from the default.
    #[serde(default)]
    rules: BTreeMap<String, String>,
    /// Games of the whole table, and of the quick one; 0 leaves it out there.
    games: usize,
    /// See `games`.
    quick: usize,
    seed: u64,
    /// Each player and what is known of it.
    pub players: Vec<Known>,
}

/// A published or measured mean of a player and its interval.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The player.
    pub player: String,
    /// The interval, from the lowest to the highest mean that sources allow.
    range: [f64; 2],
    /// The figures and where they come from.
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    contest: Vec<Contest>,
}

/// The one list of contests.
pub static CONTESTS: LazyLock<Vec<Contest>> = LazyLock::new(|| {
    let file: File = read(include_str!("../../../../experiments/published/tetris-scores.toml"));
    file.contest
});

impl Contest {
    /// The measurement to make; `None` if it is too long for the quick table.
    pub fn setup(&self, quick: bool) -> Option<ScoreSetup<Tetris>> {
        let games = if quick { self.quick } else { self.games };
        let rules = self.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let rules = TetrisRules::from_pairs(rules).expect("a test reads the file");
        let players = self.players.iter().map(|known| known.player.clone()).collect();
        (games > 0).then_some(ScoreSetup { rules, players, games, seed: self.seed })
    }
}

/// What was found over what is known, with its interval.
pub fn ratio(known: &Known, found: &Summary) -> (f64, [f64; 2]) {
    ratio_to_range((found.mean, found.exponential_ci95), known.range)
}

#[cfg(test)]
mod tests {
    use super::super::holds_1;
    use super::*;

    #[test]
    fn every_contest_can_be_set_up() {
        for contest in CONTESTS.iter() {
            let setup = contest.setup(false).unwrap();
            setup.check().unwrap();
            assert!(contest.quick <= contest.games);
        }
        let names: std::collections::HashSet<&str> =
            CONTESTS.iter().map(|contest| contest.name.as_str()).collect();
        assert_eq!(names.len(), CONTESTS.len());
    }

    #[test]
    fn what_agrees_has_a_ratio_whose_interval_holds_1() {
        let found = |mean: f64| Summary::of(&vec![mean; 400]);
        let known = Known { player: String::new(), range: [90.0, 110.0], source: String::new() };
        let agrees = |mean: f64| holds_1(ratio(&known, &found(mean)).1);
        assert!(agrees(110.0) && agrees(90.0));
        // The intervals touch, [90, 110] and [108, 132], and the means are not equal all the same.
        assert!(!agrees(120.0) && !agrees(70.0));
        let (middle, [low, high]) = ratio(&known, &found(110.0));
        assert!((middle - 110.0 / 9_900f64.sqrt()).abs() < 1e-12 && low < 1.0 && high > 1.2, "{low} {high}");
    }
}
