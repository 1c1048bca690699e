//! The commands: one a file, in folders by family, and one line in the list.

mod engine;
mod fitting;
mod learning;
mod list;
mod measuring;
mod playing;
mod solve;

use clap::{ArgMatches, Command};

use self::fitting::{export, fit, fit_probcut, label, regress};
use self::learning::{learn, report, reproduce, runs};
use self::measuring::{bench, duel, estimate, grade, perft, profile, score, tournament};
use self::playing::{analyze, explain, play, replay, tour, watch};

/// A command: how its arguments are described, and what it does.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Describes it and its arguments.
    pub arguments: fn(Command) -> Command,
    /// Runs it.
    pub run: fn(&ArgMatches) -> anyhow::Result<()>,
}

/// The one list of commands.
pub const COMMANDS: &[Entry] = &[
    Entry { name: "tour", arguments: tour::arguments, run: tour::run },
    Entry { name: "list", arguments: list::arguments, run: list::run },
    Entry { name: "play", arguments: play::arguments, run: play::run },
    Entry { name: "watch", arguments: watch::arguments, run: watch::run },
    Entry { name: "explain", arguments: explain::arguments, run: explain::run },
    Entry { name: "analyze", arguments: analyze::arguments, run: analyze::run },
    Entry { name: "learn", arguments: learn::arguments, run: learn::run },
    Entry { name: "resume", arguments: learn::resume_arguments, run: learn::resume },
    Entry { name: "runs", arguments: runs::arguments, run: runs::run },
    Entry { name: "score", arguments: score::arguments, run: score::run },
    Entry { name: "duel", arguments: duel::arguments, run: duel::run },
    Entry { name: "tournament", arguments: tournament::arguments, run: tournament::run },
    Entry { name: "replay", arguments: replay::arguments, run: replay::run },
    Entry { name: "label", arguments: label::arguments, run: label::run },
    Entry { name: "profile", arguments: profile::arguments, run: profile::run },
    Entry { name: "fit", arguments: fit::arguments, run: fit::run },
    Entry { name: "fit-probcut", arguments: fit_probcut::arguments, run: fit_probcut::run },
    Entry { name: "regress", arguments: regress::arguments, run: regress::run },
    Entry { name: "export", arguments: export::arguments, run: export::run },
    Entry { name: "engine", arguments: engine::arguments, run: engine::run },
    Entry { name: "reproduce", arguments: reproduce::arguments, run: reproduce::run },
    Entry { name: "report", arguments: report::arguments, run: report::run },
    Entry { name: "estimate", arguments: estimate::arguments, run: estimate::run },
    Entry { name: "perft", arguments: perft::arguments, run: perft::run },
    Entry { name: "bench", arguments: bench::arguments, run: bench::run },
    Entry { name: "grade", arguments: grade::arguments, run: grade::run },
    Entry { name: "solve", arguments: solve::arguments, run: solve::run },
];
