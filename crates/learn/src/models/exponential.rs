//! The exponential combinations of Böhm, Kókai & Mandl 2005: features raised to powers of their own, so that a
//! difference counts differently where the pile is high.

use super::Model;

/// sum of w_i |f_i - d_i|^e_i. Without displacement all d_i are 0 and no parameters.
///
/// The parameters are all weights, then all exponents, then, if displaced, all displacements.
#[derive(Debug, Clone, PartialEq)]
pub struct Exponential {
    inputs: usize,
    parameters: Vec<f64>,
}

impl Exponential {
    /// Two parameters for each feature, or three with displacement.
    ///
    /// # Panics
    /// If the number of parameters is neither.
    pub fn new(inputs: usize, parameters: Vec<f64>) -> Self {
        assert!(
            [2 * inputs, 3 * inputs].contains(&parameters.len()),
            "two or three parameters for each feature"
        );
        Self { inputs, parameters }
    }

    fn displacement(&self, i: usize) -> f64 {
        self.parameters.get(2 * self.inputs + i).copied().unwrap_or(0.0)
    }
}

impl Model for Exponential {
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
        let (weights, rest) = self.parameters.split_at(self.inputs);
        let term = |i: usize| weights[i] * power((features[i] - self.displacement(i)).abs(), rest[i]);
        (0..self.inputs).map(term).sum()
    }

    fn gradient(&self, features: &[f64], gradient: &mut [f64]) {
        let n = self.inputs;
        for i in 0..n {
            let (weight, exponent) = (self.parameters[i], self.parameters[n + i]);
            let difference = features[i] - self.displacement(i);
            let size = difference.abs();
            gradient[i] = power(size, exponent);
            gradient[n + i] = if size > 0.0 { weight * power(size, exponent) * math::ln(size) } else { 0.0 };
            if gradient.len() > 2 * n {
                let slope = if size > 0.0 { exponent * math::powf(size, exponent - 1.0) } else { 0.0 };
                gradient[2 * n + i] = -weight * slope * difference.signum();
            }
        }
    }
}

/// size^exponent, with 0 staying 0 whatever the exponent: a feature that is absent has no share.
fn power(size: f64, exponent: f64) -> f64 {
    if size == 0.0 { 0.0 } else { math::powf(size, exponent) }
}
