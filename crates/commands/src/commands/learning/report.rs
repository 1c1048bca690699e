//! `evalforge runs FOLDER...`: what came of learning runs.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use games::error::one_line;
use play::files::new_file;
use report::{Against, Experiment, FigureFile, Look};

use crate::failure::{Usage, unwritten};

/// A report of some runs.
#[derive(Debug, Args)]
pub struct Report {
    /// The folders of the runs to report on, or folders that hold runs to list [default: runs]
    #[arg(value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// Show folders of the same experiment with other seeds side by side, not as one experiment of many runs
    #[arg(long)]
    apart: bool,
    /// Write a page with curves to this file; it opens in any browser, without a network
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    html: Option<PathBuf>,
    /// Write the learning curves as one picture to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    svg: Option<PathBuf>,
    /// Write every figure as SVG and as PDF into this folder
    #[arg(long, value_name = "DIR", help_heading = "Figures")]
    figures: Option<PathBuf>,
    /// What figures go along
    #[arg(long, requires = "figures", value_enum, default_value_t, help_heading = "Figures")]
    axis: Along,
    /// How values are drawn in figures [default: as they suit]
    #[arg(long, requires = "figures", value_enum, value_name = "log|linear", help_heading = "Figures")]
    scale: Option<Scale>,
    /// How the axis is drawn in figures
    #[arg(
        long,
        requires = "figures",
        value_enum,
        default_value_t,
        value_name = "log|linear",
        help_heading = "Figures"
    )]
    axis_scale: Scale,
    /// Width and height of charts without heading and key, as 800x500 [default: each as on the page]
    #[arg(long, requires = "figures", value_name = "WxH", value_parser = size, help_heading = "Figures")]
    size: Option<(f64, f64)>,
    /// Write one row for each generation of each run to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    csv: Option<PathBuf>,
    /// Write the tables as Markdown to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    md: Option<PathBuf>,
}

/// What figures go along.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Along {
    /// Generations.
    #[default]
    Generations,
    /// Games played to learn.
    Games,
    /// Working time.
    Time,
}

/// How numbers are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Scale {
    /// By their logarithms.
    Log,
    /// As they are.
    #[default]
    Linear,
}

fn size(text: &str) -> Result<(f64, f64), String> {
    let number =
        |text: &str| text.parse::<u32>().ok().filter(|number| (200..=10_000).contains(number)).map(f64::from);
    let pair = text.split_once('x').and_then(|(width, height)| Some((number(width)?, number(height)?)));
    pair.ok_or_else(|| "allowed: two numbers from 200 to 10000, as 800x500".to_string())
}

/// How a file is made.
type Form = fn(&[Experiment]) -> String;

impl Report {
    /// Whether a file is asked for.
    pub fn has_files(&self) -> bool {
        [&self.html, &self.svg, &self.csv, &self.md, &self.figures].iter().any(|file| file.is_some())
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
        let against = match self.axis {
            Along::Generations => Against::Generations,
            Along::Games => Against::Games,
            Along::Time => Against::Time,
        };
        let log = self.scale.map(|scale| scale == Scale::Log);
        let look = Look { against, log_across: self.axis_scale == Scale::Log, log, size: self.size };
        let experiments = read(&self.folders, self.apart)?;
        if let Some(folder) = &self.figures {
            write_figures(folder, &report::figures(&experiments, &look))?;
        }
        let asked: Vec<_> = asked.collect();
        if asked.is_empty() && self.figures.is_some() {
            return Ok(());
        }
        write_all(&self.folders, &experiments, asked)
    }
}

/// What is in the folders; of one experiment as one.
fn read(folders: &[PathBuf], apart: bool) -> anyhow::Result<Vec<Experiment>> {
    let read = folders.iter().map(|folder| Experiment::read_all(folder));
    let experiments: Vec<Experiment> = read.collect::<Result<Vec<_>, _>>()?.concat();
    Ok(if apart { experiments } else { report::pool(experiments) })
}

fn write_figures(folder: &Path, figures: &[FigureFile]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| unwritten("--figures", folder, &error))?;
    for figure in figures {
        for (ending, bytes) in [("svg", figure.svg.as_bytes()), ("pdf", &figure.pdf[..])] {
            let path = folder.join(format!("{}.{ending}", figure.name));
            new_file::write(&path, bytes).map_err(|error| unwritten("--figures", &path, &error))?;
        }
    }
    let folder = one_line(&folder.display().to_string());
    Ok(writeln!(stdout(), "written: {} figures into {folder}, each as SVG and PDF", figures.len())?)
}

/// Writes the files that are asked for; if there is none, prints a summary and writes the page.
fn write_all(
    folders: &[PathBuf],
    experiments: &[Experiment],
    mut asked: Vec<(&str, PathBuf, Form)>,
) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    if asked.is_empty() {
        write!(out, "{}", report::text(experiments))?;
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
        let text = form(experiments);
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
