//! Arguments that several commands share: numbers within bounds, seed and threads, and a subcommand for each game with the
//! options of its rules.
//!
//! The same thing is said in the same way in every command:
//!
//! | what | how | where |
//! |---|---|---|
//! | a game | the first word after the command | all that are about one game |
//! | a player | `--player PLAYER`, again for each | wherever one or more are asked for |
//! | players who meet | words after the game | `duel` |
//! | seats | `--first`, `--second` | `play`; the others are the computer's, which is `--player` |
//! | a position | `--position TEXT` | [`Position`] |
//! | positions of a file | `--positions FILE` | `duel` |
//! | random openings | `--openings K`, in plies | `duel`, `label`, `score`, `tune clock` |
//! | games to be played | `--games N` | wherever games are |
//! | features | `--features NAMES` | `fit`, `fit tables`, `score` |
//! | the form of a function | `--form FORM` | `fit`, `fit tables` |
//! | what comes out | `--out FILE`, replaced only with `--force` ([`Force`]) | what took long to make |
//! | a view of it | `--html`, `--svg`, `--csv`, `--md`, `--gif FILE`, replaced without a word | what is soon made again |
//! | going on | `--resume` with a file of games or the folder of a run | `score`, `duel`, `learn` |
//! | chance, threads, machines | `--seed`, `--threads`, `--json` | [`Common`] |

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use clap::builder::ValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use games::error::one_line;
use games::{GameInfo, Rules};
use play::files::new_file;
use play::names::UnknownName;
use play::threads::available;
use play::{PlayedGame, game_list};

use crate::failure::{Usage, unwritten};
use crate::rooms::{CliGame, CliGames, Own, RoomVisitor};

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

/// `--force`, beside `--out FILE`.
#[derive(Debug, Args)]
pub struct Force {
    /// Replace the file of --out if it exists
    #[arg(long)]
    force: bool,
}

impl Force {
    /// Whether the file can be written, told before anything is done that takes long.
    pub fn check(&self, path: &Path) -> anyhow::Result<()> {
        if path.is_file() && !self.force {
            let named = one_line(&path.display().to_string());
            return Err(Usage(format!("--out '{named}': it exists; --force replaces it")).into());
        }
        new_file::check(path).map_err(|error| unwritten("--out", path, &error))
    }
}

/// Which games a command is for.
pub enum For {
    /// Every game.
    All,
    /// Those for two.
    Two,
    /// Those that can do it ([`OnGame::is_able`]), with what is said of others, as "has no solver".
    Able(&'static str),
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

    /// The part of it that only this game has; its arguments follow those of all games.
    fn own<G: CliGame>() -> Option<Own> {
        None
    }

    /// Whether a game can do it.
    fn is_able<G: CliGame>() -> bool {
        Self::own::<G>().is_some()
    }

    /// Describes its arguments for a game.
    fn describe<G: CliGame>(command: Command) -> Command {
        Self::augment_args(command)
    }

    /// Does it.
    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()>;
}

fn is_for<C: OnGame, G: CliGame>() -> bool {
    match C::FOR {
        For::All => true,
        For::Two => G::SIDES.len() == 2,
        For::Able(_) => C::is_able::<G>(),
    }
}

/// Adds a subcommand for every game of a list that the command is for.
pub fn describe_on_games<L: CliGames, C: OnGame>(command: Command) -> Command {
    struct Subcommands<C> {
        all: Vec<Command>,
        long: String,
        command: PhantomData<C>,
    }
    impl<C: OnGame> RoomVisitor for Subcommands<C> {
        fn game<G: CliGame>(&mut self) {
            if !is_for::<C, G>() {
                return;
            }
            let mut command = C::describe::<G>(Command::new(G::NAME));
            if let Some(own) = C::own::<G>() {
                command = (own.describe)(command);
                if !own.long.is_empty() {
                    self.long += &format!("\n\n{}: {}", G::NAME, own.long);
                }
            }
            let command = command.about(G::SUMMARY).long_about(None);
            self.all.push(with_negative_numbers(command.args(rule_options(&GameInfo::of::<G>()))));
        }
    }
    let mut games = Subcommands::<C> { all: Vec::new(), long: String::new(), command: PhantomData };
    L::visit_rooms(&mut games);
    let described = C::augment_args(Command::new(""));
    let about = described.get_about().cloned().unwrap_or_default();
    let mut command = command
        .about(about.clone())
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .allow_external_subcommands(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommands(games.all);
    let long = described.get_long_about().cloned();
    if long.is_some() || !games.long.is_empty() {
        command = command.long_about(format!("{}{}", long.unwrap_or(about), games.long));
    }
    if let Some(usage) = C::USAGE {
        command = command.override_usage(usage);
    }
    if !C::AFTER.is_empty() {
        let after = C::AFTER.replace("NAME", command.get_display_name().unwrap_or_default());
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
pub fn run_on_game<L: CliGames, C: OnGame>(matches: &ArgMatches) -> anyhow::Result<()> {
    struct Chosen<'a, C> {
        name: &'a str,
        matches: &'a ArgMatches,
        allowed: Vec<&'static str>,
        command: PhantomData<C>,
        result: Option<anyhow::Result<()>>,
    }
    impl<C: OnGame> RoomVisitor for Chosen<'_, C> {
        fn game<G: CliGame>(&mut self) {
            if !is_for::<C, G>() {
                return;
            }
            self.allowed.push(G::NAME);
            if G::NAME == self.name && self.result.is_none() {
                let run = |command: C| command.run::<G>(&Given(self.matches.clone()));
                self.result = Some(C::from_arg_matches(self.matches).map_err(Into::into).and_then(run));
            }
        }
    }
    let (name, matches) = matches.subcommand().expect("a game is required");
    let mut chosen = Chosen::<C> { name, matches, allowed: Vec::new(), command: PhantomData, result: None };
    L::visit_rooms(&mut chosen);
    let Some(result) = chosen.result else { return Err(refusal::<L, C>(name, &chosen.allowed)) };
    result
}

/// Why a command does not know a game.
fn refusal<L: CliGames, C: OnGame>(name: &str, allowed: &[&str]) -> anyhow::Error {
    let names: Vec<&str> = game_list::<L>().iter().map(|game| game.name).collect();
    if !names.contains(&name) {
        return UnknownName::new("game", name, names).into();
    }
    let (lack, hint) = match C::FOR {
        For::Able(lack) => (lack, ""),
        _ => ("is for one player", "; 'evalforge score' measures its players"),
    };
    let allowed =
        if allowed.is_empty() { String::new() } else { format!("; allowed: {}", allowed.join(", ")) };
    Usage(format!("game '{name}' {lack}{allowed}{hint}")).into()
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

    /// Whether an argument was given, and is not there by default.
    pub fn is_given(&self, name: &str) -> bool {
        self.0.value_source(name) == Some(ValueSource::CommandLine)
    }

    /// Arguments that only some games have; this one has them.
    pub fn also<T: FromArgMatches>(&self) -> anyhow::Result<T> {
        Ok(T::from_arg_matches(&self.0)?)
    }

    /// The first of these arguments that was given, but for some, if any was.
    pub fn any_of(&self, describe: fn(Command) -> Command, but: &[&str]) -> Option<String> {
        let described = describe(Command::new(""));
        let is_given = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            !but.contains(&id) && self.0.value_source(id) == Some(ValueSource::CommandLine)
        };
        let given = described.get_arguments().find(is_given)?;
        Some(given.get_long().unwrap_or(given.get_id().as_str()).to_string())
    }

    /// Runs the part of the command that only the game has; it has one.
    pub fn run_own(&self, own: Option<Own>) -> anyhow::Result<()> {
        (own.expect("the command is for games that have it").run)(self)
    }
}

/// `--position TEXT`.
#[derive(Debug, Args)]
pub struct Position {
    /// Begin from this position, in the game's text form, instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
}

impl Position {
    /// The position as given, or the start.
    pub fn of<G: PlayedGame>(&self, rules: &G::Rules) -> anyhow::Result<G> {
        match &self.position {
            Some(text) => Ok(G::parse(rules, text)?),
            None => Ok(G::start(rules)),
        }
    }
}
