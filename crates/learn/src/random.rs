//! The one source of chance of the learners: a seeded generator that is saved with them.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// A seeded stream of random numbers (xoshiro256++). Saved and loaded, it goes on where it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Random {
    bits: Xoshiro256PlusPlus,
    /// The second number of a pair of normal ones, until it is asked for.
    spare: Option<f64>,
}

impl Random {
    /// The stream of this seed.
    pub fn seeded(seed: u64) -> Self {
        Self { bits: Xoshiro256PlusPlus::seed_from_u64(seed), spare: None }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.bits.next_u64()
    }

    /// A number from 0 up to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number from 0 to `n - 1`.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "below(0) has no answer");
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number of the standard normal law (the polar method of Marsaglia).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                let scale = (-2.0 * math::ln(square) / square).sqrt();
                self.spare = Some(y * scale);
                return x * scale;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_their_moments() {
        let mut random = Random::seeded(3);
        let numbers: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let moment =
            |power: i32| numbers.iter().map(|&x| math::powi(x, power)).sum::<f64>() / numbers.len() as f64;
        // Five standard errors of each.
        for (power, expected, error) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let off: f64 = moment(power) - expected;
            assert!(off.abs() < 5.0 * (error / numbers.len() as f64).sqrt(), "moment {power}: {off}");
        }
    }

    #[test]
    fn a_saved_stream_goes_on() {
        let mut random = Random::seeded(5);
        random.normal();
        let text = serde_json::to_string(&random).unwrap();
        let mut again: Random = serde_json::from_str(&text).unwrap();
        for _ in 0..9 {
            assert_eq!(random.normal(), again.normal());
        }
        assert!((0..100).all(|_| (2.0..3.0).contains(&again.between(2.0, 3.0)) && again.below(3) < 3));
    }
}
