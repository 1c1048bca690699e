//! `evalforge fit-probcut`: how certain a shallow search is of a deep one, for the cuts of alpha-beta.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};
use games::error::shown;
use play::files::new_file;
use play::shipped::best;
use play::{Job, PlayedGame};
use serde_json::{Value, json};
use train::fit_probcut::{FitError, Fitted, Setup};

use crate::arguments::{for_games, json_arg, rules, seed_arg, threads, threads_arg, whole_number};
use crate::commands::measuring::arena::run_for_two;
use crate::commands::solve::watched;
use crate::failure::{Interrupted, Usage};

pub fn arguments(command: Command) -> Command {
    let about = "Fit Multi-ProbCut to an evaluation: how certain a shallow search is of a deep one";
    let long = "Plays games in which one move in four is any at all and the others are the best of one ply, takes one position of each, searches it to \
        every depth, and fits, for pairs of depths and parts of the game, value of the deep search = slope * value of the shallow one + \
        offset. Sigma is the standard deviation around that line. --out writes the rows to a file for a player, as \
        alphabeta(time=1, eval=MODEL, probcut=FILE, confidence=1), which leaves out lines that a shallow search puts so many sigmas beyond \
        what matters. There is no row where more than 5 % of the deep searches saw the end of the game.";
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true)
    };
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge fit-probcut <GAME> [OPTIONS]")
        .after_help("'evalforge fit-probcut GAME --help' shows all options, those of the game's rules too.");
    for_games(
        command,
        |game| game.sides.len() == 2,
        |command, game| {
            let eval = value("eval", "MODEL").help("The evaluation, as in alphabeta(eval=MODEL)");
            command
                .arg(match best(game.name) {
                    Some(best) => eval.default_value(best.evaluation),
                    None => eval.required(true),
                })
                .arg(
                    value("positions", "N")
                        .default_value("400")
                        .value_parser(whole_number(20..=1_000_000usize))
                        .help("Positions to search, one a game"),
                )
                .arg(
                    value("depth", "D")
                        .default_value("8")
                        .value_parser(whole_number(3..=30u32))
                        .help("The deepest search"),
                )
                .arg(
                    value("phases", "K")
                        .default_value("6")
                        .value_parser(whole_number(1..=100u32))
                        .help("Parts of the game, of as many steps each, that are fitted by themselves"),
                )
                .arg(
                    value("out", "FILE")
                        .value_parser(clap::value_parser!(PathBuf))
                        .help("Write the rows to this file, for probcut=FILE of a player"),
                )
                .arg(seed_arg())
                .arg(threads_arg())
                .arg(json_arg())
        },
    )
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    run_for_two(matches, FitProbCut)
}

struct FitProbCut(ArgMatches);

impl Job for FitProbCut {
    type Output = anyhow::Result<()>;

    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        let matches = &self.0;
        let number = |name: &str| *matches.get_one::<u32>(name).expect("has a default");
        let setup = Setup::<G> {
            rules: rules::<G>(matches)?,
            eval: matches.get_one::<String>("eval").expect("is required or has a default").clone(),
            positions: *matches.get_one("positions").expect("has a default"),
            depth: number("depth"),
            phases: number("phases"),
            seed: *matches.get_one("seed").expect("has a default"),
        };
        let out = matches.get_one::<PathBuf>("out");
        let refused = |path: &PathBuf, error: &std::io::Error| {
            Usage(format!("--out {}: {error}", shown(&path.display().to_string())))
        };
        if let Some(path) = out {
            new_file::check(path).map_err(|error| refused(path, &error))?;
        }
        let threads = threads(matches);
        let fitted =
            watched("searching", |watch| setup.fit(threads, watch)).map_err(|error| match error {
                FitError::Player(error) => anyhow::Error::from(error),
                error @ FitError::Threads(_) => error.into(),
            })?;
        let fitted = fitted.ok_or_else(|| Interrupted("; nothing is fitted yet".into()))?;
        if let Some(path) = out.filter(|_| !fitted.file.cuts.is_empty()) {
            new_file::write(path, fitted.file.text().as_bytes()).map_err(|error| refused(path, &error))?;
        }
        if matches.get_flag("json") {
            writeln!(stdout(), "{:#}", json(&fitted))?;
        } else {
            text(&setup, &fitted)?;
        }
        anyhow::ensure!(
            !fitted.file.cuts.is_empty(),
            "no row: too few positions in each part of the game, or all of them near its end; nothing is written"
        );
        Ok(())
    }
}

fn text<G: PlayedGame>(setup: &Setup<G>, fitted: &Fitted) -> std::io::Result<()> {
    let mut out = stdout();
    writeln!(
        out,
        "{}, {}: {} positions searched to depth {}, seed {}",
        G::NAME,
        setup.eval,
        setup.positions,
        setup.depth,
        setup.seed
    )?;
    writeln!(
        out,
        "{:>7} {:>5} {:>8} {:>6} {:>7} {:>9} {:>9}  95 % interval",
        "shallow", "deep", "steps", "n", "slope", "offset", "sigma"
    )?;
    for (cut, ci95) in fitted.file.cuts.iter().zip(&fitted.sigma_ci95) {
        let steps = format!("{}-{}", cut.from, cut.to);
        writeln!(
            out,
            "{:>7} {:>5} {steps:>8} {:>6} {:>7.3} {:>+9.3} {:>9.3}  [{:.3}, {:.3}]",
            cut.shallow, cut.deep, cut.n, cut.slope, cut.offset, cut.sigma, ci95[0], ci95[1]
        )?;
    }
    Ok(())
}

fn json(fitted: &Fitted) -> Value {
    let mut value = json!(fitted.file);
    value["sigma_ci95"] = json!(fitted.sigma_ci95);
    value
}
