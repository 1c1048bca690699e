//! Whatever plays a game of Tetris from its first piece to its last, and can be broken off.

use std::ops::ControlFlow;
use std::time::Instant;

use games::tetris::{Tetris, TetrisRules};
use games::{Game as _, Turn};
use play::players::{Player, PlayerError, PlayerFailure, PlayerSpec};
use play::playout::{GameDice, play_observed};

use super::Game;
use super::fast::{FastPlayer, PieceQueue};

/// A player ready to play.
pub enum TetrisRunner {
    /// A linear function on the fast board.
    Fast(Box<FastPlayer>),
    /// Any other.
    General(Box<dyn Player<Tetris>>),
}

/// Decisions between two looks at whether to go on.
const STRIDE: u64 = 1 << 14;

impl TetrisRunner {
    /// The player that a text names, in the fastest way there is.
    ///
    /// # Errors
    /// There is no such player.
    pub fn new(rules: &TetrisRules, player: &str) -> Result<Self, PlayerError> {
        let seat = PlayerSpec::<Tetris>::parse(rules, player)?;
        let fast = match &seat {
            PlayerSpec::Model(evaluator) => FastPlayer::new(rules, evaluator, false),
            PlayerSpec::Lookahead(evaluator) => FastPlayer::new(rules, evaluator, true),
            _ => None,
        };
        Ok(match fast {
            Some(player) => TetrisRunner::Fast(Box::new(player)),
            None => TetrisRunner::General(seat.player()?),
        })
    }

    /// Whether it is played on the fast board.
    pub fn is_fast(&self) -> bool {
        matches!(self, TetrisRunner::Fast(_))
    }

    /// Plays a game, from where it was broken off if it was. `go_on` is told now and then how it goes, and may break the game
    /// off.
    ///
    /// # Errors
    /// The player has no move to give.
    pub fn play(
        &mut self,
        rules: &TetrisRules,
        seed: u64,
        mut game: Game,
        go_on: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Game, PlayerFailure> {
        let begun = Instant::now();
        let before = game.seconds;
        let seconds = || before + begun.elapsed().as_secs_f64();
        match self {
            TetrisRunner::Fast(player) => play_fast(player, rules, seed, &mut game, &seconds, go_on),
            TetrisRunner::General(player) => play_general(player, rules, seed, &mut game, go_on)?,
        }
        game.seconds = seconds();
        Ok(game)
    }
}

/// How a game goes.
pub struct Progress<'a> {
    /// Rows removed since this was told last.
    pub lines: u64,
    /// Pieces placed since then.
    pub decisions: u64,
    /// The game as far as it has come, if it can be taken up from there.
    pub so_far: &'a dyn Fn() -> Option<Game>,
}

/// A loop apart from that of `play::playout`: the board is the one in vector lanes, and the stride between two looks keeps it fast.
fn play_fast(
    machine: &mut FastPlayer,
    rules: &TetrisRules,
    seed: u64,
    game: &mut Game,
    seconds: &dyn Fn() -> f64,
    go_on: &mut dyn FnMut(&Progress) -> bool,
) {
    let mut hand = PieceQueue::new(rules, GameDice::new(seed, game.game as u64).deals);
    let resumed = game.position.take().and_then(|text| Tetris::parse(rules, &text).ok());
    match resumed {
        Some(position) => {
            machine.player.set(&position);
            // The stream is found again by counting.
            (0..game.decisions).for_each(|_| {
                hand.take();
            });
        }
        None => {
            machine.player.set(&Tetris::start(rules));
            (game.lines, game.decisions, game.seconds) = (0, 0, 0.0);
        }
    }
    while !machine.player.lost() {
        let (lines, decisions) = (machine.player.lines(), game.decisions);
        for _ in 0..machine.stride() {
            game.decisions += u64::from(machine.place(&mut hand));
            if machine.player.lost() {
                break;
            }
        }
        let player = &machine.player;
        game.lines = player.lines();
        let position = || (!player.lost()).then(|| player.position(hand.deck()).text());
        let so_far =
            || position().map(|text| Game { position: Some(text), seconds: seconds(), ..game.clone() });
        let (lines, decisions) = (game.lines - lines, game.decisions - decisions);
        if !go_on(&Progress { lines, decisions, so_far: &so_far }) && !player.lost() {
            game.position = position();
            return;
        }
    }
}

/// A game that was broken off begins again: its player may have drawn lots of its own.
fn play_general(
    player: &mut Box<dyn Player<Tetris>>,
    rules: &TetrisRules,
    seed: u64,
    game: &mut Game,
    go_on: &mut dyn FnMut(&Progress) -> bool,
) -> Result<(), PlayerFailure> {
    let mut tell = |lines, decisions| go_on(&Progress { lines, decisions, so_far: &|| None });
    (game.lines, game.decisions, game.seconds, game.position) = (0, 0, 0.0, None);
    let (mut told, mut decisions, mut broken_off) = ((0, Instant::now(), 0), 0, false);
    let mut observe = |_, _, position: &Tetris| {
        decisions += 1;
        // A slow player is asked by the clock, a quick one by the count.
        if decisions - told.0 >= STRIDE || told.1.elapsed().as_millis() > 100 {
            broken_off = !tell(position.lines() - told.2, decisions - told.0);
            told = (decisions, Instant::now(), position.lines());
        }
        if broken_off { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut dice = GameDice::new(seed, game.game as u64);
    let players = std::slice::from_mut(player);
    let record = play_observed(&Tetris::start(rules), players, &mut dice, u64::MAX, &mut observe)?;
    (game.lines, game.decisions) = (record.end.lines(), record.moves);
    if broken_off && record.end.turn() != Turn::Over {
        game.position = Some(record.end.text());
    }
    tell(game.lines - told.2, game.decisions - told.0);
    Ok(())
}
