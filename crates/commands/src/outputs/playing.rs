//! What commands print that look at positions, or list what there is.

use std::collections::BTreeMap;

use report::catalog::Item;
use schemars::JsonSchema;
use serde::Serialize;

use super::Output;

/// Every move of a position, searched.
#[derive(Serialize, JsonSchema)]
pub struct Analysis {
    /// The game.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// The search and its evaluation.
    pub player: String,
    /// Every move, the best first.
    pub moves: Vec<AnalysedMove>,
}

impl Output for Analysis {
    const SCHEMA: &'static str = "analyze/1";
    const WHAT: &'static str = "analyze: every move of a position, searched";
}

/// A move that was searched.
#[derive(Serialize, JsonSchema)]
pub struct AnalysedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth for the side that makes it.
    pub value: f64,
    /// Whether the value is how the game ends, and not an estimate.
    pub decided: bool,
    /// Whether the end was seen in every line.
    pub exact: bool,
    /// Plies that were searched.
    pub depth: u32,
    /// Positions that were visited.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The expected moves.
    pub line: Vec<String>,
    /// What each feature adds to the evaluation of the position after the move.
    pub shares: BTreeMap<String, f64>,
}

/// Every move as an evaluation function sees it.
#[derive(Serialize, JsonSchema)]
pub struct Why {
    /// The position as text.
    pub position: String,
    /// The player.
    pub player: String,
    /// Every move, the one that is played first.
    pub moves: Vec<RatedMove>,
    /// What chance has dealt, by the name that the game has for it, as `piece`.
    #[serde(flatten)]
    pub dealt: BTreeMap<String, String>,
}

impl Output for Why {
    const SCHEMA: &'static str = "why/1";
    const WHAT: &'static str = "analyze --why: every move by a function, and its features";
}

/// A move as an evaluation function sees it.
#[derive(Serialize, JsonSchema)]
pub struct RatedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub mv: String,
    /// What the function says.
    pub value: f64,
    /// The features of the position after the move, by name.
    pub features: BTreeMap<String, FeatureShare>,
    /// `wins`, `loses` or `draws` if the move ends the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

/// A feature of a position.
#[derive(Serialize, JsonSchema)]
pub struct FeatureShare {
    /// Its value.
    pub value: f64,
    /// Its weight, in a weighted sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Weight times value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// What there is.
#[derive(Serialize, JsonSchema)]
pub struct Listing {
    /// What --json prints, by name and version; of `list schemas`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub schemas: BTreeMap<String, String>,
    /// The things of each kind that is asked for.
    #[serde(flatten)]
    pub kinds: BTreeMap<String, Vec<Item>>,
}

impl Output for Listing {
    const SCHEMA: &'static str = "list/1";
    const WHAT: &'static str = "list: what there is";
}
