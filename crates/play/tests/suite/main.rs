//! Solved games, held to other ways of solving them.

mod solve;
mod solve_pushover;
