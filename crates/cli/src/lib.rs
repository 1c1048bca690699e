//! The command line of evalforge, for the games that are built in or for others too: the `main` of a crate with a game of its own
//! is `evalforge_cli::run_with::<(Mine, games::Listed)>()`, and every command knows the game; what a command does for this game only is said
//! in its [`CliGame`].

mod arguments;
mod commands;
mod failure;
#[cfg(target_arch = "x86_64")]
mod processor;
mod rooms;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Command;
use commands::{Entry, commands};
use play::names::UnknownName;

pub use arguments::Given;
pub use commands::solve::Solve;
pub use failure::{Interrupted, Usage};
pub use rooms::{CliGame, CliGames, Own, OwnCommand, RoomVisitor};
pub use terminal::watched;
pub use {anyhow, clap};

/// Runs the command line with the games that are built in.
pub fn run() -> ExitCode {
    run_with::<games::Listed>()
}

/// Runs the command line with the games of a list.
pub fn run_with<L: CliGames>() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    processor::check();
    checked(commands::<L>)
}

/// Not in line: what it begins with must not run before the check.
#[inline(never)]
fn checked(commands: fn() -> Vec<Entry>) -> ExitCode {
    terminal::watch_for_interrupt();
    match obey(&commands(), std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

fn obey(commands: &[Entry], words: impl Iterator<Item = OsString>) -> anyhow::Result<()> {
    let matches = match command_line(commands).try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) => return failure::from_clap(&error, command_line(commands)),
    };
    let (name, matches) = matches.subcommand().expect("a command is required");
    match commands.iter().find(|command| command.name == name) {
        Some(command) => (command.run)(matches),
        None => Err(UnknownName::new("command", name, commands.iter().map(|command| command.name)).into()),
    }
}

fn command_line(commands: &[Entry]) -> Command {
    Command::new("evalforge")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A workbench that learns evaluation functions for games and tells honestly how good they are")
        .after_help("Exit codes: 0 done, 1 failed or interrupted, 2 wrong input.")
        .subcommand_required(true)
        .allow_external_subcommands(true)
        .subcommands(commands.iter().map(|command| (command.describe)(Command::new(command.name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_holds_together() {
        command_line(&commands::<games::Listed>()).debug_assert();
    }

    /// A list without the games that some commands are made for.
    #[test]
    fn commands_know_the_games_of_their_list_and_no_others() {
        let commands = commands::<(games::avalam::Avalam, ())>();
        command_line(&commands).debug_assert();
        let refused = |words: &str| {
            let words = words.split_whitespace().map(OsString::from);
            obey(&commands, words).unwrap_err().to_string()
        };
        for (words, error) in [
            ("evalforge perft othello 1", "unknown game 'othello'; known: avalam"),
            ("evalforge bench tetris", "unknown game 'tetris'; known: avalam, learners"),
            ("evalforge engine othello", "unknown game 'othello'; known: avalam"),
            ("evalforge duel tetris random random", "unknown game 'tetris'; known: avalam"),
            ("evalforge solve avalam", "game 'avalam' has no solver"),
        ] {
            assert_eq!(refused(words), error);
        }
    }
}
