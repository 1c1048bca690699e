//! The rules of the games of evalforge: positions, moves, chance, ends, features, text forms, drawings.
//!
//! The wall: this crate knows nothing of learning, does no I/O, reads no clock and starts no thread.
//!
//! A game is one folder and one entry of [`Listed`]; everything else (commands, tests, lists) walks that list.
//!
//! # A game by text
//! ```
//! use games::othello::Othello;
//! use games::{Game, Side, Turn, perft};
//!
//! let start = Othello::start(&Default::default());
//! let mut position = start.clone();
//! for text in ["d3", "c3", "c4"] {
//!     let mv = position.parse_move(text)?;
//!     position.play(mv)?; // an illegal move is an error that names the rule
//! }
//! assert_eq!(position.turn(), Turn::Player(Side::Second));
//! assert_eq!(position.score(Side::First), 3.0); // five discs to two
//! assert_eq!(Othello::parse(&Default::default(), &position.text())?, position);
//! assert_eq!(perft(&start, 6), 8_200); // the published count
//! # Ok::<(), games::InputError>(())
//! ```

// So that examples and games name things alike from within and from without.
extern crate self as games;

pub mod conformance;
pub mod draw;
pub mod error;
pub mod features;
pub mod picture;
pub mod rules;

mod game;
mod perft;

pub mod avalam;
pub mod othello;
pub mod pushover;
pub mod tetris;

pub use error::InputError;
pub use features::FeatureSet;
pub use game::{Game, Outcome, Side, Turn};
pub use math::Dice;
pub use perft::{frontier, perft};
pub use rules::Rules;

/// The one list of games, as a type, so that whoever walks it knows each game by its own: see [`GameList`].
pub type Listed = (tetris::Tetris, (othello::Othello, (pushover::Pushover, (avalam::Avalam, ()))));

/// A list of games: `()`, or a game before a list. A game of another crate is put before ours as `(Mine, Listed)`.
pub trait GameList: 'static {
    /// Visits every game, in the order of the list.
    fn visit(visitor: &mut impl Visitor);
}

impl GameList for () {
    fn visit(_visitor: &mut impl Visitor) {}
}

impl<G: Game, Rest: GameList> GameList for (G, Rest) {
    fn visit(visitor: &mut impl Visitor) {
        visitor.game::<G>();
        Rest::visit(visitor);
    }
}

/// Visits every game of the list.
pub fn visit_games(visitor: &mut impl Visitor) {
    Listed::visit(visitor);
}

/// Something to do with every game.
pub trait Visitor {
    /// Called once for each game, in the order of the list.
    fn game<G: Game>(&mut self);
}

/// A game in the list, without its type.
#[derive(Debug, Clone, Copy)]
pub struct GameInfo {
    /// [`Game::NAME`].
    pub name: &'static str,
    /// [`Game::SUMMARY`].
    pub summary: &'static str,
    /// [`Game::SIDES`].
    pub sides: &'static [&'static str],
    /// [`Game::CHANCE`].
    pub chance: bool,
    /// The options of its rules.
    pub options: &'static [rules::OptionInfo],
    /// The value of an option unless it is set.
    pub default_value: fn(&str) -> String,
}

impl GameInfo {
    /// Whether two sides play without chance, as searches need it.
    pub fn is_searchable(&self) -> bool {
        self.sides.len() == 2 && !self.chance
    }

    /// What there is to say of a game.
    pub fn of<G: Game>() -> Self {
        Self {
            name: G::NAME,
            summary: G::SUMMARY,
            sides: G::SIDES,
            chance: G::CHANCE,
            options: <G::Rules as Rules>::OPTIONS,
            default_value: |option| G::Rules::default().get(option),
        }
    }
}
