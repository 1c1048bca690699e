//! The tests that every game gets by being listed.

mod common;
mod conformance;
mod counts;
mod features;
mod parsers;
mod pictures;
