//! Feed-forward networks of any number of layers. All hidden units have one activation; the output unit is linear, and
//! under the sigmoid of the papers its value is the logarithm of the odds, (p - theta) / T: what the sigmoid of equation
//! 1.4 would be taken of. The order of positions is the same, and an even one is worth 0, as a drawn game is.

use notation::Argument;

use super::activation::Activation;
use super::{Form, Model};

/// The largest hidden layer.
const MOST_UNITS: usize = 1000;
/// The most hidden layers.
const MOST_LAYERS: usize = 50;
/// Layers up to this size are worked on without asking for memory.
const FEW: usize = 64;

/// The shape of a network: its hidden layers and what their units do.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// The number of units of each hidden layer.
    pub hidden: Vec<usize>,
    /// What they make of their potentials.
    pub activation: Activation,
}

impl Layers {
    /// Reads `16` or `32, 16, tanh` or `16, sigmoid, T=0.5, theta=1`; `None` if it is none of these.
    pub fn parse(arguments: &[Argument]) -> Option<Self> {
        let mut rest = arguments.iter().peekable();
        let mut hidden = Vec::new();
        while let Some(units) = rest.peek().and_then(|size| size.bare()?.parse::<usize>().ok()) {
            if !(1..=MOST_UNITS).contains(&units) || hidden.len() == MOST_LAYERS {
                return None;
            }
            hidden.push(units);
            rest.next();
        }
        let mut activation = match rest.next().map(Argument::bare) {
            None | Some(Some("sigmoid")) => Activation::SIGMOID,
            Some(Some("tanh")) => Activation::Tanh,
            Some(Some("relu")) => Activation::Relu,
            Some(_) => return None,
        };
        let mut seen = Vec::new();
        for Argument { key, value } in rest {
            let value = value.parse::<f64>().ok().filter(|value| value.abs() <= 1e6)?;
            let Activation::Sigmoid { temperature, theta } = &mut activation else { return None };
            match key.as_deref()? {
                "T" if value >= 1e-6 => *temperature = value,
                "theta" => *theta = value,
                _ => return None,
            }
            if seen.contains(&key) {
                return None;
            }
            seen.push(key);
        }
        (!hidden.is_empty()).then_some(Self { hidden, activation })
    }

    /// The text between the brackets, of which [`Layers::parse`] reads the arguments.
    pub fn text(&self) -> String {
        let sizes: Vec<String> = self.hidden.iter().map(ToString::to_string).collect();
        sizes.join(", ") + &self.activation.suffix()
    }

    /// The sizes of all layers from the inputs to the output.
    pub(super) fn widths(&self, inputs: usize) -> Vec<usize> {
        [inputs].into_iter().chain(self.hidden.iter().copied()).chain([1]).collect()
    }

    /// The number of parameters: for each unit its weights and its bias.
    pub fn size(&self, inputs: usize) -> usize {
        self.widths(inputs).windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum()
    }

    /// The name of every parameter: from where to where.
    pub(super) fn names(&self, features: &[String]) -> Vec<String> {
        let mut sources = features.to_vec();
        let mut names = Vec::new();
        for (layer, units) in self.hidden.iter().copied().chain([1]).enumerate() {
            let is_output = layer == self.hidden.len();
            let unit = |j: usize| if is_output { "value".to_string() } else { format!("{}.{j}", layer + 1) };
            for target in (1..=units).map(unit) {
                let all = sources.iter().map(String::as_str).chain(["bias"]);
                names.extend(all.map(|source| format!("{source}>{target}")));
            }
            sources = (1..=units).map(unit).collect();
        }
        names
    }
}

/// The network. Parameters: layer by layer, for each unit its weights and its bias.
#[derive(Debug, Clone, PartialEq)]
pub struct Layered {
    widths: Vec<usize>,
    activation: Activation,
    parameters: Vec<f64>,
}

impl Layered {
    /// A network of this shape.
    ///
    /// # Panics
    /// If the number of parameters is not that of the shape.
    pub fn new(inputs: usize, layers: &Layers, parameters: Vec<f64>) -> Self {
        assert_eq!(
            parameters.len(),
            layers.size(inputs),
            "parameters of {}",
            Form::Mlp(layers.clone()).name()
        );
        Self { widths: layers.widths(inputs), activation: layers.activation, parameters }
    }

    fn hidden(&self) -> usize {
        self.widths.len() - 2
    }

    /// From the potential of the output unit to the value, and the derivative of that.
    fn output(&self, potential: f64) -> (f64, f64) {
        match self.activation {
            Activation::Sigmoid { temperature, theta } => {
                ((potential - theta) / temperature, 1.0 / temperature)
            }
            _ => (potential, 1.0),
        }
    }
}

/// w x + b
#[inline]
fn potential(unit: &[f64], inputs: &[f64]) -> f64 {
    let (weights, bias) = unit.split_at(inputs.len());
    weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum::<f64>() + bias[0]
}

impl Model for Layered {
    fn inputs(&self) -> usize {
        self.widths[0]
    }

    fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.parameters
    }

    fn value(&self, features: &[f64]) -> f64 {
        assert_eq!(features.len(), self.widths[0], "one feature for each input");
        let widest = self.widths[1..].iter().copied().max().expect("there is an output");
        let (mut few, mut many) = ([[0.0; FEW]; 2], Vec::new());
        let [mut from, mut to] = if widest <= FEW {
            let [a, b] = &mut few;
            [&mut a[..], &mut b[..]]
        } else {
            many.resize(2 * widest, 0.0);
            let (a, b) = many.split_at_mut(widest);
            [a, b]
        };
        let mut rest = &self.parameters[..];
        for layer in 0..self.hidden() {
            let (width, units) = (self.widths[layer], self.widths[layer + 1]);
            let (own, others) = rest.split_at((width + 1) * units);
            let inputs = if layer == 0 { features } else { &from[..width] };
            for (unit, out) in own.chunks_exact(width + 1).zip(to.iter_mut()) {
                *out = self.activation.output(potential(unit, inputs));
            }
            std::mem::swap(&mut from, &mut to);
            rest = others;
        }
        self.output(potential(rest, &from[..self.widths[self.hidden()]])).0
    }

    fn gradient(&self, features: &[f64], gradient: &mut [f64]) {
        self.value_and_gradient(features, gradient);
    }

    /// Backpropagation.
    fn value_and_gradient(&self, features: &[f64], gradient: &mut [f64]) -> f64 {
        // The outputs of all hidden layers, one after the other.
        let mut outputs: Vec<f64> = Vec::with_capacity(self.widths.iter().sum());
        let (mut rest, mut start) = (&self.parameters[..], 0);
        for layer in 0..self.hidden() {
            let (width, units) = (self.widths[layer], self.widths[layer + 1]);
            let (own, others) = rest.split_at((width + 1) * units);
            let end = outputs.len();
            for unit in own.chunks_exact(width + 1) {
                let inputs = if layer == 0 { features } else { &outputs[start..end] };
                let out = self.activation.output(potential(unit, inputs));
                outputs.push(out);
            }
            start = end;
            rest = others;
        }
        let (value, slope) = self.output(potential(rest, &outputs[start..]));
        // Backwards: the derivative of the value by the potential of each unit of a layer.
        let mut slopes = vec![slope];
        let (mut last, mut end) = (self.parameters.len(), outputs.len());
        let mut layer = self.hidden();
        loop {
            let width = self.widths[layer];
            let first = last - (width + 1) * slopes.len();
            let inputs = if layer == 0 { features } else { &outputs[end - width..end] };
            for (slope, row) in slopes.iter().zip(gradient[first..last].chunks_exact_mut(width + 1)) {
                for (place, input) in row.iter_mut().zip(inputs) {
                    *place = slope * input;
                }
                row[width] = *slope;
            }
            if layer == 0 {
                return value;
            }
            let mut before = vec![0.0; width];
            for (slope, unit) in slopes.iter().zip(self.parameters[first..last].chunks_exact(width + 1)) {
                for (sum, weight) in before.iter_mut().zip(unit) {
                    *sum += slope * weight;
                }
            }
            for (sum, output) in before.iter_mut().zip(inputs) {
                *sum *= self.activation.slope(*output);
            }
            slopes = before;
            (last, end) = (first, end - width);
            layer -= 1;
        }
    }
}
