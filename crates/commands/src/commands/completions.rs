//! `evalforge completions`: the command line as shells and manuals know it.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use clap_complete::Shell;
use games::error::one_line;
use play::names::UnknownName;

use super::{Program, commands};
use crate::described;
use crate::failure::{Usage, unwritten};
use crate::rooms::CliGames;

/// What is no shell.
const MAN: &str = "man";

/// Print completions for a shell, or write man pages
///
/// As 'evalforge completions bash > ~/.local/share/bash-completion/completions/evalforge', or with 'man --out DIR' a man page of every command.
#[derive(Debug, Args)]
pub struct Completions {
    #[arg(value_name = "SHELL|man", help = format!("One of: {}", names().join(", ")))]
    shell: String,
    /// man: the folder to write the pages to
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn names() -> Vec<String> {
    Shell::value_variants().iter().map(ToString::to_string).chain([MAN.to_string()]).collect()
}

/// Describes its arguments.
pub fn describe(command: Command) -> Command {
    Completions::augment_args(command)
}

/// Prints or writes, for the games of a list.
pub fn run<L: CliGames>(matches: &ArgMatches, _: &Program) -> anyhow::Result<()> {
    let Completions { shell, out } = Completions::from_arg_matches(matches)?;
    // Names of before are completed by nobody.
    let mut root = described(commands::<L>().iter().filter(|command| command.now.is_none()));
    match (shell.as_str(), out) {
        (MAN, Some(folder)) => write_pages(root, &folder),
        (MAN, None) => Err(Usage("man: the folder for the pages is missing; --out DIR".into()).into()),
        (_, Some(_)) => Err(Usage(format!("--out is for {MAN}; completions are printed")).into()),
        (name, None) => {
            let unknown = || UnknownName::new("shell", name, names().iter().map(String::as_str));
            let shell = Shell::from_str(name, false).map_err(|_| unknown())?;
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut root, "evalforge", &mut text);
            Ok(stdout().write_all(&text)?)
        }
    }
}

fn write_pages(root: Command, folder: &Path) -> anyhow::Result<()> {
    let refused = |error| unwritten("--out", folder, &error);
    std::fs::create_dir_all(folder).map_err(refused)?;
    clap_mangen::generate_to(root, folder).map_err(refused)?;
    writeln!(stdout(), "man pages are written to {}", one_line(&folder.display().to_string()))?;
    Ok(())
}
