//! Throws damaged inputs at every parser of evalforge, on the stable toolchain.
//!
//! An input is a function of (seed, target, number): a sample of the corpus after a few mutations. Each target runs in a process of its own,
//! which has a limit of memory and writes down the number of the input that it is at; so whatever ends it, be it a stack that overflows or a
//! loop that does not end, has a number, and a command that repeats it. What is asked of every parser stands in [`targets`].

pub mod corpus;
pub mod mutate;
pub mod runner;
pub mod targets;
pub mod worker;

pub use targets::{BROKEN, TARGETS, Target};

/// The target of this name, those that are broken on purpose among them.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().chain(BROKEN).find(|target| target.name == name)
}
