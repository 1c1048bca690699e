//! A picture as colour numbers: rectangles and text, clipped at the edges.

use super::font::{self, glyph};

/// Rows of pixels from the top, each pixel the number of its colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
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
    pub fn new(width: usize, height: usize, colour: u8) -> Self {
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
    pub fn pixel(&self, x: usize, y: usize) -> u8 {
        assert!(x < self.width && y < self.height, "pixel {x}, {y} of {}x{}", self.width, self.height);
        self.pixels[y * self.width + x]
    }

    /// Fills a rectangle, as far as it is inside.
    pub fn fill(&mut self, left: usize, top: usize, width: usize, height: usize, colour: u8) {
        let (left, right) = (left.min(self.width), (left + width).min(self.width));
        for y in top.min(self.height)..(top + height).min(self.height) {
            self.pixels[y * self.width + left..y * self.width + right].fill(colour);
        }
    }

    /// Writes a line of text whose top left corner is given, every dot of the font `scale` pixels wide.
    pub fn text(&mut self, left: usize, top: usize, scale: usize, colour: u8, text: &str) {
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

    #[test]
    fn what_is_outside_is_cut_off() {
        let mut canvas = Canvas::new(4, 3, 0);
        canvas.fill(2, 1, 9, 9, 5);
        canvas.fill(9, 9, 1, 1, 6);
        canvas.text(3, 0, 2, 7, "88");
        assert_eq!((canvas.pixel(1, 1), canvas.pixel(2, 1), canvas.pixel(3, 2)), (0, 5, 7));
        assert_eq!(canvas.pixels.len(), 12);
    }

    #[test]
    fn the_difference_is_the_smallest_rectangle() {
        let before = Canvas::new(10, 10, 0);
        let mut after = before.clone();
        assert_eq!(after.difference(&before), None);
        after.fill(2, 3, 1, 1, 1);
        after.fill(5, 7, 1, 1, 1);
        assert_eq!(after.difference(&before), Some(Area { left: 2, top: 3, width: 4, height: 5 }));
    }
}
