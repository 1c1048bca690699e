//! Tables of values in files.
//!
//! A head of text lines: name and version, the rules as pairs, the number of boards, an empty line. Then the boards from
//! the smallest number up, each as its distance from the one before (seven bits a byte, the lowest first, the high bit
//! for "more follows"); their values as 32-bit floats; and the checksum of all that. Numbers begin with the lowest byte.
//! What a file says is believed only after the checksum and every bound have been checked.

use std::path::Path;

use games::error::shown;
use games::tetris::TetrisRules;
use games::{InputError, Rules};

use super::field::Field;
use super::reach::words;
use crate::files::table_file as file;
use crate::files::table_file::TableError;
use crate::solve::boards::Boards;

const NAME: &str = "evalforge tetris values 1";
/// The longest file: more than the largest field needs.
const MOST_BYTES: u64 = 1 << 31;
/// No value is as large: it could not have been computed.
const MOST_VALUE: f32 = 1e12;

pub fn save(path: &Path, rules: &TetrisRules, boards: &Boards, values: &[f32]) -> Result<(), TableError> {
    file::save(path, to_bytes(rules, boards, values))
}

pub fn load(path: &Path) -> Result<(TetrisRules, Field, Boards, Vec<f32>), TableError> {
    file::load(path, NAME, MOST_BYTES, from_bytes)
}

pub fn to_bytes(rules: &TetrisRules, boards: &Boards, values: &[f32]) -> Vec<u8> {
    let mut head = format!("{NAME}\n");
    for option in TetrisRules::OPTIONS {
        head.push_str(&format!("{}={}\n", option.name, rules.get(option.name)));
    }
    head.push_str(&format!("boards={}\n\n", boards.len()));
    let mut bytes = head.into_bytes();
    let mut next = 0;
    for board in boards.iter() {
        let mut distance = board - next;
        while distance >= 0x80 {
            bytes.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        bytes.push(distance as u8);
        next = board + 1;
    }
    values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

pub fn from_bytes(bytes: &[u8]) -> Result<(TetrisRules, Field, Boards, Vec<f32>), String> {
    let (head, mut rest) = file::opened(bytes, NAME)?;
    let (rules, count) = parse_head(head)?;
    let field = Field::new(&rules).map_err(|error| error.to_string())?;

    // Each board takes a byte and a value at least: nothing larger than the file is made of its word.
    if count.checked_mul(5).is_none_or(|least| least > rest.len()) {
        return Err(format!("it is too short for {count} boards"));
    }
    let mut bits = vec![0u64; words(&field)];
    let mut next = 0u64;
    for _ in 0..count {
        let board = next + u64::from(take_number(&mut rest).ok_or("a board in it is no number")?);
        if board >> field.cells() != 0 {
            return Err("a board in it is larger than the field".into());
        }
        bits[board as usize / 64] |= 1 << (board % 64);
        next = board + 1;
    }
    let (values, []) = rest.as_chunks::<4>() else { return Err("its values are cut short".into()) };
    if values.len() != count {
        return Err(format!("it has {} values for {count} boards", values.len()));
    }
    let values: Vec<f32> = values.iter().map(|&value| f32::from_le_bytes(value)).collect();
    if !values.iter().all(|value| (0.0..MOST_VALUE).contains(value)) {
        return Err("a value in it is not a mean number of lines".into());
    }
    Ok((rules, field, Boards::from_bits(bits.into_iter()), values))
}

fn parse_head(head: &str) -> Result<(TetrisRules, usize), String> {
    let mut pairs = Vec::new();
    for line in head.lines() {
        pairs.push(line.split_once('=').ok_or_else(|| format!("its head says {}", shown(line)))?);
    }
    let Some(("boards", count)) = pairs.pop() else {
        return Err("its head names no number of boards".into());
    };
    let count = count.parse().map_err(|_| format!("its head says {} boards", shown(count)))?;
    let rules = TetrisRules::from_pairs(pairs).map_err(|error: InputError| error.to_string())?;
    Ok((rules, count))
}

fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of three boards with a right checksum, whatever else is wrong with it.
    fn sealed(head: &str, body: &[u8]) -> Vec<u8> {
        let mut bytes = format!("{NAME}\n{head}\n\n").into_bytes();
        bytes.extend(body);
        file::sealed(bytes)
    }

    fn body(distances: &[u8], values: &[f32]) -> Vec<u8> {
        let values = values.iter().flat_map(|value| value.to_le_bytes());
        distances.iter().copied().chain(values).collect()
    }

    #[test]
    fn a_right_checksum_does_not_make_a_wrong_table_good() {
        let head = "width=4\nheight=4\nboards=3";
        let good = body(&[0, 0, 0x80, 1], &[1.5, 0.0, 2.0]);
        let (_, _, boards, values) = from_bytes(&sealed(head, &good)).unwrap();
        assert_eq!(boards.iter().collect::<Vec<u32>>(), [0, 1, 130]);
        assert_eq!(values, [1.5, 0.0, 2.0]);
        assert_eq!((boards.place(130), boards.place(2), boards.place(u32::MAX)), (Some(2), None, None));

        for head in [
            "width=4\nheight=4\nboards=2",
            "width=4\nheight=4\nboards=4",
            "width=4\nheight=4\nboards=99999999999999999",
            "width=4\nheight=4\nboards=-1",
            "width=4\nheight=4",
            "width=4\nheight=4\npieces=bag\nboards=3",
            "width=4\nheight=14\nboards=3",
            "width=4\nheigth=4\nboards=3",
            "width\nheight=4\nboards=3",
            "",
        ] {
            assert!(from_bytes(&sealed(head, &good)).is_err(), "{head}");
        }
        let last = |value: f32| body(&[0, 0, 5], &[1.0, 1.0, value]);
        for body in [
            last(f32::NAN),
            last(-1.0),
            last(f32::INFINITY),
            body(&[0, 0xff, 0xff, 0x03, 0], &[1.0; 3]),
            body(&[0, 0xff, 0xff, 0xff, 0xff, 0x01, 0], &[1.0; 3]),
            body(&[0, 0, 0], &[1.0; 4]),
            vec![0xff; 15],
        ] {
            assert!(from_bytes(&sealed(head, &body)).is_err(), "{body:?}");
        }
        assert!(from_bytes(&sealed(&"x=1\n".repeat(2000), &good)).is_err());
    }
}
