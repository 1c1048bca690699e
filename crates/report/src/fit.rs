//! The page of a fit: loss curves, calibration, and the confusion of won and lost.

use learn::fitting::{Fitted, Trace};
use play::numbers::number;
use train::fit::{Judged, Outcome};

use super::axis::{Axis, suits_log};
use super::figure::{Figure, Key};
use super::markup::html as escaped;
use super::page::{document, grid, section, table};
use super::plot::{Band, Chart, Line, Stroke};
use super::tables::Table;

/// What the page is about.
pub struct FitPage<'a> {
    /// The heading.
    pub title: &'a str,
    /// Pairs of a word and what it says: data, model, optimiser.
    pub facts: &'a [(&'a str, String)],
    /// The fit.
    pub outcome: &'a Outcome,
    /// How good the model is on what it has not learned from; else on what it has.
    pub judged: &'a Judged,
    /// Whether `judged` is of positions that were not learned from.
    pub held_out: bool,
}

const TRAINING: usize = 0;
const VALIDATION: usize = 1;

/// The page.
pub fn fit_html(page: &FitPage) -> String {
    let mut out = String::new();
    out.push_str(&format!("<header><h1>{}</h1>\n", escaped(page.title)));
    let facts = |(word, said): &(&str, String)| vec![word.to_string(), said.clone()];
    let facts = Table {
        heading: "The fit".into(),
        head: vec![String::new(); 2],
        rows: page.facts.iter().map(facts).collect(),
    };
    out.push_str(&table(&facts));
    out.push_str("</header>\n");
    let which = if page.held_out {
        "positions of games that were not learned from"
    } else {
        "the positions learned from"
    };
    section(&mut out, "loss", "Loss", "Mean loss after each iteration.", &grid([losses(page.outcome)]));
    let note = format!(
        "On {which}: the share of wins that the model gives against the share that there is, with 95 % intervals over games. \
         A good one lies on the broken line."
    );
    section(
        &mut out,
        "calibration",
        "Calibration",
        &note,
        &(grid([calibration(page.judged)]) + &bins(page.judged)),
    );
    section(
        &mut out,
        "confusion",
        "Won and lost",
        &format!("On {which}; drawn ones are left out."),
        &confusion(page.judged),
    );
    document(page.title, &out)
}

fn losses(outcome: &Outcome) -> Figure {
    let line = |start: &Fitted, colour: usize, stroke, what: &str, of: fn(&Trace) -> Option<f64>| {
        let points: Vec<(f64, f64)> =
            start.trace.iter().filter_map(|trace| Some((trace.iteration as f64, of(trace)?))).collect();
        let tips = points.iter().map(|(x, y)| format!("{what}, iteration {x}: {}", number(*y))).collect();
        Line { points, colour, stroke, title: what.to_string(), tips, label: None }
    };
    let training: fn(&Trace) -> Option<f64> = |trace| Some(trace.training);
    let validation: fn(&Trace) -> Option<f64> = |trace| trace.validation;
    let mut lines = Vec::new();
    for (number, start) in outcome.starts.iter().enumerate().filter(|(number, _)| *number != outcome.best) {
        let of = |what: &str| format!("{what} of start {}", number + 1);
        lines.push(line(start, TRAINING, Stroke::Thin, &of("training"), training));
        lines.push(line(start, VALIDATION, Stroke::Thin, &of("validation"), validation));
    }
    let best = outcome.fitted();
    lines.push(line(best, TRAINING, Stroke::Thick, "training", training));
    lines.push(line(best, VALIDATION, Stroke::Thick, "validation", validation));
    lines.retain(|line| !line.points.is_empty());
    let values: Vec<f64> = lines.iter().flat_map(|line| line.points.iter().map(|(_, y)| *y)).collect();
    let places: Vec<f64> = lines.iter().flat_map(|line| line.points.iter().map(|(x, _)| *x)).collect();
    let chart = |y: Axis| Chart {
        title: "loss by iteration".into(),
        x_label: "iteration".into(),
        y_label: "mean loss".into(),
        x: Axis::tight(&places),
        y,
        bands: Vec::new(),
        lines: lines.clone(),
        size: (900.0, 360.0),
    };
    let heading = "Training and validation loss";
    let figure = match suits_log(&values) {
        true => Figure::two(heading, &chart(Axis::log(&values)), &chart(Axis::round(&values))),
        false => Figure::one(heading, &chart(Axis::round(&values))),
    };
    let mut keys = vec![Key::line(TRAINING, "training")];
    if best.best.validation.is_some() {
        keys.push(Key::line(VALIDATION, "validation"));
    }
    if outcome.starts.len() > 1 {
        keys.push(Key::thin(TRAINING, "other starts"));
    }
    figure.keys(keys).wide(true)
}

fn calibration(judged: &Judged) -> Figure {
    let found: Vec<(f64, f64)> =
        judged.calibration.iter().map(|bin| (bin.predicted, bin.found.share)).collect();
    let tips = judged.calibration.iter().map(|bin| {
        format!(
            "given {:.3}, found {:.3}, n = {} of {} games",
            bin.predicted, bin.found.share, bin.found.n, bin.found.games
        )
    });
    let band =
        judged.calibration.iter().map(|bin| (bin.predicted, bin.found.ci95[0], bin.found.ci95[1])).collect();
    let line = |points, colour, stroke, title: &str, tips| Line {
        points,
        colour,
        stroke,
        title: title.into(),
        tips,
        label: None,
    };
    let chart = Chart {
        title: "share of wins given and found".into(),
        x_label: "share of wins that the model gives".into(),
        y_label: "share found".into(),
        x: Axis::tight(&[0.0, 1.0]),
        y: Axis::round(&[0.0, 1.0]),
        bands: vec![Band { points: band, colour: 0 }],
        lines: vec![
            line(vec![(0.0, 0.0), (1.0, 1.0)], 1, Stroke::Dashed, "given = found", Vec::new()),
            line(found, 0, Stroke::Thick, "found", tips.collect()),
        ],
        size: (560.0, 420.0),
    };
    let keys = vec![Key::line(0, "found"), Key::band(0, "95 %"), Key::dashed(1, "given = found")];
    Figure::one("Calibration", &chart).keys(keys)
}

fn bins(judged: &Judged) -> String {
    let row = |bin: &train::fit::Bin| {
        let [low, high] = bin.found.ci95;
        vec![
            format!("{:.3}", bin.predicted),
            format!("{:.3}", bin.found.share),
            format!("[{low:.3}, {high:.3}]"),
            bin.found.n.to_string(),
            bin.found.games.to_string(),
        ]
    };
    table(&Table {
        heading: "Calibration in numbers".into(),
        head: ["given", "found", "95 %", "positions", "games"].map(str::to_string).to_vec(),
        rows: judged.calibration.iter().map(row).collect(),
    })
}

fn confusion(judged: &Judged) -> String {
    let it = judged.confusion;
    let row = |name: &str, won: usize, lost: usize| vec![name.to_string(), won.to_string(), lost.to_string()];
    let mut out = table(&Table {
        heading: "Positions by what they are and what the model says".into(),
        head: ["", "said to be won", "said to be lost"].map(str::to_string).to_vec(),
        rows: vec![row("won", it.won_won, it.won_lost), row("lost", it.lost_won, it.lost_lost)],
    });
    if let Some(right) = judged.right {
        let [low, high] = right.ci95.map(|share| 100.0 * share);
        out.push_str(&format!(
            "<p>Right in {:.1} % [{low:.1}, {high:.1}] of {} positions of {} games.</p>\n",
            100.0 * right.share,
            right.n,
            right.games
        ));
    }
    out
}
