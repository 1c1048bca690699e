//! `evalforge fit export`: an evaluation function as the file of another program.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use games::error::shown;
use play::Games;
use play::files::new_file;
use play::patterns::TableModel;
use play::patterns::edax::edax_file;
use play::shipped::PATTERNS;

use crate::arguments::Force;
use crate::commands::{Plain, Program};
use crate::failure::{Usage, unwritten};
use crate::outputs::{self, Exported};

/// Write an evaluation function as the file of another program
///
/// edax: the file eval.dat of Edax, from tables of Othello with patterns that Edax has too, as 'evalforge fit tables othello --patterns
/// edax' makes them. Weights are rounded to 128ths of a disc. Edax looks for it as data/eval.dat.
#[derive(Debug, Args)]
pub struct Export {
    /// Whose file to write
    #[arg(long, value_name = "PROGRAM", value_parser = ["edax"])]
    to: String,
    /// A file of tables, NAME.tables
    model: String,
    /// The file to write, without its option as before.
    #[arg(hide = true)]
    file: Option<PathBuf>,
    /// The file to write, as eval.dat
    #[arg(long, value_name = "FILE", required_unless_present = "file", conflicts_with = "file")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Plain for Export {
    fn run<L: Games>(self, _: &Program) -> anyhow::Result<()> {
        let Self { to, model: name, file, out, force, json } = self;
        let path = out.or(file).expect("one of the two is required");
        force.check(&path)?;
        let model = match name == PATTERNS.name {
            true => PATTERNS.model(),
            false => Arc::new(TableModel::load(Path::new(&name)).map_err(|error| Usage(error.to_string()))?),
        };
        let bytes = edax_file(&model).map_err(|error| Usage(format!("model {}: {error}", shown(&name))))?;
        new_file::write(&path, &bytes).map_err(|error| unwritten("FILE", &path, &error))?;
        let (file, length) = (path.display().to_string(), bytes.len());
        match json {
            true => outputs::print(&Exported {
                model: name,
                to,
                file,
                bytes: length,
                about: model.about().into(),
            })?,
            false => writeln!(stdout(), "{name} as {to} reads it: {file}, {length} bytes")?,
        }
        Ok(())
    }
}
