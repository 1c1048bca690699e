//! Values of boards in files.
//!
//! After the head a byte for every board of the list, in its order: the value in seven bits. The eighth says that two more
//! follow, for a board whose best push may be forbidden as a repetition: its entry, and the value that is left then. So the rule
//! against repetition costs two bytes on one board in eleven, and no second dimension. The list itself is not written: it follows from the
//! size.

use std::path::Path;

use games::error::shown;
use games::pushover::PushoverRules;
use games::{InputError, Rules};

use super::code::Code;
use super::retrograde::list;
use crate::files::table_file as file;
use crate::files::table_file::TableError;
use crate::solve::boards::Boards;
use crate::solve::value::Value;

const NAME: &str = "evalforge pushover values 1";
/// More than the largest board needs.
const MOST_BYTES: u64 = 1 << 26;
/// That the best push may be forbidden.
pub const MORE: u8 = 0x80;
/// The options that the head names; the limit of moves is no part of it.
const OPTIONS: [&str; 2] = ["size", "repetition"];

/// The values of all boards without a line, one of each eight images.
#[derive(Debug, Clone)]
pub struct Table {
    pub code: Code,
    pub repetition: bool,
    pub boards: Boards,
    /// The value of each board as a byte, with [`MORE`] where there is an exception.
    pub values: Vec<u8>,
    /// Boards whose best push may be forbidden: place, its entry, the value that is left.
    pub exceptions: Vec<(u32, u8, u8)>,
}

pub fn save(path: &Path, table: &Table) -> Result<(), TableError> {
    file::save(path, to_bytes(table))
}

pub fn load(path: &Path) -> Result<Table, TableError> {
    file::load(path, NAME, MOST_BYTES, from_bytes)
}

pub fn to_bytes(table: &Table) -> Vec<u8> {
    let rules = PushoverRules::new(table.code.size() as u8, table.repetition);
    let mut head = format!("{NAME}\n");
    OPTIONS.iter().for_each(|name| head.push_str(&format!("{name}={}\n", rules.get(name))));
    head.push_str(&format!("boards={}\n\n", table.values.len()));
    let mut bytes = head.into_bytes();
    let mut exceptions = table.exceptions.iter();
    for &value in &table.values {
        bytes.push(value);
        if value & MORE != 0 {
            let &(_, entry, left) = exceptions.next().expect("every exception is flagged");
            bytes.extend([entry, left]);
        }
    }
    bytes
}

pub fn from_bytes(bytes: &[u8]) -> Result<Table, String> {
    let (head, content) = file::opened(bytes, NAME)?;
    let (rules, count) = parse_head(head)?;
    let code = Code::new(rules.size.into());
    let boards = list(&code, &|_| std::ops::ControlFlow::Continue(())).expect("nobody breaks it off");
    if boards.len() != count {
        return Err(format!("it has {count} boards, size {} has {}", rules.size, boards.len()));
    }
    let (mut values, mut exceptions) = (Vec::with_capacity(count), Vec::new());
    let mut bytes = content.iter().copied();
    for place in 0..count as u32 {
        let mut next = || bytes.next().ok_or_else(|| format!("it ends at board {place} of {count}"));
        let byte = next()?;
        let value = byte & !MORE;
        let is_value = |byte: u8| Value::from_byte(byte).is_some();
        if byte & MORE != 0 {
            let (entry, left) = (next()?, next()?);
            if usize::from(entry) >= code.entries() || !is_value(left) || !rules.repetition {
                return Err(format!("board {place} has a wrong forbidden push"));
            }
            exceptions.push((place, entry, left));
        }
        if !is_value(value) {
            return Err(format!("board {place} has the value {value}"));
        }
        values.push(byte);
    }
    if bytes.next().is_some() {
        return Err(format!("more follows after its {count} boards"));
    }
    Ok(Table { code, repetition: rules.repetition, boards, values, exceptions })
}

fn parse_head(head: &str) -> Result<(PushoverRules, usize), String> {
    let mut pairs = Vec::new();
    for line in head.lines() {
        pairs.push(line.split_once('=').ok_or_else(|| format!("its head says {}", shown(line)))?);
    }
    let Some(("boards", count)) = pairs.pop() else {
        return Err("its head names no number of boards".into());
    };
    let count = count.parse().map_err(|_| format!("its head says {} boards", shown(count)))?;
    if !pairs.iter().map(|(key, _)| *key).eq(OPTIONS) {
        return Err(format!("its head does not say {}", OPTIONS.join(" and ")));
    }
    let rules = PushoverRules::from_pairs(pairs).map_err(|error: InputError| error.to_string())?;
    super::check(&rules).map_err(|error| error.to_string())?;
    Ok((rules, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "size=3\nrepetition=on\nboards=1588";

    fn read(head: &str, content: &[u8]) -> Result<Table, String> {
        let mut bytes = format!("{NAME}\n{head}\n\n").into_bytes();
        bytes.extend(content);
        from_bytes(&file::sealed(bytes))
    }

    /// A right checksum does not make a wrong table good.
    #[test]
    fn every_fault_of_a_table_is_named() {
        let good = vec![4u8; 1588];
        assert_eq!(read(HEAD, &good).unwrap().values, good);
        let with = |bytes: &[u8]| [bytes, &good[bytes.len().min(1)..]].concat();
        let odd = with(&[0x84, 11, 3]);
        let table = read(HEAD, &odd).unwrap();
        assert_eq!((table.values[0], &table.exceptions[..]), (0x84, &[(0, 11, 3)][..]));
        assert_eq!(to_bytes(&table), [format!("{NAME}\n{HEAD}\n\n").as_bytes(), &odd].concat());
        for (head, content, said) in [
            (HEAD, &good[1..], "it ends at board 1587 of 1588"),
            (HEAD, &[&good[..], &[1]].concat(), "more follows"),
            (HEAD, &with(&[0x7f]), "board 0 has the value 127"),
            (HEAD, &with(&[0x84, 12, 3]), "wrong forbidden push"),
            (HEAD, &with(&[0x84, 11, 200]), "wrong forbidden push"),
            ("size=3\nrepetition=off\nboards=1588", &with(&[0x84, 11, 3]), "wrong forbidden push"),
            ("size=3\nrepetition=on\nboards=1589", &good, "it has 1589 boards, size 3 has 1588"),
            ("size=5\nrepetition=on\nboards=1588", &good, "option 'size': '5'"),
            ("size=7\nrepetition=on\nboards=1588", &good, "option 'size': '7'"),
            ("size=3\nboards=1588", &good, "size and repetition"),
            ("size=3\nrepetition=on", &good, "number of boards"),
            ("size=3\nrepetition=on\nboards=many", &good, "'many' boards"),
            ("size\nboards=1588", &good, "'size'"),
        ] {
            let error = read(head, content).expect_err(said);
            assert!(error.contains(said), "{error}");
        }
    }
}
