//! `evalforge explain`: the placements of a position as a player sees them, best first.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::error::InputError;
use games::tetris::{Piece, Tetris, TetrisRules};
use games::{Game, Turn};
use play::analyze::explain::Critic;
use play::names::UnknownName;

use super::explain_report::{self, Explained};
use super::explain_surfaces::{self, Surfaces};
use crate::arguments::{for_games, json_arg, player_arg, position, position_arg, rules, whole_number};
use crate::failure::Usage;

/// Placements in the table unless given.
const SHOWN: usize = 5;

pub fn arguments(command: Command) -> Command {
    let about = "Explain a player's choice: every placement with its value, and what each feature adds to it";
    let command = command
        .about(about)
        .override_usage("evalforge explain <GAME> --player <PLAYER> [OPTIONS]")
        .after_help("'evalforge explain GAME --help' shows all options, those of the game's rules too.");
    for_games(
        command,
        |game| game.name == Tetris::NAME,
        |command, _| {
            command
                .arg(player_arg())
                .arg(
                    position_arg()
                        .help("Explain this position, in the game's text form, instead of the start"),
                )
                .arg(
                    Arg::new("piece")
                        .long("piece")
                        .value_name("LETTER")
                        .value_parser(piece)
                        .help("The piece to place, instead of the position's"),
                )
                .arg(
                    Arg::new("top")
                        .long("top")
                        .value_name("N")
                        .allow_negative_numbers(true)
                        .value_parser(whole_number(1..=1000usize))
                        .help(format!(
                            "Show the features of the N best [default: {SHOWN}; all with --json], or N patterns of each kind \
                             with --surfaces [default: {}; all with --json]",
                            explain_surfaces::SHOWN
                        )),
                )
                .arg(
                    Arg::new("surfaces")
                        .long("surfaces")
                        .action(ArgAction::SetTrue)
                        .conflicts_with_all(["position", "piece"])
                        .help("Draw the patterns of the surface that the player likes and dislikes most, instead of a position"),
                )
                .arg(
                    Arg::new("svg")
                        .long("svg")
                        .value_name("FILE")
                        .value_parser(clap::value_parser!(PathBuf))
                        .conflicts_with("json")
                        .help("With --surfaces, write a picture to this file instead"),
                )
                .arg(json_arg())
        },
    )
}

fn piece(text: &str) -> Result<Piece, String> {
    let mut letters = text.chars();
    let piece = letters.next().and_then(Piece::from_letter).filter(|_| letters.next().is_none());
    piece.ok_or_else(|| "allowed: I, O, T, S, Z, J, L".to_string())
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    if name != Tetris::NAME {
        return Err(UnknownName::new("game to explain", name, [Tetris::NAME]).into());
    }
    let rules = rules::<Tetris>(matches)?;
    let player = matches.get_one::<String>("player").expect("is required");
    // An argument that --surfaces excludes would make clap forget that --svg needs it.
    if matches.contains_id("svg") && !matches.get_flag("surfaces") {
        return Err(Usage("--svg: a picture is drawn of --surfaces only".into()).into());
    }
    let position = if matches.get_flag("surfaces") { None } else { Some(given(matches, &rules)?) };
    let Some(critic) = Critic::new(&rules, player)? else {
        let reason = "plays without an evaluation function, so that there is nothing to explain";
        return Err(
            Usage(format!("player '{player}' {reason}; 'evalforge list players' names others")).into()
        );
    };
    let top = matches.get_one("top").copied();
    let Some(position) = position else { return draw_surfaces(matches, &rules, player, &critic, top) };
    let explained = Explained { ranking: critic.ranking(&position), position, player, critic };
    if matches.get_flag("json") {
        explain_report::json(&explained, top.unwrap_or(usize::MAX))?;
    } else {
        explain_report::text(&explained, top.unwrap_or(SHOWN))?;
    }
    Ok(())
}

fn draw_surfaces(
    matches: &ArgMatches,
    rules: &TetrisRules,
    player: &str,
    critic: &Critic,
    top: Option<usize>,
) -> anyhow::Result<()> {
    let tables = critic
        .surfaces(rules)
        .map_err(|reason| Usage(format!("--surfaces: player '{player}' has nothing to draw: {reason}")))?;
    let surfaces = Surfaces { player, tables, top };
    match matches.get_one::<PathBuf>("svg") {
        Some(path) => surfaces.write_svg(path)?,
        None if matches.get_flag("json") => surfaces.json()?,
        None => surfaces.text()?,
    }
    Ok(())
}

/// The position with the piece to place.
fn given(matches: &ArgMatches, rules: &TetrisRules) -> anyhow::Result<Tetris> {
    let mut position = position::<Tetris>(matches, rules)?;
    if let Some(&piece) = matches.get_one::<Piece>("piece") {
        let text = matches.get_one::<String>("position").map_or("-", String::as_str);
        position = Tetris::parse(rules, &with_piece(text, piece))?;
    }
    match position.turn() {
        Turn::Player(_) => Ok(position),
        Turn::Over => Err(InputError::position(&position.text(), "the game is over").into()),
        Turn::Chance if position.current().is_none() => {
            Err(Usage("there is no piece to place; --piece T gives one, or a position as '##.. T'".into())
                .into())
        }
        Turn::Chance => {
            let reason = "with --preview on two pieces must be known, as in '##.. TS'";
            Err(InputError::position(&position.text(), reason).into())
        }
    }
}

/// A position's text, which is known to be one, with this piece in place of the one to be placed.
fn with_piece(text: &str, piece: Piece) -> String {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    let next: String = words.get(1).map_or(String::new(), |known| known.chars().skip(1).collect());
    words.resize(words.len().max(2), String::new());
    words[1] = format!("{}{next}", piece.letter());
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_takes_the_place_of_the_one_that_is_there() {
        for (text, with) in [
            ("##..", "##.. T"),
            ("-", "- T"),
            ("##.. -", "##.. T"),
            ("##.. S", "##.. T"),
            ("##.. SZ 4", "##.. TZ 4"),
            (" ##..  - 4 IOT ", "##.. T 4 IOT"),
        ] {
            assert_eq!(with_piece(text, Piece::T), with);
        }
    }
}
