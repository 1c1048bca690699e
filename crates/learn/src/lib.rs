//! Models and learners of evalforge. This crate knows nothing of games: features, weights and scores cross its walls
//! as plain numbers. It does no I/O, reads no clock and starts no thread, and learners maximise.

pub mod fitting;
pub mod learners;
pub mod models;
pub mod racing;
pub mod random;

/// An entry of one of the lists of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
}
