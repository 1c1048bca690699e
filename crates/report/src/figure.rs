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
}

impl Figure {
    /// Of one chart.
    pub fn one(heading: &str, chart: &Chart) -> Self {
        Self::drawn(heading, chart.svg())
    }

    /// Of a chart that is drawn already.
    pub fn drawn(heading: &str, picture: String) -> Self {
        Self { heading: heading.to_string(), pictures: vec![picture], keys: Vec::new(), wide: false }
    }

    /// Of the same by logarithms and without.
    pub fn two(heading: &str, log: &Chart, linear: &Chart) -> Self {
        let pictures = vec![log.svg(), linear.svg()];
        Self { heading: heading.to_string(), pictures, keys: Vec::new(), wide: false }
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
