//! The file of such a function: a head of text, then every weight that is not tied to a lower one, phase by phase, then a checksum.
//!
//! A weight w is the number 2w - 1 or -2w, never 0; a 0 stands for weights of 0 and is followed by how many. Numbers have seven bits
//! a byte, the lowest first, the high bit for "more follows".

use std::path::Path;

use games::Game;
use games::error::shown;
use games::othello::patterns::PatternSet;
use games::othello::{Othello, Phases};

use super::{FINEST, Form, TableModel};
use crate::files::TableError;
use crate::files::table_file::{load, opened, save, sealed};
use crate::files::varint::{put, take};

const NAME: &str = "evalforge tables 1\n";

/// The largest file that is read: sixty phases of the largest sets take less.
const MOST_BYTES: u64 = 1 << 29;

impl TableModel {
    /// Writes the function; a broken run leaves the old file or none.
    ///
    /// # Errors
    /// The file system refuses.
    pub fn save(&self, path: &Path) -> Result<(), TableError> {
        save(path, self.bytes())
    }

    /// Reads a function.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is none.
    pub fn load(path: &Path) -> Result<Self, TableError> {
        load(path, NAME, MOST_BYTES, Self::parse)
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    /// It is damaged, or none; the text says why.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        Self::parse(bytes)
    }

    /// The content of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        sealed(self.bytes())
    }

    /// The file without its checksum.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let head = format!(
            "{NAME}game {}\n{}\nform {}\nscale {}\nabout {}\n{}\n",
            Othello::NAME,
            self.phases.text(),
            self.form.name(),
            self.scale,
            self.about,
            self.set.text()
        );
        let mut bytes = head.into_bytes();
        let ties = self.set.ties();
        let lowest = |number: &usize| ties[*number] as usize == *number;
        let free: Vec<usize> = (0..ties.len()).filter(lowest).collect();
        for weights in &self.weights {
            let mut zeros = 0;
            for &number in &free {
                let weight = i64::from(weights.first[number]);
                if weight == 0 {
                    zeros += 1;
                    continue;
                }
                end_of_zeros(&mut bytes, &mut zeros);
                put(&mut bytes, if weight > 0 { 2 * weight - 1 } else { -2 * weight } as u64);
            }
            end_of_zeros(&mut bytes, &mut zeros);
        }
        bytes
    }

    /// Reads the whole file.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let (head, content) = opened(bytes, NAME)?;
        let mut lines = head.lines();
        let mut line = |key: &str| {
            let line = lines.next().unwrap_or_default();
            line.strip_prefix(key)
                .map(str::trim)
                .ok_or_else(|| format!("its head says {} where {key} belongs", shown(line)))
        };
        let game = line("game")?;
        if game != Othello::NAME {
            return Err(format!("it is for {}, not for {}", shown(game), Othello::NAME));
        }
        let phases = format!("phases{}", line("phases")?);
        let phases = Phases::parse(&phases).map_err(|error| error.to_string())?;
        let form = line("form")?;
        let form = Form::ALL.into_iter().find(|one| one.name() == form);
        let form =
            form.ok_or_else(|| format!("its form is none of {}", Form::ALL.map(Form::name).join(", ")))?;
        let scale = line("scale")?;
        let scale = scale.parse().ok().filter(|scale| (1e-6..=FINEST).contains(scale));
        let scale = scale.ok_or("its scale is no number that can be")?;
        let about = line("about")?.to_string();
        let patterns: Vec<&str> = lines.collect();
        let set =
            PatternSet::parse(&patterns.join("\n")).map_err(|error| format!("its patterns, {error}"))?;
        let weights = weights(content, &set, phases.count())?;
        Ok(Self::packed(set, phases, form, scale, weights, &about))
    }
}

fn end_of_zeros(bytes: &mut Vec<u8>, zeros: &mut u64) {
    if *zeros > 0 {
        put(bytes, 0);
        put(bytes, *zeros);
        *zeros = 0;
    }
}

/// The weights of all phases, those that are tied filled in.
fn weights(mut content: &[u8], set: &PatternSet, phases: usize) -> Result<Vec<Vec<i16>>, String> {
    let ties = set.ties();
    let mut all = Vec::new();
    for _ in 0..phases {
        let mut weights = vec![0i16; ties.len()];
        let mut zeros = 0;
        for number in 0..ties.len() {
            let lowest = ties[number] as usize;
            if lowest != number {
                weights[number] = weights[lowest];
            } else if zeros > 0 {
                zeros -= 1;
            } else {
                match take(&mut content)? {
                    0 => zeros = take(&mut content)?.checked_sub(1).ok_or("a row of zeros in it is empty")?,
                    code => {
                        let half = i64::try_from(code.div_ceil(2)).unwrap_or(i64::MAX);
                        let weight = if code % 2 == 1 { half } else { -half };
                        weights[number] =
                            i16::try_from(weight).map_err(|_| "a weight in it has more than 16 bits")?;
                    }
                }
            }
        }
        if zeros > 0 {
            return Err("a row of zeros in it does not end with its phase".into());
        }
        all.push(weights);
    }
    if !content.is_empty() {
        return Err(format!("{} bytes follow the last weight", content.len()));
    }
    Ok(all)
}
