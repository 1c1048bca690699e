//! Fitting models to labelled examples by their gradients: losses, optimisers (one a file, and one line in the list) and
//! the loop around them, which knows when to stop. Here losses are minimised; everything else in evalforge is the higher
//! the better.

mod adam;
mod bfgs;
mod descend;
mod lbfgs;
mod loss;
mod options;
mod sgd;
mod shuffle;
#[cfg(test)]
mod tests;
mod wolfe;

pub use descend::{Fitted, Limits, Stop, Trace, descend};
pub use loss::{Examples, LOSSES, Loss};
pub use options::OptimiserError;

use crate::Entry;
use notation::Call;
use options::Options;

/// Something to be minimised: the mean loss over examples, as a function of parameters.
pub trait Objective: Sync {
    /// The number of parameters.
    fn parameters(&self) -> usize;

    /// The number of examples.
    fn examples(&self) -> usize;

    /// The mean loss over these examples, or over all, and its derivatives, which overwrite `gradient`; not a number if it is told to stop.
    fn evaluate(&self, parameters: &[f64], batch: Option<&[usize]>, gradient: &mut [f64]) -> f64;
}

/// Where a fit has come to: parameters, and loss and gradient there, over all examples.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// The loss.
    pub loss: f64,
    /// Its derivatives.
    pub gradient: Vec<f64>,
}

impl Point {
    /// With loss and gradient of these parameters.
    pub fn of(objective: &dyn Objective, parameters: Vec<f64>) -> Self {
        let mut gradient = vec![0.0; parameters.len()];
        let loss = objective.evaluate(&parameters, None, &mut gradient);
        Self { parameters, loss, gradient }
    }
}

/// A way downhill.
pub trait Optimiser {
    /// One step, or one pass through all examples; a reason if there is no going on.
    fn iterate(&mut self, objective: &dyn Objective, point: &mut Point) -> Option<Stop>;
}

/// An optimiser at its beginning, or what is wrong with its options.
type Made = Result<Box<dyn Optimiser>, OptimiserError>;

/// An optimiser in the list.
#[derive(Debug, Clone, Copy)]
pub struct OptimiserEntry {
    /// Its name and what it is.
    pub entry: Entry,
    /// Its options with what they are unless given.
    pub options: &'static [(&'static str, f64)],
    /// Iterations that are usually enough.
    pub iterations: usize,
    /// The most parameters it is made for.
    pub most_parameters: usize,
    make: fn(&Options, u64) -> Made,
}

/// The one list of optimisers.
pub const OPTIMISERS: &[OptimiserEntry] = &[
    OptimiserEntry {
        entry: Entry { name: "bfgs", summary: "full quasi-Newton with a strong-Wolfe line search" },
        options: &[],
        iterations: 200,
        // The matrix has the square of this: 200 MB.
        most_parameters: 5000,
        make: bfgs::make,
    },
    OptimiserEntry {
        entry: Entry { name: "lbfgs", summary: "the same from the last few steps, for many parameters" },
        options: &[("memory", 10.0)],
        iterations: 300,
        most_parameters: usize::MAX,
        make: lbfgs::make,
    },
    OptimiserEntry {
        entry: Entry { name: "adam", summary: "steps after small batches, scaled for each parameter" },
        options: &[("rate", 0.003), ("batch", 64.0)],
        iterations: 50,
        most_parameters: usize::MAX,
        make: adam::make,
    },
    OptimiserEntry {
        entry: Entry { name: "sgd", summary: "steps down the gradient of small batches, with momentum" },
        options: &[("rate", 0.05), ("momentum", 0.9), ("batch", 64.0)],
        iterations: 50,
        most_parameters: usize::MAX,
        make: sgd::make,
    },
];

/// A way downhill as its text says, not yet begun: `bfgs`, `adam(rate=0.01, batch=128)`.
#[derive(Debug, Clone)]
pub struct Method {
    listed: &'static OptimiserEntry,
    options: Options,
}

impl Method {
    /// Reads the text of an optimiser.
    ///
    /// # Errors
    /// It is unknown, or has an option that is unknown or not allowed.
    pub fn parse(text: &str) -> Result<Self, OptimiserError> {
        let call: Call = text.parse().map_err(|_| OptimiserError::Syntax(text.trim().to_string()))?;
        let listed = OPTIMISERS.iter().find(|one| one.entry.name == call.name);
        let listed = listed.ok_or_else(|| OptimiserError::Unknown(call.name.clone()))?;
        let method = Self { listed, options: Options::parse(&call, listed.options)? };
        method.optimiser(0)?;
        Ok(method)
    }

    /// Its line in the list.
    pub fn listed(&self) -> &'static OptimiserEntry {
        self.listed
    }

    /// The text that [`Method::parse`] reads, with the options that are not the usual ones.
    pub fn text(&self) -> String {
        self.options.text(self.listed.entry.name, self.listed.options)
    }

    /// The optimiser at its beginning; what it leaves to chance comes from the seed.
    ///
    /// # Errors
    /// An option is not allowed.
    pub fn optimiser(&self, seed: u64) -> Result<Box<dyn Optimiser>, OptimiserError> {
        (self.listed.make)(&self.options, seed)
    }
}
