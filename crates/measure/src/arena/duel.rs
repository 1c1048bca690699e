//! Pairs of games over threads: each opening twice with sides exchanged.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use games::Dice;
use play::PlayedGame;
use play::players::{Player, PlayerError};
use thiserror::Error;

use super::game::play;
use super::supervised::SupervisedPlayer;
use super::{ArenaJournal, ArenaJournalError, Job, PlayedPair, Results, Setup};

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
    Journal(#[from] ArenaJournalError),
}

struct Ended<'a> {
    results: &'a mut Results,
    journal: Option<&'a mut ArenaJournal>,
    error: Option<ArenaJournalError>,
    pairs: usize,
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
    journal: Option<&mut ArenaJournal>,
    watch: &mut dyn FnMut(&Live, &Results) -> ControlFlow<()>,
) -> Result<(), ArenaError> {
    assert!(G::SIDES.len() == 2 && !G::CHANCE, "{} is no game for two without chance", G::NAME);
    for player in 0..setup.players.len() {
        maker(player)?;
    }
    let work = results.missing();
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let ended = Mutex::new(Ended { results, journal, error: None, pairs: 0 });
    let lock = || ended.lock().expect("no worker panics while it holds the lock");
    let go_on = || !stop.load(Ordering::Relaxed);

    let worker = || {
        let seat = |player| SupervisedPlayer::new(Box::new(move || maker(player)), GRACE);
        let mut seats: Vec<SupervisedPlayer<G>> = (0..setup.players.len()).map(seat).collect();
        while go_on() {
            let Some(&job) = work.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            // A test may have ended this meeting.
            if !lock().results.is_missing(job) {
                continue;
            }
            let Some(pair) = play_pair(setup, job, &mut seats, &go_on) else { break };
            let mut ended = lock();
            if let Some(journal) = ended.journal.as_mut()
                && let Err(error) = journal.append(&pair)
            {
                ended.error.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
            ended.results.insert(pair);
            ended.pairs += 1;
            if ended.results.complete() {
                // A test has decided: what the others have under way would not count.
                stop.store(true, Ordering::Relaxed);
            }
        }
    };

    let begun = Instant::now();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            let ended = lock();
            let live = Live { elapsed: begun.elapsed(), pairs: ended.pairs };
            if watch(&live, ended.results).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
            drop(ended);
            // Short enough not to be felt by short runs.
            thread::sleep(Duration::from_millis(if begun.elapsed().as_millis() < 200 { 2 } else { 50 }));
        }
    });
    let ended = ended.into_inner().expect("no worker panics while it holds the lock");
    ended.error.map_or(Ok(()), |error| Err(error.into()))
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
        play(opening, [a, b], &mut dice, setup.most_moves, setup.credit, go_on)
    };
    let games = [game(0, [first, second])?, game(1, [second, first])?];
    Some(PlayedPair { first, second, pair, opening: opening.text(), games })
}
