//! `evalforge reproduce pushover-muller`: the pupil that beats its master, theirs beside ours.

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use play::files::new_file;
use play::numbers::rough_duration as duration;
use play::threads::on_threads;
use stats::{Share, Z95};
use train::reproduce::pushover_muller::{
    Cell, Experiment, PAPER, PLAYERS, Played, Sample, Scale, Stage, model_file, run as experiment,
};

use crate::failure::{Interrupted, unwritten};
use crate::outputs::{self, PupilCell, PupilClaim, PupilDatabase, PupilTable, PupilTables, Reproduced};
use crate::terminal::{Status, interrupted};

/// Plays it all and prints it; with a folder, the database and the first networks are kept there.
pub fn run(
    scale: &Scale,
    quick: bool,
    threads: usize,
    folder: Option<&Path>,
    as_json: bool,
) -> anyhow::Result<()> {
    let begun = Instant::now();
    let status = Mutex::new((Status::new(), None::<(Stage, Instant)>));
    let watch = |stage: Stage, done: usize, all: usize| {
        let mut shown = status.lock().expect("nobody panics here");
        let since = match shown.1 {
            Some((before, since)) if before == stage => since,
            _ => {
                shown.1 = Some((stage, Instant::now()));
                Instant::now()
            }
        };
        let what = match stage {
            Stage::Database => "games of the expert",
            Stage::Training => "networks",
            Stage::Tables => "games of the tables",
        };
        let left = since.elapsed().as_secs_f64() / done as f64 * (all - done) as f64;
        shown.0.show(&format!("{done}/{all} {what}, about {} to go", duration(left)));
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let made = on_threads(threads, || experiment(scale, &watch))?;
    status.lock().expect("nobody panics here").0.clear();
    let Some(made) = made else {
        return Err(Interrupted("; nothing is kept of this table".into()).into());
    };
    if let Some(folder) = folder {
        keep(folder, &made)?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    match as_json {
        true => outputs::print(&as_output(&made, scale, quick, threads, seconds))?,
        false => {
            write!(stdout(), "{}", text(&made, scale))?;
            writeln!(stdout(), "\n{} on {threads} threads, seed {}", duration(seconds), scale.seed)?;
        }
    }
    Ok(())
}

fn keep(folder: &Path, made: &Experiment) -> anyhow::Result<()> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        new_file::write(&path, text.as_bytes()).map_err(|error| unwritten("--out", &path, &error))
    };
    write("database.txt", &made.database.text)?;
    for (sample, name) in
        Sample::ALL.iter().zip(["r", "r-balanced", "r-won-by-o", "r-won-by-plus", "r-features"])
    {
        write(&format!("{name}.json"), &model_file(&made.trained[sample][0]).text())?;
    }
    Ok(())
}

/// The published figure with the interval that its games allow.
fn published(percent: f64) -> Share {
    Share::of((percent / 100.0 * PAPER.games as f64).round() as usize, PAPER.games)
}

/// Whether the interval of the difference does not hold 0 (Newcombe 1998, method 10). Shares may differ although their intervals touch.
fn apart(a: &Share, b: &Share) -> bool {
    let (low, high) = if a.share < b.share { (a, b) } else { (b, a) };
    let half = (math::powi(low.ci95[1] - low.share, 2) + math::powi(high.share - high.ci95[0], 2)).sqrt();
    high.share - low.share > half
}

/// Least, median and greatest.
fn spread(cell: &Cell) -> Option<[f64; 3]> {
    let mut sorted = cell.trainings.clone();
    sorted.sort_by(f64::total_cmp);
    let (first, last) = (sorted.first()?, sorted.last()?);
    let middle = (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0;
    Some([*first, middle, *last])
}

fn percents(share: &Share) -> String {
    let [low, high] = share.ci95.map(|share| 100.0 * share);
    format!("{:.1} [{low:.1}, {high:.1}]", 100.0 * share.share)
}

fn names(played: &Played) -> [String; 4] {
    PLAYERS.map(|name| match (name.split_at(1), played.published.helped) {
        (("r", depth), true) => format!("r*{depth}"),
        _ => name.to_string(),
    })
}

fn text(made: &Experiment, scale: &Scale) -> String {
    let mut out = String::new();
    let database = &made.database;
    let theirs = PAPER.database;
    let (games, drawn, won, positions) = (theirs.games, theirs.drawn, theirs.won_by_o, theirs.positions);
    let _ = writeln!(
        out,
        "database: {} games of the expert, two moves ahead, after 6 random moves (paper {games}): {} drawn (paper {drawn}); \
         o won {} % of the others (paper {won}); {} positions, {:.1} a game (paper {positions}, {:.1})",
        database.games,
        database.drawn,
        percents(&database.won_by_o),
        database.lines.len(),
        database.lines.len() as f64 / database.games as f64,
        positions as f64 / games as f64,
    );
    let natural = &made.trained[&Sample::Natural];
    let right: Vec<f64> = natural.iter().map(|one| 100.0 * one.right).collect();
    let (least, most) = right.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
    let _ = writeln!(
        out,
        "networks: {} of 16-16-1 for each kind of database, {} positions with |e| > 0.5 each, BFGS, {} iterations; {least:.1} to \
         {most:.1} % of the positions of 4.1 and 4.2 are told right",
        natural.len(),
        natural[0].positions,
        scale.iterations
    );
    let _ = writeln!(
        out,
        "each cell: share of games that o wins, ours with its 95 % interval (n = {}), the paper's (n = {}), * where the \
         two intervals do not meet; {{least, median, greatest}} of {} trainings, the others with n = {} each",
        scale.games, PAPER.games, scale.trainings, scale.spread_games
    );
    for played in &made.tables {
        table(&mut out, played);
    }
    out.push_str(&claim(made));
    out
}

fn table(out: &mut String, played: &Played) {
    let names = names(played);
    let _ = writeln!(out, "\ntable {}: {}", played.published.name, played.published.about);
    let _ = writeln!(out, "| o \\ + | {} |\n|---|---|---|---|---|", names.join(" | "));
    for (row, cells) in played.cells.iter().enumerate() {
        let cell = |(column, cell): (usize, &Cell)| {
            let mut text = percents(&cell.tally.share());
            if let Some(shares) = played.published.shares {
                let theirs = published(shares[row][column]);
                let mark = if apart(&theirs, &cell.tally.share()) { "*" } else { "" };
                let _ = write!(text, " paper {:.1}{mark}", shares[row][column]);
            }
            if let Some([least, median, most]) = spread(cell) {
                let _ = write!(text, " {{{:.0}, {:.0}, {:.0}}}", 100.0 * least, 100.0 * median, 100.0 * most);
            }
            text
        };
        let cells: Vec<String> = cells.iter().enumerate().map(cell).collect();
        let _ = writeln!(out, "| {} | {} |", names[row], cells.join(" | "));
    }
}

/// The network against the expert that looks as far ahead, and the expert in the network's place.
struct Place {
    name: String,
    network: Share,
    expert: Share,
    /// The network's share with each training.
    trainings: Vec<f64>,
}

impl Place {
    /// Whether the network wins more than half of the games.
    fn against_half(&self) -> &'static str {
        match self.network.ci95 {
            [low, _] if low > 0.5 => "more than half",
            [_, high] if high < 0.5 => "less than half",
            _ => "about half",
        }
    }

    /// Whether it wins more than the expert does in its place.
    fn against_expert(&self) -> &'static str {
        let error = |share: &Share| share.share * (1.0 - share.share) / share.n as f64;
        let half = Z95 * (error(&self.network) + error(&self.expert)).sqrt();
        match self.network.share - self.expert.share {
            difference if difference > half => "better",
            difference if difference < -half => "worse",
            _ => "equal",
        }
    }
}

/// As o, as + and both together, one and two moves ahead.
fn places(played: &Played) -> Vec<Place> {
    let mut all = Vec::new();
    for depth in 0..2 {
        let (network, expert) = (depth, depth + 2);
        let name = &names(played)[network];
        let experts = played.cells[expert][expert].tally;
        let (as_o, as_plus) = (&played.cells[network][expert], &played.cells[expert][network]);
        all.push(Place {
            name: format!("{name} as o"),
            network: as_o.tally.share(),
            expert: experts.share(),
            trainings: as_o.trainings.clone(),
        });
        // What o does not win, + wins, but for a few draws.
        let lost_by_o: Vec<f64> = as_plus.trainings.iter().map(|share| 1.0 - share).collect();
        let both = as_o.trainings.iter().zip(&lost_by_o).map(|(o, plus)| (o + plus) / 2.0).collect();
        all.push(Place {
            name: format!("{name} as +"),
            network: as_plus.tally.plus_share(),
            expert: experts.plus_share(),
            trainings: lost_by_o,
        });
        all.push(Place {
            name: format!("{name} on both sides"),
            network: Share::of(as_o.tally.o + as_plus.tally.plus, as_o.tally.n + as_plus.tally.n),
            expert: Share::of(experts.o + experts.plus, 2 * experts.n),
            trainings: both,
        });
    }
    all
}

fn claim(made: &Experiment) -> String {
    let mut out = String::from(
        "\nthe claim: at equal depth r* is at least the expert's equal. Games that it wins against the expert, and games that the \
         expert wins against itself on the same side\n\
         | | network wins | | expert in its place | network is | trainings above the expert |\n|---|---|---|---|---|---|\n",
    );
    let helped = made.tables.iter().filter(|table| ["4.2", "5"].contains(&table.published.name.as_str()));
    for played in helped {
        let table = &played.published.name;
        for place in places(played) {
            let above = place.trainings.iter().filter(|share| **share > place.expert.share).count();
            let _ = writeln!(
                out,
                "| {}, table {table} | {} | {} | {} | {} | {above} of {} |",
                place.name,
                percents(&place.network),
                place.against_half(),
                percents(&place.expert),
                place.against_expert(),
                place.trainings.len()
            );
        }
    }
    out
}

fn as_output(made: &Experiment, scale: &Scale, quick: bool, threads: usize, seconds: f64) -> Reproduced {
    let cells = |played: &Played| {
        let names = names(played);
        let cell = |(row, column): (usize, usize)| {
            let cell = &played.cells[row][column];
            let (share, theirs) =
                (cell.tally.share(), played.published.shares.map(|shares| shares[row][column]));
            PupilCell {
                o: names[row].clone(),
                plus: names[column].clone(),
                won_by_o: share.share,
                ci95: share.ci95,
                n: share.n,
                won_by_plus: cell.tally.plus_share().share,
                published: theirs.map(|percent| percent / 100.0),
                differs: theirs.map(|percent| apart(&published(percent), &share)),
                trainings: cell.trainings.clone(),
            }
        };
        (0..16).map(|i| cell((i / 4, i % 4))).collect()
    };
    let table = |played: &Played| PupilTable {
        table: played.published.name.clone(),
        about: played.published.about.clone(),
        cells: cells(played),
    };
    let claims = made.tables.iter().filter(|table| table.published.name == "4.2").flat_map(places);
    let claims = claims.map(|place| PupilClaim {
        wins: place.against_half().into(),
        in_place_of_expert: place.against_expert().into(),
        who: place.name,
        network: place.network,
        expert: place.expert,
        trainings: place.trainings,
    });
    let database = &made.database;
    Reproduced::Pupil(PupilTables {
        table: "pushover-muller".into(),
        quick,
        threads,
        seed: scale.seed,
        seconds,
        database: PupilDatabase {
            games: database.games,
            drawn: database.drawn,
            won_by_o: database.won_by_o,
            positions: database.lines.len(),
        },
        trainings: scale.trainings,
        spread_games: scale.spread_games,
        tables: made.tables.iter().map(table).collect(),
        claim: claims.collect(),
    })
}
