//! A genetic algorithm, as the course on Othello evaluation functions describes it (section 3, Algorithm 1): draw
//! parents, cross them two by two, mutate the children.
//!
//! A genome is either bits (section 3.2) or numbers between bounds (section 3.3). The best members may survive as they
//! are; they are then valued again with the others, so that a lucky value does not last.

mod selection;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::selection::{Pool, Selection};
use super::{Diagnostics, Learner, LearnerEntry, SettingError, Space, Trial, check_population, settings};
use crate::Entry;
use crate::random::Random;

/// The line of the list.
pub const ENTRY: LearnerEntry = LearnerEntry {
    entry: Entry { name: "genetic", summary: "genetic algorithm over bits, or over numbers between bounds" },
    build: |value, space, seed| Ok(Box::new(Genetic::new(value, space, seed)?)),
    settings: Settings::json_schema,
    load: |state| Ok(Box::new(serde_json::from_value::<Genetic>(state)?)),
};

#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    /// n.
    population: usize,
    /// How parents are drawn.
    selection: Selection,
    /// The share of the population that may become parents, of truncation.
    truncation: Option<f64>,
    /// How many members meet, of tournaments.
    tournament_size: Option<usize>,
    /// How many of the best survive unchanged.
    elitism: usize,
    /// p_c: the probability that two parents are crossed rather than copied. The course says 0.3 to 0.9.
    crossover_rate: f64,
    /// p_m: the probability that a gene mutates.
    mutation_rate: f64,
    /// The lowest and the highest value of every gene, where the space says nothing.
    bounds: Option<(f64, f64)>,
    /// Stops after so many generations without a new best value. Under noise that value is a lucky one.
    patience: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            population: 100,
            selection: Selection::Tournament,
            truncation: None,
            tournament_size: None,
            elitism: 1,
            crossover_rate: 0.7,
            mutation_rate: 0.05,
            bounds: None,
            patience: None,
        }
    }
}

impl Settings {
    /// How many members may become parents, of truncation.
    fn truncated(&self) -> usize {
        (self.truncation.unwrap_or(0.3) * self.population as f64 + 1e-9) as usize
    }

    fn pool(&self, values: &[f64], order: &[usize]) -> Pool {
        match self.selection {
            Selection::Roulette => Pool::wheel(values),
            Selection::Truncation => Pool::Best(order[..self.truncated()].to_vec()),
            Selection::Tournament => Pool::Tournament(values.to_vec(), self.tournament_size.unwrap_or(3)),
        }
    }

    fn check(&self, space: &Space) -> Result<(), SettingError> {
        check_population("population", self.population, 2, space)?;
        if let Some(share) = self.truncation
            && (self.selection != Selection::Truncation || share > 1.0 || self.truncated() == 0)
        {
            let allowed = "at most 1 and at least one member, and left out unless selection is truncation";
            return Err(SettingError::value("truncation", share, allowed));
        }
        if self.selection == Selection::Truncation && self.truncated() == 0 {
            return Err(SettingError::value(
                "population",
                self.population,
                "at least one member after truncation",
            ));
        }
        if let Some(size) = self.tournament_size
            && (self.selection != Selection::Tournament || size == 0)
        {
            let allowed = "at least 1, and left out unless selection is tournament";
            return Err(SettingError::value("tournament_size", size, allowed));
        }
        if self.elitism >= self.population {
            return Err(SettingError::value("elitism", self.elitism, "less than the population"));
        }
        for (key, rate) in [("crossover_rate", self.crossover_rate), ("mutation_rate", self.mutation_rate)] {
            if !(0.0..=1.0).contains(&rate) {
                return Err(SettingError::value(key, rate, "from 0 to 1"));
            }
        }
        if let Some((low, high)) = self.bounds
            && (low >= high || space.bits || space.bounds.is_some())
        {
            let allowed = "the lower first, and left out where the space has bounds or is of bits";
            return Err(SettingError::value("bounds", format!("[{low}, {high}]"), allowed));
        }
        if self.patience == Some(0) {
            return Err(SettingError::value("patience", 0, "at least 1"));
        }
        Ok(())
    }
}

/// A number between two others, whichever is the lower, and not beyond either by rounding.
fn between(random: &mut Random, one: f64, two: f64) -> f64 {
    random.between(one, two).clamp(one.min(two), one.max(two))
}

/// What a genome is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Genes {
    /// So many bits.
    Bits(usize),
    /// Numbers between these bounds.
    Numbers(Vec<(f64, f64)>),
}

impl Genes {
    fn draw(&self, random: &mut Random) -> Vec<f64> {
        match self {
            Genes::Bits(n) => (0..*n).map(|_| random.below(2) as f64).collect(),
            Genes::Numbers(bounds) => bounds.iter().map(|&(low, high)| between(random, low, high)).collect(),
        }
    }

    /// Turns two parents into two children. Bits swap everything behind a random cut; a number becomes, in each child,
    /// any number between those of the parents.
    fn cross(&self, one: &mut [f64], two: &mut [f64], random: &mut Random) {
        match self {
            Genes::Bits(n) if *n < 2 => {}
            Genes::Bits(n) => {
                let cut = 1 + random.below(n - 1);
                one[cut..].swap_with_slice(&mut two[cut..]);
            }
            Genes::Numbers(_) => {
                for (a, b) in one.iter_mut().zip(two) {
                    (*a, *b) = (between(random, *a, *b), between(random, *a, *b));
                }
            }
        }
    }

    /// Flips a bit, or draws a number anew, with probability `rate` each.
    fn mutate(&self, genome: &mut [f64], rate: f64, random: &mut Random) {
        for (k, gene) in genome.iter_mut().enumerate() {
            if random.unit() < rate {
                *gene = match self {
                    Genes::Bits(_) => 1.0 - *gene,
                    Genes::Numbers(bounds) => between(random, bounds[k].0, bounds[k].1),
                };
            }
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Genetic {
    settings: Settings,
    genes: Genes,
    /// The next generation to be valued.
    members: Vec<Vec<f64>>,
    /// The best member of the last generation told; before that, any.
    best: Vec<f64>,
    /// The best value ever told.
    record: Option<f64>,
    /// Generations since then.
    stale: u64,
    generation: u64,
    random: Random,
}

impl Genetic {
    fn new(value: &Value, space: &Space, seed: u64) -> Result<Self, SettingError> {
        let settings: Settings = settings(value)?;
        settings.check(space)?;
        let genes = if space.bits {
            Genes::Bits(space.dimension)
        } else {
            let everywhere = settings.bounds.unwrap_or((-1.0, 1.0));
            Genes::Numbers(space.bounds.clone().unwrap_or_else(|| vec![everywhere; space.dimension]))
        };
        let mut random = Random::seeded(seed);
        let mut members: Vec<Vec<f64>> = (0..settings.population).map(|_| genes.draw(&mut random)).collect();
        if let Some(start) = &space.start {
            members[0].clone_from(start);
            if let Genes::Numbers(bounds) = &genes {
                for (gene, (low, high)) in members[0].iter_mut().zip(bounds) {
                    *gene = gene.clamp(*low, *high);
                }
            }
        }
        let best = members[0].clone();
        Ok(Self { settings, genes, members, best, record: None, stale: 0, generation: 0, random })
    }

    fn deviations(&self) -> Vec<f64> {
        let n = self.members.len() as f64;
        let of = |k: usize| {
            let mean = self.members.iter().map(|member| member[k]).sum::<f64>() / n;
            (self.members.iter().map(|member| math::powi(member[k] - mean, 2)).sum::<f64>() / n).sqrt()
        };
        (0..self.best.len()).map(of).collect()
    }
}

impl Learner for Genetic {
    fn ask(&mut self) -> Vec<Trial> {
        self.members.iter().map(|member| Trial { point: member.clone(), series: 0 }).collect()
    }

    fn tell(&mut self, values: &[f64]) {
        assert_eq!(values.len(), self.members.len(), "one value for each member");
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
        self.best.clone_from(&self.members[order[0]]);
        self.stale += 1;
        if self.record.is_none_or(|record| values[order[0]] > record) {
            self.record = Some(values[order[0]]);
            self.stale = 0;
        }

        let pool = self.settings.pool(values, &order);
        let mut next: Vec<Vec<f64>> =
            order[..self.settings.elitism].iter().map(|&i| self.members[i].clone()).collect();
        while next.len() < values.len() {
            let mut pair = [(); 2].map(|()| self.members[pool.pick(&mut self.random)].clone());
            if self.random.unit() < self.settings.crossover_rate {
                let [one, two] = &mut pair;
                self.genes.cross(one, two, &mut self.random);
            }
            for mut child in pair {
                self.genes.mutate(&mut child, self.settings.mutation_rate, &mut self.random);
                next.push(child);
            }
        }
        next.truncate(values.len());
        self.members = next;
        self.generation += 1;
    }

    /// Only truncation draws a line; elsewhere the better half is as good a question as any to a race.
    fn parents(&self) -> usize {
        match self.settings.selection {
            Selection::Truncation => self.settings.truncated(),
            Selection::Roulette | Selection::Tournament => self.settings.population / 2,
        }
    }

    fn centre(&self) -> Vec<f64> {
        self.best.clone()
    }

    fn stop(&self) -> Option<String> {
        if let Some(patience) = self.settings.patience
            && self.stale >= patience
        {
            return Some(format!("no better value in {patience} generations"));
        }
        let alike = self.settings.mutation_rate == 0.0 && self.members.iter().all(|m| *m == self.members[0]);
        alike.then(|| "all members are the same and none mutates".to_string())
    }

    fn standing(&self) -> Diagnostics {
        Diagnostics { generation: self.generation, deviations: self.deviations(), ..Diagnostics::default() }
    }

    fn save(&self) -> Value {
        json!(self)
    }
}

#[cfg(test)]
mod tests;
