//! Splitting held against plain games where those can be played, and against the papers where they cannot.

use std::sync::LazyLock;

use games::Rules;
use games::tetris::{Tetris, TetrisRules};
use measure::score;
use measure::splitting::{Effort, Estimate, Levels, SplittingSetup};
use serde::Deserialize;
use stats::{Summary, independent_ratio_ci95};

use super::{holds_1, ratio_to_range, read};

/// The seeds of the repeats and of the plain games.
const SEEDS: [u64; 2] = [2031, 2032];

/// A player on a board of some height.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The player.
    pub player: String,
    /// Rows.
    pub height: u8,
    /// Plain games of the whole table and of the quick one; 0 for none.
    #[serde(default)]
    games: [usize; 2],
    /// What the papers say.
    pub known: Option<Papers>,
}

/// What papers say of a player.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Papers {
    /// The figures as a range.
    range: [f64; 2],
    /// The same as text.
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// The one list of cases.
pub static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let file: File = read(include_str!("../../../../experiments/published/tetris-splitting.toml"));
    file.case
});

impl Case {
    fn rules(&self) -> TetrisRules {
        let height = self.height.to_string();
        TetrisRules::from_pairs([("height", height.as_str())]).expect("the rules are written here")
    }

    /// The estimate to make.
    pub fn splitting(&self, quick: bool) -> SplittingSetup<Tetris> {
        let (repeats, effort) = match quick {
            true => (10, Effort { moves: 20_000, trials: 500, ..Effort::default() }),
            false => (20, Effort { moves: 50_000, trials: 2_000, ..Effort::default() }),
        };
        let player = self.player.clone();
        SplittingSetup {
            rules: self.rules(),
            player,
            levels: Levels::Automatic,
            effort,
            repeats,
            seed: SEEDS[0],
        }
    }

    /// The games to play; none if they would take too long.
    pub fn plain(&self, quick: bool) -> Option<score::ScoreSetup<Tetris>> {
        let games = self.games[usize::from(quick)];
        let players = vec![self.player.clone()];
        (games > 0).then(|| score::ScoreSetup { rules: self.rules(), players, games, seed: SEEDS[1] })
    }

    /// Whether the estimate over what the papers say may be 1.
    pub fn agrees_with_papers(&self, estimate: &Estimate) -> Option<bool> {
        Some(holds_1(ratio_to_range((estimate.value, estimate.ci95?), self.known.as_ref()?.range).1))
    }
}

/// Whether the estimate over the mean of plain games may be 1.
pub fn agrees(estimate: &Estimate, plain: &Summary) -> bool {
    let plain = (plain.mean, plain.exponential_ci95);
    estimate.ci95.is_some_and(|ci95| holds_1(independent_ratio_ci95((estimate.value, ci95), plain)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_can_be_set_up_and_has_something_to_be_held_against() {
        for case in CASES.iter() {
            assert!(case.known.is_some() != case.plain(false).is_some(), "{case:?}");
            for quick in [false, true] {
                let setup = case.splitting(quick);
                play::players::PlayerSpec::<Tetris>::parse(&setup.rules, &setup.player).unwrap();
                if let Some(plain) = case.plain(quick) {
                    plain.check().unwrap();
                    assert_eq!(plain.rules, setup.rules);
                }
            }
        }
    }

    #[test]
    fn what_agrees_has_a_ratio_whose_interval_holds_1() {
        let around = |value, ci95| Estimate { n: 20, value, ci95, loss_rate: 0.004, score_rate: 0.4 };
        let estimate = |ci95| around(100.0, ci95);
        let plain = |mean: f64| Summary::of(&vec![mean; 400]);
        assert!(agrees(&estimate(Some([90.0, 110.0])), &plain(112.0)));
        // Here the intervals only touch.
        assert!(!agrees(&estimate(Some([90.0, 110.0])), &plain(121.0)));
        assert!(!agrees(&estimate(Some([90.0, 110.0])), &plain(130.0)));
        assert!(!agrees(&estimate(None), &plain(100.0)));
        let known = Some(Papers { range: [100.0, 120.0], source: String::new() });
        let papers = Case { player: "dn".into(), height: 20, games: [0, 0], known };
        assert_eq!(papers.agrees_with_papers(&around(130.0, Some([119.0, 141.0]))), Some(false));
        assert_eq!(papers.agrees_with_papers(&around(120.0, Some([110.0, 130.0]))), Some(true));
    }
}
