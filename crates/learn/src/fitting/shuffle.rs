//! Examples in an order by lot, in small batches.

use crate::random::Random;

/// The order of the examples, shuffled anew for every pass.
pub struct Shuffle {
    random: Random,
    order: Vec<usize>,
    batch: usize,
}

impl Shuffle {
    pub fn new(seed: u64, batch: usize) -> Self {
        Self { random: Random::seeded(seed), order: Vec::new(), batch }
    }

    /// The batches of the next pass through `count` examples.
    pub fn pass(&mut self, count: usize) -> impl Iterator<Item = &[usize]> {
        if self.order.len() != count {
            self.order = (0..count).collect();
        }
        // Fisher and Yates.
        for last in (1..count).rev() {
            self.order.swap(last, self.random.below(last + 1));
        }
        self.order.chunks(self.batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_meets_every_example_once_in_another_order() {
        let mut shuffle = Shuffle::new(1, 4);
        let mut pass = || shuffle.pass(10).map(<[usize]>::to_vec).collect::<Vec<_>>();
        let (first, second) = (pass(), pass());
        assert_eq!(first.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4, 2]);
        assert_ne!(first, second);
        for pass in [first, second] {
            let mut all = pass.concat();
            all.sort_unstable();
            assert_eq!(all, (0..10).collect::<Vec<_>>());
        }
    }
}
