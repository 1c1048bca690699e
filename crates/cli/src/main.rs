//! The command line of evalforge.

mod arguments;
mod commands;
mod failure;
#[cfg(target_arch = "x86_64")]
mod processor;
mod terminal;

use std::process::ExitCode;

use clap::Command;
use commands::COMMANDS;
use play::names::UnknownName;

fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    processor::check();
    guarded_run()
}

/// Not in line: what it begins with must not run before the check.
#[inline(never)]
fn guarded_run() -> ExitCode {
    terminal::watch_for_interrupt();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

fn run() -> anyhow::Result<()> {
    let matches = match command_line().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return failure::from_clap(&error, command_line()),
    };
    let (name, matches) = matches.subcommand().expect("a command is required");
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => (command.run)(matches),
        None => Err(UnknownName::new("command", name, COMMANDS.iter().map(|command| command.name)).into()),
    }
}

fn command_line() -> Command {
    Command::new("evalforge")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A workbench that learns evaluation functions for games and tells honestly how good they are")
        .after_help("Exit codes: 0 done, 1 failed or interrupted, 2 wrong input.")
        .subcommand_required(true)
        .allow_external_subcommands(true)
        .subcommands(COMMANDS.iter().map(|command| (command.arguments)(Command::new(command.name))))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_holds_together() {
        super::command_line().debug_assert();
    }
}
