//! Every figure of a report as files of its own for papers: an SVG that carries its style in itself, and the same drawing as a PDF.

use std::fmt::Write;

use super::curves::{self, Look};
use super::figure::Figure;
use super::markup::html as escaped;
use super::page::units;
use super::svg::style;
use super::{Experiment, labels, pdf, weights_plot};

/// One figure.
pub struct FigureFile {
    /// The name of its files, without an ending.
    pub name: String,
    /// The picture as SVG.
    pub svg: String,
    /// The same as PDF.
    pub pdf: Vec<u8>,
}

impl FigureFile {
    /// A figure by itself.
    pub fn of(name: &str, figure: &Figure, size: Option<(f64, f64)>) -> Self {
        let svg = alone(figure, size);
        Self { name: plain(name), pdf: pdf::of_svg(&svg), svg }
    }
}

/// The room of a heading and of each line of its key.
const HEADING: f64 = 30.0;
const KEY: f64 = 18.0;

/// All figures of a report, drawn as they are asked for.
pub fn figures(experiments: &[Experiment], look: &Look) -> Vec<FigureFile> {
    let labels = labels(experiments);
    let each: Vec<(usize, &str, &Experiment)> =
        experiments.iter().zip(&labels).enumerate().map(|(i, (it, label))| (i, label.as_str(), it)).collect();
    let mut all: Vec<(String, Figure)> = Vec::new();
    for unit in units(&each) {
        let same: Vec<_> = each.iter().copied().filter(|(_, _, it)| it.manifest.unit == unit).collect();
        all.push((format!("learning-{unit}"), curves::fitness(&same, look)));
    }
    let racing: Vec<_> =
        each.iter().copied().filter(|(_, _, it)| it.config.fitness.racing.is_some()).collect();
    all.extend(curves::effort(&racing, each.len() == 1, look).map(|figure| ("racing".to_string(), figure)));
    for &(colour, label, it) in &each {
        let own = |what: &str| if each.len() == 1 { what.to_string() } else { format!("{what}-{label}") };
        let mut one =
            |what: &str, figure: Option<Figure>| all.extend(figure.map(|figure| (own(what), figure)));
        one("opponents", curves::rivals(it, "Against each opponent", look));
        one("weights", curves::weights(it, "Weights", true, look));
        one("final-weights", weights_plot::boxes(it, "Weights in the end", colour));
        for figure in curves::spread(it, label, colour, look) {
            one(first_words(figure.heading()), Some(figure.clone()));
        }
        for (number, figure) in curves::imitation(it, label, colour, look).into_iter().enumerate() {
            one(&format!("imitation-{}", number + 1), Some(figure));
        }
    }
    let mut files: Vec<FigureFile> =
        all.iter().map(|(name, figure)| FigureFile::of(name, figure, look.size)).collect();
    for i in 0..files.len() {
        let earlier = files[..i].iter().filter(|other| other.name == files[i].name).count();
        if earlier > 0 {
            files[i].name = format!("{}-{}", files[i].name, i + 1);
        }
    }
    files
}

/// A heading without what it explains.
fn first_words(heading: &str) -> &str {
    heading.split(" (").next().unwrap_or(heading)
}

/// A name that any disk takes.
pub fn plain(name: &str) -> String {
    let sign = |sign: char| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '-' };
    let words: String = name.chars().map(sign).collect();
    words.split('-').filter(|word| !word.is_empty()).take(12).collect::<Vec<_>>().join("-")
}

/// A figure with its heading and its key above it, on white; as wide as it is asked for, or as it is drawn.
fn alone(figure: &Figure, size: Option<(f64, f64)>) -> String {
    let picture = figure.picture();
    let view =
        picture.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("600 340");
    let mut numbers = view.split(' ').map(|number| number.parse::<f64>().unwrap_or(600.0));
    let (width, height) = (numbers.next().unwrap_or(600.0), numbers.next().unwrap_or(340.0));
    let mut body = String::new();
    let _ = write!(body, "<text class=\"h\" x=\"12\" y=\"20\">{}</text>", escaped(figure.heading()));
    let mut top = HEADING;
    for (class, label) in figure.entries() {
        let y = top + 4.0;
        let mut words = class.split(' ').filter(|word| !["d1", "d2", "d3"].contains(word));
        let (colour, kind) = (words.next().unwrap_or("c0"), words.next().unwrap_or_default());
        let line = |kind: &str| format!("<path class=\"{kind} {colour}\" d=\"M24 {y:.1}L46 {y:.1}\"/>");
        body.push_str(&match kind {
            "" => line("l"),
            "broken" => line("l s"),
            "fine" => line("l t"),
            "area" => {
                format!("<path class=\"b {colour}\" d=\"M24 {:.1}h22v10h-22Z\"/>", y - 5.0)
            }
            "dot" => format!("<circle class=\"dot {colour}\" cx=\"35\" cy=\"{y:.1}\" r=\"3.5\"/>"),
            shape => {
                let outline = weights_plot::outline(shape);
                format!("<path class=\"mark {shape} {colour}\" d=\"M35 {y:.1}{outline}\"/>")
            }
        });
        let _ = write!(body, "<text x=\"54\" y=\"{:.1}\">{}</text>", y + 4.0, escaped(label));
        top += KEY;
    }
    let place = format!("<svg x=\"0\" y=\"{top}\" width=\"{width}\" height=\"{height}\" ");
    body.push_str(&picture.replacen("<svg ", &place, 1));
    let whole = top + height;
    // What has a width of its own is made larger or smaller.
    let scale = size.map_or(1.0, |(asked, _)| asked / width);
    let (shown_width, shown_height) = (width * scale, whole * scale);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {whole}\" width=\"{shown_width}\" height=\"{shown_height}\">\
         <style>{}</style><rect width=\"{width}\" height=\"{whole}\" fill=\"#ffffff\"/>{body}</svg>\n",
        style()
    )
}
