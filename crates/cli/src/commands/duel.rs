//! `evalforge duel`: two players against each other, in pairs with sides exchanged, for a number of games or until a test
//! decides.

use clap::{Arg, ArgMatches, Command};
use games::error::shown;
use games::{Game, Job};
use lab::arena::{Live, Results, Schedule};
use lab::statistics::{Elo, Scale, Sprt};

use super::arena::{self, MOST_GAMES, broken_off, even_number, run_for_two};
use super::duel_report;
use crate::arguments::threads;
use crate::terminal::short;
use lab::report::rough_duration as duration;

/// Games unless given.
const GAMES: usize = 100;
/// The most games of a test unless given.
const TESTED: usize = 100_000;

pub fn arguments(command: Command) -> Command {
    let about = "Let two players play each other, and say which is better and by how much";
    let long = "Every opening is played twice with sides exchanged. Prints won, drawn and lost games, Elo with its 95 % interval, \
        the likelihood of superiority and the counts of pairs; --sprt plays until one of two hypotheses can be accepted. \
        A player that panics, stalls or answers an illegal move loses that game.\n\n\
        A player is one of those that 'evalforge list players' names, or a model file.";
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge duel <GAME> <A> <B> [OPTIONS]")
        .after_help("'evalforge duel GAME --help' shows all options, those of the game's rules too.");
    arena::arguments(command, |command| {
        let player = |name: &'static str, help: &'static str| Arg::new(name).required(true).help(help);
        let value = |name: &'static str, value_name: &'static str| {
            Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true)
        };
        command
            .arg(player("A", "The player whose result is told"))
            .arg(player("B", "The other one"))
            .arg(
                value("games", "N")
                    .value_parser(even_number)
                    .help(format!("Games, an even number [default: {GAMES}; with --sprt at most {TESTED}]")),
            )
            .arg(value("sprt", "ELO0,ELO1").allow_hyphen_values(true).value_parser(two_numbers).help(
                "Play until an advantage of ELO0 or of ELO1 is accepted, with errors of 5 % each, as 0,10",
            ))
            .arg(
                Arg::new("scale")
                    .long("scale")
                    .value_name("SCALE")
                    .requires("sprt")
                    .default_value("logistic")
                    .value_parser(["logistic", "normalised"])
                    .help("What ELO0 and ELO1 are counted in"),
            )
    })
}

/// Two numbers, the lower one first.
fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    let numbers =
        text.split_once(',').and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    let within = numbers.filter(|[a, b]: &[f64; 2]| a < b && *a >= -1000.0 && *b <= 1000.0);
    within.ok_or_else(|| "allowed: two numbers from -1000 to 1000, the lower one first, as 0,10".to_string())
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    run_for_two(matches, Duel)
}

struct Duel(ArgMatches);

impl Job for Duel {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self) -> anyhow::Result<()> {
        let matches = &self.0;
        let text = |name: &str| matches.get_one::<String>(name).expect("is required").clone();
        let scale = if text("scale") == "normalised" { Scale::Normalised } else { Scale::Logistic };
        let sprt = matches.get_one::<[f64; 2]>("sprt").map(|&[elo0, elo1]| Sprt::new(elo0, elo1, scale));
        let games = matches.get_one("games").copied();
        let games = games.unwrap_or(if sprt.is_some() { TESTED } else { GAMES }).min(MOST_GAMES);
        let players = vec![text("A"), text("B")];
        let setup = arena::setup::<G>(matches, players, Schedule::RoundRobin, games / 2, sprt)?;
        let (results, kept) = arena::run(matches, &setup, &progress)?;
        let report = duel_report::Report::new(&setup, &results);
        if matches.get_flag("json") {
            report.json(threads(matches))?;
        } else {
            report.text(&arena::heading(matches, &setup, &results))?;
        }
        if results.complete() {
            return kept.tidy_up();
        }
        let mut again =
            format!("duel {} {} {}", G::NAME, quoted(&setup.players[0]), quoted(&setup.players[1]));
        again.push_str(&format!(" --games {games}"));
        if let Some(test) = sprt {
            again.push_str(&format!(" --sprt {},{} --scale {}", test.elo0, test.elo1, text("scale")));
        }
        Err(broken_off(matches, &setup, &kept, &again).into())
    }
}

/// A text for a shell.
pub fn quoted(text: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./".contains(sign);
    if text.chars().all(plain) { text.to_string() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// One line: pairs, the estimate so far, the test, the speed and the time left.
fn progress(live: &Live, results: &Results) -> String {
    let (counted, wanted) = (results.counted().len(), results.wanted());
    let speed = 2.0 * live.pairs as f64 / live.elapsed.as_secs_f64();
    let mut text = format!("{}/{} games", 2 * counted, 2 * wanted);
    if counted > 0 {
        let elo = Elo::of_pairs(&results.pentanomial());
        text.push_str(&format!(", Elo {}", duel_report::elo_text(elo.elo)));
        text.push_str(&format!(" {}", duel_report::interval(elo.ci95)));
    }
    if let Some((test, llr, _)) = results.sprt() {
        let [lower, upper] = test.bounds();
        text.push_str(&format!(", LLR {llr:.2} in [{lower:.2}, {upper:.2}]"));
    }
    text.push_str(&format!(", {} games/s", if speed < 10.0 { format!("{speed:.1}") } else { short(speed) }));
    if results.sprt().is_none() && live.pairs > 0 {
        text.push_str(&format!(", about {} to go", duration(2.0 * (wanted - counted) as f64 / speed)));
    }
    text
}

/// A name for a table.
pub fn label(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        line
    } else {
        shown(&line).trim_matches('\'').chars().take(most - 3).chain("...".chars()).collect()
    }
}
