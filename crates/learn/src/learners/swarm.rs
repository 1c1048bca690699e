//! Particle swarm (Kennedy and Eberhart 1995): each particle flies on, drawn to the best place it has seen and to the
//! best place its neighbours have seen. Inertia and pulls are the constriction of Clerc and Kennedy 2002 (chi = 0.7298,
//! chi phi / 2 = 1.49618), which lets a swarm contract without a velocity limit; a wide limit is kept, as Eberhart and
//! Shi 2000 advise.
//!
//! Under noise a remembered value is the luckiest of many, and a particle may cling to it for ever. `forget` moves
//! every remembered value above the mean of the generation towards that mean, by this share, before it is compared with
//! the new one: luck wears off in about 1 / `forget` generations, whatever the scale of the values. The published
//! algorithm forgets nothing, and that is the default. On the sphere in dimension 5 with noise of 1.25 times the value
//! at the origin, 20000 evaluations made the value 1.9 times smaller with 0, 4.4 with 0.02, 2.1 with 0.1; with an eighth
//! of that value as noise 25, 45 and 21 (geometric means of 30 seeds). Valuing the best places again instead, each
//! kept at the mean of all its values, gained nothing there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Diagnostics, Learner, LearnerEntry, SettingError, Space, Trial, check_population, settings};
use crate::Entry;
use crate::random::Random;

/// The line of the list.
pub const ENTRY: LearnerEntry = LearnerEntry {
    entry: Entry { name: "swarm", summary: "particle swarm with constriction (Clerc and Kennedy)" },
    build: |value, space, seed| Ok(Box::new(Swarm::new(value, space, seed)?)),
    settings: Settings::json_schema,
    load: |state| Ok(Box::new(serde_json::from_value::<Swarm>(state)?)),
};

/// Whose best place a particle knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Topology {
    /// Everybody's: fast.
    Global,
    /// Its own and those of its two neighbours: slow news, fewer wrong turns.
    Ring,
}

#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    /// Particles.
    population: usize,
    /// w.
    inertia: f64,
    /// c1: the pull of the particle's own best place.
    cognitive: f64,
    /// c2: the pull of the best place of its neighbours.
    social: f64,
    /// Whose best place a particle knows.
    topology: Topology,
    /// The longest step in a parameter, as a share of the width of its range.
    velocity_limit: f64,
    /// Where the particles begin, around the start, where the space has no bounds.
    range: Option<(f64, f64)>,
    /// How much of its luck a remembered value loses in a generation, from 0 to 1.
    forget: f64,
    /// Stops when the particles differ by no more than this, as a standard deviation in any parameter.
    tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            population: 40,
            inertia: 0.7298,
            cognitive: 1.49618,
            social: 1.49618,
            topology: Topology::Global,
            velocity_limit: 0.5,
            range: None,
            forget: 0.0,
            tolerance: 1e-12,
        }
    }
}

impl Settings {
    fn check(&self, space: &Space) -> Result<(), SettingError> {
        check_population("population", self.population, 2, space)?;
        if !(0.0..1.0).contains(&self.inertia) {
            return Err(SettingError::value("inertia", self.inertia, "at least 0 and below 1"));
        }
        for (key, pull) in [("cognitive", self.cognitive), ("social", self.social)] {
            if !(0.0..=4.0).contains(&pull) {
                return Err(SettingError::value(key, pull, "from 0 to 4"));
            }
        }
        if self.velocity_limit <= 0.0 {
            return Err(SettingError::value("velocity_limit", self.velocity_limit, "above 0"));
        }
        if let Some((low, high)) = self.range
            && (low >= high || space.bounds.is_some())
        {
            let allowed = "the lower first, and left out where the space has bounds";
            return Err(SettingError::value("range", format!("[{low}, {high}]"), allowed));
        }
        if !(0.0..=1.0).contains(&self.forget) {
            return Err(SettingError::value("forget", self.forget, "from 0 to 1"));
        }
        if self.tolerance < 0.0 {
            return Err(SettingError::value("tolerance", self.tolerance, "at least 0"));
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Particle {
    position: Vec<f64>,
    velocity: Vec<f64>,
    /// The best place it has seen, and its value as far as it is remembered; no value before the first is told.
    best: Vec<f64>,
    value: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Swarm {
    settings: Settings,
    bounds: Option<Vec<(f64, f64)>>,
    /// The longest step in each parameter.
    longest: Vec<f64>,
    particles: Vec<Particle>,
    generation: u64,
    random: Random,
}

impl Swarm {
    fn new(value: &Value, space: &Space, seed: u64) -> Result<Self, SettingError> {
        let settings: Settings = settings(value)?;
        settings.check(space)?;
        if space.bits {
            return Err(SettingError::value("bits", true, "false: a particle does not fly through bits"));
        }
        let (low, high) = settings.range.unwrap_or((-1.0, 1.0));
        let around = |centre: &f64| (centre + low, centre + high);
        let origin = vec![0.0; space.dimension];
        let range: Vec<(f64, f64)> = match &space.bounds {
            Some(bounds) => bounds.clone(),
            None => space.start.as_ref().unwrap_or(&origin).iter().map(around).collect(),
        };
        let longest: Vec<f64> =
            range.iter().map(|(low, high)| settings.velocity_limit * (high - low)).collect();
        let mut random = Random::seeded(seed);
        let mut place = || range.iter().map(|&(low, high)| random.between(low, high)).collect::<Vec<f64>>();
        let mut particles: Vec<Particle> = (0..settings.population)
            .map(|_| {
                let (position, aim) = (place(), place());
                let step = |k: usize| (0.5 * (aim[k] - position[k])).clamp(-longest[k], longest[k]);
                let velocity = (0..position.len()).map(step).collect();
                Particle { best: position.clone(), position, velocity, value: None }
            })
            .collect();
        if let Some(start) = &space.start {
            let first = &mut particles[0];
            for (k, x) in start.iter().enumerate() {
                first.position[k] = if space.bounds.is_some() { x.clamp(range[k].0, range[k].1) } else { *x };
            }
            first.best.clone_from(&first.position);
        }
        Ok(Self { settings, bounds: space.bounds.clone(), longest, particles, generation: 0, random })
    }

    /// The better of two particles by what they remember, the earlier if equal.
    fn better(&self, i: usize, j: usize) -> usize {
        let (first, second) = (i.min(j), i.max(j));
        if self.particles[second].value > self.particles[first].value { second } else { first }
    }

    fn best(&self) -> usize {
        (1..self.particles.len()).fold(0, |best, i| self.better(best, i))
    }

    /// The particle whose best place draws particle `i`.
    fn leader(&self, i: usize, best: usize) -> usize {
        let n = self.particles.len();
        match self.settings.topology {
            Topology::Global => best,
            Topology::Ring => self.better(self.better((i + n - 1) % n, i), (i + 1) % n),
        }
    }

    fn remember(&mut self, values: &[f64]) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        for (particle, &value) in self.particles.iter_mut().zip(values) {
            let remembered = particle.value.map(|old| old - self.settings.forget * (old - mean).max(0.0));
            if remembered.is_some_and(|old| old >= value) {
                particle.value = remembered;
            } else {
                particle.value = Some(value);
                particle.best.clone_from(&particle.position);
            }
        }
    }

    fn fly(&mut self) {
        let best = self.best();
        let leaders: Vec<usize> = (0..self.particles.len()).map(|i| self.leader(i, best)).collect();
        for (i, leader) in leaders.into_iter().enumerate() {
            for k in 0..self.longest.len() {
                let goal = self.particles[leader].best[k];
                let particle = &mut self.particles[i];
                let x = particle.position[k];
                let own = self.settings.cognitive * self.random.unit() * (particle.best[k] - x);
                let common = self.settings.social * self.random.unit() * (goal - x);
                let velocity = self.settings.inertia * particle.velocity[k] + own + common;
                particle.velocity[k] = velocity.clamp(-self.longest[k], self.longest[k]);
                particle.position[k] = x + particle.velocity[k];
                if let Some(bounds) = &self.bounds {
                    let (low, high) = bounds[k];
                    if !(low..=high).contains(&particle.position[k]) {
                        // A wall takes the speed, or the particle would be pressed against it for generations.
                        particle.position[k] = particle.position[k].clamp(low, high);
                        particle.velocity[k] = 0.0;
                    }
                }
            }
        }
    }

    fn deviations(&self) -> Vec<f64> {
        let n = self.particles.len() as f64;
        let of = |k: usize| {
            let mean = self.particles.iter().map(|particle| particle.position[k]).sum::<f64>() / n;
            (self.particles.iter().map(|p| math::powi(p.position[k] - mean, 2)).sum::<f64>() / n).sqrt()
        };
        (0..self.longest.len()).map(of).collect()
    }
}

impl Learner for Swarm {
    fn ask(&mut self) -> Vec<Trial> {
        self.particles.iter().map(|p| Trial { point: p.position.clone(), series: 0 }).collect()
    }

    fn tell(&mut self, values: &[f64]) {
        assert_eq!(values.len(), self.particles.len(), "one value for each particle");
        self.remember(values);
        self.fly();
        self.generation += 1;
    }

    /// A particle is compared with its own past and nobody is selected; a race may as well find the better half.
    fn parents(&self) -> usize {
        self.settings.population / 2
    }

    fn centre(&self) -> Vec<f64> {
        self.particles[self.best()].best.clone()
    }

    fn stop(&self) -> Option<String> {
        let widest = self.deviations().into_iter().fold(0.0, f64::max);
        let tolerance = self.settings.tolerance;
        (widest <= tolerance).then(|| format!("the particles differ by no more than {tolerance:e}"))
    }

    fn standing(&self) -> Diagnostics {
        Diagnostics { generation: self.generation, deviations: self.deviations(), ..Diagnostics::default() }
    }

    fn save(&self) -> Value {
        json!(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swarm(settings: &Value) -> Swarm {
        Swarm::new(settings, &Space::real(1), 1).unwrap()
    }

    #[test]
    fn news_goes_round_a_ring_step_by_step() {
        let mut swarm = swarm(&json!({"population": 5, "topology": "ring"}));
        swarm.remember(&[0.0, 1.0, 9.0, 1.0, 0.0]);
        let best = swarm.best();
        assert_eq!(best, 2);
        assert_eq!((0..5).map(|i| swarm.leader(i, best)).collect::<Vec<_>>(), [1, 2, 2, 2, 3]);
        swarm.settings.topology = Topology::Global;
        assert_eq!(swarm.leader(0, best), 2);
    }

    #[test]
    fn luck_wears_off() {
        for (forget, lucky_is_kept) in [(0.0, true), (0.5, false)] {
            let mut swarm = swarm(&json!({"population": 2, "forget": forget}));
            let lucky = swarm.particles[0].position.clone();
            swarm.tell(&[100.0, 0.0]);
            for _ in 0..10 {
                swarm.tell(&[1.0, 0.5]);
            }
            assert_eq!(swarm.particles[0].best == lucky, lucky_is_kept, "forget {forget}");
        }
    }

    #[test]
    fn steps_are_limited_and_the_start_is_a_particle() {
        let space = Space { start: Some(vec![50.0, -3.0]), ..Space::real(2) };
        let mut swarm = Swarm::new(&json!({"velocity_limit": 0.01}), &space, 1).unwrap();
        assert_eq!(swarm.ask()[0].point, [50.0, -3.0]);
        assert!(swarm.ask().iter().all(|trial| (49.0..51.0).contains(&trial.point[0])));
        let before = swarm.ask();
        let values: Vec<f64> = before.iter().map(|trial| trial.point[0]).collect();
        swarm.tell(&values);
        for (old, new) in before.iter().zip(swarm.ask()) {
            assert!(old.point.iter().zip(&new.point).all(|(a, b)| (a - b).abs() <= 0.02 + 1e-12));
        }
    }

    #[test]
    fn a_swarm_that_has_met_stops() {
        let mut swarm = swarm(&json!({}));
        let mut generations = 0;
        while swarm.stop().is_none() && generations < 1000 {
            let values: Vec<f64> = swarm.ask().iter().map(|trial| -math::powi(trial.point[0], 2)).collect();
            swarm.tell(&values);
            generations += 1;
        }
        assert!(swarm.stop().is_some() && swarm.centre()[0].abs() < 1e-6);
    }
}
