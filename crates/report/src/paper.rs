//! A paper played again: each of its tables and figures beside ours, on one page that needs nothing else.

use std::fmt::Write;

use play::numbers::{duration, grouped, interval, number};
use train::reproduce::cell::{Cell, Ours, Verdict};
use train::reproduce::paper::{Drawn, Learned, Paper, Part, Told};
use train::reproduce::programs::{Lines, NamedLine};
use train::run::config::QUICK;
use train::run::record::Generation;

use super::Experiment;
use super::axis::Axis;
use super::curves::{self, Look, has_curve};
use super::figure::{Figure, Key};
use super::files::FigureFile;
use super::markup::html as escaped;
use super::page::{document, grid, section, table as html_table};
use super::plot::{Chart, Line, Stroke};
use super::tables::Table;
use super::trace::{Against, share_of_games};
use super::weights_plot;

/// Generations at the end of a run whose curve is its last value: one alone is noise.
const LAST: usize = 5;

/// What came of a part.
pub struct Done<'a> {
    /// The part.
    pub part: &'a Part,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// What was learned for it, by labels.
    pub experiments: Vec<(String, Experiment)>,
    /// What a program of its own has drawn.
    pub charts: Vec<Lines>,
    /// Whether it is the quick form.
    pub quick: bool,
    /// Working time in seconds.
    pub seconds: f64,
    /// The commit that it was made by; empty if that is not known.
    pub commit: String,
}

/// The cells of something that was learned.
pub fn told(learned: &Learned, experiment: &Experiment) -> Vec<Cell> {
    let quick = experiment.config.variant == QUICK;
    let cell = |told: &Told| {
        let cell = cell(told, experiment);
        if quick { untested(Cell { what: played(told, experiment), ..cell }) } else { cell }
    };
    learned.cell.iter().map(cell).collect()
}

/// A cell of a quick form, which is no test of what is published.
pub fn untested(cell: Cell) -> Cell {
    cell.because("quick form")
}

/// What a cell of a quick variant is really about: its boards may be smaller.
fn played(told: &Told, experiment: &Experiment) -> String {
    let place = told.of.strip_prefix("score.").and_then(|place| place.parse::<usize>().ok());
    match place.and_then(|place| experiment.scores.get(place)) {
        Some(contest) => format!("{}: {} here", told.what, contest.title),
        None => told.what.clone(),
    }
}

fn cell(told: &Told, experiment: &Experiment) -> Cell {
    let Told { what, of, theirs, why, apart } = told;
    let theirs = theirs.as_ref();
    let each = |value: &dyn Fn(&[Generation]) -> Option<f64>| -> Vec<f64> {
        experiment.begun().filter_map(|run| value(&run.generations)).collect()
    };
    let cell = match of.split_once('.') {
        Some(("score", place)) => {
            let contest = place.parse::<usize>().ok().and_then(|place| experiment.scores.get(place));
            match contest.and_then(|contest| Some((contest, contest.players.first()?))) {
                Some((contest, player)) => {
                    let score = &player.score;
                    let counted = contest.counted().to_string();
                    let ours = Ours { value: score.mean, ci95: score.ci95, n: score.n, counted };
                    Cell::mean(what, theirs, ours, why)
                }
                None => Cell::spread(what, theirs, &[], "it was not measured"),
            }
        }
        _ => {
            let runs = match of.as_str() {
                "last" => each(&|all| last(experiment, all)),
                "games" => each(&|all| Some(all.last()?.games as f64)),
                "step" => each(&|all| all.last()?.standing.step),
                "used" => each(&|all| {
                    let shares: Vec<f64> = all.iter().filter_map(share_of_games).collect();
                    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
                }),
                _ => Vec::new(),
            };
            Cell::spread(what, theirs, &runs, why)
        }
    };
    if apart.is_empty() { cell } else { cell.because(apart) }
}

/// The mean of the last values of a run.
fn last(experiment: &Experiment, all: &[Generation]) -> Option<f64> {
    let curved = has_curve(experiment);
    let value = |generation: &Generation| match curved {
        true => generation.curve.as_ref().map(|curve| curve.mean),
        false => Some(generation.mean),
    };
    let values: Vec<f64> = all.iter().rev().filter_map(value).take(LAST).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The figures of a part, by their names.
pub fn figures(done: &Done) -> Vec<(String, Figure)> {
    let charts = done.charts.iter().map(|lines| (lines.name.clone(), chart(lines)));
    done.part.figure.iter().flat_map(|drawn| figure(drawn, done)).chain(charts).collect()
}

fn chart(lines: &Lines) -> Figure {
    let points = || lines.lines.iter().flat_map(|(_, points)| points);
    let (xs, ys): (Vec<f64>, Vec<f64>) = points().copied().unzip();
    let line = |(colour, (name, points)): (usize, &NamedLine)| Line {
        points: points.clone(),
        colour,
        stroke: Stroke::Thick,
        title: name.clone(),
        tips: Vec::new(),
        label: None,
    };
    let [x_label, y_label] = lines.labels.clone();
    let chart = Chart {
        title: lines.title.clone(),
        x_label,
        y_label,
        x: Axis::tight(&xs),
        y: if lines.log { Axis::log(&ys) } else { Axis::round(&ys) },
        bands: Vec::new(),
        lines: lines.lines.iter().enumerate().map(line).collect(),
        size: curves::SIZE,
    };
    let keys = lines.lines.iter().enumerate().map(|(colour, (name, _))| Key::line(colour, name));
    Figure::one(&lines.title, &chart).keys(keys.collect())
}

fn figure(drawn: &Drawn, done: &Done) -> Vec<(String, Figure)> {
    let wanted = |label: &String| drawn.only.is_empty() || drawn.only.contains(label);
    let each: Vec<(usize, &str, &Experiment)> = done
        .experiments
        .iter()
        .filter(|(label, _)| wanted(label))
        .enumerate()
        .map(|(colour, (label, it))| (colour, label.as_str(), it))
        .filter(|(_, _, it)| it.begun().next().is_some())
        .collect();
    if each.is_empty() {
        return Vec::new();
    }
    let look = Look::along(if drawn.along_games { Against::Games } else { Against::Generations });
    let own = |label: &str, heading: &str| match each.len() {
        1 => format!("{}: {heading}", drawn.title),
        _ => format!("{}, {label}: {heading}", drawn.title),
    };
    let found: Vec<Figure> = match drawn.of.as_str() {
        "score" => vec![curves::fitness(&each, &look).called(&drawn.title)],
        "effort" => curves::effort(&each, false, &look)
            .map(|figure| figure.called(&drawn.title))
            .into_iter()
            .collect(),
        "weights" => {
            let one = |&(_, label, it): &(usize, &str, &Experiment)| {
                curves::weights(it, &own(label, "weights of unit length"), false, &look)
            };
            each.iter().filter_map(one).collect()
        }
        "final-weights" => {
            let one = |&(colour, label, it): &(usize, &str, &Experiment)| {
                weights_plot::boxes(it, &own(label, "weights in the end"), colour)
            };
            each.iter().filter_map(one).collect()
        }
        _ => each
            .iter()
            .flat_map(|&(colour, label, it)| {
                let all = curves::spread(it, label, colour, &look);
                all.into_iter().map(move |figure| (label, figure))
            })
            .map(|(label, figure)| {
                let heading = own(label, figure.heading());
                figure.called(&heading)
            })
            .collect(),
    };
    let several = found.len() > 1;
    let name =
        |number: usize| if several { format!("{}-{}", drawn.name, number + 1) } else { drawn.name.clone() };
    found.into_iter().enumerate().map(|(number, figure)| (name(number), figure)).collect()
}

/// Every figure of a part as files: name with its ending, and what is in it.
pub fn files(done: &Done) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (name, figure) in figures(done) {
        files.push((format!("{name}.svg"), FigureFile::of(&name, &figure, None).svg));
        if let Some(data) = figure.data() {
            files.push((format!("{name}.csv"), data.csv()));
            files.push((format!("{name}.tex"), data.pgfplots(figure.heading())));
        }
    }
    if !done.cells.is_empty() {
        files.push((format!("{}.csv", done.part.name), csv(&done.cells)));
    }
    files
}

fn csv(cells: &[Cell]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let mut out = String::from(
        "what,published,published_low,published_high,ours,ours_low,ours_high,n,counted,ratio,ratio_low,ratio_high,verdict,why\n",
    );
    for cell in cells {
        let ours = cell.ours.as_ref();
        let ends = ours.and_then(|ours| ours.ci95);
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            quoted(&cell.what),
            quoted(cell.theirs.as_ref().map_or("", |theirs| &theirs.source)),
            number(cell.theirs.as_ref().map(|theirs| theirs.range[0])),
            number(cell.theirs.as_ref().map(|theirs| theirs.range[1])),
            number(ours.map(|ours| ours.value)),
            number(ends.map(|ends| ends[0])),
            number(ends.map(|ends| ends[1])),
            ours.map_or(String::new(), |ours| ours.n.to_string()),
            quoted(ours.map_or("", |ours| &ours.counted)),
            number(cell.ratio.map(|(ratio, _)| ratio)),
            number(cell.ratio.map(|(_, ends)| ends[0])),
            number(cell.ratio.map(|(_, ends)| ends[1])),
            quoted(cell.verdict.text()),
            quoted(&cell.why),
        );
    }
    out
}

/// The cells of a part as a table.
fn table(heading: &str, cells: &[Cell]) -> Table {
    let mut table =
        Table::new(heading, &["", "published", "ours, 95 %", "n", "ours / theirs, 95 %", "verdict"]);
    for cell in cells {
        let [what, published, ours, n, ratio, verdict] = words(cell);
        table.rows.push(vec![what, published, ours, n, ratio, verdict]);
    }
    table
}

/// What is said of a cell: what it is, theirs, ours, of how many, the ratio, the verdict.
fn words(cell: &Cell) -> [String; 6] {
    let ours = cell.ours.as_ref();
    let sign = match cell.verdict {
        Verdict::Agrees => "▲ ",
        Verdict::Differs => "▼ ",
        Verdict::NotComparable => "",
    };
    let why = match (cell.verdict, cell.why.as_str()) {
        (Verdict::Agrees, _) | (_, "") => String::new(),
        (_, why) => format!(": {why}"),
    };
    let ends = |ours: &Ours| ours.ci95.map_or(String::new(), |ci95| format!(" {}", interval(ci95)));
    [
        cell.what.clone(),
        cell.theirs.as_ref().map_or("-".into(), |theirs| theirs.source.clone()),
        ours.map_or("-".into(), |ours| format!("{}{}", number(ours.value), ends(ours))),
        ours.map_or(String::new(), |ours| format!("{} {}", grouped(ours.n as f64), ours.counted)),
        cell.ratio.map_or("-".into(), |(ratio, [low, high])| format!("{ratio:.2} [{low:.2}, {high:.2}]")),
        format!("{sign}{}{why}", cell.verdict.text()),
    ]
}

/// The cells of a part for the terminal: two lines each, so that they fit into 80 columns.
pub fn text(done: &Done) -> String {
    let mut out = String::new();
    for cell in &done.cells {
        let [what, published, ours, n, ratio, verdict] = words(cell);
        let ratio = if ratio == "-" { String::new() } else { format!("; ours / theirs {ratio}") };
        let _ = writeln!(out, "  {what}: {verdict}\n      published {published}; ours {ours}, n {n}{ratio}");
    }
    out
}

/// The page of a paper.
pub fn page(paper: &Paper, parts: &[Done]) -> String {
    let mut out = String::from("<header>\n");
    let _ = writeln!(
        out,
        "<h1>{}</h1>\n<p class=\"about\">{}</p>",
        escaped(&paper.title),
        escaped(&paper.citation)
    );
    if parts.iter().any(|done| done.quick) {
        out.push_str("<p class=\"quick\">Quick form: fewer runs and games, and smaller boards, than the paper and the text below speak of. Nothing here is a test of it.</p>\n");
    }
    let count = |verdict: Verdict| {
        parts.iter().flat_map(|done| &done.cells).filter(|cell| cell.verdict == verdict).count()
    };
    let [agree, differ, apart] = [Verdict::Agrees, Verdict::Differs, Verdict::NotComparable].map(count);
    let _ = writeln!(
        out,
        "<p>Of {} figures {agree} agree, {differ} differ, {apart} cannot be compared. A figure agrees if the 95 % interval of ours over \
         theirs holds 1; where several runs are compared, if our median lies within the published spread.</p>\n<nav>",
        agree + differ + apart
    );
    for done in parts {
        let _ = writeln!(out, "<a href=\"#{0}\">{0}</a>", escaped(&done.part.name));
    }
    out.push_str("</nav>\n</header>\n");
    for done in parts {
        let part = done.part;
        let mut body = format!("<p><b>The paper:</b> {}</p>\n", escaped(part.says.trim()));
        if !part.note.is_empty() {
            let _ = writeln!(body, "<p><b>Here:</b> {}</p>", escaped(part.note.trim()));
        }
        if !done.cells.is_empty() {
            let cells = html_table(&table(&part.title, &done.cells));
            let _ = write!(body, "<div class=\"paper\">{cells}</div>");
        }
        body.push_str(&grid(figures(done).into_iter().map(|(_, figure)| figure)));
        let form = if done.quick { " --quick" } else { "" };
        let command = format!("evalforge reproduce {} --only {}{form}", paper.name, part.name);
        let commit = if done.commit.is_empty() {
            String::new()
        } else {
            format!(", commit {}", escaped(&done.commit))
        };
        let _ = writeln!(
            body,
            "<p class=\"note\"><code>{command}</code>, {} of work{commit}</p>",
            duration(done.seconds)
        );
        section(&mut out, &escaped(&part.name), &escaped(&part.title), "", &body);
    }
    document(&paper.title, &out)
}
