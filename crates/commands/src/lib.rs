//! What the commands do, for the games of a list; what a command does for one game only is said in its [`CliGame`].
//!
//! A crate of its own below the program, so that a commit, which the program knows, does not compile all commands for all games anew.
//!
//! ```
//! // What the program does with its arguments, here with no game at all.
//! let program = commands::Program { version: "0", commit: "", source: "" };
//! let words = ["evalforge", "perft", "go", "3"].map(Into::into);
//! let error = commands::obey::<()>(&program, words.into_iter()).unwrap_err();
//! assert!(error.to_string().starts_with("unknown game 'go'"));
//! ```

mod arguments;
mod commands;
mod failure;
mod keyboard;
pub mod outputs;
mod rooms;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Command;
use commands::{Entry, commands};
use play::names::UnknownName;

pub use arguments::Given;
pub use commands::Program;
pub use commands::solve::Solve;
pub use failure::{Interrupted, Usage};
pub use rooms::{CliGame, CliGames, Own, OwnCommand, RoomVisitor};
pub use terminal::watched;
pub use {anyhow, clap};

/// Runs the command line with the games that are built in: compiled here, so that the program itself is soon built.
pub fn run(program: &Program) -> ExitCode {
    run_with::<games::Listed>(program)
}

/// Runs the command line with the games of a list.
pub fn run_with<L: CliGames>(program: &Program) -> ExitCode {
    terminal::watch_for_interrupt();
    match obey::<L>(program, std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

/// The whole command line with the games that are built in, as clap knows it.
pub fn command_line() -> Command {
    described(&commands::<games::Listed>())
}

/// Does what the words ask for, with the games of a list.
pub fn obey<L: CliGames>(program: &Program, words: impl Iterator<Item = OsString>) -> anyhow::Result<()> {
    let commands = commands::<L>();
    let commands = commands.as_slice();
    let words: Vec<OsString> = words.collect();
    let matches = match described(commands).try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(error) => {
            let named = words.get(1).and_then(|word| commands.iter().find(|command| word == command.name));
            return failure::from_clap(&error, described(commands)).map_err(|error| {
                match named.and_then(Entry::new_name) {
                    Some(name) => Usage(format!("{error}; {name}")).into(),
                    None => error,
                }
            });
        }
    };
    let (name, matches) = matches.subcommand().expect("a command is required");
    match commands.iter().find(|command| command.name == name) {
        Some(command) => command.run(matches, program),
        None => {
            let listed = commands.iter().filter(|command| command.now.is_none());
            Err(UnknownName::new("command", name, listed.map(|command| command.name)).into())
        }
    }
}

fn described<'a>(commands: impl IntoIterator<Item = &'a Entry>) -> Command {
    Command::new("evalforge")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A workbench that learns evaluation functions for games and tells honestly how good they are")
        .after_help("Exit codes: 0 done, 1 failed or interrupted, 2 wrong input.")
        .subcommand_required(true)
        .allow_external_subcommands(true)
        .subcommands(commands.into_iter().map(|command| command.described("")))
}
