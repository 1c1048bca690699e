//! Choices to learn from: the moves of a position as a policy sees them, and what the expert thinks of each. The policy is
//! thought to draw its move by lot, a move of value v with a weight of exp(v / temperature).
//!
//! Partial sums are those of fixed pieces and are added in their order, so that the number of threads changes not one bit.

use learn::fitting::Objective;
use learn::models::{Form, Model};
use play::players::model::first_maximum;
use play::threads::par_map;

use super::settings::LossWord;

/// Positions that are worked on by one thread at a time: few of a batch, more of all, for every piece has a gradient of its own.
fn piece_of(count: usize) -> usize {
    (count / 64).clamp(64, 4096)
}

/// The moves of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The features of all moves, one after the other, that are not 0. They are counts, which so many bits hold.
    pub sparse: Box<[(u32, f32)]>,
    /// Where those of each move end.
    pub ends: Box<[u32]>,
    /// The part of each move's value that is not learned.
    pub fixed: Box<[f64]>,
    /// How much less than the best move the expert thinks each one is worth.
    pub regrets: Box<[f64]>,
}

impl Choice {
    fn sparse(&self, mv: usize) -> &[(u32, f32)] {
        let begin = if mv == 0 { 0 } else { self.ends[mv - 1] };
        &self.sparse[begin as usize..self.ends[mv] as usize]
    }

    /// The expert's move.
    pub fn best(&self) -> usize {
        self.regrets.iter().position(|&regret| regret == 0.0).expect("the best is no worse than itself")
    }
}

/// A policy as one thread asks it.
enum Scorer<'a> {
    /// A weighted sum, of which only the features that are shown are looked at.
    Sum(&'a [f64]),
    /// Any other function, with a row of features and a gradient to work in.
    Any(&'a dyn Model, Vec<f64>, Vec<f64>),
}

impl Scorer<'_> {
    fn row(sparse: &[(u32, f32)], row: &mut [f64]) {
        row.fill(0.0);
        sparse.iter().for_each(|&(number, value)| row[number as usize] += f64::from(value));
    }

    fn value(&mut self, sparse: &[(u32, f32)]) -> f64 {
        match self {
            Scorer::Sum(weights) => {
                sparse.iter().map(|&(number, value)| weights[number as usize] * f64::from(value)).sum()
            }
            Scorer::Any(model, row, _) => {
                Self::row(sparse, row);
                model.value(row)
            }
        }
    }

    /// Adds the derivatives of the value, times `slope`.
    fn add(&mut self, sparse: &[(u32, f32)], slope: f64, gradient: &mut [f64]) {
        match self {
            Scorer::Sum(_) => {
                sparse
                    .iter()
                    .for_each(|&(number, value)| gradient[number as usize] += slope * f64::from(value));
            }
            Scorer::Any(model, row, own) => {
                Self::row(sparse, row);
                model.gradient(row, own);
                gradient.iter_mut().zip(own).for_each(|(sum, own)| *sum += slope * *own);
            }
        }
    }
}

/// Choices under a form of model and a loss.
pub struct ImitationObjective<'a> {
    /// The form.
    pub form: &'a Form,
    /// The number of features.
    pub inputs: usize,
    /// What is to be small.
    pub loss: LossWord,
    /// How surely the policy takes what it thinks is best.
    pub temperature: f64,
    /// The parameters that stay.
    pub frozen: &'a [bool],
    /// The parameters are fitted times these, so that one rate of learning is right for all.
    pub scales: &'a [f64],
    /// What is learned from.
    pub choices: &'a [Choice],
}

/// How a policy does on some choices.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The mean loss.
    pub loss: f64,
    /// How many choices are the expert's.
    pub agreed: usize,
    /// What the expert thinks is lost by each choice.
    pub regrets: Vec<f64>,
}

impl ImitationObjective<'_> {
    /// How the function of these parameters, as they are, does on some choices.
    pub fn judge(&self, parameters: &[f64], choices: &[Choice]) -> Judged {
        let model = self.model(parameters);
        let of_piece = |piece: &[Choice]| -> Vec<(f64, bool, f64)> {
            let mut scorer = self.scorer(parameters, &*model);
            let mut values = Vec::new();
            let of_one = |choice: &Choice| {
                self.values(&mut scorer, choice, &mut values);
                let taken = first_maximum(&values);
                let loss = self.slopes(choice, &mut values);
                (loss, taken == choice.best(), choice.regrets[taken])
            };
            piece.iter().map(of_one).collect()
        };
        let pieces: Vec<&[Choice]> = choices.chunks(piece_of(choices.len())).collect();
        let all = par_map(pieces.len(), |number| of_piece(pieces[number])).concat();
        Judged {
            loss: all.iter().map(|one| one.0).sum::<f64>() / all.len().max(1) as f64,
            agreed: all.iter().filter(|one| one.1).count(),
            regrets: all.iter().map(|one| one.2).collect(),
        }
    }

    fn model(&self, parameters: &[f64]) -> Box<dyn Model> {
        self.form.build(self.inputs, parameters.to_vec())
    }

    fn scorer<'b>(&self, parameters: &'b [f64], model: &'b dyn Model) -> Scorer<'b> {
        match self.form {
            Form::Linear => Scorer::Sum(parameters),
            _ => Scorer::Any(model, vec![0.0; self.inputs], vec![0.0; parameters.len()]),
        }
    }

    fn values(&self, scorer: &mut Scorer, choice: &Choice, values: &mut Vec<f64>) {
        values.clear();
        values.extend((0..choice.ends.len()).map(|mv| choice.fixed[mv] + scorer.value(choice.sparse(mv))));
    }

    /// The loss of a choice; the values of the moves are overwritten with its derivatives by them.
    fn slopes(&self, choice: &Choice, values: &mut [f64]) -> f64 {
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best = choice.best();
        let above = (values[best] - highest) / self.temperature;
        values.iter_mut().for_each(|value| *value = math::exp((*value - highest) / self.temperature));
        let sum: f64 = values.iter().sum();
        values.iter_mut().for_each(|value| *value /= sum);
        match self.loss {
            LossWord::Choice => {
                values[best] -= 1.0;
                values.iter_mut().for_each(|slope| *slope /= self.temperature);
                math::ln(sum) - above
            }
            LossWord::Regret => {
                let expected = values.iter().zip(&choice.regrets).map(|(share, regret)| share * regret).sum();
                for (share, regret) in values.iter_mut().zip(&choice.regrets) {
                    *share *= (regret - expected) / self.temperature;
                }
                expected
            }
        }
    }

    /// The loss of a piece of choices and, added to `gradient`, its derivatives.
    fn piece<'c>(
        &self,
        parameters: &[f64],
        model: &dyn Model,
        piece: impl Iterator<Item = &'c Choice>,
        gradient: &mut [f64],
    ) -> f64 {
        let mut scorer = self.scorer(parameters, model);
        let (mut values, mut sum) = (Vec::new(), 0.0);
        for choice in piece {
            self.values(&mut scorer, choice, &mut values);
            sum += self.slopes(choice, &mut values);
            for (mv, &slope) in values.iter().enumerate() {
                scorer.add(choice.sparse(mv), slope, gradient);
            }
        }
        sum
    }
}

impl Objective for ImitationObjective<'_> {
    fn parameters(&self) -> usize {
        self.scales.len()
    }

    fn examples(&self) -> usize {
        self.choices.len()
    }

    fn evaluate(&self, scaled: &[f64], batch: Option<&[usize]>, gradient: &mut [f64]) -> f64 {
        let parameters: Vec<f64> =
            scaled.iter().zip(self.scales).map(|(value, scale)| value / scale).collect();
        let model = self.model(&parameters);
        let count = batch.map_or(self.choices.len(), <[usize]>::len);
        let size = piece_of(count);
        let of_piece = |number: usize| {
            let which = (number * size..((number + 1) * size).min(count))
                .map(|i| &self.choices[batch.map_or(i, |batch| batch[i])]);
            let mut own = vec![0.0; parameters.len()];
            (self.piece(&parameters, &*model, which, &mut own), own)
        };
        let pieces: Vec<(f64, Vec<f64>)> = par_map(count.div_ceil(size), of_piece);
        gradient.fill(0.0);
        let mut sum = 0.0;
        for (part, own) in &pieces {
            sum += part;
            gradient.iter_mut().zip(own).for_each(|(place, own)| *place += own);
        }
        for ((slope, scale), frozen) in gradient.iter_mut().zip(self.scales).zip(self.frozen) {
            *slope = if *frozen { 0.0 } else { *slope / scale / count as f64 };
        }
        sum / count as f64
    }
}
