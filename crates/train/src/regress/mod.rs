//! Evaluation functions of Othello fitted to positions: `positions` what they are fitted to, in memory or in temporary files, `read` where
//! that comes from, `patterns` the regression for tables, with `compact` what it reads in every pass, `criteria` that for weighted
//! sums, `metrics` how good a function is.

mod compact;
pub mod criteria;
pub mod metrics;
pub mod patterns;
pub mod positions;
pub mod read;
#[cfg(test)]
mod tests;
