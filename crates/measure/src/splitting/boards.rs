//! Boards from all levels of the way to a loss: what a learner must see that is to play well where games are lost, and that
//! ordinary play hardly ever shows.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use play::PlayedGame;
use play::players::PlayerSpec;

use super::run::{SplittingProgress, Watch, Work};
use super::{Effort, Levels, SplittingError};

/// Which boards are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// The levels; automatic ones suit any player and board.
    pub levels: Levels,
    /// Boards of all levels together, in equal shares rounded up: fewer where a level is hardly ever reached.
    pub boards: usize,
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
    /// The boards; no game is over. What comes next is yet to be dealt, unless the rules show it.
    pub boards: Vec<G>,
}

/// How sampling stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplingLive {
    /// Moves made.
    pub pieces: u64,
    /// Repeats done; none while levels are chosen.
    pub repeats: Option<usize>,
    /// What is still to come, once the first repeat has shown what one brings.
    pub ahead: Option<Ahead>,
}

/// What is to come if further repeats are like those before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ahead {
    /// Repeats when all is done.
    pub repeats: usize,
    /// The time left.
    pub time: Duration,
}

/// Repeats that are played, at most.
pub const MOST_REPEATS: usize = 1_000;
/// Moves between two boards of ordinary play: neighbours are much alike.
const ORDINARY: u64 = 20;

/// Samples boards of a player given as text: boards of ordinary play first, then those that reached each level from the lowest to the
/// highest. Equal on any number of threads. `None` if `watch`, which is called several times a second, breaks off.
///
/// # Errors
/// The player is unknown, or the game has no levels, or the given ones are wrong.
pub fn sample<G: PlayedGame>(
    rules: &G::Rules,
    player: &str,
    sampling: &Sampling,
    threads: usize,
    watch: &mut dyn FnMut(&SamplingLive) -> ControlFlow<()>,
) -> Result<Option<Vec<Boards<G>>>, SplittingError> {
    sample_specs(rules, &PlayerSpec::parse(rules, player)?, sampling, threads, watch)
}

/// The same for a player that has been read.
///
/// # Errors
/// The game has no levels, or the given ones are wrong.
pub fn sample_specs<G: PlayedGame>(
    rules: &G::Rules,
    player: &PlayerSpec<G>,
    sampling: &Sampling,
    threads: usize,
    watch: &mut dyn FnMut(&SamplingLive) -> ControlFlow<()>,
) -> Result<Option<Vec<Boards<G>>>, SplittingError> {
    let work = Work { rules, player, seed: sampling.seed, measure: sampling.effort.level };
    let mut tell =
        |live: &SplittingProgress| watch(&SamplingLive { pieces: live.pieces, repeats: None, ahead: None });
    let mut first = Watch { begun: Instant::now(), pieces: 0, watch: &mut tell };
    let Some(course) = work.course(&sampling.levels, &sampling.effort, &mut first)? else { return Ok(None) };
    let mut pieces = first.pieces;
    let names = std::iter::once(None).chain(course.levels.iter().copied().map(Some));
    let mut all: Vec<Boards<G>> = names.map(|level| Boards { level, boards: Vec::new() }).collect();
    let per_level = sampling.boards.div_ceil(all.len());
    let mut spent = Spent { pieces: 0, busy: 0.0 };
    let mut played = 0;
    while played < MOST_REPEATS && all.iter().any(|level| level.boards.len() < per_level) {
        let more = next_repeats(played);
        let fewest = all.iter().map(|level| level.boards.len()).min().unwrap_or(0);
        let goal = (played > 0).then(|| repeats_needed(played, fewest, per_level));
        let (begun, before) = (Instant::now(), pieces);
        let so_far = |pieces: u64| spent.with(pieces - before, begun.elapsed(), threads.min(more));
        let mut tell = |live: &SplittingProgress| {
            let done = played + live.repeats.unwrap_or(0);
            let of_one = spent.pieces as f64 / played as f64;
            let left = |goal| so_far(live.pieces).left(of_one * goal as f64, threads.min(goal - played));
            let ahead = goal.map(|goal| Ahead { repeats: goal, time: left(goal) });
            watch(&SamplingLive { pieces: live.pieces, repeats: Some(done), ahead })
        };
        let mut watch = Watch { begun, pieces, watch: &mut tell };
        let repeats = work.repeats_from(&course, played, more, ORDINARY, threads, &mut watch)?;
        pieces = watch.pieces;
        if repeats.len() < more {
            return Ok(None);
        }
        spent = so_far(pieces);
        played += more;
        for (_, met) in repeats {
            for (level, boards) in all.iter_mut().zip(met) {
                let room = per_level.saturating_sub(level.boards.len());
                level
                    .boards
                    .extend(boards.into_iter().filter(|board| board.turn() != games::Turn::Over).take(room));
            }
        }
    }
    Ok(Some(all))
}

/// How many repeats come after these: their number doubles until there are enough boards, and must not depend on the number of
/// threads.
fn next_repeats(played: usize) -> usize {
    played.max(1).min(MOST_REPEATS - played)
}

/// Repeats when there are enough boards, if the level with the fewest goes on as it did. Of one that nobody has reached yet no more
/// is known than that the next board would be the first.
fn repeats_needed(played: usize, fewest: usize, per_level: usize) -> usize {
    let wanted = (played * per_level).div_ceil(fewest.max(1));
    let mut goal = played;
    while goal < wanted.min(MOST_REPEATS) {
        goal += next_repeats(goal);
    }
    goal
}

/// What repeats have taken: the speed of one thread, since the first repeats keep but one busy.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spent {
    pieces: u64,
    /// Seconds of all threads together.
    busy: f64,
}

impl Spent {
    fn with(self, pieces: u64, time: Duration, threads: usize) -> Self {
        Self { pieces: self.pieces + pieces, busy: self.busy + time.as_secs_f64() * threads as f64 }
    }

    /// How long it takes until there are so many moves.
    fn left(self, pieces: f64, threads: usize) -> Duration {
        let seconds = (pieces / self.pieces.max(1) as f64 - 1.0) * self.busy / threads.max(1) as f64;
        Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_double_until_the_rarest_level_has_enough() {
        let doubled: Vec<usize> =
            std::iter::successors(Some(0), |&played| Some(played + next_repeats(played))).take(12).collect();
        assert_eq!(doubled, [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]);
        assert_eq!(repeats_needed(1, 50, 50), 1);
        assert_eq!(repeats_needed(1, 10, 50), 8);
        assert_eq!(repeats_needed(2, 20, 80), 8);
        // Nobody has come there: fifty repeats would bring fifty boards, with one in the next.
        assert_eq!(repeats_needed(1, 0, 50), 64);
        assert_eq!(repeats_needed(4, 0, 100_000), MOST_REPEATS);
    }

    #[test]
    fn time_left_counts_the_threads_that_will_be_busy() {
        // 1,000 moves in 2 s on one thread, then 3,000 in 3 s on two: 500 moves a second on each.
        let none = Spent { pieces: 0, busy: 0.0 };
        let spent = none.with(1_000, Duration::from_secs(2), 1).with(3_000, Duration::from_secs(3), 2);
        assert_eq!(spent, Spent { pieces: 4_000, busy: 8.0 });
        assert_eq!(spent.left(8_000.0, 1), Duration::from_secs(8));
        assert_eq!(spent.left(8_000.0, 4), Duration::from_secs(2));
        assert_eq!(
            spent.left(3_000.0, 2),
            Duration::ZERO,
            "it takes longer than thought, but not less than nothing"
        );
    }
}
