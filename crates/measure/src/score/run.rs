//! Many games over threads, with a live view.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use play::PlayedGame;
use play::players::{PlayerError, PlayerFailure};
use play::playout::GameDice;
use play::solo::SoloPlayer;

use super::{Game, Games, ScoreSetup};
use crate::journal::{Journal, JournalError};
use crate::pool::{self, Event, Halt, Stop};

/// How things stand.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreProgress {
    /// Time since the run began.
    pub elapsed: Duration,
    /// Decisions made in this run.
    pub decisions: u64,
    /// Decisions of all games, those of earlier runs too.
    pub all_decisions: u64,
    /// For each player: games over, and the sum of scores so far with those of unfinished games.
    pub players: Vec<(usize, f64)>,
}

/// What has been played, while it is.
struct Tally {
    decisions: u64,
    scores: Vec<f64>,
}

/// Plays all games that are not over yet and puts them into `games`, in the order of their numbers. `watch` is called
/// several times a second and may break the run off: games under way are then kept as far as they have come. Every game
/// that ends goes into the journal at once, and a long one now and then on its way.
///
/// # Errors
/// A player is unknown or fails, the game is not for one, or the journal cannot be written.
pub fn run<G: PlayedGame>(
    setup: &ScoreSetup<G>,
    threads: usize,
    games: &mut Games,
    journal: Option<&mut Journal>,
    watch: &mut dyn FnMut(&ScoreProgress) -> ControlFlow<()>,
) -> Result<(), RunError> {
    setup.check()?;
    let specs = setup.specs()?;
    let players = 0..setup.players.len();
    // What was known before; the list of all that is asked for may not fit into memory.
    let earlier = games.clone();
    let known = players.clone().flat_map(|player| games.finished(player).chain(games.broken_off(player)));
    let before: u64 = known.map(|game| game.decisions).sum();
    let scores = players.clone().map(|player| games.finished(player).map(|game| game.score).sum()).collect();
    let tally = Mutex::new(Tally { decisions: 0, scores });
    let mut over: Vec<usize> = players.map(|player| games.finished(player).count()).collect();
    let save_every = journal.as_ref().map(|journal| journal.save_every);
    let journal = Mutex::new(journal);
    let write = |game: &Game| {
        let mut journal = journal.lock().expect("no thread panics while it holds the lock");
        journal.as_mut().map_or(Ok(()), |journal| journal.append(game))
    };
    let worker = || Ok(setup.players.iter().map(|_| None).collect());
    let job = |machines: &mut Vec<Option<Box<dyn SoloPlayer<G>>>>, number: usize, stop: &Stop| {
        let (game, player) = (number / setup.players.len(), number % setup.players.len());
        let game = match earlier.get(player, game) {
            Some(done) if done.position.is_none() => return Err(Halt::Stopped),
            Some(broken_off) => broken_off.clone(),
            None => Game { player, game, score: 0.0, decisions: 0, seconds: 0.0, position: None },
        };
        let machine = machines[player]
            .get_or_insert_with(|| G::solo(&setup.rules, &specs[player]).expect("checked before the run"));
        let mut saved = Instant::now();
        let mut go_on = |score: f64, decisions: u64, so_far: &dyn Fn() -> Option<Game>| {
            let mut tally = tally.lock().expect("no thread panics while it holds the lock");
            tally.scores[player] += score;
            tally.decisions += decisions;
            drop(tally);
            if save_every.is_some_and(|every| saved.elapsed() >= every) {
                saved = Instant::now();
                so_far().iter().try_for_each(write)?;
            }
            Ok(stop.go_on())
        };
        play(&mut **machine, setup, game, &mut go_on).map_err(Halt::Failed)
    };
    pool::run(setup.games * setup.players.len(), threads, worker, job, |event| match event {
        Event::Done(_, game) => {
            write(&game)?;
            over[game.player] += usize::from(game.position.is_none());
            games.insert(game);
            Ok(ControlFlow::Continue(()))
        }
        Event::Tick(elapsed) => {
            let tally = tally.lock().expect("no thread panics while it holds the lock");
            let players = over.iter().copied().zip(tally.scores.iter().copied()).collect();
            let (decisions, all_decisions) = (tally.decisions, before + tally.decisions);
            drop(tally);
            Ok(watch(&ScoreProgress { elapsed, decisions, all_decisions, players }))
        }
    })
}

/// Hears of the score and the decisions since it heard last, and may ask for the game as far as it has come, if it can be taken up from
/// there; says whether to go on.
type GoOn<'a> = dyn FnMut(f64, u64, &dyn Fn() -> Option<Game>) -> Result<bool, RunError> + 'a;

/// Plays a game, from where it was broken off if it was and its player allows it.
fn play<G: PlayedGame>(
    player: &mut dyn SoloPlayer<G>,
    setup: &ScoreSetup<G>,
    mut game: Game,
    go_on: &mut GoOn,
) -> Result<Game, RunError> {
    let begun = Instant::now();
    let dice = || GameDice::new(setup.seed, game.game as u64);
    let kept = game.position.take().filter(|_| player.can_take_up());
    match kept.and_then(|text| G::parse(&setup.rules, &text).ok()) {
        Some(position) => {
            player.set(&position, dice());
            player.skip(game.decisions);
            go_on(game.score, 0, &|| None)?;
        }
        None => {
            player.set(&G::start(&setup.rules), dice());
            (game.score, game.decisions, game.seconds) = (player.score(), 0, 0.0);
        }
    }
    let before = game.seconds;
    while !player.is_over() {
        let made = player.run(player.stride())?;
        let more = player.score() - game.score;
        (game.score, game.decisions) = (player.score(), game.decisions + made);
        game.seconds = before + begun.elapsed().as_secs_f64();
        let stands = || Game { position: Some(player.position().text()), ..game.clone() };
        let so_far = || (player.can_take_up() && !player.is_over()).then(stands);
        if !go_on(more, made, &so_far)? && !player.is_over() {
            return Ok(stands());
        }
    }
    Ok(game)
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
