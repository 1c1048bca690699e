//! A ladder: boards of every level that one player has left behind, from which others are compared.
//!
//! The noise of a repeat of splitting comes from its boards more than from its trials: a few ancestors decide what all later levels look like.
//! Somebody who is compared with others need not find boards of his own. From the rungs of a ladder everybody begins with
//! the same boards and is dealt the same pieces, and what is left of the noise is that of the trials. It is no estimate of his own
//! score, for he would come to a level with other boards; near the player whose ladder it is it points the same way.

use std::ops::ControlFlow;

use super::run::course_of;
use super::stages::{Course, Pace, Player};
use super::walk::{Levelled, Walker};
use super::{Effort, Levels, Sampling, sample_seats};
use crate::players::Seat;

/// So many times the boards that one comparison takes: another game of the same player begins with others.
const SPARE: usize = 2;

/// The boards of each level, and how many trials each is worth.
pub struct Ladder<G> {
    course: Course,
    rungs: Vec<Vec<G>>,
}

impl<G: Levelled> Ladder<G> {
    /// The ladder of a player, as a seed names it.
    pub fn of(rules: &G::Rules, seat: &(dyn Fn() -> Seat<G> + Sync), effort: &Effort, seed: u64) -> Self {
        let mut course = course_of(rules, G::walker(rules, seat()).as_mut(), effort, seed);
        let levels = match course.levels.is_empty() {
            true => Levels::Automatic,
            false => Levels::Given { base: course.base, levels: course.levels.clone() },
        };
        let most = course.trials.iter().copied().max().unwrap_or(1);
        let sampling = Sampling { levels, per_level: SPARE * most, effort: *effort, seed };
        let mut go_on = |_: &_| ControlFlow::Continue(());
        let sampled = sample_seats(rules, seat, &sampling, 1, &mut go_on);
        let sampled = sampled.expect("the levels are those of the player").expect("nobody breaks off");
        let rungs: Vec<Vec<G>> = sampled.into_iter().skip(1).map(|level| level.boards).collect();
        // A rung without boards cannot be begun from, nor can those above it.
        let whole = rungs.iter().take_while(|boards| !boards.is_empty()).count().min(course.levels.len());
        course.trials.truncate(whole);
        Self { course, rungs }
    }

    /// The logarithm of the score that the rungs say, as one comparison, which seed and number name. A rung that nobody leaves upwards counts as
    /// half a success, so that nobody gains by too few trials more than he might have.
    pub fn compare(&self, rules: &G::Rules, walker: &mut dyn Walker<G>, seed: u64, number: u64) -> f64 {
        let start = G::start(rules);
        let mut go_on = |_| true;
        let mut pace = Pace::new(u64::MAX, &mut go_on);
        let mut player = Player { start: &start, walker, seed, repeat: number };
        let Course { base, pieces, .. } = self.course;
        let ordinary = player.ordinary(base, self.course.target(0), pieces, 0, &mut |_| {}, &mut pace);
        let (ordinary, _) = ordinary.expect("nobody breaks off");
        let per_piece = |count: f64| count / ordinary.pieces as f64;
        let mut worth = per_piece(ordinary.score.max(1.0)).ln();
        worth -= per_piece((ordinary.entries as f64).max(0.5)).ln();
        for ((stage, &trials), boards) in (1..).zip(&self.course.trials).zip(&self.rungs) {
            let target = self.course.target(stage);
            let first = number as usize * trials;
            let mut successes = 0;
            for trial in 0..trials {
                let board = &boards[(first + trial) % boards.len()];
                let end = player.climb(stage, trial, board, base, target, &mut pace, &mut |_, _| {});
                successes += usize::from(end.expect("nobody breaks off").0 >= target);
            }
            worth -= ((successes as f64).max(0.5) / trials as f64).ln();
        }
        worth
    }
}
