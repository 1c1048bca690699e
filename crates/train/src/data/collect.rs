//! Games over threads, their positions in the order of the games.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use measure::arena::Openings;
use measure::pool::{self, Event, Stop};
use play::PlayedGame;

use super::game::{Found, Table};
use super::{LabelError, LabelSetup, Labelled};

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
pub struct LabelProgress {
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
/// A player is unknown or fails, no game is as long as the opening, or `sink` fails.
///
/// # Panics
/// If the game is not one for two players without chance, or the setup asks for no games, has not one or two players for games that are
/// to be played, or asks for a part of recorded ones.
pub fn make<G: PlayedGame>(
    setup: &LabelSetup<G>,
    threads: usize,
    sink: &mut dyn FnMut(&Labelled) -> io::Result<()>,
    watch: &mut dyn FnMut(&LabelProgress) -> ControlFlow<()>,
) -> Result<Made, LabelError> {
    assert!(G::SIDES.len() == 2 && !G::CHANCE, "{} is no game for two without chance", G::NAME);
    let players = if setup.recorded.is_empty() { 1..=2 } else { 0..=0 };
    assert!(setup.games > 0 && setup.every > 0 && players.contains(&setup.players.len()));
    assert!(setup.recorded.is_empty() || setup.games == setup.recorded.len(), "every recorded game");
    let begun = Instant::now();
    let mut draw_on =
        || watch(&LabelProgress { elapsed: begun.elapsed(), made: Made::default() }).is_continue();
    let Some(openings) = setup.openings(&mut draw_on)? else { return Ok(Made::default()) };
    let mut made = Made { openings: openings.iter().map(Openings::distinct).sum(), ..Made::default() };
    let mut seen = HashSet::new();
    let worker = || Table::new(setup, &openings);
    let job = |table: &mut Table<G>, number: usize, stop: &Stop| table.game(number, stop);
    pool::run_in_order(setup.games, threads, worker, job, |event| match event {
        Event::Done(_, game) => {
            for Found { labelled, canonical } in game {
                if canonical.is_some_and(|text| !seen.insert(text)) {
                    made.duplicates += 1;
                    continue;
                }
                sink(&labelled)?;
                made.positions += 1;
            }
            made.games += 1;
            Ok(ControlFlow::Continue(()))
        }
        Event::Tick(elapsed) => Ok(watch(&LabelProgress { elapsed, made })),
    })?;
    Ok(made)
}
