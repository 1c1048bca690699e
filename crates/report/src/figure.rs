//! A chart on the page, with its heading, its key, and the switch between two scales.

use std::fmt::Write;

use super::markup;
use super::plot::{Chart, class};

/// One entry of the key.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    class: String,
    label: String,
}

impl Key {
    /// A line.
    pub fn line(colour: usize, label: &str) -> Self {
        Self { class: class(colour), label: label.to_string() }
    }

    /// A broken line.
    pub fn dashed(colour: usize, label: &str) -> Self {
        Self { class: format!("{} broken", class(colour)), label: label.to_string() }
    }

    /// A line among many.
    pub fn thin(colour: usize, label: &str) -> Self {
        Self { class: format!("{} fine", class(colour)), label: label.to_string() }
    }

    /// What lies between two values.
    pub fn band(colour: usize, label: &str) -> Self {
        Self { class: format!("{} area", class(colour)), label: label.to_string() }
    }

    /// A mark of this shape.
    pub fn mark(colour: usize, shape: &str, label: &str) -> Self {
        Self { class: format!("{} {shape}", class(colour)), label: label.to_string() }
    }
}

/// A chart on the page.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    heading: String,
    pictures: Vec<String>,
    keys: Vec<Key>,
    wide: bool,
    /// The lines as numbers, for other programs; none of what is drawn by hand.
    data: Option<Data>,
}

/// The lines of a chart as numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    /// What is counted to the right and upwards.
    pub labels: [String; 2],
    /// Whether each axis goes by logarithms.
    pub log: [bool; 2],
    /// Each line: what it is, and its points.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}

impl Data {
    fn of(chart: &Chart) -> Self {
        Self {
            labels: [chart.x_label.clone(), chart.y_label.clone()],
            log: [chart.x.is_log(), chart.y.is_log()],
            lines: chart.lines.iter().map(|line| (line.title.clone(), line.points.clone())).collect(),
        }
    }

    /// One point a row: its line, x and y.
    pub fn csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut out = String::from("line,x,y\n");
        for (name, points) in &self.lines {
            for (x, y) in points {
                let _ = writeln!(out, "{},{x},{y}", quoted(name));
            }
        }
        out
    }

    /// A picture for LaTeX, by pgfplots.
    pub fn pgfplots(&self, heading: &str) -> String {
        let [x, y] = self.labels.each_ref().map(|label| tex(label));
        let mode = |log: bool| if log { "log" } else { "linear" };
        let [x_mode, y_mode] = self.log.map(mode);
        let mut out = format!(
            "% {}\n\\begin{{tikzpicture}}\n\\begin{{axis}}[xlabel={{{x}}}, ylabel={{{y}}}, xmode={x_mode}, ymode={y_mode}, no markers]\n",
            heading.replace('\n', " ")
        );
        for (name, points) in &self.lines {
            let points: String = points.iter().map(|(x, y)| format!(" ({x},{y})")).collect();
            let _ = writeln!(out, "% {}\n\\addplot coordinates {{{points} }};", name.replace('\n', " "));
        }
        out.push_str("\\end{axis}\n\\end{tikzpicture}\n");
        out
    }
}

/// A text that LaTeX prints as it is.
fn tex(text: &str) -> String {
    let sign = |sign: char| match sign {
        '%' | '#' | '&' | '_' | '$' | '{' | '}' => format!("\\{sign}"),
        '\\' | '^' | '~' => " ".to_string(),
        sign => sign.to_string(),
    };
    text.chars().map(sign).collect()
}

impl Figure {
    /// Of one chart.
    pub fn one(heading: &str, chart: &Chart) -> Self {
        Self { data: Some(Data::of(chart)), ..Self::drawn(heading, chart.svg()) }
    }

    /// Of a chart that is drawn already.
    pub fn drawn(heading: &str, picture: String) -> Self {
        Self {
            heading: heading.to_string(),
            pictures: vec![picture],
            keys: Vec::new(),
            wide: false,
            data: None,
        }
    }

    /// Of the same by logarithms and without.
    pub fn two(heading: &str, log: &Chart, linear: &Chart) -> Self {
        let pictures = vec![log.svg(), linear.svg()];
        let data = Some(Data::of(log));
        Self { heading: heading.to_string(), pictures, keys: Vec::new(), wide: false, data }
    }

    /// With a key.
    pub fn keys(self, keys: Vec<Key>) -> Self {
        Self { keys, ..self }
    }

    /// Over the whole width of the page, if `wide`.
    pub fn wide(self, wide: bool) -> Self {
        Self { wide, ..self }
    }

    /// The chart alone; of two scales that by logarithms.
    pub fn picture(&self) -> &str {
        &self.pictures[0]
    }

    /// What it shows.
    pub fn heading(&self) -> &str {
        &self.heading
    }

    /// Its lines as numbers, if it has lines.
    pub fn data(&self) -> Option<&Data> {
        self.data.as_ref()
    }

    /// With another heading.
    pub fn called(self, heading: &str) -> Self {
        Self { heading: heading.to_string(), ..self }
    }

    /// What its lines and marks are: their classes, and what they stand for.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.keys.iter().map(|key| (key.class.as_str(), key.label.as_str()))
    }

    /// As part of the page.
    pub fn html(&self) -> String {
        let wide = if self.wide { " class=\"wide\"" } else { "" };
        let mut out = format!("<figure{wide}><figcaption>{}", markup::html(&self.heading));
        if self.pictures.len() > 1 {
            out.push_str(
                "<label class=\"scale\"><input type=\"checkbox\" class=\"lin\"> linear scale</label>",
            );
        }
        out.push_str("</figcaption>");
        if !self.keys.is_empty() {
            out.push_str("<div class=\"key\">");
            for Key { class, label } in &self.keys {
                let _ = write!(out, "<span class=\"{class}\"><i></i>{}</span>", markup::html(label));
            }
            out.push_str("</div>");
        }
        for (picture, scale) in self.pictures.iter().zip(["first", "second"]) {
            let _ = write!(out, "<div class=\"plot {scale}\">{picture}</div>");
        }
        out.push_str("</figure>\n");
        out
    }
}
