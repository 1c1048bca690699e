//! `evalforge reproduce`: a published table played again, theirs beside ours.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use games::Rules;
use games::tetris::{Tetris, TetrisRules};
use measure::score::{Games, ScoreProgress, ScoreSetup, open_journal, run as play};
use play::Games as GameList;
use play::names::UnknownName;
use play::solve::{SolveError, solve};
use play::threads::on_threads;
use stats::{Mean, Summary, independent_ratio_ci95};
use train::reproduce::holds_1;
use train::reproduce::paper::PAPERS;
use train::reproduce::pushover_muller::Scale;
use train::reproduce::tetris_scores::{CONTESTS, Contest, Known, ratio};

use super::reproduce_paper::{self, Wish};
use super::{reproduce_avalam, reproduce_pushover, reproduce_splitting};
use crate::arguments::{Threads, whole_number};
use crate::commands::{Plain, Program};
use crate::failure::{Interrupted, Usage, unwritten};
use crate::outputs::{self, Reproduced, ScoresRow, ScoresTable};
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
/// The board that is solved.
const SMALLEST: &str = "5x5";

/// Play a published table again and print it beside the original
#[derive(Debug, Args)]
pub struct Reproduce {
    #[arg(help = tables())]
    table: String,
    /// Only what takes about a minute, with fewer games
    #[arg(long)]
    quick: bool,
    /// A paper: where its page, its figures and all that was played and learned for it go, to go on from there [default: runs/PAPER];
    /// tetris-scores, avalam-table: keep every game in this folder, and go on from what is in it; pushover-muller: write database and
    /// networks into it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A paper: only this part, as table-3 or figure-7; tetris-scores: only this board, as it is named in the table
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    /// tetris-scores: games of each player, the first of those of the table; pushover-muller: games of each cell [default: 1000, with
    /// --quick 200]
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
    let papers = PAPERS.iter().map(|paper| format!("{}: {}", paper.name, paper.title));
    let list: Vec<String> =
        papers.chain(TABLES.iter().map(|(name, what)| format!("{name}: {what}"))).collect();
    list.join("; ")
}

impl Plain for Reproduce {
    fn run<L: GameList>(self, program: &Program) -> anyhow::Result<()> {
        let Self { table, only, quick, games, seed, json, .. } = &self;
        let papers = || PAPERS.iter().map(|paper| paper.name);
        let tables = || TABLES.iter().map(|(name, _)| *name).chain(papers());
        if tables().all(|name| name != table) {
            return Err(UnknownName::new("paper or table", table, tables()).into());
        }
        let refused = |given: bool, option: &str, tables: &[&str]| match given
            && !tables.contains(&table.as_str())
        {
            true => {
                Err(Usage(format!("{option} is for {}; {table} has no such option", tables.join(" and "))))
            }
            false => Ok(()),
        };
        if let Some(paper) = PAPERS.iter().find(|paper| paper.name == table) {
            refused(games.is_some(), "--games", &[SCORES, PUSHOVER])?;
            refused(seed.is_some(), "--seed", &[PUSHOVER])?;
            let form = if *quick { "-quick" } else { "" };
            let folder = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/{table}{form}")));
            let (quick, threads, json) = (*quick, self.threads.count(), *json);
            let wish = Wish { paper, only: only.as_deref(), quick, folder, threads, json };
            return reproduce_paper::run::<L>(&wish, program);
        }
        refused(only.is_some(), "--only", &[SCORES])?;
        refused(games.is_some(), "--games", &[SCORES, PUSHOVER])?;
        refused(seed.is_some(), "--seed", &[PUSHOVER])?;
        let (quick, json, threads) = (*quick, *json, self.threads.count());
        let folder = self.out.as_deref();
        if table == reproduce_splitting::NAME && folder.is_some() {
            return Err(Usage(format!("--out: {table} writes no files")).into());
        }
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).map_err(|error| unwritten("--out", folder, &error))?;
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
            _ => tetris_scores(&Part { only: only.as_deref(), quick, games: *games }, threads, folder, json),
        }
    }
}

/// What of the table of scores is wanted.
struct Part<'a> {
    only: Option<&'a str>,
    quick: bool,
    games: Option<usize>,
}

impl Part<'_> {
    fn has(&self, board: &str) -> bool {
        self.only.is_none_or(|only| only == board)
    }

    /// What a contest is played by; `None` if it is left out.
    fn setup(&self, contest: &Contest) -> Option<ScoreSetup<Tetris>> {
        let mut setup = contest.setup(self.quick).filter(|_| self.has(&contest.name))?;
        setup.games = self.games.map_or(setup.games, |games| games.min(setup.games));
        Some(setup)
    }

    /// The options that say the same.
    fn options(&self) -> String {
        let only = self.only.map_or(String::new(), |only| format!(" --only {only}"));
        let games = self.games.map_or(String::new(), |games| format!(" --games {games}"));
        format!("{only}{}{games}", if self.quick { " --quick" } else { "" })
    }
}

fn tetris_scores(part: &Part, threads: usize, folder: Option<&Path>, as_json: bool) -> anyhow::Result<()> {
    let boards = || CONTESTS.iter().map(|contest| contest.name.as_str()).chain([SMALLEST]);
    if let Some(only) = part.only.filter(|only| boards().all(|board| board != *only)) {
        return Err(UnknownName::new("board", only, boards()).into());
    }
    if let Some(only) =
        part.only.filter(|only| *only != SMALLEST && CONTESTS.iter().all(|one| part.setup(one).is_none()))
    {
        return Err(
            Usage(format!("--only {only}: --quick leaves this board out; --games N makes it short")).into()
        );
    }
    let quick = part.quick;
    if !as_json {
        writeln!(
            stdout(),
            "| board | player | mean lines | 95 % | n | known | ours / known | 95 % | agrees |\n\
             |---|---|---|---|---|---|---|---|---|"
        )?;
    }
    let mut rows = Vec::new();
    for contest in CONTESTS.iter() {
        let Some(setup) = part.setup(contest) else { continue };
        let games = measure(&contest.name, &setup, threads, folder)?;
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
        && part.has(SMALLEST)
        && let Some(row) = smallest_board(part, threads)?
    {
        if !as_json {
            writeln!(stdout(), "{}", markdown(&row))?;
        }
        rows.push(row);
    }
    if as_json {
        outputs::print(&Reproduced::Scores(ScoresTable { table: SCORES.into(), quick, threads, rows }))?;
    }
    if interrupted() {
        let keep = folder.map_or("; with --out DIR nothing is lost".to_string(), |folder| {
            format!("; to go on: evalforge reproduce {SCORES}{} --out {}", part.options(), folder.display())
        });
        return Err(Interrupted(keep).into());
    }
    Ok(())
}

/// The best play on 5x5, solved and then played; `None` if interrupted.
fn smallest_board(part: &Part, threads: usize) -> anyhow::Result<Option<ScoresRow>> {
    let rules =
        TetrisRules::from_pairs([("width", "5"), ("height", "5")]).expect("the rules are written here");
    let status = Status::new();
    let watch = |share: f64| {
        status.show(&format!("{SMALLEST}: {:.0} %", 100.0 * share));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let games = if part.quick { 20_000 } else { 200_000 };
    let games = part.games.map_or(games, |given| given.min(games));
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
    let exact = independent_ratio_ci95((mean.mean, mean.ci95), (value, [value, value]));
    Ok(Some(ScoresRow {
        board: SMALLEST.into(),
        player: "optimal".into(),
        mean: mean.mean,
        ci95: mean.ci95,
        n: mean.n,
        known: format!("{value:.4} exactly, by 'evalforge solve'; about 13.8 in the literature"),
        ratio: mean.mean / value,
        ratio_ci95: exact,
        agrees: holds_1(exact),
        broken_off: 0,
    }))
}

/// Plays a contest.
fn measure(
    name: &str,
    setup: &ScoreSetup<Tetris>,
    threads: usize,
    folder: Option<&Path>,
) -> anyhow::Result<Games> {
    let (mut games, mut journal) = match folder {
        Some(folder) => {
            let (journal, games) = open_journal(&folder.join(format!("{name}.jsonl")), setup)?;
            (games, Some(journal))
        }
        None => (Games::new(setup.players.len(), setup.games), None),
    };
    let status = Status::new();
    let all = setup.games * setup.players.len();
    let mut watch = |live: &ScoreProgress| {
        let over: usize = live.players.iter().map(|(over, _)| over).sum();
        let speed = short(live.decisions as f64 / live.elapsed.as_secs_f64());
        status.show(&format!("{name}: {over}/{all} games, {speed} decisions/s"));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(setup, threads, &mut games, journal.as_mut(), &mut watch)?;
    status.clear();
    Ok(games)
}

fn table_rows(contest: &Contest, games: &Games) -> Vec<ScoresRow> {
    let row = |(player, known): (usize, &Known)| {
        let summary = Summary::of(&games.scores(player));
        let (ratio, ratio_ci95) = ratio(known, &summary);
        ScoresRow {
            board: contest.name.clone(),
            player: known.player.clone(),
            mean: summary.mean,
            ci95: summary.exponential_ci95,
            n: summary.n,
            known: known.source.clone(),
            ratio,
            ratio_ci95,
            agrees: summary.n > 0 && holds_1(ratio_ci95),
            broken_off: games.broken_off(player).count(),
        }
    };
    contest.players.iter().enumerate().map(row).collect()
}

fn markdown(row: &ScoresRow) -> String {
    let number = |number: f64| match number {
        _ if !number.is_finite() => "-".to_string(),
        _ if number < 100.0 => format!("{number:.2}"),
        _ => format!("{number:.0}"),
    };
    let interval = |[low, high]: [f64; 2]| format!("[{}, {}]", number(low), number(high));
    let ScoresRow { board, player, mean, ci95, n, known, ratio, ratio_ci95, agrees, .. } = row;
    let agrees = if *agrees { "yes" } else { "no" };
    let ratio = format!("{} | {}", number(*ratio), interval(*ratio_ci95));
    format!(
        "| {board} | {player} | {} | {} | {n} | {known} | {ratio} | {agrees} |",
        number(*mean),
        interval(*ci95)
    )
}
