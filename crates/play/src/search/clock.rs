//! The time of a game: how much of what is left a move is worth, and whether another depth would still finish
//! (Branly & Guichard 2022, section 3).
//!
//! The report gives each of one's moves left an equal share of the game time, the turning points of the game more, and the first
//! moves none. It trims: a depth that would not finish is not begun, and its time serves later moves. How much longer
//! a depth takes than the one before is measured: in recorded games, or else in the game under way.

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;

use super::limits::Limits;
use super::ratios::Ratios;
use crate::PlayedGame;

/// How a game's time is spread over its steps (moves of both sides, from 1).
#[derive(Debug, Clone, PartialEq)]
pub struct ClockPlan {
    /// Up to this step a search of `quick_depth` is enough.
    pub quick_until: u32,
    /// The depth of the first moves.
    pub quick_depth: u32,
    /// The step at which games end.
    pub length: u32,
    /// Steps that deserve more or less than their share, and how many times as much.
    pub factors: Vec<(RangeInclusive<u32>, f64)>,
}

impl ClockPlan {
    /// The same share for every move of a game of this length.
    pub fn even(length: u32) -> Self {
        Self { quick_until: 0, quick_depth: 1, length, factors: Vec::new() }
    }
}

/// What a move is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allotment {
    /// Seconds.
    pub seconds: f64,
    /// A depth that is enough.
    pub depth: Option<u32>,
}

/// Left alone: a move takes some time to reach the referee, and the machine has other things to do.
pub(super) const RESERVE: f64 = 0.05;
/// Until something has been measured.
const FIRST_RATIO: f64 = 6.0;
/// Below this a depth is too short to be measured.
pub const LEAST: f64 = 5e-4;
/// Ratios vary tenfold from move to move: the least of a few stands for the quartile.
const REMEMBERED: usize = 4;

/// The plan, and what the depths have taken so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Clock {
    plan: ClockPlan,
    recorded: Ratios,
    /// By depth, the last few of the game under way.
    measured: BTreeMap<u32, VecDeque<f64>>,
    last: f64,
}

impl Clock {
    /// A clock for a plan and ratios from recorded games, which may be none.
    pub fn new(plan: ClockPlan, recorded: Ratios) -> Self {
        Self { plan, recorded, measured: BTreeMap::new(), last: 0.0 }
    }

    /// The clock of a game.
    pub fn of<G: PlayedGame>() -> Self {
        Self::new(G::clock_plan(), G::clock_ratios())
    }

    /// With other ratios from recorded games.
    #[must_use]
    pub fn with_ratios(self, recorded: Ratios) -> Self {
        Self { recorded, ..self }
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        self.measured.clear();
    }

    /// What the move of a step is given when so many seconds are left: never more than half of them.
    pub fn allot(&self, step: u32, left: f64) -> Allotment {
        let own_moves = (f64::from(self.plan.length.saturating_sub(step)) / 2.0).max(1.0);
        let factor = self.plan.factors.iter().find(|(steps, _)| steps.contains(&step));
        let share = left / own_moves * factor.map_or(1.0, |(_, factor)| *factor);
        let seconds = share.min(left / 2.0).min(left - RESERVE).max(0.0);
        Allotment { seconds, depth: (step <= self.plan.quick_until).then_some(self.plan.quick_depth) }
    }

    /// The seconds that limits give the move of a step, if they say any.
    pub fn seconds(&self, step: u32, limits: &Limits) -> Option<f64> {
        let allotted = limits.game_time.map(|game_time| self.allot(step, game_time).seconds);
        limits.time.into_iter().chain(allotted).reduce(f64::min)
    }

    /// A depth has been finished and took so long.
    pub fn note(&mut self, depth: u32, seconds: f64) {
        if depth > 1 && self.last > LEAST {
            let ratios = self.measured.entry(depth).or_default();
            ratios.push_back(seconds / self.last);
            if ratios.len() > REMEMBERED {
                ratios.pop_front();
            }
        }
        self.last = seconds;
    }

    /// Whether the depth after this one would finish: `now` of `seconds` have passed.
    pub fn is_worth_it(&self, step: u32, depth: u32, now: f64, seconds: f64) -> bool {
        let least = |depth| self.measured.get(&depth)?.iter().copied().min_by(f64::total_cmp);
        let measured = || least(depth + 1).or_else(|| least(depth));
        let ratio = self.recorded.get(step, depth + 1).or_else(measured).unwrap_or(FIRST_RATIO);
        now + self.last * ratio <= seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::avalam::Avalam;

    #[test]
    fn the_plan_of_the_report_gives_its_shares_and_never_more_than_half() {
        let report = ClockPlan { quick_until: 5, quick_depth: 1, length: 34, factors: vec![(19..=27, 1.75)] };
        let clock = Clock::new(report, Ratios::default());
        let seconds = |step, left| clock.allot(step, left).seconds;
        assert_eq!(clock.allot(5, 900.0).depth, Some(1));
        assert_eq!(clock.allot(6, 900.0), Allotment { seconds: 900.0 / 14.0, depth: None });
        assert_eq!(seconds(20, 700.0), 175.0);
        assert_eq!((seconds(27, 100.0), seconds(33, 100.0), seconds(40, 100.0)), (50.0, 50.0, 50.0));
        assert_eq!((seconds(20, 0.0), seconds(20, -3.0)), (0.0, 0.0));
        for step in 1..60 {
            // Two moves of one side are two steps apart: the game time lasts for ever.
            let mut left = 1.0;
            (step..60).step_by(2).for_each(|step| left -= seconds(step, left));
            assert!(left > 0.0);
        }
    }

    #[test]
    fn a_depth_that_would_not_finish_is_not_begun() {
        let mut clock = Clock::new(Avalam::clock_plan(), Ratios::new([(8, 4, 32.0), (30, 4, 3.0)]));
        clock.note(3, 1.0);
        assert!(!clock.is_worth_it(8, 3, 10.0, 40.0) && clock.is_worth_it(8, 3, 10.0, 42.0));
        assert!(clock.is_worth_it(28, 3, 10.0, 13.0), "the nearest step counts");
        // Nothing recorded: what this game has shown.
        clock.note(4, 10.0);
        clock.note(5, 20.0);
        assert!(clock.is_worth_it(8, 5, 50.0, 90.0) && !clock.is_worth_it(8, 5, 50.1, 90.0));
        clock.new_game();
        assert!(!clock.is_worth_it(8, 5, 50.0, 90.0));
    }
}
