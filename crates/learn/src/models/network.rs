//! A small feed-forward network over the features: one hidden layer of tanh units, a linear output.

use super::Model;

/// The network. Parameters: for each hidden unit its input weights and its bias, then the output weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    inputs: usize,
    parameters: Vec<f64>,
}

impl Network {
    /// The number of parameters of a network of this size.
    pub fn size(inputs: usize, hidden: usize) -> usize {
        hidden * (inputs + 2)
    }

    /// A network whose hidden layer is as large as the parameters say.
    ///
    /// # Panics
    /// If no hidden layer has that many parameters.
    pub fn new(inputs: usize, parameters: Vec<f64>) -> Self {
        assert!(parameters.len().is_multiple_of(inputs + 2), "each hidden unit has inputs + 2 parameters");
        Self { inputs, parameters }
    }

    /// The output weights, and one slice of input weights and bias for each hidden unit.
    fn parts(&self) -> (&[f64], impl Iterator<Item = &[f64]>) {
        let hidden = self.parameters.len() / (self.inputs + 2);
        let (units, output) = self.parameters.split_at(hidden * (self.inputs + 1));
        (output, units.chunks_exact(self.inputs + 1))
    }
}

/// tanh(w f + b)
fn activation(unit: &[f64], features: &[f64]) -> f64 {
    let (bias, weights) = unit.split_last().expect("a unit has a bias");
    math::tanh(weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum::<f64>() + bias)
}

impl Model for Network {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.parameters
    }

    fn value(&self, features: &[f64]) -> f64 {
        let (output, units) = self.parts();
        output.iter().zip(units).map(|(weight, unit)| weight * activation(unit, features)).sum()
    }

    fn gradient(&self, features: &[f64], gradient: &mut [f64]) {
        let (output, units) = self.parts();
        let inner = output.len() * (self.inputs + 1);
        for (j, (weight, unit)) in output.iter().zip(units).enumerate() {
            let active = activation(unit, features);
            // d tanh = 1 - tanh^2
            let slope = weight * (1.0 - active * active);
            let row = &mut gradient[j * (self.inputs + 1)..][..self.inputs + 1];
            for (i, feature) in features.iter().enumerate() {
                row[i] = slope * feature;
            }
            row[self.inputs] = slope;
            gradient[inner + j] = active;
        }
    }
}
