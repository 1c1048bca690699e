//! What is to be small: how far the value of a model is from the label of an example.

use crate::Entry;
use crate::models::{Model, sigmoid};

/// A loss. Labels lie in [-1, 1]: 1 is won, -1 lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Half the square of value less label.
    Squared,
    /// The cross-entropy of the share of wins, the value being the logarithm of the odds.
    CrossEntropy,
    /// Half the square of share less share, the value being the logarithm of the odds: what a network with a sigmoid at
    /// its output minimises in Müller 1992.
    SigmoidSquared,
}

/// The one list of losses.
pub const LOSSES: &[(Entry, Loss)] = &[
    (Entry { name: "squared", summary: "square of value less label" }, Loss::Squared),
    (
        Entry { name: "cross-entropy", summary: "of won and lost, the value being log-odds" },
        Loss::CrossEntropy,
    ),
    (
        Entry {
            name: "sigmoid-squared",
            summary: "square of the difference of shares, the value being log-odds",
        },
        Loss::SigmoidSquared,
    ),
];

impl Loss {
    /// Its name in the list.
    pub fn name(self) -> &'static str {
        LOSSES.iter().find(|(_, loss)| *loss == self).expect("every loss is listed").0.name
    }

    /// The loss of this name.
    pub fn parse(name: &str) -> Option<Loss> {
        LOSSES.iter().find(|(entry, _)| entry.name == name).map(|(_, loss)| *loss)
    }

    /// The loss and its derivative by the value.
    #[inline]
    pub fn of(self, value: f64, label: f64) -> (f64, f64) {
        let share = (1.0 + label) / 2.0;
        match self {
            Loss::Squared => {
                let off = value - label;
                (off * off / 2.0, off)
            }
            Loss::CrossEntropy => {
                // ln(1 + e^v) - share v, in a form that never overflows.
                let loss = value.max(0.0) + math::ln_1p(math::exp(-value.abs())) - share * value;
                (loss, sigmoid(value) - share)
            }
            Loss::SigmoidSquared => {
                let win = sigmoid(value);
                let off = win - share;
                (off * off / 2.0, off * win * (1.0 - win))
            }
        }
    }

    /// The share of wins that a value stands for, a draw being half of one.
    pub fn share(self, value: f64) -> f64 {
        match self {
            Loss::Squared => ((1.0 + value) / 2.0).clamp(0.0, 1.0),
            Loss::CrossEntropy | Loss::SigmoidSquared => sigmoid(value),
        }
    }
}

/// Labelled examples: rows of features, one after the other, and their labels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Examples {
    /// Features of each example.
    pub inputs: usize,
    /// The features.
    pub rows: Vec<f64>,
    /// The labels.
    pub labels: Vec<f64>,
}

impl Examples {
    /// The number of examples.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The features of an example.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.rows[index * self.inputs..][..self.inputs]
    }

    /// Adds up losses over some examples, and their derivatives on top of what is in `gradient`.
    pub fn add_up(
        &self,
        model: &dyn Model,
        loss: Loss,
        which: impl Iterator<Item = usize>,
        gradient: &mut [f64],
    ) -> f64 {
        let mut own = vec![0.0; gradient.len()];
        let mut sum = 0.0;
        for index in which {
            let row = self.row(index);
            let value = model.value_and_gradient(row, &mut own);
            let (here, slope) = loss.of(value, self.labels[index]);
            sum += here;
            for (place, part) in gradient.iter_mut().zip(&own) {
                *place += slope * part;
            }
        }
        sum
    }

    /// Adds up losses over some examples.
    pub fn losses(&self, model: &dyn Model, loss: Loss, which: impl Iterator<Item = usize>) -> f64 {
        which.map(|index| loss.of(model.value(self.row(index)), self.labels[index]).0).sum()
    }
}
