//! Evaluation functions of Tetris: the score is the lines of a game from the empty board.

use std::collections::HashMap;

use games::tetris::{Tetris, TetrisRules};
use games::{Game as _, Rules, Side};
use learn::models::Form;

use super::{Contestant, Task, TaskText};
use crate::evaluator::{Evaluator, ModelFile};
use crate::players::{Player, Seat};
use crate::playout::{GameDice, play};
use crate::score::{FastPlayer, Hand};

struct TetrisTask {
    rules: TetrisRules,
    features: String,
    form: Form,
    ahead: bool,
    /// Parameters that a file must name; those after them are entries of tables.
    needed: usize,
    parameters: Vec<String>,
}

/// A linear function in vector lanes.
struct Fast<'a>(&'a TetrisRules, FastPlayer);

/// Any other function.
struct General<'a>(&'a TetrisTask, Vec<f64>);

pub fn build(text: &TaskText) -> Result<Box<dyn Task>, String> {
    if !text.opponents.is_empty() || text.openings > 0 || text.margin {
        return Err("fitness: against, population, environment, openings and by are for games of two".into());
    }
    let pairs = text.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let rules = TetrisRules::from_pairs(pairs).map_err(|error| format!("task: {error}"))?;
    if text.features.is_empty() {
        return Err("model: features is missing, as features = \"dn\"".into());
    }
    let form = super::form(&text.form)?;
    let ahead = match text.search.as_str() {
        "greedy" => false,
        "lookahead" => true,
        other => return Err(format!("model: search = {other}: must be greedy or lookahead")),
    };
    let features = Tetris::features(&rules, &text.features).map_err(|error| format!("model: {error}"))?;
    let parameters = form.parameter_names(&features.names());
    if features.is_sparse() && form != Form::Linear {
        return Err(format!("model: form = {}: tables are added up, must be linear", text.form));
    }
    let needed = if features.is_sparse() { features.always_shown() } else { parameters.len() };
    Ok(Box::new(TetrisTask { rules, features: text.features.clone(), form, ahead, needed, parameters }))
}

impl TetrisTask {
    fn evaluator(&self, point: &[f64]) -> Evaluator<Tetris> {
        let file = self.file(point, String::new());
        Evaluator::from_file("learned", &file, &self.rules)
            .expect("the task was checked, the point is finite")
    }

    /// The weights of a part of the features, the others being 0; `None` if it is no such part.
    fn of_part(&self, evaluator: &Evaluator<Tetris>) -> Option<Vec<f64>> {
        let weights = evaluator.linear_weights().filter(|_| self.form == Form::Linear)?;
        let places: HashMap<&String, usize> = self.parameters.iter().zip(0..).collect();
        let mut point = vec![0.0; self.parameters.len()];
        for (name, &weight) in evaluator.names().iter().zip(weights) {
            point[*places.get(name)?] = weight;
        }
        Some(point)
    }

    fn file(&self, point: &[f64], about: String) -> ModelFile {
        // Most entries of large tables are never met.
        let all = self.parameters.iter().cloned().zip(point.iter().copied()).enumerate();
        let worth_naming = all.filter(|(i, (_, weight))| *i < self.needed || *weight != 0.0);
        let parameters = worth_naming.map(|(_, parameter)| parameter).collect();
        ModelFile::new(Tetris::NAME, &self.features, &self.form, parameters, about)
    }
}

impl Task for TetrisTask {
    fn parameters(&self) -> Vec<String> {
        self.parameters.clone()
    }

    fn unit(&self) -> &'static str {
        Tetris::SCORE_UNIT
    }

    fn contestant(&self, point: &[f64]) -> Box<dyn Contestant + '_> {
        match FastPlayer::new(&self.rules, &self.evaluator(point), self.ahead) {
            Some(player) => Box::new(Fast(&self.rules, player)),
            None => Box::new(General(self, point.to_vec())),
        }
    }

    fn model(&self, point: &[f64], about: String) -> ModelFile {
        self.file(point, about)
    }

    fn start(&self, model: &str) -> Result<Vec<f64>, String> {
        let wrong = |reason: String| format!("model.start = {model}: {reason}");
        match Seat::<Tetris>::parse(&self.rules, model).map_err(|error| wrong(error.to_string()))? {
            Seat::Model(evaluator) if evaluator.parameter_names() == self.parameters => {
                Ok(evaluator.model().parameters().to_vec())
            }
            Seat::Model(evaluator) => self.of_part(&evaluator).ok_or_else(|| {
                wrong(format!(
                    "its parameters are {}; learned are {}",
                    evaluator.parameter_names().join(", "),
                    self.parameters.join(", ")
                ))
            }),
            _ => Err(wrong("it is not a model".into())),
        }
    }
}

impl Contestant for Fast<'_> {
    fn score(&self, seed: u64, game: u64) -> f64 {
        let mut machine = self.1.clone();
        let mut hand = Hand::new(self.0, GameDice::new(seed, game).deals);
        while !machine.player.lost() {
            machine.place(&mut hand);
        }
        machine.player.lines() as f64
    }
}

impl Contestant for General<'_> {
    fn score(&self, seed: u64, game: u64) -> f64 {
        let evaluator = self.0.evaluator(&self.1);
        let seat = if self.0.ahead { Seat::Lookahead(evaluator) } else { Seat::Model(evaluator) };
        let mut players: [Box<dyn Player<Tetris>>; 1] = [seat.into_player()];
        let start = Tetris::start(&self.0.rules);
        let record = play(&start, &mut players, &mut GameDice::new(seed, game), u64::MAX, &mut |_, _, _| {});
        record.end.score(Side::First)
    }
}
