//! Charts as SVG, drawn by hand: lines, bands, labels at the end of lines. Colours are numbers; the page says what they
//! look like in light and in dark. Nothing in them comes from files but escaped text and numbers.

use std::fmt::Write;

use super::axis::{Axis, drawable};
use super::markup;

/// Colours of the page's palette; lines beyond them are dashed.
pub const COLOURS: usize = 8;
/// More points than this are not seen on a line, nor more places to point at.
const MOST_POINTS: usize = 500;
const MOST_TIPS: usize = 120;
/// All lines of a chart together have no more than these, so that many of them do not make a page heavy.
const ALL_POINTS: usize = 10_000;
const ALL_TIPS: usize = 800;
/// The distance of labels that would lie on each other.
const LABEL: f64 = 14.0;

const LEFT: f64 = 58.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 40.0;

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// One of many.
    Thin,
    /// What is to be looked at.
    Thick,
    /// The same, broken.
    Dashed,
}

/// A line with what is said of it.
#[derive(Debug, Clone)]
pub struct Line {
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    /// Its number in the palette.
    pub colour: usize,
    /// How it is drawn.
    pub stroke: Stroke,
    /// What is said where one points at it.
    pub title: String,
    /// What is said of each point, in their order; empty if nothing.
    pub tips: Vec<String>,
    /// What stands at its right end.
    pub label: Option<String>,
}

/// What lies between two values, from left to right: x, low, high.
#[derive(Debug, Clone)]
pub struct Band {
    /// The edges.
    pub points: Vec<(f64, f64, f64)>,
    /// Its number in the palette.
    pub colour: usize,
}

/// A chart.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// What is counted to the right.
    pub x_label: String,
    /// What is counted upwards.
    pub y_label: String,
    /// The axes.
    pub x: Axis,
    /// The axes.
    pub y: Axis,
    /// Behind the lines.
    pub bands: Vec<Band>,
    /// The lines, the last one on top.
    pub lines: Vec<Line>,
    /// Width and height.
    pub size: (f64, f64),
}

/// The classes of a colour; the same hue comes back dashed.
pub fn class(colour: usize) -> String {
    let dash = ["", " d1", " d2", " d3"][colour / COLOURS % 4];
    format!("c{}{dash}", colour % COLOURS)
}

/// At most so many of them, evenly, the first and the last among them.
pub fn thinned<T: Clone>(all: &[T], most: usize) -> Vec<T> {
    if all.len() <= most {
        return all.to_vec();
    }
    (0..most).map(|i| all[i * (all.len() - 1) / (most - 1)].clone()).collect()
}

/// A label that has room.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 26;
    if text.chars().count() <= MOST {
        return text.to_string();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}

/// The room that labels take.
pub fn room(labels: impl Iterator<Item = String>) -> f64 {
    labels.map(|label| label.chars().count()).max().map_or(14.0, |most| 22.0 + 7.2 * most as f64)
}

/// Opens an SVG of this size.
pub fn open(out: &mut String, title: &str, (width, height): (f64, f64)) {
    let title = markup::html(title);
    let _ = write!(out, "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">");
}

impl Chart {
    fn inner(&self) -> (f64, f64) {
        let right = room(self.lines.iter().filter_map(|line| line.label.as_deref().map(shortened)));
        (self.size.0 - LEFT - right, self.size.1 - TOP - BOTTOM)
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let (width, height) = self.inner();
        (LEFT + width * self.x.place(x), TOP + height * (1.0 - self.y.place(y)))
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        open(&mut out, &self.title, self.size);
        self.frame(&mut out);
        for band in &self.bands {
            self.band(&mut out, band);
        }
        for line in &self.lines {
            self.line(&mut out, line);
        }
        self.labels(&mut out);
        for line in &self.lines {
            self.tips(&mut out, line);
        }
        out.push_str("</svg>");
        out
    }

    fn frame(&self, out: &mut String) {
        let (width, height) = self.inner();
        let (right, bottom) = (LEFT + width, TOP + height);
        for (value, text) in self.y.ticks(5) {
            let y = TOP + height * (1.0 - self.y.place(value));
            let _ = write!(out, "<path class=\"g\" d=\"M{LEFT} {y:.1}H{right:.1}\"/>");
            let _ =
                write!(out, "<text class=\"e\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>", LEFT - 7.0, y + 4.0);
        }
        for (value, text) in self.x.ticks((width / 75.0) as usize) {
            let x = LEFT + width * self.x.place(value);
            let _ = write!(out, "<path class=\"k\" d=\"M{x:.1} {bottom:.1}v4\"/>");
            let _ = write!(out, "<text class=\"m\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>", bottom + 17.0);
        }
        let _ = write!(out, "<path class=\"k\" d=\"M{LEFT} {bottom:.1}H{right:.1}\"/>");
        let (x_label, y_label) = (markup::html(&self.x_label), markup::html(&self.y_label));
        let _ = write!(out, "<text class=\"n\" x=\"4\" y=\"13\">{y_label}</text>");
        let middle = LEFT + width / 2.0;
        let _ = write!(
            out,
            "<text class=\"n m\" x=\"{middle:.1}\" y=\"{:.1}\">{x_label}</text>",
            self.size.1 - 5.0
        );
    }

    fn band(&self, out: &mut String, band: &Band) {
        let sound = |&&(x, low, high): &&(f64, f64, f64)| drawable(x) && drawable(low) && drawable(high);
        let points: Vec<_> = band.points.iter().filter(sound).copied().collect();
        if points.len() < 2 {
            return;
        }
        let points = thinned(&points, MOST_POINTS);
        let upper = points.iter().map(|&(x, _, high)| self.at(x, high));
        let lower = points.iter().rev().map(|&(x, low, _)| self.at(x, low));
        let path: Vec<String> = upper.chain(lower).map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let _ = write!(out, "<path class=\"b {}\" d=\"M{}Z\"/>", class(band.colour), path.join("L"));
    }

    fn line(&self, out: &mut String, line: &Line) {
        let mut path = String::new();
        let mut pen = 'M';
        let most = (ALL_POINTS / self.lines.len()).clamp(100, MOST_POINTS);
        let points = thinned(&line.points, most);
        for &(x, y) in &points {
            if !drawable(x) || !drawable(y) {
                pen = 'M';
                continue;
            }
            let (x, y) = self.at(x, y);
            let _ = write!(path, "{pen}{x:.1} {y:.1}");
            // A point alone is seen as the round end of a line of no length.
            if points.len() == 1 {
                path.push_str("h.1");
            }
            pen = 'L';
        }
        let kind = match line.stroke {
            Stroke::Thin => "l t",
            Stroke::Thick => "l",
            Stroke::Dashed => "l s",
        };
        let (class, title) = (class(line.colour), markup::html(&line.title));
        let _ = write!(out, "<path class=\"{kind} {class}\" d=\"{path}\"><title>{title}</title></path>");
    }

    fn tips(&self, out: &mut String, line: &Line) {
        let said: Vec<_> = line.points.iter().zip(&line.tips).collect();
        let most = (ALL_TIPS / self.lines.len()).clamp(20, MOST_TIPS);
        for ((x, y), tip) in thinned(&said, most) {
            if drawable(*x) && drawable(*y) {
                let ((x, y), tip, class) = (self.at(*x, *y), markup::html(tip), class(line.colour));
                let _ = write!(
                    out,
                    "<circle class=\"p {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"><title>{tip}</title></circle>"
                );
            }
        }
    }

    /// Labels at the right ends of the lines, moved apart where they would lie on each other.
    fn labels(&self, out: &mut String) {
        let end = |line: &Line| line.points.iter().rev().copied().find(|&(x, y)| drawable(x) && drawable(y));
        let labelled = self.lines.iter().filter_map(|line| Some((line, line.label.as_ref()?, end(line)?)));
        let mut labels: Vec<_> = labelled.map(|(line, label, (x, y))| (line, label, self.at(x, y))).collect();
        labels.sort_by(|(_, _, (_, a)), (_, _, (_, b))| a.total_cmp(b));
        let ends: Vec<f64> = labels.iter().map(|(_, _, (_, y))| *y).collect();
        let (width, height) = self.inner();
        let places = apart(&ends, TOP, TOP + height);
        for ((line, label, (x, y)), place) in labels.into_iter().zip(places) {
            let (class, text, right) = (class(line.colour), markup::html(&shortened(label)), LEFT + width);
            let _ = write!(
                out,
                "<path class=\"w {class}\" d=\"M{:.1} {y:.1}L{:.1} {place:.1}\"/>",
                x + 2.0,
                right + 12.0
            );
            let _ = write!(
                out,
                "<text class=\"q {class}\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
                right + 15.0,
                place + 4.0
            );
        }
    }
}

/// Places for labels that want these, in ascending order: as near as can be, none on another, if they fit.
pub fn apart(wanted: &[f64], low: f64, high: f64) -> Vec<f64> {
    let mut places = wanted.to_vec();
    for i in 1..places.len() {
        places[i] = places[i].max(places[i - 1] + LABEL);
    }
    let mut limit = high;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - LABEL;
    }
    // A heap that was pushed down only goes back up to the middle of what it wanted.
    let mut start = 0;
    while start < places.len() {
        let mut end = start + 1;
        while end < places.len() && places[end] - places[end - 1] < LABEL + 0.01 {
            end += 1;
        }
        let shift = (start..end).map(|i| wanted[i] - places[i]).sum::<f64>() / (end - start) as f64;
        let above = if start == 0 { low } else { places[start - 1] + LABEL };
        let shift = shift.max(above - places[start]).min(0.0);
        places[start..end].iter_mut().for_each(|place| *place += shift);
        start = end;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance() {
        assert_eq!(apart(&[10.0, 100.0], 0.0, 200.0), [10.0, 100.0]);
        let places = apart(&[50.0, 51.0, 52.0, 199.0, 200.0], 0.0, 200.0);
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] > LABEL - 0.1), "{places:?}");
        assert!((places[1] - 51.0).abs() < 0.1 && places[4] <= 200.0, "{places:?}");
    }

    #[test]
    fn long_lines_are_thinned() {
        let many: Vec<usize> = (0..10_001).collect();
        let few = thinned(&many, 500);
        assert_eq!((few.len(), few[0], few[499]), (500, 0, 10_000));
        assert_eq!(thinned(&many[..3], 500), [0, 1, 2]);
    }

    #[test]
    fn a_line_breaks_where_there_is_nothing() {
        let points = vec![(1.0, 1.0), (2.0, f64::NAN), (3.0, 2.0), (4.0, 1.0)];
        let line = Line {
            points,
            colour: 9,
            stroke: Stroke::Thick,
            title: "<i>".into(),
            tips: Vec::new(),
            label: None,
        };
        let chart = Chart {
            title: String::new(),
            x_label: "x".into(),
            y_label: "y".into(),
            x: Axis::fixed(1.0, 4.0),
            y: Axis::fixed(0.0, 2.0),
            bands: Vec::new(),
            lines: vec![line],
            size: (400.0, 200.0),
        };
        let svg = chart.svg();
        assert!(svg.contains("<path class=\"l c1 d1\" d=\"M58.0 93.0M276.7 26.0L386.0 93.0\">"), "{svg}");
        assert!(svg.contains("&lt;i&gt;") && !svg.contains("<i>"));
    }
}
