//! `evalforge bench perft`: leaf counts, a row a depth.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::time::Instant;

use clap::{Args, Command};
use measure::count::count_leaves;
use play::PlayedGame;

use crate::arguments::{For, Given, OnGame, Position, Threads, whole_number, with_changed};
use crate::failure::Interrupted;
use crate::outputs::{Leaves, LeavesRow as Row, options, print};
use crate::rooms::CliGame;
use crate::terminal::{StatusBar, interrupted, short};

/// Count the ways to play a number of plies: proves the rules and shows their speed
///
/// Counts the leaves of the game tree at every depth up to DEPTH.
///
/// A ply is a move of a player, a forced pass included; what chance deals is tried in every way and costs no ply, so that in Tetris a
/// ply is a piece and its placement. A finished game stays one leaf.
#[derive(Debug, Args)]
pub struct Perft {
    /// Plies to count, from 0 to 60
    #[arg(value_parser = whole_number(0..=60u32), allow_negative_numbers = true)]
    depth: u32,
    #[command(flatten)]
    at: Position,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl OnGame for Perft {
    const FOR: For = For::All;
    const USAGE: Option<&'static str> = Some("evalforge bench perft <GAME> <DEPTH> [OPTIONS]");

    fn describe<G: CliGame>(command: Command) -> Command {
        let help = "Count on this many threads [default: 1]";
        with_changed(Self::augment_args(command), "threads", |arg| arg.help(help))
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<G>()?;
        let position = self.at.of::<G>(&rules)?;
        let threads = self.threads.threads.unwrap_or(1);
        let rows = self.rows(&mut |depth| count(&position, depth, threads))?;
        let counted = rows.len();
        if self.json {
            print(&Leaves {
                game: G::NAME.into(),
                options: options(&rules),
                position: position.text(),
                threads,
                rows,
            })?;
        }
        if interrupted() {
            return Err(Interrupted(format!("; {} of {} depths are counted", counted, self.depth)).into());
        }
        Ok(())
    }
}

impl Perft {
    /// A row a depth, printed as it comes.
    fn rows(&self, count: &mut dyn FnMut(u32) -> Option<Row>) -> anyhow::Result<Vec<Row>> {
        let mut out = stdout();
        if !self.json {
            writeln!(out, "{:>5} {:>20} {:>11} {:>10}", "depth", "leaves", "seconds", "leaves/s")?;
        }
        let mut rows = Vec::new();
        for depth in self.depth.min(1)..=self.depth {
            let Some(row) = count(depth) else { break };
            if !self.json {
                let speed = short(row.leaves_per_second);
                writeln!(out, "{:>5} {:>20} {:>11.6} {speed:>10}", row.depth, row.leaves, row.seconds)?;
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

fn count<G: PlayedGame>(position: &G, depth: u32, threads: usize) -> Option<Row> {
    let begun = Instant::now();
    let mut progress = None;
    let mut watch = |done: usize, of: usize| {
        progress.get_or_insert_with(|| StatusBar::new(&format!("depth {depth}"), of as u64)).set(done as u64);
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let leaves = count_leaves(position, depth, threads, &mut watch);
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(progress) = progress {
        progress.finish();
    }
    leaves.map(|leaves| Row { depth, leaves, seconds, leaves_per_second: leaves as f64 / seconds })
}
