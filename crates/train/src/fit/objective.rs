//! The mean loss over examples, worked out over threads. Partial sums are those of fixed pieces and are added in their
//! order, so that the number of threads changes not one bit.

use learn::fitting::{Examples, Loss, Objective};
use learn::models::{Form, Model};
use play::threads::par_map;

/// For what is never stopped within an iteration.
pub fn never() -> bool {
    false
}

/// Examples that are worked on by one thread at a time.
const PIECE: usize = 256;

/// Examples under a form of model and a loss.
pub struct Parallel<'a> {
    /// The form.
    pub form: &'a Form,
    /// The loss.
    pub loss: Loss,
    /// Half of this times the sum of the squares of all parameters is added.
    pub decay: f64,
    /// The examples.
    pub examples: &'a Examples,
    /// The number of parameters.
    pub parameters: usize,
    /// Whether to stop: what is worked out then is not a number.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Parallel<'_> {
    /// The mean loss alone, without decay; none of no examples.
    pub fn mean_loss(&self, examples: &Examples, parameters: &[f64]) -> Option<f64> {
        let model = self.form.build(examples.inputs, parameters.to_vec());
        let pieces: Vec<f64> = par_map(examples.len().div_ceil(PIECE), |piece| match (self.stopped)() {
            true => f64::NAN,
            false => examples.losses(&*model, self.loss, piece_of(piece, examples.len())),
        });
        (!examples.is_empty()).then(|| pieces.iter().sum::<f64>() / examples.len() as f64)
    }

    fn sums(&self, model: &dyn Model, batch: Option<&[usize]>, gradient: &mut [f64]) -> f64 {
        let count = batch.map_or(self.examples.len(), <[usize]>::len);
        let piece = |piece: usize, gradient: &mut [f64]| {
            if (self.stopped)() {
                return f64::NAN;
            }
            let which = piece_of(piece, count).map(|i| batch.map_or(i, |batch| batch[i]));
            self.examples.add_up(model, self.loss, which, gradient)
        };
        if count <= PIECE {
            return piece(0, gradient);
        }
        let of_piece = |number: usize| {
            let mut own = vec![0.0; self.parameters];
            (piece(number, &mut own), own)
        };
        let pieces: Vec<(f64, Vec<f64>)> = par_map(count.div_ceil(PIECE), of_piece);
        let mut sum = 0.0;
        for (part, own) in &pieces {
            sum += part;
            gradient.iter_mut().zip(own).for_each(|(place, own)| *place += own);
        }
        sum
    }
}

/// The examples of a piece.
fn piece_of(piece: usize, count: usize) -> std::ops::Range<usize> {
    piece * PIECE..((piece + 1) * PIECE).min(count)
}

impl Objective for Parallel<'_> {
    fn parameters(&self) -> usize {
        self.parameters
    }

    fn examples(&self) -> usize {
        self.examples.len()
    }

    fn evaluate(&self, parameters: &[f64], batch: Option<&[usize]>, gradient: &mut [f64]) -> f64 {
        let model = self.form.build(self.examples.inputs, parameters.to_vec());
        gradient.fill(0.0);
        let sum = self.sums(&*model, batch, gradient);
        let count = batch.map_or(self.examples.len(), <[usize]>::len) as f64;
        for (slope, parameter) in gradient.iter_mut().zip(parameters) {
            *slope = *slope / count + self.decay * parameter;
        }
        sum / count + self.decay / 2.0 * parameters.iter().map(|parameter| parameter * parameter).sum::<f64>()
    }
}
