//! `evalforge reproduce avalam-table`: the agents of a report on Avalam against each other, theirs beside ours.

use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::Path;

use games::avalam::Avalam;
use games::rules::Fixed;
use measure::arena::{DuelProgress, Results, open_journal, run as play};
use play::numbers::rough_duration as duration;
use play::players::player;
use train::reproduce::avalam_table::{PUBLISHED, Row, Table, rows, won};

use crate::failure::Interrupted;
use crate::outputs::{self, AgentWon, AgentsRow, AgentsTable, Reproduced};
use crate::terminal::{Status, interrupted};

/// The name of the table.
pub const NAME: &str = "avalam-table";

pub fn run(quick: bool, threads: usize, folder: Option<&Path>, as_json: bool) -> anyhow::Result<()> {
    let table = Table::new(quick);
    let setup = &table.setup;
    let (mut results, mut journal) = match folder {
        Some(folder) => {
            let (journal, results) = open_journal(&Table::journal(folder), setup)?;
            (results, Some(journal))
        }
        None => (Results::new(setup), None),
    };
    let status = Status::new();
    let maker = |number: usize| player::<Avalam>(&Fixed, &setup.players[number]);
    let mut watch = |live: &DuelProgress, results: &Results| {
        status.show(&progress(live, results));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    play(setup, &maker, threads, &mut results, journal.as_mut(), &mut watch)?;
    status.clear();
    let rows = rows(&results);
    if as_json {
        let won = PUBLISHED.agents.iter().zip(won(&rows));
        outputs::print(&Reproduced::Agents(AgentsTable {
            table: NAME.into(),
            quick,
            threads,
            function: table.function.clone(),
            credit: table.game_time,
            players: setup.players.clone(),
            games: 2 * results.counted().len(),
            complete: results.complete(),
            rows: rows.iter().map(json_row).collect(),
            won: won.map(|(agent, won)| AgentWon { agent: agent.to_string(), won }).collect(),
        }))?;
    } else {
        writeln!(stdout(), "{}", markdown(&table, &rows))?;
    }
    if !results.complete() {
        let keep = folder.map_or("; with --out DIR nothing is lost".to_string(), |folder| {
            let quick = if quick { " --quick" } else { "" };
            format!("; to go on: evalforge reproduce {NAME}{quick} --out {}", folder.display())
        });
        return Err(Interrupted(keep).into());
    }
    Ok(())
}

fn progress(live: &DuelProgress, results: &Results) -> String {
    let (counted, wanted) = (results.counted().len(), results.wanted());
    let mut text = format!("{}/{} games", 2 * counted, 2 * wanted);
    if live.pairs > 0 {
        let left = results.missing().len() as f64 * live.elapsed.as_secs_f64() / live.pairs as f64;
        text.push_str(&format!(", about {} to go", duration(left)));
    }
    text
}

fn json_row(row: &Row) -> AgentsRow {
    AgentsRow {
        better: PUBLISHED.agents[row.better].to_string(),
        worse: PUBLISHED.agents[row.worse].to_string(),
        published: row.published,
        games: row.games,
        elo: row.elo,
        margin: row.margin,
        seconds_per_move: row.seconds_per_move,
        forfeits: row.forfeits,
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn interval([low, high]: [f64; 2], text: impl Fn(f64) -> String) -> String {
    format!("[{}, {}]", text(low), text(high))
}

/// What the games say about a line of the report: the better agent there is better here, or worse, or it is open.
fn verdict(row: &Row) -> &'static str {
    match row.elo.score_ci95 {
        [low, _] if low > 0.5 => "yes",
        [_, high] if high < 0.5 => "no",
        _ => "open",
    }
}

fn markdown(table: &Table, rows: &[Row]) -> String {
    let mut out = format!(
        "Avalam, {} pairs of games in each meeting after {}, seed {}; {} s a game for MCTS, SL and Links; function of BM, \
         SL and Links: `{}`.\n\n",
        table.setup.pairs,
        table.setup.openings.label(),
        table.setup.seed,
        table.game_time,
        table.function
    );
    out.push_str(
        "| better in the report | than | theirs as player 1, -1 | won, drawn, lost | points % | 95 % | towers ahead | 95 % | \
         ms a move | better here |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let [one, two] = row.published;
        let [won, drawn, lost] = row.games;
        let margin = |value: f64| format!("{value:+.1}");
        let [a, b] = row.seconds_per_move.map(|seconds| format!("{:.2}", 1e3 * seconds));
        out.push_str(&format!(
            "| {} | {} | {one:+}, {two:+} | {won}, {drawn}, {lost} | {} | {} | {} | {} | {a}, {b} | {} |\n",
            PUBLISHED.agents[row.better],
            PUBLISHED.agents[row.worse],
            percent(row.elo.score),
            interval(row.elo.score_ci95, percent),
            margin(row.margin.mean),
            interval(row.margin.ci95, margin),
            verdict(row),
        ));
    }
    out.push_str("\n| agent | games won there % | here % | 95 % | n |\n|---|---|---|---|---|\n");
    for ((name, there), share) in PUBLISHED.agents.iter().zip(PUBLISHED.won).zip(won(rows)) {
        let (here, ci95) = (percent(share.share), interval(share.ci95, percent));
        out.push_str(&format!("| {name} | {there:.0} | {here} | {ci95} | {} |\n", share.n));
    }
    let forfeits: u64 = rows.iter().map(|row| row.forfeits).sum();
    if forfeits > 0 {
        out.push_str(&format!("\n{forfeits} games were lost by breaking a rule.\n"));
    }
    out.trim_end().to_string()
}
