//! `evalforge duel`: two players against each other, in pairs with sides exchanged, for a number of games or until a test
//! decides.

use clap::{Arg, ArgMatches, Command};
use games::error::shown;
use measure::arena::{Live, Results, Schedule};
use play::numbers::rough_duration as duration;
use play::{Job, PlayedGame};
use stats::Elo;

use super::arena::{self, broken_off, run_for_two};
use super::{duel_report, sequential};
use crate::terminal::short;

/// Games unless given.
const GAMES: usize = 100;

pub fn arguments(command: Command) -> Command {
    let about = "Let two players play each other, and say which is better and by how much";
    let long = "Every opening is played twice with sides exchanged. Prints won, drawn and lost games, Elo with its 95 % interval, \
        the likelihood of superiority and the counts of pairs; --sprt plays until one of two hypotheses can be accepted. \
        A player that panics, stalls or answers an illegal move loses that game.\n\n\
        A player is one of those that 'evalforge list players' names, or a model file. --depth, --nodes and --time are limits of every \
        player that searches; one with a limit in its own text is refused then.";
    let command = command
        .about(about)
        .long_about(format!("{about}\n\n{long}"))
        .override_usage("evalforge duel <GAME> <A> <B> [OPTIONS]")
        .after_help("'evalforge duel GAME --help' shows all options, those of the game's rules too.");
    arena::arguments(command, |command| {
        let player = |name: &'static str, help: &'static str| Arg::new(name).required(true).help(help);
        let command =
            command.arg(player("A", "The player whose result is told")).arg(player("B", "The other one"));
        sequential::arguments(command, "", GAMES)
    })
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    run_for_two(matches, Duel)
}

struct Duel(ArgMatches);

impl Job for Duel {
    type Output = anyhow::Result<()>;

    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        let matches = &self.0;
        let text = |name: &str| matches.get_one::<String>(name).expect("is required").clone();
        let (sprt, games) = sequential::asked(matches, GAMES);
        let players = [text("A"), text("B")];
        let setup = arena::setup::<G>(matches, &players, Schedule::RoundRobin, games / 2, sprt)?;
        let (results, kept) = arena::run(matches, &setup, &progress)?;
        let report = duel_report::Report::new(&setup, &results);
        if matches.get_flag("json") {
            report.json(matches)?;
        } else {
            report.text(&arena::heading(matches, &setup, &results))?;
        }
        if results.complete() {
            return kept.tidy_up();
        }
        let mut again = format!("duel {} {} {}", G::NAME, quoted(&players[0]), quoted(&players[1]));
        again.push_str(&sequential::again(matches, sprt, games));
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
