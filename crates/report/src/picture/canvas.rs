//! Pixels: rectangles, discs and text, clipped at the edges.

use games::picture::Colour;

use super::drawing::{Drawing, Part};
use super::font::{self, glyph};

/// Rows of pixels from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Colour>,
}

/// A part of a canvas: left, top, width and height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Pixels to the left of it.
    pub left: usize,
    /// Pixels above it.
    pub top: usize,
    /// Its width.
    pub width: usize,
    /// Its height.
    pub height: usize,
}

impl Canvas {
    /// All of one colour.
    pub fn new(width: usize, height: usize, colour: Colour) -> Self {
        Self { width, height, pixels: vec![colour; width * height] }
    }

    /// Pixels from left to right.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The colour of a pixel.
    ///
    /// # Panics
    /// If it is outside.
    pub fn pixel(&self, x: usize, y: usize) -> Colour {
        assert!(x < self.width && y < self.height, "pixel {x}, {y} of {}x{}", self.width, self.height);
        self.pixels[y * self.width + x]
    }

    /// Fills a rectangle, as far as it is inside.
    pub fn fill(&mut self, left: usize, top: usize, width: usize, height: usize, colour: Colour) {
        let (left, right) = (left.min(self.width), (left + width).min(self.width));
        for y in top.min(self.height)..(top + height).min(self.height) {
            self.pixels[y * self.width + left..y * self.width + right].fill(colour);
        }
    }

    /// Fills a disc; pixels that its edge runs through take some of its colour.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, colour: Colour) {
        let range = |middle: f64, most: usize| {
            let (from, to) = (middle - radius - 1.0, middle + radius + 1.0);
            (from.max(0.0) as usize).min(most)..(to.max(0.0).ceil() as usize).min(most)
        };
        for py in range(y, self.height) {
            for px in range(x, self.width) {
                let distance = math::hypot(px as f64 + 0.5 - x, py as f64 + 0.5 - y);
                // Quarters, since a GIF has few colours.
                let share = ((radius - distance + 0.5).clamp(0.0, 1.0) * 4.0).round() / 4.0;
                if share > 0.0 {
                    let pixel = &mut self.pixels[py * self.width + px];
                    *pixel = if share < 1.0 { pixel.mix(colour, share) } else { colour };
                }
            }
        }
    }

    /// Draws all parts with their upper left corner at a pixel, in cells of so many pixels. What is above or left of the
    /// canvas is cut off.
    pub fn draw(&mut self, drawing: &Drawing, (left, top): (f64, f64), cell: f64) {
        let at = |(x, y): (f64, f64)| (left + x * cell, top + y * cell);
        for part in &drawing.parts {
            match part {
                Part::Rect(corner, (width, height), colour) => {
                    let ((x, y), pixel) = (at(*corner), |place: f64| place.round().max(0.0) as usize);
                    let (right, bottom) = (pixel(x + width * cell), pixel(y + height * cell));
                    let (x, y) = (pixel(x), pixel(y));
                    self.fill(x, y, right - x, bottom - y, *colour);
                }
                Part::Disc(middle, radius, colour) => self.disc(at(*middle), radius * cell, *colour),
                Part::Line(from, to, colour) => {
                    let (from, to) = (at(*from), at(*to));
                    let steps = math::hypot(to.0 - from.0, to.1 - from.1).ceil().max(1.0);
                    for step in 0..=steps as usize {
                        let share = step as f64 / steps;
                        let point = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
                        self.disc(point, 1.0, *colour);
                    }
                }
                Part::Words { at: place, centred, size, colour, text } => {
                    let scale = ((size * cell / font::HEIGHT as f64).round() as usize).max(1);
                    let (x, y) = at(*place);
                    let wide = (text.chars().count() * font::ADVANCE).saturating_sub(1) * scale;
                    let x = if *centred { x - wide as f64 / 2.0 } else { x };
                    let y = y - (font::HEIGHT * scale) as f64 / 2.0;
                    if x.round() >= 0.0 && y.round() >= 0.0 {
                        self.text(x.round() as usize, y.round() as usize, scale, *colour, text);
                    }
                }
            }
        }
    }

    /// Writes a line of text whose top left corner is given, every dot of the font `scale` pixels wide.
    pub fn text(&mut self, left: usize, top: usize, scale: usize, colour: Colour, text: &str) {
        for (place, sign) in text.chars().enumerate() {
            let left = left + place * font::ADVANCE * scale;
            for (y, row) in glyph(sign).into_iter().enumerate() {
                for x in (0..font::WIDTH).filter(|x| row >> x & 1 != 0) {
                    self.fill(left + x * scale, top + y * scale, scale, scale, colour);
                }
            }
        }
    }

    /// The smallest rectangle that holds every pixel in which two canvases of one size differ.
    pub fn difference(&self, other: &Canvas) -> Option<Area> {
        let rows = || self.pixels.chunks(self.width).zip(other.pixels.chunks(self.width));
        let top = rows().position(|(a, b)| a != b)?;
        let bottom = rows().rposition(|(a, b)| a != b)?;
        let (mut left, mut right) = (self.width, 0);
        for (a, b) in rows().skip(top).take(bottom - top + 1) {
            let differs = |x: &usize| a[*x] != b[*x];
            left = (0..left).find(differs).unwrap_or(left);
            right = (right..self.width).rev().find(differs).unwrap_or(right);
        }
        Some(Area { left, top, width: right - left + 1, height: bottom - top + 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREY: Colour = Colour(9, 9, 9);

    #[test]
    fn what_is_outside_is_cut_off() {
        let mut canvas = Canvas::new(4, 3, Colour::BLACK);
        canvas.fill(2, 1, 9, 9, GREY);
        canvas.fill(9, 9, 1, 1, Colour::WHITE);
        canvas.text(3, 0, 2, Colour::WHITE, "88");
        let seen = (canvas.pixel(1, 1), canvas.pixel(2, 1), canvas.pixel(3, 2));
        assert_eq!(seen, (Colour::BLACK, GREY, Colour::WHITE));
        let parts = vec![Part::Rect((0.0, 0.0), (2.0, 2.0), GREY), Part::Disc((0.0, 0.0), 0.5, GREY)];
        canvas.draw(&Drawing { size: (2.0, 2.0), parts }, (-2.0, -2.0), 1.5);
        assert_eq!((canvas.pixel(0, 0), canvas.pixel(1, 1)), (GREY, Colour::BLACK));
        assert_eq!(canvas.pixels.len(), 12);
    }

    #[test]
    fn the_edge_of_a_disc_is_soft() {
        let mut canvas = Canvas::new(9, 9, Colour::BLACK);
        canvas.disc((4.5, 4.5), 3.0, Colour::WHITE);
        assert_eq!((canvas.pixel(4, 4), canvas.pixel(0, 0)), (Colour::WHITE, Colour::BLACK));
        assert_eq!(canvas.pixel(4, 1), Colour(128, 128, 128));
    }

    #[test]
    fn parts_are_where_they_are_drawn() {
        let mut canvas = Canvas::new(40, 40, Colour::BLACK);
        let words = |at, centred| Part::Words {
            at,
            centred,
            size: 7.0,
            colour: Colour::WHITE,
            text: "L".to_string(),
        };
        let parts = vec![
            Part::Rect((2.0, 2.0), (3.0, 3.0), GREY),
            Part::Line((1.0, 15.0), (35.0, 15.0), GREY),
            words((20.5, 25.5), false),
            words((20.5, 35.5), true),
        ];
        canvas.draw(&Drawing { size: (40.0, 40.0), parts }, (0.0, 0.0), 1.0);
        let is_drawn = |places: &[(usize, usize)]| -> Vec<bool> {
            places.iter().map(|&(x, y)| canvas.pixel(x, y) != Colour::BLACK).collect()
        };
        assert_eq!(is_drawn(&[(1, 2), (2, 2), (4, 4), (5, 4)]), [false, true, true, false]);
        assert_eq!(is_drawn(&[(1, 15), (18, 15), (34, 15), (37, 15)]), [true, true, true, false]);
        // An L is a stroke down at the left, and one to the right at its foot.
        let letter =
            |left: usize, top: usize| [(left - 1, top), (left, top), (left + 4, top), (left + 4, top + 6)];
        assert_eq!(is_drawn(&letter(21, 22)), [false, true, false, true]);
        assert_eq!(is_drawn(&letter(18, 32)), [false, true, false, true], "its middle is where it is put");
    }

    #[test]
    fn the_difference_is_the_smallest_rectangle() {
        let before = Canvas::new(10, 10, Colour::BLACK);
        let mut after = before.clone();
        assert_eq!(after.difference(&before), None);
        after.fill(2, 3, 1, 1, GREY);
        after.fill(5, 7, 1, 1, GREY);
        assert_eq!(after.difference(&before), Some(Area { left: 2, top: 3, width: 4, height: 5 }));
    }
}
