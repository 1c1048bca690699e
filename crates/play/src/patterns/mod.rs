//! Evaluation functions of Othello that add up entries of tables: patterns and counts, a set of weights for each phase. Here is the
//! function, in `file` its file; `edax` writes the file of another program.
//!
//! A value is for the side to move. Weights are whole numbers of 16 bits, so many to a point.

pub mod edax;
mod file;
#[cfg(test)]
mod tests;

use games::error::one_line;
use games::othello::patterns::{Indices, PatternSet};
use games::othello::{Phases, mobility};

/// The ending of the names of its files.
pub const ENDING: &str = ".tables";

/// Most steps to a point; large weights get fewer.
const FINEST: f64 = 4096.0;

/// What the sum of the entries means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The final difference of discs.
    Linear,
    /// The logarithm of the odds of winning.
    Logistic,
}

impl Form {
    /// Both.
    pub const ALL: [Form; 2] = [Form::Linear, Form::Logistic];

    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::Linear => "linear",
            Form::Logistic => "logistic",
        }
    }
}

/// The weights of one phase, as each side sees them.
#[derive(Debug, Clone, PartialEq)]
struct Weights {
    first: Vec<i16>,
    /// The same with the discs of the sides exchanged: numbers are kept as the first side sees them.
    second: Vec<i16>,
}

/// A function that adds up entries of tables.
#[derive(Debug, Clone, PartialEq)]
pub struct TableModel {
    set: PatternSet,
    phases: Phases,
    form: Form,
    scale: f64,
    weights: Vec<Weights>,
    about: String,
}

impl TableModel {
    /// The function of these weights, one list a phase in the order of the set; those that are tied are equal.
    ///
    /// # Panics
    /// If there are more or fewer than the set and the phases ask for.
    pub fn new(set: PatternSet, phases: Phases, form: Form, weights: &[Vec<f64>], about: &str) -> Self {
        let largest = weights.iter().flatten().fold(0.0, |most: f64, weight| most.max(weight.abs()));
        let mut scale = FINEST;
        while largest * scale > 32_000.0 {
            scale /= 2.0;
        }
        let rounded =
            |weights: &Vec<f64>| weights.iter().map(|weight| (weight * scale).round() as i16).collect();
        let weights = weights.iter().map(rounded).collect();
        Self::packed(set, phases, form, scale, weights, about)
    }

    fn packed(
        set: PatternSet,
        phases: Phases,
        form: Form,
        scale: f64,
        weights: Vec<Vec<i16>>,
        about: &str,
    ) -> Self {
        assert_eq!(weights.len(), phases.count(), "weights for each phase");
        let exchanged = set.exchanged();
        let both = |first: Vec<i16>| {
            assert_eq!(first.len(), set.weights(), "a weight for each entry");
            let second = exchanged.iter().map(|&number| first[number as usize]).collect();
            Weights { first, second }
        };
        let weights = weights.into_iter().map(both).collect();
        // One line of the file.
        let about = one_line(&about.split_whitespace().collect::<Vec<_>>().join(" "));
        Self { set, phases, form, scale, weights, about }
    }

    /// The patterns.
    pub fn set(&self) -> &PatternSet {
        &self.set
    }

    /// The phases.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// What a value means.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Where it comes from.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// A weight as it counts on boards with so many discs.
    pub fn weight(&self, entry: usize, discs: u32) -> f64 {
        let part = |(phase, share): (usize, f64)| share * f64::from(self.weights[phase].first[entry]);
        self.phases.shares(discs).map(part).sum::<f64>() / self.scale
    }

    /// The value for the side to move, which has the discs `own`; `indices` are those of the first side's view, and `is_first` says
    /// whether it is to move.
    #[inline]
    pub fn value(&self, indices: &Indices, own: u64, other: u64, is_first: bool) -> f64 {
        self.value_of(indices, [own, other], [mobility(own, other), mobility(other, own)], is_first)
    }

    /// The same, where the squares that each side may play on are known.
    #[inline]
    pub fn value_of(&self, indices: &Indices, discs: [u64; 2], moves: [u64; 2], is_first: bool) -> f64 {
        let sum = |phase: usize| {
            let weights = &self.weights[phase];
            let mut sum = self.set.sum(indices, if is_first { &weights.first } else { &weights.second });
            self.set.each_count_of(discs, moves, |entry| sum += i32::from(weights.first[entry]));
            f64::from(sum)
        };
        let (phase, share) = self.phases.mixed((discs[0] | discs[1]).count_ones());
        // Most functions mix nothing.
        if share == 0.0 {
            return sum(phase) / self.scale;
        }
        ((1.0 - share) * sum(phase) + share * sum(phase + 1)) / self.scale
    }

    /// The same, counted from scratch.
    pub fn fresh_value(&self, own: u64, other: u64) -> f64 {
        self.value(&self.set.fresh(own, other), own, other, true)
    }

    /// What each table adds to the value for the side to move: the name and the sum of what is shown of it.
    pub fn shares(&self, own: u64, other: u64) -> Vec<(String, f64)> {
        let discs = (own | other).count_ones();
        let indices = self.set.fresh(own, other);
        let patterns = self.set.tables().iter().zip(indices.numbers());
        let mut shown: Vec<usize> =
            patterns.map(|(&table, &number)| table as usize + usize::from(number)).collect();
        self.set.each_count(own, other, |entry| shown.push(entry));
        let share = |(name, first, count): (String, usize, usize)| {
            let of_it = shown.iter().filter(|&&entry| (first..first + count).contains(&entry));
            (name, of_it.map(|&entry| self.weight(entry, discs)).sum::<f64>())
        };
        self.set.sections().into_iter().map(share).collect()
    }
}
