//! Models: functions of features with parameters in one flat slice. One model a file, and one line in the list.

mod linear;

pub use linear::Linear;

use crate::Entry;

/// The one list of models.
pub const MODELS: &[Entry] = &[Entry { name: "linear", summary: "weighted sum of the features" }];

/// A function of features that is fixed by its parameters. Higher is better.
pub trait Model {
    /// The number of features that it takes.
    fn inputs(&self) -> usize;

    /// All parameters.
    fn parameters(&self) -> &[f64];

    /// All parameters, to be changed.
    fn parameters_mut(&mut self) -> &mut [f64];

    /// The value of these features.
    fn value(&self, features: &[f64]) -> f64;

    /// Overwrites `gradient` with the derivative of the value by each parameter.
    fn gradient(&self, features: &[f64], gradient: &mut [f64]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The model of each listed name, with parameters that are not special.
    fn all() -> Vec<Box<dyn Model>> {
        let linear = Linear::new(vec![0.3, -1.2, 2.0]);
        let all: Vec<Box<dyn Model>> = vec![Box::new(linear)];
        assert_eq!(all.len(), MODELS.len(), "every listed model is tested here");
        all
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        for mut model in all() {
            let features: Vec<f64> = (0..model.inputs()).map(|i| 0.5 - 0.7 * i as f64).collect();
            let mut gradient = vec![f64::NAN; model.parameters().len()];
            model.gradient(&features, &mut gradient);
            for (i, slope) in gradient.iter().enumerate() {
                let step = 1e-6;
                model.parameters_mut()[i] += step;
                let above = model.value(&features);
                model.parameters_mut()[i] -= 2.0 * step;
                let below = model.value(&features);
                model.parameters_mut()[i] += step;
                assert!((slope - (above - below) / (2.0 * step)).abs() < 1e-6, "parameter {i}");
            }
        }
    }
}
