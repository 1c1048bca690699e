//! One number of a run, generation by generation, and the median of that over the runs.

use std::collections::BTreeMap;

use stats::median;
use train::run::record::Generation;

use super::direction::unit;
use super::{Experiment, Run};

/// One number of a run.
pub type Trace = Vec<Point>;

/// Its value in one generation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The generation.
    pub generation: u64,
    /// What is drawn to the right: generations, or games.
    pub x: f64,
    /// The value.
    pub y: f64,
}

/// What a curve is drawn against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Against {
    /// Generations.
    #[default]
    Generations,
    /// Games played for fitness.
    Games,
    /// Working time.
    Time,
}

impl Against {
    /// How it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generations => "generation",
            Self::Games => "games played to learn",
            Self::Time => "seconds of working time",
        }
    }

    fn of(self, generation: &Generation) -> f64 {
        match self {
            Self::Generations => generation.generation as f64,
            Self::Games => generation.games as f64,
            Self::Time => generation.seconds,
        }
    }
}

/// The number of one run, where it has it.
pub fn trace(run: &Run, against: Against, value: impl Fn(&Generation) -> Option<f64>) -> Trace {
    let point = |generation: &Generation| {
        let y = value(generation)?;
        Some(Point { generation: generation.generation, x: against.of(generation), y })
    };
    run.generations.iter().filter_map(point).collect()
}

/// The number of every run that has begun.
pub fn traces(
    experiment: &Experiment,
    against: Against,
    value: impl Fn(&Generation) -> Option<f64>,
) -> Vec<Trace> {
    experiment.begun().map(|run| trace(run, against, &value)).collect()
}

/// The median over the runs in each generation that more than half of them have reached: of fewer, the slow ones would
/// be left out.
pub fn middle(traces: &[Trace]) -> Trace {
    let mut generations: BTreeMap<u64, Vec<Point>> = BTreeMap::new();
    for point in traces.iter().flatten() {
        generations.entry(point.generation).or_default().push(*point);
    }
    let begun = traces.iter().filter(|trace| !trace.is_empty()).count();
    let reached = generations.into_iter().filter(|(_, points)| 2 * points.len() > begun);
    reached
        .map(|(generation, points)| {
            let of = |value: fn(&Point) -> f64| median(&points.iter().map(value).collect::<Vec<_>>());
            Point { generation, x: of(|point| point.x), y: of(|point| point.y) }
        })
        .collect()
}

/// The median over the runs of one entry of a list in each generation.
pub fn middle_entry(
    experiment: &Experiment,
    against: Against,
    entry: usize,
    list: impl Fn(&Generation) -> Vec<f64>,
) -> Trace {
    middle(&traces(experiment, against, |generation| list(generation).get(entry).copied()))
}

/// The weights of a generation, of unit length.
pub fn direction(generation: &Generation) -> Vec<f64> {
    unit(&generation.centre)
}

/// The games of a generation over the most that it could have taken.
pub fn share_of_games(generation: &Generation) -> Option<f64> {
    let most = generation.games_each.len() as f64 * generation.most_games;
    let games: f64 = generation.games_each.iter().copied().map(f64::from).sum();
    (most > 0.0).then_some(games / most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[(u64, f64)]) -> Trace {
        values.iter().map(|&(generation, y)| Point { generation, x: 10.0 * y, y }).collect()
    }

    #[test]
    fn the_median_goes_as_far_as_most_runs() {
        let all = [
            points(&[(1, 3.0), (2, 5.0), (3, 9.0)]),
            points(&[(1, 1.0), (2, 6.0)]),
            points(&[(1, 2.0)]),
            vec![],
        ];
        assert_eq!(middle(&all), [(1, 2.0), (2, 5.5)].map(|pair| points(&[pair])[0]));
    }
}
