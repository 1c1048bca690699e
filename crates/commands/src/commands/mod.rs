//! The commands: one a file, in folders by family, and one line in the list.

mod completions;
mod engine;
mod fitting;
pub mod learning;
mod list;
mod measuring;
pub mod playing;
pub mod solve;

use std::io::{Write, stderr};

use clap::{ArgMatches, Args, Command};
use play::Games;
use play::names::UnknownName;

pub use self::fitting::regress;
use self::fitting::{export, fit, fit_probcut, label};
use self::learning::{learn, reproduce, runs};
use self::measuring::{bench, duel, perft, profile, tournament};
pub use self::measuring::{estimate, methods as score};
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
    describe: fn(Command) -> Command,
    /// Runs it; one without this is the family of those below.
    run: Option<fn(&ArgMatches, &Program) -> anyhow::Result<()>>,
    /// Commands below it, as `clock` of `tune`.
    below: Vec<Entry>,
    /// How it is said now, if this is a name of before: it works until the next release, and no list has it.
    pub now: Option<&'static str>,
}

impl Entry {
    fn plain<L: CliGames, C: Plain>(name: &'static str) -> Self {
        let describe = |command| with_negative_numbers(C::augment_args(command));
        Self::new(name, describe, |matches, program| C::from_arg_matches(matches)?.run::<L>(program))
    }

    fn on_game<L: CliGames, C: OnGame>(name: &'static str) -> Self {
        Self::new(name, describe_on_games::<L, C>, |matches, _| run_on_game::<L, C>(matches))
    }

    fn new(
        name: &'static str,
        describe: fn(Command) -> Command,
        run: fn(&ArgMatches, &Program) -> anyhow::Result<()>,
    ) -> Self {
        Self { name, describe, run: Some(run), below: Vec::new(), now: None }
    }

    fn family(name: &'static str, describe: fn(Command) -> Command, below: Vec<Self>) -> Self {
        Self { name, describe, run: None, below, now: None }
    }

    fn with(self, below: Vec<Self>) -> Self {
        Self { below, ..self }
    }

    fn renamed(self, now: &'static str) -> Self {
        Self { now: Some(now), ..self }
    }

    /// The command as clap knows it, below the commands of `path`.
    pub fn described(&self, path: &str) -> Command {
        let path = format!("{path}{}", self.name);
        let mut command = (self.describe)(Command::new(self.name).display_name(&path))
            // What man pages are called.
            .display_name(format!("evalforge-{}", path.replace(' ', "-")));
        if !self.below.is_empty() {
            if command.has_subcommands() {
                command = command.subcommand_help_heading("Games, and more");
            }
            let path = path + " ";
            command = command
                .disable_help_subcommand(true)
                .subcommands(self.below.iter().map(|one| one.described(&path)));
        }
        if self.run.is_none() {
            command = command.subcommand_required(true).allow_external_subcommands(true);
        }
        command.hide(self.now.is_some())
    }

    /// What an old name is called now.
    pub fn new_name(&self) -> Option<String> {
        self.now.map(|now| format!("'{}' is now '{now}'; the old name goes with the next release", self.name))
    }

    /// Does what the words below its name ask for.
    pub fn run(&self, matches: &ArgMatches, program: &Program) -> anyhow::Result<()> {
        if let Some(name) = self.new_name() {
            // Nothing is lost if nobody hears it.
            let _ = writeln!(stderr(), "evalforge: {name}");
        }
        let below = matches.subcommand();
        let chosen = below.and_then(|(name, below)| {
            self.below.iter().find(|one| one.name == name).map(|one| one.run(below, program))
        });
        match (chosen, self.run) {
            (Some(done), _) => done,
            (None, Some(run)) => run(matches, program),
            (None, None) => {
                let name = below.map_or("", |(name, _)| name);
                Err(UnknownName::new("command", name, self.below.iter().map(|one| one.name)).into())
            }
        }
    }
}

/// The one list of commands, and after them the names that some had before.
pub fn commands<L: CliGames>() -> Vec<Entry> {
    let perft = || Entry::on_game::<L, perft::Perft>("perft");
    let tables = |name| Entry::on_game::<L, regress::Regress>(name);
    let export = || Entry::plain::<L, export::Export>("export");
    let clock = |name| Entry::on_game::<L, profile::Profile>(name);
    let probcut = |name| Entry::on_game::<L, fit_probcut::FitProbCut>(name);
    vec![
        Entry::new("play", game::describe::<L>, game::run::<L>),
        Entry::plain::<L, replay::Replay>("review"),
        Entry::on_game::<L, analyze::Analyze>("analyze"),
        Entry::on_game::<L, solve::Solve>("solve"),
        Entry::plain::<L, learn::Learn>("learn"),
        Entry::plain::<L, runs::Runs>("runs"),
        Entry::on_game::<L, score::Methods>("score"),
        Entry::on_game::<L, duel::Duel>("duel"),
        Entry::on_game::<L, label::Label>("label"),
        Entry::on_game::<L, fit::Fit>("fit").with(vec![tables("tables"), export()]),
        Entry::family("tune", describe_tune, vec![clock("clock"), probcut("probcut")]),
        Entry::on_game::<L, engine::Engine>("engine"),
        Entry::plain::<L, bench::Bench>("bench").with(vec![perft()]),
        Entry::plain::<L, list::List>("list"),
        Entry::plain::<L, reproduce::Reproduce>("reproduce"),
        Entry::new("completions", completions::describe, completions::run::<L>),
        Entry::plain::<L, tour::Tour>("tour").renamed("play --tour"),
        Entry::on_game::<L, watch::Watch>("watch").renamed("play --watch"),
        Entry::plain::<L, replay::Replay>("replay").renamed("review"),
        Entry::on_game::<L, explain::Explain>("explain").renamed("analyze --why"),
        Entry::plain::<L, learn::Resume>("resume").renamed("learn --resume"),
        Entry::plain::<L, runs::Runs>("report").renamed("runs"),
        Entry::on_game::<L, score::Methods>("estimate").renamed("score --method"),
        Entry::on_game::<L, score::Methods>("grade").renamed("score --method grade"),
        Entry::on_game::<L, tournament::Tournament>("tournament").renamed("duel"),
        tables("regress").renamed("fit tables"),
        export().renamed("fit export"),
        clock("profile").renamed("tune clock"),
        probcut("fit-probcut").renamed("tune probcut"),
        perft().renamed("bench perft"),
    ]
}

fn describe_tune(command: Command) -> Command {
    command
        .about("Measure what a search needs to know: how long its depths take, how far a shallow one can be trusted")
        .after_help("'evalforge tune COMMAND GAME --help' shows all options.")
}
