//! Arguments that several commands share: numbers within bounds, seed and threads, and a subcommand for each game with the
//! options of its rules.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::ValueParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use games::{GameInfo, Rules};
use play::names::UnknownName;
use play::threads::available;
use play::{Games, Job, PlayedGame, game_list, with_game};

use crate::failure::Usage;

/// More threads than any machine has.
const MOST_THREADS: usize = 1024;

/// A whole number within bounds.
pub fn whole_number<N>(allowed: RangeInclusive<N>) -> ValueParser
where
    N: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    within("a whole number", allowed)
}

/// A number within bounds.
pub fn number(allowed: RangeInclusive<f64>) -> ValueParser {
    within("a number", allowed)
}

fn within<N>(what: &'static str, allowed: RangeInclusive<N>) -> ValueParser
where
    N: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    ValueParser::from(move |text: &str| {
        let value = text.parse().ok().filter(|value| allowed.contains(value));
        value.ok_or_else(|| format!("allowed: {what} from {} to {}", allowed.start(), allowed.end()))
    })
}

/// Options take what begins with a minus and is a number, so that it is their own parser that refuses it.
pub fn with_negative_numbers(command: Command) -> Command {
    let takes_value = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    command.mut_args(|arg| if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg })
}

/// The command with one argument changed, in its place: `mut_arg` of clap would move it to the end of the lists in errors.
pub fn with_changed(command: Command, id: &str, change: impl Fn(Arg) -> Arg) -> Command {
    command.mut_args(|arg| if arg.get_id() == id { change(arg) } else { arg })
}

/// `--seed N`.
#[derive(Debug, Args)]
pub struct Seed {
    /// Seed of everything that is left to chance; the same seed gives the same games
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(0..=u64::MAX))]
    pub seed: u64,
}

/// `--threads N`; all that the machine has unless given.
#[derive(Debug, Args)]
pub struct Threads {
    /// Work on this many threads [default: all]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = whole_number(1..=MOST_THREADS))]
    pub threads: Option<usize>,
}

impl Threads {
    /// As given, or all.
    pub fn count(&self) -> usize {
        self.threads.unwrap_or_else(available)
    }
}

/// What most commands take.
#[derive(Debug, Args)]
pub struct Common {
    #[command(flatten)]
    seed: Seed,
    /// On how many threads.
    #[command(flatten)]
    pub threads: Threads,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Common {
    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed.seed
    }

    /// The threads as given, or all.
    pub fn threads(&self) -> usize {
        self.threads.count()
    }
}

/// Which games a command is for.
pub enum For {
    /// Every game.
    All,
    /// Those for two.
    Two,
    /// Some, with what an unknown one of them is called.
    These(&'static str, fn(&GameInfo) -> bool),
}

impl For {
    fn has(&self, game: &GameInfo) -> bool {
        match self {
            Self::All => true,
            Self::Two => game.sides.len() == 2,
            Self::These(_, are) => are(game),
        }
    }

    /// Refuses a game that is unknown or not among them.
    fn check(&self, name: &str, games: &[GameInfo]) -> anyhow::Result<()> {
        let names = || games.iter().filter(|game| self.has(game)).map(|game| game.name);
        if names().any(|known| known == name) {
            return Ok(());
        }
        Err(match self {
            Self::Two if games.iter().any(|game| game.name == name) => {
                let (known, hint) =
                    (names().collect::<Vec<_>>().join(", "), "'evalforge score' measures its players");
                Usage(format!("game '{name}' is for one player; allowed: {known}; {hint}")).into()
            }
            Self::These(what, _) => UnknownName::new(what, name, names()).into(),
            _ => UnknownName::new("game", name, games.iter().map(|game| game.name)).into(),
        })
    }
}

/// A command with a subcommand for each game that it is for.
pub trait OnGame: Args {
    /// Which games these are.
    const FOR: For;
    /// Its line of usage, where it is not the usual one.
    const USAGE: Option<&'static str> = None;
    /// What is said below its help; NAME is its name.
    const AFTER: &'static str =
        "'evalforge NAME GAME --help' shows all options, those of the game's rules too.";

    /// Describes its arguments for a game.
    fn describe<L: Games>(command: Command, _game: &GameInfo) -> Command {
        Self::augment_args(command)
    }

    /// Does it.
    fn run<G: PlayedGame>(self, given: &Given) -> anyhow::Result<()>;
}

/// Adds a subcommand for every game of a list that the command is for.
pub fn describe_on_games<L: Games, C: OnGame>(command: Command) -> Command {
    let described = C::augment_args(Command::new(""));
    let games = game_list::<L>().into_iter().filter(|game| C::FOR.has(game));
    let mut command = command
        .about(described.get_about().cloned().unwrap_or_default())
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .allow_external_subcommands(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommands(games.map(|game| {
            let own = C::describe::<L>(Command::new(game.name), &game).about(game.summary).long_about(None);
            with_negative_numbers(own.args(rule_options(&game)))
        }));
    if let Some(long) = described.get_long_about() {
        command = command.long_about(long.clone());
    }
    if let Some(usage) = C::USAGE {
        command = command.override_usage(usage);
    }
    if !C::AFTER.is_empty() {
        let after = C::AFTER.replace("NAME", command.get_name());
        command = command.after_help(after);
    }
    command
}

/// The options of a game's rules.
fn rule_options(game: &GameInfo) -> impl Iterator<Item = Arg> {
    let default_value = game.default_value;
    game.options.iter().map(move |option| {
        let help = format!("{} [{}; default: {}]", option.help, option.values, default_value(option.name));
        Arg::new(option.name).long(option.name).value_name("VALUE").help(help).help_heading("Rules")
    })
}

/// Runs a command with the game that its subcommand names.
pub fn run_on_game<L: Games, C: OnGame>(matches: &ArgMatches) -> anyhow::Result<()> {
    struct Chosen<C>(C, Given);
    impl<C: OnGame> Job for Chosen<C> {
        type Output = anyhow::Result<()>;

        fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
            self.0.run::<G>(&self.1)
        }
    }
    let (name, matches) = matches.subcommand().expect("a game is required");
    C::FOR.check(name, &game_list::<L>())?;
    let command = C::from_arg_matches(matches)?;
    with_game::<L, _>(name, Chosen(command, Given(matches.clone()))).expect("the game is listed")
}

/// What was given for a game, beside the arguments that a command has for all games.
pub struct Given(ArgMatches);

impl Given {
    /// The rules as given.
    pub fn rules<G: PlayedGame>(&self) -> anyhow::Result<G::Rules> {
        let options = <G::Rules as Rules>::OPTIONS.iter();
        let given = options.filter_map(|option| Some((option.name, self.text(option.name)?)));
        Ok(<G::Rules as Rules>::from_pairs(given)?)
    }

    /// An option of the rules that was given, if any was.
    pub fn any_rule<G: PlayedGame>(&self) -> Option<&'static str> {
        let names = <G::Rules as Rules>::OPTIONS.iter().map(|option| option.name);
        names.into_iter().find(|name| self.text(name).is_some())
    }

    /// The text of an argument that only some games have.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.try_get_one::<String>(name).ok().flatten().map(String::as_str)
    }

    /// Arguments that only some games have; this one has them.
    pub fn also<T: FromArgMatches>(&self) -> anyhow::Result<T> {
        Ok(T::from_arg_matches(&self.0)?)
    }
}

/// The position as given, or the start.
pub fn position<G: PlayedGame>(text: Option<&str>, rules: &G::Rules) -> anyhow::Result<G> {
    match text {
        Some(text) => Ok(G::parse(rules, text)?),
        None => Ok(G::start(rules)),
    }
}
