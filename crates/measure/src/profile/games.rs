//! The games, over threads.

use std::ops::ControlFlow;
use std::time::Duration;

use games::{Dice, Side, Turn};
use play::PlayedGame;
use play::players::PlayerError;
use play::players::searching::searcher;
use play::players::spec::{Kind, Spec};
use play::search::evaluation::is_decided;
use play::search::{DepthTime, Limits, Searcher};
use thiserror::Error;

use crate::arena::{MOST_MOVES, OpeningError, Openings};
use crate::pool::{self, Event, Halt, Stop};

/// Keeps the lots of openings apart from all other streams of the same seed.
const STREAM: u64 = 0x7072_6f66;

/// What is to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileSetup<G: PlayedGame> {
    /// The game.
    pub rules: G::Rules,
    /// Who plays both sides; alpha-beta.
    pub player: Spec,
    /// Games.
    pub games: usize,
    /// Games begin after 0, 1, ... up to this many random plies, so that they differ and every step is met.
    pub opening_plies: usize,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

/// One search of one game.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The step (moves of both sides, from 1).
    pub step: u32,
    /// Who was to move.
    pub side: Side,
    /// Legal moves.
    pub moves: usize,
    /// What each depth took.
    pub depths: Vec<DepthTime>,
    /// Plies that were searched in full.
    pub depth: u32,
    /// Seconds of the whole search.
    pub seconds: f64,
    /// Seconds of a game time that were left before it.
    pub left: Option<f64>,
    /// Whether it is known who wins.
    pub settled: bool,
}

/// Why there is nothing to measure.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// The player is at fault.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// No game is as long as the opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// It does not deepen, or not as far as its limits let it.
    #[error("player {0} cannot be measured: {1}")]
    Search(String, &'static str),
}

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProfileProgress {
    /// Time since the run began.
    pub elapsed: Duration,
    /// Games that are over.
    pub games: usize,
}

impl<G: PlayedGame> ProfileSetup<G> {
    /// Says what is wrong with it.
    fn check(&self) -> Result<(), ProfileError> {
        let wrong = |reason| Err(ProfileError::Search(self.player.to_string(), reason));
        if !matches!(self.player.kind, Kind::AlphaBeta { .. }) {
            return wrong("only alphabeta(...) goes from depth to depth");
        }
        searcher::<G>(&self.rules, &self.player)?;
        Openings::<G>::random(&self.rules, self.opening_plies, 1, self.seed)?;
        Ok(())
    }

    /// Plays a game; `None` if told to stop. A loop apart from that of `play::playout`: it is searches that are asked, and asked what
    /// each depth has taken.
    fn game(
        &self,
        number: usize,
        searches: &mut [Box<dyn Searcher<G>>; 2],
        stop: &Stop,
    ) -> Option<Vec<Sample>> {
        let mut dice = Dice::seeded(&[self.seed, STREAM, number as u64]);
        let mut position = G::start(&self.rules);
        let mut moves = Vec::new();
        for _ in 0..number % (self.opening_plies + 1) {
            if let Some(mv) = position.random_move(&mut dice, &mut moves) {
                position.play_unchecked(mv);
            }
        }
        let mut left = [self.player.limits.game_time; 2];
        searches.iter_mut().for_each(|search| {
            search.new_game();
            search.stop_by(stop.flag());
        });
        let mut samples = Vec::new();
        while let Turn::Player(side) = position.turn() {
            if samples.len() >= MOST_MOVES {
                break;
            }
            position.legal_moves(&mut moves);
            let (search, left) = (&mut searches[side.index()], &mut left[side.index()]);
            if left.is_none() {
                // What is known from the move before would make depths look short, and the one after them long.
                search.new_game();
            }
            let limits = Limits { game_time: *left, ..self.player.limits };
            let found = search.search(&position, &limits, &mut dice);
            if !stop.go_on() {
                return None;
            }
            samples.push(Sample {
                step: position.step(),
                side,
                moves: moves.len(),
                depths: search.depths().to_vec(),
                depth: found.depth,
                seconds: found.seconds,
                left: *left,
                settled: found.exact || is_decided(found.value),
            });
            *left = left.map(|left| (left - found.seconds).max(0.0));
            position.play_unchecked(found.best);
        }
        Some(samples)
    }
}

/// Plays the games and gives what each of them showed, in their order; told to stop by `watch`, the first ones that are
/// over. `watch` is called several times a second.
///
/// # Errors
/// The player cannot be measured, or no game is as long as the opening.
pub fn run<G: PlayedGame>(
    setup: &ProfileSetup<G>,
    threads: usize,
    watch: &mut dyn FnMut(&ProfileProgress) -> ControlFlow<()>,
) -> Result<Vec<Vec<Sample>>, ProfileError> {
    setup.check()?;
    let mut played = Vec::new();
    let searches = || searcher::<G>(&setup.rules, &setup.player);
    let worker = || Ok::<_, ProfileError>([searches()?, searches()?]);
    let job = |searches: &mut _, number: usize, stop: &Stop| {
        setup.game(number, searches, stop).ok_or(Halt::Stopped)
    };
    // In their order and up to the first gap: which games are slow must not choose among them.
    pool::run_in_order(setup.games, threads, worker, job, |event| match event {
        Event::Done(_, samples) => {
            played.push(samples);
            Ok(ControlFlow::Continue(()))
        }
        Event::Tick(elapsed) => Ok(watch(&ProfileProgress { elapsed, games: played.len() })),
    })?;
    Ok(played)
}
