//! Boards from all levels of the way to a loss: what a learner must see that is to play well where games are lost, and that
//! ordinary play hardly ever shows.

use std::ops::ControlFlow;
use std::time::Instant;

use super::run::{Live, Watch, Work};
use super::walk::Levelled;
use super::{Effort, Levels, SplittingError};
use crate::players::Seat;

/// Which boards are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// The levels; automatic ones suit any player and board.
    pub levels: Levels,
    /// Boards of each level, at most.
    pub per_level: usize,
    /// How much is played in one repeat; as many repeats are played as it takes, but no more than `MOST_REPEATS`.
    pub effort: Effort,
    /// The seed of everything.
    pub seed: u64,
}

/// The boards of one level.
#[derive(Debug, Clone, PartialEq)]
pub struct Boards<G> {
    /// The level that they reached, each by the move that was just made; none for boards of ordinary play.
    pub level: Option<u32>,
    /// The boards; no game is over. In Tetris the next piece is yet to be dealt, unless the rules show pieces ahead.
    pub boards: Vec<G>,
}

/// Repeats that are played, at most.
pub const MOST_REPEATS: usize = 1_000;
/// Moves between two boards of ordinary play: neighbours are much alike.
const ORDINARY: u64 = 20;

/// Samples boards of a player given as text: boards of ordinary play first, then those that reached each level from the lowest to the
/// highest, up to `per_level` of each. Equal on any number of threads. `None` if `watch`, which is called several
/// times a second, breaks off.
///
/// # Errors
/// The player is unknown, or the levels are wrong.
pub fn sample<G: Levelled>(
    rules: &G::Rules,
    player: &str,
    sampling: &Sampling,
    threads: usize,
    watch: &mut dyn FnMut(&Live) -> ControlFlow<()>,
) -> Result<Option<Vec<Boards<G>>>, SplittingError> {
    Seat::<G>::parse(rules, player)?;
    let seat = || Seat::<G>::parse(rules, player).expect("checked before");
    sample_seats(rules, &seat, sampling, threads, watch)
}

/// The same for a player that is made by a function, as `&|| Seat::Model(evaluator())`: once for each thread, and once for the
/// levels.
///
/// # Errors
/// The levels are wrong.
pub fn sample_seats<G: Levelled>(
    rules: &G::Rules,
    seat: &(dyn Fn() -> Seat<G> + Sync),
    sampling: &Sampling,
    threads: usize,
    watch: &mut dyn FnMut(&Live) -> ControlFlow<()>,
) -> Result<Option<Vec<Boards<G>>>, SplittingError> {
    let work = Work { rules, seat, seed: sampling.seed, measure: sampling.effort.level };
    let mut watch = Watch { begun: Instant::now(), pieces: 0, watch };
    let Some(course) = work.course(&sampling.levels, &sampling.effort, &mut watch)? else { return Ok(None) };
    let names = std::iter::once(None).chain(course.levels.iter().copied().map(Some));
    let mut all: Vec<Boards<G>> = names.map(|level| Boards { level, boards: Vec::new() }).collect();
    // The number of repeats doubles until there are enough: it must not depend on the number of threads.
    let mut played = 0;
    while played < MOST_REPEATS && all.iter().any(|level| level.boards.len() < sampling.per_level) {
        let more = played.max(1).min(MOST_REPEATS - played);
        let repeats = work.repeats_from(&course, played, more, ORDINARY, threads, &mut watch);
        if repeats.len() < more {
            return Ok(None);
        }
        played += more;
        for (_, met) in repeats {
            for (level, boards) in all.iter_mut().zip(met) {
                let room = sampling.per_level.saturating_sub(level.boards.len());
                level
                    .boards
                    .extend(boards.into_iter().filter(|board| board.turn() != games::Turn::Over).take(room));
            }
        }
    }
    Ok(Some(all))
}
