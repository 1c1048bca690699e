//! Adam (Kingma & Ba 2015, algorithm 1): steps after small batches, each parameter with a step of its own size. An
//! iteration is a pass through all examples.

use super::options::{OptimiserError, Options};
use super::shuffle::Shuffle;
use super::{Objective, Optimiser, Point, Stop};

/// How slowly the means of gradient and of its square forget: beta 1 and 2 of the paper.
const FORGET: [f64; 2] = [0.9, 0.999];
const EPSILON: f64 = 1e-8;

struct Adam {
    rate: f64,
    shuffle: Shuffle,
    /// Means of gradient and of its square, and how many batches they are of.
    means: [Vec<f64>; 2],
    steps: i32,
}

pub fn make(options: &Options, seed: u64) -> Result<Box<dyn Optimiser>, OptimiserError> {
    let rate = options.number("rate", |rate| rate > 0.0 && rate <= 10.0, "above 0, up to 10")?;
    let shuffle = Shuffle::new(seed, options.whole("batch")?);
    Ok(Box::new(Adam { rate, shuffle, means: [Vec::new(), Vec::new()], steps: 0 }))
}

impl Optimiser for Adam {
    fn iterate(&mut self, objective: &dyn Objective, point: &mut Point) -> Option<Stop> {
        let count = point.parameters.len();
        self.means.iter_mut().for_each(|mean| mean.resize(count, 0.0));
        let mut gradient = vec![0.0; count];
        for batch in self.shuffle.pass(objective.examples()) {
            // Nothing comes of it any more, or nobody waits for it.
            if objective.evaluate(&point.parameters, Some(batch), &mut gradient).is_nan() {
                point.loss = f64::NAN;
                return None;
            }
            self.steps = self.steps.saturating_add(1);
            let [first, second] = &mut self.means;
            let [unbiased_first, unbiased_second] = FORGET.map(|forget| 1.0 - math::powi(forget, self.steps));
            for i in 0..count {
                first[i] = FORGET[0] * first[i] + (1.0 - FORGET[0]) * gradient[i];
                second[i] = FORGET[1] * second[i] + (1.0 - FORGET[1]) * gradient[i] * gradient[i];
                let size = (second[i] / unbiased_second).sqrt() + EPSILON;
                point.parameters[i] -= self.rate * first[i] / unbiased_first / size;
            }
        }
        point.loss = objective.evaluate(&point.parameters, None, &mut point.gradient);
        None
    }
}
