//! What there is: the lists of all crates in one place, for `evalforge list`.

use games::game_list;
use serde::Serialize;

use crate::names::UnknownName;
use crate::players::PLAYERS;
use crate::search::SEARCHES;

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

/// All of one kind.
///
/// # Errors
/// There is no such kind.
pub fn items(kind: &str) -> Result<Vec<Item>, UnknownName> {
    let plain = |name: &str, summary: &str| Item {
        name: name.to_string(),
        summary: summary.to_string(),
        options: Vec::new(),
    };
    let items = match kind {
        "games" => game_list().into_iter().map(|game| game_item(&game)).collect(),
        "models" => learn::models::MODELS.iter().map(|model| plain(model.name, model.summary)).collect(),
        "learners" => learn::learners::LEARNERS.iter().map(|one| plain(one.name, one.summary)).collect(),
        "searches" => SEARCHES.iter().map(|search| plain(search.name, search.summary)).collect(),
        "players" => PLAYERS.iter().map(|player| plain(player.name, player.summary)).collect(),
        // Their rooms are empty until the first feature set and the first experiment move in.
        "features" | "experiments" => Vec::new(),
        _ => return Err(UnknownName::new("kind of things", kind, KINDS)),
    };
    Ok(items)
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
