//! The figures of Müller 1992: share of games that o wins, in percent. Rows play o, columns +.

use std::sync::LazyLock;

use serde::Deserialize;

use super::super::read;

/// Who plays, in the order of rows and columns: the network and the expert, each looking one or two moves ahead.
pub const PLAYERS: [&str; 4] = ["r1", "r2", "e1", "e2"];

/// What a network has learned from and looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sample {
    /// Positions as they come.
    Natural,
    /// Half of them from games won by o, half from games won by +.
    Balanced,
    /// Only games won by o.
    WonByO,
    /// Only games won by +.
    WonByPlus,
    /// As they come, seen as the 44 features of section 5.
    Features,
}

impl Sample {
    /// All of them.
    pub const ALL: [Sample; 5] =
        [Sample::Natural, Sample::Balanced, Sample::WonByO, Sample::WonByPlus, Sample::Features];
}

/// A table of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Its number.
    pub name: String,
    /// What its networks learned from.
    pub sample: Sample,
    /// Whether a test for four in line helps the network.
    pub helped: bool,
    /// The figures, rows and columns in the order of [`PLAYERS`]; section 5 says only that they are worse.
    pub shares: Option<[[f64; 4]; 4]>,
    /// What it shows, in one line.
    pub about: String,
}

/// The games of the expert.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseFigures {
    /// How many.
    pub games: usize,
    /// Those that were drawn.
    pub drawn: usize,
    /// The share of the others that o won, in percent.
    pub won_by_o: f64,
    /// Positions.
    pub positions: usize,
}

/// The figures of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Games of each cell.
    pub games: usize,
    /// The games of the expert.
    pub database: DatabaseFigures,
    /// The tables, in the order of the paper.
    #[serde(rename = "table")]
    pub tables: Vec<Published>,
}

/// The figures of the paper.
pub static PAPER: LazyLock<Paper> =
    LazyLock::new(|| read(include_str!("../../../../../experiments/published/pushover-muller.toml")));
