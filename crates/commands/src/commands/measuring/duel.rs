//! `evalforge duel`: players against each other, in pairs with sides exchanged, for a number of games or until a test decides. Two are told
//! with their difference; more, or one against each of the others, with a table.

use clap::{Args, Command};
use measure::arena::{DuelProgress, Results, Schedule};
use play::numbers::rough_duration as duration;
use stats::Elo;

use super::duel_report;
use super::tournament::{self, Tournament};
use crate::arguments::{For, Given, OnGame};
use crate::rooms::CliGame;
use crate::terminal::short;

/// Games unless given.
const GAMES: usize = 100;

/// Let players play each other, and say which is better and by how much
///
/// Every opening is played twice with sides exchanged. Of two players it prints won, drawn and lost games, Elo with its 95 % interval, the
/// likelihood of superiority and the counts of pairs; of more a cross table and a rating list with intervals. --sprt plays until one of two hypotheses can be accepted. A player that panics, stalls or
/// answers an illegal move loses that game; a program whose answers cannot be read ends the match.
///
/// A player is one of those that 'evalforge list players' names, or a model file. --depth, --nodes and --time are limits of every
/// player that searches; one with a limit in its own text is refused then.
#[derive(Debug, Args)]
pub struct Duel {
    /// Two players or more; of two, the first is the one whose result is told
    #[arg(value_name = "PLAYER", id = "names")]
    players: Vec<String>,
    #[command(flatten)]
    all: Tournament,
}

impl OnGame for Duel {
    const FOR: For = For::Two;
    const USAGE: Option<&'static str> = Some("evalforge duel <GAME> <A> <B> [C ...] [OPTIONS]");

    fn describe<G: CliGame>(command: Command) -> Command {
        let usual = format!("{GAMES} of two, {} of more", tournament::GAMES);
        Tournament::told(Self::augment_args(command), &usual)
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let Self { players, mut all } = self;
        all.players.splice(0..0, players);
        if all.players.len() != 2 || all.gauntlet || all.swiss.is_some() {
            return all.run::<G>(given);
        }
        let Tournament { players, length, arena, .. } = all;
        let (sprt, games) = length.asked(GAMES);
        let setup = arena.setup::<G>(given, &players, Schedule::RoundRobin, games / 2, sprt)?;
        let (results, kept) = arena.run(&setup, &progress)?;
        let report = duel_report::Report::new(&setup, &results);
        if arena.common.json {
            report.json(&arena)?;
        } else {
            report.text(&arena.heading(&setup, &results))?;
        }
        if results.complete() {
            return kept.tidy_up();
        }
        Err(kept.broken_off().into())
    }
}

/// One line: pairs, the estimate so far, the test, the speed and the time left.
fn progress(live: &DuelProgress, results: &Results) -> String {
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
