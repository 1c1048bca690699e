//! `evalforge solve tetris`: the mean number of lines of the best player on a small Tetris board, and its table of values.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use games::Game;
use games::tetris::{Tetris, TetrisRules};
use play::solve::{Progress, Solution, SolveError, solve};
use play::threads::on_threads;
use stats::Mean;

use crate::arguments::{Force, Given, Seed, number, whole_number};
use crate::commands::solve::Solve;
use crate::failure::Interrupted;
use crate::outputs::{self, Solved, SolvedTetris};
use crate::rooms::OwnCommand;
use crate::terminal::watched;

const LONG: &str = "by value iteration over all boards that play can reach: no player makes more lines on the mean than \
    is printed here. Boards of up to 28 cells are solved, as 5x5, 4x7 or 7x4, with pieces that come independently and one \
    of them known.";

/// What only Tetris has.
#[derive(Debug, Args)]
pub struct Board {
    /// Stop when the value is known to within this, in lines, from 1e-9 to 1
    #[arg(long, value_name = "T", default_value = "0.000001", value_parser = number(1e-9..=1.0))]
    tolerance: f64,
    /// Then play this many games with the best player, as a check
    #[arg(long, value_name = "N", default_value = "0", value_parser = whole_number(0..=100_000_000usize))]
    games: usize,
    #[command(flatten)]
    seed: Seed,
    /// Write the values of all boards to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl OwnCommand for Board {
    const LONG: &'static str = LONG;

    fn run(self, given: &Given) -> anyhow::Result<()> {
        let (all, rules) = (given.also::<Solve>()?, &given.rules::<Tetris>()?);
        let (games, seed, threads) = (self.games, self.seed.seed, all.threads.count());
        self.out.as_deref().map_or(Ok(()), |path| self.force.check(path))?;
        let begun = Instant::now();
        let solved = watched("solving", |watch| on_threads(threads, || solve(rules, self.tolerance, watch)))?;
        let seconds = begun.elapsed().as_secs_f64();
        let solution = solved.map_err(|error| match error {
            SolveError::Stopped => Interrupted("; nothing is solved yet".into()).into(),
            SolveError::Rules(error) => anyhow::Error::from(error),
            error => error.into(),
        })?;
        // What has been found is printed even if the file cannot be written.
        let saved = self.out.as_ref().map_or(Ok(()), |path| solution.player.save(path));
        let player = Arc::new(solution.player.clone());
        let simulate = |watch: Progress<'_>| {
            on_threads(threads, || player.simulate(games, seed, watch).map(|lines| Mean::of(&lines)))
        };
        let played = if games > 0 { watched("playing", simulate)? } else { None };
        if all.json {
            print_json(rules, &solution, seconds, threads, played)?;
        } else {
            print_text(&solution, seconds, threads, played)?;
        }
        saved?;
        if games > 0 && played.is_none() {
            return Err(Interrupted("; the game is solved, the games are not played".into()).into());
        }
        Ok(())
    }
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
    outputs::print(&Solved::Tetris(SolvedTetris {
        game: Tetris::NAME.into(),
        options: outputs::options(rules),
        value: solution.value,
        bounds: solution.bounds,
        error: error_bound(solution),
        boards: solution.boards,
        states: solution.states,
        iterations: solution.iterations,
        sweeps: solution.sweeps,
        seconds,
        threads,
        played,
    }))
}
