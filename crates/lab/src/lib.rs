//! Where games and learning meet: players and their search, games between them, statistics, benchmarks. Threads and
//! files live here and nowhere below.

pub mod bench;
pub mod catalog;
pub mod count;
pub mod estimate;
pub mod evaluator;
pub mod names;
pub mod players;
pub mod playout;
pub mod score;
pub mod search;
pub mod shipped;
pub mod solve;
pub mod statistics;
pub mod survey;
pub mod threads;
