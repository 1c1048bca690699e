//! The command line of evalforge, for the games that are built in or for others too: the `main` of a crate with a game of its own
//! is `evalforge_cli::run_with::<(Mine, games::Listed)>()`, and every command knows the game; what a command does for this game only is said
//! in its [`CliGame`].

#[cfg(target_arch = "x86_64")]
mod processor;

use std::process::ExitCode;

pub use commands::{
    CliGame, CliGames, Given, Interrupted, Own, OwnCommand, RoomVisitor, Solve, Usage, anyhow, clap, watched,
};

/// What this program is built from.
const PROGRAM: commands::Program = commands::Program {
    version: env!("CARGO_PKG_VERSION"),
    commit: env!("EVALFORGE_COMMIT"),
    source: env!("EVALFORGE_SOURCE"),
};

/// Runs the command line with the games that are built in.
pub fn run() -> ExitCode {
    checked(commands::run)
}

/// Runs the command line with the games of a list.
pub fn run_with<L: CliGames>() -> ExitCode {
    checked(commands::run_with::<L>)
}

fn checked(run: fn(&commands::Program) -> ExitCode) -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    processor::check();
    unchecked(run)
}

/// Not in line: what it begins with must not run before the check.
#[inline(never)]
fn unchecked(run: fn(&commands::Program) -> ExitCode) -> ExitCode {
    run(&PROGRAM)
}
