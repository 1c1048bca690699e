//! Many games over threads, with a live view.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use play::players::{PlayerError, PlayerFailure};

use super::{Game, Games, Progress, Setup, TetrisRunner};
use crate::journal::{Journal, JournalError};
use crate::pool::{self, Event, Halt, Stop};

/// How things stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Live {
    /// Time since the run began.
    pub elapsed: Duration,
    /// Decisions made in this run.
    pub decisions: u64,
    /// For each player: games over, and lines so far with those of unfinished games.
    pub players: Vec<(usize, u64)>,
}

/// Plays all games that are not over yet and puts them into `games`, in the order of their numbers. `watch` is called
/// several times a second and may break the run off: games under way are then kept as far as they have come. Every game
/// that ends goes into the journal at once, and a long one now and then on its way.
///
/// # Errors
/// A player is unknown or fails, or the journal cannot be written.
pub fn run(
    setup: &Setup,
    threads: usize,
    games: &mut Games,
    journal: Option<&mut Journal>,
    watch: &mut dyn FnMut(&Live) -> ControlFlow<()>,
) -> Result<(), RunError> {
    setup.check()?;
    let mut work: Vec<Game> = Vec::new();
    for game in 0..setup.games {
        for player in 0..setup.players.len() {
            match games.get(player, game) {
                Some(done) if done.position.is_none() => {}
                Some(broken_off) => work.push(broken_off.clone()),
                None => {
                    work.push(Game { player, game, lines: 0, decisions: 0, seconds: 0.0, position: None });
                }
            }
        }
    }
    let known = |player: usize| AtomicU64::new(games.finished(player).map(|game| game.lines).sum());
    let lines: Vec<AtomicU64> = (0..setup.players.len()).map(known).collect();
    let mut over: Vec<usize> =
        (0..setup.players.len()).map(|player| games.finished(player).count()).collect();
    let decisions = AtomicU64::new(0);
    let save_every = journal.as_ref().map(|journal| journal.save_every);
    let journal = Mutex::new(journal);
    let write = |game: &Game| {
        let mut journal = journal.lock().expect("no thread panics while it holds the lock");
        journal.as_mut().map_or(Ok(()), |journal| journal.append(game))
    };
    let worker = || Ok(setup.players.iter().map(|_| None).collect());
    let job = |machines: &mut Vec<Option<TetrisRunner>>, number: usize, stop: &Stop| {
        let game = &work[number];
        let player = game.player;
        let machine = machines[player].get_or_insert_with(|| {
            TetrisRunner::new(&setup.rules, &setup.players[player]).expect("checked before the run")
        });
        lines[player].fetch_add(game.lines, Ordering::Relaxed);
        let (mut saved, mut disk) = (Instant::now(), Ok(()));
        let mut go_on = |progress: &Progress| {
            lines[player].fetch_add(progress.lines, Ordering::Relaxed);
            decisions.fetch_add(progress.decisions, Ordering::Relaxed);
            if save_every.is_some_and(|every| saved.elapsed() >= every) {
                saved = Instant::now();
                disk = (progress.so_far)().iter().try_for_each(write);
            }
            stop.go_on() && disk.is_ok()
        };
        let played = machine.play(&setup.rules, setup.seed, game.clone(), &mut go_on);
        disk.map_err(|error| Halt::Failed(error.into()))?;
        played.map_err(|failure| Halt::Failed(failure.into()))
    };
    pool::run(work.len(), threads, worker, job, |event| match event {
        Event::Done(_, game) => {
            write(&game)?;
            over[game.player] += usize::from(game.position.is_none());
            games.insert(game);
            Ok(ControlFlow::Continue(()))
        }
        Event::Tick(elapsed) => {
            let lines = lines.iter().map(|lines| lines.load(Ordering::Relaxed));
            let players = over.iter().copied().zip(lines).collect();
            Ok(watch(&Live { elapsed, decisions: decisions.load(Ordering::Relaxed), players }))
        }
    })
}

/// What can end a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A player is unknown.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player has no move to give.
    #[error(transparent)]
    Failure(#[from] PlayerFailure),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}
