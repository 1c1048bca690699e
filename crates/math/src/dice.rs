//! The one source of chance: a seeded generator that is passed in, never global and never seeded by a clock.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A seeded stream of random numbers (xoshiro256++). Equal seeds give equal streams on every machine.
///
/// ```
/// use math::Dice;
/// let mut a = Dice::seeded(&[1, 2]);
/// let mut b = Dice::seeded(&[1, 2]);
/// assert_eq!(a.below(1000), b.below(1000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// A stream named by several numbers, as (run, generation, game). Every word is hashed into the seed, for
    /// neighbouring seeds of an unhashed generator gave shifted copies of one stream.
    pub fn seeded(words: &[u64]) -> Self {
        let seed = words.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, &word| mix(hash ^ mix(word)));
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `n - 1`. The multiplication is off uniform by less than n / 2^64.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "below(0) has no answer");
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number from 0 (included) to 1 (excluded), one of 2^53.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// The finaliser of SplitMix64, plus its increment: a bijection in which every input bit moves every output bit.
pub fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_and_permuted_seeds_share_nothing() {
        let stream = |words: &[u64]| {
            let mut dice = Dice::seeded(words);
            (0..64).map(|_| dice.bits()).collect::<Vec<_>>()
        };
        let streams = [&[0][..], &[1], &[2], &[0, 1], &[1, 0], &[0, 0], &[]].map(stream);
        for (i, a) in streams.iter().enumerate() {
            for b in &streams[i + 1..] {
                assert!(a.iter().all(|word| !b.contains(word)));
            }
        }
    }

    #[test]
    fn below_is_uniform() {
        let mut dice = Dice::seeded(&[7]);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[dice.below(7)] += 1;
        }
        // Chi-square with 6 degrees of freedom: 22.5 is passed once in a thousand.
        let chi2: f64 = counts.iter().map(|&c| crate::powi(f64::from(c) - 10_000.0, 2) / 10_000.0).sum();
        assert!(chi2 < 22.5, "{counts:?}");
    }
}
