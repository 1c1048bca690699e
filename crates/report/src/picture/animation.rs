//! Canvases one after the other as an animated GIF. Only what changes is written; the rest shines through.

use std::borrow::Cow;
use std::collections::HashMap;

use games::picture::Colour;
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::canvas::{Area, Canvas};

/// A GIF under way, in memory: its frames are packed as they come, and the colours are known when the last one has.
pub struct Animation {
    size: (u16, u16),
    frames: Vec<Frame<'static>>,
    colours: Vec<Colour>,
    numbers: HashMap<Colour, u8>,
    last: Option<Canvas>,
}

const MEMORY: &str = "memory takes every frame of a sound size";
/// The number that no colour has.
const TRANSPARENT: u8 = 0;
/// As many colours as a GIF has beside it.
const MOST: usize = 255;

impl Animation {
    /// Nothing yet, of canvases of this size.
    ///
    /// # Panics
    /// If a side is longer than 65535 pixels.
    pub fn new(width: usize, height: usize) -> Self {
        let side = |pixels: usize| u16::try_from(pixels).expect("a side fits 16 bits");
        let size = (side(width), side(height));
        Self { size, frames: Vec::new(), colours: Vec::new(), numbers: HashMap::new(), last: None }
    }

    /// The number of a colour; where all are taken, that of the most similar one.
    fn number(&mut self, colour: Colour) -> u8 {
        if let Some(&number) = self.numbers.get(&colour) {
            return number;
        }
        let far = |other: &Colour| {
            let parts = [(colour.0, other.0), (colour.1, other.1), (colour.2, other.2)];
            parts.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).iter().sum::<u32>()
        };
        let place = if self.colours.len() < MOST {
            self.colours.push(colour);
            self.colours.len() - 1
        } else {
            (0..MOST).min_by_key(|&i| far(&self.colours[i])).unwrap_or(0)
        };
        let number = place as u8 + 1;
        self.numbers.insert(colour, number);
        number
    }

    /// Adds a canvas that is shown for so many hundredths of a second.
    pub fn push(&mut self, canvas: &Canvas, hundredths: u16) {
        let whole = Area { left: 0, top: 0, width: canvas.width(), height: canvas.height() };
        // A frame without a change is still a frame: it takes time.
        let area = self.last.as_ref().map_or(whole, |last| {
            canvas.difference(last).unwrap_or(Area { left: 0, top: 0, width: 1, height: 1 })
        });
        let last = self.last.take();
        let mut pixels = Vec::with_capacity(area.width * area.height);
        for y in area.top..area.top + area.height {
            for x in area.left..area.left + area.width {
                let colour = canvas.pixel(x, y);
                let same = last.as_ref().is_some_and(|last| last.pixel(x, y) == colour);
                pixels.push(if same { TRANSPARENT } else { self.number(colour) });
            }
        }
        let mut frame = Frame {
            delay: hundredths,
            dispose: DisposalMethod::Keep,
            transparent: Some(TRANSPARENT),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: Cow::Owned(pixels),
            ..Frame::default()
        };
        frame.make_lzw_pre_encoded();
        self.frames.push(frame);
        self.last = Some(canvas.clone());
    }

    /// The bytes of the file.
    pub fn finish(self) -> Vec<u8> {
        let mut palette = vec![0; 3];
        palette.extend(self.colours.iter().flat_map(|colour| [colour.0, colour.1, colour.2]));
        let mut encoder = Encoder::new(Vec::new(), self.size.0, self.size.1, &palette).expect(MEMORY);
        encoder.set_repeat(Repeat::Infinite).expect(MEMORY);
        for frame in &self.frames {
            encoder.write_lzw_pre_encoded_frame(frame).expect(MEMORY);
        }
        encoder.into_inner().expect(MEMORY)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Decodes a GIF: its size, and the colours of every picture as it is seen.
    pub fn decoded(bytes: &[u8]) -> ((usize, usize), Vec<Vec<Colour>>) {
        let mut decoder = gif::DecodeOptions::new().read_info(bytes).unwrap();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let palette = decoder.global_palette().unwrap().to_vec();
        let colour = |number: u8| {
            let parts = &palette[3 * usize::from(number)..];
            Colour(parts[0], parts[1], parts[2])
        };
        let mut seen = vec![Colour::BLACK; width * height];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let rows = frame.buffer.chunks(usize::from(frame.width)).enumerate();
            for (y, row) in rows {
                for (x, &number) in row.iter().enumerate().filter(|(_, c)| Some(**c) != frame.transparent) {
                    seen[(usize::from(frame.top) + y) * width + usize::from(frame.left) + x] = colour(number);
                }
            }
            pictures.push(seen.clone());
        }
        ((width, height), pictures)
    }

    /// How long each picture of a GIF stays, in hundredths of a second, and whether it begins again at its end.
    pub fn delays(bytes: &[u8]) -> (Vec<u16>, bool) {
        let mut decoder = gif::DecodeOptions::new().read_info(bytes).unwrap();
        let mut delays = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            delays.push(frame.delay);
        }
        (delays, decoder.repeat() == Repeat::Infinite)
    }

    fn pixels(canvas: &Canvas) -> Vec<Colour> {
        let all = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        all.map(|(x, y)| canvas.pixel(x, y)).collect()
    }

    #[test]
    fn what_goes_in_comes_out() {
        let grey = |part: u8| Colour(part, part, part);
        let mut canvas = Canvas::new(7, 5, grey(1));
        let mut animation = Animation::new(7, 5);
        let mut expected = Vec::new();
        for (x, colour) in [(0, 1), (2, 2), (2, 2), (6, 0), (1, 2)] {
            canvas.fill(x, x / 2, 2, 1, grey(colour));
            animation.push(&canvas, 10 + x as u16);
            expected.push(pixels(&canvas));
        }
        let bytes = animation.finish();
        assert_eq!(decoded(&bytes), ((7, 5), expected));
        assert_eq!(delays(&bytes), (vec![10, 12, 12, 16, 11], true));
    }

    #[test]
    fn more_colours_than_there_are_become_the_nearest() {
        let mut canvas = Canvas::new(300, 1, Colour::BLACK);
        let shade = |x: usize| if x < 250 { Colour(x as u8, 0, 0) } else { Colour(0, (x - 250) as u8, 0) };
        (0..300).for_each(|x| canvas.fill(x, 0, 1, 1, shade(x)));
        let mut animation = Animation::new(300, 1);
        animation.push(&canvas, 10);
        let (_, pictures) = decoded(&animation.finish());
        // After 250 reds black comes once more, then there is room for five greens: further ones become the last of them.
        assert_eq!(pictures[0][..256], pixels(&canvas)[..256]);
        assert!(pictures[0][256..].iter().all(|&colour| colour == Colour(0, 5, 0)));
    }
}
