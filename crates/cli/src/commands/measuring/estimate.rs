//! `evalforge estimate`: the mean lines of games too long to play: by splitting, or by two shortcuts that carry a line on.

use std::ops::ControlFlow;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use games::Game;
use games::tetris::{MAX_HEIGHT, Tetris};
use measure::estimate::growth;
use measure::estimate::growth::{FEWEST_HEIGHTS, GrowthError};
use measure::estimate::{Live, Setup, heights};
use play::names::UnknownName;

use super::{estimate_report as report, estimate_splitting as splitting};
use crate::arguments::{for_games, json_arg, rules, seed_arg, threads, threads_arg, whole_number};
use crate::failure::{Interrupted, Usage};
use crate::terminal::{Status, interrupted, short};

const METHODS: [&str; 3] = ["splitting", "heights", "growth"];

pub fn arguments(command: Command) -> Command {
    let about = "Estimate the mean lines of a Tetris player whose games are too long to play";
    let long = "splitting measures it: how often the pile rises to a first level, what share of those excursions reach the next one, \
        and so on to the end of the game; docs/tetris-splitting.md holds it against plain games.\n\n\
        Two shortcuts carry a straight line of logarithms further than it was measured:\n\
        - heights: how often the wall is how high; Fahey's conjecture is that the frequencies fall by the same factor for \
        every row, down to that of the end of a game\n\
        - growth: the means on lower boards, which grow by about the same factor for every row\n\n\
        Their intervals hold the chance of what was played, not the error of the line: docs/tetris-estimates.md has \
        measured how far off both are.";
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true)
    };
    let rows = |name, help| value(name, "ROWS").value_parser(whole_number(4..=MAX_HEIGHT as u8)).help(help);
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge estimate <GAME> --player <PLAYER> --method <METHOD> [OPTIONS]")
        .after_help("'evalforge estimate GAME --help' shows all options, those of the game's rules too.");
    for_games(
        command,
        |game| game.name == Tetris::NAME,
        |command, _| {
            let command = command
                .arg(value("player", "PLAYER").required(true).help("A player or model file"))
                .arg(value("method", "METHOD").required(true).help("splitting, heights or growth"))
                .arg(
                    value("budget", "PIECES")
                        .default_value("5000000")
                        .value_parser(whole_number(10_000..=1_000_000_000_000u64))
                        .help("heights and growth: about how many pieces to place"),
                )
                .arg(rows("from", "The lowest board that growth plays on [default: 8]"))
                .arg(rows(
                    "to",
                    "The highest one, if the budget allows [default: 14, but lower than the board]",
                ));
            splitting::arguments(command).arg(seed_arg()).arg(threads_arg()).arg(json_arg())
        },
    )
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    if name != Tetris::NAME {
        return Err(UnknownName::new("game to estimate", name, [Tetris::NAME]).into());
    }
    let text = |name: &str| matches.get_one::<String>(name).expect("is required").clone();
    let method = text("method");
    let setup = Setup {
        rules: rules::<Tetris>(matches)?,
        player: text("player"),
        budget: *matches.get_one("budget").expect("has a default"),
        seed: *matches.get_one("seed").expect("has a default"),
    };
    let shortcut = method != "splitting";
    let others: &[&str] = if shortcut { &splitting::OPTIONS } else { &["budget", "from", "to"] };
    let given = |name: &&&str| matches.value_source(name) == Some(ValueSource::CommandLine);
    if let Some(option) = others.iter().find(given) {
        return Err(Usage(format!("--{option} is not for --method {method}")).into());
    }
    match method.as_str() {
        "splitting" => splitting::run(matches, setup.rules, setup.player, setup.seed),
        "heights" => by_heights(matches, &setup),
        "growth" => by_growth(matches, &setup),
        _ => Err(UnknownName::new("method", &method, METHODS).into()),
    }
}

fn by_heights(matches: &ArgMatches, setup: &Setup) -> anyhow::Result<()> {
    if let Some(option) = ["from", "to"].into_iter().find(|option| matches.contains_id(option)) {
        return Err(Usage(format!("--{option} is for --method growth")).into());
    }
    let table = watched(setup, |watch| heights::play(setup, threads(matches), watch))?;
    let estimate = table.estimate();
    if matches.get_flag("json") {
        report::heights_json(setup, &table, estimate.as_ref())?;
    } else {
        report::heights_text(setup, &table, estimate.as_ref())?;
    }
    finish(table.segments() == heights::segments_of(setup.budget), estimate.is_some())
}

fn by_growth(matches: &ArgMatches, setup: &Setup) -> anyhow::Result<()> {
    let given = |name| matches.get_one::<u8>(name).copied();
    let rows = setup.rules.height;
    let from = given("from").unwrap_or(*growth::HEIGHTS.start());
    let to = given("to").unwrap_or_else(|| (*growth::HEIGHTS.end()).min(rows - 1));
    if to >= rows || usize::from(to) + 1 < usize::from(from) + FEWEST_HEIGHTS {
        let message = format!(
            "growth to {rows} rows takes at least {FEWEST_HEIGHTS} lower boards, not {from} to {to} rows; \
             give --from and --to, or play the board with 'evalforge score'"
        );
        return Err(Usage(message).into());
    }
    let played = watched(setup, |watch| growth::play(setup, from..=to, threads(matches), watch));
    let (heights, flow) = played.map_err(|error| match error {
        GrowthError::Player(error) => anyhow::Error::from(error),
        error @ GrowthError::Budget { .. } => Usage(error.to_string()).into(),
    })?;
    let estimate = growth::estimate(&setup.rules, &heights);
    if matches.get_flag("json") {
        report::growth_json(setup, &heights, estimate.as_ref())?;
    } else {
        report::growth_text(setup, &heights, estimate.as_ref())?;
    }
    finish(flow.is_continue(), estimate.is_some())
}

/// Works with a line that tells how far it is; Ctrl-C breaks off.
fn watched<T>(setup: &Setup, work: impl FnOnce(&mut dyn FnMut(&Live) -> ControlFlow<()>) -> T) -> T {
    let status = Status::new();
    let mut watch = |live: &Live| {
        let (pieces, seconds) = (live.pieces as f64, live.elapsed.as_secs_f64());
        status.show(&format!(
            "{} rows, {} of about {} pieces, {} pieces/s",
            live.height,
            short(pieces),
            short(setup.budget as f64),
            short(pieces / seconds)
        ));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = work(&mut watch);
    status.clear();
    result
}

fn finish(complete: bool, estimated: bool) -> anyhow::Result<()> {
    if !complete {
        return Err(Interrupted(String::new()).into());
    }
    anyhow::ensure!(estimated, "what was played is too little for an estimate; give a greater --budget");
    Ok(())
}
