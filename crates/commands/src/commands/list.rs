//! `evalforge list`: what there is, two lines at most of each, as wide as the terminal.

use std::collections::BTreeMap;
use std::io::{Write, stdout};

use clap::Args;
use games::GameInfo;
use play::names::UnknownName;
use play::{Games, game_list};
use report::catalog::{self, FAST, Item, KINDS, OF_GAMES, OptionItem};
use train::run::schema::experiment;

use super::{Plain, Program};
use crate::failure::Usage;
use crate::outputs::{self, Listed, Listing, RECORDS, SCHEMAS, full_name};
use crate::terminal::{is_screen, screen_width};

/// Columns of names; a longer one has a line of its own.
const NAMES: usize = 26;
/// Columns where there is no screen.
const PIPE: usize = 100;
/// Lines of an entry, unless all is asked for.
const LINES: usize = 2;

/// List the games, features, models, learners, searches, players and experiments there are
///
/// Of one kind the options are listed too: those of the rules of games, and those of players that search. 'list features tetris' and 'list players othello' leave
/// out what the game does not have. 'list schemas' names what --json prints, by version; 'list schema score/1' prints the JSON Schema of
/// one, 'list schema experiment' that of the file of an experiment, for editors.
#[derive(Debug, Args)]
pub struct List {
    #[arg(help = format!("One of: {}, schemas, schema; all but the last two if left out", KINDS.join(", ")))]
    kind: Option<String>,
    /// Only what this game has
    game: Option<String>,
    /// All that there is to say of each, as the history of a model
    #[arg(long, conflicts_with = "json")]
    long: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Plain for List {
    fn run<L: Games>(self, _: &Program) -> anyhow::Result<()> {
        match self.kind.as_deref() {
            Some("schemas") => return schemas(self.json),
            Some("schema") => return schema::<L>(self.game.as_deref()),
            _ => {}
        }
        let kinds = self.kind.as_deref().map_or(KINDS.to_vec(), |kind| vec![kind]);
        let mut lists = Vec::new();
        for kind in kinds {
            if !KINDS.contains(&kind) {
                let known = KINDS.iter().copied().chain(["schemas", "schema"]);
                return Err(UnknownName::new("kind", kind, known).into());
            }
            lists.push((kind, catalog::items::<L>(kind)?));
        }
        if let Some(game) = self.game.as_deref() {
            let (kind, items) = &mut lists[0];
            let game = named::<L>(kind, game)?;
            items.retain(|item| item.is_of(&game));
        }
        Ok(print(lists, self.json, self.long)?)
    }
}

/// What `--json` prints, by name and version.
fn schemas(as_json: bool) -> anyhow::Result<()> {
    let all = || SCHEMAS.iter().map(|schema| (full_name(schema.name), schema.what.to_string()));
    if as_json {
        return Ok(outputs::print(&Listing { schemas: all().collect(), kinds: BTreeMap::new() })?);
    }
    let mut out = stdout().lock();
    let files = RECORDS.iter().map(|schema| (schema.name.to_string(), schema.what.to_string()));
    let experiment = (EXPERIMENT.to_string(), "the file of an experiment".to_string());
    for (name, what) in all().chain(files).chain([experiment]) {
        writeln!(out, "  {name:<24}  {what}")?;
    }
    Ok(())
}

/// What the schema of the file of an experiment is called.
const EXPERIMENT: &str = "experiment";

/// A schema by its name, with or without what all outputs begin with.
fn schema<L: Games>(name: Option<&str>) -> anyhow::Result<()> {
    let given = name.unwrap_or_default();
    let short = given.strip_prefix("evalforge/").unwrap_or(given);
    let listed = || SCHEMAS.iter().chain(RECORDS);
    let schema = match listed().find(|listed| listed.name == short) {
        Some(Listed { schema, .. }) => schema(),
        None if given == EXPERIMENT => experiment::<L>(),
        None => {
            let known = listed().map(|listed| listed.name).chain([EXPERIMENT]);
            return Err(UnknownName::new("schema", given, known).into());
        }
    };
    Ok(writeln!(stdout(), "{schema:#}")?)
}

/// The game that a kind of things is asked about.
fn named<L: Games>(kind: &str, name: &str) -> anyhow::Result<GameInfo> {
    let games = game_list::<L>();
    let names: Vec<&str> = games.iter().map(|game| game.name).collect();
    let unknown = UnknownName::new("game", name, names);
    let game = games.into_iter().find(|game| game.name == name).ok_or(unknown)?;
    if !OF_GAMES.contains(&kind) {
        let allowed = OF_GAMES.join(", ");
        return Err(
            Usage(format!("{kind} are the same for every game; allowed with a game: {allowed}")).into()
        );
    }
    Ok(game)
}

fn print(lists: Vec<(&str, Vec<Item>)>, as_json: bool, is_long: bool) -> std::io::Result<()> {
    if as_json {
        let kinds = lists.into_iter().map(|(kind, items)| (kind.to_string(), items)).collect();
        return outputs::print(&Listing { schemas: BTreeMap::new(), kinds });
    }
    let mut out = stdout().lock();
    let page = Page::new(lists.iter().flat_map(|(_, items)| items), is_long);
    for (kind, items) in &lists {
        if lists.len() > 1 {
            writeln!(out, "{kind}")?;
        }
        if items.iter().any(|item| item.fast == Some(true)) {
            write!(out, "{}", page.block("  ", &format!("({FAST})")))?;
        }
        if items.is_empty() {
            writeln!(out, "  (none yet)")?;
        }
        for item in items {
            write!(out, "{}", page.entry(item))?;
            if lists.len() == 1 {
                // The rules of games are options of commands; those of players stand in their brackets.
                let dashes = if *kind == "games" { "--" } else { "" };
                for option in &item.options {
                    write!(out, "{}", page.option(dashes, option))?;
                }
            }
        }
    }
    Ok(())
}

/// How wide and how long entries are.
struct Page {
    /// Columns of the screen.
    screen: usize,
    /// Columns of names.
    names: usize,
    /// Lines of an entry.
    lines: usize,
}

impl Page {
    fn new<'a>(items: impl Iterator<Item = &'a Item>, is_long: bool) -> Self {
        let names = items.map(|item| item.name.chars().count()).filter(|name| *name <= NAMES).max();
        // Narrower than this, two lines hold nothing.
        let screen = if is_screen() { screen_width().max(60) } else { PIPE };
        Self { screen, names: names.unwrap_or(0), lines: if is_long { usize::MAX } else { LINES } }
    }

    /// A name and what it is.
    fn entry(&self, item: &Item) -> String {
        let indent = " ".repeat(self.names + 4);
        let (name, summary) = (&item.name, &item.summary);
        if name.chars().count() <= self.names {
            return self.text(&format!("  {name:<0$}  ", self.names), &indent, summary, self.lines);
        }
        // The name takes one of the lines.
        format!("  {name}\n{}", self.text(&indent, &indent, summary, self.lines - 1))
    }

    fn option(&self, dashes: &str, option: &OptionItem) -> String {
        let OptionItem { name, values, default, help } = option;
        let sign = if dashes.is_empty() { "=" } else { " " };
        let indent = " ".repeat(self.names + 6);
        let text = format!("{dashes}{name}{sign}{values} ({default}): {help}");
        self.text(&indent, &format!("{indent}  "), &text, self.lines)
    }

    fn block(&self, indent: &str, text: &str) -> String {
        self.text(indent, indent, text, usize::MAX)
    }

    /// A text in lines that fit, the first after `first`, the others after `indent`; what takes more lines ends with dots.
    fn text(&self, first: &str, indent: &str, text: &str, most: usize) -> String {
        let mut lines = vec![first.to_string()];
        let mut is_empty = true;
        for word in text.split_whitespace() {
            let count = lines.len();
            let last = lines.last_mut().expect("there is one");
            let width = last.chars().count() + usize::from(!is_empty) + word.chars().count();
            // The last line keeps room for the dots.
            let room = if count == most { self.screen - 2 } else { self.screen };
            if width > room && !is_empty {
                if count == most {
                    last.push_str(" …");
                    break;
                }
                lines.push(format!("{indent}{word}"));
            } else {
                last.push_str(if is_empty { "" } else { " " });
                last.push_str(word);
            }
            is_empty = false;
        }
        lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}
