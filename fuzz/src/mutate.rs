//! How an input is damaged: half of the ways know nothing, half know of words, numbers, lines and brackets.

use math::Dice;

/// Numbers that are near the end of something.
const EXTREMES: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "64",
    "127",
    "255",
    "256",
    "-32769",
    "65536",
    "2147483648",
    "-2147483649",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "999999999999999999999999999999999999999999",
    "0.1",
    "1e-320",
    "1e16",
    "1e308",
    "-1e308",
    "1e999",
    "NaN",
    "inf",
    "-inf",
    "+5",
    "007",
    "1_000",
    "0x10",
    "\u{663}",
];

/// What a terminal, a reader of lines or a reader of UTF-8 might stumble over.
const NASTY: &[&[u8]] = &[
    b"\x1b[31m",
    b"\x1b]0;title\x07",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\t",
    b"\0",
    b"\x7f",
    b"\x08\x08",
    "\u{85}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{feff}".as_bytes(),
    "\u{a0}".as_bytes(),
    "é".as_bytes(),
    "ß".as_bytes(),
    "İ".as_bytes(),
    "\u{1f600}".as_bytes(),
    "e\u{301}".as_bytes(),
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xe2\x82",
    b" ",
    b"  ",
    b"#",
    b"\"",
    b"'",
    b"\\",
    b"\\u0000",
    b"\\u001b[2J",
    b"\\ud800",
];

/// Openings and what closes them.
const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("{\"a\":", "}"),
    ("hybrid(1: ", ")"),
    ("lookahead(", ")"),
    ("<value><array><data>", "</data></array></value>"),
    ("<a>", "</a>"),
    ("(;", ";)"),
    ("\"", "\""),
];

/// Damages an input once. `tokens` are words of its format, with spaces between them.
pub fn mutate(bytes: &mut Vec<u8>, other: &[u8], tokens: &str, dice: &mut Dice) {
    let token = |dice: &mut Dice| -> Vec<u8> {
        let count = tokens.split(' ').count();
        tokens.split(' ').nth(dice.below(count)).unwrap_or_default().replace('~', " ").into_bytes()
    };
    let way = dice.below(64);
    match way {
        0..6 => flip(bytes, dice),
        6..10 => set(bytes, dice),
        10..13 => bytes.truncate(at(bytes, dice)),
        13..17 => drop(bytes.drain(chunk(bytes, dice))),
        17..21 => {
            let piece = bytes[chunk(bytes, dice)].to_vec();
            insert(bytes, &piece, dice);
        }
        21..26 => {
            let piece = other[chunk(other, dice)].to_vec();
            insert(bytes, &piece, dice);
        }
        26..29 => {
            let piece: Vec<u8> = (0..=dice.below(8)).map(|_| dice.bits() as u8).collect();
            insert(bytes, &piece, dice);
        }
        29..32 => swap(bytes, dice, is_any),
        32..36 => insert(bytes, dice.pick(NASTY), dice),
        36..40 => {
            let token = token(dice);
            insert(bytes, &token, dice);
        }
        40..45 => {
            let token = token(dice);
            let word = word(bytes, dice);
            bytes.splice(word, token);
        }
        45..49 => {
            let extreme = dice.pick(EXTREMES);
            let number = number(bytes, dice);
            bytes.splice(number, extreme.bytes());
        }
        49..53 => step(bytes, dice),
        53..56 => swap(bytes, dice, is_of_word),
        56..58 => drop(bytes.drain(line(bytes, dice))),
        58..60 => {
            let piece = bytes[line(bytes, dice)].to_vec();
            let to = line(bytes, dice).start;
            bytes.splice(to..to, piece);
        }
        60..62 => {
            let piece = other[line(other, dice)].to_vec();
            let to = line(bytes, dice).start;
            bytes.splice(to..to, piece);
        }
        // What is long or deep makes an input slow to read: seldom.
        62 if dice.below(8) == 0 => nest(bytes, dice),
        63 if dice.below(8) == 0 => {
            let piece = if dice.below(2) == 0 { token(dice) } else { bytes[chunk(bytes, dice)].to_vec() };
            let times = length(dice) / piece.len().max(1);
            insert(bytes, &piece.repeat(times.max(1)), dice);
        }
        _ => {
            // A digit, which often leaves a text what it was.
            let number = number(bytes, dice);
            if let Some(digit) = bytes.get_mut(number.start).filter(|byte| byte.is_ascii_digit()) {
                *digit = b'0' + dice.below(10) as u8;
            }
        }
    }
}

/// Mostly short, some long.
fn length(dice: &mut Dice) -> usize {
    let most = dice.pick(&[16, 16, 64, 64, 256, 1024, 4096, 65_536]);
    1 + dice.below(most)
}

fn at(bytes: &[u8], dice: &mut Dice) -> usize {
    dice.below(bytes.len() + 1)
}

fn chunk(bytes: &[u8], dice: &mut Dice) -> std::ops::Range<usize> {
    let start = at(bytes, dice);
    start..(start + length(dice).min(512)).min(bytes.len())
}

fn insert(bytes: &mut Vec<u8>, piece: &[u8], dice: &mut Dice) {
    let to = at(bytes, dice);
    bytes.splice(to..to, piece.iter().copied());
}

fn flip(bytes: &mut [u8], dice: &mut Dice) {
    if !bytes.is_empty() {
        bytes[dice.below(bytes.len())] ^= 1 << dice.below(8);
    }
}

fn set(bytes: &mut [u8], dice: &mut Dice) {
    if !bytes.is_empty() {
        let place = dice.below(bytes.len());
        bytes[place] = match dice.below(4) {
            0 => dice.pick(&[0, 1, 0x7f, 0x80, 0xff]),
            1 => bytes[dice.below(bytes.len())],
            2 => bytes[place].wrapping_add(dice.pick(&[1, 0xff])),
            _ => dice.bits() as u8,
        };
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-+._".contains(&byte) || byte >= 0x80
}

fn is_any(_: u8) -> bool {
    false
}

/// The run of such bytes around a place; the byte there if it is no such.
fn run(bytes: &[u8], place: usize, belongs: fn(u8) -> bool) -> std::ops::Range<usize> {
    if place >= bytes.len() || !belongs(bytes[place]) {
        return place.min(bytes.len())..(place + 1).min(bytes.len());
    }
    let start = bytes[..place].iter().rposition(|&byte| !belongs(byte)).map_or(0, |before| before + 1);
    let end =
        bytes[place..].iter().position(|&byte| !belongs(byte)).map_or(bytes.len(), |after| place + after);
    start..end
}

fn word(bytes: &[u8], dice: &mut Dice) -> std::ops::Range<usize> {
    run(bytes, at(bytes, dice), is_of_word)
}

/// The first number after a place, or the place.
fn number(bytes: &[u8], dice: &mut Dice) -> std::ops::Range<usize> {
    let from = at(bytes, dice);
    match bytes[from..].iter().position(u8::is_ascii_digit) {
        Some(more) => run(bytes, from + more, |byte| byte.is_ascii_digit() || b".-+".contains(&byte)),
        None => from..from,
    }
}

fn line(bytes: &[u8], dice: &mut Dice) -> std::ops::Range<usize> {
    let place = at(bytes, dice);
    let start = bytes[..place].iter().rposition(|&byte| byte == b'\n').map_or(0, |before| before + 1);
    let end =
        bytes[place..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |after| place + after + 1);
    start..end
}

/// One more or less, or ten times as much.
fn step(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let place = number(bytes, dice);
    let text = String::from_utf8_lossy(&bytes[place.clone()]).into_owned();
    let stepped = match (text.parse::<i64>(), dice.below(4)) {
        (Ok(number), 0) => number.wrapping_add(1).to_string(),
        (Ok(number), 1) => number.wrapping_sub(1).to_string(),
        (Ok(number), 2) => number.wrapping_mul(10).to_string(),
        (Ok(number), _) => number.wrapping_neg().to_string(),
        _ => format!("{text}{}", dice.below(10)),
    };
    bytes.splice(place, stepped.into_bytes());
}

/// Two words change places.
fn swap(bytes: &mut Vec<u8>, dice: &mut Dice, belongs: fn(u8) -> bool) {
    let [one, two] = [at(bytes, dice), at(bytes, dice)].map(|place| run(bytes, place, belongs));
    let (one, two) = if one.start <= two.start { (one, two) } else { (two, one) };
    if one.end <= two.start {
        let (first, second) = (bytes[one.clone()].to_vec(), bytes[two.clone()].to_vec());
        bytes.splice(two, first);
        bytes.splice(one, second);
    }
}

fn nest(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let (open, close) = dice.pick(NESTS);
    let depth = dice.pick(&[2, 20, 40, 130, 2000, 50_000]);
    let place = word(bytes, dice);
    let inside = bytes[place.clone()].to_vec();
    let closing = if dice.below(4) > 0 { close.repeat(depth) } else { String::new() };
    bytes.splice(place, [open.repeat(depth).as_bytes(), &inside, closing.as_bytes()].concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way is taken, on inputs of every kind: a fuzzer that panics finds nothing.
    #[test]
    fn anything_can_be_damaged() {
        for number in 0..20_000u64 {
            let mut dice = Dice::seeded(&[number]);
            let mut bytes = match number % 4 {
                0 => Vec::new(),
                1 => b"a".to_vec(),
                2 => "key = 12.5\nné(1, x)\n".as_bytes().to_vec(),
                _ => vec![0xff; 40],
            };
            for _ in 0..4 {
                mutate(&mut bytes, b"other 7\nline", "depth= a~b", &mut dice);
            }
        }
    }
}
