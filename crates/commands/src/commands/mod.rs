//! The commands: one a file, in folders by family, and one line in the list.

mod engine;
mod fitting;
mod learning;
mod list;
mod measuring;
mod playing;
pub mod solve;

use clap::{ArgMatches, Args, Command};
use play::Games;

pub use self::fitting::regress;
use self::fitting::{export, fit, fit_probcut, label};
use self::learning::{learn, report, reproduce, runs};
pub use self::measuring::estimate;
use self::measuring::{bench, duel, grade, perft, profile, score, tournament};
pub use self::playing::explain;
use self::playing::{analyze, play as game, replay, tour, watch};
use crate::arguments::{OnGame, describe_on_games, run_on_game, with_negative_numbers};
use crate::rooms::CliGames;

/// Which program this is, for the manifests of runs.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its version.
    pub version: &'static str,
    /// The commit that it was built from.
    pub commit: &'static str,
    /// The checksum of the sources that a result may depend on.
    pub source: &'static str,
}

/// A command that names no game, or names it elsewhere than in its first argument.
pub trait Plain: Args {
    /// Does it, with the games of a list.
    fn run<L: Games>(self, program: &Program) -> anyhow::Result<()>;
}

/// A command: how its arguments are described, and what it does.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Describes it and its arguments.
    pub describe: fn(Command) -> Command,
    /// Runs it.
    pub run: fn(&ArgMatches, &Program) -> anyhow::Result<()>,
}

impl Entry {
    fn plain<L: CliGames, C: Plain>(name: &'static str) -> Self {
        let describe = |command| with_negative_numbers(C::augment_args(command));
        Self { name, describe, run: |matches, program| C::from_arg_matches(matches)?.run::<L>(program) }
    }

    fn on_game<L: CliGames, C: OnGame>(name: &'static str) -> Self {
        Self { name, describe: describe_on_games::<L, C>, run: |matches, _| run_on_game::<L, C>(matches) }
    }
}

/// The one list of commands.
pub fn commands<L: CliGames>() -> Vec<Entry> {
    vec![
        Entry::plain::<L, tour::Tour>("tour"),
        Entry::plain::<L, list::List>("list"),
        Entry::on_game::<L, game::Play>("play"),
        Entry::on_game::<L, watch::Watch>("watch"),
        Entry::on_game::<L, explain::Explain>("explain"),
        Entry::on_game::<L, analyze::Analyze>("analyze"),
        Entry::plain::<L, learn::Learn>("learn"),
        Entry::plain::<L, learn::Resume>("resume"),
        Entry::plain::<L, runs::Runs>("runs"),
        Entry::on_game::<L, score::Score>("score"),
        Entry::on_game::<L, duel::Duel>("duel"),
        Entry::on_game::<L, tournament::Tournament>("tournament"),
        Entry::plain::<L, replay::Replay>("replay"),
        Entry::on_game::<L, label::Label>("label"),
        Entry::on_game::<L, profile::Profile>("profile"),
        Entry::on_game::<L, fit::Fit>("fit"),
        Entry::on_game::<L, fit_probcut::FitProbCut>("fit-probcut"),
        Entry::on_game::<L, regress::Regress>("regress"),
        Entry::plain::<L, export::Export>("export"),
        Entry::on_game::<L, engine::Engine>("engine"),
        Entry::plain::<L, reproduce::Reproduce>("reproduce"),
        Entry::plain::<L, report::Report>("report"),
        Entry::on_game::<L, estimate::Estimate>("estimate"),
        Entry::on_game::<L, perft::Perft>("perft"),
        Entry::plain::<L, bench::Bench>("bench"),
        Entry::on_game::<L, grade::Grade>("grade"),
        Entry::on_game::<L, solve::Solve>("solve"),
    ]
}
