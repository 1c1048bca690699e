//! What `--json` prints, by name and version, and the schema of the file of an experiment.
//!
//! Every output has a key `schema`, as `evalforge/score/1`. A key that is added leaves the number as it is; one that goes or changes its meaning makes
//! it the next. Outputs are put together where they are printed, not from types, so that they are named here and described in docs; the
//! schema of experiments comes from the lists and from what the parser knows.

use games::GameInfo;
use learn::learners::LEARNERS;
use play::{Games, game_list};
use serde_json::{Map, Value, json};
use train::run::config::Config;
use train::selfplay::METHODS;
use train::tasks::TASKS;

/// The outputs: name and version, and what prints them.
pub const SCHEMAS: &[(&str, &str)] = &[
    ("analyze/1", "analyze: every move of a position, searched"),
    ("why/1", "analyze --why: every move by a function, and its features"),
    ("surfaces/1", "analyze tetris --surfaces: the tables of a player"),
    ("solve/1", "solve: the value of a game, and how it was found"),
    ("learn/1", "learn: the folder of the run and the scores of what was learned"),
    ("runs/1", "runs: every run in a folder"),
    ("score/1", "score: the scores of players"),
    ("estimate/1", "score --method splitting, heights or growth"),
    ("grade/1", "score --method grade: players by perfect play"),
    ("duel/1", "duel of two players"),
    ("tournament/1", "duel of more than two, or with --gauntlet"),
    ("label/1", "label: what was written"),
    ("fit/1", "fit: a model and how good it is"),
    ("tables/1", "fit tables: tables or sums and how good they are"),
    ("export/1", "fit export: the file that was written"),
    ("clock/1", "tune clock: times by step and depth"),
    ("probcut/1", "tune probcut: the rows of a fit"),
    ("bench/1", "bench: speeds, and the behaviour signature"),
    ("perft/1", "bench perft: leaves by depth"),
    ("list/1", "list: what there is"),
    ("reproduce/1", "reproduce: a published table, theirs beside ours"),
];

/// An output with the name of its schema.
pub fn with_schema(name: &str, mut value: Value) -> Value {
    let is_it = |schema: &str| schema.split('/').next() == Some(name);
    let (schema, _) = SCHEMAS.iter().find(|(schema, _)| is_it(schema)).expect("every output is on the list");
    value["schema"] = json!(format!("evalforge/{schema}"));
    value
}

/// The tables of an experiment whose keys the parser knows, and whether there may be several.
const SECTIONS: [(&str, bool); 6] = [
    ("model", false),
    ("fitness", false),
    ("curve", false),
    ("deploy", false),
    ("schedule", true),
    ("score", true),
];

/// The JSON Schema of the file of an experiment, with the games of a list.
pub fn experiment<L: Games>() -> Value {
    let any = |keys: Vec<String>| keys.into_iter().map(|key| (key, json!({}))).collect::<Map<_, _>>();
    let mut properties = any(keys(""));
    for (name, is_list) in SECTIONS {
        let head = if is_list { format!("[[{name}]]") } else { format!("[{name}]") };
        let table =
            json!({ "type": "object", "properties": any(keys(&head)), "additionalProperties": false });
        properties
            .insert(name.into(), if is_list { json!({ "type": "array", "items": table }) } else { table });
    }
    let learners = LEARNERS.iter().map(|one| one.entry).chain(METHODS.iter().copied());
    properties
        .insert("learner".into(), one_of(learners.map(|one| (one.name, one.summary, json!({}))).collect()));
    let games = game_list::<L>();
    let tasks = TASKS.iter().map(|task| (task.name, task.summary, json!({})));
    properties.insert("task".into(), one_of(games.iter().map(game).chain(tasks).collect()));
    for (name, kind) in
        [("generations", "integer"), ("seed", "integer"), ("runs", "integer"), ("about", "string")]
    {
        properties.insert(name.into(), json!({ "type": kind }));
    }
    properties.insert("stage".into(), json!({ "type": "array", "items": { "type": "object" } }));
    properties.insert("quick".into(), json!({ "type": "object" }));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "An experiment of evalforge", "type": "object",
        "properties": properties, "additionalProperties": false,
    })
}

/// A game as a task, with the options of its rules.
fn game(game: &GameInfo) -> (&'static str, &'static str, Value) {
    let option = |option: &games::rules::OptionInfo| {
        (option.name.to_string(), json!({ "description": format!("{} [{}]", option.help, option.values) }))
    };
    (game.name, game.summary, Value::Object(game.options.iter().map(option).collect()))
}

/// A table that is one of several by its name.
fn one_of(all: Vec<(&str, &str, Value)>) -> Value {
    let one = |(name, summary, mut keys): (&str, &str, Value)| {
        keys["name"] = json!({ "const": name });
        json!({ "description": summary, "properties": keys })
    };
    let all: Vec<Value> = all.into_iter().map(one).collect();
    json!({ "type": "object", "required": ["name"], "oneOf": all })
}

/// The keys that the parser knows in a table of an experiment, which it names when it meets another.
fn keys(head: &str) -> Vec<String> {
    let least = "generations = 1\n[task]\n[learner]\n";
    let text =
        if head.is_empty() { format!("no-key = 1\n{least}") } else { format!("{least}{head}\nno-key = 1\n") };
    let told = Config::parse("", &text, false, &[]).err().map_or(String::new(), |error| error.to_string());
    told.split('`').skip(3).step_by(2).map(str::to_string).collect()
}
