//! Functions that optimisers are tested on, upside down: learners maximise. Option `dimension`.

use games::Dice;
use learn::models::Form;
use measure::pool::{Halt, Stop};
use play::evaluator::ModelFile;
use play::players::PlayerFailure;

use super::{Candidate, Task, TaskText};

struct Function {
    name: &'static str,
    dimension: usize,
    noise: bool,
    value: fn(&[f64]) -> f64,
}

struct Point<'a>(&'a Function, Vec<f64>);

pub fn sphere(text: &TaskText) -> Result<Box<dyn Task>, String> {
    build(text, "sphere", false, squares)
}

pub fn noisy(text: &TaskText) -> Result<Box<dyn Task>, String> {
    build(text, "noisy-sphere", true, squares)
}

pub fn rosenbrock(text: &TaskText) -> Result<Box<dyn Task>, String> {
    build(text, "rosenbrock", false, |x| {
        x.windows(2).map(|p| 100.0 * math::powi(p[0] * p[0] - p[1], 2) + math::powi(p[0] - 1.0, 2)).sum()
    })
}

pub fn ellipsoid(text: &TaskText) -> Result<Box<dyn Task>, String> {
    build(text, "ellipsoid", false, |x| {
        let last = (x.len() - 1).max(1) as f64;
        x.iter().enumerate().map(|(i, x)| math::powf(1e6, i as f64 / last) * x * x).sum()
    })
}

fn squares(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

fn build(
    text: &TaskText,
    name: &'static str,
    noise: bool,
    value: fn(&[f64]) -> f64,
) -> Result<Box<dyn Task>, String> {
    text.no_game()?;
    if let Some(other) = text.rules.keys().find(|key| *key != "dimension") {
        return Err(format!("task: unknown option '{other}'; known: dimension"));
    }
    let given = text.rules.get("dimension").map_or("8", String::as_str);
    let dimension = given.parse().ok().filter(|n| (1..=1000).contains(n));
    let dimension = dimension
        .ok_or_else(|| format!("task: dimension = {given}: must be a whole number from 1 to 1000"))?;
    Ok(Box::new(Function { name, dimension, noise, value }))
}

impl Task for Function {
    fn parameters(&self) -> Vec<String> {
        (1..=self.dimension).map(|i| format!("x{i}")).collect()
    }

    fn unit(&self) -> &'static str {
        "value"
    }

    fn exact(&self) -> bool {
        !self.noise
    }

    fn candidate(&self, point: &[f64]) -> Box<dyn Candidate + '_> {
        Box::new(Point(self, point.to_vec()))
    }

    fn model(&self, point: &[f64], about: String) -> ModelFile {
        let names = self.parameters();
        let parameters = names.iter().cloned().zip(point.iter().copied()).collect();
        ModelFile::new(self.name, &names.join(","), &Form::Linear, parameters, about)
    }

    fn start(&self, model: &str) -> Result<Vec<f64>, String> {
        let wrong = |reason: &str| format!("model.start: {reason}");
        let file = ModelFile::parse("", model).map_err(|error| wrong(&error.to_string()))?;
        let names = self.parameters();
        let point = names.iter().map(|name| file.parameters.get(name).copied());
        match point.collect::<Option<Vec<f64>>>() {
            Some(point) if file.parameters.len() == names.len() => Ok(point),
            _ => Err(wrong(&format!("must be the text of a model of {}", names.join(", ")))),
        }
    }
}

impl Candidate for Point<'_> {
    fn score(&self, seed: u64, game: u64, _stop: &Stop) -> Result<f64, Halt<PlayerFailure>> {
        let value = (self.0.value)(&self.1);
        Ok(match self.0.noise {
            // Exponential, as the scores of Tetris are.
            true => {
                let lot = (Dice::seeded(&[seed, game]).bits() >> 11) as f64 / (1u64 << 53) as f64;
                value * math::ln(1.0 - lot)
            }
            false => -value,
        })
    }
}
