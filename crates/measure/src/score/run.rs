//! Many games over threads, with a live view.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use play::players::PlayerError;

use super::{Game, Games, Journal, JournalError, Progress, Setup, TetrisRunner};

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
/// A player is unknown, or the journal cannot be written.
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
    let known = |player: usize| games.finished(player).map(|game| game.lines).sum();
    let lines: Vec<AtomicU64> =
        (0..setup.players.len()).map(|player| AtomicU64::new(known(player))).collect();
    let over = |player: usize| AtomicUsize::new(games.finished(player).count());
    let over: Vec<AtomicUsize> = (0..setup.players.len()).map(over).collect();
    let (next, decisions, stop) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let save_every = journal.as_ref().map(|journal| journal.save_every);
    let ended: Mutex<(Vec<Game>, Option<&mut Journal>, Option<JournalError>)> =
        Mutex::new((Vec::new(), journal, None));

    let worker = || {
        let mut machines: Vec<Option<TetrisRunner>> = setup.players.iter().map(|_| None).collect();
        while !stop.load(Ordering::Relaxed) {
            let Some(game) = work.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let player = game.player;
            let machine = machines[player].get_or_insert_with(|| {
                TetrisRunner::new(&setup.rules, &setup.players[player]).expect("checked before the run")
            });
            lines[player].fetch_add(game.lines, Ordering::Relaxed);
            let write = |game: &Game| {
                let mut ended = ended.lock().expect("no worker panics while it holds the lock");
                if let Some(journal) = ended.1.as_mut()
                    && let Err(error) = journal.append(game)
                {
                    ended.2.get_or_insert(error);
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let mut saved = Instant::now();
            let mut go_on = |progress: &Progress| {
                lines[player].fetch_add(progress.lines, Ordering::Relaxed);
                decisions.fetch_add(progress.decisions, Ordering::Relaxed);
                if save_every.is_some_and(|every| saved.elapsed() >= every) {
                    saved = Instant::now();
                    (progress.so_far)().iter().for_each(write);
                }
                !stop.load(Ordering::Relaxed)
            };
            let played = machine.play(&setup.rules, setup.seed, game.clone(), &mut go_on);
            if played.position.is_none() {
                over[player].fetch_add(1, Ordering::Relaxed);
            }
            write(&played);
            let mut ended = ended.lock().expect("no worker panics while it holds the lock");
            ended.0.push(played);
        }
    };

    let begun = Instant::now();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            let players = lines.iter().zip(&over);
            let players =
                players.map(|(l, o)| (o.load(Ordering::Relaxed), l.load(Ordering::Relaxed))).collect();
            let decisions = decisions.load(Ordering::Relaxed);
            if watch(&Live { elapsed: begun.elapsed(), decisions, players }).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
            // Short enough not to be felt by short runs.
            thread::sleep(Duration::from_millis(if begun.elapsed().as_millis() < 200 { 2 } else { 50 }));
        }
    });
    let (played, _, error) = ended.into_inner().expect("no worker panics while it holds the lock");
    played.into_iter().for_each(|game| games.insert(game));
    error.map_or(Ok(()), |error| Err(error.into()))
}

/// What can end a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A player is unknown.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}
