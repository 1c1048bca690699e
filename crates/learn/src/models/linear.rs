//! The linear function of the papers: f(P) = a1 c1(P) + ... + an cn(P) (Müller 1992, equation 1.1).

use super::Model;

/// A weighted sum of features, without a constant: a constant never changes a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    weights: Vec<f64>,
}

impl Linear {
    /// One weight for each feature.
    pub fn new(weights: Vec<f64>) -> Self {
        Self { weights }
    }
}

impl Model for Linear {
    fn inputs(&self) -> usize {
        self.weights.len()
    }

    fn parameters(&self) -> &[f64] {
        &self.weights
    }

    fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.weights
    }

    fn value(&self, features: &[f64]) -> f64 {
        assert_eq!(features.len(), self.weights.len(), "one feature for each weight");
        self.weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    }

    fn gradient(&self, features: &[f64], gradient: &mut [f64]) {
        gradient.copy_from_slice(features);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_is_the_weighted_sum() {
        assert_eq!(Linear::new(vec![2.0, -1.0]).value(&[3.0, 4.0]), 2.0);
    }
}
