//! What `evalforge reproduce` prints as JSON.

use measure::splitting::Estimate;
use schemars::JsonSchema;
use serde::Serialize;
use stats::{Elo, Mean, Share};
use train::reproduce::cell::Cell;

use crate::outputs::Output;

/// A published table, theirs beside ours.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reproduced {
    /// tetris-scores.
    Scores(ScoresTable),
    /// tetris-splitting.
    Splitting(SplittingTable),
    /// avalam-table.
    Agents(AgentsTable),
    /// pushover-muller.
    Pupil(PupilTables),
    /// A paper.
    Paper(PaperTables),
}

impl Output for Reproduced {
    const SCHEMA: &'static str = "reproduce/1";
    const WHAT: &'static str = "reproduce: a published table, theirs beside ours";
}

/// The tables of a paper.
#[derive(Serialize, JsonSchema)]
pub struct PaperTables {
    /// The paper.
    pub paper: String,
    /// Whether it is the quick form.
    pub quick: bool,
    /// Its parts, as far as they are over.
    pub parts: Vec<PaperPart>,
}

/// A part of a paper.
#[derive(Serialize, JsonSchema)]
pub struct PaperPart {
    /// Its name.
    pub part: String,
    /// What it shows.
    pub title: String,
    /// Working time in seconds.
    pub seconds: f64,
    /// Each published figure beside ours.
    pub cells: Vec<Cell>,
}

/// Mean lines of published players of Tetris.
#[derive(Serialize, JsonSchema)]
pub struct ScoresTable {
    /// The table.
    pub table: String,
    /// Whether it is the quick one.
    pub quick: bool,
    /// Threads.
    pub threads: usize,
    /// A player on a board each.
    pub rows: Vec<ScoresRow>,
}

/// A player on a board.
#[derive(Serialize, JsonSchema)]
pub struct ScoresRow {
    /// The board.
    pub board: String,
    /// The player.
    pub player: String,
    /// Mean lines.
    pub mean: f64,
    /// The 95 % interval of `mean`.
    pub ci95: [f64; 2],
    /// Games.
    pub n: usize,
    /// What is published, in words.
    pub known: String,
    /// Ours over theirs.
    pub ratio: f64,
    /// The 95 % interval of `ratio`.
    pub ratio_ci95: [f64; 2],
    /// Whether `ratio_ci95` holds 1.
    pub agrees: bool,
    /// Games that were broken off.
    pub broken_off: usize,
}

/// Estimates by splitting beside plain games.
#[derive(Serialize, JsonSchema)]
pub struct SplittingTable {
    /// The table.
    pub table: String,
    /// Whether it is the quick one.
    pub quick: bool,
    /// Threads.
    pub threads: usize,
    /// A player on a board each.
    pub rows: Vec<SplittingRow>,
}

/// An estimate beside plain games or papers.
#[derive(Serialize, JsonSchema)]
pub struct SplittingRow {
    /// Rows of the board.
    pub height: u8,
    /// The player.
    pub player: String,
    /// The estimate.
    pub splitting: Option<Estimate>,
    /// Repeats with an empty stage.
    pub missing: usize,
    /// The levels.
    pub levels: Vec<u32>,
    /// Where an excursion is over.
    pub base: u32,
    /// Pieces that were played.
    pub pieces: u64,
    /// What casts doubt on it, in words.
    pub warnings: Vec<String>,
    /// Plain games, where they are not too long.
    pub plain: Option<PlainGames>,
    /// What papers say, in words.
    pub papers: Option<String>,
    /// Whether the estimate agrees with plain games or papers.
    pub agrees: Option<bool>,
}

/// Plain games of a player.
#[derive(Serialize, JsonSchema)]
pub struct PlainGames {
    /// Mean lines.
    pub mean: f64,
    /// The 95 % interval of `mean`.
    pub ci95: [f64; 2],
    /// Games.
    pub n: usize,
    /// Pieces that were played.
    pub pieces: u64,
}

/// Agents of Avalam against each other.
#[derive(Serialize, JsonSchema)]
pub struct AgentsTable {
    /// The table.
    pub table: String,
    /// Whether it is the quick one.
    pub quick: bool,
    /// Threads.
    pub threads: usize,
    /// The function of the agents that search.
    pub function: String,
    /// Seconds of each for a whole game.
    pub credit: f64,
    /// The agents as players.
    pub players: Vec<String>,
    /// Games that are over.
    pub games: usize,
    /// Whether all games were played: false after Ctrl-C.
    pub complete: bool,
    /// Every two agents.
    pub rows: Vec<AgentsRow>,
    /// What each agent won.
    pub won: Vec<AgentWon>,
}

/// Two agents.
#[derive(Serialize, JsonSchema)]
pub struct AgentsRow {
    /// The one that is better in the report.
    pub better: String,
    /// The other one.
    pub worse: String,
    /// By how much the better one won in the report, as player 1 and as player -1.
    pub published: [i32; 2],
    /// Games won, drawn and lost by the better one.
    pub games: [u64; 3],
    /// Its share of the points, and what that is in Elo.
    pub elo: Elo,
    /// By how many towers it won.
    pub margin: Mean,
    /// Seconds of a move of both.
    pub seconds_per_move: [f64; 2],
    /// Games that either lost by breaking a rule.
    pub forfeits: u64,
}

/// What an agent won.
#[derive(Serialize, JsonSchema)]
pub struct AgentWon {
    /// The agent.
    pub agent: String,
    /// The share of its games.
    pub won: Share,
}

/// The pupil of Push-over that beats its master.
#[derive(Serialize, JsonSchema)]
pub struct PupilTables {
    /// The table.
    pub table: String,
    /// Whether it is the quick one.
    pub quick: bool,
    /// Threads.
    pub threads: usize,
    /// The seed of everything.
    pub seed: u64,
    /// How long it took.
    pub seconds: f64,
    /// The games of the expert.
    pub database: PupilDatabase,
    /// Trainings of each kind.
    pub trainings: usize,
    /// Games of each training but the first.
    pub spread_games: usize,
    /// The tables of the paper.
    pub tables: Vec<PupilTable>,
    /// Whether the network is at least the expert's equal.
    pub claim: Vec<PupilClaim>,
}

/// The games of the expert.
#[derive(Serialize, JsonSchema)]
pub struct PupilDatabase {
    /// Games.
    pub games: usize,
    /// Games that are drawn.
    pub drawn: usize,
    /// The share of games that o won, drawn ones left out.
    pub won_by_o: Share,
    /// Positions.
    pub positions: usize,
}

/// A table of the paper.
#[derive(Serialize, JsonSchema)]
pub struct PupilTable {
    /// Its number there.
    pub table: String,
    /// What it is about.
    pub about: String,
    /// Every two players.
    pub cells: Vec<PupilCell>,
}

/// Two players.
#[derive(Serialize, JsonSchema)]
pub struct PupilCell {
    /// Who plays o.
    pub o: String,
    /// Who plays +.
    #[serde(rename = "+")]
    pub plus: String,
    /// The share of games that o won.
    pub won_by_o: f64,
    /// The 95 % interval of `won_by_o`.
    pub ci95: [f64; 2],
    /// Games.
    pub n: usize,
    /// The share of games that + won.
    pub won_by_plus: f64,
    /// What the paper says of o.
    pub published: Option<f64>,
    /// Whether `published` differs by more than chance.
    pub differs: Option<bool>,
    /// What o won with each training.
    pub trainings: Vec<f64>,
}

/// The network in the place of the expert.
#[derive(Serialize, JsonSchema)]
pub struct PupilClaim {
    /// The network and its side.
    pub who: String,
    /// The share of games that it wins against the expert.
    pub network: Share,
    /// The share that the expert wins in its place.
    pub expert: Share,
    /// Whether the network wins more than half, less, or about half.
    pub wins: String,
    /// Whether it is better than the expert in its place, worse or equal.
    pub in_place_of_expert: String,
    /// The share of the network with each training.
    pub trainings: Vec<f64>,
}
