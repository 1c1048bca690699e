//! What `--json` prints, as types: the schema of each is made from its type, and the descriptions are the comments of its fields.
//!
//! Every output has a key `schema`, as `evalforge/score/1`. A key that is added leaves the number as it is; one that goes or changes its meaning makes
//! it the next.

mod fitting;
mod learning;
mod measuring;
mod playing;

use std::collections::BTreeMap;
use std::io::{self, Write, stdout};

use games::Rules;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Value, json};
use train::run::record::{Contest, Generation, Manifest};

pub use self::fitting::*;
pub use self::learning::*;
pub use self::measuring::*;
pub use self::playing::*;
pub use crate::commands::learning::reproduce_output::*;
pub use crate::rooms::outputs::*;

/// Options of rules by name.
pub type Options = BTreeMap<String, String>;

/// Something that a command prints.
pub trait Output: Serialize + JsonSchema {
    /// Its name and version.
    const SCHEMA: &'static str;
    /// What prints it.
    const WHAT: &'static str;
}

/// A line of a list of schemas.
pub struct Listed {
    /// What it is called: name and version, or the name of a file.
    pub name: &'static str,
    /// What it describes.
    pub what: &'static str,
    /// The JSON Schema.
    pub schema: fn() -> Value,
}

const fn of<T: Output>() -> Listed {
    Listed { name: T::SCHEMA, what: T::WHAT, schema: output::<T> }
}

/// The one list of outputs.
pub const SCHEMAS: &[Listed] = &[
    of::<Analysis>(),
    of::<Why>(),
    of::<Surfaces>(),
    of::<Solved>(),
    of::<Learned>(),
    of::<RunList>(),
    of::<Scores>(),
    of::<Estimated>(),
    of::<Grades>(),
    of::<Duelled>(),
    of::<Tournament>(),
    of::<Labelled>(),
    of::<Fit>(),
    of::<FittedTables>(),
    of::<Exported>(),
    of::<Clock>(),
    of::<ProbCut>(),
    of::<Speeds>(),
    of::<Leaves>(),
    of::<Listing>(),
    of::<Reproduced>(),
];

/// The files in the folder of a run.
pub const RECORDS: &[Listed] = &[
    Listed { name: "log.jsonl", what: "a line of the log of a run", schema: record::<Generation> },
    Listed { name: "manifest.json", what: "where a run comes from", schema: record::<Manifest> },
    Listed { name: "scores.json", what: "the scores of what was learned", schema: record::<Vec<Contest>> },
];

/// Prints an output with the name of its schema.
///
/// # Errors
/// Standard output is closed.
pub fn print<T: Output>(output: &T) -> io::Result<()> {
    let mut value = json!(output);
    value["schema"] = json!(full_name(T::SCHEMA));
    writeln!(stdout(), "{value:#}")
}

/// How an output calls its schema.
pub fn full_name(name: &str) -> String {
    format!("evalforge/{name}")
}

/// The options of rules that are not the usual ones.
pub fn options<R: Rules>(rules: &R) -> Options {
    rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

fn record<T: JsonSchema>() -> Value {
    // Numbers that are not finite are null in JSON.
    let nullable = |schema: &mut Schema| {
        if schema.get("type") == Some(&json!("number")) {
            schema.insert("type".into(), json!(["number", "null"]));
        }
    };
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with_transform(RecursiveTransform(nullable));
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn output<T: Output>() -> Value {
    let mut schema = record::<T>();
    let name = full_name(T::SCHEMA);
    // What is one of several has the keys of that one.
    let any = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let place = |one: &Value| Some(one["$ref"].as_str()?.trim_start_matches('#').to_string());
    let variants: Vec<String> = any.filter_map(place).collect();
    schema["title"] = json!(name);
    schema["description"] = json!(T::WHAT);
    schema["type"] = json!("object");
    let about = json!({ "description": "The name of this schema, and its version.", "const": name });
    let mut add = |place: &str| {
        let object = schema.pointer_mut(place).expect("a pointer leads somewhere");
        object["properties"]["schema"] = about.clone();
        object["required"] = match object["required"].take() {
            Value::Array(mut required) => {
                required.push(json!("schema"));
                json!(required)
            }
            _ => json!(["schema"]),
        };
    };
    if variants.is_empty() {
        add("");
    }
    variants.iter().for_each(|place| add(place));
    schema
}
