//! What follows a run that has stopped: IPOP (Auger and Hansen, A Restart CMA Evolution Strategy With Increasing Population
//! Size, 2005) and BIPOP (Hansen, Benchmarking a BI-Population CMA-ES on the BBOB-2009 Function Testbed, 2009).

use serde::{Deserialize, Serialize};

use super::settings;
use crate::random::Random;

/// The runs so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// How often it began again.
    pub restarts: u64,
    /// How often the population was doubled.
    doublings: u32,
    /// Whether the running one is of the small regime.
    small: bool,
    /// The evaluations of all runs of the large regime, without the first run of all,
    large_used: u64,
    /// ... and of the small one.
    small_used: u64,
    /// The evaluations of the last run of the large regime.
    last_large: u64,
}

/// How the next run is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Its population.
    pub population: usize,
    /// Its step size as a part of the usual one.
    pub sigma: f64,
    /// The most evaluations.
    pub budget: Option<u64>,
}

impl Schedule {
    /// Whether another run may follow. Runs of the small regime do not count: they cost no more than the large ones.
    pub fn goes_on(&self, max_restarts: u64) -> bool {
        u64::from(self.doublings) < max_restarts
    }

    /// The plan of the next run, when one has stopped after so many evaluations.
    pub fn next(
        &mut self,
        kind: settings::Restarts,
        evaluations: u64,
        population: usize,
        random: &mut Random,
    ) -> Plan {
        if self.small {
            self.small_used += evaluations;
        } else {
            self.last_large = evaluations;
            self.large_used += if self.restarts > 0 { evaluations } else { 0 };
        }
        self.restarts += 1;
        // Both regimes get the same number of evaluations; the large one begins.
        self.small = kind == settings::Restarts::Bipop && self.small_used < self.large_used;
        if !self.small {
            self.doublings += 1;
            return Plan { population: population << self.doublings, sigma: 1.0, budget: None };
        }
        // BIPOP: lambda_s = lambda (lambda_l / (2 lambda))^(U^2), sigma_s = sigma 10^(-2 U), half of the last large budget.
        let half = 0.5 * f64::from(1u32 << self.doublings);
        let size = population as f64 * math::powf(half, math::powi(random.unit(), 2));
        let sigma = math::powf(10.0, -2.0 * random.unit());
        Plan { population: size.floor() as usize, sigma, budget: Some(self.last_large / 2) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipop_doubles() {
        let (mut schedule, mut random) = (Schedule::default(), Random::seeded(1));
        let sizes: Vec<usize> = (0..4)
            .map(|_| schedule.next(settings::Restarts::Ipop, 100, 10, &mut random).population)
            .collect();
        assert_eq!(sizes, [20, 40, 80, 160]);
        assert_eq!(schedule.restarts, 4);
    }

    #[test]
    fn bipop_gives_both_regimes_the_same_budget() {
        let (mut schedule, mut random) = (Schedule::default(), Random::seeded(1));
        let mut plan = schedule.next(settings::Restarts::Bipop, 1000, 10, &mut random);
        assert_eq!(plan, Plan { population: 20, sigma: 1.0, budget: None });
        for _ in 0..30 {
            let used = plan.budget.unwrap_or(1000 * plan.population as u64 / 10);
            plan = schedule.next(settings::Restarts::Bipop, used, 10, &mut random);
            if let Some(budget) = plan.budget {
                assert_eq!(budget, schedule.last_large / 2);
                assert!((0.01..=1.0).contains(&plan.sigma));
                assert!(10 <= plan.population && plan.population <= 10 << schedule.doublings);
            }
            assert!(schedule.small_used <= schedule.large_used + schedule.last_large / 2);
        }
        assert!(schedule.doublings > 3 && schedule.restarts == 31);
    }
}
