//! The JSON Schema of the file of an experiment: what the parser reads, from its types and from the lists of learners, tasks and games.

use games::rules::OptionInfo;
use learn::learners::LEARNERS;
use play::{Games, game_list};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::config::Config;
use crate::selfplay::{METHODS, names, settings_schema};
use crate::tasks::TASKS;

/// The JSON Schema of the file of an experiment, with the games of a list.
pub fn experiment<L: Games>() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let mut whole = Config::json_schema(&mut generator).to_value();
    let learner = one_of(&learners(&mut generator));
    let task = one_of(&tasks::<L>());
    // A stage may change some options of the task that all stages have.
    let part = json!({ "anyOf": [task, { "type": "object", "not": { "required": ["name"] } }] });
    whole["properties"]["learner"] = learner;
    whole["properties"]["task"] = task;

    let mut stage = whole.clone();
    stage["properties"]["task"] = part;
    let keys = stage["properties"].as_object_mut().expect("properties are an object");
    keys.remove("quick");
    let stage = stage.as_object_mut().expect("a schema is an object");
    for key in ["required", "title", "description"] {
        stage.remove(key);
    }
    whole["properties"]["stage"] = json!({
        "description": "Parts that are run one after another. A key of a stage takes the place of the one outside.",
        "type": "array", "minItems": 1, "items": stage,
    });
    let required = whole["required"].take();
    let whole = whole.as_object_mut().expect("a schema is an object");
    whole.remove("required");
    let mut schema = Map::from_iter([
        ("$schema".to_string(), json!("https://json-schema.org/draft/2020-12/schema")),
        ("anyOf".to_string(), json!([{ "required": required }, { "required": ["stage"] }])),
        ("$defs".to_string(), json!(generator.take_definitions(true))),
    ]);
    schema.append(whole);
    schema.insert("title".into(), json!("An experiment of evalforge"));
    Value::Object(schema)
}

/// Every learner with its settings.
fn learners(generator: &mut SchemaGenerator) -> Vec<Value> {
    let vectors =
        LEARNERS.iter().map(|one| named(&[one.entry.name], one.entry.summary, (one.settings)(generator)));
    let mut all: Vec<Value> = vectors.collect();
    all.extend(METHODS.iter().map(|one| named(&names(one), one.summary, settings_schema(one, generator))));
    all
}

/// Every task with the options of its rules.
fn tasks<L: Games>() -> Vec<Value> {
    let games = game_list::<L>();
    let games = games.iter().map(|game| (game.name, game.summary, game.options));
    let others = TASKS.iter().map(|task| (task.name, task.summary, std::slice::from_ref(&task.option)));
    let task = |(name, summary, options): (&str, &str, &[OptionInfo])| {
        let options: Map<String, Value> = options.iter().map(option).collect();
        let keys = json!({ "type": "object", "properties": options, "additionalProperties": false });
        named(&[name], summary, keys.try_into().expect("it is an object"))
    };
    games.chain(others).map(task).collect()
}

/// An option of rules; numbers and switches may be written as such.
fn option(option: &OptionInfo) -> (String, Value) {
    let about = format!("{} [{}]", option.help, option.values);
    (option.name.to_string(), json!({ "description": about, "type": ["string", "integer", "boolean"] }))
}

/// Settings as a table that is known by its name.
fn named(names: &[&str], summary: &str, settings: Schema) -> Value {
    let mut table = settings.to_value();
    table["description"] = json!(summary);
    table["properties"]["name"] = json!({ "enum": names });
    table["required"] = json!(["name"]);
    table
}

fn one_of(all: &[Value]) -> Value {
    json!({ "type": "object", "required": ["name"], "oneOf": all })
}
