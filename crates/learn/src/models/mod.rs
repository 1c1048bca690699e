//! Models: functions of features with parameters in one flat slice. One model a file, and one line in the list.

mod activation;
mod exponential;
mod layered;
mod linear;
mod logistic;
mod network;
mod polynomial;
mod start;

pub use activation::{Activation, sigmoid};
pub use exponential::Exponential;
pub use layered::{Layered, Layers};
pub use linear::Linear;
pub use logistic::Logistic;
pub use network::Network;
pub use polynomial::{Polynomial, Products};

use notation::Call;
use thiserror::Error;

use crate::Entry;

/// The one list of models.
pub const MODELS: &[Entry] = &[
    Entry { name: "linear", summary: "weighted sum of the features" },
    Entry {
        name: "exponential",
        summary: "weighted sum of powers of the features, each with its exponent (Böhm et al.)",
    },
    Entry {
        name: "displaced",
        summary: "the same of the distance of each feature from a displacement (Böhm et al.)",
    },
    Entry { name: "network(N)", summary: "N hidden tanh units over the features, linear output" },
    Entry { name: "logistic", summary: "weighted sum and a constant: the logarithm of the odds of winning" },
    Entry {
        name: "polynomial(D)",
        summary: "weighted sum of the features and of all products of up to D of them, D being 2 or 3",
    },
    Entry {
        name: "mlp(N, ..., sigmoid|tanh|relu)",
        summary: "network of any number of hidden layers, each unit with a bias; sigmoid takes T=1, theta=0",
    },
];

/// A function of features that is fixed by its parameters. Higher is better.
pub trait Model: Send + Sync {
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

    /// Both at once, for models that find the value on the way.
    fn value_and_gradient(&self, features: &[f64], gradient: &mut [f64]) -> f64 {
        self.gradient(features, gradient);
        self.value(features)
    }
}

/// The form of a model, without its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// [`Linear`].
    Linear,
    /// [`Exponential`] without displacement.
    Exponential,
    /// [`Exponential`] with displacement.
    Displaced,
    /// [`Network`] with so many hidden units.
    Network(usize),
    /// [`Logistic`].
    Logistic,
    /// [`Polynomial`] of this degree.
    Polynomial(usize),
    /// [`Layered`].
    Mlp(Layers),
}

/// The most parameters of a model that has more of them than features.
pub const MOST_PARAMETERS: usize = 1_000_000;

/// A model would have too many parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{form} of {inputs} features has {parameters} parameters; allowed: at most {MOST_PARAMETERS}, by fewer features, phases or products"
)]
pub struct TooManyParameters {
    /// The form.
    pub form: String,
    /// The number of features, those of each phase counted.
    pub inputs: usize,
    /// The number of parameters.
    pub parameters: usize,
}

/// More hidden units than a small network has.
const MOST_HIDDEN: usize = 1000;

impl Form {
    /// The form of this name, as `linear` or `network(8)`; `None` if there is none.
    pub fn parse(name: &str) -> Option<Form> {
        let call: Call = name.parse().ok()?;
        match (call.name.as_str(), &call.arguments[..]) {
            ("linear", []) => Some(Form::Linear),
            ("exponential", []) => Some(Form::Exponential),
            ("displaced", []) => Some(Form::Displaced),
            ("logistic", []) => Some(Form::Logistic),
            ("mlp", layers) => Layers::parse(layers).map(Form::Mlp),
            ("polynomial", [degree]) => {
                let degree = degree.bare()?.parse().ok()?;
                (2..=Products::MOST).contains(&degree).then_some(Form::Polynomial(degree))
            }
            ("network", [hidden]) => {
                let hidden = hidden.bare()?.parse().ok()?;
                (1..=MOST_HIDDEN).contains(&hidden).then_some(Form::Network(hidden))
            }
            _ => None,
        }
    }

    /// The name that [`Form::parse`] reads.
    pub fn name(&self) -> String {
        match self {
            Form::Linear => "linear".to_string(),
            Form::Exponential => "exponential".to_string(),
            Form::Displaced => "displaced".to_string(),
            Form::Network(hidden) => format!("network({hidden})"),
            Form::Logistic => "logistic".to_string(),
            Form::Polynomial(degree) => format!("polynomial({degree})"),
            Form::Mlp(layers) => format!("mlp({})", layers.text()),
        }
    }

    /// The name of every parameter, in order, for features of these names.
    pub fn parameter_names(&self, features: &[String]) -> Vec<String> {
        let each = |suffix: &str| features.iter().map(|name| format!("{name}{suffix}")).collect::<Vec<_>>();
        match self {
            Form::Linear => features.to_vec(),
            Form::Exponential => [features.to_vec(), each("^")].concat(),
            Form::Displaced => [features.to_vec(), each("^"), each("-")].concat(),
            Form::Network(hidden) => {
                let unit = |j: usize| {
                    features.iter().map(String::as_str).chain(["bias"]).map(move |i| format!("{i}>{j}"))
                };
                (1..=*hidden).flat_map(unit).chain((1..=*hidden).map(|j| format!("{j}>value"))).collect()
            }
            Form::Logistic => [features, &["bias".to_string()]].concat(),
            Form::Polynomial(degree) => Products::new(features.len(), *degree).names(features),
            Form::Mlp(layers) => layers.names(features),
        }
    }

    /// The number of parameters for so many features.
    pub fn parameter_count(&self, inputs: usize) -> usize {
        match self {
            Form::Linear => inputs,
            Form::Exponential => 2 * inputs,
            Form::Displaced => 3 * inputs,
            Form::Network(hidden) => Network::size(inputs, *hidden),
            Form::Logistic => inputs + 1,
            Form::Polynomial(degree) => Products::new(inputs, *degree).count(),
            Form::Mlp(layers) => layers.size(inputs),
        }
    }

    /// Whether a model of so many features fits into memory. A weighted sum is as large as its features, and they are there.
    ///
    /// # Errors
    /// It has too many parameters.
    pub fn check(&self, inputs: usize) -> Result<(), TooManyParameters> {
        let parameters = self.parameter_count(inputs);
        if *self == Form::Linear || parameters <= MOST_PARAMETERS {
            return Ok(());
        }
        Err(TooManyParameters { form: self.name(), inputs, parameters })
    }

    /// The model of this form with these parameters.
    ///
    /// # Panics
    /// If their number is not that of the names.
    pub fn build(&self, inputs: usize, parameters: Vec<f64>) -> Box<dyn Model> {
        match self {
            Form::Linear => Box::new(Linear::new(parameters)),
            Form::Exponential | Form::Displaced => Box::new(Exponential::new(inputs, parameters)),
            Form::Network(hidden) => {
                assert_eq!(parameters.len(), Network::size(inputs, *hidden), "parameters of a network");
                Box::new(Network::new(inputs, parameters))
            }
            Form::Logistic => Box::new(Logistic::new(parameters)),
            Form::Polynomial(degree) => Box::new(Polynomial::new(Products::new(inputs, *degree), parameters)),
            Form::Mlp(layers) => Box::new(Layered::new(inputs, layers, parameters)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A model of every form, with parameters that are not special.
    fn all() -> Vec<(Form, Box<dyn Model>)> {
        let names: Vec<String> = ["a", "b", "c"].map(str::to_string).to_vec();
        let texts = [
            "linear",
            "exponential",
            "displaced",
            "network(2)",
            "logistic",
            "polynomial(2)",
            "polynomial(3)",
            "mlp(2)",
            "mlp(4, sigmoid, T=0.5, theta=-0.25)",
            "mlp(3, 2, tanh)",
            "mlp(5, 3, 2, relu)",
        ];
        let tested = texts.map(notation::name_of);
        assert!(
            MODELS.iter().all(|model| tested.contains(&notation::name_of(model.name))),
            "every listed model is tested here"
        );
        let build = |text: &str| {
            let form = Form::parse(text).expect(text);
            assert_eq!(form.name(), text);
            let count = form.parameter_names(&names).len();
            let model = form.build(3, (0..count).map(|i| 0.9 + 0.37 * math::sin(i as f64 * 1.7)).collect());
            (form, model)
        };
        texts.map(build).into()
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        for (form, mut model) in all() {
            let features: Vec<f64> = (0..model.inputs()).map(|i| 2.5 - 0.7 * i as f64).collect();
            // Some hidden units are to be off.
            if matches!(&form, Form::Mlp(layers) if layers.activation == Activation::Relu) {
                model.parameters_mut().iter_mut().step_by(3).for_each(|parameter| *parameter *= -1.3);
            }
            let mut gradient = vec![f64::NAN; model.parameters().len()];
            model.gradient(&features, &mut gradient);
            let mut again = vec![f64::NAN; gradient.len()];
            let both = model.value_and_gradient(&features, &mut again);
            assert_eq!((both, &again), (model.value(&features), &gradient), "{form:?}");
            for (i, slope) in gradient.iter().enumerate() {
                let step = 1e-6;
                model.parameters_mut()[i] += step;
                let above = model.value(&features);
                model.parameters_mut()[i] -= 2.0 * step;
                let below = model.value(&features);
                model.parameters_mut()[i] += step;
                assert!((slope - (above - below) / (2.0 * step)).abs() < 1e-6, "{form:?} parameter {i}");
            }
        }
    }

    #[test]
    fn forms_are_read_and_written() {
        for (form, model) in all() {
            assert_eq!(Form::parse(&form.name()), Some(form.clone()));
            assert_eq!(model.inputs(), 3);
            let names = form.parameter_names(&["a".into(), "b".into(), "c".into()]);
            let distinct: std::collections::HashSet<&String> = names.iter().collect();
            assert_eq!(distinct.len(), model.parameters().len());
            assert_eq!(form.parameter_count(3), names.len(), "{form:?}");
        }
        for wrong in [
            "",
            "liner",
            "network",
            "network(0)",
            "network(-1)",
            "network(99999999)",
            "network(8",
            "polynomial",
            "polynomial(1)",
            "polynomial(4)",
            "polynomial(x)",
            "mlp",
            "mlp()",
            "mlp(0)",
            "mlp(relu)",
            "mlp(4, relo)",
            "mlp(4, relu, T=1)",
            "mlp(4, T=2)",
            "mlp(4, sigmoid, T=0)",
            "mlp(4, sigmoid, T=nan)",
            "mlp(4, sigmoid, T=1, T=2)",
            "mlp(4, 1001)",
            "mlp(4, sigmoid, 3)",
            "mlp(4, activation=tanh)",
            "mlp(units=4)",
            "linear(2)",
            "network(2, 2)",
            "network(N=2)",
        ] {
            assert_eq!(Form::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_form_or_none(
            text in r#"(linear|network|polynomial|mlp|logistic)?\(?(([0-9]{1,4}|tanh|sigmoid|relu|T=0?\.[0-9]{1,3}|theta=-?[0-9e]{1,3}|.)[, ]{0,2}){0,5}\)?"#
        ) {
            if let Some(form) = Form::parse(&text) {
                prop_assert_eq!(Form::parse(&form.name()), Some(form));
            }
        }
    }

    #[test]
    fn models_beyond_memory_are_refused() {
        // Products of one, two and three of 180 features: 180 + 16290 + 988260.
        assert_eq!(Form::Polynomial(3).parameter_count(180), 1_004_730);
        assert!(Form::Polynomial(3).check(179).is_ok() && Form::Polynomial(2).check(1000).is_ok());
        let error = Form::Polynomial(3).check(180).unwrap_err().to_string();
        assert!(
            error.starts_with(
                "polynomial(3) of 180 features has 1004730 parameters; allowed: at most 1000000"
            ),
            "{error}"
        );
        assert!(Form::parse("mlp(1000, 1000)").unwrap().check(10).is_err());
        assert!(Form::Linear.check(2 * MOST_PARAMETERS).is_ok());
    }

    #[test]
    fn values_by_hand() {
        let value = |form: Form, parameters: &[f64]| form.build(2, parameters.to_vec()).value(&[3.0, 0.0]);
        assert_eq!(value(Form::Linear, &[2.0, 5.0]), 6.0);
        assert_eq!(value(Form::Exponential, &[2.0, 5.0, 2.0, -1.0]), 18.0);
        assert_eq!(value(Form::Displaced, &[2.0, 5.0, 2.0, 1.0, 1.0, 4.0]), 8.0 + 20.0);
        assert!((value(Form::Network(1), &[0.5, 9.0, -1.0, 2.0]) - 2.0 * math::tanh(0.5)).abs() < 1e-12);
        assert_eq!(value(Form::Logistic, &[2.0, 5.0, -1.0]), 5.0);
        assert_eq!(value(Form::Polynomial(2), &[2.0, 5.0, -1.0, 7.0, 9.0]), 6.0 - 9.0);
        let mlp = |text: &str, parameters: &[f64]| value(Form::parse(text).expect(text), parameters);
        // The hidden potential is 3 - 1 = 2; the output is 4 of it and 1 more.
        assert_eq!(mlp("mlp(1, relu)", &[1.0, 9.0, -1.0, 4.0, 1.0]), 9.0);
        assert_eq!(mlp("mlp(1, relu)", &[-1.0, 9.0, -1.0, 4.0, 1.0]), 1.0);
        let inner = 1.0 / (1.0 + math::exp(-(2.0 - 1.0) / 0.5f64));
        let found = mlp("mlp(1, sigmoid, T=0.5, theta=1)", &[1.0, 9.0, -1.0, 4.0, 1.0]);
        assert!((found - (4.0 * inner + 1.0 - 1.0) / 0.5).abs() < 1e-12);
        // Two units of 3 and 0, then one of 3 + 0 + 0.5, then the output.
        let found = mlp("mlp(2, 1, relu)", &[1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 1.0, 0.5, 2.0, -1.0]);
        assert_eq!(found, 6.0);
    }
}
