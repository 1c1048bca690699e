//! `evalforge bench`: how fast rules, players and learners are, and the behaviour signature.

use std::io::{Write, stdout};
use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use games::Game;
use games::avalam::Avalam;
use games::othello::Othello;
use games::tetris::Tetris;
use measure::bench;
use measure::bench::{MEASURES, Row};
use measure::bench::{avalam as bench_avalam, othello as bench_othello, tetris as bench_tetris};
use play::names::UnknownName;
use play::{Games as _, PlayedGame, Visitor, game_list};
use serde_json::{Map, json};
use train::bench as bench_learners;

use crate::arguments::{json_arg, number};
use crate::failure::Interrupted;
use crate::terminal::{StatusBar, interrupted, short};

pub fn arguments(command: Command) -> Command {
    command
        .about("Measure the speed of rules, players and learners on one thread, and print the behaviour signature")
        .arg(
            Arg::new("game")
                .value_name("GAME|learners")
                .help("Measure this game only, or the learners; the signature is always of all games"),
        )
        .arg(
            Arg::new("seconds")
                .long("seconds")
                .value_name("S")
                .default_value("0.5")
                .allow_negative_numbers(true)
                .value_parser(number(0.001..=60.0))
                .help("Time for each row, from 0.001 to 60"),
        )
        .arg(json_arg())
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let only = matches.get_one::<String>("game").map(String::as_str);
    let games = game_list::<games::Listed>();
    let names = || games.iter().map(|game| game.name).chain([LEARNERS]);
    if let Some(name) = only.filter(|name| !names().any(|known| known == *name)) {
        return Err(UnknownName::new("game", name, names()).into());
    }
    let seconds: f64 = *matches.get_one("seconds").expect("has a default");
    let json = matches.get_flag("json");

    let count = only.map_or(games.len(), |only| usize::from(only != LEARNERS));
    let extra = |name: &str, rows: usize| if only.is_none_or(|only| only == name) { rows } else { 0 };
    let learners = extra(LEARNERS, bench_learners::MEASURES);
    let extra = extra(Tetris::NAME, bench_tetris::MEASURES)
        + extra(Othello::NAME, bench_othello::MEASURES)
        + extra(Avalam::NAME, bench_avalam::MEASURES);
    let mut bench = Bench {
        only,
        time: Duration::from_secs_f64(seconds),
        print: !json,
        progress: StatusBar::new("measuring", (count * MEASURES + extra + learners) as u64),
        rows: Vec::new(),
        signatures: Vec::new(),
        result: Ok(()),
    };
    if !json {
        writeln!(stdout(), "{:<10} {:<16} {:>12}", "game", "what", "per second")?;
    }
    games::Listed::visit(&mut bench);
    if learners > 0 {
        bench.report(|time, report| bench_learners::measure(time, &interrupted, report));
    }
    bench.progress.finish();
    bench.result?;

    let signature = bench::combined(bench.signatures.iter().map(|&(_, signature)| signature));
    if json {
        let one = |&(game, signature): &(&str, u64)| (game.to_string(), json!(format!("{signature:016x}")));
        let signatures: Map<_, _> = bench.signatures.iter().map(one).collect();
        let result = json!({
            "signature": signature, "signatures": signatures, "seconds": seconds, "rows": bench.rows,
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

/// Beside the games.
const LEARNERS: &str = "learners";

struct Bench<'a> {
    only: Option<&'a str>,
    time: Duration,
    print: bool,
    progress: StatusBar,
    rows: Vec<Row>,
    signatures: Vec<(&'static str, u64)>,
    result: std::io::Result<()>,
}

impl Bench<'_> {
    /// Measures something and prints its rows as they come.
    fn report(&mut self, measure: impl FnOnce(Duration, &mut dyn FnMut(Row))) {
        if interrupted() || self.result.is_err() {
            return;
        }
        let mut report = |row: Row| {
            if self.print {
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

impl Visitor for Bench<'_> {
    fn game<G: PlayedGame>(&mut self) {
        self.signatures.push((G::NAME, bench::signature::<G>()));
        if self.only.is_some_and(|only| only != G::NAME) {
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
