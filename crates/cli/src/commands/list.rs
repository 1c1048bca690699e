//! `evalforge list`: what there is.

use std::io::{Write, stdout};

use clap::{Arg, ArgMatches, Command};
use report::catalog::{self, FAST, Item, KINDS};
use serde_json::{Map, json};

use crate::arguments::json_arg;

pub fn arguments(command: Command) -> Command {
    command
        .about("List the games, features, models, learners, searches, players and experiments there are")
        .arg(
            Arg::new("kind")
                .value_name("KIND")
                .help(format!("One of: {}; all of them if left out", KINDS.join(", "))),
        )
        .arg(json_arg())
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let kinds: Vec<&str> = match matches.get_one::<String>("kind") {
        Some(kind) => vec![kind],
        None => KINDS.to_vec(),
    };
    let lists = kinds.iter().map(|kind| Ok((*kind, catalog::items::<games::Listed>(kind)?)));
    let lists: Vec<(&str, Vec<Item>)> = lists.collect::<anyhow::Result<_>>()?;
    let mut out = stdout().lock();
    if matches.get_flag("json") {
        let object: Map<_, _> =
            lists.into_iter().map(|(kind, items)| (kind.to_string(), json!(items))).collect();
        writeln!(out, "{:#}", json!(object))?;
        return Ok(());
    }
    let width = lists.iter().flat_map(|(_, items)| items).map(|item| item.name.len()).max().unwrap_or(0);
    for (kind, items) in &lists {
        if lists.len() > 1 {
            writeln!(out, "{kind}")?;
        }
        if items.iter().any(|item| item.fast == Some(true)) {
            writeln!(out, "  ({FAST})")?;
        }
        if items.is_empty() {
            writeln!(out, "  (none yet)")?;
        }
        for item in items {
            writeln!(out, "  {:width$}  {}", item.name, item.summary)?;
            if lists.len() == 1 {
                for option in &item.options {
                    let (name, values, default) = (option.name, option.values, &option.default);
                    writeln!(out, "  {:width$}    --{name} {values} ({default}): {}", "", option.help)?;
                }
            }
        }
    }
    Ok(())
}
