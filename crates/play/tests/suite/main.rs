//! Solved games, held to other ways of solving them; texts of players, whatever they say.

mod scratch;
mod solve;
mod solve_pushover;
mod texts;
