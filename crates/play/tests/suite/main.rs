//! Solved games, held to other ways of solving them.

mod scratch;
mod solve;
mod solve_pushover;
