//! The best pickpocket, the first example of the course on Othello (section 3.2): a genome of bits, each a talent that
//! he has or not; the more of them the better. Option `genes`, 4 in the course.

use learn::models::Form;
use measure::pool::{Halt, Stop};
use play::evaluator::ModelFile;
use play::players::PlayerFailure;

use super::{Candidate, Task, TaskText};

struct Pickpocket {
    genes: usize,
}

struct Talents(f64);

/// The talents that the course names, and as many others as are asked for.
const NAMED: [&str; 4] = ["discretion", "dexterity", "speed", "daring"];

pub fn build(text: &TaskText) -> Result<Box<dyn Task>, String> {
    text.no_game()?;
    if let Some(other) = text.rules.keys().find(|key| *key != "genes") {
        return Err(format!("task: unknown option '{other}'; known: genes"));
    }
    let given = text.rules.get("genes").map_or("4", String::as_str);
    let genes = given.parse().ok().filter(|n| (2..=1000).contains(n));
    let genes =
        genes.ok_or_else(|| format!("task: genes = {given}: must be a whole number from 2 to 1000"))?;
    Ok(Box::new(Pickpocket { genes }))
}

impl Task for Pickpocket {
    fn parameters(&self) -> Vec<String> {
        let named = |i: usize| NAMED.get(i).map_or_else(|| format!("talent {}", i + 1), ToString::to_string);
        (0..self.genes).map(named).collect()
    }

    fn bits(&self) -> bool {
        true
    }

    fn unit(&self) -> &'static str {
        "talents"
    }

    fn exact(&self) -> bool {
        true
    }

    fn candidate(&self, point: &[f64]) -> Box<dyn Candidate + '_> {
        Box::new(Talents(point.iter().sum()))
    }

    fn model(&self, point: &[f64], about: String) -> ModelFile {
        let names = self.parameters();
        let parameters = names.iter().cloned().zip(point.iter().copied()).collect();
        ModelFile::new("pickpocket", &names.join(","), &Form::Linear, parameters, about)
    }

    fn start(&self, model: &str) -> Result<Vec<f64>, String> {
        Err(format!("model.start = {model}: a pickpocket begins from no model"))
    }
}

impl Candidate for Talents {
    fn score(&self, _seed: u64, _game: u64, _stop: &Stop) -> Result<f64, Halt<PlayerFailure>> {
        Ok(self.0)
    }
}
