//! Seeded samples for the tests of this folder.

use math::Dice;

/// Uniform between 0 and 1, neither of them included: a logarithm is taken of it.
pub fn uniform(dice: &mut Dice) -> f64 {
    ((dice.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// One value of the exponential law with this mean.
pub fn exponential(dice: &mut Dice, mean: f64) -> f64 {
    -mean * math::ln(uniform(dice))
}

/// A sample of the exponential law.
pub fn exponentials(dice: &mut Dice, mean: f64, n: usize) -> Vec<f64> {
    (0..n).map(|_| exponential(dice, mean)).collect()
}
