//! The samples that inputs begin from, and the inputs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use math::Dice;

use crate::Target;
use crate::mutate::mutate;

/// The longest input.
const MOST_BYTES: usize = 1 << 20;
/// Of inputs with a checksum, one in so many is left with the wrong one.
const LEFT_WRONG: usize = 16;

/// Where samples lie, unless somebody says otherwise.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The samples of a target.
pub struct Corpus {
    target: &'static Target,
    samples: Vec<Vec<u8>>,
}

impl Corpus {
    /// Reads the samples of a target, in the order of their names.
    ///
    /// # Errors
    /// They cannot be read, or there are none.
    pub fn read(target: &'static Target) -> io::Result<Self> {
        let folder = folder().join(target.name);
        let said = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
        let entries = fs::read_dir(&folder).map_err(said)?;
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>().map_err(said)?;
        paths.sort();
        let samples: Vec<Vec<u8>> = paths.iter().map(fs::read).collect::<io::Result<_>>().map_err(said)?;
        match samples.is_empty() {
            true => Err(said(io::Error::other("there is no sample in it"))),
            false => Ok(Self { target, samples }),
        }
    }

    /// How many samples there are; the inputs of the first numbers are these as they are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is none, which is never so.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The input of a number.
    pub fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        if let Some(sample) = usize::try_from(number).ok().and_then(|number| self.samples.get(number)) {
            return sample.clone();
        }
        let name = self.target.name.bytes().fold(0, |hash, byte| math::mix(hash ^ u64::from(byte)));
        let mut dice = Dice::seeded(&[seed, name, number]);
        let sample = &self.samples[dice.below(self.samples.len())];
        // What the first line says is left alone, mostly: it only chooses the game.
        let head = match self.target.is_headed && dice.below(16) > 0 {
            true => sample.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1),
            false => 0,
        };
        let mut bytes = sample[head..].to_vec();
        let mut times = 1;
        while times < 8 && dice.below(5) < 2 {
            times += 1;
        }
        for _ in 0..times {
            let other = &self.samples[dice.below(self.samples.len())];
            mutate(&mut bytes, other, self.target.tokens, &mut dice);
            bytes.truncate(MOST_BYTES);
        }
        let input = [&sample[..head], &bytes].concat();
        match self.target.seal {
            Some(seal) if dice.below(LEFT_WRONG) > 0 => seal(input),
            _ => input,
        }
    }
}
