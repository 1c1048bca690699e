//! An evaluation function: a model over features of a game, and the file that holds one.
//!
//! The file names game, features, form and every parameter, so that it is enough to play. It comes from outside and is
//! never trusted: every fault is an error that names the file and the thing.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use games::error::shown;
use games::{FeatureSet, Game, InputError};
use learn::models::{Form, MODELS, Model};
use notation::one_line;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The first line of every model file.
const FORMAT: &str = "evalforge model 1";

/// What can be wrong with a model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("model {}: {reason}", shown(.path))]
    Read {
        /// Its path.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// The text is no model.
    #[error("model {}: {}", one_line(.name), one_line(.reason))]
    Format {
        /// Its name or path.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// The features are unknown in this game.
    #[error("model {}: {error}", one_line(.name))]
    Features {
        /// Its name or path.
        name: String,
        /// What is unknown.
        error: InputError,
    },
}

/// A model as it is written down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    format: String,
    /// The game it is for.
    pub game: String,
    /// The features, as a list of names.
    pub features: String,
    /// The form, as [`Form::name`].
    pub model: String,
    /// Every parameter by its name; those of tables may be left out where they are 0.
    pub parameters: BTreeMap<String, f64>,
    /// Where it comes from and how good it is.
    #[serde(default)]
    pub about: String,
}

impl ModelFile {
    /// A model of these parameters.
    pub fn new(
        game: &str,
        features: &str,
        form: &Form,
        parameters: BTreeMap<String, f64>,
        about: String,
    ) -> Self {
        let (game, features) = (game.to_string(), features.to_string());
        Self { format: FORMAT.to_string(), game, features, model: form.name(), parameters, about }
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a model can be written") + "\n"
    }

    /// The same in one line: a player's text that needs no file.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a model can be written")
    }

    /// Reads a model's text.
    ///
    /// # Errors
    /// It is not a model.
    pub fn parse(name: &str, text: &str) -> Result<Self, ModelError> {
        let format = |reason: String| ModelError::Format { name: name.to_string(), reason };
        let file: ModelFile = serde_json::from_str(text).map_err(|error| format(error.to_string()))?;
        match file.format == FORMAT {
            true => Ok(file),
            false => Err(format(format!("its format is {}; known: {FORMAT}", shown(&file.format)))),
        }
    }

    /// Reads a model's file.
    ///
    /// # Errors
    /// It cannot be read, or is not a model.
    pub fn read(path: &str) -> Result<Self, ModelError> {
        let text = crate::files::read_text(Path::new(path), crate::files::MOST_TEXT)
            .map_err(|error| ModelError::Read { path: path.to_string(), reason: error.to_string() })?;
        Self::parse(path, &text)
    }
}

/// A model over features of a game. Higher is better, for the side that moves.
pub struct Evaluator<G: Game> {
    features: Box<dyn FeatureSet<G>>,
    /// The features as a list of names, sets and tables among them.
    list: String,
    names: Vec<String>,
    form: Form,
    model: Box<dyn Model>,
}

impl<G: Game> Evaluator<G> {
    /// The function that a file describes, under these rules.
    ///
    /// # Errors
    /// It is for another game, or the features are unknown, or a parameter is missing or too much.
    pub fn from_file(name: &str, file: &ModelFile, rules: &G::Rules) -> Result<Self, ModelError> {
        let wrong = |reason: String| ModelError::Format { name: name.to_string(), reason };
        if file.game != G::NAME {
            return Err(wrong(format!("it is for {}, not for {}", shown(&file.game), G::NAME)));
        }
        let form = Form::parse(&file.model).ok_or_else(|| {
            let known: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
            wrong(format!("unknown form {}; known: {}", shown(&file.model), known.join(", ")))
        })?;
        let features = features::<G>(name, rules, &file.features)?;
        form.check(features.names().len()).map_err(|error| wrong(error.to_string()))?;
        let expected = form.parameter_names(&features.names());
        let given = |parameter: &String| file.parameters.get(parameter).copied();
        // Entries of tables are 0 where they are left out; a feature that has a name of its own is not.
        let needed = if features.is_sparse() { features.dense_count() } else { expected.len() };
        if let Some(missing) = expected.iter().take(needed).find(|parameter| given(parameter).is_none()) {
            return Err(wrong(format!("parameter {} is missing", shown(missing))));
        }
        let known: HashSet<&String> = expected.iter().collect();
        if let Some(unknown) = file.parameters.keys().find(|parameter| !known.contains(parameter)) {
            return Err(wrong(format!("parameter {} belongs to no feature here", shown(unknown))));
        }
        let parameters = expected.iter().map(|parameter| given(parameter).unwrap_or(0.0)).collect();
        Self::new(name, &file.features, features, form, parameters)
    }

    /// A linear function of named features.
    ///
    /// # Errors
    /// A feature is unknown, or there are more or fewer weights than features.
    pub fn linear(rules: &G::Rules, names: &str, weights: Vec<f64>) -> Result<Self, ModelError> {
        let features = features::<G>("given by --features and --weights", rules, names)?;
        let (found, expected) = (weights.len(), features.names().len());
        if found != expected {
            // A table has hundreds.
            let first = &features.names()[..expected.min(24)];
            let more = expected - first.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let reason = format!("{found} weights for the {expected} features {}{more}", first.join(", "));
            return Err(ModelError::Format { name: "given by --features and --weights".into(), reason });
        }
        Self::new("given by --features and --weights", names, features, Form::Linear, weights)
    }

    /// The function of these features, which `list` names, and parameters; `name` is who is to blame if they are none.
    ///
    /// # Errors
    /// A parameter is no finite number.
    pub fn new(
        name: &str,
        list: &str,
        features: Box<dyn FeatureSet<G>>,
        form: Form,
        parameters: Vec<f64>,
    ) -> Result<Self, ModelError> {
        if let Some(bad) = parameters.iter().find(|parameter| !parameter.is_finite()) {
            return Err(ModelError::Format { name: name.into(), reason: format!("{bad} is no parameter") });
        }
        let names = features.names();
        let model = form.build(names.len(), parameters);
        Ok(Self { features, list: list.to_string(), names, form, model })
    }

    /// The features as the list of names that they were given by, sets and tables not taken apart.
    pub fn feature_names(&self) -> &str {
        &self.list
    }

    /// The names of the features.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of the parameters.
    pub fn parameter_names(&self) -> Vec<String> {
        self.form.parameter_names(&self.names)
    }

    /// The features.
    pub fn features(&self) -> &dyn FeatureSet<G> {
        &*self.features
    }

    /// The model.
    pub fn model(&self) -> &dyn Model {
        &*self.model
    }

    /// The form of the model.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The weights, if the function is linear.
    pub fn linear_weights(&self) -> Option<&[f64]> {
        (self.form == Form::Linear).then(|| self.model.parameters())
    }

    /// The weights, if the function adds up entries of tables: only those that a move shows are looked at.
    pub fn table_weights(&self) -> Option<&[f64]> {
        self.linear_weights().filter(|_| self.features.is_sparse())
    }

    /// Overwrites `values` with the value of every move of a position; `rows` is room to work in.
    pub fn values(&self, position: &G, moves: &[G::Move], rows: &mut Vec<f64>, values: &mut Vec<f64>) {
        if let Some(weights) = self.table_weights() {
            let mut sparse = Vec::new();
            values.clear();
            values.extend(moves.iter().map(|&mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                self.features.extract_sparse(position, mv, &after, &mut sparse);
                self.features.weigh_sparse(weights, &sparse)
            }));
            return;
        }
        self.features.extract_all(position, moves, rows);
        values.clear();
        values.extend(rows.chunks(self.names.len().max(1)).map(|row| self.model.value(row)));
    }
}

fn features<G: Game>(
    name: &str,
    rules: &G::Rules,
    names: &str,
) -> Result<Box<dyn FeatureSet<G>>, ModelError> {
    G::features(rules, names).map_err(|error| ModelError::Features { name: name.to_string(), error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Games as _, PlayedGame, Visitor};
    use games::Rules as _;
    use games::othello::Othello;
    use games::tetris::{Tetris, TetrisRules};

    fn wrong(change: impl Fn(&str) -> String) -> String {
        let text = change(Tetris::MODELS[0].text);
        let made = ModelFile::parse("it", &text).and_then(|file| {
            Evaluator::<Tetris>::from_file("it", &file, &TetrisRules::default())
                .map(|_| String::from("accepted"))
        });
        made.unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn every_shipped_model_is_sound() {
        struct Sound;
        impl Visitor for Sound {
            fn game<G: PlayedGame>(&mut self) {
                for shipped in G::MODELS {
                    let file = ModelFile::parse(shipped.name, shipped.text).unwrap();
                    assert_eq!(file.game, G::NAME);
                    assert!(!file.about.is_empty());
                    let rules = G::Rules::from_pairs(shipped.rules.iter().copied()).unwrap();
                    Evaluator::<G>::from_file(shipped.name, &file, &rules).unwrap();
                }
            }
        }
        games::Listed::visit(&mut Sound);
    }

    #[test]
    fn faults_are_named() {
        for (from, to, said) in [
            ("evalforge model 1", "evalforge model 9", "'evalforge model 9'; known: evalforge model 1"),
            ("\"tetris\"", "\"chess\"", "for 'chess', not for tetris"),
            ("\"linear\"", "\"cubic\"", "unknown form 'cubic'"),
            ("\"holes\"", "\"hole\"", "parameter 'holes' is missing"),
            ("\"holes\": -4", "\"holes\": -4, \"more\": 1", "'more' belongs to no feature"),
            ("\"features\": \"dellacherie\"", "\"features\": \"della\"", "unknown feature 'della'"),
            ("\"game\"", "\"gam\"", "unknown field `gam`"),
            ("-4", "1e999", "number out of range"),
        ] {
            let error = wrong(|text| text.replacen(from, to, 1));
            assert!(error.contains(said), "{error}");
        }
        assert!(wrong(|_| "{".into()).contains("EOF"));
        let file = ModelFile::parse("it", Tetris::MODELS[0].text).unwrap();
        assert!(Evaluator::<Othello>::from_file("it", &file, &Default::default()).is_err());
        assert!(ModelFile::read("no/such/file.json").unwrap_err().to_string().contains("no/such/file.json"));
    }
}
