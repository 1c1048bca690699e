//! Where games and learning meet: players and their search, games between them, statistics, benchmarks. Threads and
//! files live here and nowhere below.

pub mod analyze;
pub mod arena;
pub mod bench;
pub mod bench_avalam;
pub mod bench_learners;
pub mod bench_othello;
pub mod bench_tetris;
pub mod catalog;
pub mod count;
pub mod data;
pub mod estimate;
pub mod evaluator;
pub mod experiments;
pub mod explain;
pub mod fit;
pub mod grade;
pub mod names;
pub mod new_file;
pub mod picture;
pub mod players;
pub mod playout;
pub mod profile;
pub mod protocol;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod score;
pub mod search;
pub mod shipped;
pub mod show;
pub mod solve;
pub mod statistics;
pub mod survey;
pub mod tasks;
pub mod threads;
