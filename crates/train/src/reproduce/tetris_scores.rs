//! The scores of Tetris controllers in the papers and on the simulator of their authors (Thiery & Scherrer 2009, Boumaza
//! 2013, Scherrer et al. 2015), beside our own.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use games::Rules;
use games::tetris::{Tetris, TetrisRules};
use measure::score::ScoreSetup;
use serde::Deserialize;
use stats::Summary;

use super::read;

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
    /// The interval, from the lowest to the highest that sources allow.
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

/// Whether what is known and what was found may be the same.
pub fn agrees(known: &Known, found: &Summary) -> bool {
    let [low, high] = found.exponential_ci95;
    known.range[0] <= high && low <= known.range[1]
}

#[cfg(test)]
mod tests {
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
    fn intervals_that_do_not_meet_do_not_agree() {
        let found = |mean: f64| Summary::of(&vec![mean; 400]);
        let known = Known { player: String::new(), range: [90.0, 110.0], source: String::new() };
        assert!(agrees(&known, &found(115.0)));
        assert!(!agrees(&known, &found(130.0)));
        assert!(!agrees(&known, &found(70.0)));
    }
}
