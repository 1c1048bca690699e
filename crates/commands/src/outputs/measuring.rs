//! What commands print that measure players and programs.

use std::collections::BTreeMap;

use measure::arena::Schedule;
use measure::bench::Row;
use measure::estimate::growth::Height;
use measure::estimate::heights::{Estimate as HeightsFit, Row as HeightsRow};
use measure::profile::{Profile, Spending};
use measure::splitting::{Course, Level};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{Decision, ExponentialTest, Mean, Pentanomial, Scale};
use train::grade::Grade;

use super::{Options, Output};

/// The scores of players.
#[derive(Serialize, JsonSchema)]
pub struct Scores {
    /// The game.
    pub game: String,
    /// The options of its rules.
    pub options: Options,
    /// Games of each player.
    pub games: usize,
    /// The seed of everything.
    pub seed: u64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// The players, as they were given.
    pub players: Vec<PlayerScore>,
    /// Every two of them, on the same deals.
    pub pairs: Vec<ScoreRatio>,
}

impl Output for Scores {
    const SCHEMA: &'static str = "score/1";
    const WHAT: &'static str = "score: the scores of players";
}

/// The score of a player.
#[derive(Serialize, JsonSchema)]
pub struct PlayerScore {
    /// The player.
    pub player: String,
    /// Games that are over.
    pub n: usize,
    /// The mean score of the games that are over.
    pub mean: f64,
    /// The 95 % interval of `mean` by 2/sqrt(n).
    pub ci95: [f64; 2],
    /// The 95 % interval of `mean` by bootstrap.
    pub bootstrap_ci95: [f64; 2],
    /// The median.
    pub median: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The least score.
    pub min: f64,
    /// The greatest score.
    pub max: f64,
    /// Decisions in a second on one thread.
    pub decisions_per_second: f64,
    /// The 95 % interval of the mean by the exponential law, also for few games.
    pub exact_ci95: [f64; 2],
    /// Games that were broken off.
    pub broken_off: usize,
    /// Whether the scores follow the exponential law; of ten games and more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exponential_test: Option<ExponentialTest>,
    /// The mean with what was scored in games that were broken off, where there are such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub censored_mean: Option<f64>,
}

/// Two players on the same deals.
#[derive(Serialize, JsonSchema)]
pub struct ScoreRatio {
    /// The one.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Games that both have finished.
    pub n: usize,
    /// The mean of the first over that of the second.
    pub ratio: f64,
    /// The 95 % interval of `ratio`.
    pub ci95: [f64; 2],
    /// Who is better: `first`, `second` or `open`.
    pub verdict: String,
    /// About how many more games would settle it; null if it is settled, or if none would.
    pub more_games: Option<usize>,
}

/// The mean score of a player by a method that does not play all of its games.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Estimated {
    /// --method splitting.
    Splitting(SplittingEstimate),
    /// --method heights.
    Heights(HeightsEstimate),
    /// --method growth.
    Growth(GrowthEstimate),
}

impl Output for Estimated {
    const SCHEMA: &'static str = "estimate/1";
    const WHAT: &'static str = "score --method splitting, heights or growth";
}

/// What every estimate has.
#[derive(Serialize, JsonSchema)]
pub struct EstimateBase {
    /// The game.
    pub game: String,
    /// The player.
    pub player: String,
    /// The method.
    pub method: String,
    /// The mean score; null if there is no estimate.
    pub value: Option<f64>,
    /// The 95 % interval of `value`.
    pub ci95: Option<[f64; 2]>,
    /// The options of the rules.
    pub options: Options,
    /// The seed of everything.
    pub seed: u64,
}

/// An estimate by splitting.
#[derive(Serialize, JsonSchema)]
pub struct SplittingEstimate {
    /// What every estimate has.
    #[serde(flatten)]
    pub base: EstimateBase,
    /// Repeats that count: those without an empty stage.
    pub n: Option<usize>,
    /// Repeats with an empty stage.
    pub missing: usize,
    /// Games lost for each move.
    pub loss_rate: Option<f64>,
    /// Score for each move.
    pub score_rate: Option<f64>,
    /// What a level is.
    pub level: String,
    /// The levels, and how much is played from each.
    pub course: Course,
    /// All trials from each level.
    pub levels: Vec<Level>,
    /// Every repeat.
    pub repeats: Vec<SplittingRepeat>,
    /// What casts doubt on it, in words.
    pub warnings: Vec<String>,
    /// Moves that were made, by the name that the game has for them, as `pieces`.
    #[serde(flatten)]
    pub moves: BTreeMap<String, u64>,
}

/// A repeat of an estimate by splitting.
#[derive(Serialize, JsonSchema)]
pub struct SplittingRepeat {
    /// Games lost for each move; null if a stage is empty.
    pub loss_rate: Option<f64>,
    /// Score for each move.
    pub score_rate: f64,
    /// The first empty stage, from 0.
    pub empty_stage: Option<usize>,
}

/// An estimate from how often play is at a height.
#[derive(Serialize, JsonSchema)]
pub struct HeightsEstimate {
    /// What every estimate has.
    #[serde(flatten)]
    pub base: EstimateBase,
    /// Pieces that were asked for.
    pub budget: u64,
    /// Pieces that were played.
    pub pieces: u64,
    /// Parts of play that are independent of each other.
    pub segments: usize,
    /// Games that ended.
    pub games_ended: u64,
    /// The mean score by these alone; null if none ended.
    pub played_value: Option<f64>,
    /// How often each height was seen.
    pub table: Vec<HeightsRow>,
    /// The line through them; null if there is none.
    pub fit: Option<HeightsFit>,
}

/// An estimate from games on lower boards.
#[derive(Serialize, JsonSchema)]
pub struct GrowthEstimate {
    /// What every estimate has.
    #[serde(flatten)]
    pub base: EstimateBase,
    /// Pieces that were asked for.
    pub budget: u64,
    /// The mean score on each board.
    pub points: Vec<Height>,
    /// By which factor the score grows with a row.
    pub factor: Option<f64>,
    /// The 95 % interval of `factor`.
    pub factor_ci95: Option<[f64; 2]>,
    /// How well the line fits: about 1 if it does.
    pub chi2_per_dof: Option<f64>,
}

/// How often players keep the value of the game.
#[derive(Serialize, JsonSchema)]
pub struct Grades {
    /// The game.
    pub game: String,
    /// The options of its rules.
    pub options: Options,
    /// Whose games give the positions.
    pub games_of: Vec<String>,
    /// How many of them.
    pub games: usize,
    /// Random moves before each.
    pub opening_plies: usize,
    /// The seed of everything.
    pub seed: u64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
    /// Positions in all.
    pub positions: usize,
    /// Those in which some move gives value away.
    pub with_risk: usize,
    /// Every player.
    pub grades: Vec<Grade>,
}

impl Output for Grades {
    const SCHEMA: &'static str = "grade/1";
    const WHAT: &'static str = "score --method grade: players by perfect play";
}

/// A match of two players.
#[derive(Serialize, JsonSchema)]
pub struct Duelled {
    /// The game.
    pub game: String,
    /// The options of its rules.
    pub options: Options,
    /// Both players.
    pub players: Vec<String>,
    /// The seed of everything.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// How games begin.
    pub openings: String,
    /// Different openings that were played.
    pub distinct_openings: usize,
    /// Seconds of each player for a whole game.
    pub credit: Option<f64>,
    /// The limits of a move.
    pub limits: MoveLimits,
    /// Games that are over.
    pub games: u64,
    /// Games that the first player won.
    pub wins: u64,
    /// Games that are drawn.
    pub draws: u64,
    /// Games that the first player lost.
    pub losses: u64,
    /// The share of the points of the first player.
    pub score: f64,
    /// The 95 % interval of `score`.
    pub score_ci95: [f64; 2],
    /// The score as Elo; null where it is infinite.
    pub elo: f64,
    /// The 95 % interval of `elo`.
    pub ci95: [f64; 2],
    /// The advantage in standard deviations of a game.
    pub normalised_elo: f64,
    /// Likelihood of superiority: how sure it is that the first player is better.
    pub los: f64,
    /// How many pairs of games had which score, from two games lost to two won.
    pub pentanomial: Pentanomial,
    /// How games ended for those who began.
    pub sides: SideCounts,
    /// Games that the first player won on each side.
    pub wins_as: WinsAs,
    /// Moves of a game.
    pub moves: Mean,
    /// By how much the first player won.
    pub margin: Mean,
    /// Seconds of a move of both.
    pub seconds_per_move: [f64; 2],
    /// Games that each player lost by breaking a rule, by reason.
    pub forfeits: [Vec<Forfeit>; 2],
    /// Games that had too many moves and are drawn.
    pub too_long: u64,
    /// Games that were ended early.
    pub adjudicated: Adjudicated,
    /// The log-likelihood ratio of the test.
    pub llr: Option<f64>,
    /// The test, if one was asked for.
    pub sprt: Option<Test>,
    /// Who is better: `first`, `second` or `open`.
    pub verdict: String,
    /// About how many more games would settle it; null if it is settled, or if none in sight would.
    pub more_games: Option<u64>,
    /// Whether all games were played: false after Ctrl-C.
    pub complete: bool,
}

impl Output for Duelled {
    const SCHEMA: &'static str = "duel/1";
    const WHAT: &'static str = "duel of two players";
}

/// The limits of a move that all players share.
#[derive(Serialize, JsonSchema)]
pub struct MoveLimits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Seconds.
    pub time: Option<f64>,
}

/// How games ended by sides.
#[derive(Serialize, JsonSchema)]
pub struct SideCounts {
    /// Games that the side which begins won.
    pub first: u64,
    /// Games that are drawn.
    pub draws: u64,
    /// Games that the other side won.
    pub second: u64,
}

/// Wins of the first player by sides.
#[derive(Serialize, JsonSchema)]
pub struct WinsAs {
    /// As the side that begins.
    pub first: u64,
    /// As the other one.
    pub second: u64,
}

/// Games that were lost by breaking a rule.
#[derive(Serialize, JsonSchema)]
pub struct Forfeit {
    /// Why.
    pub reason: String,
    /// How many.
    pub games: u64,
}

/// Games that were ended early.
#[derive(Serialize, JsonSchema)]
pub struct Adjudicated {
    /// Given up.
    pub resign: u64,
    /// Drawn by the values of the players.
    pub draw: u64,
    /// Solved.
    pub solved: u64,
}

/// A sequential test of two hypotheses.
#[derive(Serialize, JsonSchema)]
pub struct Test {
    /// The advantage that H0 says.
    pub elo0: f64,
    /// The advantage that H1 says.
    pub elo1: f64,
    /// What these are counted in.
    pub scale: Scale,
    /// The probability of accepting H1 although H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 although H1 holds.
    pub beta: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where it ends the test.
    pub bounds: [f64; 2],
    /// What is accepted.
    pub decision: Decision,
}

/// A match of many players.
#[derive(Serialize, JsonSchema)]
pub struct Tournament {
    /// The game.
    pub game: String,
    /// The options of its rules.
    pub options: Options,
    /// The seed of everything.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Who meets whom.
    pub schedule: Schedule,
    /// How games begin.
    pub openings: String,
    /// Different openings that were played.
    pub distinct_openings: usize,
    /// Seconds of each player for a whole game.
    pub credit: Option<f64>,
    /// The limits of a move.
    pub limits: MoveLimits,
    /// The players, the best first.
    pub ratings: Vec<PlayerRating>,
    /// Whether a drawn game of every two was added, since some won or lost all their games against the rest.
    pub held_together: bool,
    /// Every two that met.
    pub meetings: Vec<Meeting>,
    /// In a Swiss tournament: how each player stands, in the order that they were named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standings: Option<Vec<PlayerStanding>>,
    /// Whether all games were played: false after Ctrl-C.
    pub complete: bool,
}

/// How a player stands in a Swiss tournament.
#[derive(Serialize, JsonSchema)]
pub struct PlayerStanding {
    /// The player.
    pub player: String,
    /// Its points: 1 for a win or a bye, 0.5 for a draw.
    pub points: f64,
    /// The points of those it has met.
    pub buchholz: f64,
    /// Rounds without an opponent.
    pub byes: usize,
}

impl Output for Tournament {
    const SCHEMA: &'static str = "tournament/1";
    const WHAT: &'static str = "duel of more than two, or with --gauntlet";
}

/// A player among many.
#[derive(Serialize, JsonSchema)]
pub struct PlayerRating {
    /// The player.
    pub player: String,
    /// Its Elo; the mean of all is 0.
    pub elo: f64,
    /// The 95 % interval of `elo`.
    pub ci95: [f64; 2],
    /// Games that are over.
    pub games: u64,
    /// Its share of the points.
    pub score: f64,
}

/// Two players of many against each other.
#[derive(Serialize, JsonSchema)]
pub struct Meeting {
    /// The one.
    pub first: String,
    /// The other one.
    pub second: String,
    /// Games that are over.
    pub games: u64,
    /// Games that the first player won.
    pub wins: u64,
    /// Games that are drawn.
    pub draws: u64,
    /// Games that the first player lost.
    pub losses: u64,
    /// How many pairs of games had which score, from two games lost to two won.
    pub pentanomial: Pentanomial,
    /// The share of the points of the first player.
    pub score: f64,
    /// The score as Elo; null where it is infinite.
    pub elo: f64,
    /// The 95 % interval of `elo`.
    pub ci95: [f64; 2],
    /// Likelihood of superiority: how sure it is that the first player is better.
    pub los: f64,
    /// Seconds of a move of both.
    pub seconds_per_move: [f64; 2],
    /// The test, if one was asked for.
    pub sprt: Option<Test>,
}

/// Times of a search by step and depth.
#[derive(Serialize, JsonSchema)]
pub struct Clock {
    /// The game.
    pub game: String,
    /// The options of its rules.
    pub options: Options,
    /// The search.
    pub player: String,
    /// Games that were played.
    pub games: usize,
    /// Random plies before a game begins, at most.
    pub opening_plies: usize,
    /// The seed of everything.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Whether all games were played: false after Ctrl-C.
    pub complete: bool,
    /// Every step of the game, where depths are measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Profile>,
    /// How a game time was spent, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spending: Option<Spending>,
}

impl Output for Clock {
    const SCHEMA: &'static str = "clock/1";
    const WHAT: &'static str = "tune clock: times by step and depth";
}

/// How fast the program is.
#[derive(Serialize, JsonSchema)]
pub struct Speeds {
    /// What all games behave like: another number is another behaviour.
    pub signature: String,
    /// The same of each game.
    pub signatures: BTreeMap<String, String>,
    /// Time for each row.
    pub seconds: f64,
    /// What was measured.
    pub rows: Vec<Row>,
}

impl Output for Speeds {
    const SCHEMA: &'static str = "bench/1";
    const WHAT: &'static str = "bench: speeds, and the behaviour signature";
}

/// Leaves of the game tree by depth.
#[derive(Serialize, JsonSchema)]
pub struct Leaves {
    /// The game.
    pub game: String,
    /// The options of its rules.
    pub options: Options,
    /// The position as text.
    pub position: String,
    /// Threads.
    pub threads: usize,
    /// Every depth.
    pub rows: Vec<LeavesRow>,
}

impl Output for Leaves {
    const SCHEMA: &'static str = "perft/1";
    const WHAT: &'static str = "bench perft: leaves by depth";
}

/// Leaves at a depth.
#[derive(Serialize, JsonSchema)]
pub struct LeavesRow {
    /// Plies.
    pub depth: u32,
    /// Leaves.
    pub leaves: u64,
    /// How long it took.
    pub seconds: f64,
    /// Leaves in a second.
    pub leaves_per_second: f64,
}
