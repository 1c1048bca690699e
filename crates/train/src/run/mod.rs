//! Runs: an experiment from its file to a model with its score, in a folder that survives anything.
//!
//! `config` is the file, `plan` the same checked, `learn` one run in its `folder`, `evaluate` the games of a generation,
//! which leave through the `runner`, and `experiment` all runs, what is deployed of them, and how good that is.

pub mod chain;
pub mod config;
pub mod evaluate;
pub mod experiment;
pub mod folder;
pub mod learn;
pub mod live;
pub mod plan;
pub mod record;
pub mod runner;
