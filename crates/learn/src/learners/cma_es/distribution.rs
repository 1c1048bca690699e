//! The normal distribution that CMA-ES samples and its update. Equation numbers are those of Hansen's tutorial
//! (arXiv:1604.00772), appendix A. Matrices are flat and row-major.

use serde::{Deserialize, Serialize};

use super::eigen::eigen;
use super::parameters::Parameters;
use crate::random::Random;

/// No step size leaves this range, whatever the values are: the state stays finite.
const STEPS: (f64, f64) = (1e-150, 1e150);
/// The largest eigenvalue of C is kept in this range by moving scale into the step size.
const SCALES: (f64, f64) = (1e-50, 1e50);
/// The least eigenvalue of C, as a part of the largest.
const LEAST_EIGENVALUE: f64 = 1e-16;

/// The distribution N(m, sigma^2 C), and the offspring drawn from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// The default parameters for its size.
    pub parameters: Parameters,
    /// m.
    pub mean: Vec<f64>,
    /// sigma.
    pub sigma: f64,
    /// C; only the lower triangle is kept.
    covariance: Vec<f64>,
    /// The columns of B, the eigenvectors of C, each as a row.
    directions: Vec<f64>,
    /// The diagonal of D, the roots of the eigenvalues of C, ascending.
    pub axes: Vec<f64>,
    /// Updates of C since it was decomposed.
    age: u64,
    path_sigma: Vec<f64>,
    /// p_c.
    pub path_c: Vec<f64>,
    /// Updates so far.
    pub generation: u64,
    #[serde(skip)]
    offspring: Offspring,
}

/// The generation that was asked for. It is not saved: a learner is saved when it has been told.
#[derive(Debug, Clone, Default, PartialEq)]
struct Offspring {
    /// y of each, one after the other.
    steps: Vec<f64>,
    /// The squared length of each in the metric of C.
    squares: Vec<f64>,
    /// Room for one vector.
    vector: Vec<f64>,
    /// Room for another.
    other: Vec<f64>,
}

impl Distribution {
    /// The distribution N(mean, sigma^2 I).
    pub fn new(mean: Vec<f64>, sigma: f64, parameters: Parameters) -> Self {
        let n = mean.len();
        let mut identity = vec![0.0; n * n];
        identity.iter_mut().step_by(n + 1).for_each(|entry| *entry = 1.0);
        Self {
            parameters,
            mean,
            sigma,
            covariance: identity.clone(),
            directions: identity,
            axes: vec![1.0; n],
            age: 0,
            path_sigma: vec![0.0; n],
            path_c: vec![0.0; n],
            generation: 0,
            offspring: Offspring::default(),
        }
    }

    /// The standard deviation of each coordinate.
    pub fn deviations(&self) -> impl Iterator<Item = f64> + '_ {
        let diagonal = self.covariance.iter().step_by(self.mean.len() + 1);
        diagonal.map(|variance| self.sigma * variance.sqrt())
    }

    /// An axis of the ellipsoid: its direction and its length without sigma.
    pub fn axis(&self, k: usize) -> (&[f64], f64) {
        let n = self.mean.len();
        (&self.directions[k * n..(k + 1) * n], self.axes[k])
    }

    /// Draws a generation and hands each point to `take`; with `normalize` every point is brought to length 1 first.
    pub fn sample(&mut self, random: &mut Random, normalize: bool, mut take: impl FnMut(Vec<f64>)) {
        if self.age >= self.parameters.gap {
            self.decompose();
        }
        let n = self.mean.len();
        let population = self.parameters.weights.len();
        self.offspring.steps.resize(population * n, 0.0);
        self.offspring.squares.resize(population, 0.0);
        self.offspring.vector.resize(n, 0.0);
        self.offspring.other.resize(n, 0.0);
        for k in 0..population {
            let step = &mut self.offspring.steps[k * n..(k + 1) * n];
            step.fill(0.0);
            let mut square = 0.0;
            for (direction, axis) in self.directions.chunks_exact(n).zip(&self.axes) {
                let z = random.normal(); // (38)
                square += z * z;
                add(step, axis * z, direction); // (39)
            }
            let point = self.mean.iter().zip(&*step).map(|(m, y)| m + self.sigma * y); // (40)
            let mut point: Vec<f64> = point.collect();
            if normalize {
                square = self.normalize(k, &mut point);
            }
            self.offspring.squares[k] = square;
            take(point);
        }
    }

    /// Brings the point of an offspring to length 1 (Boumaza 2013, section 4.2.1: the length of a weight vector changes no
    /// choice, so that without this the distribution runs away along its ray). The step becomes the one that leads there;
    /// its squared length is returned.
    fn normalize(&mut self, k: usize, point: &mut [f64]) -> f64 {
        let n = point.len();
        let length = dot(point, point).sqrt();
        if length > 0.0 {
            point.iter_mut().for_each(|x| *x /= length);
        }
        let Offspring { steps, vector, .. } = &mut self.offspring;
        let step = &mut steps[k * n..(k + 1) * n];
        for (y, (x, m)) in step.iter_mut().zip(point.iter().zip(&self.mean)) {
            *y = (x - m) / self.sigma;
        }
        whiten(&self.directions, &self.axes, step, vector);
        // A step that was not drawn may have any length. One too long to have been drawn is cut (Hansen, Injecting External
        // Solutions Into CMA-ES, 2011), or a single one could blow C up.
        let most = (n as f64).sqrt() + 2.0 * n as f64 / (n as f64 + 2.0);
        let square = dot(vector, vector);
        if square <= most * most {
            return square;
        }
        step.iter_mut().for_each(|y| *y *= most / square.sqrt());
        most * most
    }

    /// Learns from the offspring, their numbers given best first.
    pub fn update(&mut self, order: &[usize]) {
        let n = self.mean.len();
        let Parameters { weights, mu, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi, .. } = &self.parameters;
        let Offspring { steps, squares, vector: mean_step, other } = &mut self.offspring;
        assert_eq!(order.len(), squares.len(), "ask before tell");
        self.generation += 1;

        // (41), (42) with c_m = 1 (54).
        mean_step.fill(0.0);
        for (&k, &weight) in order.iter().zip(weights).take(*mu) {
            add(mean_step, weight, &steps[k * n..(k + 1) * n]);
        }
        add(&mut self.mean, self.sigma, mean_step);

        // (43): p_sigma takes C^(-1/2) y_w = B D^-1 B^T y_w.
        whiten(&self.directions, &self.axes, mean_step, other);
        self.path_sigma.iter_mut().for_each(|p| *p *= 1.0 - c_sigma);
        let gain = (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        for (direction, t) in self.directions.chunks_exact(n).zip(&*other) {
            add(&mut self.path_sigma, gain * t, direction);
        }
        let length = dot(&self.path_sigma, &self.path_sigma).sqrt();

        // (45), where h_sigma keeps a long p_sigma out of p_c: sigma is about to grow anyhow.
        let settled = (1.0 - math::powf(1.0 - c_sigma, 2.0 * self.generation as f64)).sqrt();
        let h_sigma = length / settled < (1.4 + 2.0 / (n as f64 + 1.0)) * chi;
        self.path_c.iter_mut().for_each(|p| *p *= 1.0 - c_c);
        if h_sigma {
            add(&mut self.path_c, (c_c * (2.0 - c_c) * mu_eff).sqrt(), mean_step);
        }

        // (47): decay, rank one, rank mu.
        let delta = if h_sigma { 0.0 } else { c_c * (2.0 - c_c) };
        let sum: f64 = weights.iter().sum();
        let decay = 1.0 + c_1 * delta - c_1 - c_mu * sum;
        for i in 0..n {
            let (row, scaled) = (&mut self.covariance[i * n..=i * n + i], c_1 * self.path_c[i]);
            for (entry, p) in row.iter_mut().zip(&self.path_c) {
                *entry = decay * *entry + scaled * p;
            }
        }
        for (&k, &weight) in order.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            // (46): a bad offspring counts as if it were of the expected length, or a long one could make C indefinite.
            let weight = if weight < 0.0 { weight * n as f64 / (squares[k] + 1e-9) } else { weight };
            let step = &steps[k * n..(k + 1) * n];
            for i in 0..n {
                add(&mut self.covariance[i * n..=i * n + i], c_mu * weight * step[i], &step[..=i]);
            }
        }
        self.age += 1;

        // (44); pycma, too, lets sigma grow by no more than e at once.
        self.scale(math::exp(((c_sigma / d_sigma) * (length / chi - 1.0)).min(1.0)));
    }

    /// Multiplies sigma.
    pub fn scale(&mut self, factor: f64) {
        self.sigma = (self.sigma * factor).clamp(STEPS.0, STEPS.1);
    }

    /// Narrows the distribution along every coordinate whose standard deviation is above its limit.
    pub fn limit(&mut self, limits: impl Iterator<Item = f64>) {
        let n = self.mean.len();
        for (i, limit) in limits.enumerate() {
            let factor = limit / (self.sigma * self.covariance[i * n + i].sqrt());
            if factor < 1.0 {
                self.covariance[i * n..=i * n + i].iter_mut().for_each(|entry| *entry *= factor);
                (i..n).for_each(|j| self.covariance[j * n + i] *= factor);
                self.path_c[i] *= factor;
                self.age = self.parameters.gap;
            }
        }
    }

    /// C = B D^2 B^T.
    fn decompose(&mut self) {
        let n = self.mean.len();
        let lower = |i: usize, j: usize| self.covariance[i.max(j) * n + i.min(j)];
        let (values, vectors) = eigen((0..n * n).map(|at| lower(at / n, at % n)).collect(), n);
        let mut ascending: Vec<usize> = (0..n).collect();
        ascending.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let (least, most) = (values[ascending[0]], values[ascending[n - 1]]);
        // Rounding may leave an eigenvalue of zero or below. The same number added to all mends it.
        let mend = (most * LEAST_EIGENVALUE - least).max(0.0);
        for (k, &from) in ascending.iter().enumerate() {
            self.axes[k] = (values[from] + mend).sqrt();
            self.directions[k * n..(k + 1) * n].copy_from_slice(&vectors[from * n..(from + 1) * n]);
        }
        self.covariance.iter_mut().step_by(n + 1).for_each(|variance| *variance += mend);
        if !(SCALES.0..SCALES.1).contains(&most) {
            let scale = most.sqrt();
            self.covariance.iter_mut().for_each(|entry| *entry /= most);
            self.axes.iter_mut().chain(&mut self.path_c).for_each(|length| *length /= scale);
            self.scale(scale);
        }
        self.age = 0;
    }
}

/// `to += factor * from`.
fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `white` = D^-1 B^T `step`: the standard normal vector that the step would have been drawn as.
fn whiten(directions: &[f64], axes: &[f64], step: &[f64], white: &mut [f64]) {
    for ((white, direction), axis) in white.iter_mut().zip(directions.chunks_exact(step.len())).zip(axes) {
        *white = dot(direction, step) / axis;
    }
}
