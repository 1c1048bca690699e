//! Runs: an experiment from its file to a model with its score, in a folder that survives anything.
//!
//! `config` is the file, `stages` its parts, `plan` one of them checked, with its tasks built. An `experiment` is a list of one
//! or more, each of which becomes a `stage` in its `folder`: its runs, what is deployed of them, and its `scores`.
//! `learn` is one run, `evaluate` the games of a generation, which leave by the `runner`; `schema` tells
//! editors what may stand in the file.

mod active_learner;
pub mod config;
pub mod evaluate;
pub mod expectation;
pub mod experiment;
pub mod folder;
pub mod learn;
pub mod live;
pub mod plan;
pub mod record;
pub mod runner;
pub mod schema;
mod scores;
pub mod stage;
mod stages;
#[cfg(test)]
mod tests;
