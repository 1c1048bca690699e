//! `evalforge play`: a person against a player, two players against each other, or a person alone.

use std::time::Duration;

use clap::{Arg, Args, Command};
use games::{Rules, Side};
use play::PlayedGame;
use play::names::UnknownName;
use play::players::{PLAYERS, PlayerError, player, player_names, prepare};

use super::conversation::{Conversation, Seat};
use crate::arguments::{For, Given, OnGame, Seed, number, position};
use crate::failure::Interrupted;
use crate::rooms::CliGame;
use crate::terminal::watched;
use crate::terminal::{self, quoted};

const HUMAN: &str = "human";
const SEATS: [&str; 2] = ["first", "second"];

/// Play a game in the terminal, or watch players play it
#[derive(Debug, Args)]
pub struct Play {
    /// Begin from this position, in the game's text form, instead of the start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    #[command(flatten)]
    seed: Seed,
    /// Pause after each move of a player, from 0 to 60 [default: 0.4 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", value_parser = number(0.0..=60.0))]
    delay: Option<f64>,
}

impl OnGame for Play {
    const FOR: For = For::All;
    const USAGE: Option<&'static str> = Some("evalforge play <GAME> [OPTIONS]");
    const AFTER: &'static str = "While it is your turn: type a move, or 'help', 'moves', 'board', 'position', 'undo', 'quit'.\n\n\
        'evalforge play GAME --help' shows all options, those of the game's rules too.";

    fn describe<G: CliGame>(command: Command) -> Command {
        let names = PLAYERS.iter().map(|player| player.name).collect::<Vec<_>>().join(", ");
        let seats = SEATS.iter().zip(G::SIDES).map(|(seat, side)| {
            let player = G::BEST.map_or("random", |best| best.player);
            let default = if *seat == "first" { HUMAN } else { player };
            let help = format!("Who plays {side}: {HUMAN}, {names}");
            let arg = Arg::new(*seat).long(*seat).value_name("PLAYER").default_value(default).help(help);
            if G::SIDES.len() == 1 { arg.visible_alias("player") } else { arg }
        });
        let words = Self::AFTER.lines().next().unwrap_or_default();
        Self::augment_args(command.args(seats)).after_help(words)
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<G>()?;
        let start = position::<G>(self.position.as_deref(), &rules)?;
        let names: Vec<&str> = SEATS.iter().filter_map(|seat| given.text(seat)).collect();
        let seats = names.iter().map(|name| seat::<G>(&rules, name)).collect::<anyhow::Result<Vec<_>>>()?;
        let seed = self.seed.seed;
        // With the same seed chance would repeat what it has dealt.
        let again = resume_command(G::NAME, &rules.to_pairs(), &names, seed.wrapping_add(1));
        let delay = self.delay.unwrap_or(if terminal::is_screen() { 0.4 } else { 0.0 });
        Conversation::new(start, seats, seed, Duration::from_secs_f64(delay), again).run()
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
    for (seat, name) in SEATS.iter().zip(names) {
        command.push_str(&format!(" --{seat} {}", quoted(name)));
    }
    command.push_str(&format!(" --seed {seed}"));
    command
}

/// What the sides are called in sentences.
pub fn side_name<G: PlayedGame>(side: Side) -> &'static str {
    G::SIDES[side.index()]
}
