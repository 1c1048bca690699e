//! `evalforge tournament`: many players against each other, with a cross table and a rating list.

use std::io::{Write, stdout};

use clap::{Arg, ArgAction, ArgMatches, Command};
use games::Rules;
use measure::arena::{CrossTable, Live, Results, Schedule, Setup, Tally};
use play::numbers::rough_duration as duration;
use play::{Job, PlayedGame};
use serde_json::{Map, Value, json};
use stats::{Decision, Elo};

use super::arena::{self, broken_off, heading, limits_json, repeated, run_for_two};
use super::duel::{label, quoted};
use super::duel_report::{elo_text, interval, openings_played, test_json, test_text};
use super::sequential;
use crate::arguments::threads;
use crate::failure::Usage;

/// Games of every meeting unless given.
const GAMES: usize = 20;
/// Columns of a name.
const NAME: usize = 40;

pub fn arguments(command: Command) -> Command {
    let about = "Let several players play each other: a cross table and a rating list with intervals";
    let command = command
        .about(about)
        .override_usage("evalforge tournament <GAME> --players <A> --players <B>... [OPTIONS]")
        .after_help("'evalforge tournament GAME --help' shows all options, those of the game's rules too.");
    arena::arguments(command, |command| {
        let command = command
            .arg(
                Arg::new("players")
                    .long("players")
                    .visible_alias("player")
                    .value_name("PLAYER")
                    .required(true)
                    .num_args(1..)
                    .action(ArgAction::Append)
                    .help("Two or more players or model files, one after the other or each with --players"),
            )
            .arg(
                Arg::new("gauntlet")
                    .long("gauntlet")
                    .action(ArgAction::SetTrue)
                    .help("Only the first player meets the others"),
            );
        sequential::arguments(command, " of every two players", GAMES)
    })
}

pub fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    run_for_two(matches, Tournament)
}

struct Tournament(ArgMatches);

impl Job for Tournament {
    type Output = anyhow::Result<()>;

    fn run<G: PlayedGame>(self) -> anyhow::Result<()> {
        let matches = &self.0;
        let players: Vec<String> =
            matches.get_many::<String>("players").into_iter().flatten().cloned().collect();
        if players.len() < 2 {
            return Err(Usage(format!("--players: {} given; allowed: two or more", players.len())).into());
        }
        let gauntlet = matches.get_flag("gauntlet");
        let schedule = if gauntlet { Schedule::Gauntlet } else { Schedule::RoundRobin };
        let (sprt, games) = sequential::asked(matches, GAMES);
        let setup = arena::setup::<G>(matches, &players, schedule, games / 2, sprt)?;
        let (results, kept) = arena::run(matches, &setup, &progress)?;
        let table = CrossTable::of(setup.players.len(), schedule, &results);
        if matches.get_flag("json") {
            print_json(matches, &setup, &results, &table)?;
        } else {
            print_text(&setup, &results, &table, &heading(matches, &setup, &results))?;
        }
        if results.complete() {
            return kept.tidy_up();
        }
        let mut again = format!("tournament {}", G::NAME);
        players.iter().for_each(|player| again.push_str(&format!(" --players {}", quoted(player))));
        again.push_str(&sequential::again(matches, sprt, games));
        again.push_str(if gauntlet { " --gauntlet" } else { "" });
        Err(broken_off(matches, &setup, &kept, &again).into())
    }
}

fn progress(live: &Live, results: &Results) -> String {
    let (counted, wanted) = (results.counted().len(), results.wanted());
    let mut text = format!("{}/{} games", 2 * counted, 2 * wanted);
    let tests: Vec<Decision> = results.tests().map(|(_, _, decision)| decision).collect();
    if !tests.is_empty() {
        let decided = tests.iter().filter(|&&decision| decision != Decision::Open).count();
        text.push_str(&format!(", {decided} of {} tests decided", tests.len()));
    } else if live.pairs > 0 {
        let left = (wanted - counted) as f64 * live.elapsed.as_secs_f64() / live.pairs as f64;
        text.push_str(&format!(", about {} to go", duration(left)));
    }
    text
}

fn print_text<G: PlayedGame>(
    setup: &Setup<G>,
    results: &Results,
    table: &CrossTable,
    heading: &str,
) -> anyhow::Result<()> {
    let mut out = stdout();
    let names: Vec<String> = setup.players.iter().map(|name| label(name, NAME)).collect();
    let ratings = table.ratings();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(out, "{heading}\n")?;
    writeln!(out, "  #  {:<width$}  {:>8}  {:<20}  {:>6}  {:>7}", "player", "Elo", "95 %", "games", "score")?;
    for (place, line) in ratings.list.iter().enumerate() {
        let score = if line.games == 0 { "-".to_string() } else { format!("{:.1} %", 100.0 * line.score) };
        let (elo, range) = (elo_text(line.elo), interval(line.ci95));
        let (name, games) = (&names[line.player], line.games);
        writeln!(out, "{:>3}  {name:<width$}  {elo:>8}  {range:<20}  {games:>6}  {score:>7}", place + 1)?;
    }
    if ratings.held_together {
        writeln!(
            out,
            "  some won or lost all their games against the rest: a drawn game of every two was added"
        )?;
    }
    writeln!(out, "\npoints of a row against a column, by place")?;
    let numbers: Vec<String> = (1..=names.len()).map(|place| format!("{place:>11}")).collect();
    writeln!(out, "     {:<width$}{}", "", numbers.concat())?;
    for (place, line) in ratings.list.iter().enumerate() {
        let cell = |other: &stats::Rating| match table.points(line.player, other.player) {
            Some((points, games)) if games > 0 => format!("{:>11}", format!("{points}/{games}")),
            _ => format!("{:>11}", "-"),
        };
        let cells: String = ratings.list.iter().map(cell).collect();
        writeln!(out, "{:>3}  {:<width$}{cells}", place + 1, names[line.player])?;
    }
    if results.sprt().is_some() {
        writeln!(
            out,
            "\ntests, each ended by itself: Elo and intervals above are those of fixed numbers of games"
        )?;
    }
    for (meeting, tested) in table.meetings.iter().zip(results.tests()) {
        let (first, second) = (&names[meeting.first], &names[meeting.second]);
        writeln!(out, "  {first} against {second}: {}", test_text(tested))?;
    }
    for meeting in &table.meetings {
        let tally = Tally::of(results.counted(), meeting.first, meeting.second);
        for (player, forfeits) in [meeting.first, meeting.second].into_iter().zip(&tally.forfeits) {
            for (reason, count) in forfeits.iter().take(5) {
                writeln!(out, "{} lost {count}: {reason}", names[player])?;
            }
        }
    }
    if let Some(warning) = repeated(setup, results) {
        writeln!(out, "{warning}")?;
    }
    Ok(())
}

fn print_json<G: PlayedGame>(
    matches: &ArgMatches,
    setup: &Setup<G>,
    results: &Results,
    table: &CrossTable,
) -> anyhow::Result<()> {
    let options: Map<_, _> =
        setup.rules.to_pairs().into_iter().map(|(key, value)| (key.into(), json!(value))).collect();
    let ratings = table.ratings();
    let list = ratings.list.iter().map(|line| {
        json!({
            "player": setup.players[line.player], "elo": line.elo, "ci95": line.ci95, "games": line.games,
            "score": line.score,
        })
    });
    let mut tests = results.tests().map(test_json);
    let meetings = table.meetings.iter().map(|meeting| {
        let tally = Tally::of(results.counted(), meeting.first, meeting.second);
        let elo = Elo::of_pairs(&tally.pentanomial);
        json!({
            "first": setup.players[meeting.first], "second": setup.players[meeting.second], "games": tally.games(),
            "wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "pentanomial": tally.pentanomial,
            "score": elo.score, "elo": elo.elo, "ci95": elo.ci95, "los": elo.los,
            "seconds_per_move": tally.seconds_per_move, "sprt": tests.next(),
        })
    });
    let (list, meetings): (Vec<Value>, Vec<Value>) = (list.collect(), meetings.collect());
    let result = json!({
        "game": G::NAME, "options": options, "seed": setup.seed, "threads": threads(matches),
        "schedule": setup.schedule, "openings": setup.openings.label(),
        "distinct_openings": openings_played(results), "credit": setup.game_time, "limits": limits_json(matches),
        "ratings": list, "held_together": ratings.held_together,
        "meetings": meetings, "complete": results.complete(),
    });
    writeln!(stdout(), "{result:#}")?;
    Ok(())
}
