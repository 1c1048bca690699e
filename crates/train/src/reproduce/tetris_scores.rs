//! The scores of Tetris controllers in the papers and on the simulator of their authors (Thiery & Scherrer 2009, Boumaza
//! 2013, Scherrer et al. 2015), beside our own.

use games::Rules;
use games::tetris::TetrisRules;
use measure::score::Setup;
use stats::Summary;

/// A measurement: players on one board, on the same pieces.
#[derive(Debug, Clone, Copy)]
pub struct Contest {
    /// Its name, also of its journal.
    pub name: &'static str,
    /// The rules that differ from the default.
    pub rules: &'static [(&'static str, &'static str)],
    /// Games of the whole table, and of the quick one; 0 leaves it out there.
    pub games: usize,
    /// See `games`.
    pub quick: usize,
    /// The seed.
    pub seed: u64,
    /// Each player and what is known of it.
    pub players: &'static [(&'static str, Known)],
}

/// A published or measured mean and its interval.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The interval, from the lowest to the highest that sources allow.
    pub range: [f64; 2],
    /// The figures and where they come from.
    pub source: &'static str,
}

/// A mean with a relative error.
const fn about(mean: f64, error: f64, source: &'static str) -> Known {
    Known { range: [mean * (1.0 - error), mean * (1.0 + error)], source }
}

/// The one list of contests.
pub const CONTESTS: &[Contest] = &[
    Contest {
        name: "10x10",
        rules: &[("height", "10")],
        games: 5000,
        quick: 500,
        seed: 2026,
        players: &[
            ("dellacherie", about(2322.0, 0.037, "2,322 ±3.7 % on the authors' simulator")),
            (
                "dn",
                Known {
                    range: [3768.0, 4151.0],
                    source: "3,961 ±4.8 % on the authors' simulator; 3,800 in the paper",
                },
            ),
            ("dt-10", about(4874.0, 0.10, "4,874 ±10 %; 5,000 in the paper")),
            ("dt-20", about(4507.0, 0.09, "4,507 ±9 %; 4,300 in the paper")),
        ],
    },
    Contest {
        name: "10x10-losing-allowed",
        rules: &[("height", "10"), ("losing", "allowed")],
        games: 5000,
        quick: 1000,
        seed: 2026,
        players: &[("dellacherie", about(470.0, 0.05, "about 470 on the authors' simulator"))],
    },
    Contest {
        name: "harder-10x20",
        rules: &[("pieces", "harder")],
        games: 2000,
        quick: 200,
        seed: 2026,
        players: &[
            ("dellacherie", about(1176.0, 0.12, "1,176 ±12 %")),
            ("dn", about(1804.0, 0.12, "1,804 ±12 %")),
            ("dt-20", about(1876.0, 0.12, "1,876 ±12 %")),
        ],
    },
    Contest {
        name: "10x16",
        rules: &[("height", "16")],
        games: 200,
        quick: 0,
        seed: 2028,
        players: &[
            ("dellacherie", about(220_000.0, 0.20, "220,000 ±20 %, Thiery & Scherrer")),
            ("dn", about(910_000.0, 0.05, "910,000 ±5 %, Thiery & Scherrer")),
        ],
    },
    Contest {
        name: "10x19",
        rules: &[("height", "19")],
        games: 100,
        quick: 0,
        seed: 2029,
        players: &[("dellacherie", about(2_500_000.0, 0.20, "2.5 M ±20 %, Thiery & Scherrer"))],
    },
    Contest {
        name: "10x20-dellacherie",
        rules: &[],
        games: 100,
        quick: 0,
        seed: 2027,
        players: &[(
            "dellacherie",
            Known {
                range: [4_160_000.0, 6_600_000.0],
                source: "5.2 M ±20 %, Thiery & Scherrer; 6.6 M by another author",
            },
        )],
    },
    Contest {
        name: "10x20-dn",
        rules: &[],
        games: 60,
        quick: 0,
        seed: 2027,
        players: &[(
            "dn",
            Known {
                range: [28_000_000.0, 42_000_000.0],
                source: "35 M ±20 %, Thiery & Scherrer; 31 M over 10,000 games",
            },
        )],
    },
];

impl Contest {
    /// The measurement to make; `None` if it is too long for the quick table.
    pub fn setup(&self, quick: bool) -> Option<Setup> {
        let games = if quick { self.quick } else { self.games };
        let rules = TetrisRules::from_pairs(self.rules.iter().copied()).expect("the rules are written here");
        let players = self.players.iter().map(|(player, _)| (*player).to_string()).collect();
        (games > 0).then_some(Setup { rules, players, games, seed: self.seed })
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
        for contest in CONTESTS {
            let setup = contest.setup(false).unwrap();
            setup.check().unwrap();
            assert!(contest.quick <= contest.games);
        }
        let names: std::collections::HashSet<&str> = CONTESTS.iter().map(|contest| contest.name).collect();
        assert_eq!(names.len(), CONTESTS.len());
    }

    #[test]
    fn intervals_that_do_not_meet_do_not_agree() {
        let found = |mean: f64| Summary::of(&vec![mean; 400]);
        assert!(agrees(&about(100.0, 0.1, ""), &found(115.0)));
        assert!(!agrees(&about(100.0, 0.1, ""), &found(130.0)));
        assert!(!agrees(&about(100.0, 0.1, ""), &found(70.0)));
    }
}
