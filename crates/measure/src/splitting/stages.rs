//! One repeat of the method: ordinary play that meets the first level now and then, and trials from each level to the next.

use games::Dice;
use play::PlayedGame;
use play::players::PlayerFailure;
use play::playout::GameDice;
use play::solo::{Measure, OVER, SoloPlayer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::pool::Halt;

/// Why play has ended early: told to stop, or a player without a move.
pub(super) type Stopped = Halt<PlayerFailure>;

/// Names these streams of chance apart from those of games.
const SALT: u64 = 0x7370_6c69_7474;
/// Entries that ordinary play keeps, at most: a fair choice of all of them.
const KEPT: usize = 1 << 15;

/// The way to the end of a game: its levels, and how much is played on each.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Course {
    /// An excursion is over when the level is this or below.
    pub base: u32,
    /// The levels above it, rising; the end of the game comes after the last one.
    pub levels: Vec<u32>,
    /// Moves of ordinary play.
    pub pieces: u64,
    /// Trials from each of the levels.
    pub trials: Vec<usize>,
}

/// Trials from one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Stage {
    /// Excursions carried on.
    pub trials: u64,
    /// Those that reached the next level, or the end of the game after the last one.
    pub successes: u64,
    /// Moves that it took.
    pub pieces: u64,
}

/// What came of one repeat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeat {
    /// Moves of ordinary play.
    pub pieces: u64,
    /// The score that they brought.
    pub score: f64,
    /// How often they came from the base to the first level.
    pub entries: u64,
    /// The trials from each level.
    pub stages: Vec<Stage>,
}

impl Course {
    /// Where stage number `stage` leads to; ordinary play is number 0.
    pub fn target(&self, stage: usize) -> u32 {
        self.levels.get(stage).copied().unwrap_or(OVER)
    }
}

impl Repeat {
    /// Games lost for each move; none if a stage is empty. An empty stage says that there were too few trials, not that
    /// games are never lost.
    pub fn loss_rate(&self) -> Option<f64> {
        let rate = self.entries as f64 / self.pieces as f64;
        let share = |stage: &Stage| stage.successes as f64 / stage.trials.max(1) as f64;
        let rate = self.stages.iter().fold(rate, |rate, stage| rate * share(stage));
        (rate > 0.0).then_some(rate)
    }

    /// The same, but where a stage is empty: as if it had had one success, and everything after it none but successes. Games
    /// are lost less often than that, so that nobody gains by an empty stage.
    pub fn cautious_loss_rate(&self) -> f64 {
        let share = |stage: &Stage| stage.successes.max(1) as f64 / stage.trials.max(1) as f64;
        let rate = self.entries.max(1) as f64 / self.pieces as f64;
        self.stages.iter().fold(rate, |rate, stage| rate * share(stage))
    }

    /// Score for each move of ordinary play.
    pub fn score_rate(&self) -> f64 {
        self.score / self.pieces as f64
    }

    /// The first stage that nobody got through, ordinary play being number 0.
    pub fn empty_stage(&self) -> Option<usize> {
        if self.entries == 0 {
            return Some(0);
        }
        self.stages.iter().position(|stage| stage.successes == 0).map(|stage| stage + 1)
    }

    /// All moves.
    pub fn all_pieces(&self) -> u64 {
        self.pieces + self.stages.iter().map(|stage| stage.pieces).sum::<u64>()
    }
}

/// The streams of chance of a trial.
pub(super) fn dice(seed: u64, repeat: u64, stage: usize, trial: u64) -> GameDice {
    let stream = |stream| Dice::seeded(&[SALT, seed, repeat, stage as u64, trial, stream]);
    GameDice { deals: stream(0), players: [stream(1), stream(2)] }
}

/// A stream of chance for a choice that a whole stage makes.
fn choice(seed: u64, repeat: u64, stage: usize) -> Dice {
    Dice::seeded(&[SALT, seed, repeat, stage as u64, u64::MAX])
}

/// Tells how many moves were made, and hears whether to go on.
pub(super) struct Pace<'a> {
    made: u64,
    stride: u64,
    go_on: &'a mut dyn FnMut(u64) -> bool,
}

impl<'a> Pace<'a> {
    pub fn new(stride: u64, go_on: &'a mut dyn FnMut(u64) -> bool) -> Self {
        Self { made: 0, stride, go_on }
    }

    pub fn step(&mut self) -> Result<(), Stopped> {
        self.made += 1;
        if self.made < self.stride || (self.go_on)(std::mem::take(&mut self.made)) {
            Ok(())
        } else {
            Err(Halt::Stopped)
        }
    }
}

/// A repeat under way.
pub(super) struct Player<'a, G: PlayedGame> {
    pub start: &'a G,
    pub solo: &'a mut dyn SoloPlayer<G>,
    /// What a level is.
    pub measure: Measure,
    pub seed: u64,
    pub repeat: u64,
}

impl<G: PlayedGame> Player<'_, G> {
    /// The level of the position.
    pub fn level(&self) -> u32 {
        self.solo.level(self.measure)
    }

    /// Plays a whole repeat. `met` sees every board that reached a level, with the number of the level
    /// from 1, and every `ordinary`-th board of ordinary play, with 0, if that is not 0.
    pub fn repeat(
        &mut self,
        course: &Course,
        ordinary: u64,
        met: &mut dyn FnMut(usize, &G),
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Repeat, Stopped> {
        let mut pace = Pace::new(self.solo.stride(), go_on);
        let mut see = |board: &G| met(0, board);
        let (mut repeat, mut boards) =
            self.ordinary(course.base, course.target(0), course.pieces, ordinary, &mut see, &mut pace)?;
        for (stage, &trials) in (1..).zip(&course.trials) {
            boards.iter().for_each(|board| met(stage, board));
            let (done, arrived) =
                self.stage(stage, &boards, trials, course.base, course.target(stage), &mut pace)?;
            repeat.stages.push(done);
            boards = arrived;
        }
        Ok(repeat)
    }

    /// Ordinary play from the start, a game that ends being followed by a new one: how often it comes from the base to a
    /// level, and the boards with which it does.
    pub fn ordinary(
        &mut self,
        base: u32,
        target: u32,
        pieces: u64,
        every: u64,
        see: &mut dyn FnMut(&G),
        pace: &mut Pace,
    ) -> Result<(Repeat, Vec<G>), Stopped> {
        let mut lots = choice(self.seed, self.repeat, 0);
        let (mut kept, mut entries, mut score, mut games) = (Vec::new(), 0u64, 0.0, 0);
        let mut at_base = true;
        self.solo.set(self.start, dice(self.seed, self.repeat, 0, games));
        for number in 1..=pieces {
            self.solo.run(1)?;
            let level = self.level();
            if level <= base {
                at_base = true;
            } else if at_base && level >= target {
                at_base = false;
                entries += 1;
                if kept.len() < KEPT {
                    kept.push(self.solo.position());
                } else if let Some(place) = kept.get_mut(lots.below(entries as usize)) {
                    *place = self.solo.position();
                }
            }
            if level == OVER {
                score += self.solo.score();
                games += 1;
                self.solo.set(self.start, dice(self.seed, self.repeat, 0, games));
                at_base = true;
            } else if every > 0 && number % every == 0 {
                see(&self.solo.position());
            }
            pace.step()?;
        }
        score += self.solo.score();
        Ok((Repeat { pieces, score, entries, stages: Vec::new() }, kept))
    }

    /// Trials from boards that reached a level: how many reach the next one before they are back at the base, and with which
    /// boards. Every board is taken equally often, but for one time more or less by lot.
    fn stage(
        &mut self,
        stage: usize,
        boards: &[G],
        trials: usize,
        base: u32,
        target: u32,
        pace: &mut Pace,
    ) -> Result<(Stage, Vec<G>), Stopped> {
        let mut done = Stage::default();
        let mut arrived = Vec::new();
        if boards.is_empty() {
            return Ok((done, arrived));
        }
        let offset = choice(self.seed, self.repeat, stage).unit();
        for trial in 0..trials {
            let place = ((trial as f64 + offset) * boards.len() as f64 / trials as f64) as usize;
            let board = &boards[place.min(boards.len() - 1)];
            let end = self.climb(stage, trial, board, base, target, pace, &mut |_, _| {})?;
            done.trials += 1;
            done.pieces += end.1;
            if end.0 >= target {
                done.successes += 1;
                arrived.push(self.solo.position());
            }
        }
        Ok((done, arrived))
    }

    /// One excursion carried on until it is back at the base or has reached the target: its last level and its moves. `record`
    /// is told of every new highest level.
    #[allow(clippy::too_many_arguments)] // a trial is named by all of them
    pub fn climb(
        &mut self,
        stage: usize,
        trial: usize,
        board: &G,
        base: u32,
        target: u32,
        pace: &mut Pace,
        record: &mut dyn FnMut(u32, &dyn SoloPlayer<G>),
    ) -> Result<(u32, u64), Stopped> {
        self.solo.set(board, dice(self.seed, self.repeat, stage, trial as u64));
        let (mut highest, mut pieces) = (self.level(), 0);
        record(highest, self.solo);
        let mut level = highest;
        // A board may have passed the target with the piece that brought it to the level before.
        while level < target && level > base {
            self.solo.run(1)?;
            pieces += 1;
            level = self.level();
            if level > highest {
                highest = level;
                record(highest, self.solo);
            }
            pace.step()?;
        }
        Ok((level, pieces))
    }
}
