//! As much of JSON Schema as our own schemas say; a word that this does not know is a fault of the schema. What crates there are for it
//! pull in some forty others.

use serde_json::{Map, Value};

/// Words that say nothing about what is valid.
const REMARKS: [&str; 7] = ["$schema", "$defs", "title", "description", "default", "format", "$ref"];

/// A schema, and whether objects may have keys that it does not name: programs that read an output have to bear new ones, but none is
/// printed that is not described.
pub struct Validator<'a> {
    root: &'a Value,
    is_closed: bool,
}

impl<'a> Validator<'a> {
    /// As the schema says.
    pub fn new(root: &'a Value) -> Self {
        Self { root, is_closed: false }
    }

    /// The same, but every key has to be named.
    pub fn closed(root: &'a Value) -> Self {
        Self { root, is_closed: true }
    }

    /// What is wrong with a value, each fault with its place.
    pub fn faults(&self, value: &Value) -> Vec<String> {
        self.at(self.root, value, "")
    }

    /// What a schema points to.
    pub fn resolve(&self, schema: &'a Value) -> Option<&'a Value> {
        let place = schema.get("$ref")?.as_str().unwrap();
        let found = self.root.pointer(place.strip_prefix('#').unwrap());
        Some(found.unwrap_or_else(|| panic!("nothing at {place}")))
    }

    fn at(&self, schema: &'a Value, value: &Value, path: &str) -> Vec<String> {
        let Some(words) = schema.as_object() else {
            return if schema == true {
                Vec::new()
            } else {
                vec![format!("{path}: nothing is allowed here")]
            };
        };
        let mut faults = self.resolve(schema).map_or(Vec::new(), |found| self.at(found, value, path));
        for (word, said) in words.iter().filter(|(word, _)| !REMARKS.contains(&word.as_str())) {
            faults.extend(self.word(words, word, said, value, path));
        }
        faults
    }

    fn word(
        &self,
        words: &'a Map<String, Value>,
        word: &str,
        said: &'a Value,
        value: &Value,
        path: &str,
    ) -> Vec<String> {
        let one = |is_right: bool| match is_right {
            true => Vec::new(),
            false => vec![format!("{path}: {value} is against {word} {said}")],
        };
        let list = |said: &'a Value| said.as_array().unwrap().iter();
        let right = |said: &'a Value| list(said).filter(|one| self.at(one, value, path).is_empty()).count();
        let (object, array) = (value.as_object(), value.as_array());
        match word {
            "type" if said.is_array() => one(list(said).any(|kind| is_of(kind, value))),
            "type" => one(is_of(said, value)),
            "const" => one(value == said),
            "enum" => one(list(said).any(|one| one == value)),
            "anyOf" => one(right(said) > 0),
            "oneOf" => one(right(said) == 1),
            "not" => one(!self.at(said, value, path).is_empty()),
            "minimum" => one(value.as_f64().is_none_or(|number| number >= said.as_f64().unwrap())),
            "maximum" => one(value.as_f64().is_none_or(|number| number <= said.as_f64().unwrap())),
            "minItems" => one(array.is_none_or(|all| all.len() as u64 >= said.as_u64().unwrap())),
            "maxItems" => one(array.is_none_or(|all| all.len() as u64 <= said.as_u64().unwrap())),
            "required" => {
                one(object.is_none_or(|keys| list(said).all(|key| keys.contains_key(key.as_str().unwrap()))))
            }
            "items" | "prefixItems" => {
                let of = |i: usize| if word == "items" { Some(said) } else { said.get(i) };
                let all = array.into_iter().flatten().enumerate();
                all.filter_map(|(i, item)| Some(self.at(of(i)?, item, &format!("{path}[{i}]"))))
                    .flatten()
                    .collect()
            }
            "properties" => {
                let more = words.get("additionalProperties");
                let mut faults = Vec::new();
                for (key, inner) in object.into_iter().flatten() {
                    let place = format!("{path}.{key}");
                    match said.get(key).or(more) {
                        Some(known) => faults.extend(self.at(known, inner, &place)),
                        None if self.is_closed => faults.push(format!("{place} is not described")),
                        None => {}
                    }
                }
                faults
            }
            "additionalProperties" if words.contains_key("properties") => Vec::new(),
            "additionalProperties" => {
                let all = object.into_iter().flatten();
                all.flat_map(|(key, inner)| self.at(said, inner, &format!("{path}.{key}"))).collect()
            }
            _ => vec![format!("{path}: the schema says {word}, which this test does not know")],
        }
    }
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        kind => panic!("there is no type {kind}"),
    }
}

/// Whether what a command printed with `--json` is what its schema says, and nothing more.
pub fn check_output(arguments: &[&str], printed: &str) {
    if printed.is_empty() {
        return;
    }
    let output: Value =
        serde_json::from_str(printed).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    let name = output["schema"].as_str().unwrap_or_default().to_string();
    let listed =
        commands::outputs::SCHEMAS.iter().find(|listed| format!("evalforge/{}", listed.name) == name);
    let listed = listed.unwrap_or_else(|| panic!("{arguments:?}: there is no schema {name:?}"));
    let schema = (listed.schema)();
    let faults = Validator::closed(&schema).faults(&output);
    assert!(faults.is_empty(), "{arguments:?}, {name}: {faults:#?}");
}
