//! Games over threads, their positions in the order of the games.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use measure::arena::Openings;
use play::PlayedGame;

use super::game::{Found, Table};
use super::{LabelError, Labelled, Setup};

/// What was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Made {
    /// Games whose positions are all there, the first ones of the run.
    pub games: usize,
    /// Positions that were handed on.
    pub positions: u64,
    /// Positions that were left out because an equal one was there before.
    pub duplicates: u64,
    /// Different openings; where there are fewer than games ask for, they come again, and so do games of players that draw
    /// no lots.
    pub openings: usize,
}

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Live {
    /// Time since the run began.
    pub elapsed: Duration,
    /// What there is so far.
    pub made: Made,
}

/// Plays the games of a setup and hands every labelled position to `sink`, game by game in order. `watch` is called several
/// times a second and may break the run off: what was handed on until then are whole games, the same as those of a whole
/// run.
///
/// # Errors
/// A player is unknown or breaks a rule, no game is as long as the opening, or `sink` fails.
///
/// # Panics
/// If the game is not one for two players without chance, or the setup asks for no games, has not one or two players for games that are
/// to be played, or asks for a part of recorded ones.
pub fn make<G: PlayedGame>(
    setup: &Setup<G>,
    threads: usize,
    sink: &mut dyn FnMut(&Labelled) -> io::Result<()>,
    watch: &mut dyn FnMut(&Live) -> ControlFlow<()>,
) -> Result<Made, LabelError> {
    assert!(G::SIDES.len() == 2 && !G::CHANCE, "{} is no game for two without chance", G::NAME);
    let players = if setup.recorded.is_empty() { 1..=2 } else { 0..=0 };
    assert!(setup.games > 0 && setup.every > 0 && players.contains(&setup.players.len()));
    assert!(setup.recorded.is_empty() || setup.games == setup.recorded.len(), "every recorded game");
    let openings = setup.openings()?;
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let go_on = || !stop.load(Ordering::Relaxed);
    // Bounded, so that a slow disk holds up the games and memory does not fill.
    let (sender, receiver) = sync_channel(64);

    let worker = |sender: std::sync::mpsc::SyncSender<_>| {
        let mut table = match Table::new(setup, &openings) {
            Ok(table) => table,
            // The receiver is gone only if the run has ended with another error.
            Err(error) => return drop(sender.send((0, Err(error)))),
        };
        while go_on() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= setup.games {
                break;
            }
            let played = table.game(number, &go_on).transpose();
            let Some(played) = played else { break };
            if sender.send((number, played)).is_err() {
                break;
            }
        }
    };

    let begun = Instant::now();
    let mut order = Order {
        made: Made { openings: openings.iter().map(Openings::distinct).sum(), ..Made::default() },
        waiting: BTreeMap::new(),
        seen: HashSet::new(),
    };
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, setup.games) {
            let (worker, sender) = (&worker, sender.clone());
            scope.spawn(move || worker(sender));
        }
        drop(sender);
        let mut told = None::<Instant>;
        let mut collect = || {
            loop {
                match receiver.recv_timeout(Duration::from_millis(50)) {
                    Ok((number, played)) => order.insert(number, played?, sink)?,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                if told.is_none_or(|told| told.elapsed() > Duration::from_millis(50)) {
                    told = Some(Instant::now());
                    if watch(&Live { elapsed: begun.elapsed(), made: order.made }).is_break() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            }
        };
        let collected = collect();
        stop.store(true, Ordering::Relaxed);
        // A worker that waits to send would wait for ever.
        drop(receiver);
        collected
    })
    .map(|()| order.made)
}

/// Games that end in any order, handed on in theirs.
struct Order {
    made: Made,
    waiting: BTreeMap<usize, Vec<Found>>,
    seen: HashSet<String>,
}

impl Order {
    fn insert(
        &mut self,
        number: usize,
        game: Vec<Found>,
        sink: &mut dyn FnMut(&Labelled) -> io::Result<()>,
    ) -> Result<(), LabelError> {
        self.waiting.insert(number, game);
        while let Some(game) = self.waiting.remove(&self.made.games) {
            for Found { labelled, canonical } in game {
                if canonical.is_some_and(|text| !self.seen.insert(text)) {
                    self.made.duplicates += 1;
                    continue;
                }
                sink(&labelled)?;
                self.made.positions += 1;
            }
            self.made.games += 1;
        }
        Ok(())
    }
}
