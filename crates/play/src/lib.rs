//! Who moves and why: players and their texts, searches and what they ask, exact solvers, what a player sees in each move,
//! other programs at our board and ours at theirs. Knows no match, no run and no page.

pub mod analyze;
pub mod evaluator;
pub mod files;
pub mod names;
pub mod numbers;
pub mod patterns;
pub mod players;
pub mod playout;
pub mod protocol;
pub mod recorded;
pub mod rooms;
pub mod search;
pub mod shipped;
pub mod solve;
pub mod threads;

pub use rooms::{Games, Job, PlayedGame, Visitor, game_list, with_game};
