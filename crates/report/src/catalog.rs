//! What there is: the lists of all crates in one place, for `evalforge list`.

use play::evaluator::ModelFile;
use play::names::UnknownName;
use play::players::PLAYERS;
use play::players::spec::FORMS;
use play::search::SEARCHES;
use play::shipped::{SHIPPED, SHIPPED_TABLES};
use play::{Games, PlayedGame, Visitor, game_list};
use serde::Serialize;
use train::experiments::EXPERIMENTS;

/// One thing that can be named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// The options of a game, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionItem>,
}

/// One option of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

/// All of one kind, with the games of a list.
///
/// # Errors
/// There is no such kind.
pub fn items<L: Games>(kind: &str) -> Result<Vec<Item>, UnknownName> {
    let plain = |name: &str, summary: &str| Item {
        name: name.to_string(),
        summary: summary.to_string(),
        options: Vec::new(),
    };
    let items = match kind {
        "games" => game_list::<L>().into_iter().map(|game| game_item(&game)).collect(),
        "models" => learn::models::MODELS.iter().map(|model| plain(model.name, model.summary)).collect(),
        "learners" => {
            let vectors = learn::learners::LEARNERS.iter().map(|one| one.entry);
            let alone = train::selfplay::METHODS.iter().copied();
            vectors.chain(alone).map(|entry| plain(entry.name, entry.summary)).collect()
        }
        "searches" => SEARCHES.iter().map(|search| plain(search.name, search.summary)).collect(),
        "players" => players(),
        "features" => features::<L>(),
        "experiments" => EXPERIMENTS.iter().map(|one| plain(one.name, &one.summary())).collect(),
        _ => return Err(UnknownName::new("kind of things", kind, KINDS)),
    };
    Ok(items)
}

fn players() -> Vec<Item> {
    let built_in = PLAYERS.iter().map(|player| (player.name.to_string(), player.summary.to_string()));
    let models = SHIPPED.iter().map(|model| {
        let about = ModelFile::parse(model.name, model.text).map_or(String::new(), |file| file.about);
        let rules = model.rules().iter().map(|(key, value)| format!(" with {key} {value}"));
        (model.name.to_string(), format!("{}{}: {about}", model.game, rules.collect::<String>()))
    });
    let tables = SHIPPED_TABLES
        .iter()
        .map(|tables| (tables.name.to_string(), format!("othello: {}", tables.model().about())));
    let forms = [
        ("lookahead(MODEL)", "the same function one piece deeper; games of chance only"),
        ("optimal(FILE)", "tetris: the best play, from a table that 'evalforge solve' has written"),
        (
            "perfect(table=FILE)",
            "pushover: wins soonest, loses latest; by a table of 'evalforge solve', else solved anew",
        ),
        ("external(xmlrpc=URL)", "avalam: a server of somebody else's, asked over XML-RPC"),
        (
            "external(gtp=\"PROGRAM ARGUMENTS\")",
            "othello: a program of somebody else's that speaks GTP; seconds=S a move, credit=S a game",
        ),
        (
            "external(nboard=\"PROGRAM ARGUMENTS\")",
            "othello: one that speaks NBoard; depth=N, seconds=S a move, credit=S a game",
        ),
        ("linear(FEATURES; W,W,...)", "a linear function written out"),
        ("FILE.json", "any model file"),
        ("FILE.tables", "othello: tables of patterns that 'evalforge regress' has written"),
    ];
    let forms = forms.iter().chain(FORMS).map(|(name, summary)| (name.to_string(), summary.to_string()));
    let all = built_in.chain(models).chain(tables).chain(forms);
    all.map(|(name, summary)| Item { name, summary, options: Vec::new() }).collect()
}

fn features<L: Games>() -> Vec<Item> {
    struct Collect(Vec<Item>);
    impl Visitor for Collect {
        fn game<G: PlayedGame>(&mut self) {
            for info in G::feature_list() {
                let kind = if info.is_set { "set" } else { "feature" };
                let summary = format!("{} {kind}: {}", G::NAME, info.summary);
                self.0.push(Item { name: info.name.to_string(), summary, options: Vec::new() });
            }
        }
    }
    let mut collect = Collect(Vec::new());
    L::visit(&mut collect);
    collect.0
}

fn game_item(game: &games::GameInfo) -> Item {
    let option = |option: &games::rules::OptionInfo| OptionItem {
        name: option.name,
        values: option.values,
        default: (game.default_value)(option.name),
        help: option.help,
    };
    let options = game.options.iter().map(option).collect();
    Item { name: game.name.to_string(), summary: game.summary.to_string(), options }
}
