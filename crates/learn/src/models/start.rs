//! Where the parameters of a model begin, and inputs that are measured on another scale.

use super::{Activation, Form, Products};
use crate::random::Random;

impl Form {
    /// Parameters to begin a fit from, drawn by lot: small enough that no unit is saturated by inputs of spread 1.
    pub fn initial(&self, inputs: usize, random: &mut Random) -> Vec<f64> {
        let mut draw = |count: usize, spread: f64| -> Vec<f64> {
            (0..count).map(|_| spread * random.normal()).collect()
        };
        let few = 0.1 / (inputs.max(1) as f64).sqrt();
        match self {
            Form::Linear => draw(inputs, few),
            Form::Logistic => draw(inputs + 1, few),
            Form::Polynomial(degree) => draw(Products::new(inputs, *degree).count(), few),
            Form::Exponential => [draw(inputs, few), vec![1.0; inputs]].concat(),
            Form::Displaced => [draw(inputs, few), vec![1.0; inputs], vec![0.0; inputs]].concat(),
            Form::Network(hidden) => {
                let own = draw(hidden * (inputs + 1), 1.0 / (inputs as f64 + 1.0).sqrt());
                [own, draw(*hidden, 1.0 / (*hidden as f64).sqrt())].concat()
            }
            Form::Mlp(layers) => {
                let gain = match layers.activation {
                    Activation::Sigmoid { temperature, .. } => temperature,
                    Activation::Tanh => 1.0,
                    // Half of the units are off.
                    Activation::Relu => std::f64::consts::SQRT_2,
                };
                let layer =
                    |pair: &[usize]| draw((pair[0] + 1) * pair[1], gain / (pair[0] as f64 + 1.0).sqrt());
                layers.widths(inputs).windows(2).flat_map(layer).collect()
            }
        }
    }

    /// Whether the inputs may be moved and stretched: the model can make up for it with its own parameters. `None` if not,
    /// `Some(false)` if they may only be stretched, for there is no bias.
    pub fn takes_scaled(&self) -> Option<bool> {
        match self {
            Form::Linear | Form::Polynomial(_) => Some(false),
            Form::Exponential | Form::Displaced => None,
            Form::Logistic | Form::Network(_) | Form::Mlp(_) => Some(true),
        }
    }

    /// From the parameters of a model of (x - mean) / scale to those of the same function of x.
    ///
    /// # Panics
    /// If the form does not take scaled inputs: see [`Form::takes_scaled`].
    pub fn unscaled(&self, parameters: &[f64], means: &[f64], scales: &[f64]) -> Vec<f64> {
        let inputs = means.len();
        let mut all = parameters.to_vec();
        let units = match self {
            Form::Linear => {
                assert!(means.iter().all(|&mean| mean == 0.0), "nothing makes up for the means");
                all.iter_mut().zip(scales).for_each(|(weight, scale)| *weight /= scale);
                return all;
            }
            Form::Polynomial(degree) => {
                assert!(means.iter().all(|&mean| mean == 0.0), "nothing makes up for the means");
                let products = Products::new(inputs, *degree).values(scales);
                all.iter_mut().zip(products).for_each(|(weight, scale)| *weight /= scale);
                return all;
            }
            Form::Logistic => 1,
            Form::Network(hidden) => *hidden,
            Form::Mlp(layers) => layers.hidden[0],
            Form::Exponential | Form::Displaced => panic!("{} takes inputs as they are", self.name()),
        };
        for unit in all.chunks_exact_mut(inputs + 1).take(units) {
            let (weights, bias) = unit.split_at_mut(inputs);
            for (i, weight) in weights.iter_mut().enumerate() {
                *weight /= scales[i];
                bias[0] -= *weight * means[i];
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_function_of_inputs_on_another_scale() {
        let (x, means, scales) = ([3.0, -2.0], [1.0, 4.0], [2.0, 0.5]);
        for text in ["linear", "logistic", "polynomial(3)", "network(3)", "mlp(4, 2, tanh)", "mlp(3)"] {
            let form = Form::parse(text).unwrap();
            let means = if form.takes_scaled() == Some(true) { means } else { [0.0; 2] };
            let parameters = form.initial(2, &mut Random::seeded(5));
            let scaled: Vec<f64> = (0..2).map(|i| (x[i] - means[i]) / scales[i]).collect();
            let plain = form.build(2, form.unscaled(&parameters, &means, &scales)).value(&x);
            assert!((form.build(2, parameters).value(&scaled) - plain).abs() < 1e-12, "{text}");
        }
    }

    #[test]
    fn every_form_begins_somewhere_and_the_seed_says_where() {
        let names = ["a".to_string(), "b".to_string()];
        for text in [
            "linear",
            "exponential",
            "displaced",
            "network(3)",
            "logistic",
            "polynomial(2)",
            "mlp(3, 2, relu)",
        ] {
            let form = Form::parse(text).unwrap();
            let of = |seed| form.initial(2, &mut Random::seeded(seed));
            assert_eq!(of(1).len(), form.parameter_names(&names).len());
            assert_eq!(of(1), of(1));
            assert_ne!(of(1), of(2));
        }
    }
}
