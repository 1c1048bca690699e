//! The learning curves as one picture for documents: an SVG that carries its style in itself.

use std::fmt::Write;

use super::curves::{self, Look, SIZE};
use super::figure::Figure;
use super::markup::html as escaped;
use super::page::units;
use super::plot::{self, class};
use super::{Experiment, labels};

/// The room of a heading and of each line of its key.
const HEADING: f64 = 30.0;
const KEY: f64 = 18.0;

/// Pictures in documents are looked at on white, and by programs that know less of styles than browsers do.
const STYLE: &str = "text { font: 12px system-ui, sans-serif; fill: #5f6878 } \
    .h { font-size: 14px; font-weight: 600; fill: #1b1f27 } .e { text-anchor: end } .m { text-anchor: middle } \
    .g { stroke: #dfe3ea; fill: none } .k { stroke: #8a93a3; fill: none } .p { fill: none } .q { font-weight: 500 } \
    .l { fill: none; stroke-width: 2.6; stroke-linejoin: round; stroke-linecap: round } \
    .l.t { stroke-width: 1; stroke-opacity: .45 } .l.s { stroke-dasharray: 6 5 } \
    .l.d1 { stroke-dasharray: 7 4 } .l.d2 { stroke-dasharray: 2 5 } .l.d3 { stroke-dasharray: 9 4 2 4 } \
    .b { fill-opacity: .16 } .w { fill: none; stroke-opacity: .5 } .box path, .box rect { stroke-width: 1.3 } .box path { fill: none } \
    .box rect { fill-opacity: .18 } .box .median { stroke-width: 3 } .dot { fill-opacity: .7 } .mark.cross { fill: none; stroke-width: 2.6 }";

/// The colours of the page.
pub(super) const COLOURS: [&str; plot::COLOURS] =
    ["#0072b2", "#d55e00", "#00865f", "#b3478c", "#a87300", "#2b93d1", "#6a4fb3", "#6b7280"];

pub(super) fn style() -> String {
    let of = |(i, colour): (usize, &str)| {
        format!(
            " .l.c{i}, .w.c{i}, .box.c{i} *, .mark.cross.c{i} {{ stroke: {colour} }} .b.c{i}, .q.c{i}, .box.c{i} rect, .dot.c{i}, .mark.c{i} \
             {{ fill: {colour} }} .mark.cross.c{i} {{ fill: none }}"
        )
    };
    COLOURS.into_iter().enumerate().map(of).fold(STYLE.to_string(), |all, one| all + &one)
}

/// One chart below the other, one for each unit that something is counted in.
pub fn svg(experiments: &[Experiment]) -> String {
    let labels = labels(experiments);
    let each: Vec<(usize, &str, &Experiment)> =
        experiments.iter().zip(&labels).enumerate().map(|(i, (it, label))| (i, label.as_str(), it)).collect();
    let (mut body, mut top) = (String::new(), 0.0);
    for unit in units(&each) {
        let same: Vec<_> = each.iter().copied().filter(|(_, _, it)| it.manifest.unit == unit).collect();
        let figure = curves::fitness(&same, &Look::default());
        let _ = write!(body, "<text class=\"h\" x=\"12\" y=\"{}\">{}</text>", top + 20.0, escaped(unit));
        top += HEADING;
        for &(colour, label, _) in &same {
            let (class, label) = (class(colour), escaped(label));
            let _ = write!(body, "<text class=\"q {class}\" x=\"24\" y=\"{}\">{label}</text>", top + 8.0);
            top += KEY;
        }
        body.push_str(&placed(&figure, top));
        top += SIZE.1;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {top}\" width=\"{0}\" height=\"{top}\">\
         <style>{1}</style><rect width=\"{0}\" height=\"{top}\" fill=\"#ffffff\"/>{body}</svg>\n",
        SIZE.0,
        style()
    )
}

/// A chart as a part of a larger picture, so far down.
fn placed(figure: &Figure, top: f64) -> String {
    let (width, height) = SIZE;
    let place = format!("<svg x=\"0\" y=\"{top}\" width=\"{width}\" height=\"{height}\" ");
    figure.picture().replacen("<svg ", &place, 1)
}
