//! Runs: an experiment from its file to a model with its score, in a folder that survives anything.

pub mod config;
pub mod record;
