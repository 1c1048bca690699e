//! Whatever plays a game of Tetris from its first piece to its last, and can be broken off.

use std::time::Instant;

use games::tetris::{Tetris, TetrisRules};
use games::{Game as _, Side, Turn};
use play::players::{Player, PlayerError, PlayerSpec};
use play::playout::GameDice;

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
    pub fn play(
        &mut self,
        rules: &TetrisRules,
        seed: u64,
        mut game: Game,
        go_on: &mut dyn FnMut(&Progress) -> bool,
    ) -> Game {
        let begun = Instant::now();
        let before = game.seconds;
        let seconds = || before + begun.elapsed().as_secs_f64();
        match self {
            TetrisRunner::Fast(player) => play_fast(player, rules, seed, &mut game, &seconds, go_on),
            TetrisRunner::General(player) => play_general(player, rules, seed, &mut game, go_on),
        }
        game.seconds = seconds();
        game
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
) {
    let mut tell = |lines, decisions| go_on(&Progress { lines, decisions, so_far: &|| None });
    let mut dice = GameDice::new(seed, game.game as u64);
    let mut position = Tetris::start(rules);
    (game.lines, game.decisions, game.seconds, game.position) = (0, 0, 0.0, None);
    let mut told = (0, Instant::now(), 0);
    loop {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => position.deal(&mut dice.deals),
            Turn::Player(_) => {
                let mv = player.choose(&position, &mut dice.players[Side::First.index()]);
                position.play_unchecked(mv);
                game.decisions += 1;
            }
        }
        // A slow player is asked by the clock, a quick one by the count.
        if game.decisions - told.0 >= STRIDE || told.1.elapsed().as_millis() > 100 {
            if !tell(position.lines() - told.2, game.decisions - told.0) {
                (game.lines, game.position) = (position.lines(), Some(position.text()));
                return;
            }
            told = (game.decisions, Instant::now(), position.lines());
        }
    }
    game.lines = position.lines();
    tell(position.lines() - told.2, game.decisions - told.0);
}
