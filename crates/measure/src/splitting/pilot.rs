//! A short run ahead of the others that chooses the levels, and how many trials each of them is worth.
//!
//! The base is the median level of ordinary play, so that excursions end soon. The first level is the highest one that ordinary
//! play still meets often ([`OFTEN`]); from there on the next level is the one that about [`WANTED`] of the trials reach,
//! the share with which splitting is cheapest. On a low board, or with a weak player, that may be the end of the game at once:
//! then there is no level at all, and the method is plain play.

use play::PlayedGame;
use play::solo::{OVER, SoloPlayer};

use super::stages::{Course, Pace, Player, Stopped};
use super::{Effort, Levels};

/// The repeat that names the streams of the pilot.
pub(super) const PILOT: u64 = u64::MAX;
/// Entries for each move that the first level must have, at least.
const OFTEN: f64 = 0.005;
/// The share of trials that should reach the next level.
const WANTED: f64 = 0.2;
/// Moves of ordinary play, at least.
const PIECES: u64 = 5_000;
/// Trials from a level, at least; so many times more where nobody arrives.
const TRIALS: usize = 250;
const MORE: usize = 16;
/// A level may have so many times the trials that were asked for.
const MOST: f64 = 8.0;

/// The boards that reached each level, by trials that began at one.
struct Arrivals<G> {
    trials: usize,
    /// The first boards at or above a level, from level 0 on; those of the end come last.
    boards: Vec<Vec<G>>,
}

impl<G> Arrivals<G> {
    fn share(&self, level: u32) -> f64 {
        self.at(level).len() as f64 / self.trials.max(1) as f64
    }

    fn at(&self, level: u32) -> &[G] {
        &self.boards[(level as usize).min(self.boards.len() - 1)]
    }
}

/// The course that a player takes.
pub(super) fn course<G: PlayedGame>(
    player: &mut Player<G>,
    highest: u32,
    levels: &Levels,
    effort: &Effort,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Course, Stopped> {
    let mut pace = Pace::new(player.solo.stride(), go_on);
    let pieces = (effort.moves / 5).max(PIECES);
    let (base, first) = match levels {
        Levels::Given { base, levels } => (*base, levels[0]),
        Levels::Automatic => begin(&ordinary_levels(player, pieces, &mut pace)?, highest),
    };
    let (_, mut boards) = player.ordinary(base, first, pieces, 0, &mut |_| {}, &mut pace)?;
    let mut course = Course { base, levels: Vec::new(), pieces: effort.moves, trials: Vec::new() };
    let mut level = first;
    while level != OVER {
        let given = match levels {
            Levels::Given { levels, .. } => {
                Some(levels.get(course.levels.len() + 1).copied().unwrap_or(OVER))
            }
            Levels::Automatic => None,
        };
        let excursions = Excursions {
            stage: course.levels.len() + 1,
            trials: (effort.trials / 4).max(TRIALS),
            base,
            highest,
            enough: given.unwrap_or(level + 1),
            target: given.unwrap_or(OVER),
        };
        let arrivals = excursions.play(player, &boards, &mut pace)?;
        let next = given.unwrap_or_else(|| next_level(&arrivals, level, highest));
        course.levels.push(level);
        course.trials.push(worth(effort.trials, arrivals.share(next)));
        boards = arrivals.at(next).to_vec();
        level = next;
    }
    Ok(course)
}

/// The trials that a level is worth: the error of a share p takes (1 - p) / p trials to be as small as that of others.
fn worth(trials: usize, share: f64) -> usize {
    let even = ((1.0 - WANTED) / WANTED).sqrt();
    let factor = ((1.0 - share) / share).sqrt() / even;
    // Nobody arrived: as many as there may be.
    let factor = if share > 0.0 { factor.clamp(1.0, MOST) } else { MOST };
    (trials as f64 * factor).round() as usize
}

/// The level after every move of ordinary play.
fn ordinary_levels<G: PlayedGame>(
    player: &mut Player<G>,
    pieces: u64,
    pace: &mut Pace,
) -> Result<Vec<u32>, Stopped> {
    let mut games = 0;
    let mut levels = Vec::with_capacity(pieces as usize);
    // A stage of its own: the boards to begin from must not be those that chose the level.
    let dice = |game| super::stages::dice(player.seed, player.repeat, usize::MAX, game);
    player.solo.set(player.start, dice(games));
    for _ in 0..pieces {
        player.solo.run(1)?;
        let level = player.level();
        levels.push(level);
        if level == OVER {
            games += 1;
            player.solo.set(player.start, dice(games));
        }
        pace.step()?;
    }
    Ok(levels)
}

/// The base and the first level above it.
fn begin(seen: &[u32], highest: u32) -> (u32, u32) {
    let mut sorted: Vec<u32> = seen.iter().copied().filter(|&level| level != OVER).collect();
    sorted.sort_unstable();
    // A game of one move has no level at all.
    let base = sorted.get(sorted.len() / 2).copied().unwrap_or(0).min(highest - 1);
    let entries = |target: u32| {
        let mut at_base = true;
        let mut entries = 0;
        for &level in seen {
            if at_base && level >= target {
                entries += 1;
            }
            // After the end comes a new game.
            at_base = level <= base || level == OVER || at_base && level < target;
        }
        f64::from(entries)
    };
    let often = |&level: &u32| entries(level) >= OFTEN * seen.len() as f64;
    let first = std::iter::once(OVER).chain((base + 1..=highest).rev()).find(often);
    (base, first.unwrap_or(base + 1))
}

/// The level to go to next from one: the one whose share is nearest to the wanted one, by factors.
fn next_level<G>(arrivals: &Arrivals<G>, level: u32, highest: u32) -> u32 {
    let far = |next: &u32| math::ln(arrivals.share(*next).max(1e-9) / WANTED).abs();
    let all = (level + 1..=highest).chain([OVER]);
    all.min_by(|a, b| far(a).total_cmp(&far(b))).expect("the end comes after every level")
}

/// Excursions to be carried on until they are back at the base or have reached the target.
struct Excursions {
    stage: usize,
    trials: usize,
    base: u32,
    highest: u32,
    /// More are played until one has come this far.
    enough: u32,
    target: u32,
}

impl Excursions {
    fn play<G: PlayedGame>(
        &self,
        player: &mut Player<G>,
        boards: &[G],
        pace: &mut Pace,
    ) -> Result<Arrivals<G>, Stopped> {
        let end = self.highest as usize + 1;
        let mut arrivals = Arrivals { trials: 0, boards: vec![Vec::new(); end + 1] };
        while !boards.is_empty()
            && (arrivals.trials < self.trials
                || arrivals.at(self.enough).is_empty() && arrivals.trials < MORE * self.trials)
        {
            let board = &boards[arrivals.trials % boards.len()];
            let mut reached = 0;
            let mut record = |level: u32, solo: &dyn SoloPlayer<G>| {
                let level = (level as usize).min(end);
                let position = solo.position();
                arrivals.boards[reached..=level].iter_mut().for_each(|boards| boards.push(position.clone()));
                reached = level + 1;
            };
            player.climb(self.stage, arrivals.trials, board, self.base, self.target, pace, &mut record)?;
            arrivals.trials += 1;
        }
        Ok(arrivals)
    }
}
