//! Games between two players in pairs: each opening twice, sides exchanged. What the opening gives to a side it gives to
//! both players, so that the two games of a pair are not independent, and pairs are what is counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The scores that a pair can have, as a share of its two games.
pub const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// How many pairs had which score for the first player, from two games lost to two games won; one won and one lost is the
/// same as two drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair in which the first player made so many half points, 0 to 4.
    pub fn add(&mut self, halves: usize) {
        self.0[halves] += 1;
    }

    /// Pairs in all.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The first player's points over the games; not a number without games.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.sum(|score| score) / self.pairs() as f64
    }

    /// The mean of the squared distances of a pair's score from `middle`.
    #[must_use]
    pub fn spread(&self, middle: f64) -> f64 {
        self.sum(|score| math::powi(score - middle, 2)) / self.pairs() as f64
    }

    /// The same seen by the second player.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut counts = self.0;
        counts.reverse();
        Self(counts)
    }

    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().zip(PAIR_SCORES).map(|(&count, score)| count as f64 * of(score)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let mut pairs = Pentanomial::default();
        assert!(pairs.score().is_nan());
        [4, 4, 3, 2, 0, 2].into_iter().for_each(|halves| pairs.add(halves));
        assert_eq!((pairs.0, pairs.pairs()), ([1, 0, 2, 1, 2], 6));
        assert_eq!(pairs.score(), 15.0 / 24.0);
        assert_eq!(pairs.reversed().score(), 9.0 / 24.0);
        // Of 0, 1/2, 1/2, 3/4, 1 and 1 from 1/2: 1/4 + 1/16 + 1/4 + 1/4.
        assert_eq!(pairs.spread(0.5), 0.8125 / 6.0);
    }
}
