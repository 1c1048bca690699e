//! Errors at the face of the program: one clear line, and the exit code that scripts can trust.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Command};
use games::InputError;
use games::error::one_line;
use measure::journal::JournalError;
use play::evaluator::ModelError;
use play::files::is_wrong_path;
use play::names::{UnknownName, likeness};
use play::players::{PlayError, PlayerError};
use report::ReportError;
use report::catalog::KINDS;
use thiserror::Error;
use train::run::config::ConfigError;
use train::run::experiment::ExperimentError;

/// Wrong input that only the command line can know of.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// The user has broken off; what was done until then has been printed.
#[derive(Debug, Error)]
#[error("interrupted{0}")]
pub struct Interrupted(pub String);

/// A file that an option names cannot be written: the wrong place, or a disk at fault.
pub fn unwritten(option: &str, path: &Path, error: &io::Error) -> anyhow::Error {
    // In full: the end of a path says which file it is.
    let told = format!("{option} '{}': {error}", one_line(&path.display().to_string()));
    if is_wrong_path(error) { Usage(told).into() } else { anyhow::anyhow!(told) }
}

/// Prints the error and chooses the exit code: 2 for wrong input, 1 for all else.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if error.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe) {
        // The reader has seen enough, as in `evalforge list | head -1`.
        return ExitCode::SUCCESS;
    }
    // Whatever a file, a program or an argument has put into it, it is one line and does nothing to the terminal.
    let line = one_line(&shortened(&format!("{error:#}").replace('\n', " ")));
    // Nothing is left to be done if standard error is closed too.
    let _ = writeln!(io::stderr(), "evalforge: {line}");
    let player = error.is::<PlayerError>() || matches!(error.downcast_ref(), Some(PlayError::Player(_)));
    let named = error.is::<UnknownName>() || player || error.is::<ModelError>();
    let journal = error.downcast_ref::<JournalError>().is_some_and(|journal| journal.wrong_input);
    let experiment = error.downcast_ref::<ExperimentError>().is_some_and(ExperimentError::wrong_input);
    let folder = error.is::<ReportError>() || error.is::<ConfigError>() || experiment;
    let wrong_input = named || journal || folder || error.is::<Usage>() || error.is::<InputError>();
    ExitCode::from(if wrong_input { 2 } else { 1 })
}

/// Known names that are told in full; of more than these only the nearest are.
const MOST_KNOWN: usize = 24;

/// A message about an unknown name with the nearest of the known ones, if they are too many to be read.
fn shortened(line: &str) -> String {
    let parts = line.split_once("; known: ").and_then(|(before, known)| {
        let (kind, name) = before.rsplit_once("unknown ")?.1.split_once(" '")?;
        Some((before, kind, name.split('\'').next()?, known))
    });
    let Some((before, kind, name, known)) = parts else { return line.to_string() };
    let mut names: Vec<&str> = known.split(", ").collect();
    let all = names.len();
    if all <= MOST_KNOWN {
        return line.to_string();
    }
    names.sort_by(|a, b| likeness(name, b).total_cmp(&likeness(name, a)));
    let whole = match KINDS.iter().find(|listed| **listed == format!("{kind}s")) {
        Some(listed) => format!("; 'evalforge list {listed}' has all {all}"),
        None => format!(" of {all}"),
    };
    format!("{before}; nearest: {}{whole}", names[..5].join(", "))
}

/// Help and version go to standard output as they are; everything else becomes one line.
pub fn from_clap(error: &clap::Error, root: Command) -> anyhow::Result<()> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            print_rendered(error)?;
            Ok(())
        }
        ErrorKind::MissingSubcommand => Err(Usage(missing(error, root)).into()),
        ErrorKind::UnknownArgument => Err(Usage(unknown_argument(error, root)).into()),
        _ => {
            let text = error.render().to_string();
            let before_usage = text.split("\n\nUsage:").next().unwrap_or_default();
            let lines = before_usage.lines().map(str::trim).filter(|line| !line.is_empty());
            let line = lines.collect::<Vec<_>>().join(" ").replacen("error: ", "", 1);
            let line = line.replace(" For more information, try '--help'.", "");
            Err(Usage(format!("{line}; '--help' tells more")).into())
        }
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> String {
    error.get(kind).map(ToString::to_string).unwrap_or_default()
}

/// The command that an error is about, which words lead to, and these words with a colon.
fn about<'a>(root: &'a Command, words: &str) -> (&'a Command, String) {
    let mut command = root;
    let mut path = Vec::new();
    for word in words.split_whitespace().skip(1) {
        let Some(next) = command.find_subcommand(word) else { break };
        command = next;
        path.push(word);
    }
    let told = path.join(" ");
    (command, if told.is_empty() { told } else { told + ": " })
}

/// Names what may follow, but for names of before.
fn missing(error: &clap::Error, mut root: Command) -> String {
    root.build();
    let (command, path) = about(&root, &context(error, ContextKind::InvalidSubcommand));
    let known = command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help");
    let known: Vec<&str> = known.map(Command::get_name).collect();
    let what = command.get_subcommand_value_name().unwrap_or("COMMAND");
    format!("{path}{what} is missing; known: {}; '--help' tells more", known.join(", "))
}

/// Names the options that the command at hand has; the usage line in the error tells which command that is.
fn unknown_argument(error: &clap::Error, mut root: Command) -> String {
    root.build();
    let usage = context(error, ContextKind::Usage);
    let (command, path) = about(&root, usage.trim_start_matches("Usage: "));
    let given = context(error, ContextKind::InvalidArg);
    let listed = command.get_opts().chain(flags(command)).filter(|arg| !arg.is_hide_set());
    let names: Vec<String> = listed.filter_map(long_name).collect();
    path + &UnknownName::new("argument", &given, names.iter().map(String::as_str)).to_string()
}

fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_positional() && !arg.get_action().takes_values())
}

fn long_name(arg: &Arg) -> Option<String> {
    arg.get_long().map(|name| format!("--{name}"))
}

fn print_rendered(error: &clap::Error) -> io::Result<()> {
    let styled = error.render();
    let text = if crate::terminal::colour() { styled.ansi().to_string() } else { styled.to_string() };
    io::stdout().write_all(text.as_bytes())
}
