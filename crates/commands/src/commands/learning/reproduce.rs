//! `evalforge reproduce`: a published table played again, theirs beside ours.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use games::Rules;
use games::tetris::TetrisRules;
use measure::score::{Games, Live, open_journal, run as play};
use play::Games as GameList;
use play::names::UnknownName;
use play::solve::{SolveError, solve};
use play::threads::on_threads;
use serde_json::{Value, json};
use stats::{Mean, Summary};
use train::reproduce::pushover_muller::Scale;
use train::reproduce::tetris_scores::{CONTESTS, Contest, Known, agrees};

use super::{reproduce_avalam, reproduce_pushover, reproduce_splitting};
use crate::arguments::{Threads, whole_number};
use crate::commands::{Plain, Program};
use crate::failure::{Interrupted, Usage};
use crate::schemas::with_schema;
use crate::terminal::{Status, interrupted, short};

/// The tables there are.
const TABLES: &[(&str, &str)] = &[
    (SCORES, "scores of the controllers of the papers"),
    (reproduce_splitting::NAME, "scores by splitting beside plain games and the papers"),
    (reproduce_avalam::NAME, "agents of Avalam against each other (Branly & Guichard 2022, table 4.1)"),
    (PUSHOVER, "a network learns Push-over from an expert and beats it (Müller 1992)"),
];
const SCORES: &str = "tetris-scores";
const PUSHOVER: &str = "pushover-muller";

/// Play a published table again and print it beside the original
#[derive(Debug, Args)]
pub struct Reproduce {
    #[arg(help = tables())]
    table: String,
    /// Only what takes about a minute, with fewer games
    #[arg(long)]
    quick: bool,
    /// tetris-scores, avalam-table: keep every game in this folder, and go on from what is in it; pushover-muller: write database and
    /// networks into it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// pushover-muller: games of each cell [default: 1000, with --quick 200]
    #[arg(long, value_name = "N", value_parser = whole_number(2..=1_000_000usize))]
    games: Option<usize>,
    /// pushover-muller: the seed of everything [default: 1992]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX >> 1))]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn tables() -> String {
    let list: Vec<String> = TABLES.iter().map(|(name, what)| format!("{name}: {what}")).collect();
    list.join("; ")
}

impl Plain for Reproduce {
    fn run<L: GameList>(self, _: &Program) -> anyhow::Result<()> {
        let Self { table, quick, games, seed, json, .. } = &self;
        if !TABLES.iter().any(|(name, _)| name == table) {
            return Err(UnknownName::new("table", table, TABLES.iter().map(|(name, _)| *name)).into());
        }
        if table != PUSHOVER && (games.is_some() || seed.is_some()) {
            let given = if games.is_some() { "--games" } else { "--seed" };
            let reason = format!("{given} is for {PUSHOVER}; the games of {table} are always the same");
            return Err(Usage(reason).into());
        }
        let (quick, json, threads) = (*quick, *json, self.threads.count());
        let folder = self.out.as_deref();
        if table == reproduce_splitting::NAME && folder.is_some() {
            return Err(Usage(format!("--out: {table} writes no files")).into());
        }
        if let Some(folder) = folder {
            let refused = |error| Usage(format!("--out {}: {error}", folder.display()));
            std::fs::create_dir_all(folder).map_err(refused)?;
        }
        match table.as_str() {
            reproduce_splitting::NAME => reproduce_splitting::run(quick, threads, json),
            reproduce_avalam::NAME => reproduce_avalam::run(quick, threads, folder, json),
            PUSHOVER => {
                let mut scale = Scale::new(quick);
                scale.seed = seed.unwrap_or(scale.seed);
                scale.games = games.unwrap_or(scale.games);
                scale.spread_games = scale.spread_games.min(scale.games);
                reproduce_pushover::run(&scale, quick, threads, folder, json)
            }
            _ => tetris_scores(quick, threads, folder, json),
        }
    }
}

fn tetris_scores(quick: bool, threads: usize, folder: Option<&Path>, as_json: bool) -> anyhow::Result<()> {
    if !as_json {
        writeln!(
            stdout(),
            "| board | player | mean lines | 95 % | n | known | agrees |\n|---|---|---|---|---|---|---|"
        )?;
    }
    let mut rows = Vec::new();
    for contest in CONTESTS.iter() {
        let Some(games) = measure(contest, quick, threads, folder)? else { continue };
        for row in table_rows(contest, &games) {
            if !as_json {
                writeln!(stdout(), "{}", markdown(&row))?;
            }
            rows.push(row);
        }
        if interrupted() {
            break;
        }
    }
    if !interrupted()
        && let Some(row) = smallest_board(quick, threads)?
    {
        if !as_json {
            writeln!(stdout(), "{}", markdown(&row))?;
        }
        rows.push(row);
    }
    if as_json {
        writeln!(
            stdout(),
            "{:#}",
            with_schema(
                "reproduce",
                json!({ "table": SCORES, "quick": quick, "threads": threads, "rows": rows })
            )
        )?;
    }
    if interrupted() {
        let keep = folder.map_or("; with --out DIR nothing is lost".to_string(), |folder| {
            format!("; to go on: evalforge reproduce {SCORES} --out {}", folder.display())
        });
        return Err(Interrupted(keep).into());
    }
    Ok(())
}

/// The best play on 5x5, solved and then played; `None` if interrupted.
fn smallest_board(quick: bool, threads: usize) -> anyhow::Result<Option<Value>> {
    let rules =
        TetrisRules::from_pairs([("width", "5"), ("height", "5")]).expect("the rules are written here");
    let status = Status::new();
    let watch = |share: f64| {
        status.show(&format!("5x5: {:.0} %", 100.0 * share));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let games = if quick { 20_000 } else { 200_000 };
    let played = on_threads(threads, || match solve(&rules, 1e-6, &watch) {
        Ok(solution) => Ok((
            solution.value,
            Arc::new(solution.player).simulate(games, 2026, &watch).map(|lines| Mean::of(&lines)),
        )),
        Err(SolveError::Stopped) => Ok((f64::NAN, None)),
        Err(error) => Err(error),
    })??;
    status.clear();
    let (value, Some(mean)) = played else { return Ok(None) };
    Ok(Some(json!({
        "board": "5x5", "player": "optimal", "mean": mean.mean, "ci95": mean.ci95, "n": mean.n,
        "known": format!("{value:.4} exactly, by 'evalforge solve'; about 13.8 in the literature"),
        // The bar that the literature's one digit allows.
        "agrees": (value - 13.8).abs() < 0.1 && mean.ci95[0] - 0.1 < value && value < mean.ci95[1] + 0.1,
        "broken_off": 0,
    })))
}

/// Plays a contest; `None` if the quick table leaves it out.
fn measure(
    contest: &Contest,
    quick: bool,
    threads: usize,
    folder: Option<&Path>,
) -> anyhow::Result<Option<Games>> {
    let Some(setup) = contest.setup(quick) else { return Ok(None) };
    let (mut games, mut journal) = match folder {
        Some(folder) => {
            let (journal, games) = open_journal(&folder.join(format!("{}.jsonl", contest.name)), &setup)?;
            (games, Some(journal))
        }
        None => (Games::new(setup.players.len(), setup.games), None),
    };
    let status = Status::new();
    let all = setup.games * setup.players.len();
    let mut watch = |live: &Live| {
        let over: usize = live.players.iter().map(|(over, _)| over).sum();
        let speed = short(live.decisions as f64 / live.elapsed.as_secs_f64());
        status.show(&format!("{}: {over}/{all} games, {speed} decisions/s", contest.name));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(&setup, threads, &mut games, journal.as_mut(), &mut watch)?;
    status.clear();
    Ok(Some(games))
}

fn table_rows(contest: &Contest, games: &Games) -> Vec<Value> {
    let row = |(player, known): (usize, &Known)| {
        let summary = Summary::of(&games.scores(player));
        json!({
            "board": contest.name, "player": known.player, "mean": summary.mean, "ci95": summary.exponential_ci95,
            "n": summary.n, "known": known.source, "agrees": summary.n > 0 && agrees(known, &summary),
            "broken_off": games.broken_off(player).count(),
        })
    };
    contest.players.iter().enumerate().map(row).collect()
}

fn markdown(row: &Value) -> String {
    let number = |value: &Value| match value.as_f64() {
        Some(number) if number < 100.0 => format!("{number:.2}"),
        Some(number) => format!("{number:.0}"),
        None => "-".to_string(),
    };
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
    let agrees = if row["agrees"] == true { "yes" } else { "no" };
    let interval = format!("[{}, {}]", number(&row["ci95"][0]), number(&row["ci95"][1]));
    let (board, player, mean, n, known) =
        (text("board"), text("player"), number(&row["mean"]), &row["n"], text("known"));
    format!("| {board} | {player} | {mean} | {interval} | {n} | {known} | {agrees} |")
}
