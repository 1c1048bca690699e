//! The packed format: the line of the header, the positions, an end, a checksum.
//!
//! A position is the length of its text; the text as what differs from the one before, bytes to keep and bytes that are
//! new by turns until it is whole; the label as a 32-bit float, lowest byte first; the ply; the game. The position before a
//! move is mostly the position after it, in every game, so that no game needs a packing of its own. A length of 0 is the
//! end; the number of positions follows, and 64 bits of FNV-1a over everything before them. Numbers have seven bits a
//! byte, the lowest first, the high bit for "more follows".

use std::io::BufRead;

use play::files::Checksum;
use play::files::varint::{number, put};

use super::{Labelled, MOST_TEXT};

/// Fewer equal bytes than this between new ones are written as new: two numbers would take as much.
const GAP: usize = 3;
const CUT: &str = "it is cut short";

/// Writes positions, each as its difference from the last.
#[derive(Debug, Default)]
pub struct Packer {
    last: Vec<u8>,
    positions: u64,
    sum: Checksum,
}

impl Packer {
    /// The bytes of a position.
    pub fn pack(&mut self, position: &Labelled) -> Vec<u8> {
        let mut bytes = Vec::new();
        let text = position.text.as_bytes();
        put(&mut bytes, text.len() as u64);
        let same = |at: usize| self.last.get(at) == Some(&text[at]);
        let mut at = 0;
        while at < text.len() {
            let kept = (at..text.len()).take_while(|&at| same(at)).count();
            put(&mut bytes, kept as u64);
            at += kept;
            if at == text.len() {
                break;
            }
            // New bytes go on until some are kept that are worth it.
            let worth = |from: usize| from + GAP <= text.len() && (from..from + GAP).all(same);
            let end = (at..text.len()).find(|&from| worth(from)).unwrap_or(text.len());
            put(&mut bytes, (end - at) as u64);
            bytes.extend(&text[at..end]);
            at = end;
        }
        bytes.extend(position.label.to_le_bytes());
        put(&mut bytes, u64::from(position.ply));
        put(&mut bytes, position.game);
        self.last = text.to_vec();
        self.positions += 1;
        bytes
    }

    /// What follows the last position.
    pub fn end(&self) -> Vec<u8> {
        let mut bytes = vec![0];
        put(&mut bytes, self.positions);
        bytes
    }

    /// Takes bytes that were written into the checksum.
    pub fn count(&mut self, bytes: &[u8]) {
        self.sum.add(bytes);
    }

    /// The checksum of all that was written.
    pub fn checksum(&self) -> [u8; 8] {
        self.sum.value().to_le_bytes()
    }
}

/// Reads positions one after the other, each made from the last; nothing else is held.
pub struct Unpacker<R> {
    input: R,
    last: Vec<u8>,
    positions: u64,
    sum: Checksum,
}

impl<R: BufRead> Unpacker<R> {
    /// Goes on behind the header.
    pub fn new(input: R, header: &[u8]) -> Self {
        let mut sum = Checksum::default();
        sum.add(header);
        Self { input, last: Vec::new(), positions: 0, sum }
    }

    /// What it reads from.
    pub fn input(&self) -> &R {
        &self.input
    }

    /// The next position; none at the end, which is found to be whole and sound.
    pub fn position(&mut self) -> Result<Option<Labelled>, String> {
        let length = self.number()? as usize;
        if length == 0 {
            return self.end().map(|()| None);
        }
        if length > MOST_TEXT {
            return Err(format!("a position in it has {length} bytes, more than {MOST_TEXT}"));
        }
        self.last = self.text(length)?;
        let text = String::from_utf8(self.last.clone()).map_err(|_| "a position in it is no text")?;
        let mut label = [0; 4];
        for byte in &mut label {
            *byte = self.byte()?;
        }
        let ply = self.number()?.try_into().map_err(|_| "a ply in it is too large")?;
        let read = Labelled { text, label: f32::from_le_bytes(label), ply, game: self.number()? };
        read.check()?;
        self.positions += 1;
        Ok(Some(read))
    }

    fn end(&mut self) -> Result<(), String> {
        let count = self.number()?;
        let sum = self.sum.value();
        let mut written = [0; 8];
        for byte in &mut written {
            *byte = self.byte()?;
        }
        if sum != u64::from_le_bytes(written) {
            return Err("its checksum is wrong: it is cut short or damaged".into());
        }
        let more = self.input.fill_buf().map_err(|error| error.to_string())?;
        if count != self.positions || !more.is_empty() {
            return Err(format!("it says that it has {count} positions, and has not"));
        }
        Ok(())
    }

    /// The next text, made from the one before it.
    fn text(&mut self, length: usize) -> Result<Vec<u8>, String> {
        let mut text = Vec::with_capacity(length);
        while text.len() < length {
            let (at, kept) = (text.len(), self.number()? as usize);
            let end = at.checked_add(kept).filter(|&end| end <= length);
            let kept = end.and_then(|end| self.last.get(at..end));
            text.extend(kept.ok_or("a position in it keeps what is not there")?);
            if text.len() == length {
                break;
            }
            let new = self.number()? as usize;
            if new == 0 || new > length - text.len() {
                return Err("a position in it has a wrong length".into());
            }
            for _ in 0..new {
                text.push(self.byte()?);
            }
        }
        Ok(text)
    }

    fn number(&mut self) -> Result<u64, String> {
        number(|| self.byte())
    }

    /// The next byte, taken into the checksum.
    fn byte(&mut self) -> Result<u8, String> {
        let byte = *self.input.fill_buf().map_err(|error| error.to_string())?.first().ok_or(CUT)?;
        self.input.consume(1);
        self.sum.add(&[byte]);
        Ok(byte)
    }
}
