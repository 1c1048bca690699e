//! `evalforge solve`: the best play of a game, computed. One game a file, and one line in the list.

mod othello;
mod pushover;
mod tetris;

use std::ops::ControlFlow;
use std::sync::Mutex;

use clap::{Args, Command};
use games::othello::Othello;
use games::pushover::Pushover;
use games::tetris::Tetris;
use games::{Game, GameInfo};
use play::solve::Progress;
use play::{Games, PlayedGame};

use crate::arguments::{For, Given, OnGame, Threads};
use crate::terminal::{StatusBar, interrupted};

/// Compute the best play: of Tetris on a small board, of Push-over, of endgames of Othello
#[derive(Debug, Args)]
#[command(long_about = long_about())]
pub struct Solve {
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A game that can be solved.
struct Solver {
    game: &'static str,
    /// What is found and how, for the long help.
    long: &'static str,
    describe: fn(Command) -> Command,
    run: fn(&Solve, &Given) -> anyhow::Result<()>,
}

/// The one list of games that can be solved.
const SOLVERS: &[Solver] = &[
    Solver {
        game: Tetris::NAME,
        long: tetris::LONG,
        describe: tetris::Own::augment_args,
        run: |all, given| given.also::<tetris::Own>()?.solve(all, &given.rules::<Tetris>()?),
    },
    Solver {
        game: Othello::NAME,
        long: othello::LONG,
        describe: othello::Own::augment_args,
        run: |all, given| given.also::<othello::Own>()?.solve(all),
    },
    Solver {
        game: Pushover::NAME,
        long: pushover::LONG,
        describe: pushover::Own::augment_args,
        run: |all, given| given.also::<pushover::Own>()?.solve(all, given),
    },
];

fn solver(game: &str) -> Option<&'static Solver> {
    SOLVERS.iter().find(|solver| solver.game == game)
}

fn long_about() -> String {
    let long: Vec<&str> = SOLVERS.iter().map(|solver| solver.long).collect();
    format!(
        "Compute the best play: of Tetris on a small board, of Push-over, of endgames of Othello\n\n\
         The solution is exact, not learned.\n\n{}",
        long.join("\n\n")
    )
}

impl OnGame for Solve {
    const FOR: For = For::These("game to solve", |game| solver(game.name).is_some());
    const AFTER: &'static str = "";

    fn describe<L: Games>(command: Command, game: &GameInfo) -> Command {
        let own = solver(game.name).map_or(command.clone(), |solver| (solver.describe)(command));
        Self::augment_args(own)
    }

    fn run<G: PlayedGame>(self, given: &Given) -> anyhow::Result<()> {
        (solver(G::NAME).expect("it can be solved").run)(&self, given)
    }
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
