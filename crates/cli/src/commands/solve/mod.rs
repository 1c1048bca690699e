//! `evalforge solve`: the best play of a game, computed. One game a file, and one line in the list.

mod othello;
mod pushover;
mod tetris;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::{Arg, ArgMatches, Command};
use games::Game;
use games::othello::Othello;
use games::pushover::Pushover;
use games::tetris::Tetris;
use play::names::UnknownName;
use play::solve::Progress;

use crate::arguments::{for_games, json_arg, threads_arg};
use crate::terminal::{StatusBar, interrupted};

/// A game that can be solved.
struct Solver {
    game: &'static str,
    /// What is found and how, for the long help.
    long: &'static str,
    arguments: fn(Command) -> Command,
    run: fn(&ArgMatches) -> anyhow::Result<()>,
}

/// The one list of games that can be solved.
const SOLVERS: &[Solver] = &[
    Solver { game: Tetris::NAME, long: tetris::LONG, arguments: tetris::arguments, run: tetris::run },
    Solver { game: Othello::NAME, long: othello::LONG, arguments: othello::arguments, run: othello::run },
    Solver { game: Pushover::NAME, long: pushover::LONG, arguments: pushover::arguments, run: pushover::run },
];

fn solver(game: &str) -> Option<&'static Solver> {
    SOLVERS.iter().find(|solver| solver.game == game)
}

pub fn arguments(command: Command) -> Command {
    let about = "Compute the best play: of Tetris on a small board, of Push-over, of endgames of Othello";
    let long: Vec<&str> = SOLVERS.iter().map(|solver| solver.long).collect();
    let command = command
        .about(about)
        .long_about(format!("{about}\n\nThe solution is exact, not learned.\n\n{}", long.join("\n\n")));
    for_games(
        command,
        |game| solver(game.name).is_some(),
        |command, game| {
            let arguments = solver(game.name).expect("is wanted").arguments;
            arguments(command).arg(threads_arg()).arg(json_arg())
        },
    )
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    match solver(name) {
        Some(solver) => (solver.run)(matches),
        None => Err(UnknownName::new("game to solve", name, SOLVERS.iter().map(|solver| solver.game)).into()),
    }
}

/// `--out FILE` of games whose boards are all solved.
fn out_arg() -> Arg {
    Arg::new("out")
        .long("out")
        .value_name("FILE")
        .value_parser(clap::value_parser!(PathBuf))
        .help("Write the values of all boards to this file")
}

/// Works with a progress bar, and until Ctrl-C.
pub fn watched<T>(what: &str, work: impl FnOnce(Progress<'_>) -> T) -> T {
    const STEPS: f64 = 1000.0;
    let progress = Mutex::new((StatusBar::new(what, STEPS as u64), 0.0f64));
    let watch = |share: f64| {
        if let Ok(mut progress) = progress.lock() {
            progress.1 = progress.1.max(share);
            progress.0.set((progress.1 * STEPS) as u64);
        }
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = work(&watch);
    if let Ok(progress) = progress.lock() {
        progress.0.finish();
    }
    result
}
