//! Pairs of games over threads: each opening twice with sides exchanged.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use games::Dice;
use play::PlayedGame;
use play::players::{Player, PlayerError};
use thiserror::Error;

use super::game::play;
use super::supervised::SupervisedPlayer;
use super::{Job, PlayedPair, Results, Setup};
use crate::journal::{Journal, JournalError};
use crate::pool::{self, Event, Halt, Stop};

/// How much longer than its own limit, twice, a player may take before it has stalled. A busy machine must not decide games.
pub const GRACE: Duration = Duration::from_secs(1);

/// Makes the player with this place in the list.
pub type Maker<'a, G> = dyn Fn(usize) -> Result<Box<dyn Player<G>>, PlayerError> + Sync + 'a;

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Live {
    /// Time since the run began.
    pub elapsed: Duration,
    /// Pairs played in this run.
    pub pairs: usize,
}

/// What can end a run.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// A player is unknown.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Plays all pairs that are missing. Every pair goes into the journal as it ends. `watch` is called several times a second
/// and may break the run off: pairs under way are then dropped.
///
/// # Errors
/// A player is unknown, or the journal cannot be written.
///
/// # Panics
/// If the game is not one for two players without chance.
pub fn run<G: PlayedGame>(
    setup: &Setup<G>,
    maker: &Maker<G>,
    threads: usize,
    results: &mut Results,
    journal: Option<&mut Journal>,
    watch: &mut dyn FnMut(&Live, &Results) -> ControlFlow<()>,
) -> Result<(), ArenaError> {
    assert!(G::SIDES.len() == 2 && !G::CHANCE, "{} is no game for two without chance", G::NAME);
    for player in 0..setup.players.len() {
        maker(player)?;
    }
    let work = results.missing();
    let results = Mutex::new(results);
    let lock = || results.lock().expect("no thread panics while it holds the lock");
    let worker = || {
        let seat = |player| SupervisedPlayer::new(Box::new(move || maker(player)), GRACE);
        Ok((0..setup.players.len()).map(seat).collect())
    };
    let job = |seats: &mut Vec<SupervisedPlayer<G>>, number: usize, stop: &Stop| {
        // A test may have ended this meeting.
        if !lock().is_missing(work[number]) {
            return Err(Halt::Stopped);
        }
        play_pair(setup, work[number], seats, &|| stop.go_on()).ok_or(Halt::Stopped)
    };
    let (mut journal, mut pairs) = (journal, 0);
    pool::run(work.len(), threads, worker, job, |event| match event {
        Event::Done(_, pair) => {
            if let Some(journal) = &mut journal {
                journal.append(&pair)?;
            }
            pairs += 1;
            let mut results = lock();
            results.insert(pair);
            // When tests have decided, what the others have under way would not count.
            Ok(if results.complete() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        }
        Event::Tick(elapsed) => Ok(watch(&Live { elapsed, pairs }, &lock())),
    })
}

/// Plays the two games of a pair; None if told to stop. The lots of a player depend on the pair, the game and the seat,
/// not on what else is played.
fn play_pair<G: PlayedGame>(
    setup: &Setup<G>,
    job: Job,
    seats: &mut [SupervisedPlayer<G>],
    go_on: &dyn Fn() -> bool,
) -> Option<PlayedPair> {
    let Job { first, second, pair } = job;
    let opening = setup.openings.get(pair);
    let mut game = |number: u64, sides: [usize; 2]| {
        let words = |side: u64| [setup.seed, first as u64, second as u64, pair as u64, number, side];
        let mut dice = [Dice::seeded(&words(0)), Dice::seeded(&words(1))];
        let [a, b] = seats.get_disjoint_mut(sides).expect("two different players");
        [&mut *a, &mut *b].into_iter().for_each(|seat| seat.opening(setup.openings.way(pair)));
        play(opening, [a, b], &mut dice, setup.most_moves, setup.game_time, go_on)
    };
    let games = [game(0, [first, second])?, game(1, [second, first])?];
    Some(PlayedPair { first, second, pair, opening: opening.text(), games })
}
