//! Numbers about many games, never without their count and their 95 % interval. Small pure functions, one matter a file;
//! where lots are drawn, the seed is fixed, so that equal values give equal answers.

#[cfg(test)]
mod draws;
mod exponential;
mod histogram;
mod log_linear;
mod mean;
mod precision;
mod ratio;
mod share;
mod student;
mod summary;

pub use exponential::{ExponentialTest, exponential_test};
pub use histogram::histogram;
pub use log_linear::{LogLinear, Point, Prediction};
pub use mean::Mean;
pub use precision::{games_for_precision, relative_precision};
pub use ratio::{Ratio, Verdict, paired_ratio};
pub use share::Share;
pub use student::t95;
pub use summary::Summary;

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;
