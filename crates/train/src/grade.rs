//! Players graded by perfect play: in how many positions does a player's move keep the value of the game, and how much
//! does it give away?
//!
//! The positions come from games of chosen players after random openings, the same for all players that are graded. A game
//! is worth 1 point won, half a point drawn, 0 lost; a move loses what the position was worth more than what it leaves.
//! Positions of one game resemble each other: intervals are those of ratios of sums over games.

use std::collections::BTreeMap;

use games::{Dice, InputError};
use measure::pool::{self, Halt, Stop};
use play::PlayedGame;
use play::players::{Player, PlayerError, PlayerFailure, player};
use play::solve::{Oracle, Progress, Value};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{Share, paired_ratio};
use thiserror::Error;

use crate::data::{Label, LabelError, LabelSetup, make};

/// Why there is no grade.
#[derive(Debug, Error)]
pub enum GradeError {
    /// A player that is graded is unknown.
    #[error(transparent)]
    Player(Box<PlayerError>),
    /// A player that is graded has no move to give.
    #[error(transparent)]
    Failure(#[from] PlayerFailure),
    /// The games that give the positions cannot be played.
    #[error(transparent)]
    Games(Box<LabelError>),
    /// A position cannot be read.
    #[error(transparent)]
    Position(#[from] InputError),
}

impl From<PlayerError> for GradeError {
    fn from(error: PlayerError) -> Self {
        Self::Player(Box::new(error))
    }
}

impl From<LabelError> for GradeError {
    fn from(error: LabelError) -> Self {
        Self::Games(Box::new(error))
    }
}

/// Positions to grade by, game by game, each with the value of every move.
pub struct Exam<G: PlayedGame> {
    rules: G::Rules,
    seed: u64,
    games: Vec<Vec<Question<G>>>,
}

struct Question<G: PlayedGame> {
    position: G,
    value: Value,
    moves: Vec<(G::Move, Value)>,
}

impl<G: PlayedGame> Question<G> {
    /// Whether a move gives something away.
    fn is_risky(&self) -> bool {
        self.moves.iter().any(|(_, value)| value.points() < self.value.points())
    }
}

/// A share or mean over positions, with the interval that games as wholes give.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Estimate {
    /// Positions.
    pub n: usize,
    /// The share or mean; NaN (in JSON null) if there is no position.
    pub mean: f64,
    /// Its 95 % interval.
    pub ci95: [f64; 2],
}

/// How a player did in the positions of one value and distance.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Row {
    /// `win` or `draw`: what the position is worth. Lost ones have nothing to lose.
    pub value: &'static str,
    /// Moves to the end under perfect play; none in a draw.
    pub distance: Option<u8>,
    /// Positions.
    pub positions: usize,
    /// The share of moves that keep the value, among positions in which some move does not.
    pub kept: Estimate,
    /// Points given away by a move, over all positions of the row.
    pub loss: Estimate,
}

/// How a player did.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Grade {
    /// The player's text.
    pub player: String,
    /// The share of moves that keep the value, among positions in which some move does not.
    pub kept: Estimate,
    /// The same among all positions.
    pub kept_of_all: Estimate,
    /// Points given away by a move, over all positions.
    pub loss: Estimate,
    /// The share of moves that are among the best: no win sooner, no loss later.
    pub best: Estimate,
    /// By value and distance.
    pub rows: Vec<Row>,
}

/// What came of one move.
#[derive(Clone, Copy)]
struct Answer {
    game: usize,
    value: Value,
    risky: bool,
    lost: f64,
    is_best: bool,
}

impl<G: PlayedGame> Exam<G> {
    /// Plays the games of a setup and looks up the value of every move; `None` if the watch has broken it off.
    ///
    /// # Errors
    /// A player is unknown or breaks a rule, or no game is as long as the opening.
    pub fn new(
        oracle: &dyn Oracle<G>,
        setup: &LabelSetup<G>,
        threads: usize,
        watch: Progress<'_>,
    ) -> Result<Option<Self>, GradeError> {
        let mut texts: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        let mut sink = |position: &crate::data::Labelled| {
            texts.entry(position.game).or_default().push(position.text.clone());
            Ok(())
        };
        let mut look = |live: &crate::data::LabelProgress| watch(live.made.games as f64 / setup.games as f64);
        let made = make(setup, threads, &mut sink, &mut look)?;
        if made.games < setup.games {
            return Ok(None);
        }
        let question = |text: &String| {
            let position = G::parse(&setup.rules, text)?;
            let (value, moves) = (oracle.value(&position), oracle.moves(&position));
            Ok(Question { position, value, moves })
        };
        let games: Result<Vec<Vec<Question<G>>>, InputError> =
            texts.values().map(|game| game.iter().map(question).collect()).collect();
        Ok(Some(Self { rules: setup.rules.clone(), seed: setup.seed, games: games? }))
    }

    /// Games with a position.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Positions, and those of them in which some move gives something away.
    pub fn positions(&self) -> (usize, usize) {
        let all = || self.games.iter().flatten();
        (all().count(), all().filter(|question| question.is_risky()).count())
    }

    /// Grades a player; `None` if the watch has broken it off.
    ///
    /// # Errors
    /// The player is unknown, or fails.
    pub fn grade(
        &self,
        text: &str,
        threads: usize,
        watch: Progress<'_>,
    ) -> Result<Option<Grade>, GradeError> {
        let worker = || Ok::<_, GradeError>(player::<G>(&self.rules, text)?);
        // A player with a memory answers the positions of one game in their order, and forgets it then.
        let job = |player: &mut Box<dyn Player<G>>, game: usize, stop: &Stop| {
            player.new_game();
            player.stop_by(stop.flag());
            let mut dice = Dice::seeded(&[self.seed, game as u64, 1]);
            let mut answers = Vec::new();
            for question in &self.games[game] {
                let answer = answer(question, game, player.as_mut(), &mut dice);
                // What is said by a player that was told to stop is no answer.
                if !stop.go_on() {
                    return Err(Halt::Stopped);
                }
                answers.push(answer.map_err(|failure| Halt::Failed(failure.into()))?);
            }
            Ok(answers)
        };
        let share = |done: usize| watch(done as f64 / self.games.len() as f64);
        let answers = pool::map(self.games.len(), threads, worker, job, share)?;
        Ok(answers.map(|answers| Grade::of(text, self.games.len(), &answers.concat())))
    }
}

fn answer<G: PlayedGame>(
    question: &Question<G>,
    game: usize,
    player: &mut dyn Player<G>,
    dice: &mut Dice,
) -> Result<Answer, PlayerFailure> {
    let chosen = player.choose(&question.position, dice)?;
    let found = question.moves.iter().find(|(mv, _)| *mv == chosen);
    // What is not legal loses the game.
    let kept = found.map_or(Value::Loss(0), |(_, value)| *value);
    Ok(Answer {
        game,
        value: question.value,
        risky: question.is_risky(),
        lost: question.value.points() - kept.points(),
        is_best: kept == question.value,
    })
}

impl Grade {
    fn of(player: &str, games: usize, answers: &[Answer]) -> Self {
        let kept = |answer: &Answer| f64::from(u8::from(answer.lost == 0.0));
        let mut groups: BTreeMap<(u8, u8), Vec<&Answer>> = BTreeMap::new();
        for answer in answers {
            match answer.value {
                Value::Win(distance) => groups.entry((0, distance)).or_default().push(answer),
                Value::Draw => groups.entry((1, 0)).or_default().push(answer),
                Value::Loss(_) => {}
            }
        }
        let rows = groups.values().map(|group| Row {
            value: group[0].value.word(),
            distance: group[0].value.distance(),
            positions: group.len(),
            kept: estimate(
                games,
                group.iter().filter(|answer| answer.risky).map(|answer| (answer.game, kept(answer))),
            ),
            loss: estimate(games, group.iter().map(|answer| (answer.game, answer.lost))),
        });
        let all = answers.iter();
        Self {
            player: player.to_string(),
            kept: estimate(
                games,
                all.clone().filter(|answer| answer.risky).map(|answer| (answer.game, kept(answer))),
            ),
            kept_of_all: estimate(games, all.clone().map(|answer| (answer.game, kept(answer)))),
            loss: estimate(games, all.clone().map(|answer| (answer.game, answer.lost))),
            best: estimate(games, all.map(|answer| (answer.game, f64::from(u8::from(answer.is_best))))),
            rows: rows.collect(),
        }
    }
}

/// The mean of numbers from 0 to 1 that come in games.
fn estimate(games: usize, numbers: impl Iterator<Item = (usize, f64)>) -> Estimate {
    let (mut sums, mut counts) = (vec![0.0; games], vec![0.0; games]);
    let (mut n, mut total) = (0, 0.0);
    for (game, number) in numbers {
        sums[game] += number;
        counts[game] += 1.0;
        n += 1;
        total += number;
    }
    // Games without such a position say nothing.
    let (sums, counts): (Vec<f64>, Vec<f64>) =
        sums.into_iter().zip(counts).filter(|(_, count)| *count > 0.0).unzip();
    let mean = if n == 0 { f64::NAN } else { total / n as f64 };
    let [low, high] = if sums.len() < 2 || total == 0.0 || total == n as f64 {
        // All alike: the spread over games says nothing. Counting positions as independent says at least something.
        Share::of(total as usize, n).ci95
    } else {
        paired_ratio(&sums, &counts).ci95
    };
    Estimate { n, mean, ci95: [low.max(0.0), high.min(1.0)] }
}

/// Games of these players to grade by.
pub fn setup<G: PlayedGame>(
    rules: G::Rules,
    players: Vec<String>,
    games: usize,
    opening_plies: usize,
    seed: u64,
) -> LabelSetup<G> {
    LabelSetup {
        recorded: Vec::new(),
        rules,
        players,
        games,
        opening_plies,
        more_plies: 0,
        label: Label::Outcome,
        every: 1,
        distinct: false,
        seed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::pushover::{Pushover, PushoverRules};
    use play::solve::pushover::solve;
    use std::ops::ControlFlow;

    fn go_on(_share: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn exam(games: usize, threads: usize) -> Exam<Pushover> {
        let rules = PushoverRules::new(3, true);
        let perfect = solve(&rules, &go_on).unwrap().unwrap().perfect;
        let setup = setup(rules, vec!["random".into()], games, 2, 5);
        Exam::new(&perfect, &setup, threads, &go_on).unwrap().unwrap()
    }

    #[test]
    fn perfect_loses_nothing_and_a_better_player_less() {
        let exam = exam(150, 2);
        let (all, risky) = exam.positions();
        assert!(risky > 100 && risky < all && exam.games() == 150);
        let grade = |text: &str| exam.grade(text, 2, &go_on).unwrap().unwrap();
        let perfect = grade("perfect");
        assert_eq!(
            (perfect.kept.n, perfect.kept.mean, perfect.loss.mean, perfect.best.mean),
            (risky, 1.0, 0.0, 1.0)
        );
        assert!(perfect.kept.ci95[0] < 1.0, "some doubt is left: {:?}", perfect.kept);
        let (random, greedy) = (grade("random"), grade("alphabeta(depth=2, table=0)"));
        assert!(random.kept.mean < greedy.kept.mean && greedy.kept.mean < 1.0);
        assert!(random.loss.mean > greedy.loss.ci95[1], "{random:?} {greedy:?}");
        for row in &greedy.rows {
            // It sees wins in one move, and what loses at once.
            assert!(row.distance != Some(1) || row.kept.mean == 1.0, "{row:?}");
            assert!(row.kept.n <= row.positions && row.loss.n == row.positions);
        }
        // Points lost and moves that keep the value tell the same: without draws a mistake costs one point.
        assert!((greedy.loss.mean - (1.0 - greedy.kept_of_all.mean)).abs() < 1e-12);
        assert!(exam.grade("perfekt", 1, &go_on).is_err());
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let on = |threads| {
            let exam = exam(80, threads);
            exam.grade("alphabeta(depth=1, table=1, eval=expert)", threads, &go_on).unwrap().unwrap()
        };
        assert_eq!(on(1), on(2));
    }
}
