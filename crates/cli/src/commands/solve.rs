//! `evalforge solve`: the mean number of lines of the best player on a small Tetris board, and its table of values.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use clap::{Arg, ArgMatches, Command};
use games::tetris::{Tetris, TetrisRules};
use games::{Game, Rules};
use lab::names::UnknownName;
use lab::solve::{Solution, SolveError, Watch, solve};
use lab::statistics::Mean;
use lab::threads::on_threads;
use serde_json::{Map, json};

use crate::arguments::{for_games, json_arg, number, rules, seed_arg, threads, threads_arg, whole_number};
use crate::failure::Interrupted;
use crate::terminal::{Progress, interrupted};

pub fn arguments(command: Command) -> Command {
    let about = "Compute the best play on a small Tetris board, and the mean number of lines that it makes";
    let long = "Solves the game exactly, by value iteration over all boards that play can reach: no player makes more \
        lines on the mean than is printed here. Boards of up to 28 cells are solved, as 5x5, 4x7 or 7x4, with pieces \
        that come independently and one of them known.";
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true)
    };
    let command = command.about(about).long_about(format!("{about}\n\n{long}"));
    for_games(
        command,
        |game| game.name == Tetris::NAME,
        |command, _| {
            command
                .arg(
                    value("tolerance", "T")
                        .default_value("0.000001")
                        .value_parser(number(1e-9..=1.0))
                        .help("Stop when the value is known to within this, in lines, from 1e-9 to 1"),
                )
                .arg(
                    Arg::new("out")
                        .long("out")
                        .value_name("FILE")
                        .value_parser(clap::value_parser!(PathBuf))
                        .help("Write the values of all boards to this file"),
                )
                .arg(
                    value("games", "N")
                        .default_value("0")
                        .value_parser(whole_number(0..=100_000_000usize))
                        .help("Then play this many games with the best player, as a check"),
                )
                .arg(seed_arg())
                .arg(threads_arg())
                .arg(json_arg())
        },
    )
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let (name, matches) = matches.subcommand().expect("a game is required");
    if name != Tetris::NAME {
        return Err(UnknownName::new("game to solve", name, [Tetris::NAME]).into());
    }
    let rules = rules::<Tetris>(matches)?;
    let threads = threads(matches);
    let tolerance: f64 = *matches.get_one("tolerance").expect("has a default");
    let (games, seed): (usize, u64) =
        (*matches.get_one("games").expect("has a default"), *matches.get_one("seed").expect("has a default"));

    let begun = Instant::now();
    let solved = watched("solving", |watch| on_threads(threads, || solve(&rules, tolerance, watch)))?;
    let seconds = begun.elapsed().as_secs_f64();
    let solution = solved.map_err(|error| match error {
        SolveError::Stopped => Interrupted("; nothing is solved yet".into()).into(),
        SolveError::Rules(error) => anyhow::Error::from(error),
        error => error.into(),
    })?;
    // What has been found is printed even if the file cannot be written.
    let saved = matches.get_one::<PathBuf>("out").map_or(Ok(()), |path| solution.player.save(path));
    let player = Arc::new(solution.player.clone());
    let simulate = |watch: Watch<'_>| on_threads(threads, || player.simulate(games, seed, watch));
    let played = if games > 0 { watched("playing", simulate)? } else { None };
    if matches.get_flag("json") {
        print_json(&rules, &solution, seconds, threads, played)?;
    } else {
        print_text(&solution, seconds, threads, played)?;
    }
    saved?;
    if games > 0 && played.is_none() {
        return Err(Interrupted("; the game is solved, the games are not played".into()).into());
    }
    Ok(())
}

/// Works with a progress bar, and until Ctrl-C.
fn watched<T>(what: &str, work: impl FnOnce(Watch<'_>) -> T) -> T {
    const STEPS: f64 = 1000.0;
    let progress = Mutex::new((Progress::new(what, STEPS as u64), 0.0f64));
    let watch = |share: f64| {
        if let Ok(mut progress) = progress.lock() {
            progress.1 = progress.1.max(share);
            progress.0.set((progress.1 * STEPS) as u64);
        }
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = work(&watch);
    if let Ok(progress) = progress.lock() {
        progress.0.finish();
    }
    result
}

fn error_bound(solution: &Solution) -> f64 {
    (solution.bounds[1] - solution.bounds[0]) / 2.0
}

fn print_text(
    solution: &Solution,
    seconds: f64,
    threads: usize,
    played: Option<Mean>,
) -> std::io::Result<()> {
    let mut out = stdout();
    let Solution { value, boards, states, iterations, sweeps, .. } = solution;
    writeln!(out, "value       {value:.7} lines on the mean from the empty board")?;
    writeln!(out, "error       at most {:.1e}", error_bound(solution))?;
    writeln!(
        out,
        "states      {states} of {boards} boards that can be reached, the others being mirror images"
    )?;
    writeln!(out, "iterations  {iterations} over all placements, {sweeps} over the best ones")?;
    writeln!(out, "seconds     {seconds:.2} on {threads} threads")?;
    if let Some(Mean { n, mean, ci95: [low, high], .. }) = played {
        writeln!(out, "played      {mean:.4} [{low:.4}, {high:.4}] lines   n = {n}")?;
    }
    Ok(())
}

fn print_json(
    rules: &TetrisRules,
    solution: &Solution,
    seconds: f64,
    threads: usize,
    played: Option<Mean>,
) -> std::io::Result<()> {
    let options: Map<_, _> =
        rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), json!(value))).collect();
    let mut result = json!({
        "game": Tetris::NAME, "options": options, "value": solution.value, "bounds": solution.bounds,
        "error": error_bound(solution), "boards": solution.boards, "states": solution.states,
        "iterations": solution.iterations, "sweeps": solution.sweeps, "seconds": seconds, "threads": threads,
    });
    if let Some(played) = played {
        result["played"] = json!(played);
    }
    writeln!(stdout(), "{result:#}")
}
