//! The weights in the end, a row for each: where the runs lie, as boxes and points, and beside them known players.

use std::fmt::Write;

use play::evaluator::ModelFile;
use play::numbers::number;
use play::shipped::shipped;
use stats::{median, quantile};

use super::axis::{Axis, drawable};
use super::curves::shown_parameters;
use super::direction::unit;
use super::figure::{Figure, Key};
use super::plot::{class, open, shortened};
use super::{Experiment, Run, markup};

const WIDTH: f64 = 600.0;
const ROW: f64 = 34.0;
/// The runs lie a little above the middle of their row, the marks beside them below.
const ABOVE: f64 = -5.0;
const BELOW: f64 = 9.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 40.0;

/// A vector of weights with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Who.
    pub name: String,
    /// Its weights of unit length, in the order of the experiment's parameters.
    pub weights: Vec<f64>,
}

/// The weights of a model in the order of these names, if it has just these.
fn in_order(model: &ModelFile, names: &[String]) -> Option<Vec<f64>> {
    let same = model.parameters.len() == names.len();
    let weights: Option<Vec<f64>> =
        names.iter().map(|name| model.parameters.get(name).copied()).filter(|_| same).collect();
    weights
        .filter(|weights| weights.len() == names.len() && !weights.is_empty())
        .map(|weights| unit(&weights))
}

/// The weights that a run has come to.
pub fn of_run(run: &Run, names: &[String]) -> Option<Vec<f64>> {
    let model = run.model.as_ref().and_then(|model| in_order(model, names));
    model.or_else(|| run.generations.last().map(|generation| unit(&generation.centre)))
}

/// The weights that are deployed.
pub fn deployed(experiment: &Experiment) -> Option<Vec<f64>> {
    in_order(experiment.model.as_ref()?, &experiment.manifest.parameters)
}

/// The players it is compared with whose weights are known and are of the same parameters.
pub fn baselines(experiment: &Experiment) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for name in experiment.config.score.iter().flat_map(|score| &score.against) {
        let known = shipped::<games::Listed>();
        let shipped = known.iter().map(|(_, model)| model).find(|shipped| shipped.name == name);
        let model = shipped.and_then(|shipped| ModelFile::parse(shipped.name, shipped.text).ok());
        let weights = model.and_then(|model| in_order(&model, &experiment.manifest.parameters));
        if let Some(weights) = weights.filter(|_| found.iter().all(|named| named.name != *name)) {
            found.push(Named { name: name.clone(), weights });
        }
    }
    found
}

/// The chart, if a run has begun.
pub fn boxes(experiment: &Experiment, heading: &str, colour: usize) -> Option<Figure> {
    let names = &experiment.manifest.parameters;
    let finals: Vec<(&str, Vec<f64>)> =
        experiment.begun().filter_map(|run| Some((run.name.as_str(), of_run(run, names)?))).collect();
    let rows = shown_parameters(experiment);
    if finals.is_empty() || rows.is_empty() {
        return None;
    }
    let baselines = baselines(experiment);
    let deployed = deployed(experiment);
    let all = finals.iter().map(|(_, weights)| weights).chain(baselines.iter().map(|named| &named.weights));
    let mut values: Vec<f64> = all.chain(&deployed).flatten().copied().collect();
    values.push(0.0);
    let axis = Axis::with_room(&values);
    let labels = rows.iter().map(|(_, name)| shortened(name).chars().count()).max().unwrap_or(0);
    let left = 18.0 + 7.4 * labels as f64;
    let height = TOP + BOTTOM + ROW * rows.len() as f64;
    let drawing = Drawing { axis, left, bottom: height - BOTTOM };
    let mut out = String::new();
    open(&mut out, heading, (WIDTH, height));
    drawing.frame(&mut out);
    for (row, (i, name)) in rows.into_iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let text = markup::html(&shortened(name));
        let _ = write!(out, "<text class=\"e\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>", left - 10.0, y + 4.0);
        let runs: Vec<(&str, f64)> = finals.iter().map(|(run, weights)| (*run, weights[i])).collect();
        drawing.runs(&mut out, name, &runs, y + ABOVE, colour);
        if let Some(weights) = &deployed {
            drawing.mark(&mut out, "diamond", colour, weights[i], y + BELOW, &format!("{name}, deployed"));
        }
        for (number, Named { name: player, weights }) in baselines.iter().enumerate() {
            let (shape, other) = (SHAPES[number % SHAPES.len()], colour + 1 + number);
            drawing.mark(&mut out, shape, other, weights[i], y + BELOW, &format!("{name}, {player}"));
        }
    }
    out.push_str("</svg>");
    let what = if finals.len() > 1 { "runs: points, quartiles and median" } else { "the run" };
    let mut keys = vec![Key::mark(colour, "dot", what)];
    keys.extend(deployed.map(|_| Key::mark(colour, "diamond", "deployed")));
    keys.extend(
        baselines.iter().enumerate().map(|(number, named)| {
            Key::mark(colour + 1 + number, SHAPES[number % SHAPES.len()], &named.name)
        }),
    );
    Some(Figure::drawn(heading, out).keys(keys))
}

const SHAPES: [&str; 3] = ["cross", "triangle", "square"];

/// The shape of a mark, around where the pen stands.
pub fn outline(shape: &str) -> &'static str {
    match shape {
        "diamond" => "m0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z",
        "cross" => "m-4-4l8 8m0-8l-8 8",
        "triangle" => "m0-5l5 9h-10z",
        _ => "m-4-4h8v8h-8z",
    }
}

struct Drawing {
    axis: Axis,
    left: f64,
    bottom: f64,
}

impl Drawing {
    fn x(&self, value: f64) -> f64 {
        self.left + (WIDTH - self.left - 16.0) * self.axis.place(value)
    }

    fn frame(&self, out: &mut String) {
        for (value, text) in self.axis.ticks(6) {
            let (x, zero) = (self.x(value), if value == 0.0 { "k" } else { "g" });
            let _ = write!(out, "<path class=\"{zero}\" d=\"M{x:.1} {TOP}V{:.1}\"/>", self.bottom);
            let _ =
                write!(out, "<text class=\"m\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>", self.bottom + 17.0);
        }
        let middle = (self.left + WIDTH - 16.0) / 2.0;
        let y = self.bottom + BOTTOM - 5.0;
        let _ = write!(
            out,
            "<text class=\"n m\" x=\"{middle:.1}\" y=\"{y:.1}\">weight, of a vector of length 1</text>"
        );
    }

    fn runs(&self, out: &mut String, name: &str, runs: &[(&str, f64)], y: f64, colour: usize) {
        let values: Vec<f64> =
            runs.iter().map(|(_, value)| *value).filter(|value| drawable(*value)).collect();
        if values.is_empty() {
            return;
        }
        let class = class(colour);
        if values.len() > 1 {
            let [low, first, middle, third, high] =
                [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| self.x(quantile(&values, share)));
            let title = format!(
                "{name}: median {}, quartiles {} and {}, from {} to {}, {} runs",
                number(median(&values)),
                number(quantile(&values, 0.25)),
                number(quantile(&values, 0.75)),
                number(quantile(&values, 0.0)),
                number(quantile(&values, 1.0)),
                values.len()
            );
            let title = markup::html(&title);
            let (top, width) = (y - 6.0, (third - first).max(1.0));
            let _ = write!(
                out,
                "<g class=\"box {class}\"><title>{title}</title><path d=\"M{low:.1} {y:.1}H{first:.1}M{third:.1} \
                 {y:.1}H{high:.1}M{low:.1} {:.1}v6M{high:.1} {:.1}v6\"/><rect x=\"{first:.1}\" y=\"{top:.1}\" \
                 width=\"{width:.1}\" height=\"12\"/><path class=\"median\" d=\"M{middle:.1} {top:.1}v12\"/></g>",
                y - 3.0,
                y - 3.0
            );
        }
        for (run, value) in runs.iter().filter(|(_, value)| drawable(*value)) {
            let (x, title) = (self.x(*value), markup::html(&format!("{name}, {run}: {}", number(*value))));
            let _ = write!(
                out,
                "<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\"><title>{title}</title></circle>"
            );
        }
    }

    fn mark(&self, out: &mut String, shape: &str, colour: usize, value: f64, y: f64, name: &str) {
        if !drawable(value) {
            return;
        }
        let (x, class) = (self.x(value), class(colour));
        let title = markup::html(&format!("{name}: {}", number(value)));
        let path = outline(shape);
        let _ = write!(
            out,
            "<path class=\"mark {shape} {class}\" d=\"M{x:.1} {y:.1}{path}\"><title>{title}</title></path>"
        );
    }
}
