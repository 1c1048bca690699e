//! `evalforge bench`: how fast rules, players and learners are, and the behaviour signature.

use std::io::{Write, stdout};
use std::time::Duration;

use clap::Args;
use games::avalam::Avalam;
use games::othello::Othello;
use games::tetris::Tetris;
use games::{Game, GameInfo};
use measure::bench;
use measure::bench::{MEASURES, Row};
use measure::bench::{avalam as bench_avalam, othello as bench_othello, tetris as bench_tetris};
use play::names::UnknownName;
use play::{Games, PlayedGame, Visitor, game_list};
use serde_json::{Map, json};
use train::bench as bench_learners;

use crate::arguments::number;
use crate::commands::Plain;
use crate::failure::Interrupted;
use crate::terminal::{StatusBar, interrupted, short};

/// Measure the speed of rules, players and learners on one thread, and print the behaviour signature
#[derive(Debug, Args)]
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
    fn run<L: Games>(self) -> anyhow::Result<()> {
        let mut work = self.begin(&game_list::<L>())?;
        L::visit(&mut work);
        work.finish(self.seconds)
    }
}

impl Bench {
    /// Checks what is asked for, and begins a table.
    fn begin(&self, games: &[GameInfo]) -> anyhow::Result<Work> {
        let only = self.game.as_deref();
        let names = || games.iter().map(|game| game.name).chain([LEARNERS]);
        if let Some(name) = only.filter(|name| !names().any(|known| known == *name)) {
            return Err(UnknownName::new("game", name, names()).into());
        }
        let count = only.map_or(games.len(), |only| usize::from(only != LEARNERS));
        let extra = |name: &str, rows: usize| if only.is_none_or(|only| only == name) { rows } else { 0 };
        let rows = count * MEASURES
            + extra(LEARNERS, bench_learners::MEASURES)
            + extra(Tetris::NAME, bench_tetris::MEASURES)
            + extra(Othello::NAME, bench_othello::MEASURES)
            + extra(Avalam::NAME, bench_avalam::MEASURES);
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
            let one =
                |&(game, signature): &(&str, u64)| (game.to_string(), json!(format!("{signature:016x}")));
            let signatures: Map<_, _> = self.signatures.iter().map(one).collect();
            let result = json!({
                "signature": signature, "signatures": signatures, "seconds": seconds, "rows": self.rows,
            });
            writeln!(stdout(), "{result:#}")?;
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
        self.report(|time, report| {
            bench::measure::<G>(time, &interrupted, report);
            if G::NAME == Tetris::NAME {
                bench_tetris::measure(time, &interrupted, report);
            }
            if G::NAME == Othello::NAME {
                bench_othello::measure(time, &interrupted, report);
            }
            if G::NAME == Avalam::NAME {
                bench_avalam::measure(time, &interrupted, report);
            }
        });
    }
}
