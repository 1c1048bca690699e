//! The tests that every game gets by being listed.

mod broken;
mod common;
mod conformance;
mod counts;
mod pictures;
