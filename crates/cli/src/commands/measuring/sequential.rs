//! The sequential test that `duel` and `tournament` can end by: its arguments, and how long it may take.

use clap::{Arg, ArgMatches, Command};
use stats::{Scale, Sprt};

use super::arena::{MOST_GAMES, even_number};

/// The most games of a test unless given.
const TESTED: usize = 100_000;

/// Adds the number of games, which is `usual` unless given, and the test that may end them earlier.
pub fn arguments(command: Command, whose: &str, usual: usize) -> Command {
    let value = |name: &'static str, value_name: &'static str| {
        Arg::new(name).long(name).value_name(value_name).allow_negative_numbers(true)
    };
    command
        .arg(
            value("games", "N").value_parser(even_number).help(format!(
                "Games{whose}, an even number [default: {usual}; with --sprt at most {TESTED}]"
            )),
        )
        .arg(value("sprt", "ELO0,ELO1").allow_hyphen_values(true).value_parser(two_numbers).help(format!(
            "Play until an advantage of ELO0 or of ELO1 is accepted, with errors of 5 % each, as 0,10{}",
            if whose.is_empty() { "" } else { "; every two players have a test of their own" }
        )))
        .arg(
            Arg::new("scale")
                .long("scale")
                .value_name("SCALE")
                .requires("sprt")
                .default_value("logistic")
                .value_parser(["logistic", "normalised"])
                .help("What ELO0 and ELO1 are counted in"),
        )
}

/// The test that is asked for, if any, and the games of every two players at most.
pub fn asked(matches: &ArgMatches, usual: usize) -> (Option<Sprt>, usize) {
    let scale = if scale(matches) == "normalised" { Scale::Normalised } else { Scale::Logistic };
    let test = matches.get_one::<[f64; 2]>("sprt").map(|&[elo0, elo1]| Sprt::new(elo0, elo1, scale));
    let games = matches.get_one("games").copied();
    (test, games.unwrap_or(if test.is_some() { TESTED } else { usual }).min(MOST_GAMES))
}

/// The same as on the command line.
pub fn again(matches: &ArgMatches, test: Option<Sprt>, games: usize) -> String {
    let test = test.map_or(String::new(), |test| {
        format!(" --sprt {},{} --scale {}", test.elo0, test.elo1, scale(matches))
    });
    format!(" --games {games}{test}")
}

fn scale(matches: &ArgMatches) -> &str {
    matches.get_one::<String>("scale").expect("has a default")
}

/// Two numbers, the lower one first.
fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    let numbers =
        text.split_once(',').and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    let within = numbers.filter(|[a, b]: &[f64; 2]| a < b && *a >= -1000.0 && *b <= 1000.0);
    within.ok_or_else(|| "allowed: two numbers from -1000 to 1000, the lower one first, as 0,10".to_string())
}
