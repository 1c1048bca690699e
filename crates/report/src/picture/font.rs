//! The letters of pictures: capitals, digits and a few signs, five dots wide and seven high.

/// Dots of a letter from left to right.
pub const WIDTH: usize = 5;
/// Dots of a letter from top to bottom.
pub const HEIGHT: usize = 7;
/// Dots from the beginning of a letter to that of the next one.
pub const ADVANCE: usize = WIDTH + 1;

/// The signs of each line, and what they look like side by side.
#[rustfmt::skip]
const SHEETS: [(&str, [&str; HEIGHT]); 4] = [
    (
        "ABCDEFGHIJKLM",
        [
            ".###. ####. .###. ####. ##### ##### .###. #...# .###. ..### #...# #.... #...#",
            "#...# #...# #...# #...# #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.##",
            "#...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.#",
            "##### ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.#",
            "#...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...#",
            "#...# #...# #...# #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...#",
            "#...# ####. .###. ####. ##### #.... .#### #...# .###. .##.. #...# ##### #...#",
        ],
    ),
    (
        "NOPQRSTUVWXYZ",
        [
            "#...# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# #####",
            "##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....#",
            "#.#.# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#.",
            "#..## #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#..",
            "#...# #...# #.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#...",
            "#...# #...# #.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #....",
            "#...# .###. #.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. #####",
        ],
    ),
    (
        "0123456789",
        [
            ".###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###.",
            "#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...#",
            "#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...#",
            "#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .####",
            "##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....#",
            "#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#.",
            ".###. .###. ##### .###. ...#. .###. .###. .#... .###. .##..",
        ],
    ),
    (
        ".-:+,/()=;_?[]",
        [
            "..... ..... ..... ..... ..... ..... ...#. .#... ..... ..... ..... .###. ..### ###..",
            "..... ..... .##.. ..#.. ..... ....# ..#.. ..#.. ..... .##.. ..... #...# ..#.. ..#..",
            "..... ..... .##.. ..#.. ..... ...#. .#... ...#. ##### .##.. ..... ....# ..#.. ..#..",
            "..... .###. ..... ##### ..... ..#.. .#... ...#. ..... ..... ..... ...#. ..#.. ..#..",
            "..... ..... .##.. ..#.. .##.. .#... .#... ...#. ##### .##.. ..... ..#.. ..#.. ..#..",
            ".##.. ..... .##.. ..#.. ..#.. #.... ..#.. ..#.. ..... ..#.. ..... ..... ..#.. ..#..",
            ".##.. ..... ..... ..... .#... ..... ...#. .#... ..... .#... ##### ..#.. ..### ###..",
        ],
    ),
];

/// The rows of a letter from the top, bit 0 the leftmost dot. Small letters look like capitals; a sign that is not in
/// the font looks like a question mark.
pub fn glyph(sign: char) -> [u8; HEIGHT] {
    if sign == ' ' {
        return [0; HEIGHT];
    }
    let sign = sign.to_ascii_uppercase();
    let find = |sign| SHEETS.iter().find_map(|(signs, rows)| Some((signs.find(sign)?, rows)));
    let (place, rows) = find(sign).or_else(|| find('?')).expect("the question mark is in the font");
    rows.map(|row| {
        let dots = row[place * ADVANCE..][..WIDTH].bytes().enumerate();
        dots.map(|(dot, ink)| u8::from(ink == b'#') << dot).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_whole_and_unlike_the_others() {
        let mut seen = Vec::new();
        for (signs, rows) in SHEETS {
            for row in rows {
                assert_eq!(row.len(), signs.len() * ADVANCE - 1, "{row}");
                assert!(row.bytes().skip(WIDTH).step_by(ADVANCE).all(|gap| gap == b' '), "{row}");
            }
            seen.extend(signs.chars().map(glyph));
        }
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
    }

    #[test]
    fn letters_read_from_the_left() {
        assert_eq!(glyph('L'), [1, 1, 1, 1, 1, 1, 0b11111]);
        assert_eq!(glyph('l'), glyph('L'));
        assert_eq!(glyph('ß'), glyph('?'));
        assert_eq!(glyph(' '), [0; 7]);
    }
}
