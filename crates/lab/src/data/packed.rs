//! The packed format: the line of the header, the positions, an end, a checksum.
//!
//! A position is the length of its text; the text as what differs from the one before, bytes to keep and bytes that are
//! new by turns until it is whole; the label as a 32-bit float, lowest byte first; the ply; the game. The position before a
//! move is mostly the position after it, in every game, so that no game needs a packing of its own. A length of 0 is the
//! end; the number of positions follows, and 64 bits of FNV-1a over everything before them. Numbers have seven bits a
//! byte, the lowest first, the high bit for "more follows".

use super::{Labelled, MOST_TEXT};

/// Fewer equal bytes than this between new ones are written as new: two numbers would take as much.
const GAP: usize = 3;
const CUT: &str = "it is cut short";

/// Writes positions, each as its difference from the last.
#[derive(Debug)]
pub struct Packer {
    last: Vec<u8>,
    positions: u64,
    sum: u64,
}

impl Default for Packer {
    fn default() -> Self {
        Self { last: Vec::new(), positions: 0, sum: OFFSET }
    }
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
        self.sum = fnv(self.sum, bytes);
    }

    /// The checksum of all that was written.
    pub fn checksum(&self) -> [u8; 8] {
        self.sum.to_le_bytes()
    }
}

/// The positions of a file whose header ends before `start`.
pub fn unpack(file: &[u8], start: usize) -> Result<Vec<Labelled>, String> {
    let (file, sum) = file.split_last_chunk::<8>().ok_or(CUT)?;
    if fnv(OFFSET, file) != u64::from_le_bytes(*sum) {
        return Err("its checksum is wrong: it is cut short or damaged".into());
    }
    let mut rest = file.get(start..).ok_or(CUT)?;
    let mut positions = Vec::new();
    let mut last: Vec<u8> = Vec::new();
    loop {
        let length = take(&mut rest)? as usize;
        if length == 0 {
            break;
        }
        if length > MOST_TEXT {
            return Err(format!("a position in it has {length} bytes, more than {MOST_TEXT}"));
        }
        last = text(&mut rest, &last, length)?;
        let (label, more) = rest.split_first_chunk::<4>().ok_or(CUT)?;
        rest = more;
        let text = String::from_utf8(last.clone()).map_err(|_| "a position in it is no text")?;
        let ply = take(&mut rest)?.try_into().map_err(|_| "a ply in it is too large")?;
        let read = Labelled { text, label: f32::from_le_bytes(*label), ply, game: take(&mut rest)? };
        read.check()?;
        positions.push(read);
    }
    let count = take(&mut rest)?;
    if count != positions.len() as u64 || !rest.is_empty() {
        return Err(format!("it says that it has {count} positions, and has not"));
    }
    Ok(positions)
}

/// The next text, made from the one before it.
fn text(rest: &mut &[u8], last: &[u8], length: usize) -> Result<Vec<u8>, String> {
    let mut text = Vec::with_capacity(length);
    while text.len() < length {
        let (at, kept) = (text.len(), take(rest)? as usize);
        let end = at.checked_add(kept).filter(|&end| end <= length);
        let kept = end.and_then(|end| last.get(at..end)).ok_or("a position in it keeps what is not there")?;
        text.extend(kept);
        if text.len() == length {
            break;
        }
        let new = take(rest)? as usize;
        if new == 0 || new > length - text.len() || new > rest.len() {
            return Err("a position in it has a wrong length".into());
        }
        let (bytes, more) = rest.split_at(new);
        text.extend(bytes);
        *rest = more;
    }
    Ok(text)
}

pub(crate) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub(crate) fn take(bytes: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(CUT)?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            break;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err("a number in it has more than 64 bits".into())
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, 64 bits.
fn fnv(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
