//! `evalforge play`: a person against a player, two players against each other, or a person alone.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use games::{Rules, Side};
use play::PlayedGame;
use play::names::UnknownName;
use play::players::{PLAYERS, PlayerError, player, player_names, prepare};

use super::conversation::{Conversation, Seat};
use super::tour::Tour;
use super::watch::Watching;
use crate::arguments::{
    For, Given, OnGame, Position, Seed, describe_on_games, number, run_on_game, with_negative_numbers,
};
use crate::commands::{Plain, Program};
use crate::failure::{Interrupted, Usage};
use crate::rooms::{CliGame, CliGames};
use crate::terminal::watched;
use crate::terminal::{self, quoted};

const HUMAN: &str = "human";
const SEATS: [&str; 2] = ["first", "second"];
const PLAYER: &str = "player";

/// Play a game in the terminal, watch players play it, or see a tour of all games
#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    at: Position,
    #[command(flatten)]
    seed: Seed,
    /// Watch: nobody sits down, and what the player sees is told beside the board; between two sides it plays itself
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    watching: Watching,
    /// Pause after each move of a player, from 0 to 60 [default: 0.4 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", value_parser = number(0.0..=60.0))]
    delay: Option<f64>,
}

impl OnGame for Play {
    const FOR: For = For::All;
    const USAGE: Option<&'static str> = Some(
        "evalforge play <GAME> [OPTIONS]\n       evalforge play <GAME> --watch --player <PLAYER> [OPTIONS]\n       evalforge play [--tour]",
    );
    const AFTER: &'static str = "While it is your turn: type a move, or 'help', 'moves', 'board', 'position', 'undo', 'quit'.\n\n\
        'evalforge play GAME --help' shows all options, those of the game's rules too.";

    fn describe<G: CliGame>(command: Command) -> Command {
        let names = PLAYERS.iter().map(|player| player.name).collect::<Vec<_>>().join(", ");
        let computer = computer::<G>();
        let option =
            |name: &'static str, help: String| Arg::new(name).long(name).value_name("PLAYER").help(help);
        let command = match G::SIDES {
            [_] => {
                let help = format!(
                    "Who plays: {HUMAN}, {names}, or a model file [default: {HUMAN}; with --watch {computer}]"
                );
                command.arg(option(PLAYER, help).alias(SEATS[0]))
            }
            sides => {
                let help =
                    format!("The computer's player: {names}, a search or a model file [default: {computer}]");
                let seats = SEATS.iter().zip(sides).map(|(seat, side)| {
                    let usual =
                        if *seat == SEATS[0] { "human; with --watch the computer" } else { "the computer" };
                    option(seat, format!("Who plays {side}: {HUMAN}, or a player [default: {usual}]"))
                });
                command.arg(option(PLAYER, help)).args(seats)
            }
        };
        let words = Self::AFTER.lines().next().unwrap_or_default();
        Self::augment_args(command).after_help(words)
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<G>()?;
        let start = self.at.of::<G>(&rules)?;
        let is_watched = self.watch || self.watching.is_asked();
        let computer = given.text(PLAYER).unwrap_or(computer::<G>());
        let names: Vec<&str> = match G::SIDES {
            [_] => vec![given.text(PLAYER).unwrap_or(if is_watched { computer } else { HUMAN })],
            _ => {
                let first = given.text(SEATS[0]).unwrap_or(if is_watched { computer } else { HUMAN });
                vec![first, given.text(SEATS[1]).unwrap_or(computer)]
            }
        };
        if is_watched {
            if let Some(side) = names.iter().position(|name| *name == HUMAN) {
                return Err(Usage(format!("--watch: {} is left to a person", G::SIDES[side])).into());
            }
            return self.watching.show(&rules, start, &names, self.seed.seed, self.delay);
        }
        let seats = names.iter().map(|name| seat::<G>(&rules, name)).collect::<anyhow::Result<Vec<_>>>()?;
        let seed = self.seed.seed;
        // With the same seed chance would repeat what it has dealt.
        let again = resume_command(G::NAME, &rules.to_pairs(), &names, seed.wrapping_add(1));
        let delay = self.delay.unwrap_or(if terminal::is_screen() { 0.4 } else { 0.0 });
        Conversation::new(start, seats, seed, Duration::from_secs_f64(delay), again).run()
    }
}

/// The computer's player unless somebody is named.
fn computer<G: PlayedGame>() -> &'static str {
    match (G::BEST, G::SIDES, G::MODELS) {
        (Some(best), ..) => best.player,
        // To be watched.
        (None, [_], [model, ..]) => model.name,
        _ => "random",
    }
}

/// A game of its own choice, or without one the tour.
pub fn describe<L: CliGames>(command: Command) -> Command {
    let tour = Arg::new("tour").long("tour").action(ArgAction::SetTrue);
    let tour =
        tour.help("See every game: played and drawn, the players compared with intervals, the rules counted");
    let command = describe_on_games::<L, Play>(command);
    // That of the arguments of the tour would take its place.
    let about = command.get_about().cloned().unwrap_or_default();
    let command = command.subcommand_required(false).args_conflicts_with_subcommands(true);
    with_negative_numbers(Tour::augment_args(command.next_help_heading("Without a game").arg(tour)))
        .about(about)
}

/// Plays a game, or shows them all.
pub fn run<L: CliGames>(matches: &ArgMatches, program: &Program) -> anyhow::Result<()> {
    match matches.subcommand_name() {
        Some(_) => run_on_game::<L, Play>(matches),
        None => Tour::from_arg_matches(matches)?.run::<L>(program),
    }
}

fn seat<G: PlayedGame>(rules: &G::Rules, name: &str) -> anyhow::Result<Seat<G>> {
    if name == HUMAN {
        return Ok(Seat::Human);
    }
    if watched("solving", |watch| prepare::<G>(rules, name, watch)).is_break() {
        return Err(Interrupted("; the game is not solved yet".into()).into());
    }
    match player::<G>(rules, name) {
        Ok(player) => Ok(Seat::Player(name.to_string(), player)),
        Err(PlayerError::Unknown(unknown)) if unknown.kind == "player" => {
            let known = [HUMAN].into_iter().chain(player_names::<G>());
            Err(UnknownName::new("player", &unknown.name, known).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// The command that goes on from a position, but for that position.
fn resume_command(game: &str, rules: &[(&str, String)], names: &[&str], seed: u64) -> String {
    let mut command = format!("evalforge play {game}");
    for (key, value) in rules {
        command.push_str(&format!(" --{key} {value}"));
    }
    let seats: &[&str] = if let [_] = names { &[PLAYER] } else { &SEATS };
    for (seat, name) in seats.iter().zip(names) {
        command.push_str(&format!(" --{seat} {}", quoted(name)));
    }
    command.push_str(&format!(" --seed {seed}"));
    command
}

/// What the sides are called in sentences.
pub fn side_name<G: PlayedGame>(side: Side) -> &'static str {
    G::SIDES[side.index()]
}
