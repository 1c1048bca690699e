//! `evalforge play`: a person against a player, two players against each other, or a person alone.

use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use games::{Rules, Side};
use play::names::UnknownName;
use play::players::{PLAYERS, PlayerError, player, player_names, prepare};
use play::shipped::best;
use play::{Job, PlayedGame};

use super::conversation::{Conversation, Seat};
use crate::arguments::{number, per_game, position, position_arg, rules, run_game, seed_arg};
use crate::commands::solve::watched;
use crate::failure::Interrupted;
use crate::terminal;

const HUMAN: &str = "human";
const SEATS: [&str; 2] = ["first", "second"];

pub fn arguments(command: Command) -> Command {
    let about = "Play a game in the terminal, or watch players play it";
    let after =
        "While it is your turn: type a move, or 'help', 'moves', 'board', 'position', 'undo', 'quit'.";
    let all =
        format!("{after}\n\n'evalforge play GAME --help' shows all options, those of the game's rules too.");
    let command = command.about(about).override_usage("evalforge play <GAME> [OPTIONS]").after_help(all);
    per_game(command, |command, game| {
        let names = || PLAYERS.iter().map(|player| player.name).collect::<Vec<_>>().join(", ");
        let seats = SEATS.iter().zip(game.sides).map(|(seat, side)| {
            let player = best(game.name).map_or("random", |best| best.player);
            let default = if *seat == "first" { HUMAN } else { player };
            let arg = Arg::new(*seat)
                .long(*seat)
                .value_name("PLAYER")
                .default_value(default)
                .help(format!("Who plays {side}: {HUMAN}, {}", names()));
            if game.sides.len() == 1 { arg.visible_alias("player") } else { arg }
        });
        command.after_help(after).args(seats).arg(position_arg()).arg(seed_arg()).arg(
            Arg::new("delay")
                .long("delay")
                .value_name("SECONDS")
                .allow_negative_numbers(true)
                .value_parser(number(0.0..=60.0))
                .help("Pause after each move of a player, from 0 to 60 [default: 0.4 on a terminal, else 0]"),
        )
    })
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    run_game(matches, Play)
}

struct Play(ArgMatches);

impl Job for Play {
    type Output = anyhow::Result<()>;

    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        let rules = rules::<G>(&self.0)?;
        let start = position::<G>(&self.0, &rules)?;
        let seed: u64 = *self.0.get_one("seed").expect("has a default");
        let names: Vec<&str> = SEATS[..G::SIDES.len()].iter().map(|seat| self.name(seat)).collect();
        let seats = names.iter().map(|name| seat::<G>(&rules, name)).collect::<anyhow::Result<Vec<_>>>()?;
        // With the same seed chance would repeat what it has dealt.
        let again = resume_command::<G>(&rules, &names, seed.wrapping_add(1));
        Conversation::new(start, seats, seed, self.delay(), again).run()
    }
}

impl Play {
    fn name(&self, seat: &str) -> &str {
        self.0.get_one::<String>(seat).expect("has a default")
    }

    fn delay(&self) -> Duration {
        let default = if terminal::is_screen() { 0.4 } else { 0.0 };
        Duration::from_secs_f64(*self.0.get_one("delay").unwrap_or(&default))
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
fn resume_command<G: PlayedGame>(rules: &G::Rules, names: &[&str], seed: u64) -> String {
    let mut command = format!("evalforge play {}", G::NAME);
    for (key, value) in rules.to_pairs() {
        command.push_str(&format!(" --{key} {value}"));
    }
    for (seat, name) in SEATS.iter().zip(names) {
        command.push_str(&format!(" --{seat} {}", in_shell(name)));
    }
    command.push_str(&format!(" --seed {seed}"));
    command
}

/// A word as a shell takes it: a player with options has brackets, which mean something there.
fn in_shell(word: &str) -> String {
    let is_plain = |sign: char| sign.is_alphanumeric() || "._-/".contains(sign);
    if word.chars().all(is_plain) { word.to_string() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// What the sides are called in sentences.
pub fn side_name<G: PlayedGame>(side: Side) -> &'static str {
    G::SIDES[side.index()]
}
