//! Numbers about many games, never without their count and their 95 % interval. Small pure functions, one matter a file;
//! where lots are drawn, the seed is fixed, so that equal values give equal answers.

mod mean;
mod share;

pub use mean::Mean;
pub use share::Share;

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;
