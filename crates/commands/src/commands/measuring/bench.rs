//! `evalforge bench`: how fast rules, players and learners are, and the behaviour signature.

use std::io::{Write, stdout};
use std::time::Duration;

use clap::Args;
use measure::bench;
use measure::bench::Row;
use play::names::UnknownName;
use play::{Games, PlayedGame, Visitor};
use train::bench as bench_learners;

use crate::arguments::number;
use crate::commands::{Plain, Program};
use crate::failure::Interrupted;
use crate::outputs::{Speeds, print};
use crate::terminal::{StatusBar, interrupted, short};

const USAGE: &str =
    "evalforge bench [GAME|learners] [OPTIONS]\n       evalforge bench perft <GAME> <DEPTH> [OPTIONS]";

/// Measure the speed of rules, players and learners on one thread, and print the behaviour signature
#[derive(Debug, Args)]
#[command(override_usage = USAGE)]
pub struct Bench {
    /// Measure this game only, or the learners; the signature is always of all games
    #[arg(value_name = "GAME|learners")]
    game: Option<String>,
    /// Time for each row, from 0.001 to 60
    #[arg(long, value_name = "S", default_value = "0.5", value_parser = number(0.001..=60.0))]
    seconds: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Plain for Bench {
    fn run<L: Games>(self, _: &Program) -> anyhow::Result<()> {
        let mut work = self.begin::<L>()?;
        L::visit(&mut work);
        work.finish(self.seconds)
    }
}

impl Bench {
    /// Checks what is asked for, and begins a table.
    fn begin<L: Games>(&self) -> anyhow::Result<Work> {
        let mut counted = Rows(vec![(LEARNERS, bench_learners::MEASURES)]);
        L::visit(&mut counted);
        counted.0.rotate_left(1);
        let names = || counted.0.iter().map(|(name, _)| *name);
        let is_asked = |name: &str| self.game.as_deref().is_none_or(|only| only == name);
        if let Some(name) = self.game.as_deref().filter(|_| !names().any(is_asked)) {
            return Err(UnknownName::new("game", name, names()).into());
        }
        let rows: usize = counted.0.iter().filter(|(name, _)| is_asked(name)).map(|(_, rows)| rows).sum();
        if !self.json {
            writeln!(stdout(), "{:<10} {:<16} {:>12}", "game", "what", "per second")?;
        }
        Ok(Work {
            only: self.game.clone(),
            time: Duration::from_secs_f64(self.seconds),
            json: self.json,
            progress: StatusBar::new("measuring", rows as u64),
            rows: Vec::new(),
            signatures: Vec::new(),
            result: Ok(()),
        })
    }
}

/// Beside the games.
const LEARNERS: &str = "learners";

/// What is measured so far.
struct Work {
    only: Option<String>,
    time: Duration,
    json: bool,
    progress: StatusBar,
    rows: Vec<Row>,
    signatures: Vec<(&'static str, u64)>,
    result: std::io::Result<()>,
}

impl Work {
    fn is_asked(&self, name: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == name)
    }

    /// Measures the learners, and prints what comes at the end.
    fn finish(mut self, seconds: f64) -> anyhow::Result<()> {
        if self.is_asked(LEARNERS) {
            self.report(|time, report| bench_learners::measure(time, &interrupted, report));
        }
        self.progress.finish();
        self.result?;
        let signature = bench::combined(self.signatures.iter().map(|&(_, signature)| signature));
        if self.json {
            let one = |&(game, signature): &(&str, u64)| (game.to_string(), format!("{signature:016x}"));
            let signatures = self.signatures.iter().map(one).collect();
            print(&Speeds { signature, signatures, seconds, rows: self.rows })?;
        } else {
            writeln!(stdout(), "signature {signature}")?;
        }
        if interrupted() {
            return Err(Interrupted("; some games are not measured".into()).into());
        }
        Ok(())
    }

    /// Measures something and prints its rows as they come.
    fn report(&mut self, measure: impl FnOnce(Duration, &mut dyn FnMut(Row))) {
        if interrupted() || self.result.is_err() {
            return;
        }
        let mut report = |row: Row| {
            if !self.json {
                let speed = match row.per_second {
                    slow if slow < 100.0 => format!("{slow:.1}"),
                    speed => short(speed),
                };
                let line = format!("{:<10} {:<16} {speed:>12} {}", row.game, row.name, row.unit);
                self.result = self.progress.aside(|| writeln!(stdout(), "{line}"));
            }
            self.rows.push(row);
            self.progress.set(self.rows.len() as u64);
        };
        measure(self.time, &mut report);
    }
}

impl Visitor for Work {
    fn game<G: PlayedGame>(&mut self) {
        self.signatures.push((G::NAME, bench::signature::<G>()));
        if !self.is_asked(G::NAME) {
            return;
        }
        self.report(|time, report| bench::measure::<G>(time, &interrupted, report));
    }
}

/// How many rows each game makes.
struct Rows(Vec<(&'static str, usize)>);

impl Visitor for Rows {
    fn game<G: PlayedGame>(&mut self) {
        self.0.push((G::NAME, bench::rows::<G>()));
    }
}
