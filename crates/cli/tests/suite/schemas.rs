//! The schemas of outputs, of the files of a run and of experiments: whether they say what is so, and whether the reference says the same.

use std::fs;
use std::path::Path;

use commands::outputs::{Listed, RECORDS, SCHEMAS};
use serde_json::{Value, json};
use train::experiments::EXPERIMENTS;

use super::common::validator::Validator;
use super::common::{done, folder, refused};

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_schema_is_printed_by_its_name() {
    let list = done(&["list", "schemas"]);
    for Listed { name, schema, .. } in SCHEMAS.iter().chain(RECORDS) {
        assert!(list.contains(&format!("{name} ")), "{list}");
        let printed = read(&done(&["list", "schema", name]));
        assert_eq!(printed, schema(), "{name}");
        assert_eq!(printed["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
    assert_eq!(done(&["list", "schema", "score/1"]), done(&["list", "schema", "evalforge/score/1"]));
    let known = read(&done(&["list", "schemas", "--json"]));
    assert_eq!(known["schemas"].as_object().unwrap().len(), SCHEMAS.len());
    refused(
        &["list", "schema", "score/2"],
        &["unknown schema 'score/2' (did you mean 'score/1'?)", "nearest"],
    );
    refused(&["list", "schema"], &["unknown schema ''"]);
}

/// Other tests hold all outputs that they look at to their schemas (`common::converse`); nobody else looks at these.
#[test]
fn outputs_are_what_their_schemas_say() {
    for words in [
        "analyze avalam --player best-move --json",
        "analyze avalam --why --player observer --json",
        "analyze tetris --player dn --piece T --json",
        "analyze tetris --player record --surfaces --top 2 --json",
        "solve tetris --width 4 --height 4 --games 10 --json",
        "score tetris --height 8 --player dn --games 2 --json",
        "score tetris --height 8 --player dn --method heights --budget 10000 --json",
        "score tetris --height 8 --player dn --method growth --from 5 --to 7 --budget 500000 --json",
        "score tetris --height 8 --player dn --method splitting --repeats 2 --trials 100 --moves 10000 --json",
        "score pushover --size 3 --player random --games 5 --json",
        "duel othello greedy random --games 2 --json",
        "duel othello greedy random random --games 2 --json",
        "tune clock othello --games 1 --depth 1 --json",
        "bench othello --seconds 0.001 --json",
        "bench perft othello 1 --json",
        "list --json",
    ] {
        let output = read(&done(&words.split(' ').collect::<Vec<_>>()));
        let name = output["schema"].as_str().unwrap_or_default();
        assert!(
            SCHEMAS.iter().any(|listed| name == format!("evalforge/{}", listed.name)),
            "{words}: {name:?}"
        );
    }
    // A number that is none is null, and a key that is missing or of another kind is a fault.
    let schema = (SCHEMAS.iter().find(|listed| listed.name == "perft/1").unwrap().schema)();
    let output = json!({
        "schema": "evalforge/perft/1", "game": "g", "options": {}, "position": "", "threads": 1,
        "rows": [{ "depth": 1, "leaves": 2, "seconds": 0.0, "leaves_per_second": null }],
    });
    assert_eq!(Validator::new(&schema).faults(&output), [""; 0]);
    for (key, value) in
        [("schema", json!("evalforge/perft/2")), ("rows", json!([{}])), ("threads", json!(-1))]
    {
        let mut wrong = output.clone();
        wrong[key] = value;
        assert!(!Validator::new(&schema).faults(&wrong).is_empty(), "{wrong}");
    }
    let mut more = output;
    more["more"] = json!(1);
    assert_eq!(Validator::new(&schema).faults(&more), [""; 0], "new keys do no harm");
    assert_eq!(Validator::closed(&schema).faults(&more), [".more is not described"]);
}

#[test]
fn the_files_of_a_run_are_what_their_schemas_say() {
    let place = folder("schemas", "run");
    let [file, out] = ["it.toml", "run"].map(|name| place.join(name).display().to_string());
    let text = "generations = 2\ntask = { name = \"tetris\", height = 8 }\nmodel = { features = \"dn\" }\n\
                learner = { name = \"cma-es\" }\ncurve = { games = 2 }\nscore = [{ games = 2, rules = { height = 8 } }]\n";
    fs::write(&file, text).unwrap();
    done(&["learn", &file, "--out", &out, "--json"]);
    done(&["runs", &out, "--json"]);
    for Listed { name, schema, .. } in RECORDS {
        let (schema, text) = (schema(), fs::read_to_string(Path::new(&out).join(name)).unwrap());
        let lines: Vec<&str> = if *name == "log.jsonl" { text.lines().collect() } else { vec![&text] };
        for line in lines {
            let mut value = read(line);
            if *name == "log.jsonl" {
                assert!(value.as_object_mut().unwrap().remove("sum").is_some(), "every line has a checksum");
            }
            assert_eq!(Validator::closed(&schema).faults(&value), [""; 0], "{name}");
        }
    }
}

/// Editors would mark what is right, or let pass what is wrong.
#[test]
fn the_schema_of_experiments_is_what_learn_reads() {
    let schema = read(&done(&["list", "schema", "experiment"]));
    let faults = |text: &str| Validator::new(&schema).faults(&json!(text.parse::<toml::Table>().unwrap()));
    for experiment in EXPERIMENTS {
        assert_eq!(faults(experiment.text), [""; 0], "{}", experiment.name);
    }
    let right =
        "generations = 3\ntask = { name = \"sphere\", dimension = 3 }\nlearner = { name = \"cma-es\" }\n";
    assert_eq!(faults(right), [""; 0]);
    for wrong in [
        "",
        "budget = 3",
        "seed = \"one\"",
        "fitness = { game = 3 }",
        "fitness = { racing = { bound = \"any\" } }",
        "fitness = { racing = { maximum = \"many\" } }",
        "score = [{ games = 10, against = \"dn\" }]",
        "score = [{ expect = { above = 3 } }]",
        "curve = { rules = { height = 1.5 } }",
        "stage = []",
        "stage = [{ generation = 3 }]",
        "stage = [{ learner = { sigma = 3 } }]",
        "model = { bounds = [1] }",
    ] {
        let text = if wrong.is_empty() { "generations = 3\n".into() } else { format!("{right}{wrong}\n") };
        assert!(!faults(&text).is_empty(), "{wrong} is let pass");
    }
    for (part, wrong) in [
        ("\"cma-es\"", "\"cma\""),
        ("\"cma-es\"", "\"cma-es\", elite = 0.1"),
        ("\"cma-es\"", "\"cma-es\", sigma = \"wide\""),
        ("\"cma-es\"", "\"cma-es\", restarts = \"often\""),
        ("\"sphere\"", "\"spher\""),
        ("dimension", "genes"),
    ] {
        assert!(!faults(&right.replace(part, wrong)).is_empty(), "{wrong} is let pass");
    }
    for other in [
        "\"genetic\", selection = \"roulette\"",
        "\"rounds\", label = \"return\"",
        "\"td-solo\", given = { a = 1 }",
    ] {
        assert_eq!(faults(&right.replace("\"cma-es\"", other)), [""; 0], "{other}");
    }
}

/// A schema as a table of the reference: every key by its path, its kind and its description.
struct Page<'a> {
    pointers: Validator<'a>,
    rows: Vec<String>,
}

impl<'a> Page<'a> {
    /// What a schema says by itself or by what it points to.
    fn said(&self, schema: &'a Value, word: &str) -> Option<&'a Value> {
        schema.get(word).or_else(|| self.said(self.pointers.resolve(schema)?, word))
    }

    /// The schema of what is there where there is something.
    fn present(&self, schema: &'a Value) -> &'a Value {
        let any = schema.get("anyOf").and_then(Value::as_array);
        let is_null = |one: &&Value| one["type"] == "null";
        match any.filter(|any| any.len() == 2 && any.iter().any(|one| is_null(&one))) {
            Some(any) => any.iter().find(|one| !is_null(one)).unwrap(),
            None => schema,
        }
    }

    /// What kind of value it is; that it may be null is said once for all.
    fn kind(&self, schema: &'a Value) -> String {
        let schema = self.present(schema);
        for word in ["oneOf", "anyOf"] {
            if let Some(all) = self.said(schema, word).and_then(Value::as_array) {
                let mut kinds: Vec<String> = all.iter().map(|one| self.kind(one)).collect();
                kinds.dedup();
                return kinds.join(" or ");
            }
        }
        if let Some(name) = schema.get("const").and_then(Value::as_str) {
            return format!("`{name}`");
        }
        if let Some(names) = self.said(schema, "enum").and_then(Value::as_array) {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            return format!("`{}`", names.join("` or `"));
        }
        let kind = match self.said(schema, "type") {
            Some(Value::Array(kinds)) => kinds.iter().find(|kind| *kind != "null").unwrap(),
            Some(kind) => kind,
            None => return "anything".into(),
        };
        match kind.as_str().unwrap() {
            "array" => match (self.said(schema, "items"), self.said(schema, "maxItems")) {
                (Some(items), Some(count)) => format!("{count} times {}", self.kind(items)),
                (Some(items), None) => format!("list of {}", self.kind(items)),
                _ => "list".into(),
            },
            "object" => match self.said(schema, "properties") {
                None => "object by name".into(),
                Some(_) => "object".into(),
            },
            "string" => "text".into(),
            "integer" => "whole number".into(),
            "boolean" => "true or false".into(),
            kind => kind.into(),
        }
    }

    fn object(&mut self, schema: &'a Value, path: &str) {
        let schema = self.present(schema);
        for (key, inner) in self.said(schema, "properties").and_then(Value::as_object).into_iter().flatten() {
            // All outputs have it.
            if key == "schema" {
                continue;
            }
            let path = format!("{path}{key}");
            let about = self.said(self.present(inner), "description");
            let about = inner.get("description").or(about).and_then(Value::as_str);
            let about = about.unwrap_or_else(|| panic!("{path} has no description"));
            let about = about.replace('\n', " ").replace('|', "\\|");
            self.rows.push(format!("| `{path}` | {} | {about} |\n", self.kind(inner)));
            self.inside(inner, &path);
        }
    }

    /// The keys of an object, of those of a list, or of those that have names of their own.
    fn inside(&mut self, schema: &'a Value, path: &str) {
        let schema = self.present(schema);
        if self.said(schema, "properties").is_some() {
            self.object(schema, &format!("{path}."));
        } else if let Some(items) = self.said(schema, "items") {
            self.inside(items, &format!("{path}[]"));
        } else if let Some(named) =
            self.said(schema, "additionalProperties").filter(|named| named.is_object())
        {
            self.inside(named, &format!("{path}.*"));
        }
    }
}

const HEAD: &str = "\n| key | kind | meaning |\n|---|---|---|\n";

/// All tables of a schema: one, or one for each of what it may be.
fn tables(schema: &Value) -> String {
    let mut page = Page { pointers: Validator::new(schema), rows: Vec::new() };
    let Some(all) = schema.get("anyOf").and_then(Value::as_array) else {
        match schema.get("items") {
            Some(items) => page.inside(items, "[]"),
            None => page.object(schema, ""),
        }
        return format!("{HEAD}{}", page.rows.concat());
    };
    let mut text = String::new();
    for one in all {
        page.object(one, "");
        let about = one["description"].as_str().unwrap().trim_end_matches('.');
        text += &format!("\n`{about}`:\n{HEAD}{}", page.rows.drain(..).collect::<String>());
    }
    text
}

/// The reference says what the schemas say: `BLESS=1 cargo test -p evalforge-cli --test suite schemas` writes it.
#[test]
fn the_reference_has_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/files.md");
    let mut page = fs::read_to_string(&path).unwrap();
    let files = RECORDS.iter().map(|file| (file.name, tables(&(file.schema)())));
    let output = |one: &Listed| format!("\n### {}\n\n{}.\n{}", one.name, one.what, tables(&(one.schema)()));
    let outputs: String = SCHEMAS.iter().map(output).collect();
    for (name, text) in files.chain([("outputs", outputs)]) {
        let (begin, end) = (format!("<!-- schema of {name} -->\n"), format!("\n<!-- end of {name} -->"));
        let from = page.find(&begin).unwrap_or_else(|| panic!("there is no {begin}")) + begin.len();
        let to = from + page[from..].find(&end).unwrap_or_else(|| panic!("there is no {end}"));
        if std::env::var_os("BLESS").is_some() {
            page.replace_range(from..to, &text);
            fs::write(&path, &page).unwrap();
        } else {
            let kept = page[from..to].lines().zip(text.lines()).find(|(kept, now)| kept != now);
            assert_eq!(kept, None, "of {name}; BLESS=1 writes it");
            assert_eq!(
                page[from..to].len(),
                text.len(),
                "{name} has other lines at its end; BLESS=1 writes it"
            );
        }
    }
}
