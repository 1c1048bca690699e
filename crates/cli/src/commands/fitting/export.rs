//! `evalforge export`: an evaluation function as the file of another program.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::error::shown;
use play::files::new_file;
use play::patterns::TableModel;
use play::patterns::edax::edax_file;
use play::shipped::SHIPPED_TABLES;
use serde_json::json;

use crate::arguments::json_arg;
use crate::failure::Usage;

pub fn arguments(command: Command) -> Command {
    let about = "Write an evaluation function as the file of another program";
    let long = "edax: the file eval.dat of Edax, from tables of Othello with patterns that Edax has too, as 'evalforge regress othello \
        --patterns edax' makes them. Weights are rounded to 128ths of a disc. Edax looks for it as data/eval.dat.";
    command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("PROGRAM")
                .required(true)
                .value_parser(["edax"])
                .help("Whose file to write"),
        )
        .arg(Arg::new("model").value_name("MODEL").required(true).help("A file of tables, NAME.tables"))
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(clap::value_parser!(PathBuf))
                .help("The file to write, as eval.dat"),
        )
        .arg(Arg::new("force").long("force").action(ArgAction::SetTrue).help("Replace the file if it exists"))
        .arg(json_arg())
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let name = matches.get_one::<String>("model").expect("is required");
    let path = matches.get_one::<PathBuf>("file").expect("is required");
    let to = matches.get_one::<String>("to").expect("is required");
    let refused =
        |reason: &dyn std::fmt::Display| Usage(format!("{}: {reason}", shown(&path.display().to_string())));
    if path.is_file() && !matches.get_flag("force") {
        return Err(refused(&"it exists; --force replaces it").into());
    }
    new_file::check(path).map_err(|error| refused(&error))?;
    let model = match SHIPPED_TABLES.iter().find(|tables| tables.name == name) {
        Some(shipped) => shipped.model(),
        None => Arc::new(TableModel::load(Path::new(name)).map_err(|error| Usage(error.to_string()))?),
    };
    let bytes = edax_file(&model).map_err(|error| Usage(format!("model {}: {error}", shown(name))))?;
    new_file::write(path, &bytes).map_err(|error| refused(&error))?;
    let (file, length) = (path.display().to_string(), bytes.len());
    match matches.get_flag("json") {
        true => writeln!(
            stdout(),
            "{:#}",
            json!({ "model": name, "to": to, "file": file, "bytes": length, "about": model.about() })
        )?,
        false => writeln!(stdout(), "{name} as {to} reads it: {file}, {length} bytes")?,
    }
    Ok(())
}
