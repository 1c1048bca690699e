//! Numbers about many games, never without their count and their 95 % interval: means, shares, Elo, ratings, sequential tests. Small pure
//! functions, one matter a file.
//!
//! The wall: this crate computes and does nothing else. Where lots are drawn the seed is fixed, so that equal values give equal answers.
//!
//! # An Elo with its interval
//! ```
//! use stats::Elo;
//!
//! let elo = Elo::of_games(60, 20, 20); // won, drawn, lost
//! let [low, high] = elo.ci95;
//! assert_eq!(format!("{:+.0} [{low:+.0}, {high:+.0}]", elo.elo), "+147 [+82, +212]");
//! assert!(elo.los > 0.999); // the likelihood that the first player is the better one
//! ```

mod censored;
#[cfg(test)]
mod draws;
mod elo;
mod exponential;
mod exponential_mean;
mod histogram;
mod independent_ratio;
mod line;
mod log_linear;
mod mean;
mod normal;
mod pairs;
mod precision;
mod quantile;
mod ratings;
mod ratio;
mod share;
mod sprt;
mod student;
mod summary;

pub use censored::{Censored, censored_quantile};
pub use elo::{Elo, NORMALISED, elo_of_score, score_of_elo};
pub use exponential::{ExponentialTest, exponential_test};
pub use exponential_mean::exponential_mean_ci95;
pub use histogram::histogram;
pub use independent_ratio::{Estimated, independent_ratio_ci95};
pub use line::Line;
pub use log_linear::{LogLinear, Point, Prediction};
pub use mean::Mean;
pub use normal::normal_below;
pub use pairs::{PAIR_SCORES, Pentanomial};
pub use precision::{games_for_precision, relative_precision};
pub use quantile::{median, quantile};
pub use ratings::{Meeting, Rating, Ratings, ratings};
pub use ratio::{Ratio, Verdict, paired_ratio};
pub use share::Share;
pub use sprt::{Decision, Scale, Sprt};
pub use student::t95;
pub use summary::Summary;

/// The two-sided 95 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;
