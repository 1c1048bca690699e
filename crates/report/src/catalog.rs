//! What there is: the lists of all crates in one place, for `evalforge list`.

use play::evaluator::ModelFile;
use play::names::UnknownName;
use play::players::PLAYERS;
use play::players::spec::{FORMS, options_of};
use play::search::SEARCHES;
use play::{Games, PlayedGame, Visitor, game_list};
use schemars::JsonSchema;
use serde::Serialize;
use train::experiments::{EXPERIMENTS, ShippedExperiment};

/// One thing that can be named.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// Whether a feature is one that its game values for several moves at once; other kinds of things say nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fast: Option<bool>,
    /// The options of a game or of a search, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionItem>,
    /// Which games have it.
    #[serde(skip)]
    pub of: Of,
}

/// Which games have something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// All of them, or it has nothing to do with games.
    All,
    /// This one.
    Game(&'static str),
    /// Those for two without chance.
    Searchable,
    /// Those of chance.
    Chance,
}

impl Item {
    /// Whether a game has it.
    pub fn is_of(&self, game: &games::GameInfo) -> bool {
        match self.of {
            Of::All => true,
            Of::Game(name) => name == game.name,
            Of::Searchable => game.is_searchable(),
            Of::Chance => game.chance,
        }
    }
}

/// One option of a game or of a search.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct OptionItem {
    /// Its name.
    pub name: &'static str,
    /// The values it takes.
    pub values: &'static str,
    /// Its value unless it is set.
    pub default: String,
    /// What it does.
    pub help: &'static str,
}

/// The kinds of things, in the order in which they are listed.
pub const KINDS: [&str; 7] =
    ["games", "features", "models", "learners", "searches", "players", "experiments"];

/// Those of them that games have, or do not have, each for itself.
pub const OF_GAMES: [&str; 4] = ["games", "features", "players", "experiments"];

/// All of one kind, with the games of a list.
///
/// # Errors
/// There is no such kind.
pub fn items<L: Games>(kind: &str) -> Result<Vec<Item>, UnknownName> {
    let items = match kind {
        "games" => game_list::<L>().into_iter().map(|game| game_item(&game)).collect(),
        "models" => learn::models::MODELS.iter().map(|model| item(model.name, model.summary)).collect(),
        "learners" => {
            let vectors = learn::learners::LEARNERS.iter().map(|one| one.entry);
            let alone = train::selfplay::METHODS.iter().copied();
            vectors.chain(alone).map(|entry| item(entry.name, entry.summary)).collect()
        }
        "searches" => SEARCHES.iter().map(|search| item(search.name, search.summary)).collect(),
        "players" => players::<L>(),
        "features" => features::<L>(),
        "experiments" => EXPERIMENTS.iter().map(experiment::<L>).collect(),
        _ => return Err(UnknownName::new("kind of things", kind, KINDS)),
    };
    Ok(items)
}

/// An experiment, of the game that its task names.
fn experiment<L: Games>(one: &ShippedExperiment) -> Item {
    let game =
        game_list::<L>().into_iter().find(|game| one.text.contains(&format!("\nname = \"{}\"", game.name)));
    Item { of: game.map_or(Of::All, |game| Of::Game(game.name)), ..item(one.name, &one.summary()) }
}

fn players<L: Games>() -> Vec<Item> {
    struct Collect(Vec<Item>);
    impl Visitor for Collect {
        fn game<G: PlayedGame>(&mut self) {
            let item = |name: &str, summary: &str| Item { of: Of::Game(G::NAME), ..item(name, summary) };
            for model in G::MODELS {
                let about = ModelFile::parse(model.name, model.text).map_or(String::new(), |file| file.about);
                let rules: String =
                    model.rules.iter().map(|(key, value)| format!(" with {key} {value}")).collect();
                self.0.push(item(model.name, &format!("{}{rules}: {about}", G::NAME)));
            }
            for name in G::OWN_FUNCTIONS {
                if let Ok(Some(function)) = G::own_function(name) {
                    self.0.push(item(name, &format!("{}: {}", G::NAME, function.about())));
                }
            }
            for form in G::OWN_PLAYERS.iter().chain(G::FUNCTION_FILES) {
                self.0.push(item(form.name, &format!("{}: {}", G::NAME, form.summary)));
            }
        }
    }
    let mut collect = Collect(Vec::new());
    collect.0.extend(PLAYERS.iter().map(|player| item(player.name, player.summary)));
    L::visit(&mut collect);
    let lookahead = item("lookahead(MODEL)", "the same function one piece deeper; games of chance only");
    collect.0.push(Item { of: Of::Chance, ..lookahead });
    collect.0.push(item("linear(FEATURES; W,W,...)", "a linear function written out"));
    collect.0.push(item("FILE.json", "any model file"));
    let option = |one: play::players::spec::OptionInfo| OptionItem {
        name: one.name,
        values: one.values,
        default: one.default.to_string(),
        help: one.help,
    };
    collect.0.extend(FORMS.iter().map(|(name, summary)| Item {
        of: Of::Searchable,
        options: options_of(name).into_iter().map(option).collect(),
        ..item(name, summary)
    }));
    collect.0
}

/// What the word beside a feature means.
pub const FAST: &str =
    "fast: linear functions of it are valued for eight moves at a time; all else is measured move by move";

fn features<L: Games>() -> Vec<Item> {
    struct Collect(Vec<Item>);
    impl Visitor for Collect {
        fn game<G: PlayedGame>(&mut self) {
            for info in G::feature_list() {
                let kind = if info.is_set { "set" } else { "feature" };
                let fast = G::is_fast(info.name);
                let mark = if fast { "fast " } else { "" };
                let summary = format!("{} {mark}{kind}: {}", G::NAME, info.summary);
                self.0.push(Item { fast: Some(fast), of: Of::Game(G::NAME), ..item(info.name, &summary) });
            }
        }
    }
    let mut collect = Collect(Vec::new());
    L::visit(&mut collect);
    collect.0
}

fn item(name: &str, summary: &str) -> Item {
    let (name, summary) = (name.to_string(), summary.to_string());
    Item { name, summary, fast: None, options: Vec::new(), of: Of::All }
}

fn game_item(game: &games::GameInfo) -> Item {
    let option = |option: &games::rules::OptionInfo| OptionItem {
        name: option.name,
        values: option.values,
        default: (game.default_value)(option.name),
        help: option.help,
    };
    let options = game.options.iter().map(option).collect();
    Item { options, of: Of::Game(game.name), ..item(game.name, game.summary) }
}
