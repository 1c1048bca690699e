//! How fast learners are when trying a vector costs nothing: what they add to the price of the games.

use std::time::Duration;

use learn::learners::{LEARNERS, Space};
use measure::bench::{Row, per_second};
use serde_json::json;

/// The dimensions measured: those of `dn` and of the Bertsekas set with a constant.
const DIMENSIONS: [usize; 2] = [8, 22];

/// The rows that [`measure()`] makes.
pub const MEASURES: usize = LEARNERS.len() * DIMENSIONS.len();

/// Vectors a second of every learner on the sphere, on one thread; it begins again whenever it stops.
pub fn measure(time: Duration, stop: &dyn Fn() -> bool, row: &mut dyn FnMut(Row)) {
    for learner in LEARNERS {
        for dimension in DIMENSIONS {
            let space = Space { start: Some(vec![3.0; dimension]), ..Space::real(dimension) };
            let new = |seed| (learner.build)(&json!({}), &space, seed).expect("the defaults are sound");
            let (mut seed, mut state) = (1, new(1));
            let mut work = || {
                if state.stop().is_some() {
                    seed += 1;
                    state = new(seed);
                }
                let trials = state.ask();
                let value = |point: &[f64]| -point.iter().map(|x| x * x).sum::<f64>();
                let values: Vec<f64> = trials.iter().map(|trial| value(&trial.point)).collect();
                state.tell(&values);
                trials.len() as u64
            };
            let Some(per_second) = per_second(time, stop, &mut work) else { return };
            let name = format!("{} {dimension}", learner.entry.name);
            row(Row { game: "learners", name, unit: "vectors", per_second });
        }
    }
}
