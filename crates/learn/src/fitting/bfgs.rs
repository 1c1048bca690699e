//! BFGS (Broyden, Fletcher, Goldfarb and Shanno, 1970): quasi-Newton with the whole inverse of the second derivatives
//! (Nocedal & Wright 2006, algorithm 6.1). It is the method of Müller 1992.

use super::options::{OptimiserError, Options};
use super::wolfe::{dot, search};
use super::{Objective, Optimiser, Point, Stop};

/// Relative changes of the loss below this count for nothing, if they come twice in a row.
pub(super) const NOTHING: f64 = 1e-12;

/// The estimate of the inverse, row by row; empty before the first step.
#[derive(Debug, Default)]
struct Bfgs {
    inverse: Vec<f64>,
    idle: bool,
}

pub fn make(_options: &Options, _seed: u64) -> Result<Box<dyn Optimiser>, OptimiserError> {
    Ok(Box::new(Bfgs::default()))
}

impl Bfgs {
    /// H y, row by row.
    fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.inverse.chunks_exact(vector.len()).map(|row| dot(row, vector)).collect()
    }

    /// Equation 6.17, multiplied out: H - rho (s (H y)' + (H y) s') + rho (1 + rho y' H y) s s'.
    fn update(&mut self, s: &[f64], y: &[f64]) {
        let (n, curvature) = (s.len(), dot(s, y));
        // The Wolfe conditions promise that it is above 0; where rounding breaks the promise the step teaches nothing.
        if curvature.is_nan() || curvature <= 1e-14 * dot(y, y) {
            return;
        }
        if self.inverse.is_empty() {
            // Equation 6.20: the first step gives the matrix its size.
            self.inverse = vec![0.0; n * n];
            (0..n).for_each(|i| self.inverse[i * n + i] = curvature / dot(y, y));
        }
        let (rho, hy) = (1.0 / curvature, self.times(y));
        let both = rho * (1.0 + rho * dot(y, &hy));
        for (i, row) in self.inverse.chunks_exact_mut(n).enumerate() {
            let (along_hy, along_s) = (rho * s[i], both * s[i] - rho * hy[i]);
            for (place, (hy, s)) in row.iter_mut().zip(hy.iter().zip(s)) {
                *place += along_s * s - along_hy * hy;
            }
        }
    }
}

/// The first step knows nothing of curvature: as long as 1, or shorter where the slope is small.
pub(super) fn first_step(gradient: &[f64]) -> f64 {
    1.0 / dot(gradient, gradient).sqrt().max(1.0)
}

impl Optimiser for Bfgs {
    fn iterate(&mut self, objective: &dyn Objective, point: &mut Point) -> Option<Stop> {
        loop {
            let knows = !self.inverse.is_empty();
            let (direction, first) = if knows {
                (self.times(&point.gradient).iter().map(|d| -d).collect(), 1.0)
            } else {
                (point.gradient.iter().map(|d| -d).collect::<Vec<f64>>(), first_step(&point.gradient))
            };
            let Some(next) = search(objective, point, &direction, first) else {
                if !knows {
                    return Some(Stop::NoProgress);
                }
                // Begin again down the slope.
                self.inverse.clear();
                continue;
            };
            let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
            let s = difference(&next.parameters, &point.parameters);
            let y = difference(&next.gradient, &point.gradient);
            self.update(&s, &y);
            let idle = point.loss - next.loss <= NOTHING * point.loss.abs();
            *point = next;
            let again = std::mem::replace(&mut self.idle, idle);
            return (idle && again).then_some(Stop::NoProgress);
        }
    }
}
