//! `evalforge reproduce tetris-splitting`: estimates by splitting beside plain games and the papers.

use std::io::{Write, stdout};
use std::ops::ControlFlow;

use games::tetris::Tetris;
use measure::score::{Games, ScoreProgress, run as play};
use measure::splitting::Run;
use play::numbers::{interval, number};
use stats::Summary;
use train::reproduce::tetris_splitting::{CASES, Case, agrees};

use crate::commands::measuring::estimate_splitting::watched;
use crate::failure::Interrupted;
use crate::outputs::{self, PlainGames, Reproduced, SplittingRow, SplittingTable};
use crate::terminal::{Status, interrupted, short};

/// The name of the table.
pub const NAME: &str = "tetris-splitting";

pub fn run(quick: bool, threads: usize, as_json: bool) -> anyhow::Result<()> {
    if !as_json {
        writeln!(
            stdout(),
            "| board | player | by splitting | 95 % | repeats | pieces | plain games or papers | 95 % | n | pieces | agrees |\n\
             |---|---|---|---|---|---|---|---|---|---|---|"
        )?;
    }
    let mut rows = Vec::new();
    // Plain games may be too long for the quick table.
    let told = |case: &&Case| case.known.is_some() || case.plain(quick).is_some();
    for case in CASES.iter().filter(told) {
        let setup = case.splitting(quick);
        let Some(run) = watched(&setup, threads)?.filter(Run::complete) else { break };
        let plain = match case.plain(quick) {
            Some(setup) => {
                let games = games(&setup, threads)?;
                if !games.complete() {
                    break;
                }
                let pieces = games.finished(0).map(|game| game.decisions).sum();
                Some((Summary::of(&games.scores(0)), pieces))
            }
            None => None,
        };
        if as_json {
            rows.push(row(case, &run, plain.as_ref()));
        } else {
            writeln!(stdout(), "{}", markdown(case, &run, plain.as_ref()))?;
        }
    }
    if as_json {
        let table = SplittingTable { table: NAME.into(), quick, threads, rows };
        outputs::print(&Reproduced::Splitting(table))?;
    }
    if interrupted() { Err(Interrupted(String::new()).into()) } else { Ok(()) }
}

fn games(setup: &measure::score::ScoreSetup<Tetris>, threads: usize) -> anyhow::Result<Games> {
    let mut games = Games::new(1, setup.games);
    let status = Status::new();
    let mut watch = |live: &ScoreProgress| {
        let speed = short(live.decisions as f64 / live.elapsed.as_secs_f64());
        let over = live.players[0].0;
        status.show(&format!("{}: {over}/{} games, {speed} decisions/s", setup.players[0], setup.games));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(setup, threads, &mut games, None, &mut watch)?;
    status.clear();
    Ok(games)
}

fn agreement(case: &Case, run: &Run, plain: Option<&(Summary, u64)>) -> Option<bool> {
    let estimate = run.estimate()?;
    match plain {
        Some((plain, _)) => Some(agrees(&estimate, plain)),
        None => case.agrees_with_papers(&estimate),
    }
}

fn markdown(case: &Case, run: &Run, plain: Option<&(Summary, u64)>) -> String {
    let (value, ci95, n) = match run.estimate() {
        Some(estimate) => (number(estimate.value), estimate.ci95.map_or(String::new(), interval), estimate.n),
        None => ("-".into(), String::new(), 0),
    };
    let pieces = short(run.pieces() as f64);
    let other = match (plain, &case.known) {
        (Some((plain, pieces)), _) => {
            let (mean, ci95) = (number(plain.mean), interval(plain.exponential_ci95));
            format!("{mean} | {ci95} | {} | {}", plain.n, short(*pieces as f64))
        }
        (None, Some(papers)) => format!("papers: {} | | |", papers.source),
        (None, None) => "| | |".into(),
    };
    let agrees = match agreement(case, run, plain) {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    };
    let (height, player) = (case.height, &case.player);
    format!("| 10x{height} | {player} | {value} | {ci95} | {n} | {pieces} | {other} | {agrees} |")
}

fn row(case: &Case, run: &Run, plain: Option<&(Summary, u64)>) -> SplittingRow {
    SplittingRow {
        height: case.height,
        player: case.player.clone(),
        splitting: run.estimate(),
        missing: run.missing(),
        levels: run.course.levels.clone(),
        base: run.course.base,
        pieces: run.pieces(),
        warnings: run.warnings(),
        plain: plain.map(|(plain, pieces)| PlainGames {
            mean: plain.mean,
            ci95: plain.exponential_ci95,
            n: plain.n,
            pieces: *pieces,
        }),
        papers: case.known.as_ref().map(|papers| papers.source.clone()),
        agrees: agreement(case, run, plain),
    }
}
