//! What a player is worth: games between players, scores, means of games too long to play, leaf counts, speeds. Knows no
//! learner.

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
