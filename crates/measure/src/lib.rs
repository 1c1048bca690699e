//! What a player is worth: games between players, scores, means of games too long to play, leaf counts, speeds.
//!
//! The wall: this crate knows no learner. A result is a function of players, rules and seed, not of the number of threads.
//!
//! # The score of a player of Tetris
//! ```
//! use std::ops::ControlFlow;
//!
//! use games::Rules;
//! use games::tetris::{Tetris, TetrisRules};
//! use measure::score::{Games, ScoreSetup, run};
//!
//! let rules = TetrisRules::from_pairs([("width", "6"), ("height", "5")])?;
//! let setup = ScoreSetup::<Tetris> { rules, players: vec!["dn".into(), "random".into()], games: 20, seed: 1 };
//! let mut games = Games::new(setup.players.len(), setup.games);
//! run(&setup, 2, &mut games, None, &mut |_| ControlFlow::Continue(()))?; // on two threads, with no journal
//! let [dn, random] = [0, 1].map(|player| stats::Mean::of(&games.scores(player)));
//! assert!(dn.mean > 10.0 * random.mean, "{dn:?} {random:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod arena;
pub mod bench;
pub mod count;
pub mod estimate;
pub mod journal;
pub mod pool;
pub mod problems;
pub mod profile;
pub mod sample_games;
pub mod score;
pub mod splitting;
