//! Tasks: what can be learned. Every listed game is one, and beside them there are those of [`TASKS`]. A task says how many
//! parameters there are and what a vector of them scores in one game, which is named by a seed and a number and nothing else.

mod functions;
mod pairs;
mod pickpocket;
mod solo;
mod tuned;

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use games::rules::OptionInfo;
use learn::models::Form;
use measure::pool::{Halt, Stop};
use measure::splitting::Effort;
use notation::one_line;
use play::evaluator::ModelFile;
use play::names::UnknownName;
use play::players::notation::Call;
use play::players::{PlayerFailure, PlayerSpec};
use play::{Games, PlayedGame, game_list, with_game};
use serde::{Deserialize, Serialize};
pub use tuned::Tuning;

/// A task in the list.
#[derive(Clone, Copy)]
pub struct TaskEntry {
    /// Its name in files.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The one option that it has.
    pub option: OptionInfo,
    build: fn(&TaskText) -> Result<Box<dyn Task>, String>,
}

/// How many numbers a function of numbers takes.
const DIMENSION: OptionInfo = OptionInfo { name: "dimension", values: "1..1000", help: "parameters" };

/// The one list of tasks that are no games.
pub const TASKS: &[TaskEntry] = &[
    TaskEntry {
        name: "pickpocket",
        summary: "the best genome of a pickpocket, one bit a talent",
        option: OptionInfo { name: "genes", values: "2..1000", help: "talents" },
        build: pickpocket::build,
    },
    TaskEntry {
        name: "sphere",
        summary: "minus the sum of squares; a test of learners",
        option: DIMENSION,
        build: functions::sphere,
    },
    TaskEntry {
        name: "rosenbrock",
        summary: "minus a curved valley",
        option: DIMENSION,
        build: functions::rosenbrock,
    },
    TaskEntry {
        name: "ellipsoid",
        summary: "minus squares, the last a million times the first",
        option: DIMENSION,
        build: functions::ellipsoid,
    },
    TaskEntry {
        name: "noisy-sphere",
        summary: "minus the sum of squares times a lot of mean 1",
        option: DIMENSION,
        build: functions::noisy,
    },
];

/// A task as plain data, enough to make it again anywhere.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskText {
    /// Its name.
    pub name: String,
    /// Options of the rules.
    pub rules: BTreeMap<String, String>,
    /// The features of the function.
    pub features: String,
    /// The form of the function.
    pub form: String,
    /// `greedy` or `lookahead`; between two players any search, as `alphabeta(depth=2)`.
    pub search: String,
    /// Who is met in a game for two, as texts of players.
    #[serde(default)]
    pub opponents: Vec<String>,
    /// Random plies before a game for two begins.
    #[serde(default)]
    pub openings: u32,
    /// Whether a game for two is scored by its margin rather than by who wins.
    #[serde(default)]
    pub margin: bool,
    /// What is learned of a model, where that is not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
    /// How much is played where a game for one is judged by splitting; none where it is judged by whole games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub splitting: Option<Effort>,
}

/// Something to be learned.
pub trait Task: Send + Sync {
    /// The names of the parameters.
    fn parameters(&self) -> Vec<String>;

    /// Whether every parameter is a bit.
    fn bits(&self) -> bool {
        false
    }

    /// Whether two play against each other.
    fn for_two(&self) -> bool {
        false
    }

    /// What is counted, as "lines".
    fn unit(&self) -> &str;

    /// The other programs that it starts or calls.
    fn programs(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the same vector scores the same in every game.
    fn exact(&self) -> bool {
        false
    }

    /// Somebody who plays by these parameters.
    fn candidate(&self, point: &[f64]) -> Box<dyn Candidate + '_>;

    /// All who play by these vectors. Between two sides each of them meets the named opponents and then, in their order, the
    /// players of the vectors `met`, which are made once for all.
    fn candidates(&self, points: &[Vec<f64>], met: &[Vec<f64>]) -> Vec<Box<dyn Candidate + '_>> {
        assert!(met.is_empty(), "nobody is met in a task for one");
        points.iter().map(|point| self.candidate(point)).collect()
    }

    /// Does what takes long before the named opponents can be met; `say` is told whose turn it is, and may break it off.
    fn prepare(&self, say: &(dyn Fn(&str) -> ControlFlow<()> + Sync)) {
        let _ = say;
    }

    /// The model of these parameters.
    fn model(&self, point: &[f64], about: String) -> ModelFile;

    /// The parameters of a model to begin from.
    ///
    /// # Errors
    /// The model is unknown or has other parameters.
    fn start(&self, model: &str) -> Result<Vec<f64>, String>;

    /// For each parameter of a function, the change of it that sets moves as far apart as the whole function does at `point`; 0 for
    /// what is never met. None if the task cannot tell.
    fn units(&self, point: &[f64]) -> Option<Vec<f64>> {
        let _ = point;
        None
    }
}

/// Plays games by some parameters; each game begins anew.
pub trait Candidate: Send + Sync {
    /// The score of a game, which depends on its seed and number alone.
    ///
    /// # Errors
    /// An opponent has no move to give, or the game was told to stop.
    fn score(&self, seed: u64, game: u64, stop: &Stop) -> Result<f64, Halt<PlayerFailure>>;
}

/// Makes the task of a game, by what the game is: there is no entry for each.
struct OfGame<'a>(&'a TaskText);

impl play::Job for OfGame<'_> {
    type Output = Result<Box<dyn Task>, String>;
    fn run<G: PlayedGame>(self) -> Self::Output {
        match G::SIDES.len() {
            2 if !G::CHANCE => pairs::build::<G>(self.0),
            1 => solo::build::<G>(self.0),
            _ => Err(format!("task: nothing is learned of {} yet", G::NAME)),
        }
    }
}

impl TaskText {
    /// The task, of one of the games of `L` or of [`TASKS`].
    ///
    /// # Errors
    /// The name, the rules, the features or the form are wrong.
    pub fn build<L: Games>(&self) -> Result<Box<dyn Task>, String> {
        let unknown = || {
            let games = game_list::<L>().into_iter().map(|game| game.name);
            let known: Vec<&str> = games.chain(TASKS.iter().map(|task| task.name)).collect();
            UnknownName::new("task", &self.name, known).to_string()
        };
        let task = match TASKS.iter().find(|task| task.name == self.name) {
            Some(entry) => (entry.build)(self)?,
            None => with_game::<L, _>(&self.name, OfGame(self)).ok_or_else(unknown)??,
        };
        match &self.tuning {
            Some(tuning) => tuned::build(task, tuning),
            None => Ok(task),
        }
    }

    /// The same task under rules of which some are changed.
    pub fn with(&self, rules: &BTreeMap<String, String>) -> Self {
        let mut text = self.clone();
        text.rules.extend(rules.iter().map(|(key, value)| (key.clone(), value.clone())));
        text
    }

    /// An error if features, a form or a search are given where there is no game.
    fn no_game(&self) -> Result<(), String> {
        let plain = self.features.is_empty() && self.form == "linear" && self.search == "greedy";
        match (plain, self.openings > 0 || self.margin) {
            _ if self.splitting.is_some() => {
                Err(format!("fitness: splitting: the task {} has no games", self.name))
            }
            (true, false) => Ok(()),
            (false, _) => Err(format!("model: the task {} has no features, forms or searches", self.name)),
            (_, true) => Err(format!("fitness: the task {} has no openings and no margin", self.name)),
        }
    }
}

/// The parameters of a model to begin from, by their names. A weighted sum may have features that the model does not know: they
/// begin with a weight of 0.
fn start_of<G: PlayedGame>(
    rules: &G::Rules,
    model: &str,
    form: &Form,
    parameters: &[String],
) -> Result<Vec<f64>, String> {
    // The text of a whole model would fill the screen.
    let name = if model.starts_with('{') { "{...}" } else { model };
    let wrong = |reason: String| format!("model.start = {}: {reason}", one_line(name));
    let player = PlayerSpec::<G>::parse(rules, model).map_err(|error| wrong(error.to_string()))?;
    let PlayerSpec::Model(evaluator) = player else { return Err(wrong("it is not a model".into())) };
    let given = evaluator.parameter_names();
    let values = evaluator.model().parameters();
    if given == parameters && *evaluator.form() == *form {
        return Ok(values.to_vec());
    }
    let known: HashMap<&String, f64> = given.iter().zip(values.iter().copied()).collect();
    let sums = [form, evaluator.form()].iter().all(|form| **form == Form::Linear);
    match given.iter().find(|name| !parameters.contains(name)) {
        None if sums => Ok(parameters.iter().map(|name| known.get(name).copied().unwrap_or(0.0)).collect()),
        stranger => {
            let few = |names: &[String]| match names.len() {
                0..20 => names.join(", "),
                count => format!("{}, ... ({count})", names[..10].join(", ")),
            };
            let stranger = stranger.map_or(String::new(), |name| format!(", and {name} is none of them"));
            Err(wrong(format!(
                "its parameters are {}; learned are {}{stranger}",
                few(&given),
                few(parameters)
            )))
        }
    }
}

/// A form by its name.
fn form(name: &str) -> Result<Form, String> {
    Form::parse(name).ok_or_else(|| {
        let known: Vec<&str> = learn::models::MODELS.iter().map(|model| model.name).collect();
        format!("model: form = {}: must be one of {}", one_line(name), known.join(", "))
    })
}

/// The text of a player that searches with a model, given in one line.
pub fn searching(search: &str, model: &str) -> String {
    match search {
        "greedy" => model.to_string(),
        "lookahead" => format!("lookahead({model})"),
        // What is wrong with a search, whoever reads it says.
        other => Call::parse(other).map_or(other.to_string(), |mut call| {
            call.options.push(("eval".into(), model.to_string()));
            call.to_string()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_given_its_model() {
        for (search, text) in [
            ("greedy", "{\"a\": 1}"),
            ("lookahead", "lookahead({\"a\": 1})"),
            ("alphabeta", "alphabeta(eval={\"a\": 1})"),
            (" alphabeta ( ) ", "alphabeta(eval={\"a\": 1})"),
            ("alphabeta(depth=2)", "alphabeta(depth=2, eval={\"a\": 1})"),
            ("mcts(simulations=5, cut=\"3\")", "mcts(simulations=5, cut=3, eval={\"a\": 1})"),
            // Whoever reads it says what is wrong.
            ("alphabeta(depth=2", "alphabeta(depth=2"),
        ] {
            assert_eq!(searching(search, "{\"a\": 1}"), text);
        }
    }
}
