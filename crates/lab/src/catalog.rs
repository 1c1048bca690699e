//! What there is: the lists of all crates in one place, for `evalforge list`.

use games::{Game, Visitor, game_list, visit_games};
use serde::Serialize;

use crate::evaluator::ModelFile;
use crate::experiments::EXPERIMENTS;
use crate::names::UnknownName;
use crate::players::PLAYERS;
use crate::players::spec::FORMS;
use crate::search::SEARCHES;
use crate::shipped::{SHIPPED, SHIPPED_TABLES};

/// One thing that can be named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// Whether a feature is one that its game values for several moves at once; other kinds of things say nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fast: Option<bool>,
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

/// All of one kind.
///
/// # Errors
/// There is no such kind.
pub fn items(kind: &str) -> Result<Vec<Item>, UnknownName> {
    let plain = |name: &str, summary: &str| Item {
        name: name.to_string(),
        summary: summary.to_string(),
        fast: None,
        options: Vec::new(),
    };
    let items = match kind {
        "games" => game_list().into_iter().map(|game| game_item(&game)).collect(),
        "models" => learn::models::MODELS.iter().map(|model| plain(model.name, model.summary)).collect(),
        "learners" => {
            let vectors = learn::learners::LEARNERS.iter().map(|one| one.entry);
            let alone = crate::selfplay::METHODS.iter().copied();
            vectors.chain(alone).map(|entry| plain(entry.name, entry.summary)).collect()
        }
        "searches" => SEARCHES.iter().map(|search| plain(search.name, search.summary)).collect(),
        "players" => players(),
        "features" => features(),
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
    all.map(|(name, summary)| Item { name, summary, fast: None, options: Vec::new() }).collect()
}

/// What the word beside a feature means.
pub const FAST: &str = "fast: valued for eight placements at a time; a set or mixture with others, which are measured one \
                        placement after the other, takes a few times as long";

fn features() -> Vec<Item> {
    struct Collect(Vec<Item>);
    impl Visitor for Collect {
        fn game<G: Game>(&mut self) {
            for info in G::feature_list() {
                let kind = if info.is_set { "set" } else { "feature" };
                let fast = G::is_fast(info.name);
                let mark = if fast { "fast " } else { "" };
                let summary = format!("{} {mark}{kind}: {}", G::NAME, info.summary);
                self.0.push(Item {
                    name: info.name.to_string(),
                    summary,
                    fast: Some(fast),
                    options: Vec::new(),
                });
            }
        }
    }
    let mut collect = Collect(Vec::new());
    visit_games(&mut collect);
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
    Item { name: game.name.to_string(), summary: game.summary.to_string(), fast: None, options }
}
