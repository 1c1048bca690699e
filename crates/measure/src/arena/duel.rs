//! Pairs of games over threads: each opening twice with sides exchanged.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use games::error::shown;
use games::{Dice, Side};
use play::PlayedGame;
use play::players::{Player, PlayerError};
use play::solve::Judge;
use thiserror::Error;

use super::adjudication::Referee;
use super::game::{Reason, Terms, Winner, play};
use super::supervised::SupervisedPlayer;
use super::{DuelSetup, Job, PlayedPair, Results};
use crate::journal::{Journal, JournalError};
use crate::pool::{self, Event, Halt, Stop};

/// How much longer than its own limit, twice, a player may take before it has stalled. A busy machine must not decide games.
pub const GRACE: Duration = Duration::from_secs(1);

/// Makes the player with this place in the list.
pub type Maker<'a, G> = dyn Fn(usize) -> Result<Box<dyn Player<G>>, PlayerError> + Sync + 'a;

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DuelProgress {
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
    /// A player is a program that we do not understand, or that does not understand us: games that are lost by it say nothing.
    #[error("player {} is not understood, {}: {said}; the match is given up", shown(.player), in_row(*.games))]
    Misunderstood {
        /// The player's text.
        player: String,
        /// Games in a row.
        games: usize,
        /// What it said last.
        said: String,
    },
}

fn in_row(games: usize) -> String {
    if games == 1 { "in its only game".into() } else { format!("{games} games in a row") }
}

/// So many games in a row that are lost by a misunderstanding end a match; fewer, if it has no others.
const MOST_MISUNDERSTOOD: usize = 3;

/// The misunderstandings of each player, and the pairs that are not kept until it is clear that they are no more than slips.
struct Misunderstandings {
    in_row: Vec<usize>,
    waiting: Vec<PlayedPair>,
}

impl Misunderstandings {
    fn new(players: usize) -> Self {
        Self { in_row: vec![0; players], waiting: Vec::new() }
    }

    /// Hears of a pair, and keeps it if it can be kept now, or says which player is not understood.
    fn hear(
        &mut self,
        pair: &PlayedPair,
        players: &[String],
        keep: &mut dyn FnMut(&PlayedPair) -> Result<(), JournalError>,
    ) -> Result<(), ArenaError> {
        for (game, seats) in pair.games.iter().zip([[pair.first, pair.second], [pair.second, pair.first]]) {
            for (side, player) in Side::BOTH.into_iter().zip(seats) {
                let Reason::Misunderstood(said) = &game.reason else {
                    self.in_row[player] = 0;
                    continue;
                };
                if game.winner == Winner::side(side) {
                    continue;
                }
                self.in_row[player] += 1;
                if self.in_row[player] >= MOST_MISUNDERSTOOD {
                    return Err(failed(players, player, self.in_row[player], said));
                }
            }
        }
        if self.in_row.iter().any(|&games| games > 0) {
            self.waiting.push(pair.clone());
            return Ok(());
        }
        self.waiting.drain(..).try_for_each(|pair| keep(&pair))?;
        Ok(keep(pair)?)
    }

    /// All is played: what is left can be kept, unless a player has no other games.
    fn end(self, players: &[String], results: &Results) -> Result<Vec<PlayedPair>, ArenaError> {
        for (player, &games) in self.in_row.iter().enumerate().filter(|(_, games)| **games > 0) {
            let own = results.all().filter(|pair| [pair.first, pair.second].contains(&player));
            let last = self.waiting.iter().flat_map(|pair| &pair.games).rev();
            let mut said = last.filter_map(|game| match &game.reason {
                Reason::Misunderstood(said) => Some(said),
                _ => None,
            });
            if 2 * own.count() == games
                && let Some(said) = said.next()
            {
                return Err(failed(players, player, games, said));
            }
        }
        Ok(self.waiting)
    }
}

fn failed(players: &[String], player: usize, games: usize, said: &str) -> ArenaError {
    ArenaError::Misunderstood { player: players[player].clone(), games, said: said.to_string() }
}

/// Plays all pairs that are missing. Every pair goes into the journal as it ends, one with a misunderstanding as soon as the player is
/// understood again. `watch` is called several times a second and may break the run off: pairs under way are then dropped.
///
/// # Errors
/// A player is unknown or is not understood game after game, or the journal cannot be written.
///
/// # Panics
/// If the game is not one for two players without chance.
pub fn run<G: PlayedGame>(
    setup: &DuelSetup<G>,
    maker: &Maker<G>,
    threads: usize,
    results: &mut Results,
    journal: Option<&mut Journal>,
    watch: &mut dyn FnMut(&DuelProgress, &Results) -> ControlFlow<()>,
) -> Result<(), ArenaError> {
    assert!(G::SIDES.len() == 2 && !G::CHANCE, "{} is no game for two without chance", G::NAME);
    for player in 0..setup.players.len() {
        maker(player)?;
    }
    let mut work = results.missing();
    let results = Mutex::new(results);
    let lock = || results.lock().expect("no thread panics while it holds the lock");
    let grace = GRACE + Duration::from_secs_f64(setup.time_margin);
    let worker = || {
        let seat = |player| SupervisedPlayer::new(Box::new(move || maker(player)), grace);
        let judge = match setup.adjudication.solved {
            true => Judge::new(&setup.rules, &|_| ControlFlow::Continue(()))?,
            false => None,
        };
        let referee = Referee::new(setup.adjudication, judge);
        Ok(((0..setup.players.len()).map(seat).collect(), referee))
    };
    let (mut journal, mut pairs) = (journal, 0);
    let mut misunderstandings = Misunderstandings::new(setup.players.len());
    let mut keep = |pair: &PlayedPair| match &mut journal {
        Some(journal) => journal.append(pair),
        None => Ok(()),
    };
    let mut before = Duration::ZERO;
    // Of a Swiss tournament a round at a time: who meets whom is known when the round before it is played.
    while !work.is_empty() {
        let job =
            |(seats, referee): &mut (Vec<SupervisedPlayer<G>>, Referee<G>), number: usize, stop: &Stop| {
                // A test may have ended this meeting.
                if !lock().is_missing(work[number]) {
                    return Err(Halt::Stopped);
                }
                seats.iter_mut().for_each(|seat| seat.stop_by(&stop.flag()));
                play_pair(setup, work[number], seats, referee, &|| stop.go_on()).ok_or(Halt::Stopped)
            };
        let mut round = Duration::ZERO;
        pool::run::<_, _, ArenaError>(work.len(), threads, worker, job, |event| match event {
            Event::Done(_, pair) => {
                pairs += 1;
                let mut results = lock();
                misunderstandings.hear(&pair, &setup.players, &mut keep)?;
                results.insert(pair);
                // When tests have decided, what the others have under way would not count.
                Ok(if results.complete() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            }
            Event::Tick(elapsed) => {
                round = elapsed;
                Ok(watch(&DuelProgress { elapsed: before + elapsed, pairs }, &lock()))
            }
        })?;
        before += round;
        let was_broken_off = work.iter().any(|&job| lock().is_missing(job));
        work = if was_broken_off { Vec::new() } else { lock().missing() };
    }
    if lock().complete() {
        misunderstandings.end(&setup.players, &lock())?.iter().try_for_each(&mut keep)?;
    }
    Ok(())
}

/// Plays the two games of a pair; None if told to stop. The lots of a player depend on the pair, the game and the seat,
/// not on what else is played.
fn play_pair<G: PlayedGame>(
    setup: &DuelSetup<G>,
    job: Job,
    seats: &mut [SupervisedPlayer<G>],
    referee: &mut Referee<G>,
    go_on: &dyn Fn() -> bool,
) -> Option<PlayedPair> {
    let Job { first, second, pair } = job;
    let opening = setup.openings.get(pair);
    let DuelSetup { most_moves, game_time, increment, time_margin, .. } = *setup;
    let terms = Terms { most_moves, game_time, increment, time_margin };
    let mut game = |number: u64, sides: [usize; 2]| {
        let words = |side: u64| [setup.seed, first as u64, second as u64, pair as u64, number, side];
        let mut dice = [Dice::seeded(&words(0)), Dice::seeded(&words(1))];
        let [a, b] = seats.get_disjoint_mut(sides).expect("two different players");
        [&mut *a, &mut *b].into_iter().for_each(|seat| seat.opening(setup.openings.way(pair)));
        play(opening, [a, b], &mut dice, &terms, referee, go_on)
    };
    let games = [game(0, [first, second])?, game(1, [second, first])?];
    Some(PlayedPair { first, second, pair, opening: opening.text(), games })
}
