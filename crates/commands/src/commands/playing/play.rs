//! `evalforge play`: a person against a player, two players against each other, or a person alone.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use games::{Rules, Side};
use measure::arena::GameRecord;
use play::PlayedGame;
use play::files::new_file;
use play::names::UnknownName;
use play::players::spec::Spec;
use play::players::{PLAYERS, PlayerError, player, player_names, prepare};

use super::conversation::{Conversation, Save, Seat};
use super::tour::Tour;
use super::watch::Watching;
use crate::arguments::{
    For, Given, OnGame, Position, Seed, describe_on_games, number, run_on_game, whole_number, with_changed,
    with_negative_numbers,
};
use crate::commands::{Plain, Program};
use crate::failure::{Interrupted, Usage, unwritten};
use crate::keyboard::is_person;
use crate::rooms::{CliGame, CliGames, Own};
use crate::terminal::watched;
use crate::terminal::{self, quoted};

/// What a person is called among players.
pub const HUMAN: &str = "human";
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
    /// Play against a computer of this level, from 1 to 10
    #[arg(long, value_name = "N", value_parser = whole_number(1..=10u32))]
    level: Option<u32>,
    /// Write the game to this file as it goes on, for 'evalforge review'
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl OnGame for Play {
    const FOR: For = For::All;
    const USAGE: Option<&'static str> = Some(
        "evalforge play <GAME> [OPTIONS]\n       evalforge play <GAME> --watch --player <PLAYER> [OPTIONS]\n       evalforge play [--tour]",
    );
    const AFTER: &'static str = "While it is your turn: type a move, or 'help', 'moves', 'hint', 'why', 'board', 'position', 'undo', 'quit'.\n\n\
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
        let command = Self::augment_args(command).after_help(words);
        let levels = format!(
            "Play against a computer of this level; Elo is over level 1, as far as it is measured: {}",
            levels::<G>()
        );
        let command = with_changed(command, "save", |arg| arg.hide(G::SIDES.len() != 2 || G::CHANCE));
        with_changed(
            command,
            "level",
            |arg| if G::SIDES.len() == 2 { arg.help(&levels) } else { arg.hide(true) },
        )
    }

    fn own<G: CliGame>() -> Option<Own> {
        G::PLAY
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<G>()?;
        let start = self.at.of::<G>(&rules)?;
        let is_watched = self.watch || self.watching.is_asked();
        let computer = match self.level {
            Some(level) => self.computer_of_level::<G>(given, level)?,
            None => given.text(PLAYER).unwrap_or(computer::<G>()).to_string(),
        };
        let named = |seat: &str, usual: &str| given.text(seat).unwrap_or(usual).to_string();
        let begins = if is_watched { computer.as_str() } else { HUMAN };
        let names: Vec<String> = match G::SIDES {
            [_] => vec![named(PLAYER, begins)],
            // Who has named the other one wants to play the second side.
            _ if self.level.is_some() && given.is_given(SEATS[1]) => {
                vec![computer.clone(), named(SEATS[1], HUMAN)]
            }
            _ => vec![named(SEATS[0], begins), named(SEATS[1], &computer)],
        };
        // Where nobody sits down there is nothing but to watch, or to keep the game.
        let is_alone = names.iter().all(|name| name != HUMAN) && self.save.is_none();
        if is_watched || is_alone {
            if let Some(side) = names.iter().position(|name| *name == HUMAN) {
                return Err(Usage(format!("--watch: {} is left to a person", G::SIDES[side])).into());
            }
            if self.save.is_some() {
                return Err(Usage(
                    "--save: a game that is watched is not saved; 'duel --save' saves games".into(),
                )
                .into());
            }
            if let Some(option) = G::PLAY.and_then(|own| given.any_of(own.describe, &[])) {
                return Err(Usage(format!("--{option} is for a person, and nobody sits down")).into());
            }
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            return self.watching.show(&rules, start, &names, self.seed.seed, self.delay);
        }
        if let Some(path) = &self.save {
            if G::SIDES.len() != 2 || G::CHANCE {
                let refusal =
                    format!("--save: game '{}' cannot be replayed: chance is not on record", G::NAME);
                return Err(Usage(refusal).into());
            }
            new_file::check(path).map_err(|error| unwritten("--save", path, &error))?;
        }
        if let Some(own) = G::PLAY {
            let by = given.text("by");
            if by == Some("keys") || by.is_none() && is_person() {
                if given.is_given("delay") {
                    return Err(Usage("--delay is for players that are watched".into()).into());
                }
                return (own.run)(given);
            }
            if let Some(option) = given.any_of(own.describe, &["by"]) {
                return Err(Usage(format!("--{option} is for --by keys")).into());
            }
        }
        let seats = names.iter().map(|name| seat::<G>(&rules, name)).collect::<anyhow::Result<Vec<_>>>()?;
        let seed = self.seed.seed;
        // With the same seed chance would repeat what it has dealt.
        let again = resume_command(G::NAME, &rules.to_pairs(), &names, seed.wrapping_add(1));
        let delay = self.delay.unwrap_or(if terminal::is_screen() { 0.4 } else { 0.0 });
        let name = |number: usize| names.get(number).cloned().unwrap_or_default();
        let save = self.save.map(|path| Save {
            path,
            record: GameRecord {
                game: G::NAME.to_string(),
                rules: rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), value)).collect(),
                first: name(0),
                second: name(1),
                opening: start.text(),
                winner: None,
                reason: LEFT.to_string(),
                moves: Vec::new(),
                micros: Vec::new(),
                thoughts: Vec::new(),
            },
        });
        let delay = Duration::from_secs_f64(delay);
        if let Some(level) = self.level {
            let is_measured = level > 1 && G::LEVEL_ELO.len() >= level as usize;
            let over = if is_measured { " over level 1" } else { "" };
            writeln!(stdout(), "level {level}: {}{over}", level_text::<G>(level))?;
        }
        Conversation::new(rules, start, seats, seed, delay).kept(again, save).run()
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

/// Why a saved game ended that was played to its end, and one that was not.
pub const OVER: &str = "the game is over";
pub const LEFT: &str = "the game was left before its end";

impl Play {
    /// The player of a level, which takes the seat that nobody was named for.
    fn computer_of_level<G: PlayedGame>(&self, given: &Given, level: u32) -> anyhow::Result<String> {
        let refused = |reason: &str| Err(Usage(format!("--level {level}: {reason}")).into());
        match G::SIDES {
            [_] => refused("nobody plays against you in a game for one; --player names who plays it"),
            _ if given.is_given(PLAYER) => refused("--player names the computer already"),
            _ if SEATS.iter().all(|seat| given.is_given(seat)) => {
                refused("both players are named; leave out --first or --second")
            }
            _ => Ok(G::level_player(level)),
        }
    }
}

/// What the levels mean, as "1: 1 ply, 0 Elo; 2: 2 plies, 282 Elo".
fn levels<G: PlayedGame>() -> String {
    let one = |level: u32| format!("{level}: {}", level_text::<G>(level));
    (1..=10).map(one).collect::<Vec<_>>().join("; ")
}

/// What a level means: how far it looks, and what it was measured to be worth.
fn level_text<G: PlayedGame>(level: u32) -> String {
    let text = G::level_player(level);
    let limits = Spec::parse(&text).map(|spec| (spec.limits.depth, spec.limits.nodes));
    let nodes = |nodes: u64| match nodes % 1_000_000 {
        0 => format!("{}M", nodes / 1_000_000),
        _ => format!("{}k", nodes / 1000),
    };
    let what = match limits {
        Ok((Some(1), _)) => "1 ply".to_string(),
        Ok((Some(depth), None)) => format!("{depth} plies"),
        Ok((Some(depth), Some(most))) => format!("{depth} plies or {} nodes", nodes(most)),
        Ok((None, Some(most))) => format!("{} nodes", nodes(most)),
        _ => text,
    };
    match G::LEVEL_ELO.get(level as usize - 1) {
        Some(elo) => format!("{what}, {elo} Elo"),
        None => what,
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
pub fn resume_command(game: &str, rules: &[(&str, String)], names: &[String], seed: u64) -> String {
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
