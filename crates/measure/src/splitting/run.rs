//! Repeats over threads. Each of them depends on its number and nothing else.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use play::PlayedGame;
use play::players::{PlayerFailure, PlayerSpec};
use play::solo::SoloPlayer;

use super::pilot::{self, PILOT};
use super::result::Run;
use super::stages::{Course, Player, Repeat};
use super::{Effort, Levels, Measure, SplittingError, SplittingSetup, highest_level};
use crate::pool::{self, Event, Halt, Stop};

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SplittingProgress {
    /// Time since the work began.
    pub elapsed: Duration,
    /// Moves made.
    pub pieces: u64,
    /// Repeats done, none while levels are chosen.
    pub repeats: Option<usize>,
}

/// Estimates by all repeats. `watch` is called several times a second and may break off: the run then holds the repeats that
/// are whole, or nothing if the levels were not yet chosen.
///
/// # Errors
/// The player is unknown, or the game has no levels, or the given ones are wrong.
pub fn run<G: PlayedGame>(
    setup: &SplittingSetup<G>,
    threads: usize,
    watch: &mut dyn FnMut(&SplittingProgress) -> ControlFlow<()>,
) -> Result<Option<Run>, SplittingError> {
    let player = &PlayerSpec::<G>::parse(&setup.rules, &setup.player)?;
    let work = Work { rules: &setup.rules, player, seed: setup.seed, measure: setup.effort.level };
    let mut watch = Watch { begun: Instant::now(), pieces: 0, watch };
    let Some(course) = work.course(&setup.levels, &setup.effort, &mut watch)? else { return Ok(None) };
    let repeats = work.repeats_from(&course, 0, setup.repeats, 0, threads, &mut watch)?;
    let repeats = repeats.into_iter().map(|(repeat, _)| repeat).collect();
    Ok(Some(Run { course, repeats, asked: setup.repeats }))
}

/// The natural logarithm of the score by one repeat, which seed and number name, with levels chosen for this player: what a
/// learner can maximise. Where a stage is empty it is played again with twice the trials, and at last judged with caution: too
/// low, never too high.
///
/// # Errors
/// The player has no move to give, or it was told to stop.
pub fn single<G: PlayedGame>(
    rules: &G::Rules,
    solo: &mut dyn SoloPlayer<G>,
    course: &Course,
    measure: Measure,
    seed: u64,
    number: u64,
    stop: &Stop,
) -> Result<f64, Halt<PlayerFailure>> {
    const ATTEMPTS: u32 = 3;
    let start = G::start(rules);
    let mut course = course.clone();
    let mut attempt = 1;
    loop {
        let mut player = Player { start: &start, solo: &mut *solo, measure, seed, repeat: number };
        let repeat = player.repeat(&course, 0, &mut |_, _| {}, &mut |_| stop.go_on())?;
        if attempt == ATTEMPTS || repeat.empty_stage().is_none() {
            // A player that never scores is not worth minus infinity: learners calculate with this.
            let least = 1.0 / repeat.pieces as f64;
            return Ok(math::ln(repeat.score_rate().max(least) / repeat.cautious_loss_rate()));
        }
        attempt += 1;
        course.pieces *= 2;
        course.trials.iter_mut().for_each(|trials| *trials *= 2);
    }
}

/// The course with levels chosen for a player by a pilot run that a seed names.
///
/// # Errors
/// The player has no move to give, or it was told to stop.
///
/// # Panics
/// If the game has no levels.
pub fn course_of<G: PlayedGame>(
    rules: &G::Rules,
    solo: &mut dyn SoloPlayer<G>,
    effort: &Effort,
    seed: u64,
    stop: &Stop,
) -> Result<Course, Halt<PlayerFailure>> {
    let highest = G::highest_level(rules, effort.level).expect("a game with levels");
    let player = &mut Player { start: &G::start(rules), solo, measure: effort.level, seed, repeat: PILOT };
    pilot::course(player, highest, &Levels::Automatic, effort, &mut |_| stop.go_on())
}

/// A watch over several pieces of work, one after the other.
pub(super) struct Watch<'a> {
    pub begun: Instant,
    pub pieces: u64,
    pub watch: &'a mut dyn FnMut(&SplittingProgress) -> ControlFlow<()>,
}

/// Everything that a thread needs to begin a repeat.
pub(super) struct Work<'a, G: PlayedGame> {
    pub rules: &'a G::Rules,
    pub player: &'a PlayerSpec<G>,
    pub seed: u64,
    /// What a level is.
    pub measure: Measure,
}

/// Boards by the number of their level, those of ordinary play first.
pub(super) type Met<G> = Vec<Vec<G>>;

impl<G: PlayedGame> Work<'_, G> {
    /// The course; none if broken off.
    pub fn course(
        &self,
        levels: &Levels,
        effort: &Effort,
        watch: &mut Watch,
    ) -> Result<Option<Course>, SplittingError> {
        let highest = highest_level::<G>(self.rules, self.measure)?;
        levels.check(highest)?;
        let mut solo = G::solo(self.rules, self.player)?;
        let mut told: Option<Instant> = None;
        let mut go_on = |more| {
            watch.pieces += more;
            if told.is_some_and(|told| told.elapsed().as_millis() < 50) {
                return true;
            }
            told = Some(Instant::now());
            let live =
                SplittingProgress { elapsed: watch.begun.elapsed(), pieces: watch.pieces, repeats: None };
            (watch.watch)(&live).is_continue()
        };
        let (start, solo) = (&G::start(self.rules), solo.as_mut());
        let mut player = Player { start, solo, measure: self.measure, seed: self.seed, repeat: PILOT };
        match pilot::course(&mut player, highest, levels, effort, &mut go_on) {
            Ok(course) => Ok(Some(course)),
            Err(Halt::Stopped) => Ok(None),
            Err(Halt::Failed(failure)) => Err(failure.into()),
        }
    }

    /// Plays repeats from a number on, and keeps the boards they meet if every so many of ordinary play are wanted. What comes back are those
    /// that are whole, in their order.
    pub fn repeats_from(
        &self,
        course: &Course,
        first: usize,
        number: usize,
        ordinary: u64,
        threads: usize,
        watch: &mut Watch,
    ) -> Result<Vec<(Repeat, Met<G>)>, SplittingError> {
        let start = G::start(self.rules);
        let placed = AtomicU64::new(watch.pieces);
        let (mut whole, mut done) = (Vec::new(), 0);
        whole.resize_with(number, || None);
        let worker = || Ok::<_, SplittingError>(G::solo(self.rules, self.player)?);
        let job = |solo: &mut Box<dyn SoloPlayer<G>>, repeat: usize, stop: &Stop| {
            let mut go_on = |more| {
                placed.fetch_add(more, Ordering::Relaxed);
                stop.go_on()
            };
            let mut met: Met<G> = vec![Vec::new(); course.levels.len() + 1];
            let mut meet = |level: usize, board: &G| {
                if ordinary > 0 {
                    met[level].push(board.clone());
                }
            };
            let (solo, repeat) = (solo.as_mut(), (first + repeat) as u64);
            let mut player = Player { start: &start, solo, measure: self.measure, seed: self.seed, repeat };
            let repeat = player.repeat(course, ordinary, &mut meet, &mut go_on);
            repeat.map(|repeat| (repeat, met)).map_err(|halt| halt.map(SplittingError::from))
        };
        pool::run(number, threads, worker, job, |event| match event {
            Event::Done(repeat, played) => {
                whole[repeat] = Some(played);
                done += 1;
                Ok(ControlFlow::Continue(()))
            }
            Event::Tick(_) => {
                let (elapsed, pieces) = (watch.begun.elapsed(), placed.load(Ordering::Relaxed));
                Ok((watch.watch)(&SplittingProgress { elapsed, pieces, repeats: Some(done) }))
            }
        })?;
        watch.pieces = placed.into_inner();
        Ok(whole.into_iter().flatten().collect())
    }
}
