//! Errors at the face of the program: one clear line, and the exit code that scripts can trust.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use games::InputError;
use lab::names::UnknownName;
use thiserror::Error;

/// Wrong input that only the command line can know of.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// The user has broken off; what was done until then has been printed.
#[derive(Debug, Error)]
#[error("interrupted{0}")]
pub struct Interrupted(pub String);

/// Prints the error and chooses the exit code: 2 for wrong input, 1 for all else.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if error.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe) {
        // The reader has seen enough, as in `evalforge list | head -1`.
        return ExitCode::SUCCESS;
    }
    let line = format!("{error:#}").replace('\n', " ");
    // Nothing is left to be done if standard error is closed too.
    let _ = writeln!(io::stderr(), "evalforge: {line}");
    let wrong_input = error.is::<Usage>() || error.is::<InputError>() || error.is::<UnknownName>();
    ExitCode::from(if wrong_input { 2 } else { 1 })
}

/// Help and version go to standard output as they are; everything else becomes one line.
pub fn from_clap(error: &clap::Error) -> anyhow::Result<()> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            print_rendered(error)?;
            Ok(())
        }
        _ => {
            let text = error.render().to_string();
            let before_usage = text.split("\n\nUsage:").next().unwrap_or_default();
            let lines: Vec<&str> =
                before_usage.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let line = lines.join(" ").replacen("error: ", "", 1).replace(" tip:", "; tip:");
            let line = line.replace(" For more information, try '--help'.", "");
            let usage = text.lines().find_map(|line| line.strip_prefix("Usage: "));
            let usage = usage.map_or(String::new(), |usage| format!("; usage: {usage}"));
            Err(Usage(format!("{line}{usage}; '--help' tells more")).into())
        }
    }
}

fn print_rendered(error: &clap::Error) -> io::Result<()> {
    let styled = error.render();
    let text = if crate::terminal::colour() { styled.ansi().to_string() } else { styled.to_string() };
    io::stdout().write_all(text.as_bytes())
}
