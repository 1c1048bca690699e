//! The papers: what is played, learned and drawn again, and what was published, as files of `experiments/papers/`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use toml::Table;

use super::cell::Theirs;

/// A paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Its name on the command line.
    #[serde(skip)]
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// Who wrote it, where and when.
    pub citation: String,
    /// The game it is about.
    pub game: String,
    /// What is in it.
    pub part: Vec<Part>,
}

/// A table, a figure or a section.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its name, as "table-3".
    pub name: String,
    /// Other names: tables and figures that are told of here too.
    #[serde(default)]
    pub also: Vec<String>,
    /// What it shows.
    pub title: String,
    /// What the paper says.
    pub says: String,
    /// What is done otherwise here, and why ours differs.
    #[serde(default)]
    pub note: String,
    /// Processor seconds of the whole, which may be a guess, and of the quick form, which was measured.
    pub seconds: [f64; 2],
    /// Players that play games for one.
    #[serde(default)]
    pub contest: Vec<Contest>,
    /// What is learned.
    #[serde(default)]
    pub learn: Vec<Learned>,
    /// What is drawn of it.
    #[serde(default)]
    pub figure: Vec<Drawn>,
    /// A program of its own.
    #[serde(default)]
    pub program: Option<String>,
}

/// Players on one board, on the same pieces.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contest {
    /// Its name, also of its journal.
    pub name: String,
    /// The rules that differ from the default.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
    /// Games of the whole table, and of the quick one; 0 leaves it out there.
    pub games: [usize; 2],
    /// The seed of the games.
    pub seed: u64,
    /// Each player and what is published of it.
    pub players: Vec<Known>,
}

/// A player and its published mean.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The player.
    pub player: String,
    /// What it is called in the table, if not so.
    #[serde(default)]
    pub called: Option<String>,
    /// What is published of it.
    #[serde(default)]
    pub theirs: Option<Theirs>,
    /// Why ours differs, if it does.
    #[serde(default)]
    pub why: String,
}

/// An experiment that is run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// What it is called here; also the name of its folder.
    pub label: String,
    /// The experiment that comes with the program.
    pub experiment: String,
    /// What is different in it.
    #[serde(default)]
    pub set: Table,
    /// What is different in the quick form beside the experiment's own.
    #[serde(default)]
    pub quick: Table,
    /// What is told of it.
    #[serde(default)]
    pub cell: Vec<Told>,
}

/// A figure of an experiment beside a published one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// What it is about.
    pub what: String,
    /// Which: `score.K` is the K-th score of what was learned, `last` what the centre of each run scores in the last generations, `games` how
    /// many games each run played, `used` which share of the games that races allowed.
    pub of: String,
    /// What is published.
    #[serde(default)]
    pub theirs: Option<Theirs>,
    /// Why ours differs, if it does.
    #[serde(default)]
    pub why: String,
    /// Why the two are not the same thing; then there is no verdict.
    #[serde(default)]
    pub apart: String,
}

/// A figure that is drawn of what was learned.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// Its name, also of its files.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// `score`, `weights`, `axes`, `effort` or `final-weights`.
    pub of: String,
    /// Whether it goes along games and not generations.
    #[serde(default)]
    pub along_games: bool,
    /// The labels of the experiments that are in it; all of the part if none is said.
    #[serde(default)]
    pub only: Vec<String>,
}

macro_rules! papers {
    ($($name:literal),* $(,)?) => {
        vec![$(Paper {
            name: $name,
            ..toml::from_str(include_str!(concat!("../../../../experiments/papers/", $name, ".toml"))).expect("a test reads every file")
        }),*]
    };
}

/// The one list of papers.
pub static PAPERS: LazyLock<Vec<Paper>> =
    LazyLock::new(|| papers!["thiery-2009", "boumaza-2013", "muller-1992", "branly-2022"]);

impl Part {
    /// Processor seconds of one form.
    pub fn cost(&self, quick: bool) -> f64 {
        self.seconds[usize::from(quick)]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use games::Rules;
    use games::tetris::{Tetris, TetrisRules};
    use measure::score::ScoreSetup;

    use super::super::programs::PROGRAMS;
    use super::*;
    use crate::experiments;
    use crate::run::experiment::Experiment;

    #[test]
    fn everything_in_every_paper_can_be_run() {
        for paper in PAPERS.iter() {
            let names: Vec<&String> =
                paper.part.iter().flat_map(|part| [&part.name].into_iter().chain(&part.also)).collect();
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{}", paper.name);
            // What has the same label is the same, for it is learned once.
            let mut labels = BTreeMap::new();
            for part in &paper.part {
                assert!(part.seconds[0] >= part.seconds[1] && part.seconds[1] > 0.0, "{}", part.name);
                for contest in &part.contest {
                    let rules = contest.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
                    let rules = TetrisRules::from_pairs(rules).unwrap();
                    let players = contest.players.iter().map(|known| known.player.clone()).collect();
                    let games = contest.games[0];
                    assert!(contest.games[1] <= games);
                    ScoreSetup::<Tetris> { rules, players, games, seed: contest.seed }.check().unwrap();
                }
                for learned in &part.learn {
                    let text = experiments::find(&learned.experiment).unwrap();
                    for quick in [false, true] {
                        let more = if quick { Some(&learned.quick) } else { None };
                        let set = learned.set.iter().chain(more.into_iter().flatten());
                        let set: Vec<_> = set.map(|(key, value)| (key.clone(), value.to_string())).collect();
                        let planned = Experiment::parse::<games::Listed>("it", "it", &text, quick, &set);
                        let text = planned
                            .unwrap_or_else(|error| panic!("{}: {error}", learned.label))
                            .plan(0)
                            .config
                            .text();
                        assert_eq!(labels.entry((&learned.label, quick)).or_insert(text.clone()), &text);
                    }
                    for told in &learned.cell {
                        let known = told.of.starts_with("score.")
                            || ["last", "games", "used", "step"].contains(&told.of.as_str());
                        assert!(known && (told.theirs.is_none() || told.apart.is_empty()), "{}", told.what);
                    }
                }
                let known = |name: &String| PROGRAMS.iter().any(|(program, _)| program == name);
                assert!(part.program.iter().all(known), "{}", part.name);
                for drawn in &part.figure {
                    assert!(
                        ["score", "weights", "axes", "effort", "final-weights"].contains(&drawn.of.as_str())
                    );
                    let there = |label: &String| part.learn.iter().any(|learned| learned.label == *label);
                    assert!(!part.learn.is_empty() && drawn.only.iter().all(there), "{}", drawn.name);
                }
            }
        }
    }
}
