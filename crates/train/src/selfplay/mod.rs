//! Learning with no expert: a function plays against itself, with exploration, and learns from what came of it. For every
//! game of two sides without chance; and, by `solo`, for games for one.
//!
//! `game` plays and remembers, `td` learns after every few games, `fitted` fits the function anew to many of them. A round is
//! a function of the parameters before it, the seed and its number: nothing else need be saved. A checkpoint
//! holds parameters alone, those of the earlier rounds of a window too, whose games are played again after an interruption.

mod fitted;
mod game;
mod returns;
pub(crate) mod settings;
mod solo;
mod td;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use game::Episodes;
use games::{Dice, Rules as _};
use learn::Entry;
use learn::learners::SettingError;
use learn::models::Form;
use learn::random::Random;
use measure::splitting::{Measure, highest_level};
use play::names::UnknownName;
use play::search::is_searchable;
use play::{Games, Job, PlayedGame, with_game};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use settings::{FittedSettings, TdSettings, read};
use solo::SoloSettings;

use crate::imitation::{Cbmpi, CbmpiSettings};
use crate::run::record::ImitationLine;
use crate::tasks::TaskText;

const TD: &str = "td";
const FITTED: &str = "fitted-self-play";
const SOLO: &str = "td-solo";
const CBMPI: &str = "cbmpi";

/// The one list of ways to learn from games against oneself.
pub const METHODS: &[Entry] = &[
    Entry { name: TD, summary: "TD(lambda): every position is drawn towards the one that follows it" },
    Entry {
        name: FITTED,
        summary: "games of the function against itself, labelled and fitted, round after round",
    },
    Entry {
        name: SOLO,
        summary: "TD(lambda) in a game for one: a linear function learns the score that is still to come",
    },
    Entry {
        name: CBMPI,
        summary: "a game for one with chance: the function learns to choose as it does itself one deal deeper",
    },
];

/// Names that files of earlier versions have, and what they are called now.
const EARLIER_NAMES: [(&str, &str); 2] = [("rounds", FITTED), ("teacher", CBMPI)];

/// The line of a way to learn, by its name or the one that it had before; none if it is no such way.
pub fn method(name: &str) -> Option<&'static Entry> {
    let earlier = EARLIER_NAMES.iter().find(|(earlier, _)| *earlier == name);
    let name = earlier.map_or(name, |(_, now)| now);
    METHODS.iter().find(|entry| entry.name == name)
}

/// All names of a way to learn, the one that it has now first.
pub(crate) fn names(entry: &Entry) -> Vec<&'static str> {
    let earlier = EARLIER_NAMES.iter().filter(|(_, now)| *now == entry.name).map(|(earlier, _)| *earlier);
    [entry.name].into_iter().chain(earlier).collect()
}

/// The settings of a way to learn, for the schema of experiments.
pub(crate) fn settings_schema(entry: &Entry, generator: &mut SchemaGenerator) -> Schema {
    match entry.name {
        TD => TdSettings::json_schema(generator),
        FITTED => FittedSettings::json_schema(generator),
        SOLO => SoloSettings::json_schema(generator),
        _ => CbmpiSettings::json_schema(generator),
    }
}

/// What came of a round.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundResult {
    /// Games played.
    pub games: u32,
    /// How far off the function was, on the positions of these games: 0 is perfect.
    pub loss: f64,
    /// The rate of learning, where there is one.
    pub rate: Option<f64>,
    /// What the games scored, in a game for one.
    pub scores: Vec<f64>,
    /// How near the function has come to the expert that it imitates, where there is one.
    pub imitation: Option<ImitationLine>,
}

/// When a round is: what its lots and its rates depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The seed of the run.
    pub seed: u64,
    /// The number of the round, from 1.
    pub round: u64,
    /// How many there will be.
    pub rounds: u64,
}

impl Moment {
    /// From `begin` in the first round to `end` in the last, by equal factors, or by equal steps where one of them is 0.
    fn between(self, begin: f64, end: f64) -> f64 {
        let way = if self.rounds > 1 { (self.round - 1) as f64 / (self.rounds - 1) as f64 } else { 0.0 };
        match begin > 0.0 && end > 0.0 {
            true => begin * math::powf(end / begin, way),
            false => begin + (end - begin) * way,
        }
    }
}

/// Somebody who is told what is being done, and may break it off.
pub type Say<'a> = &'a (dyn Fn(String) -> ControlFlow<()> + Sync);

/// A function that learns from games against itself.
pub trait SelfPlay: Send {
    /// Plays and learns for a round; what takes long is told to `say`. None if that broke it off: nothing has been learned then, and
    /// the round comes out the same another time.
    fn round(&mut self, moment: Moment, say: Say) -> Option<RoundResult>;

    /// The function now.
    fn parameters(&self) -> &[f64];

    /// All that is needed to go on after a round.
    fn save(&self) -> Value;
}

type Builder = fn(&Method, &Begin) -> Result<Box<dyn SelfPlay>, String>;

/// A way to learn, checked: enough to begin or to go on.
#[derive(Debug)]
pub struct Method {
    /// Its line in the list.
    pub entry: &'static Entry,
    task: TaskText,
    settings: Value,
    /// [`Method::build`] for the list of games that it was made for.
    builder: Builder,
}

/// Where to begin.
enum Begin<'a> {
    Seed(u64),
    Parameters(Vec<f64>),
    Saved(&'a Value),
}

impl Begin<'_> {
    /// The parameters to begin with; none where they are saved.
    fn parameters(&self, form: &Form, inputs: usize) -> Vec<f64> {
        match self {
            Begin::Seed(seed) => {
                let mut random = Random::seeded(Dice::seeded(&[*seed, 0x7365_6c66]).bits());
                form.initial(inputs, &mut random)
            }
            Begin::Parameters(parameters) => parameters.clone(),
            Begin::Saved(_) => Vec::new(),
        }
    }
}

fn setting(error: &SettingError) -> String {
    format!("learner: {}", crate::run::config::suggest(&error.to_string()))
}

impl Method {
    /// The way of this name, in a game of `L`; `None` if it is none of the list.
    ///
    /// # Errors
    /// A setting is wrong, or the task is none that can be learned so.
    pub fn new<L: Games>(name: &str, task: &TaskText, settings: &Value) -> Option<Result<Self, String>> {
        let (entry, task, settings) = (method(name)?, task.clone(), settings.clone());
        let method = Self { entry, task, settings, builder: Self::build::<L> };
        Some((method.builder)(&method, &Begin::Seed(0)).map(|_| method))
    }

    /// A run at its beginning: from random parameters, or from those given.
    pub fn begin(&self, seed: u64, start: Option<&[f64]>) -> Box<dyn SelfPlay> {
        let begin = start.map_or(Begin::Seed(seed), |start| Begin::Parameters(start.to_vec()));
        (self.builder)(self, &begin).expect("checked")
    }

    /// A run as it was saved.
    ///
    /// # Errors
    /// It was not saved by this method.
    pub fn load(&self, saved: &Value) -> Result<Box<dyn SelfPlay>, String> {
        (self.builder)(self, &Begin::Saved(saved))
    }

    fn build<L: Games>(&self, begin: &Begin) -> Result<Box<dyn SelfPlay>, String> {
        struct Build<'a>(&'a Method, &'a Begin<'a>);
        impl Job for Build<'_> {
            type Output = Result<Box<dyn SelfPlay>, String>;
            fn run<G: PlayedGame>(self) -> Self::Output {
                self.0.build_for::<G>(self.1)
            }
        }
        let task = &self.task.name;
        let none = || format!("learner: {} learns from games, and {task} is none", self.entry.name);
        with_game::<L, _>(task, Build(self, begin)).ok_or_else(none)?
    }

    fn build_for<G: PlayedGame>(&self, begin: &Begin) -> Result<Box<dyn SelfPlay>, String> {
        match self.entry.name {
            SOLO => return self.solo::<G>(begin),
            CBMPI => return self.cbmpi::<G>(begin),
            _ => {}
        }
        if !is_searchable::<G>() {
            return Err(format!(
                "learner: {} is for games of two sides without chance, not for {}",
                self.entry.name,
                G::NAME
            ));
        }
        let (rules, form) = (self.rules::<G>()?, self.form()?);
        let episodes = Episodes::<G>::new(rules, &self.task, form)?;
        let count = episodes.parameters();
        let parameters = begin.parameters(&episodes.form, episodes.inputs);
        match self.entry.name {
            TD => {
                let settings: TdSettings = read(&self.settings).map_err(|error| setting(&error))?;
                settings.check().map_err(|error| setting(&error))?;
                let mut td = td::Td::new(episodes, settings, parameters);
                if let Begin::Saved(saved) = begin {
                    td.load(saved, count)?;
                }
                Ok(Box::new(td))
            }
            _ => {
                let settings: FittedSettings = read(&self.settings).map_err(|error| setting(&error))?;
                settings.check(count).map_err(|error| setting(&error))?;
                let mut fitted = fitted::FittedSelfPlay::new(episodes, settings, parameters);
                if let Begin::Saved(saved) = begin {
                    fitted.load(saved, count)?;
                }
                Ok(Box::new(fitted))
            }
        }
    }

    fn rules<G: PlayedGame>(&self) -> Result<G::Rules, String> {
        let pairs = self.task.rules.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        G::Rules::from_pairs(pairs).map_err(|error| format!("task: {error}"))
    }

    fn form(&self) -> Result<Form, String> {
        let forms = learn::models::MODELS.iter().map(|it| it.name);
        let unknown = || UnknownName::new("form", &self.task.form, forms).to_string();
        Form::parse(&self.task.form).ok_or_else(unknown)
    }

    /// Positions are sampled by levels.
    fn cbmpi<G: PlayedGame>(&self, begin: &Begin) -> Result<Box<dyn SelfPlay>, String> {
        if G::SIDES.len() != 1 {
            return Err(format!("learner: {CBMPI} is for games for one, not for {}", G::NAME));
        }
        if self.task.search != "greedy" {
            return Err(format!("learner: {CBMPI} is for a function that looks one move ahead"));
        }
        let (rules, form) = (self.rules::<G>()?, self.form()?);
        let highest = highest_level::<G>(&rules, Measure::Height)
            .map_err(|error| format!("learner: {CBMPI} samples positions by levels: {error}"))?;
        let features = G::features(&rules, &self.task.features).map_err(|error| format!("model: {error}"))?;
        form.check(features.names().len()).map_err(|error| format!("model: {error}"))?;
        let names = form.parameter_names(&features.names());
        let settings =
            CbmpiSettings::new(&self.settings, &names, highest).map_err(|error| setting(&error))?;
        let parameters = match begin {
            Begin::Saved(saved) => game::numbers(saved.get("parameters"), names.len())?,
            _ => begin.parameters(&form, features.names().len()),
        };
        Ok(Box::new(Cbmpi::<G>::new(rules, &self.task.features, form, settings, parameters)))
    }

    fn solo<G: PlayedGame>(&self, begin: &Begin) -> Result<Box<dyn SelfPlay>, String> {
        if G::SIDES.len() != 1 || self.task.form != "linear" || self.task.search != "greedy" {
            return Err(format!(
                "learner: {SOLO} is for a linear function that looks one move ahead in a game for one"
            ));
        }
        let rules = self.rules::<G>()?;
        let features = G::features(&rules, &self.task.features).map_err(|error| format!("model: {error}"))?;
        let settings =
            SoloSettings::new(&self.settings, &features.names()).map_err(|error| setting(&error))?;
        let mut solo = solo::Solo::<G>::new(rules, features, settings);
        match begin {
            Begin::Seed(_) => {}
            Begin::Parameters(weights) => solo.begin_from(weights),
            Begin::Saved(saved) => solo.load(saved)?,
        }
        Ok(Box::new(solo))
    }
}
