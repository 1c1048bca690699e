//! Parts of papers that are neither games of players nor runs of experiments: each a program by its name.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use games::avalam::Avalam;
use games::perft;
use games::rules::Fixed;
use games::{Dice, Game as _};
use measure::arena::{DuelProgress, Results, open_journal, run as duel};
use play::players::player;
use play::threads::on_threads;
use stats::{Mean, Share};

use super::avalam_table::{self, Table};
use super::cell::{Cell, Ours, Theirs, Verdict};
use super::pushover_muller::{self, PAPER, PLAYERS, Played, Scale, Stage};

/// What came of a program.
#[derive(Default)]
pub struct Made {
    /// Its cells.
    pub cells: Vec<Cell>,
    /// What is drawn.
    pub charts: Vec<Lines>,
}

/// What a line is, and its points.
pub type NamedLine = (String, Vec<(f64, f64)>);

/// Lines to be drawn.
pub struct Lines {
    /// The name of the figure.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What is counted to the right and upwards.
    pub labels: [String; 2],
    /// Whether it goes upwards by logarithms.
    pub log: bool,
    /// The lines.
    pub lines: Vec<NamedLine>,
}

/// How a program is run.
pub struct Setting<'a> {
    /// Whether it is the quick form.
    pub quick: bool,
    /// Threads.
    pub threads: usize,
    /// Where it may keep what it has played.
    pub folder: &'a Path,
    /// Told how far it is; may break off.
    pub watch: &'a (dyn Fn(&str) -> ControlFlow<()> + Sync),
}

/// `None` if it was broken off.
pub type Outcome = Result<Option<Made>, Box<dyn Error + Send + Sync>>;

/// A program.
pub type Program = fn(&Setting) -> Outcome;

/// The one list of programs.
pub const PROGRAMS: &[(&str, Program)] = &[
    ("muller", muller),
    ("avalam-agents", avalam_agents),
    ("avalam-boards", avalam_boards),
    ("avalam-moves", avalam_moves),
];

/// Müller 1992: all of its tables, which have the database and the networks in common.
fn muller(setting: &Setting) -> Outcome {
    let scale = Scale::new(setting.quick);
    let watch = |stage: Stage, done: usize, all: usize| {
        let what = match stage {
            Stage::Database => "games of the expert",
            Stage::Training => "networks",
            Stage::Tables => "games of the tables",
        };
        (setting.watch)(&format!("{done}/{all} {what}"))
    };
    let Some(made) = on_threads(setting.threads, || pushover_muller::run(&scale, &watch))? else {
        return Ok(None);
    };
    let theirs = PAPER.database;
    let database = &made.database;
    let drawn = Share::of(database.drawn, database.games);
    let mut cells = vec![
        Cell::share(
            "database: share of games drawn",
            Some((theirs.drawn as f64 / theirs.games as f64, theirs.games, "0.034: 103 of 3,000")),
            &drawn,
            "games",
            "the paper does not say how the two sides of the expert's value are combined",
        ),
        Cell::share(
            "database: share of the others won by o",
            Some((theirs.won_by_o / 100.0, theirs.games - theirs.drawn, "0.644 of 2,897")),
            &database.won_by_o,
            "games",
            "",
        ),
    ];
    cells.extend(made.tables.iter().flat_map(muller_table));
    Ok(Some(Made { cells, charts: Vec::new() }))
}

fn muller_table(played: &Played) -> Vec<Cell> {
    let published = played.published;
    let name = |index: usize| match PLAYERS[index].split_at(1) {
        ("r", depth) if published.helped => format!("r*{depth}"),
        _ => PLAYERS[index].to_string(),
    };
    let cell = |(row, column): (usize, usize)| {
        let what = format!("table {}, {} as o against {}", published.name, name(row), name(column));
        let share = played.cells[row][column].tally.share();
        match published.shares {
            Some(shares) => {
                let percent = shares[row][column];
                let source = format!("{:.3} of 1,000 games", percent / 100.0);
                let why = match (row < 2 || column < 2, published.helped) {
                    (true, _) => "another training gives another network, and other shares",
                    (false, _) => "the paper does not say how the expert's value is combined",
                };
                Cell::share(&what, Some((percent / 100.0, PAPER.games, &source)), &share, "games", why)
            }
            None => {
                Cell::share(&what, None, &share, "games", "").because("the paper says only that it is worse")
            }
        }
    };
    (0..16).map(|i| cell((i / 4, i % 4))).collect()
}

/// Branly & Guichard 2022, table 4.1: who is better than whom.
fn avalam_agents(setting: &Setting) -> Outcome {
    let table = Table::new(setting.quick);
    let setup = &table.setup;
    let (mut journal, mut results) = open_journal(&Table::journal(setting.folder), setup)?;
    let maker = |number: usize| player::<Avalam>(&Fixed, &setup.players[number]);
    let mut watch = |_: &DuelProgress, results: &Results| {
        (setting.watch)(&format!("{}/{} games", 2 * results.counted().len(), 2 * results.wanted()))
    };
    duel(setup, &maker, setting.threads, &mut results, Some(&mut journal), &mut watch)?;
    if !results.complete() {
        return Ok(None);
    }
    let rows = avalam_table::rows(&results);
    let agents = &avalam_table::PUBLISHED.agents;
    let mut cells: Vec<Cell> = rows
        .iter()
        .map(|row| {
            let [one, two] = row.published;
            let games = row.games.iter().sum::<u64>() as usize;
            let ours = Ours {
                value: row.elo.score,
                ci95: Some(row.elo.score_ci95),
                n: games,
                counted: "games".into(),
            };
            let (verdict, why) = match row.elo.score_ci95 {
                [low, _] if low > 0.5 => (Verdict::Agrees, ""),
                [_, high] if high < 0.5 => (Verdict::Differs, "the better one there is the worse here"),
                _ => (Verdict::NotComparable, "open: the interval of the points holds a half"),
            };
            Cell {
                what: format!("{} against {}, share of the points", agents[row.better], agents[row.worse]),
                theirs: Some(Theirs {
                    range: [0.5, 1.0],
                    source: format!("won both games, {one:+} and {two:+}"),
                }),
                ours: Some(ours),
                ratio: None,
                verdict,
                why: why.into(),
            }
        })
        .collect();
    let won = agents.iter().zip(avalam_table::PUBLISHED.won).zip(avalam_table::won(&rows));
    cells.extend(won.map(|((name, there), share)| {
        let source = format!("{:.2} of 8 games", there / 100.0);
        let theirs = Some((there / 100.0, 8, source.as_str()));
        Cell::share(&format!("{name}, share of games won"), theirs, &share, "games", "")
    }));
    Ok(Some(Made { cells, charts: Vec::new() }))
}

/// Branly & Guichard 2022, table 0.1: states of the tree, and how long they take.
fn avalam_boards(setting: &Setting) -> Outcome {
    let start = Avalam::start(&Fixed);
    let mut cells = Vec::new();
    let published =
        [(2, 81_388.0, "81,388", [1.414, 0.503]), (3, 21_711_440.0, "21,711,440", [374.645, 127.296])];
    for (depth, states, text, seconds) in published {
        if (setting.watch)(&format!("depth {depth}")).is_break() {
            return Ok(None);
        }
        let begun = std::time::Instant::now();
        let found = perft(&start, depth) as f64;
        let took = begun.elapsed().as_secs_f64();
        let exact = |value: f64, counted: &str| Ours {
            value,
            ci95: Some([value, value]),
            n: 1,
            counted: counted.into(),
        };
        let theirs = Theirs { range: [states, states], source: text.into() };
        let why = "a misprint: the count at depth 3 is right, and a naive twin finds ours";
        cells.push(Cell::mean(&format!("depth {depth}, states"), Some(&theirs), exact(found, "count"), why));
        for (board, there) in ["Board", "ImprovedBoard"].into_iter().zip(seconds) {
            let theirs = Theirs { range: [there, there], source: format!("{there} s with {board}") };
            let cell = Cell::mean(&format!("depth {depth}, seconds"), Some(&theirs), exact(took, "run"), "");
            let times = there / took;
            cells.push(cell.because(&format!("Python on another machine: ours takes 1/{times:.0} of the time, the last move counted in bulk")));
        }
    }
    Ok(Some(Made { cells, charts: Vec::new() }))
}

/// Branly & Guichard 2022, figure G.1: how many moves there are at each step.
fn avalam_moves(setting: &Setting) -> Outcome {
    let games = if setting.quick { 200 } else { 5_000 };
    let start = Avalam::start(&Fixed);
    let mut counts: Vec<Vec<f64>> = Vec::new();
    let mut moves = Vec::new();
    for number in 0..games {
        let mut position = start;
        let mut lots = Dice::seeded(&[2022, number]);
        let mut step = 0;
        loop {
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            if counts.len() <= step {
                counts.push(Vec::new());
            }
            counts[step].push(moves.len() as f64);
            position.play_unchecked(lots.pick(&moves));
            step += 1;
        }
        if number % 64 == 0 && (setting.watch)(&format!("{number}/{games} games")).is_break() {
            return Ok(None);
        }
    }
    let means: Vec<Mean> = counts.iter().map(|all| Mean::of(all)).collect();
    let cells = [0, 4, 9, 14, 19, 24, 29].into_iter().filter_map(|step| {
        let mean = means.get(step)?;
        let ci95 = Some(if mean.sd > 0.0 { mean.ci95 } else { [mean.mean; 2] });
        let ours = Ours { value: mean.mean, ci95, n: mean.n, counted: "games".into() };
        Some(Cell::mean(&format!("step {}, moves", step + 1), None, ours, "the report shows a figure only"))
    });
    let line = |name: &str, value: fn(&Mean) -> f64| {
        let points = means.iter().enumerate().map(|(step, mean)| ((step + 1) as f64, value(mean))).collect();
        (name.to_string(), points)
    };
    let chart = Lines {
        name: "figure-g1".into(),
        title: "Figure G.1: moves at each step, random games".into(),
        labels: ["step".into(), "moves".into()],
        log: false,
        lines: vec![
            line("mean", |mean| mean.mean),
            line("one deviation more", |mean| mean.mean + mean.sd),
            line("one deviation less", |mean| (mean.mean - mean.sd).max(0.0)),
        ],
    };
    Ok(Some(Made { cells: cells.collect(), charts: vec![chart] }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str) -> Made {
        let folder = std::env::temp_dir().join(format!("evalforge-program-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let watch = |_: &str| ControlFlow::Continue(());
        let setting = Setting { quick: true, threads: 2, folder: &folder, watch: &watch };
        let (_, program) = PROGRAMS.iter().find(|(program, _)| *program == name).unwrap();
        let made = program(&setting).unwrap().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        made
    }

    #[test]
    fn states_of_avalam_are_those_of_the_report_but_for_its_misprint() {
        let cells = run("avalam-boards").cells;
        let verdict = |what: &str| cells.iter().find(|cell| cell.what == what).unwrap().verdict;
        assert_eq!(verdict("depth 2, states"), Verdict::Differs);
        assert_eq!(verdict("depth 3, states"), Verdict::Agrees);
        assert_eq!(verdict("depth 3, seconds"), Verdict::NotComparable);
    }

    #[test]
    fn moves_of_avalam_get_fewer() {
        let Made { cells, charts } = run("avalam-moves");
        assert_eq!(cells[0].ours.as_ref().unwrap().value, 292.0);
        let (_, mean) = &charts[0].lines[0];
        assert!(mean.len() > 30 && mean.windows(2).all(|pair| pair[1].1 < pair[0].1 + 2.0), "{mean:?}");
    }

    #[test]
    fn what_is_broken_off_has_no_outcome() {
        let folder = std::env::temp_dir();
        let watch = |_: &str| ControlFlow::Break(());
        let setting = Setting { quick: true, threads: 1, folder: &folder, watch: &watch };
        for (name, program) in PROGRAMS.iter().filter(|(name, _)| *name != "avalam-agents") {
            assert!(program(&setting).unwrap().is_none(), "{name}");
        }
    }
}
