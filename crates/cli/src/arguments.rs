//! Arguments that several commands share: numbers within bounds, and a subcommand for each listed game with the
//! options of its rules.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use games::{GameInfo, Rules};
use play::names::UnknownName;
use play::threads::available;
use play::{Job, PlayedGame, game_list, with_game};

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

/// Adds a subcommand for every game; `arguments` adds what the command itself takes.
pub fn per_game(command: Command, arguments: impl Fn(Command, &GameInfo) -> Command) -> Command {
    for_games(command, |_| true, arguments)
}

/// Adds a subcommand for every game that is `wanted`.
pub fn for_games(
    command: Command,
    wanted: impl Fn(&GameInfo) -> bool,
    arguments: impl Fn(Command, &GameInfo) -> Command,
) -> Command {
    let game_command = |game: &GameInfo| {
        let options = game.options.iter().map(|option| {
            let default = (game.default_value)(option.name);
            let help = format!("{} [{}; default: {default}]", option.help, option.values);
            Arg::new(option.name)
                .allow_negative_numbers(true)
                .long(option.name)
                .value_name("VALUE")
                .help(help)
                .help_heading("Rules")
        });
        arguments(Command::new(game.name).about(game.summary), game).args(options)
    };
    command
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .allow_external_subcommands(true)
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommands(game_list::<games::Listed>().iter().filter(|game| wanted(game)).map(game_command))
}

/// `--position TEXT`.
pub fn position_arg() -> Arg {
    Arg::new("position")
        .long("position")
        .value_name("TEXT")
        .allow_hyphen_values(true)
        .help("Begin from this position, in the game's text form, instead of the start")
}

/// `--player PLAYER`.
pub fn player_arg() -> Arg {
    Arg::new("player")
        .long("player")
        .value_name("PLAYER")
        .required(true)
        .help("A player that 'evalforge list players' names, or a model file")
}

/// `--seed N`.
pub fn seed_arg() -> Arg {
    Arg::new("seed")
        .long("seed")
        .value_name("N")
        .default_value("1")
        .allow_negative_numbers(true)
        .value_parser(whole_number(0..=u64::MAX))
        .help("Seed of everything that is left to chance; the same seed gives the same games")
}

/// `--threads N`; all that the machine has unless given.
pub fn threads_arg() -> Arg {
    Arg::new("threads")
        .long("threads")
        .value_name("N")
        .allow_negative_numbers(true)
        .value_parser(whole_number(1..=MOST_THREADS))
        .help("Work on this many threads [default: all]; the result does not depend on it")
}

/// The threads as given, or all.
pub fn threads(matches: &ArgMatches) -> usize {
    matches.get_one("threads").copied().unwrap_or_else(available)
}

/// `--json`.
pub fn json_arg() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON")
}

/// Runs the job with the game that the subcommand names.
pub fn run_game<J: Job<Output = anyhow::Result<()>>>(
    matches: &ArgMatches,
    job: impl FnOnce(ArgMatches) -> J,
) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    let known = game_list::<games::Listed>();
    if !known.iter().any(|game| game.name == name) {
        return Err(UnknownName::new("game", name, known.iter().map(|game| game.name)).into());
    }
    with_game::<games::Listed, _>(name, job(matches.clone())).expect("the game is listed")
}

/// The rules as given.
pub fn rules<G: PlayedGame>(matches: &ArgMatches) -> anyhow::Result<G::Rules> {
    let options = <G::Rules as Rules>::OPTIONS.iter();
    let given =
        options.filter_map(|option| Some((option.name, matches.get_one::<String>(option.name)?.as_str())));
    Ok(<G::Rules as Rules>::from_pairs(given)?)
}

/// The position as given, or the start.
pub fn position<G: PlayedGame>(matches: &ArgMatches, rules: &G::Rules) -> anyhow::Result<G> {
    match matches.get_one::<String>("position") {
        Some(text) => Ok(G::parse(rules, text)?),
        None => Ok(G::start(rules)),
    }
}
