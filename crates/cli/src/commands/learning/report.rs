//! `evalforge report`: what came of learning runs.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::builder::ValueParser;
use clap::{Arg, ArgMatches, Command};
use play::files::new_file;
use report;
use report::Experiment;

use crate::failure::Usage;

type Form = fn(&[Experiment]) -> String;

/// The files that can be asked for: the option, what it is, and how it is made.
const FILES: [(&str, &str, Form); 4] = [
    (
        "html",
        "Write a page with curves to this file; it opens in any browser, without a network",
        report::html,
    ),
    ("svg", "Write the learning curves as one picture to this file", report::svg),
    ("csv", "Write one row for each generation of each run to this file", report::csv),
    ("md", "Write the tables as Markdown to this file", report::markdown),
];

pub fn arguments(command: Command) -> Command {
    let file = |(name, help, _): (&'static str, &'static str, Form)| {
        Arg::new(name)
            .long(name)
            .value_name("FILE")
            .value_parser(ValueParser::path_buf())
            .help(help)
            .help_heading("Files")
    };
    command
        .about("Show what came of learning runs: scores, learning curves, weights")
        .long_about(
            "Show what came of learning runs: scores, learning curves, weights. Runs that are not finished are shown as \
             far as they are. Several folders are compared in the same charts. If no file is asked for, a summary is \
             printed and the page is written as report.html into the first folder.",
        )
        .arg(
            Arg::new("folders")
                .value_name("DIR")
                .required(true)
                .num_args(1..)
                .value_parser(ValueParser::path_buf())
                .help("The folders of the runs"),
        )
        .args(FILES.map(file))
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let folders: Vec<&PathBuf> = matches.get_many("folders").expect("it is required").collect();
    let read = folders.iter().map(|folder| Experiment::read_all(folder));
    let experiments: Vec<Experiment> = read.collect::<Result<Vec<_>, _>>()?.concat();
    let mut asked: Vec<(&str, PathBuf, Form)> = FILES
        .iter()
        .filter_map(|(name, _, form)| Some((*name, matches.get_one::<PathBuf>(name)?.clone(), *form)))
        .collect();
    let mut out = stdout().lock();
    if asked.is_empty() {
        write!(out, "{}", report::text(&experiments))?;
        asked.push(("html", folders[0].join("report.html"), report::html));
    }
    for (i, (name, path, _)) in asked.iter().enumerate() {
        let refused = |reason: String| Usage(format!("--{name} {}: {reason}", path.display()));
        if asked[..i].iter().any(|(_, other, _)| other == path) {
            return Err(refused("this file is already asked for".into()).into());
        }
        if let Some(folder) = folders.iter().find(|folder| belongs(path, folder)) {
            return Err(refused(format!("it is a record of the run in {}", folder.display())).into());
        }
        new_file::check(path).map_err(|error| refused(error.to_string()))?;
    }
    for (name, path, form) in asked {
        let text = form(&experiments);
        let refused = |error| Usage(format!("--{name} {}: {error}", path.display()));
        new_file::write(&path, text.as_bytes()).map_err(refused)?;
        writeln!(out, "written: {} ({} kB)", path.display(), text.len().div_ceil(1000))?;
    }
    Ok(())
}

/// Whether this is one of the files that a run has written and needs again.
fn belongs(path: &Path, folder: &Path) -> bool {
    const RECORDS: [&str; 5] = ["config.toml", "manifest.json", "log.jsonl", "model.json", "scores.json"];
    let (Some(place), Some(name)) = (path.parent(), path.file_name()) else { return false };
    let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
    let inside = match (place.canonicalize(), folder.canonicalize()) {
        (Ok(place), Ok(folder)) => place.starts_with(folder),
        _ => false,
    };
    inside && RECORDS.iter().any(|record| name == *record)
}
