//! Who moves and why: players and their texts, searches and what they ask, exact solvers, what a player sees in each move, other programs
//! at our board and ours at theirs.
//!
//! The wall: this crate knows no match, no run and no page.
//!
//! A game has a room here, its `impl` of [`PlayedGame`]: what only this game has. Everything else is generic over the game.
//!
//! # A player from its text
//! ```
//! use games::othello::Othello;
//! use games::{Dice, Game};
//! use play::players::searching::searcher;
//! use play::players::spec::Spec;
//!
//! let rules = Default::default();
//! let position = Othello::start(&rules);
//! let spec = Spec::parse("alphabeta(depth=6)")?;
//! let mut search = searcher::<Othello>(&rules, &spec)?;
//! let found = search.search(&position, &spec.limits, &mut Dice::seeded(&[1]));
//! assert!(position.is_legal(found.best));
//! assert_eq!((found.depth, found.line[0]), (6, found.best)); // the principal variation begins with it
//! assert_eq!(format!("{:+} discs", found.value), "-2 discs"); // for the side to move, six plies ahead
//! # Ok::<(), play::players::PlayerError>(())
//! ```

pub mod analyze;
pub mod conformance;
pub mod evaluator;
pub mod files;
pub mod names;
pub mod numbers;
pub mod outlook;
pub mod patterns;
pub mod players;
pub mod playout;
pub mod protocol;
pub mod recorded;
pub mod rooms;
pub mod search;
pub mod shipped;
pub mod solo;
pub mod solve;
pub mod threads;
pub mod timed;

pub use rooms::{Games, Job, PlayedGame, Visitor, game_list, title, with_game};
