//! The sequential test that `duel` and `tournament` can end by: its arguments, and how long it may take.

use clap::Args;
use stats::{Scale, Sprt};

use super::arena::{MOST_GAMES, even_number};
use crate::arguments::number;

/// The most games of a test unless given.
pub const TESTED: usize = 100_000;

/// The share of wrong answers that a test allows itself, of either kind, unless given.
const ERROR: &str = "0.05";

/// The number of games, and the test that may end them earlier.
#[derive(Debug, Args)]
pub struct Length {
    #[arg(long, value_name = "N", value_parser = even_number)]
    games: Option<usize>,
    /// Play until an advantage of ELO0 or of ELO1 is accepted, as 0,10
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = two_numbers)]
    sprt: Option<[f64; 2]>,
    /// What ELO0 and ELO1 are counted in
    #[arg(long, requires = "sprt", default_value = "logistic", value_parser = ["logistic", "normalised"])]
    scale: String,
    /// How often the test may accept ELO1 though ELO0 is true, from 0.0001 to 0.49
    #[arg(long, value_name = "SHARE", requires = "sprt", default_value = ERROR, value_parser = number(0.0001..=0.49))]
    alpha: f64,
    /// How often it may accept ELO0 though ELO1 is true
    #[arg(long, value_name = "SHARE", requires = "sprt", default_value = ERROR, value_parser = number(0.0001..=0.49))]
    beta: f64,
}

impl Length {
    /// The test that is asked for, if any, and the games of every two players at most, which are `usual` unless given.
    pub fn asked(&self, usual: usize) -> (Option<Sprt>, usize) {
        let scale = if self.scale == "normalised" { Scale::Normalised } else { Scale::Logistic };
        let test =
            self.sprt.map(|[elo0, elo1]| Sprt { elo0, elo1, scale, alpha: self.alpha, beta: self.beta });
        (test, self.games.unwrap_or(if test.is_some() { TESTED } else { usual }).min(MOST_GAMES))
    }
}

/// Two numbers, the lower one first.
fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    let numbers =
        text.split_once(',').and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    let within = numbers.filter(|[a, b]: &[f64; 2]| a < b && *a >= -1000.0 && *b <= 1000.0);
    within.ok_or_else(|| "allowed: two numbers from -1000 to 1000, the lower one first, as 0,10".to_string())
}
