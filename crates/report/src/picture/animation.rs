//! Canvases one after the other as an animated GIF. Only what changes is written; the rest shines through.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::canvas::{Area, Canvas};

/// A GIF under way, in memory.
pub struct Animation {
    encoder: Encoder<Vec<u8>>,
    transparent: u8,
    last: Option<Canvas>,
}

const MEMORY: &str = "memory takes every frame of a sound size";

impl Animation {
    /// Nothing yet, of canvases of this size. `palette` is red, green and blue of every colour; `transparent` is the number
    /// of one that no canvas uses.
    ///
    /// # Panics
    /// If a side is longer than 65535 pixels.
    pub fn new(width: usize, height: usize, palette: &[u8], transparent: u8) -> Self {
        let side = |pixels: usize| u16::try_from(pixels).expect("a side fits 16 bits");
        let mut encoder = Encoder::new(Vec::new(), side(width), side(height), palette).expect(MEMORY);
        encoder.set_repeat(Repeat::Infinite).expect(MEMORY);
        Self { encoder, transparent, last: None }
    }

    /// Adds a canvas that is shown for so many hundredths of a second.
    pub fn push(&mut self, canvas: &Canvas, hundredths: u16) {
        let whole = Area { left: 0, top: 0, width: canvas.width(), height: canvas.height() };
        // A frame without a change is still a frame: it takes time.
        let area = self.last.as_ref().map_or(whole, |last| {
            canvas.difference(last).unwrap_or(Area { left: 0, top: 0, width: 1, height: 1 })
        });
        let mut pixels = Vec::with_capacity(area.width * area.height);
        for y in area.top..area.top + area.height {
            pixels.extend((area.left..area.left + area.width).map(|x| {
                let colour = canvas.pixel(x, y);
                let same = self.last.as_ref().is_some_and(|last| last.pixel(x, y) == colour);
                if same { self.transparent } else { colour }
            }));
        }
        let frame = Frame {
            delay: hundredths,
            dispose: DisposalMethod::Keep,
            transparent: Some(self.transparent),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: Cow::Owned(pixels),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).expect(MEMORY);
        self.last = Some(canvas.clone());
    }

    /// The bytes of the file.
    pub fn finish(self) -> Vec<u8> {
        self.encoder.into_inner().expect(MEMORY)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Decodes a GIF: its size, and the colour numbers of every picture as it is seen.
    pub fn decoded(bytes: &[u8]) -> ((usize, usize), Vec<Vec<u8>>) {
        let mut decoder = gif::DecodeOptions::new().read_info(bytes).unwrap();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut seen = vec![0; width * height];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let rows = frame.buffer.chunks(usize::from(frame.width)).enumerate();
            for (y, row) in rows {
                for (x, &colour) in row.iter().enumerate().filter(|(_, c)| Some(**c) != frame.transparent) {
                    seen[(usize::from(frame.top) + y) * width + usize::from(frame.left) + x] = colour;
                }
            }
            pictures.push(seen.clone());
        }
        ((width, height), pictures)
    }

    #[test]
    fn what_goes_in_comes_out() {
        let mut canvas = Canvas::new(7, 5, 1);
        let palette: Vec<u8> = (0..12).collect();
        let mut animation = Animation::new(7, 5, &palette, 3);
        let mut expected = Vec::new();
        for (x, colour) in [(0, 1), (2, 2), (2, 2), (6, 0), (1, 2)] {
            canvas.fill(x, x / 2, 2, 1, colour);
            animation.push(&canvas, 10);
            let all = (0..5).flat_map(|y| (0..7).map(move |x| (x, y)));
            expected.push(all.map(|(x, y)| canvas.pixel(x, y)).collect::<Vec<u8>>());
        }
        assert_eq!(decoded(&animation.finish()), ((7, 5), expected));
    }
}
