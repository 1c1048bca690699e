//! Logistic regression: the value is the logarithm of the odds of winning, a weighted sum of features with a constant.
//! Between two sides an even position is worth 0, as a drawn game is.

use super::Model;

/// The model. Parameters: one weight for each feature, then the constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Logistic {
    parameters: Vec<f64>,
}

impl Logistic {
    /// One weight for each feature, and the constant.
    ///
    /// # Panics
    /// If not even the constant is there.
    pub fn new(parameters: Vec<f64>) -> Self {
        assert!(!parameters.is_empty(), "a logistic model has a constant");
        Self { parameters }
    }
}

impl Model for Logistic {
    fn inputs(&self) -> usize {
        self.parameters.len() - 1
    }

    fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.parameters
    }

    fn value(&self, features: &[f64]) -> f64 {
        let (constant, weights) = self.parameters.split_last().expect("there is a constant");
        assert_eq!(features.len(), weights.len(), "one feature for each weight");
        weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum::<f64>() + constant
    }

    fn gradient(&self, features: &[f64], gradient: &mut [f64]) {
        gradient[..features.len()].copy_from_slice(features);
        gradient[features.len()] = 1.0;
    }
}
