//! A function of which only a few things are learned: factors of weights, or of whole tables of them. Everything else stays as
//! it is in a model, and 1 is that model itself. Learners that ask for vectors know no more than some dozens of parameters.

use serde::{Deserialize, Serialize};

use super::{Contestant, Task};
use crate::evaluator::ModelFile;
use crate::names::is_like;

/// What is learned of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// What each factor is of: the name of a weight, or a pattern of names with `*`.
    pub factors: Vec<String>,
    /// The model, as the text of a player.
    pub model: String,
}

struct Tuned {
    inner: Box<dyn Task>,
    base: Vec<f64>,
    factors: Vec<String>,
    /// Which factor each parameter has.
    factor: Vec<Option<usize>>,
}

/// The task with factors as its parameters.
pub fn build(inner: Box<dyn Task>, tuning: &Tuning) -> Result<Box<dyn Task>, String> {
    let base = inner.start(&tuning.model)?;
    let names = inner.parameters();
    let wrong = |pattern: &str, reason: &str| Err(format!("model: tune = {pattern:?}: {reason}"));
    let mut factor = vec![None; names.len()];
    for (number, pattern) in tuning.factors.iter().enumerate() {
        let mut useful = false;
        for (i, _) in names.iter().enumerate().filter(|(_, name)| is_like(name, pattern)) {
            if factor[i].replace(number).is_some() {
                return wrong(pattern, &format!("the weight {} has a factor already", names[i]));
            }
            useful |= base[i] != 0.0;
        }
        if !factor.contains(&Some(number)) {
            return wrong(pattern, "no weight of the model has such a name");
        }
        if !useful {
            return wrong(pattern, "all such weights are 0, and no factor changes that");
        }
    }
    Ok(Box::new(Tuned { inner, base, factors: tuning.factors.clone(), factor }))
}

impl Tuned {
    /// The parameters of the whole function.
    fn whole(&self, factors: &[f64]) -> Vec<f64> {
        let times = |factor: &Option<usize>| factor.map_or(1.0, |number| factors[number]);
        self.base.iter().zip(&self.factor).map(|(weight, factor)| weight * times(factor)).collect()
    }
}

impl Task for Tuned {
    fn parameters(&self) -> Vec<String> {
        self.factors.clone()
    }

    fn unit(&self) -> &'static str {
        self.inner.unit()
    }

    fn exact(&self) -> bool {
        self.inner.exact()
    }

    fn contestant(&self, point: &[f64]) -> Box<dyn Contestant + '_> {
        self.inner.contestant(&self.whole(point))
    }

    fn model(&self, point: &[f64], about: String) -> ModelFile {
        self.inner.model(&self.whole(point), about)
    }

    fn start(&self, _model: &str) -> Result<Vec<f64>, String> {
        Ok(vec![1.0; self.factors.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::TaskText;

    fn task(factors: &[&str], model: &str) -> Result<Box<dyn Task>, String> {
        let factors = factors.iter().copied().map(String::from).collect();
        let text = TaskText {
            name: "tetris".into(),
            rules: [("width".to_string(), "6".to_string()), ("height".to_string(), "8".to_string())].into(),
            features: "dellacherie".into(),
            form: "linear".into(),
            search: "greedy".into(),
            tuning: Some(Tuning { factors, model: model.into() }),
            ..TaskText::default()
        };
        text.build()
    }

    #[test]
    fn factors_change_what_they_are_of() {
        let task = task(&["holes", "*-transitions"], "dellacherie").unwrap();
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
        let score = |point: &[f64]| task.contestant(point).score(3, 4);
        assert!(score(&[1.0, 1.0]) > 0.0);
        assert_ne!(score(&[1.0, 1.0]), score(&[-1.0, 1.0]));
    }

    #[test]
    fn factors_of_nothing_are_named() {
        let flat = "linear(dellacherie; 1, 1, 1, 1, 0, 1)";
        for (factors, model, said) in [
            (&["hole"][..], "dellacherie", "tune = \"hole\": no weight"),
            (&["holes", "h*"], "dellacherie", "tune = \"h*\": the weight holes has a factor already"),
            (&["holes"], flat, "tune = \"holes\": all such weights are 0"),
            (&["holes"], "dn", "model.start = dn"),
        ] {
            let error = task(factors, model).err().unwrap();
            assert!(error.contains(said), "{error}");
        }
    }
}
