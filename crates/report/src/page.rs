//! The report as one page that needs nothing else: pictures, style and script are in it, and it asks no network.

use std::fmt::Write;

use play::numbers::{duration, grouped};
use train::run::config::QUICK;
use train::selfplay::method;

use super::curves::{self, Look, has_curve};
use super::figure::Figure;
use super::markup::html as escaped;
use super::plot::class;
use super::tables::{self, State, Table};
use super::trace::Against;
use super::weights_plot;
use super::{Experiment, QUICK_NOTE, expected, labels};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What a page may do: show itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

type Each<'a> = [(usize, &'a str, &'a Experiment)];

/// The page.
pub fn html(experiments: &[Experiment]) -> String {
    let labels = labels(experiments);
    let each: Vec<(usize, &str, &Experiment)> =
        experiments.iter().zip(&labels).enumerate().map(|(i, (it, label))| (i, label.as_str(), it)).collect();
    let title = match &labels[..] {
        [one] => one.clone(),
        several => several.join(" · "),
    };
    let mut out = String::new();
    header(&mut out, &each);
    if experiments.len() > 1 {
        section(
            &mut out,
            "comparison",
            "Side by side",
            "",
            &table(&tables::comparison(experiments, &labels)),
        );
    }
    learning(&mut out, &each);
    imitation(&mut out, &each);
    evolution(&mut out, &each);
    effort(&mut out, &each);
    final_weights(&mut out, &each);
    origin(&mut out, &each);
    document(&title, &out)
}

/// A whole page of a title and what it shows.
pub fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style></head>\n<body><main>\n\
         {body}<footer>evalforge {}</footer>\n</main>\n<script>\n{SCRIPT}</script></body></html>\n",
        escaped(title),
        env!("CARGO_PKG_VERSION")
    )
}

/// A section; nothing where there is nothing to show.
pub(super) fn section(out: &mut String, id: &str, heading: &str, note: &str, body: &str) {
    if body.is_empty() {
        return;
    }
    let note = if note.is_empty() { String::new() } else { format!("<p class=\"note\">{note}</p>\n") };
    let _ = write!(out, "<section id=\"{id}\"><h2>{heading}</h2>\n{note}{body}</section>\n");
}

pub fn grid(figures: impl IntoIterator<Item = Figure>) -> String {
    let figures: String = figures.into_iter().map(|figure| figure.html()).collect();
    if figures.is_empty() { figures } else { format!("<div class=\"grid\">{figures}</div>\n") }
}

/// A heading above what belongs to one of several experiments.
fn name(each: &Each, (colour, label, _): (usize, &str, &Experiment)) -> String {
    if each.len() == 1 {
        return String::new();
    }
    format!("<h3 class=\"{}\"><i></i>{}</h3>\n", class(colour), escaped(label))
}

pub fn table(table: &Table) -> String {
    let side = |column: usize| {
        if table.has_words(column) { "" } else { " class=\"r\"" }
    };
    let row = |tag: &str, cells: &[String]| {
        let cell = |(column, cell): (usize, &String)| {
            let side = match cell.chars().next() {
                Some('▲') => " class=\"good\"",
                Some('▼') => " class=\"bad\"",
                _ => side(column),
            };
            format!("<{tag}{side}>{}</{tag}>", escaped(cell))
        };
        format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>())
    };
    let rows: String = table.rows.iter().map(|cells| row("td", cells)).collect();
    format!(
        "<div class=\"scroll\"><table><caption>{}</caption><thead>{}</thead><tbody>{rows}</tbody></table></div>\n",
        escaped(&table.heading),
        row("th", &table.head)
    )
}

fn header(out: &mut String, each: &Each) {
    out.push_str("<header>\n");
    if each.len() > 1 {
        let _ = writeln!(out, "<h1>{} experiments</h1>", each.len());
    }
    for &(colour, label, experiment) in each {
        let state = State::of(experiment);
        let _ = match each.len() {
            1 => writeln!(out, "<h1>{}</h1>", escaped(label)),
            _ => writeln!(out, "<h2 class=\"{}\"><i></i>{}</h2>", class(colour), escaped(label)),
        };
        if !experiment.config.about.trim().is_empty() {
            let _ = writeln!(out, "<p class=\"about\">{}</p>", escaped(experiment.config.about.trim()));
        }
        if experiment.config.variant == QUICK {
            let _ = writeln!(out, "<p class=\"quick\">{QUICK_NOTE}</p>");
        }
        if let Some(expected) = expected(experiment) {
            let _ = writeln!(out, "<p class=\"expect\"><b>Expected:</b> {}</p>", escaped(expected));
        }
        let of = |done: String, asked: String| format!("{done}<small> of {asked}</small>");
        let tiles = [
            ("generation", of(state.generations.clone(), experiment.config.generations.to_string())),
            ("runs", of(experiment.begun().count().to_string(), experiment.config.runs.to_string())),
            ("games to learn", grouped(state.games)),
            ("working time", duration(state.seconds)),
            ("parameters", experiment.manifest.parameters.len().to_string()),
        ];
        out.push_str("<dl class=\"tiles\">");
        for (what, value) in tiles {
            let _ = write!(out, "<div><dt>{what}</dt><dd>{value}</dd></div>");
        }
        let restarts = match state.restarts {
            0 => String::new(),
            1 => "; the learner began again once".to_string(),
            many => format!("; the learner began again {many} times"),
        };
        let _ = write!(out, "</dl>\n<p class=\"state\">{}{restarts}</p>\n", escaped(&state.words));
        for scores in tables::scores(experiment).iter().chain(&tables::expectations(experiment)) {
            out.push_str(&table(scores));
        }
    }
    out.push_str("</header>\n");
}

/// What the experiments that have begun count in, each once.
pub(super) fn units<'a>(each: &[(usize, &str, &'a Experiment)]) -> Vec<&'a str> {
    let mut units: Vec<&str> = Vec::new();
    for (_, _, experiment) in each.iter().filter(|(_, _, experiment)| experiment.begun().next().is_some()) {
        if !units.contains(&experiment.manifest.unit.as_str()) {
            units.push(&experiment.manifest.unit);
        }
    }
    units
}

/// The curves, one pair of charts for each unit that something is counted in.
fn learning(out: &mut String, each: &Each) {
    let mut figures = Vec::new();
    for unit in units(each) {
        let same: Vec<_> =
            each.iter().copied().filter(|(_, _, experiment)| experiment.manifest.unit == unit).collect();
        figures.extend(
            [Against::Generations, Against::Games]
                .map(|against| curves::fitness(&same, &Look::along(against))),
        );
    }
    for (_, label, experiment) in each {
        let heading = if each.len() == 1 { "Against each opponent" } else { label };
        figures.extend(curves::rivals(experiment, heading, &Look::default()));
    }
    let curve = each.iter().any(|(_, _, experiment)| has_curve(experiment));
    let several = each.iter().any(|(_, _, experiment)| experiment.begun().count() > 1);
    let mut note = String::from(if curve {
        "What the centre of the search scores in fresh games after a generation."
    } else {
        "The fitness of the vectors that were tried."
    });
    if several {
        note.push_str(" Thin: the runs. Thick: their median, as far as more than half of them have come.");
    }
    if curve {
        note.push_str(" Band: the 95 % interval of the mean of those games");
        note.push_str(if several { ", of several runs the median of each end." } else { "." });
    }
    section(out, "learning", "Learning curves", &note, &grid(figures));
}

fn imitation(out: &mut String, each: &Each) {
    let mut body = String::new();
    for &it in each {
        let figures = grid(curves::imitation(it.2, it.1, it.0, &Look::default()));
        if !figures.is_empty() {
            body.push_str(&name(each, it));
            body.push_str(&figures);
        }
    }
    let note = "On boards that were not learned from; the expert is the function of before the fit, one deal deeper.";
    section(out, "imitation", "Imitation", note, &body);
}

fn evolution(out: &mut String, each: &Each) {
    let several = each.iter().any(|(_, _, experiment)| experiment.begun().count() > 1);
    let of = if several { " Of several runs the median." } else { "" };
    let figures = each.iter().filter_map(|(_, label, experiment)| {
        let heading = if each.len() == 1 { "Weights" } else { label };
        curves::weights(experiment, heading, each.len() == 1, &Look::default())
    });
    let note =
        format!("The centre, scaled to length 1: the direction is all that a linear function plays by.{of}");
    section(out, "weights", "Evolution of the weights", &note, &grid(figures));
    let mut body = String::new();
    for &it in each {
        let figures = grid(curves::spread(it.2, it.1, it.0, &Look::default()));
        if !figures.is_empty() {
            body.push_str(&name(each, it));
            body.push_str(&figures);
        }
    }
    let note = format!("How far the learner looks around its centre, by logarithms.{of}");
    section(out, "spread", "Step size and spread", &note, &body);
}

fn effort(out: &mut String, each: &Each) {
    let racing: Vec<_> = each
        .iter()
        .copied()
        .filter(|(_, _, experiment)| experiment.config.fitness.racing.is_some())
        .collect();
    let mut body = grid(curves::effort(&racing, each.len() == 1, &Look::default()));
    let plays_itself = |experiment: &Experiment| {
        let name = experiment.config.learner.get("name").and_then(|name| name.as_str());
        name.and_then(method).is_some()
    };
    let vectors =
        |it: &&(usize, &str, &Experiment)| it.2.config.fitness.racing.is_none() && !plays_itself(it.2);
    for (_, label, experiment) in each.iter().filter(vectors) {
        let games = experiment.config.fitness.count();
        let each = if experiment.in_pairs { "pairs of games against each opponent" } else { "games" };
        let who = if each.len() == 1 { "There".to_string() } else { format!("In {} there", escaped(label)) };
        let _ = writeln!(body, "<p>{who} was no racing: every vector played {games} {each}.</p>");
    }
    let note = if racing.is_empty() {
        ""
    } else {
        "Racing plays on only with vectors of which it is still open whether they are among the best."
    };
    section(out, "games", "Games used by racing", note, &body);
}

fn final_weights(out: &mut String, each: &Each) {
    let mut body = String::new();
    for &it in each {
        let heading = if each.len() == 1 { "Weights in the end" } else { it.1 };
        if let Some(figure) = weights_plot::boxes(it.2, heading, it.0) {
            let table = table(&tables::weights(it.2));
            let _ = writeln!(body, "<div class=\"grid\">{}{table}</div>", figure.html());
        }
    }
    let note = "Scaled to length 1, beside the players it is compared with that have the same features.";
    section(out, "final", "Final weights", note, &body);
}

fn origin(out: &mut String, each: &Each) {
    let mut body = String::new();
    for &it in each {
        let experiment = it.2;
        let (version, commit) = (escaped(&experiment.manifest.version), escaped(&experiment.manifest.commit));
        let _ = write!(
            body,
            "{}<p>With evalforge {version}, commit {commit}:</p>\n<pre><code>{}</code></pre>\n\
             <details><summary>Configuration</summary><pre><code>{}</code></pre></details>\n\
             <details><summary>Manifest</summary>{}</details>\n",
            name(each, it),
            escaped(&tables::command(experiment)),
            escaped(experiment.config_text.trim_end()),
            table(&tables::origin(experiment))
        );
    }
    section(out, "origin", "To get the same again", "", &body);
}
