//! `evalforge score --method grade`: how often a player's move keeps the value of the game, judged by perfect play.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::{Args, Command};
use games::Rules;
use measure::arena::OpeningError;
use play::PlayedGame;
use play::players::PlayerSpec;
use play::title;
use train::data::{LabelError, LabelSetup};
use train::grade::{Estimate, Exam, Grade as Graded, GradeError, setup};

use crate::arguments::{Common, Given, whole_number, with_changed};
use crate::failure::{Interrupted, Usage};
use crate::outputs::{Grades, options, print};
use crate::rooms::CliGame;
use crate::terminal::watched;

const HOSTS: &str = "Whose games give the positions; given twice, two play every opening from both sides";

/// Whose games give the positions unless given: somebody who sees two moves ahead, by the first function there is.
fn usual<G: PlayedGame>() -> String {
    let function = G::MODELS.first().map_or(String::new(), |model| format!(", eval={}", model.name));
    format!("alphabeta(depth=2, table=1{function})")
}

/// How often the moves of players keep the value of the game.
///
/// Takes positions from games after random openings and asks every player for its move in each. A move keeps the value if it wins a
/// won game or draws a drawn one; a lost game has nothing to keep, nor has one in which every move is as good. What is given away is
/// counted in points: a win 1, a draw 1/2.
#[derive(Debug, Args)]
pub struct Grade {
    /// Who is graded; may be given several times
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<String>,
    #[arg(long, value_name = "PLAYER", help = HOSTS)]
    games_of: Vec<String>,
    /// Games to play
    #[arg(long, value_name = "N", default_value = "500", value_parser = whole_number(1..=100_000usize))]
    games: usize,
    /// Begin after this many random moves
    #[arg(long = "openings", alias = "opening-plies", value_name = "K", default_value = "4", value_parser = whole_number(0..=1000usize))]
    opening_plies: usize,
    /// A table that 'evalforge solve' has written [default: solve the game now]
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Grade {
    /// Describes its arguments for a game.
    pub fn describe<G: CliGame>(command: Command) -> Command {
        let usual = format!("{HOSTS} [default: {}]", usual::<G>());
        with_changed(Self::augment_args(command), "games_of", |arg| arg.help(&usual))
    }

    /// Grades the players that were given with their option, and these.
    pub fn grade<G: CliGame>(self, more: Vec<String>, given: &Given) -> anyhow::Result<()> {
        let rules = given.rules::<G>()?;
        let (players, mut hosts) = ([self.players, more].concat(), self.games_of);
        if players.is_empty() {
            return Err(Usage("no player is given; --player NAME or --player FILE.json".into()).into());
        }
        if hosts.len() > 2 {
            return Err(Usage(format!("--games-of: {} given; allowed: one or two", hosts.len())).into());
        }
        if hosts.is_empty() {
            hosts.push(usual::<G>());
        }
        hosts.dedup();
        let threads = self.common.threads();
        let setup = setup::<G>(rules.clone(), hosts, self.games, self.opening_plies, self.common.seed());

        // A name that is wrong is told before anything is played.
        for text in &players {
            PlayerSpec::<G>::parse(&rules, text)?;
        }
        let make = G::ORACLE.expect("the command is for games that have one");
        let oracle = watched("solving", |watch| make(&rules, self.table.as_deref(), watch))?;
        let oracle = oracle.ok_or_else(|| Interrupted("; nothing is solved yet".into()))?;
        let stopped = || Interrupted("; nothing is graded yet".into());
        let exam = watched("playing", |watch| Exam::new(&*oracle, &setup, threads, watch)).map_err(named)?;
        let exam = exam.ok_or_else(stopped)?;
        let mut grades = Vec::new();
        for text in &players {
            let grade = watched(&format!("grading {text}"), |watch| exam.grade(text, threads, watch));
            match grade.map_err(named)? {
                Some(grade) => grades.push(grade),
                None => break,
            }
        }
        if self.common.json {
            print_json(&setup, &exam, &grades, threads)?;
        } else {
            print_text(&setup, &exam, &grades)?;
        }
        if grades.len() < players.len() {
            let kept = format!("; {} of {} players are graded", grades.len(), players.len());
            return Err(Interrupted(kept).into());
        }
        Ok(())
    }
}

/// Errors that name the option they come from.
fn named(error: GradeError) -> anyhow::Error {
    let label = match error {
        GradeError::Player(error) => return (*error).into(),
        GradeError::Games(error) => *error,
        error => return error.into(),
    };
    match label {
        LabelError::Player(error) => error.into(),
        LabelError::Opening(OpeningError::TooLong { plies, game, longest }) => Usage(format!(
            "--openings {plies}: random games of {game} are over before, the longest that was seen after {longest} \
             moves; allowed: fewer"
        ))
        .into(),
        error => error.into(),
    }
}

fn percent(estimate: &Estimate) -> String {
    if estimate.n == 0 {
        return "-".to_string();
    }
    let [low, high] = estimate.ci95;
    format!("{:.1} % [{:.1}, {:.1}]", 100.0 * estimate.mean, 100.0 * low, 100.0 * high)
}

fn points(estimate: &Estimate) -> String {
    let [low, high] = estimate.ci95;
    format!("{:.4} [{low:.4}, {high:.4}]", estimate.mean)
}

fn print_text<G: PlayedGame>(
    setup: &LabelSetup<G>,
    exam: &Exam<G>,
    grades: &[Graded],
) -> std::io::Result<()> {
    let mut out = stdout();
    let (plies, seed) = (setup.opening_plies, setup.seed);
    let (title, options) = title::<G>(&setup.rules);
    let usual = G::Rules::default();
    let unusual = options.into_iter().filter(|(key, value)| *value != usual.get(key));
    let options: String = unusual.map(|(key, value)| format!(", {key} {value}")).collect();
    let (all, risky) = exam.positions();
    let players = setup.players.join(" and ");
    writeln!(
        out,
        "{title}{options}, {} games of {players} after {plies} random moves, seed {seed}",
        setup.games
    )?;
    writeln!(
        out,
        "{all} positions, in {risky} of them some move gives value away; 95 % intervals over games\n"
    )?;
    writeln!(
        out,
        "{:<24} {:<24} {:<24} best move",
        "keeps the value", "of all positions", "points lost a move"
    )?;
    for grade in grades {
        let columns = [percent(&grade.kept), percent(&grade.kept_of_all), points(&grade.loss)];
        writeln!(out, "{:<24} {:<24} {:<24} {}", columns[0], columns[1], columns[2], percent(&grade.best))?;
        writeln!(out, "    {}", grade.player)?;
    }
    for grade in grades {
        writeln!(
            out,
            "\n{}\n{:<12} {:>9} {:>9}  {:<24} points lost a move",
            grade.player, "position", "n", "with risk", "keeps the value"
        )?;
        for row in &grade.rows {
            let what =
                row.distance.map_or(row.value.to_string(), |distance| format!("{} in {distance}", row.value));
            let columns = (percent(&row.kept), points(&row.loss));
            writeln!(
                out,
                "{what:<12} {:>9} {:>9}  {:<24} {}",
                row.positions, row.kept.n, columns.0, columns.1
            )?;
        }
    }
    Ok(())
}

fn print_json<G: PlayedGame>(
    setup: &LabelSetup<G>,
    exam: &Exam<G>,
    grades: &[Graded],
    threads: usize,
) -> std::io::Result<()> {
    let (all, risky) = exam.positions();
    print(&Grades {
        game: G::NAME.into(),
        options: options(&setup.rules),
        games_of: setup.players.clone(),
        games: setup.games,
        opening_plies: setup.opening_plies,
        seed: setup.seed,
        threads,
        positions: all,
        with_risk: risky,
        grades: grades.to_vec(),
    })
}
