//! `evalforge runs FOLDER...`: what came of learning runs.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use games::error::one_line;
use play::files::new_file;
use report::Experiment;

use crate::failure::{Usage, unwritten};

/// A report of some runs.
#[derive(Debug, Args)]
pub struct Report {
    /// The folders of the runs to report on, or folders that hold runs to list [default: runs]
    #[arg(value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// Write a page with curves to this file; it opens in any browser, without a network
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    html: Option<PathBuf>,
    /// Write the learning curves as one picture to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    svg: Option<PathBuf>,
    /// Write one row for each generation of each run to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    csv: Option<PathBuf>,
    /// Write the tables as Markdown to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    md: Option<PathBuf>,
}

/// How a file is made.
type Form = fn(&[Experiment]) -> String;

impl Report {
    /// Whether a file is asked for.
    pub fn has_files(&self) -> bool {
        [&self.html, &self.svg, &self.csv, &self.md].iter().any(|file| file.is_some())
    }

    /// Reports.
    pub fn run(self) -> anyhow::Result<()> {
        let files: [(&str, Option<PathBuf>, Form); 4] = [
            ("html", self.html, report::html),
            ("svg", self.svg, report::svg),
            ("csv", self.csv, report::csv),
            ("md", self.md, report::markdown),
        ];
        let asked = files.into_iter().filter_map(|(name, path, form)| Some((name, path?, form)));
        write_all(&self.folders, asked.collect())
    }
}

/// Writes the files that are asked for; if there is none, prints a summary and writes the page.
fn write_all(folders: &[PathBuf], mut asked: Vec<(&str, PathBuf, Form)>) -> anyhow::Result<()> {
    let read = folders.iter().map(|folder| Experiment::read_all(folder));
    let experiments: Vec<Experiment> = read.collect::<Result<Vec<_>, _>>()?.concat();
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
        new_file::check(path).map_err(|error| unwritten(&format!("--{name}"), path, &error))?;
    }
    for (name, path, form) in asked {
        let text = form(&experiments);
        let refused = |error| unwritten(&format!("--{name}"), &path, &error);
        new_file::write(&path, text.as_bytes()).map_err(refused)?;
        let path = one_line(&path.display().to_string());
        writeln!(out, "written: {path} ({} kB)", text.len().div_ceil(1000))?;
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
