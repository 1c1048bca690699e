//! `evalforge list`: what there is.

use std::io::{Write, stdout};

use clap::Args;
use play::Games;
use report::catalog::{self, FAST, Item, KINDS};
use serde_json::{Map, json};

use super::{Plain, Program};

/// List the games, features, models, learners, searches, players and experiments there are
#[derive(Debug, Args)]
pub struct List {
    #[arg(help = format!("One of: {}; all of them if left out", KINDS.join(", ")))]
    kind: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Plain for List {
    fn run<L: Games>(self, _: &Program) -> anyhow::Result<()> {
        let kinds = self.kind.as_deref().map_or(KINDS.to_vec(), |kind| vec![kind]);
        let lists = kinds.iter().map(|kind| Ok((*kind, catalog::items::<L>(kind)?)));
        Ok(print(lists.collect::<anyhow::Result<_>>()?, self.json)?)
    }
}

fn print(lists: Vec<(&str, Vec<Item>)>, as_json: bool) -> std::io::Result<()> {
    let mut out = stdout().lock();
    if as_json {
        let object: Map<_, _> =
            lists.into_iter().map(|(kind, items)| (kind.to_string(), json!(items))).collect();
        return writeln!(out, "{:#}", json!(object));
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
