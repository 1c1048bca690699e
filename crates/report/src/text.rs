//! The report in words and tables: for the terminal, and as Markdown.

use std::fmt::Write;

use train::run::config::QUICK;

use super::markup::{self, plain};
use super::tables::{self, Table};
use super::{Experiment, QUICK_NOTE, expected, labels};

/// For the terminal.
pub fn text(experiments: &[Experiment]) -> String {
    let labels = labels(experiments);
    let mut out = String::new();
    for (experiment, label) in experiments.iter().zip(&labels) {
        let _ = writeln!(out, "{}", plain(label));
        let expected = expected(experiment).map(|expected| format!("Expected: {expected}"));
        let quick = (experiment.config.variant == QUICK).then(|| QUICK_NOTE.to_string());
        for line in [Some(experiment.config.about.clone()), quick, expected].into_iter().flatten() {
            if !line.trim().is_empty() {
                let _ = writeln!(out, "  {}", plain(&line));
            }
        }
        let state = tables::State::of(experiment);
        let _ = writeln!(out, "  {}", plain(&state.words));
        for table in tables::scores(experiment).into_iter().chain(tables::expectations(experiment)) {
            let _ = write!(out, "\n  {}\n{}", plain(&table.heading), columns(&table));
        }
        out.push('\n');
    }
    for table in [tables::states(experiments, &labels), tables::comparison(experiments, &labels)] {
        let _ = write!(out, "{}\n{}\n", table.heading, columns(&table));
    }
    for (experiment, label) in experiments.iter().zip(&labels) {
        let table = tables::weights(experiment);
        if !table.rows.is_empty() {
            let _ = write!(out, "{}, {}\n{}\n", plain(label), table.heading, columns(&table));
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A table in columns: words to the left, numbers to the right.
pub fn columns(table: &Table) -> String {
    let rows: Vec<Vec<String>> = [&table.head]
        .into_iter()
        .chain(&table.rows)
        .map(|row| row.iter().map(|cell| plain(cell)).collect())
        .collect();
    let width =
        |column: usize| rows.iter().map(|row: &Vec<String>| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::from(" ");
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let _ = match table.has_words(column) {
                true => write!(line, " {cell:width$} "),
                false => write!(line, " {cell:>width$} "),
            };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// As Markdown.
pub fn markdown(experiments: &[Experiment]) -> String {
    let labels = labels(experiments);
    let mut out = String::from("# Report of learning runs\n\n");
    for table in [tables::states(experiments, &labels), tables::comparison(experiments, &labels)] {
        let _ = write!(out, "## {}\n\n{}\n", table.heading, markdown_table(&table));
    }
    for (experiment, label) in experiments.iter().zip(&labels) {
        let _ = write!(out, "## {}\n\n", markup::markdown(label));
        let about = Some(("", experiment.config.about.as_str()));
        let quick = (experiment.config.variant == QUICK).then_some(("", QUICK_NOTE));
        let expected = expected(experiment).map(|expected| ("Expected: ", expected));
        for (what, line) in [about, quick, expected].into_iter().flatten() {
            if !line.trim().is_empty() {
                let _ = write!(out, "{what}{}\n\n", markup::markdown(line));
            }
        }
        let scores = tables::scores(experiment).into_iter().chain(tables::expectations(experiment));
        let all = scores.chain([tables::weights(experiment)]);
        for table in all.chain([tables::origin(experiment)]).filter(|table| !table.rows.is_empty()) {
            let _ = write!(out, "### {}\n\n{}\n", markup::markdown(&table.heading), markdown_table(&table));
        }
        let _ = write!(out, "### Configuration\n\n{}\n", fenced("toml", &experiment.config_text));
        let _ = write!(out, "### Reproduce\n\n{}\n", fenced("sh", &tables::command(experiment)));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A block of code, fenced so that nothing in it ends it.
fn fenced(language: &str, code: &str) -> String {
    let longest = code.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", code.trim_end())
}

fn markdown_table(table: &Table) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| markup::markdown(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let side = |column: usize| if table.has_words(column) { "---" } else { "---:" };
    let rule: Vec<&str> = (0..table.head.len()).map(side).collect();
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    format!("{}| {} |\n{rows}", line(&table.head), rule.join(" | "))
}
