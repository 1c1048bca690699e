//! A function of which only a few things are learned. Everything else stays as it is in a model. Learners that ask for vectors know no
//! more than some dozens of parameters.
//!
//! - A factor, of a weight or of a whole table of them: 1 is the model itself.
//! - A shift of a single weight: 0 is the model itself, and 1 sets moves as far apart as the whole model does. A factor moves
//!   a weight near 0 nowhere; shifts give every feature the same say, whatever its unit.

use std::ops::ControlFlow;

use play::evaluator::ModelFile;
use play::names::is_like;
use serde::{Deserialize, Serialize};

use super::{Candidate, Task};

/// What is learned of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// What each factor is of: the name of a weight, or a pattern of names with `*`.
    pub factors: Vec<String>,
    /// The names of weights that are shifted, or patterns of names: each weight by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shifts: Vec<String>,
    /// The model, as the text of a player.
    pub model: String,
}

struct Tuned {
    inner: Box<dyn Task>,
    base: Vec<f64>,
    /// The names of the parameters, factors before shifts.
    names: Vec<String>,
    factors: usize,
    /// Which parameter changes each weight, and how much a shift of 1 is.
    change: Vec<Option<(usize, f64)>>,
}

/// The task with factors and shifts as its parameters.
pub fn build(inner: Box<dyn Task>, tuning: &Tuning) -> Result<Box<dyn Task>, String> {
    let base = inner.start(&tuning.model)?;
    let weights = inner.parameters();
    let wrong = |key: &str, pattern: &str, reason: &str| Err(format!("model: {key} = {pattern:?}: {reason}"));
    let like = |pattern: &str| -> Vec<usize> {
        (0..weights.len()).filter(|&i| is_like(&weights[i], pattern)).collect()
    };
    let taken = |i: usize| format!("the weight {} is learned already", weights[i]);
    let mut change = vec![None; weights.len()];
    for (number, pattern) in tuning.factors.iter().enumerate() {
        let named = like(pattern);
        if named.is_empty() {
            return wrong("tune", pattern, "no weight of the model has such a name");
        }
        if named.iter().all(|&i| base[i] == 0.0) {
            return wrong("tune", pattern, "all such weights are 0, and no factor changes that");
        }
        for i in named {
            if change[i].replace((number, 0.0)).is_some() {
                return wrong("tune", pattern, &taken(i));
            }
        }
    }
    let mut names = tuning.factors.clone();
    let factors = names.len();
    if let Some(first) = tuning.shifts.first() {
        let Some(units) = inner.units(&base) else {
            return wrong("shift", first, "this task does not tell how far apart its features set moves");
        };
        for pattern in &tuning.shifts {
            let named = like(pattern);
            if !named.iter().any(|&i| units[i] > 0.0) {
                return wrong("shift", pattern, "no weight of the model that matters has such a name");
            }
            // What is never met cannot be learned.
            for i in named.into_iter().filter(|&i| units[i] > 0.0) {
                if change[i].replace((names.len(), units[i])).is_some() {
                    return wrong("shift", pattern, &taken(i));
                }
                names.push(weights[i].clone());
            }
        }
    }
    Ok(Box::new(Tuned { inner, base, names, factors, change }))
}

impl Tuned {
    /// The parameters of the whole function.
    fn whole(&self, point: &[f64]) -> Vec<f64> {
        let changed = |(weight, change): (&f64, &Option<(usize, f64)>)| match *change {
            None => *weight,
            Some((number, _)) if number < self.factors => weight * point[number],
            Some((number, unit)) => weight + unit * point[number],
        };
        self.base.iter().zip(&self.change).map(changed).collect()
    }
}

impl Task for Tuned {
    fn parameters(&self) -> Vec<String> {
        self.names.clone()
    }

    fn for_two(&self) -> bool {
        self.inner.for_two()
    }

    fn unit(&self) -> &str {
        self.inner.unit()
    }

    fn exact(&self) -> bool {
        self.inner.exact()
    }

    fn candidate(&self, point: &[f64]) -> Box<dyn Candidate + '_> {
        self.inner.candidate(&self.whole(point))
    }

    fn candidates(&self, points: &[Vec<f64>], met: &[Vec<f64>]) -> Vec<Box<dyn Candidate + '_>> {
        let whole = |points: &[Vec<f64>]| points.iter().map(|point| self.whole(point)).collect::<Vec<_>>();
        self.inner.candidates(&whole(points), &whole(met))
    }

    fn prepare(&self, say: &(dyn Fn(&str) -> ControlFlow<()> + Sync)) {
        self.inner.prepare(say);
    }

    fn model(&self, point: &[f64], about: String) -> ModelFile {
        self.inner.model(&self.whole(point), about)
    }

    fn start(&self, _model: &str) -> Result<Vec<f64>, String> {
        let mut start = vec![1.0; self.factors];
        start.resize(self.names.len(), 0.0);
        Ok(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::TaskText;

    fn task(factors: &[&str], shifts: &[&str], model: &str) -> Result<Box<dyn Task>, String> {
        let texts = |names: &[&str]| names.iter().copied().map(String::from).collect();
        let (factors, shifts) = (texts(factors), texts(shifts));
        let text = TaskText {
            name: "tetris".into(),
            rules: [("width".to_string(), "6".to_string()), ("height".to_string(), "8".to_string())].into(),
            features: "dellacherie".into(),
            form: "linear".into(),
            search: "greedy".into(),
            tuning: Some(Tuning { factors, shifts, model: model.into() }),
            ..TaskText::default()
        };
        text.build::<games::Listed>()
    }

    #[test]
    fn factors_change_what_they_are_of() {
        let task = task(&["holes", "*-transitions"], &[], "dellacherie").unwrap();
        assert_eq!(task.parameters(), ["holes", "*-transitions"]);
        assert_eq!(task.start("dellacherie").unwrap(), [1.0, 1.0]);
        let model = task.model(&[0.5, -3.0], String::new());
        for (name, weight) in [
            ("holes", -2.0),
            ("row-transitions", 3.0),
            ("column-transitions", 3.0),
            ("landing-height", -1.0),
            ("eroded-cells", 1.0),
        ] {
            assert_eq!(model.parameters[name], weight, "{name}");
        }
        // The games are those of the function itself.
        let score =
            |point: &[f64]| task.candidate(point).score(3, 4, &measure::pool::Stop::default()).unwrap();
        assert!(score(&[1.0, 1.0]) > 0.0);
        assert_ne!(score(&[1.0, 1.0]), score(&[-1.0, 1.0]));
    }

    #[test]
    fn factors_of_nothing_are_named() {
        let flat = "linear(dellacherie; 1, 1, 1, 1, 0, 1)";
        for (factors, shifts, model, said) in [
            (&["hole"][..], &[][..], "dellacherie", "tune = \"hole\": no weight"),
            (&["holes", "h*"], &[], "dellacherie", "tune = \"h*\": the weight holes is learned already"),
            (&["holes"], &["h*"], "dellacherie", "shift = \"h*\": the weight holes is learned already"),
            (&[], &["hole"], "dellacherie", "shift = \"hole\": no weight"),
            (&["holes"], &[], flat, "tune = \"holes\": all such weights are 0"),
            (&["holes"], &[], "dn", "model.start = dn"),
        ] {
            let error = task(factors, shifts, model).err().unwrap();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn shifts_give_every_feature_the_same_say() {
        let task = task(&["holes"], &["landing-height", "*-transitions"], "dellacherie").unwrap();
        let names = ["holes", "landing-height", "row-transitions", "column-transitions"];
        assert_eq!(task.parameters(), names);
        assert_eq!(task.start("dellacherie").unwrap(), [1.0, 0.0, 0.0, 0.0]);
        let weight = |point: &[f64], name: &str| task.model(point, String::new()).parameters[name];
        let unit = |name: &str| {
            let mut point = [1.0, 0.0, 0.0, 0.0];
            point[names.iter().position(|known| *known == name).unwrap()] = 0.5;
            2.0 * (weight(&point, name) - weight(&[1.0, 0.0, 0.0, 0.0], name))
        };
        assert_eq!(weight(&[1.0, 0.0, 0.0, 0.0], "landing-height"), -1.0);
        // Alone it would have to weigh more, to set moves as far apart as all six do.
        let units = names[1..].iter().map(|name| unit(name)).collect::<Vec<f64>>();
        assert!(units.iter().all(|unit| *unit > 1.0), "{units:?}");
        assert_ne!(units[1], units[2], "each by its own spread");
        // The same player with twice the weights has twice the units.
        let twice =
            self::task(&[], &["landing-height"], "linear(dellacherie; -2, 2, -2, -2, -8, -2)").unwrap();
        let shifted = twice.model(&[1.0], String::new()).parameters["landing-height"] + 2.0;
        assert!((shifted - 2.0 * units[0]).abs() < 1e-9, "{shifted} {units:?}");
        let error = self::task(&[], &["surface-pairs:*"], "dellacherie").err().unwrap();
        assert!(
            error.contains("shift = \"surface-pairs:*\": no weight of the model that matters"),
            "{error}"
        );
    }
}
