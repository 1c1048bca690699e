//! What a hidden unit makes of its potential.

/// The function of a hidden unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Activation {
    /// 1 / (1 + e^(-(p - theta) / T)) (Müller 1992, equation 1.4). The bias of each unit is learned beside theta, which is
    /// the same for all.
    Sigmoid {
        /// T: the smaller, the steeper.
        temperature: f64,
        /// Where the function is 1/2.
        theta: f64,
    },
    /// The hyperbolic tangent.
    Tanh,
    /// The potential where it is above 0, else 0.
    Relu,
}

impl Activation {
    /// The sigmoid with T = 1 and theta = 0.
    pub const SIGMOID: Activation = Activation::Sigmoid { temperature: 1.0, theta: 0.0 };

    /// The output for a potential.
    #[inline]
    pub fn output(self, potential: f64) -> f64 {
        match self {
            Activation::Sigmoid { temperature, theta } => sigmoid((potential - theta) / temperature),
            Activation::Tanh => math::tanh(potential),
            Activation::Relu => potential.max(0.0),
        }
    }

    /// The derivative of the output by the potential, from the output.
    #[inline]
    pub fn slope(self, output: f64) -> f64 {
        match self {
            Activation::Sigmoid { temperature, .. } => output * (1.0 - output) / temperature,
            Activation::Tanh => 1.0 - output * output,
            Activation::Relu => f64::from(u8::from(output > 0.0)),
        }
    }

    /// What stands after the sizes of the layers in the name of a network, as `, relu`.
    pub(super) fn suffix(self) -> String {
        match self {
            Activation::SIGMOID => String::new(),
            Activation::Sigmoid { temperature, theta } => {
                let word = |name: &str, value: f64, usual: f64| {
                    if value == usual { String::new() } else { format!(", {name}={value}") }
                };
                format!(", sigmoid{}{}", word("T", temperature, 1.0), word("theta", theta, 0.0))
            }
            Activation::Tanh => ", tanh".to_string(),
            Activation::Relu => ", relu".to_string(),
        }
    }
}

/// 1 / (1 + e^-x).
#[inline]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + math::exp(-x))
}
