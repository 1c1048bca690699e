//! `evalforge perft`: leaf counts, a row a depth.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command};
use games::Rules;
use measure::count::count_leaves;
use play::threads::NoThreads;
use play::{Job, PlayedGame};
use serde::Serialize;
use serde_json::{Map, json};

use crate::arguments::{
    json_arg, per_game, position, position_arg, rules, run_game, threads_arg, whole_number,
};
use crate::failure::Interrupted;
use crate::terminal::{StatusBar, interrupted, short};

pub fn arguments(command: Command) -> Command {
    let about = "Count the ways to play a number of plies: proves the rules and shows their speed";
    let long = "Counts the leaves of the game tree at every depth up to DEPTH.\n\n\
        A ply is a move of a player, a forced pass included; what chance deals is tried in every way and costs no \
        ply, so that in Tetris a ply is a piece and its placement. A finished game stays one leaf.";
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge perft <GAME> <DEPTH> [OPTIONS]")
        .after_help("'evalforge perft GAME --help' shows all options, those of the game's rules too.");
    per_game(command, |command, _| {
        command
            .arg(
                Arg::new("depth")
                    .value_name("DEPTH")
                    .required(true)
                    .value_parser(whole_number(0..=60u32))
                    .allow_negative_numbers(true)
                    .help("Plies to count, from 0 to 60"),
            )
            .arg(position_arg())
            .arg(
                threads_arg()
                    .default_value("1")
                    .help("Count on this many threads [default: 1]")
                    .hide_default_value(true),
            )
            .arg(json_arg())
    })
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    run_game(matches, Perft)
}

struct Perft(ArgMatches);

#[derive(Serialize)]
struct Row {
    depth: u32,
    leaves: u64,
    seconds: f64,
    leaves_per_second: f64,
}

impl Job for Perft {
    type Output = anyhow::Result<()>;

    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        let rules = rules::<G>(&self.0)?;
        let position = position::<G>(&self.0, &rules)?;
        let depth: u32 = *self.0.get_one("depth").expect("required");
        let threads: usize = *self.0.get_one("threads").expect("has a default");
        let json = self.0.get_flag("json");

        let mut out = stdout();
        if !json {
            writeln!(out, "{:>5} {:>20} {:>11} {:>10}", "depth", "leaves", "seconds", "leaves/s")?;
        }
        let mut rows = Vec::new();
        for depth in depth.min(1)..=depth {
            let Some(row) = count(&position, depth, threads)? else { break };
            if !json {
                let speed = short(row.leaves_per_second);
                writeln!(out, "{:>5} {:>20} {:>11.6} {speed:>10}", row.depth, row.leaves, row.seconds)?;
            }
            rows.push(row);
        }
        if json {
            let options: Map<_, _> =
                rules.to_pairs().into_iter().map(|(key, value)| (key.to_string(), json!(value))).collect();
            let result = json!({
                "game": G::NAME, "options": options, "position": position.text(), "threads": threads, "rows": rows,
            });
            writeln!(out, "{result:#}")?;
        }
        if interrupted() {
            return Err(Interrupted(format!("; {} of {depth} depths are counted", rows.len())).into());
        }
        Ok(())
    }
}

fn count<G: PlayedGame>(position: &G, depth: u32, threads: usize) -> Result<Option<Row>, NoThreads> {
    let begun = Instant::now();
    let progress = std::sync::OnceLock::new();
    let watch = |done: usize, of: usize| {
        progress.get_or_init(|| StatusBar::new(&format!("depth {depth}"), of as u64)).set(done as u64);
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let leaves = count_leaves(position, depth, threads, &watch)?;
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(progress) = progress.get() {
        progress.finish();
    }
    Ok(leaves.map(|leaves| Row { depth, leaves, seconds, leaves_per_second: leaves as f64 / seconds }))
}
