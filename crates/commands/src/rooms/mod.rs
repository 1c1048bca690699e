//! A room a game at the command line: what a command does for one game only, with the arguments that only this game has. One folder a
//! game; everything else in this crate is generic over the game.

mod othello;
pub mod outputs;
mod pushover;
mod tetris;

use clap::{Args, Command};
use games::avalam::Avalam;
use play::PlayedGame;

use crate::arguments::Given;

/// A game as the command line knows it. Everything has a default: a new game writes `impl CliGame for Sticks {}`.
pub trait CliGame: PlayedGame {
    /// `evalforge solve`, if the game can be solved.
    const SOLVE: Option<Own> = None;

    /// `evalforge fit tables`, if an evaluation can be fitted to recorded games of this one.
    const REGRESS: Option<Own> = None;

    /// Other methods of `evalforge score` than games and splitting; their names are those of the part.
    const ESTIMATE: Option<Own> = None;

    /// `evalforge play` by single keys, which has an argument `by`: keys or names.
    const PLAY: Option<Own> = None;

    /// `evalforge analyze --why` with more than a position and a player.
    const EXPLAIN: Option<Own> = None;
}

impl CliGame for Avalam {}

/// The part of a command that only one game has.
#[derive(Clone, Copy)]
pub struct Own {
    /// For the long help of the command; may be empty.
    pub long: &'static str,
    /// Names for what it does, if there is something to choose.
    pub names: &'static [&'static str],
    /// Describes its arguments.
    pub describe: fn(Command) -> Command,
    /// Does it.
    pub run: fn(&Given) -> anyhow::Result<()>,
}

impl Own {
    /// The part that these arguments stand for.
    pub const fn of<C: OwnCommand>() -> Self {
        let run = |given: &Given| given.also::<C>()?.run(given);
        Self { long: C::LONG, names: C::NAMES, describe: C::augment_args, run }
    }
}

/// The arguments of a command that only one game has.
pub trait OwnCommand: Args {
    /// For the long help of the command.
    const LONG: &'static str = "";

    /// Names for what it does, if there is something to choose, as methods of `score`.
    const NAMES: &'static [&'static str] = &[];

    /// Does it.
    ///
    /// # Errors
    /// As the command tells them.
    fn run(self, given: &Given) -> anyhow::Result<()>;
}

/// A list of games for the command line: [`games::Listed`], or a game of another crate before it, `(Mine, games::Listed)`.
pub trait CliGames: play::Games {
    /// Visits every game, in the order of the list.
    fn visit_rooms(visitor: &mut impl RoomVisitor);
}

impl CliGames for () {
    fn visit_rooms(_visitor: &mut impl RoomVisitor) {}
}

impl<G: CliGame, Rest: CliGames> CliGames for (G, Rest) {
    fn visit_rooms(visitor: &mut impl RoomVisitor) {
        visitor.game::<G>();
        Rest::visit_rooms(visitor);
    }
}

/// Something to do with every game.
pub trait RoomVisitor {
    /// Called once for each game, in the order of the list.
    fn game<G: CliGame>(&mut self);
}
