//! Charts of a game between two: how far the first side is ahead, and the time of every move.

use games::Side;
use games::picture::Colour;

use super::canvas::{Area, Canvas};
use super::drawing::{FAINT, GROUND};
use super::font::HEIGHT;
use super::stage::{LETTER, LINE, SCALE};

const GAP: usize = 28;
/// Pixels of the charts from left to right, their marks left out.
const CHART: usize = 400;
/// Room for the marks of a chart.
const MARKS: usize = 6 * LETTER;
/// Lines behind a chart.
const GRID: Colour = Colour(44, 50, 70);

/// A game by its moves, in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Who moved.
    pub sides: Vec<Side>,
    /// How far the first side is ahead, from the opening on.
    pub ahead: Vec<f64>,
    /// What that counts.
    pub unit: String,
    /// Seconds of each move; empty if unknown.
    pub seconds: Vec<f64>,
    /// The colours of the sides.
    pub colours: [Colour; 2],
}

/// Seconds with as many digits as tell something.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 9.95 => format!("{s:.0} s"),
        s if s >= 0.0995 => format!("{s:.1} s"),
        s if s >= 0.000_995 => format!("{:.0} ms", s * 1e3),
        s if s > 0.0 => format!("{:.0} us", s * 1e6),
        _ => "0".to_string(),
    }
}

impl Course {
    /// Pixels of the charts from left to right.
    pub const WIDTH: usize = MARKS + CHART;

    /// The time that a side has used up to a move.
    pub fn used(&self, side: Side, number: usize) -> f64 {
        let times = self.seconds.iter().zip(&self.sides).take(number);
        times.filter(|it| *it.1 == side).map(|it| it.0).sum()
    }

    /// Both charts, one above the other, up to a move.
    pub fn draw(&self, canvas: &mut Canvas, area: Area, number: usize) {
        let height = (area.height - 2 * LINE - GAP) / 2;
        let upper = Area { left: area.left + MARKS, top: area.top + LINE, width: CHART, height };
        self.draw_score(canvas, upper, number);
        self.draw_times(canvas, Area { top: upper.top + height + GAP + LINE, ..upper }, number);
    }

    fn moves(&self) -> usize {
        self.sides.len().max(1)
    }

    /// How far the first side is ahead, up to a move.
    fn draw_score(&self, canvas: &mut Canvas, area: Area, number: usize) {
        let most = self.ahead.iter().fold(3.0, |most: f64, value| most.max(value.abs()));
        let middle = area.top + area.height / 2;
        let pixels = |value: f64| (value.abs() / most * (area.height / 2 - 2) as f64).round() as usize;
        frame(canvas, area, &format!("{} ahead", self.unit));
        let half = if most >= 4.0 { vec![(most / 2.0).floor()] } else { Vec::new() };
        for value in half.into_iter().chain([most]) {
            for (place, text) in
                [(middle - pixels(value), format!("+{value}")), (middle + pixels(value), format!("-{value}"))]
            {
                mark(canvas, area, place, &text);
            }
        }
        let mut last = None;
        for x in 0..=area.width * number / self.moves() {
            // Between two moves the line goes straight.
            let at = (x as f64 * self.moves() as f64 / area.width as f64).min(number as f64);
            let (from, to) = (at.floor() as usize, at.ceil() as usize);
            let value = self.ahead[from] + (self.ahead[to] - self.ahead[from]) * at.fract();
            let side = if value >= 0.0 { Side::First } else { Side::Second };
            let length = pixels(value);
            let top = if value >= 0.0 { middle - length } else { middle };
            let colour = self.colours[side.index()];
            canvas.fill(area.left + x, top, 1, length, colour.mix(GROUND, 0.68));
            let line = if value >= 0.0 { middle - length } else { middle + length };
            // Where it is steep, it still has no gaps.
            let from = last.replace(line).unwrap_or(line);
            let (high, low) = (line.min(from), line.max(from));
            canvas.fill(area.left + x, high - 1, 1, low - high + 3, colour);
        }
        canvas.fill(area.left, middle, area.width, 1, FAINT);
        mark(canvas, area, middle, "0");
    }

    /// A bar for each move, up to a move.
    fn draw_times(&self, canvas: &mut Canvas, area: Area, number: usize) {
        frame(canvas, area, "time of a move");
        let bottom = area.top + area.height;
        let most = self.seconds.iter().fold(0.0, |most: f64, &seconds| most.max(seconds));
        canvas.fill(area.left, bottom, area.width, 1, FAINT);
        if most == 0.0 {
            canvas.text(area.left + LETTER, area.top + LINE, SCALE, FAINT, "not on record");
            return;
        }
        for share in [0.5, 1.0] {
            let place = bottom - ((area.height - 4) as f64 * share) as usize;
            mark(canvas, area, place, &time(most * share));
        }
        for (i, (&seconds, &side)) in self.seconds.iter().zip(&self.sides).enumerate().take(number) {
            let (from, to) = (area.width * i / self.moves(), area.width * (i + 1) / self.moves());
            // A move takes some time, however little: it is seen that there was one.
            let length = ((seconds / most * (area.height - 4) as f64).round() as usize).max(1);
            let width = (to - from).saturating_sub(1 + usize::from(to - from > 6)).max(1);
            canvas.fill(area.left + from + 1, bottom - length, width, length, self.colours[side.index()]);
        }
    }
}

/// The title of a chart and its left edge.
fn frame(canvas: &mut Canvas, area: Area, title: &str) {
    canvas.text(area.left, area.top - LINE, SCALE, FAINT, title);
    canvas.fill(area.left - 1, area.top, 1, area.height + 1, GRID);
}

/// A line across a chart, with what it stands for.
fn mark(canvas: &mut Canvas, area: Area, place: usize, text: &str) {
    if text != "0" {
        canvas.fill(area.left, place, area.width, 1, GRID);
    }
    let end = area.left - 8 - text.chars().count() * LETTER;
    canvas.text(end, place.saturating_sub(HEIGHT), SCALE, FAINT, text);
}
