//! Repeats over threads. Each of them depends on its number and nothing else.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use play::PlayedGame;
use play::players::PlayerSpec;

use super::pilot::{self, PILOT};
use super::result::Run;
use super::stages::{Course, Player, Repeat};
use super::walk::{Levelled, Walker};
use super::{Effort, Levels, Measure, Setup, SplittingError};

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Live {
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
/// The player is unknown, or the levels are wrong.
pub fn run<G: Levelled>(
    setup: &Setup<G>,
    threads: usize,
    watch: &mut dyn FnMut(&Live) -> ControlFlow<()>,
) -> Result<Option<Run>, SplittingError> {
    PlayerSpec::<G>::parse(&setup.rules, &setup.player)?;
    let seat = || PlayerSpec::<G>::parse(&setup.rules, &setup.player).expect("checked before the run");
    let work = Work { rules: &setup.rules, seat: &seat, seed: setup.seed, measure: setup.effort.level };
    let mut watch = Watch { begun: Instant::now(), pieces: 0, watch };
    let Some(course) = work.course(&setup.levels, &setup.effort, &mut watch)? else { return Ok(None) };
    let repeats = work.repeats_from(&course, 0, setup.repeats, 0, threads, &mut watch);
    let repeats = repeats.into_iter().map(|(repeat, _)| repeat).collect();
    Ok(Some(Run { course, repeats, asked: setup.repeats }))
}

/// The natural logarithm of the score by one repeat, which seed and number name, with levels chosen for this player: what a
/// learner can maximise. Where a stage is empty it is played again with twice the trials, and at last judged with caution: too
/// low, never too high.
pub fn single<G: Levelled>(
    rules: &G::Rules,
    walker: &mut dyn Walker<G>,
    course: &Course,
    seed: u64,
    number: u64,
) -> f64 {
    const ATTEMPTS: u32 = 3;
    let start = G::start(rules);
    let mut course = course.clone();
    let mut attempt = 1;
    loop {
        let mut player = Player { start: &start, walker: &mut *walker, seed, repeat: number };
        let repeat = player.repeat(&course, 0, &mut |_, _| {}, &mut |_| true).expect("nobody breaks off");
        if attempt == ATTEMPTS || repeat.empty_stage().is_none() {
            // A player that never scores is not worth minus infinity: learners calculate with this.
            let least = 1.0 / repeat.pieces as f64;
            return math::ln(repeat.score_rate().max(least) / repeat.cautious_loss_rate());
        }
        attempt += 1;
        course.pieces *= 2;
        course.trials.iter_mut().for_each(|trials| *trials *= 2);
    }
}

/// The course with levels chosen for a player by a pilot run that a seed names.
pub fn course_of<G: Levelled>(
    rules: &G::Rules,
    walker: &mut dyn Walker<G>,
    effort: &Effort,
    seed: u64,
) -> Course {
    find_course(rules, walker, &Levels::Automatic, effort, seed, &mut |_| true).expect("nobody breaks off")
}

fn find_course<G: Levelled>(
    rules: &G::Rules,
    walker: &mut dyn Walker<G>,
    levels: &Levels,
    effort: &Effort,
    seed: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Option<Course> {
    let start = G::start(rules);
    let mut player = Player { start: &start, walker, seed, repeat: PILOT };
    pilot::course(&mut player, G::highest_level(rules, effort.level), levels, effort, go_on)
}

/// A watch over several pieces of work, one after the other.
pub(super) struct Watch<'a> {
    pub begun: Instant,
    pub pieces: u64,
    pub watch: &'a mut dyn FnMut(&Live) -> ControlFlow<()>,
}

/// Everything that a thread needs to begin a repeat.
pub(super) struct Work<'a, G: PlayedGame> {
    pub rules: &'a G::Rules,
    pub seat: &'a (dyn Fn() -> PlayerSpec<G> + Sync),
    pub seed: u64,
    /// What a level is.
    pub measure: Measure,
}

/// Boards by the number of their level, those of ordinary play first.
pub(super) type Met<G> = Vec<Vec<G>>;

impl<G: Levelled> Work<'_, G> {
    /// The course; none if broken off.
    pub fn course(
        &self,
        levels: &Levels,
        effort: &Effort,
        watch: &mut Watch,
    ) -> Result<Option<Course>, SplittingError> {
        levels.check(G::highest_level(self.rules, self.measure))?;
        let mut walker = G::walker(self.rules, (self.seat)(), self.measure);
        let mut told: Option<Instant> = None;
        let mut go_on = |more| {
            watch.pieces += more;
            if told.is_some_and(|told| told.elapsed().as_millis() < 50) {
                return true;
            }
            told = Some(Instant::now());
            let live = Live { elapsed: watch.begun.elapsed(), pieces: watch.pieces, repeats: None };
            (watch.watch)(&live).is_continue()
        };
        Ok(find_course(self.rules, walker.as_mut(), levels, effort, self.seed, &mut go_on))
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
    ) -> Vec<(Repeat, Met<G>)> {
        let start = G::start(self.rules);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (placed, stop) = (AtomicU64::new(watch.pieces), AtomicBool::new(false));
        let none: Vec<Option<(Repeat, Met<G>)>> = (0..number).map(|_| None).collect();
        let whole = Mutex::new(none);
        let worker = || {
            let mut walker = G::walker(self.rules, (self.seat)(), self.measure);
            let mut go_on = |more| {
                placed.fetch_add(more, Ordering::Relaxed);
                !stop.load(Ordering::Relaxed)
            };
            loop {
                let repeat = next.fetch_add(1, Ordering::Relaxed);
                if repeat >= number {
                    break;
                }
                let mut met: Met<G> = vec![Vec::new(); course.levels.len() + 1];
                let mut meet = |level: usize, board: &G| {
                    if ordinary > 0 {
                        met[level].push(board.clone());
                    }
                };
                let mut player = Player {
                    start: &start,
                    walker: walker.as_mut(),
                    seed: self.seed,
                    repeat: (first + repeat) as u64,
                };
                let Some(played) = player.repeat(course, ordinary, &mut meet, &mut go_on) else { break };
                done.fetch_add(1, Ordering::Relaxed);
                whole.lock().expect("no worker panics while it holds the lock")[repeat] = Some((played, met));
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.clamp(1, number.max(1))).map(|_| scope.spawn(worker)).collect();
            while workers.iter().any(|worker| !worker.is_finished()) {
                let elapsed = watch.begun.elapsed();
                let repeats = Some(done.load(Ordering::Relaxed));
                let live = Live { elapsed, pieces: placed.load(Ordering::Relaxed), repeats };
                if (watch.watch)(&live).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
                thread::sleep(Duration::from_millis(if elapsed.as_millis() < 200 { 2 } else { 50 }));
            }
        });
        watch.pieces = placed.into_inner();
        whole.into_inner().expect("no worker panics while it holds the lock").into_iter().flatten().collect()
    }
}
