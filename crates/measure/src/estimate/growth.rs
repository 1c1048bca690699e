//! Growth: the mean lines on lower boards rise by about the same factor for every row. A line through their logarithms is
//! carried on to the board that is meant. (Lower boards are the first of the ways to save time that Thiery and Scherrer
//! 2009, section 6, think of.)
//!
//! Every height has a seed of its own: with the same pieces on all boards, their means would err together, and the errors
//! of the line would be wrong. Which heights are played is decided by those below them, and how many games by the first
//! [`FIRST`] of each, not by the clock.

use std::ops::{ControlFlow, RangeInclusive};
use std::time::Instant;

use games::Dice;
use games::tetris::{Tetris, TetrisRules};
use play::players::PlayError;
use schemars::JsonSchema;
use serde::Serialize;
use stats::{LogLinear, Point, Prediction, Summary, Z95};
use thiserror::Error;

use super::{EstimateProgress, EstimateSetup};
use crate::score;
use crate::score::{Games, RunError};

/// Games on every height at least: 20 %.
pub const FIRST: usize = 100;
/// Games on a height at most: 2 %. More would weigh in on the lowest boards, whose mean is furthest from the line.
pub const MOST: usize = 10_000;
/// The heights that are played by default.
pub const HEIGHTS: RangeInclusive<u8> = 8..=14;
/// A line through fewer points has no chi-square.
pub const FEWEST_HEIGHTS: usize = 3;

/// What can be wrong.
#[derive(Debug, Error)]
pub enum GrowthError {
    /// The player is unknown, or fails.
    #[error(transparent)]
    Player(#[from] PlayError),
    /// Games are too long.
    #[error("a budget of {budget} pieces is too small: {FIRST} games on {} rows alone take about {needed}", .height)]
    Budget {
        /// The budget.
        budget: u64,
        /// The height that is too much.
        height: u8,
        /// What it would take.
        needed: u64,
    },
}

/// What was played on one height.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Height {
    /// Rows.
    pub height: u8,
    /// Games.
    pub n: usize,
    /// Mean lines.
    pub mean: f64,
    /// The standard error of the mean over the mean.
    pub relative_error: f64,
    /// The 95 % interval of the mean.
    pub ci95: [f64; 2],
    /// Mean pieces.
    pub pieces: f64,
}

/// What growth says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Mean lines on the board that is meant, and the interval of the line.
    #[serde(flatten)]
    pub prediction: Prediction,
    /// The factor that a row is worth.
    pub factor: f64,
    /// Its 95 % interval, widened like that of the estimate where the fit is bad.
    pub factor_ci95: [f64; 2],
    /// ln(mean) over height.
    pub line: LogLinear,
}

/// Plays on `heights`, as many as the budget allows, and gives what each came to. `watch` may break off: only heights and
/// batches of games that are whole are then counted, for games broken off are the long ones.
///
/// # Errors
/// The player is unknown or fails, or the budget does not allow three heights.
pub fn play(
    setup: &EstimateSetup,
    heights: RangeInclusive<u8>,
    threads: usize,
    watch: &mut dyn FnMut(&EstimateProgress) -> ControlFlow<()>,
) -> Result<(Vec<Height>, ControlFlow<()>), GrowthError> {
    let mut play = Play { threads, watch, spent: 0, begun: Instant::now() };
    let mut boards: Vec<Board> = Vec::new();
    for height in heights {
        let needed = match &boards[..] {
            [] => 0,
            // A first guess of the growth, above what has been seen of any player.
            [only] => 4 * only.spent,
            [.., before, last] => math::powi(last.spent as f64, 2) as u64 / before.spent.max(1),
        };
        if play.spent + needed > setup.budget {
            if boards.len() < FEWEST_HEIGHTS {
                return Err(GrowthError::Budget { budget: setup.budget, height, needed });
            }
            break;
        }
        let mut board = Board::new(setup, height);
        // A few games first, so that a budget that is far too small is known before a hundred long games.
        for games in [2, 10, FIRST] {
            if play.more(&mut board, games)?.is_break() {
                return Ok((summaries(&boards), ControlFlow::Break(())));
            }
            if boards.is_empty() && play.spent > setup.budget {
                let needed = board.spent / games as u64 * FIRST as u64;
                return Err(GrowthError::Budget { budget: setup.budget, height, needed });
            }
        }
        boards.push(board);
    }
    // What is left is shared out evenly; what a low board does not need goes to those above it.
    for place in 0..boards.len() {
        let share = setup.budget.saturating_sub(play.spent) / (boards.len() - place) as u64;
        let board = &mut boards[place];
        let more = share * FIRST as u64 / board.spent.max(1);
        let games = MOST.min(FIRST + usize::try_from(more).unwrap_or(MOST));
        if play.more(board, games)?.is_break() {
            return Ok((summaries(&boards), ControlFlow::Break(())));
        }
    }
    Ok((summaries(&boards), ControlFlow::Continue(())))
}

/// The line through these heights, carried on to the board of the rules; none for fewer than three.
pub fn estimate(rules: &TetrisRules, heights: &[Height]) -> Option<Estimate> {
    let point = |height: &Height| Point {
        x: f64::from(height.height),
        mean: height.mean,
        relative_error: height.relative_error,
    };
    let line = LogLinear::fit(&heights.iter().map(point).collect::<Vec<_>>())?;
    let half = Z95 * line.slope_error * line.widening();
    Some(Estimate {
        prediction: line.predict(f64::from(rules.height)),
        factor: math::exp(line.slope),
        factor_ci95: [math::exp(line.slope - half), math::exp(line.slope + half)],
        line,
    })
}

fn summaries(boards: &[Board]) -> Vec<Height> {
    boards.iter().map(Board::summary).collect()
}

/// The games on one height.
struct Board {
    setup: score::ScoreSetup<Tetris>,
    games: Games,
    /// Pieces placed in them.
    spent: u64,
}

impl Board {
    fn new(setup: &EstimateSetup, height: u8) -> Self {
        let seed = Dice::seeded(&[setup.seed, height.into()]).bits();
        let rules = TetrisRules { height, ..setup.rules.clone() };
        let setup = score::ScoreSetup { rules, players: vec![setup.player.clone()], games: 0, seed };
        Self { setup, games: Games::new(1, 0), spent: 0 }
    }

    fn summary(&self) -> Height {
        let lines = self.games.scores(0);
        let summary = Summary::of(&lines);
        let relative_error = summary.sd / summary.mean / (summary.n as f64).sqrt();
        let height = self.setup.rules.height;
        let pieces = self.spent as f64 / summary.n as f64;
        Height {
            height,
            n: summary.n,
            mean: summary.mean,
            relative_error,
            ci95: summary.bootstrap_ci95,
            pieces,
        }
    }
}

struct Play<'a> {
    threads: usize,
    watch: &'a mut dyn FnMut(&EstimateProgress) -> ControlFlow<()>,
    spent: u64,
    begun: Instant,
}

impl Play<'_> {
    /// Plays on until the board has this many games; leaves it as it was if broken off.
    fn more(&mut self, board: &mut Board, number: usize) -> Result<ControlFlow<()>, PlayError> {
        let setup = score::ScoreSetup { games: number, ..board.setup.clone() };
        let mut games = Games::new(1, number);
        board.games.finished(0).for_each(|game| games.insert(game.clone()));
        let (spent, begun, height) = (self.spent, self.begun, setup.rules.height);
        let mut watch = |live: &score::ScoreProgress| {
            (self.watch)(&EstimateProgress {
                elapsed: begun.elapsed(),
                pieces: spent + live.decisions,
                height,
            })
        };
        score::run(&setup, self.threads, &mut games, None, &mut watch).map_err(|error| match error {
            RunError::Player(error) => PlayError::Player(error),
            RunError::Failure(failure) => failure.into(),
            RunError::Journal(_) => unreachable!("there is no journal"),
        })?;
        if !games.complete() {
            return Ok(ControlFlow::Break(()));
        }
        let pieces: u64 = games.finished(0).map(|game| game.decisions).sum();
        self.spent += pieces - board.spent;
        board.spent = pieces;
        board.games = games;
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use games::Rules as _;

    use super::*;

    fn setup(height: &str, budget: u64) -> EstimateSetup {
        let rules = TetrisRules::from_pairs([("width", "6"), ("height", height)]).unwrap();
        EstimateSetup { rules, player: "dellacherie".into(), budget, seed: 1 }
    }

    fn on(
        setup: &EstimateSetup,
        heights: RangeInclusive<u8>,
        threads: usize,
    ) -> Result<Vec<Height>, GrowthError> {
        play(setup, heights, threads, &mut |_| ControlFlow::Continue(())).map(|(heights, _)| heights)
    }

    #[test]
    fn growth_agrees_with_what_is_played_a_row_further() {
        let setup = setup("10", 400_000);
        let heights = on(&setup, 6..=9, 2).unwrap();
        assert_eq!(heights.iter().map(|height| height.height).collect::<Vec<_>>(), [6, 7, 8, 9]);
        assert!(heights.iter().all(|height| (FIRST..=MOST).contains(&height.n)), "{heights:?}");
        let estimate = estimate(&setup.rules, &heights).unwrap();

        let mut games = Games::new(1, 400);
        let players = vec![setup.player.clone()];
        let plain = score::ScoreSetup::<Tetris> { rules: setup.rules.clone(), players, games: 400, seed: 7 };
        score::run(&plain, 2, &mut games, None, &mut |_| ControlFlow::Continue(())).unwrap();
        let played = Summary::of(&games.scores(0)).exponential_ci95;
        // The two intervals meet: the line is good for one row.
        let [low, high] = estimate.prediction.ci95;
        assert!(low < played[1] && played[0] < high, "{low} to {high}, played {played:?}");
        assert!(estimate.factor_ci95[0] > 1.3 && estimate.factor_ci95[1] < 3.0, "{estimate:?}");
    }

    #[test]
    fn threads_change_nothing() {
        let setup = setup("12", 50_000);
        let one = on(&setup, 5..=9, 1).unwrap();
        assert_eq!(one, on(&setup, 5..=9, 3).unwrap());
        assert!(estimate(&setup.rules, &one).is_some());
    }

    #[test]
    fn a_budget_that_is_too_small_is_said() {
        let error = on(&setup("20", 10_000), 12..=15, 1).unwrap_err();
        assert!(matches!(error, GrowthError::Budget { height: 12, .. }), "{error}");
        let unknown = EstimateSetup { player: "nobody".into(), ..setup("20", 10_000) };
        assert!(matches!(on(&unknown, 8..=10, 1), Err(GrowthError::Player(_))));
    }

    #[test]
    fn who_breaks_off_gets_what_is_whole() {
        let setup = setup("20", 1_000_000_000);
        let mut watch = |live: &EstimateProgress| {
            if live.height == 8 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (heights, flow) = play(&setup, 5..=12, 1, &mut watch).unwrap();
        assert!(flow.is_break());
        assert_eq!(
            heights.iter().map(|height| (height.height, height.n)).collect::<Vec<_>>(),
            [(5, 100), (6, 100), (7, 100)]
        );
    }
}
