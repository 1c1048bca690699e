//! `evalforge duel` of more than two: many players against each other, with a cross table and a rating list.

use std::cmp::Reverse;
use std::io::{Write, stdout};

use clap::{Args, Command};
use measure::arena::{CrossTable, DuelProgress, DuelSetup, Results, Schedule, Standing, Tally};
use play::PlayedGame;
use play::numbers::rough_duration as duration;
use stats::{Decision, Elo};

use super::arena::{Arena, repeated};
use super::duel_report::{elo_text, interval, openings_played, test, test_text};
use super::sequential::{Length, TESTED};
use crate::arguments::{For, Given, OnGame, whole_number, with_changed};
use crate::failure::Usage;
use crate::outputs::{Meeting, PlayerRating, PlayerStanding, Tournament as Output, options, print};
use crate::rooms::CliGame;
use crate::terminal::label;

/// Games of every meeting unless given.
pub const GAMES: usize = 20;
/// Columns of a name.
const NAME: usize = 40;

/// Let several players play each other: a cross table and a rating list with intervals
#[derive(Debug, Args)]
pub struct Tournament {
    /// Players with an option, as they were given before; 'duel' names them without
    #[arg(long, alias = "player", value_name = "PLAYER", num_args = 1.., hide = true)]
    pub players: Vec<String>,
    /// Only the first player meets the others
    #[arg(long)]
    pub gauntlet: bool,
    /// This many rounds, in each of which players meet who stand alike and have not met: for many players in little time
    #[arg(long, value_name = "ROUNDS", conflicts_with_all = ["gauntlet", "sprt"], value_parser = whole_number(1..=1000usize))]
    pub swiss: Option<usize>,
    /// How long.
    #[command(flatten)]
    pub length: Length,
    /// Openings, limits, files.
    #[command(flatten)]
    pub arena: Arena,
}

impl OnGame for Tournament {
    const FOR: For = For::Two;
    const USAGE: Option<&'static str> = Some("evalforge duel <GAME> <A> <B> [C ...] [OPTIONS]");

    fn describe<G: CliGame>(command: Command) -> Command {
        Self::told(Self::augment_args(command), &GAMES.to_string())
    }

    fn run<G: CliGame>(self, given: &Given) -> anyhow::Result<()> {
        let Self { players, gauntlet, swiss, length, arena } = self;
        if players.len() < 2 {
            return Err(Usage(format!("players: {} given; allowed: two or more", players.len())).into());
        }
        let schedule = match swiss {
            Some(rounds) => Schedule::Swiss(rounds),
            None if gauntlet => Schedule::Gauntlet,
            None => Schedule::RoundRobin,
        };
        let (sprt, games) = length.asked(GAMES);
        let setup = arena.setup::<G>(given, &players, schedule, games / 2, sprt)?;
        let (results, kept) = arena.run(&setup, &progress)?;
        let table = CrossTable::of(setup.players.len(), &results);
        if arena.common.json {
            print_json(&arena, &setup, &results, &table)?;
        } else {
            let heading = arena.heading(&setup, &results);
            print_text(&setup.players, &results, &table, &heading, repeated(&setup, &results))?;
            if swiss.is_some() {
                print_standings(&setup.players, &results.standings(), &table)?;
            }
        }
        if results.complete() {
            return kept.tidy_up();
        }
        Err(kept.broken_off().into())
    }
}

impl Tournament {
    /// Its arguments with the help of those that depend on how many games are usual.
    pub fn told(command: Command, usual: &str) -> Command {
        let games = format!(
            "Games of every two players, an even number [default: {usual}; with --sprt at most {TESTED}]"
        );
        let sprt = "Play until an advantage of ELO0 or of ELO1 is accepted, as 0,10; every two players have a test of \
            their own";
        let command = with_changed(command, "games", |arg| arg.help(&games));
        with_changed(command, "sprt", |arg| arg.help(sprt))
    }
}

fn progress(live: &DuelProgress, results: &Results) -> String {
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

fn print_text(
    players: &[String],
    results: &Results,
    table: &CrossTable,
    heading: &str,
    warning: Option<String>,
) -> anyhow::Result<()> {
    let mut out = stdout();
    let names: Vec<String> = players.iter().map(|name| label(name, NAME)).collect();
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
    if let Some(warning) = warning {
        writeln!(out, "{warning}")?;
    }
    Ok(())
}

/// The order of a Swiss tournament: points, then those of the opponents.
fn print_standings(players: &[String], standings: &[Standing], table: &CrossTable) -> anyhow::Result<()> {
    let mut out = stdout();
    let names: Vec<String> = players.iter().map(|name| label(name, NAME)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let ratings = table.ratings();
    let mut order: Vec<(&Standing, f64, &String)> = Vec::new();
    for line in &ratings.list {
        order.push((&standings[line.player], line.elo, &names[line.player]));
    }
    // Who stands alike stays in the order of the ratings.
    order.sort_by_key(|(standing, ..)| Reverse((standing.halves, standing.buchholz)));
    writeln!(out, "\nstandings; a bye counts as a meeting won, Buchholz is the points of all opponents")?;
    writeln!(
        out,
        "  #  {:<width$}  {:>7}  {:>8}  {:>4}  {:>8}",
        "player", "points", "Buchholz", "byes", "Elo"
    )?;
    for (place, (standing, elo, name)) in order.into_iter().enumerate() {
        let [points, buchholz] = [standing.halves, standing.buchholz].map(|halves| halves as f64 / 2.0);
        let (byes, elo) = (standing.byes, elo_text(elo));
        writeln!(out, "{:>3}  {name:<width$}  {points:>7}  {buchholz:>8}  {byes:>4}  {elo:>8}", place + 1)?;
    }
    Ok(())
}

fn print_json<G: PlayedGame>(
    arena: &Arena,
    setup: &DuelSetup<G>,
    results: &Results,
    table: &CrossTable,
) -> anyhow::Result<()> {
    let ratings = table.ratings();
    let rating = |line: &stats::Rating| PlayerRating {
        player: setup.players[line.player].clone(),
        elo: line.elo,
        ci95: line.ci95,
        games: line.games,
        score: line.score,
    };
    let mut tests = results.tests().map(test);
    let meetings = table.meetings.iter().map(|meeting| {
        let tally = Tally::of(results.counted(), meeting.first, meeting.second);
        let elo = Elo::of_pairs(&tally.pentanomial);
        Meeting {
            first: setup.players[meeting.first].clone(),
            second: setup.players[meeting.second].clone(),
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pentanomial: tally.pentanomial,
            score: elo.score,
            elo: elo.elo,
            ci95: elo.ci95,
            los: elo.los,
            seconds_per_move: tally.seconds_per_move,
            sprt: tests.next(),
        }
    });
    let standings = matches!(setup.schedule, Schedule::Swiss(_)).then(|| {
        let all = setup.players.iter().zip(results.standings());
        let one = |(player, standing): (&String, Standing)| PlayerStanding {
            player: player.clone(),
            points: standing.halves as f64 / 2.0,
            buchholz: standing.buchholz as f64 / 2.0,
            byes: standing.byes,
        };
        all.map(one).collect()
    });
    Ok(print(&Output {
        game: G::NAME.into(),
        options: options(&setup.rules),
        seed: setup.seed,
        threads: arena.common.threads(),
        schedule: setup.schedule,
        openings: setup.openings.label().into(),
        distinct_openings: openings_played(results),
        credit: setup.game_time,
        limits: arena.move_limits(),
        ratings: ratings.list.iter().map(rating).collect(),
        held_together: ratings.held_together,
        meetings: meetings.collect(),
        standings,
        complete: results.complete(),
    })?)
}
