//! L-BFGS: the direction of BFGS from the last few steps only (Nocedal & Wright 2006, algorithms 7.4 and 7.5).

use std::collections::VecDeque;

use super::bfgs::{NOTHING, first_step};
use super::options::{OptimiserError, Options};
use super::wolfe::{dot, search};
use super::{Objective, Optimiser, Point, Stop};

/// A step: what the parameters and what the gradient changed by, and 1 / s'y.
struct Step {
    s: Vec<f64>,
    y: Vec<f64>,
    rho: f64,
}

struct Lbfgs {
    memory: usize,
    steps: VecDeque<Step>,
    idle: bool,
}

pub fn make(options: &Options, _seed: u64) -> Result<Box<dyn Optimiser>, OptimiserError> {
    Ok(Box::new(Lbfgs { memory: options.whole("memory")?, steps: VecDeque::new(), idle: false }))
}

impl Lbfgs {
    /// The two loops: - H gradient.
    fn direction(&self, gradient: &[f64]) -> Vec<f64> {
        let mut q: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
        let mut shares = Vec::with_capacity(self.steps.len());
        for step in self.steps.iter().rev() {
            let share = step.rho * dot(&step.s, &q);
            q.iter_mut().zip(&step.y).for_each(|(q, y)| *q -= share * y);
            shares.push(share);
        }
        if let Some(last) = self.steps.back() {
            let scale = 1.0 / (last.rho * dot(&last.y, &last.y));
            q.iter_mut().for_each(|q| *q *= scale);
        }
        for (step, share) in self.steps.iter().zip(shares.into_iter().rev()) {
            let back = step.rho * dot(&step.y, &q);
            q.iter_mut().zip(&step.s).for_each(|(q, s)| *q += (share - back) * s);
        }
        q
    }
}

impl Optimiser for Lbfgs {
    fn iterate(&mut self, objective: &dyn Objective, point: &mut Point) -> Option<Stop> {
        loop {
            let direction = self.direction(&point.gradient);
            let first = if self.steps.is_empty() { first_step(&point.gradient) } else { 1.0 };
            let Some(next) = search(objective, point, &direction, first) else {
                if self.steps.is_empty() {
                    return Some(Stop::NoProgress);
                }
                self.steps.clear();
                continue;
            };
            let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
            let s = difference(&next.parameters, &point.parameters);
            let y = difference(&next.gradient, &point.gradient);
            let curvature = dot(&s, &y);
            if curvature > 1e-14 * dot(&y, &y) {
                if self.steps.len() == self.memory {
                    self.steps.pop_front();
                }
                self.steps.push_back(Step { s, y, rho: 1.0 / curvature });
            }
            let idle = point.loss - next.loss <= NOTHING * point.loss.abs();
            *point = next;
            let again = std::mem::replace(&mut self.idle, idle);
            return (idle && again).then_some(Stop::NoProgress);
        }
    }
}
