//! Stochastic gradient descent with momentum (Polyak 1964). An iteration is a pass through all examples.

use super::options::{OptimiserError, Options};
use super::shuffle::Shuffle;
use super::{Objective, Optimiser, Point, Stop};

struct Sgd {
    rate: f64,
    momentum: f64,
    shuffle: Shuffle,
    velocity: Vec<f64>,
}

pub fn make(options: &Options, seed: u64) -> Result<Box<dyn Optimiser>, OptimiserError> {
    let rate = options.number("rate", |rate| rate > 0.0 && rate <= 10.0, "above 0, up to 10")?;
    let momentum =
        options.number("momentum", |share| (0.0..1.0).contains(&share), "from 0 to less than 1")?;
    let shuffle = Shuffle::new(seed, options.whole("batch")?);
    Ok(Box::new(Sgd { rate, momentum, shuffle, velocity: Vec::new() }))
}

impl Optimiser for Sgd {
    fn iterate(&mut self, objective: &dyn Objective, point: &mut Point) -> Option<Stop> {
        self.velocity.resize(point.parameters.len(), 0.0);
        let mut gradient = vec![0.0; point.parameters.len()];
        for batch in self.shuffle.pass(objective.examples()) {
            // Nothing comes of it any more, or nobody waits for it.
            if objective.evaluate(&point.parameters, Some(batch), &mut gradient).is_nan() {
                point.loss = f64::NAN;
                return None;
            }
            for ((place, velocity), slope) in
                point.parameters.iter_mut().zip(&mut self.velocity).zip(&gradient)
            {
                *velocity = self.momentum * *velocity - self.rate * slope;
                *place += *velocity;
            }
        }
        point.loss = objective.evaluate(&point.parameters, None, &mut point.gradient);
        None
    }
}
