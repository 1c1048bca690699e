//! What commands print that only one game has.

use schemars::JsonSchema;
use serde::Serialize;
use stats::Mean;

use crate::outputs::{Options, Output};

/// The value of a game.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Solved {
    /// solve tetris.
    Tetris(SolvedTetris),
    /// solve othello.
    Othello(SolvedOthello),
    /// solve pushover.
    Pushover(SolvedPushover),
}

impl Output for Solved {
    const SCHEMA: &'static str = "solve/1";
    const WHAT: &'static str = "solve: the value of a game, and how it was found";
}

/// The best play on a small board of Tetris.
#[derive(Serialize, JsonSchema)]
pub struct SolvedTetris {
    /// The game.
    pub game: String,
    /// The options of its rules.
    pub options: Options,
    /// Lines of the best player on the mean.
    pub value: f64,
    /// Between which numbers `value` surely is.
    pub bounds: [f64; 2],
    /// By how much `value` is off at most.
    pub error: f64,
    /// Boards that can be reached.
    pub boards: usize,
    /// Boards that are computed, the others being mirror images.
    pub states: usize,
    /// Iterations over all placements.
    pub iterations: usize,
    /// Iterations over the best ones.
    pub sweeps: usize,
    /// How long it took.
    pub seconds: f64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Lines of games that were played with it, if some were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Mean>,
}

/// Endgames of Othello.
#[derive(Serialize, JsonSchema)]
pub struct SolvedOthello {
    /// The game.
    pub game: String,
    /// Whether scores are exact, and not those of a search.
    pub exact: bool,
    /// Threads; exact scores do not depend on them.
    pub threads: usize,
    /// How long it took.
    pub seconds: f64,
    /// Every position of the file; null where Ctrl-C came first.
    pub positions: Vec<Option<SolvedEndgame>>,
}

/// An endgame of Othello.
#[derive(Serialize, JsonSchema)]
pub struct SolvedEndgame {
    /// The best move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The difference of discs for the side to move.
    pub score: DiscScore,
    /// Positions that were visited.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The line of the file.
    pub line: usize,
    /// Empty squares.
    pub empties: u32,
    /// What the file says, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<EndgameFile>,
}

/// A difference of discs.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum DiscScore {
    /// Exact.
    Exact(i64),
    /// As a search values it.
    Searched(f64),
}

/// What a file says about an endgame.
#[derive(Serialize, JsonSchema)]
pub struct EndgameFile {
    /// The best score.
    pub score: i32,
    /// Whether the move that was found is one of its best.
    pub best_move: Option<bool>,
}

/// The value of Push-over.
#[derive(Serialize, JsonSchema)]
pub struct SolvedPushover {
    /// The game.
    pub game: String,
    /// Cells along an edge.
    pub size: u8,
    /// Whether the rule against repetition holds.
    pub repetition: bool,
    /// What the first position is worth for the side to move: win, loss or draw.
    pub value: String,
    /// In how many moves it is won or lost.
    pub distance: Option<u8>,
    /// The best moves of both.
    pub line: Vec<String>,
    /// Boards by their value.
    pub boards: BoardCounts,
    /// Boards by value and by how many moves it takes.
    pub by_distance: DistanceCounts,
    /// The win that takes longest.
    pub longest_win: Option<LongestWin>,
    /// Boards that were computed, one of each eight images.
    pub computed: usize,
    /// Boards that are worth less when the best push is forbidden.
    pub exceptions: usize,
    /// Rounds of the computation.
    pub rounds: u32,
    /// How long it took.
    pub seconds: f64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// What was checked, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<SolutionChecked>,
}

/// Boards by their value for the side to move.
#[derive(Serialize, JsonSchema)]
pub struct BoardCounts {
    /// Won.
    pub win: u64,
    /// Lost.
    pub loss: u64,
    /// Drawn.
    pub draw: u64,
}

/// Boards by value and distance.
#[derive(Serialize, JsonSchema)]
pub struct DistanceCounts {
    /// Won.
    pub win: Vec<DistanceCount>,
    /// Lost.
    pub loss: Vec<DistanceCount>,
}

/// Boards of a distance.
#[derive(Serialize, JsonSchema)]
pub struct DistanceCount {
    /// Moves to the end.
    pub distance: u8,
    /// Boards.
    pub boards: u64,
}

/// A win that takes long.
#[derive(Serialize, JsonSchema)]
pub struct LongestWin {
    /// Moves to the end.
    pub distance: u8,
    /// The board.
    pub board: String,
    /// Who is to move.
    pub to_move: String,
}

/// How a solution was checked.
#[derive(Serialize, JsonSchema)]
pub struct SolutionChecked {
    /// Boards that follow from the rules.
    pub boards: u64,
    /// Boards with a forbidden push that follow from the rules.
    pub forbidding: u64,
    /// Games against every defence.
    pub replayed: Vec<ReplayedSide>,
    /// How long the check took.
    pub seconds: f64,
}

/// A side that was played against every defence.
#[derive(Serialize, JsonSchema)]
pub struct ReplayedSide {
    /// The side.
    pub side: String,
    /// Positions that were met.
    pub positions: usize,
    /// The most moves that its win takes; null if it only never loses.
    pub longest: Option<usize>,
}

/// The tables of a player of Tetris over patterns of the surface.
#[derive(Serialize, JsonSchema)]
pub struct Surfaces {
    /// The player.
    pub player: String,
    /// Its tables.
    pub tables: Vec<Surface>,
}

impl Output for Surfaces {
    const SCHEMA: &'static str = "surfaces/1";
    const WHAT: &'static str = "analyze tetris --surfaces: the tables of a player";
}

/// A table over patterns of the surface.
#[derive(Serialize, JsonSchema)]
pub struct Surface {
    /// Its name.
    pub table: String,
    /// How many entries it has.
    pub entries: usize,
    /// More entries with weight 0, as if never met.
    pub left_out: usize,
    /// The mean weight.
    pub mean: f64,
    /// Those above the mean, the most liked first.
    pub liked: Vec<SurfaceEntry>,
    /// Those below the mean, the most disliked first.
    pub disliked: Vec<SurfaceEntry>,
}

/// A pattern of the surface.
#[derive(Serialize, JsonSchema)]
pub struct SurfaceEntry {
    /// Its name.
    pub entry: String,
    /// Its weight.
    pub weight: f64,
    /// Its weight less the mean of the table.
    pub above_mean: f64,
}

/// Tables or sums for Othello, and how good they are.
#[derive(Serialize, JsonSchema)]
pub struct FittedTables {
    /// The game.
    pub game: String,
    /// Patterns or features.
    pub input: String,
    /// Every phase of the game.
    pub phases: Vec<FittedPhase>,
    /// What a value means: linear or logistic.
    pub form: String,
    /// Each weight counts as if so many positions said that it is 0.
    pub l2: f64,
    /// What is measured.
    pub measure: String,
    /// What was learned from.
    pub training: LearnedFrom,
    /// What was held out.
    pub held_out: HeldOut,
    /// Games that were left out since they have no result.
    pub games_without_score: usize,
    /// The measure on what was held out.
    pub error: MeanOfPositions,
    /// `error` if 0 were said of every position.
    pub error_of_0: MeanOfPositions,
    /// The share of positions of games not drawn in which the winner is named.
    pub winner: Option<MeanOfPositions>,
    /// How long the fit took.
    pub seconds: f64,
    /// Positions that were looked at in a second.
    pub positions_per_second: f64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// The file that was written; null if none was asked for.
    pub file: Option<String>,
}

impl Output for FittedTables {
    const SCHEMA: &'static str = "tables/1";
    const WHAT: &'static str = "fit tables: tables or sums and how good they are";
}

/// A phase of a fit.
#[derive(Serialize, JsonSchema)]
pub struct FittedPhase {
    /// The fewest and the most discs.
    pub discs: [u32; 2],
    /// The measure on what was held out; null without positions.
    pub error: Option<MeanOfPositions>,
    /// Of tables: entries that were seen often enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
    /// Of tables: passes through the positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<usize>,
}

/// What was learned from.
#[derive(Serialize, JsonSchema)]
pub struct LearnedFrom {
    /// Games.
    pub games: usize,
    /// Positions.
    pub positions: usize,
    /// Whether they were kept in files, for want of memory.
    pub in_files: bool,
}

/// What was held out.
#[derive(Serialize, JsonSchema)]
pub struct HeldOut {
    /// Games.
    pub games: usize,
    /// Positions.
    pub positions: usize,
}

/// A mean over positions in which a game counts once for the interval.
#[derive(Serialize, JsonSchema)]
pub struct MeanOfPositions {
    /// The mean.
    pub mean: f64,
    /// The 95 % interval of `mean`.
    pub ci95: [f64; 2],
    /// Positions.
    pub positions: usize,
    /// Games.
    pub games: usize,
}
