//! Any game as a GIF: its drawing for the terminal, letter by letter. The colours are those of the pen, read back from
//! its text.

use games::draw::Pen;
use play::PlayedGame;

use super::animation::Animation;
use super::canvas::Canvas;
use super::font::{ADVANCE, HEIGHT};

const GROUND: u8 = 0;
const PLAIN: u8 = 1;
const FAINT: u8 = 2;
const FIRST: u8 = 3;
const SECOND: u8 = 4;
const LAST: u8 = 5;
const TRANSPARENT: u8 = 6;

/// Red, green and blue of each.
const PALETTE: [[u8; 3]; 7] = [
    [19, 22, 33],
    [233, 236, 245],
    [133, 142, 171],
    [246, 200, 48],
    [46, 200, 218],
    [66, 92, 150],
    [0, 0, 0],
];

/// Pixels of a dot of the font.
const SCALE: usize = 3;
/// Pixels around the drawing.
const MARGIN: usize = 12;
const CELL: (usize, usize) = (ADVANCE * SCALE, (HEIGHT + 3) * SCALE);
/// How long the last picture stays, in hundredths of a second.
const STAY: u16 = 300;

/// The letters of a line with the colour of each.
fn letters(line: &str) -> Vec<(char, u8)> {
    let mut parts = line.split('\x1b');
    let plain = parts.next().unwrap_or_default();
    let mut all: Vec<(char, u8)> = plain.chars().map(|sign| (sign, PLAIN)).collect();
    for part in parts {
        // A colour ends with its first letter, and the pen sets each one anew.
        let (code, text) = part.split_once('m').unwrap_or(("", part));
        let colour = match code {
            "[2" => FAINT,
            "[1;33" => FIRST,
            "[1;36" => SECOND,
            "[1;7" => LAST,
            _ => PLAIN,
        };
        all.extend(text.chars().map(|sign| (sign, colour)));
    }
    all
}

/// A game as an animated GIF: every position with the move that led to it, each for so many hundredths of a second. The
/// title stands above all of them.
pub fn film<G: PlayedGame>(title: &str, positions: &[(G, Option<G::Move>)], hundredths: u16) -> Vec<u8> {
    let drawing = |number: usize| {
        let (position, mv) = &positions[number];
        let mut pen = Pen::new(true);
        pen.plain(title);
        pen.line();
        let last = mv.filter(|_| number > 0).map(|mv| (&positions[number - 1].0, mv));
        match last {
            Some((before, mv)) => pen.plain(&format!("{number}. {}", before.move_text(mv))),
            None => pen.plain("the opening"),
        }
        pen.line();
        position.draw(&mut pen, last);
        pen.finish().lines().map(letters).collect::<Vec<_>>()
    };
    let drawings: Vec<_> = (0..positions.len()).map(drawing).collect();
    let columns = drawings.iter().flatten().map(Vec::len).max().unwrap_or(0).min(200);
    let rows = drawings.iter().map(Vec::len).max().unwrap_or(0).min(100);
    let (width, height) = (columns * CELL.0 + 2 * MARGIN, rows * CELL.1 + 2 * MARGIN);
    let mut animation = Animation::new(width, height, &PALETTE.concat(), TRANSPARENT);
    for (number, drawing) in drawings.iter().enumerate() {
        let mut canvas = Canvas::new(width, height, GROUND);
        for (row, line) in drawing.iter().take(rows).enumerate() {
            for (column, &(sign, colour)) in line.iter().take(columns).enumerate() {
                let (left, top) = (MARGIN + column * CELL.0, MARGIN + row * CELL.1);
                // The last move is light on a ground of its own.
                if colour == LAST {
                    canvas.fill(left - SCALE, top - SCALE, CELL.0 + SCALE, (HEIGHT + 2) * SCALE, LAST);
                }
                let ink = if colour == LAST { PLAIN } else { colour };
                canvas.text(left, top, SCALE, ink, sign.encode_utf8(&mut [0; 4]));
            }
        }
        let last = number + 1 == drawings.len();
        animation.push(&canvas, if last { STAY.max(hundredths) } else { hundredths });
    }
    animation.finish()
}

#[cfg(test)]
mod tests {
    use super::super::animation::tests::decoded;
    use super::*;
    use games::Game as _;
    use games::othello::Othello;
    use games::rules::Fixed;

    #[test]
    fn a_picture_a_position() {
        let mut position = Othello::start(&Fixed);
        let mut positions = vec![(position, None)];
        for text in ["f5", "d6", "c3"] {
            let mv = position.parse_move(text).unwrap();
            position.play(mv).unwrap();
            positions.push((position, Some(mv)));
        }
        let ((width, height), pictures) = decoded(&film("random - random", &positions, 20));
        assert_eq!(pictures.len(), 4);
        // Two lines of title, ten of the board, and one below it.
        assert_eq!(height, 13 * CELL.1 + 2 * MARGIN);
        let colours = |picture: &[u8]| {
            PALETTE
                .map(|_| 0)
                .iter()
                .enumerate()
                .map(|(c, _)| picture.contains(&(c as u8)))
                .collect::<Vec<_>>()
        };
        assert_eq!(colours(&pictures[0])[..6], [true, true, true, true, true, false]);
        assert!(colours(&pictures[3])[usize::from(LAST)]);
        assert!(pictures.iter().all(|picture| picture.len() == width * height));
    }

    #[test]
    fn colours_are_read_back() {
        let mut pen = Pen::new(true);
        pen.plain("a");
        pen.ink(games::draw::Ink::Second, "b");
        pen.plain("c");
        assert_eq!(letters(&pen.finish()), [('a', PLAIN), ('b', SECOND), ('c', PLAIN)]);
    }
}
