//! Rules of the games of evalforge: positions, moves, chance, text forms, drawings. This crate knows nothing of
//! learning, does no I/O, reads no clock and starts no thread.
//!
//! A game is one folder and one line in [`visit_games`]; everything else (commands, tests, lists) walks that list.

// So that examples and games name things alike from within and from without.
extern crate self as games;

/// The worked example of ARCHITECTURE.md is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../ARCHITECTURE.md")]
mod architecture {}

pub mod draw;
pub mod error;
pub mod features;
pub mod rules;

mod dice;
mod game;
mod perft;

pub mod avalam;
pub mod othello;
pub mod pushover;
pub mod tetris;

pub use dice::Dice;
pub use error::InputError;
pub use features::FeatureSet;
pub use game::{Game, Outcome, Side, Turn};
pub use perft::{frontier, perft};
pub use rules::Rules;

/// The one list of games.
pub fn visit_games<V: Visitor>(visitor: &mut V) {
    visitor.game::<tetris::Tetris>();
    visitor.game::<othello::Othello>();
    visitor.game::<pushover::Pushover>();
    visitor.game::<avalam::Avalam>();
}

/// Something to do with every game.
pub trait Visitor {
    /// Called once for each game, in the order of the list.
    fn game<G: Game>(&mut self);
}

/// Something to do with one game, known by its name only at run time: the place where its type is erased.
pub trait Job {
    /// What comes out.
    type Output;
    /// Does it.
    fn run<G: Game>(self) -> Self::Output;
}

/// Runs the job with the game of this name; `None` if there is no such game.
pub fn with_game<J: Job>(name: &str, job: J) -> Option<J::Output> {
    struct ByName<'a, J: Job> {
        name: &'a str,
        job: Option<J>,
        output: Option<J::Output>,
    }
    impl<J: Job> Visitor for ByName<'_, J> {
        fn game<G: Game>(&mut self) {
            if G::NAME == self.name
                && let Some(job) = self.job.take()
            {
                self.output = Some(job.run::<G>());
            }
        }
    }
    let mut visitor = ByName { name, job: Some(job), output: None };
    visit_games(&mut visitor);
    visitor.output
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
    /// The options of its rules.
    pub options: &'static [rules::OptionInfo],
    /// The value of an option unless it is set.
    pub default_value: fn(&str) -> String,
}

/// What games there are.
pub fn game_list() -> Vec<GameInfo> {
    struct Collect(Vec<GameInfo>);
    impl Visitor for Collect {
        fn game<G: Game>(&mut self) {
            self.0.push(GameInfo {
                name: G::NAME,
                summary: G::SUMMARY,
                sides: G::SIDES,
                options: <G::Rules as Rules>::OPTIONS,
                default_value: |option| G::Rules::default().get(option),
            });
        }
    }
    let mut visitor = Collect(Vec::new());
    visit_games(&mut visitor);
    visitor.0
}
