//! `evalforge score`: how many lines players make, with intervals, and which of them is better.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::tetris::Tetris;
use games::{Game, Rules};
use measure::score::{Games, Journal, Live, Setup, run as play};
use play::names::UnknownName;
use play::numbers::rough_duration as duration;
use stats::games_for_precision;

use super::score_report;
use crate::arguments::{for_games, json_arg, rules, seed_arg, threads, threads_arg, whole_number};
use crate::failure::{Interrupted, Usage};
use crate::terminal::{Status, interrupted, short};

pub fn arguments(command: Command) -> Command {
    let about = "Measure the lines of Tetris players, all on the same piece streams, with 95 % intervals";
    let long = "Plays games from the empty board and prints for each player the mean number of lines with its interval. \
        Several players meet the same pieces, so that two of them are compared game by game.\n\n\
        A player is one of those that 'evalforge list players' names, or a model file.";
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true)
    };
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(clap::value_parser!(PathBuf)).help(help)
    };
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge score <GAME> --player <PLAYER>... [OPTIONS]")
        .after_help("'evalforge score GAME --help' shows all options, those of the game's rules too.");
    for_games(
        command,
        |game| game.name == Tetris::NAME,
        |command, _| {
            command
                .arg(
                    Arg::new("player")
                        .long("player")
                        .value_name("PLAYER")
                        .action(ArgAction::Append)
                        .help("A player or model file; may be given several times"),
                )
                .arg(
                    value("features", "NAMES")
                        .requires("weights")
                        .help("Features of a linear player, as dn or holes,wells"),
                )
                .arg(
                    value("weights", "W,W,...")
                        .allow_hyphen_values(true)
                        .requires("features")
                        .help("Its weights, in the order of the features"),
                )
                .arg(
                    value("games", "N")
                        .value_parser(whole_number(1..=100_000_000usize))
                        .help("Games for each player [default: 100]"),
                )
                .arg(
                    value("precision", "P%")
                        .conflicts_with("games")
                        .value_parser(percentage)
                        .help("Play until the interval of 2/sqrt(games) is this tight, as 5%"),
                )
                .arg(seed_arg())
                .arg(threads_arg())
                .arg(json_arg())
                .arg(file("csv", "Write the raw scores to this file"))
                .arg(file("resume", "Keep every game in this file, and go on from it if it exists"))
        },
    )
}

/// A share given in percent, as `5%` or `5`.
fn percentage(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    let within = number.filter(|percent| (0.01..=100.0).contains(percent));
    within.map(|percent| percent / 100.0).ok_or_else(|| "allowed: 0.01% to 100%".to_string())
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    if name != Tetris::NAME {
        return Err(UnknownName::new("game to score", name, [Tetris::NAME]).into());
    }
    let setup = setup(matches)?;
    setup.check()?;
    let threads = threads(matches);
    let csv = matches.get_one::<PathBuf>("csv").map(|path| Csv::create(path)).transpose()?;

    let (mut games, mut journal) = match matches.get_one::<PathBuf>("resume") {
        Some(path) => {
            let (journal, games) = Journal::open(path, &setup)?;
            (games, Some(journal))
        }
        None => (Games::new(setup.players.len(), setup.games), None),
    };
    let status = Status::new();
    let mut watch = |live: &Live| {
        status.show(&progress(&setup, live));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(&setup, threads, &mut games, journal.as_mut(), &mut watch)?;
    status.clear();

    if let Some(csv) = csv {
        csv.write(&setup, &games)?;
    }
    if matches.get_flag("json") {
        score_report::json(&setup, threads, &games)?;
    } else {
        score_report::text(&setup, threads, &games)?;
    }
    if games.complete() {
        return Ok(());
    }
    Err(Interrupted(how_to_go_on(matches, &setup, &games)?).into())
}

fn setup(matches: &ArgMatches) -> anyhow::Result<Setup> {
    let rules = rules::<Tetris>(matches)?;
    let given = matches.get_many::<String>("player").into_iter().flatten().cloned();
    let text = |name: &str| matches.get_one::<String>(name);
    let written = text("features").zip(text("weights"));
    let players: Vec<String> =
        given.chain(written.map(|(features, weights)| format!("linear({features}; {weights})"))).collect();
    if players.is_empty() {
        let message = "no player is given; --player NAME, --player FILE.json, or --features and --weights";
        return Err(Usage(message.into()).into());
    }
    let games = match matches.get_one::<f64>("precision") {
        Some(&precision) => games_for_precision(precision),
        None => matches.get_one("games").copied().unwrap_or(100),
    };
    Ok(Setup { rules, players, games, seed: *matches.get_one("seed").expect("has a default") })
}

/// One line: games over, the estimate so far, the speed, and the time left.
fn progress(setup: &Setup, live: &Live) -> String {
    let (over, lines) = live.players.iter().fold((0, 0), |(over, lines), &(o, l)| (over + o, lines + l));
    let all = setup.games * setup.players.len();
    let seconds = live.elapsed.as_secs_f64();
    let speed = live.decisions as f64 / seconds;
    let mut text = format!("{over}/{all} games, {} decisions/s", short(speed));
    if over > 0 {
        // Unfinished games count with the lines they have: a mean of the finished ones would be too low.
        text.push_str(&format!(", about {} lines a game", short(lines as f64 / over as f64)));
        // 2.5 pieces a line at width 10, in general width / 4.
        let pieces = lines as f64 / over as f64 * f64::from(setup.rules.width) / 4.0;
        let left = ((all - over) as f64 * pieces / speed).max(0.0);
        text.push_str(&format!(", about {} to go", duration(left)));
    }
    text
}

/// The command that goes on; the games are in a journal, which is made now if there was none.
fn how_to_go_on(matches: &ArgMatches, setup: &Setup, games: &Games) -> anyhow::Result<String> {
    let path = match matches.get_one::<PathBuf>("resume") {
        Some(path) => path.clone(),
        None => {
            let names = (1..).map(|number| PathBuf::from(format!("score-{number}.jsonl")));
            let path = names.into_iter().find(|path| !path.exists()).expect("some number is free");
            let (mut journal, _) = Journal::open(&path, setup)?;
            for player in 0..setup.players.len() {
                for game in games.finished(player).chain(games.broken_off(player)) {
                    journal.append(game)?;
                }
            }
            path
        }
    };
    let mut command = String::from("evalforge score tetris");
    for (key, value) in setup.rules.to_pairs() {
        command.push_str(&format!(" --{key} {value}"));
    }
    for player in &setup.players {
        command.push_str(&format!(" --player '{player}'"));
    }
    let (games, seed) = (setup.games, setup.seed);
    command.push_str(&format!(" --games {games} --seed {seed} --resume {}", path.display()));
    Ok(format!("; to go on: {command}"))
}

/// The raw scores, opened before anything is played so that an unwritable file is known at once.
struct Csv {
    file: std::fs::File,
}

impl Csv {
    fn create(path: &Path) -> anyhow::Result<Self> {
        let refused = |error| Usage(format!("--csv {}: {error}", path.display()));
        Ok(Self { file: std::fs::File::create(path).map_err(refused)? })
    }

    fn write(mut self, setup: &Setup, games: &Games) -> anyhow::Result<()> {
        let mut text = String::from("player,game,lines,decisions\n");
        for (player, name) in setup.players.iter().enumerate() {
            for game in games.finished(player) {
                let name = name.replace('"', "\"\"");
                text.push_str(&format!("\"{name}\",{},{},{}\n", game.game, game.lines, game.decisions));
            }
        }
        self.file.write_all(text.as_bytes())?;
        stdout().flush()?;
        Ok(())
    }
}
