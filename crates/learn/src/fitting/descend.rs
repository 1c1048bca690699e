//! The loop around an optimiser: iterations, the loss on examples that are not learned from, and the reason to stop.

use std::ops::ControlFlow;

use super::{Objective, Optimiser, Point};

/// Why a fit has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The gradient is as good as 0.
    Converged,
    /// No step makes the loss smaller by anything that counts.
    NoProgress,
    /// The loss of the validation has not fallen for so many iterations.
    Validation,
    /// All iterations are done.
    Iterations,
    /// Whoever watched has had enough.
    BrokenOff,
    /// The loss is no number any more.
    Diverged,
}

impl Stop {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Stop::Converged => "converged: the gradient is 0",
            Stop::NoProgress => "no step makes the loss smaller",
            Stop::Validation => "the validation loss no longer falls",
            Stop::Iterations => "all iterations are done",
            Stop::BrokenOff => "broken off",
            Stop::Diverged => "diverged: the loss is no number; a smaller rate may help",
        }
    }
}

/// How long a fit may go on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Iterations.
    pub iterations: usize,
    /// Iterations without a smaller validation loss, if there is validation.
    pub patience: usize,
    /// The largest derivative that counts as 0.
    pub gradient: f64,
}

/// A fit after one of its iterations; the start is number 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trace {
    /// The number.
    pub iteration: usize,
    /// The loss on the examples that are learned from.
    pub training: f64,
    /// The loss on the others, if there are any.
    pub validation: Option<f64>,
}

/// What a fit has come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The parameters with the least validation loss; without validation those with the least loss.
    pub parameters: Vec<f64>,
    /// Where they were found.
    pub best: Trace,
    /// Every iteration.
    pub trace: Vec<Trace>,
    /// Why it has ended.
    pub stop: Stop,
}

/// Goes down from some parameters. `validate` gives the loss on examples that are not learned from, if there are any.
pub fn descend(
    objective: &dyn Objective,
    optimiser: &mut dyn Optimiser,
    start: Vec<f64>,
    limits: &Limits,
    validate: &dyn Fn(&[f64]) -> Option<f64>,
    watch: &mut dyn FnMut(&Trace) -> ControlFlow<()>,
) -> Fitted {
    let mut point = Point::of(objective, start);
    let first = Trace { iteration: 0, training: point.loss, validation: validate(&point.parameters) };
    let mut fitted = Fitted {
        parameters: point.parameters.clone(),
        best: first,
        trace: vec![first],
        stop: Stop::Iterations,
    };
    let judged = |trace: &Trace| trace.validation.unwrap_or(trace.training);
    for iteration in 1..=limits.iterations {
        if point.gradient.iter().all(|slope| slope.abs() <= limits.gradient) {
            fitted.stop = Stop::Converged;
            break;
        }
        let ended = optimiser.iterate(objective, &mut point);
        if !point.loss.is_finite() {
            fitted.stop = Stop::Diverged;
            break;
        }
        let now = Trace { iteration, training: point.loss, validation: validate(&point.parameters) };
        fitted.trace.push(now);
        if judged(&now) < judged(&fitted.best) {
            fitted.best = now;
            fitted.parameters.clone_from(&point.parameters);
        }
        let told = watch(&now);
        let stop = match ended {
            Some(reason) => Some(reason),
            None if told.is_break() => Some(Stop::BrokenOff),
            None if now.validation.is_some() && iteration - fitted.best.iteration >= limits.patience => {
                Some(Stop::Validation)
            }
            None => None,
        };
        if let Some(reason) = stop {
            fitted.stop = reason;
            break;
        }
    }
    fitted
}
