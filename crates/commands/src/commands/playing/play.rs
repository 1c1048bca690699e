//! `evalforge play`: a person against a player, two players against each other, or a person alone.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, Args, Command};
use games::{Rules, Side};
use measure::arena::{GameRecord, Winner};
use play::PlayedGame;
use play::files::new_file;
use play::names::UnknownName;
use play::players::spec::Spec;
use play::players::{PLAYERS, PlayerError, player, player_names, prepare};

use super::conversation::{Conversation, Save, Seat};
use crate::arguments::{For, Given, OnGame, Seed, number, position, whole_number, with_changed};
use crate::failure::{Interrupted, Usage, unwritten};
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
    /// Play against a computer of this level, from 1 to 10
    #[arg(long, value_name = "N", value_parser = whole_number(1..=10u32))]
    level: Option<u32>,
    /// Write the game to this file as it goes on, for 'evalforge replay'
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl OnGame for Play {
    const FOR: For = For::All;
    const USAGE: Option<&'static str> = Some("evalforge play <GAME> [OPTIONS]");
    const AFTER: &'static str = "While it is your turn: type a move, or 'help', 'moves', 'hint', 'why', 'board', 'position', 'undo', 'quit'.\n\n\
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
        let command = Self::augment_args(command.args(seats)).after_help(words);
        let levels = format!("Play against a computer of this level: {}", levels::<G>());
        with_changed(
            command,
            "level",
            |arg| if G::SIDES.len() == 2 { arg.help(&levels) } else { arg.hide(true) },
        )
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<G>()?;
        let start = position::<G>(self.position.as_deref(), &rules)?;
        let names: Vec<&str> = SEATS.iter().filter_map(|seat| given.text(seat)).collect();
        let mut names: Vec<String> = names.into_iter().map(str::to_string).collect();
        if let Some(level) = self.level {
            self.seat_level::<G>(given, level, &mut names)?;
        }
        if let Some(path) = &self.save {
            if G::SIDES.len() != 2 || G::CHANCE {
                let refusal =
                    format!("--save: game '{}' cannot be replayed: chance is not on record", G::NAME);
                return Err(Usage(refusal).into());
            }
            new_file::check(path).map_err(|error| unwritten("--save", path, &error))?;
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
                winner: Winner::Draw,
                reason: LEFT.to_string(),
                moves: Vec::new(),
                micros: Vec::new(),
                thoughts: Vec::new(),
            },
        });
        let delay = Duration::from_secs_f64(delay);
        Conversation::new(rules, start, seats, seed, delay).kept(again, save).run()
    }
}

/// Why a saved game ended that was played to its end, and one that was not.
pub const OVER: &str = "the game is over";
pub const LEFT: &str = "the game was left before its end";

impl Play {
    /// Puts the computer of a level on the seat that no person has and nobody was named for.
    fn seat_level<G: PlayedGame>(
        &self,
        given: &Given,
        level: u32,
        names: &mut [String],
    ) -> anyhow::Result<()> {
        let refused = |reason: &str| Err(Usage(format!("--level {level}: {reason}")).into());
        let free = match names {
            [_] => return refused("nobody plays against you in a game for one; --player names who plays it"),
            [_, second] if !given.is_given(SEATS[1]) => second,
            [first, _] if !given.is_given(SEATS[0]) => first,
            _ => return refused("both players are named; leave out --first or --second"),
        };
        *free = G::level_player(level);
        Ok(())
    }
}

/// What the levels mean, as "1: 1 ply, 2: 2 plies".
fn levels<G: PlayedGame>() -> String {
    let one = |level: u32| {
        let text = G::level_player(level);
        let limits = Spec::parse(&text).map(|spec| (spec.limits.depth, spec.limits.time));
        let what = match limits {
            Ok((Some(1), _)) => "1 ply".to_string(),
            Ok((Some(depth), _)) => format!("{depth} plies"),
            Ok((None, Some(seconds))) => format!("{seconds} s a move"),
            _ => text,
        };
        format!("{level}: {what}")
    };
    (1..=10).map(one).collect::<Vec<_>>().join(", ")
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
fn resume_command(game: &str, rules: &[(&str, String)], names: &[String], seed: u64) -> String {
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
