//! A picture as an SVG of its own: it needs nothing from elsewhere, grows and shrinks with its place, and says in words what
//! it shows.

use std::fmt::Write;

use games::picture::{Colour, Picture};

use super::drawing::{GROUND, Part, drawing};
use super::font;
use crate::markup::html;

/// Units of a cell.
const UNIT: f64 = 40.0;
/// Around the picture, in cells.
const MARGIN: f64 = 0.3;
/// The width of a letter in the fonts of programs that show it, in font sizes.
const WIDE: f64 = 0.6;

/// A colour as attributes have it.
pub fn hex(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A length in cells, in units with at most two digits behind the point.
fn units(cells: f64) -> f64 {
    (cells * UNIT * 100.0).round() / 100.0
}

/// The picture of a position; moves that have values show them.
pub fn svg(picture: &Picture) -> String {
    let drawing = drawing(picture);
    let (width, height) = (units(drawing.size.0 + 2.0 * MARGIN), units(drawing.size.1 + 2.0 * MARGIN));
    let title = html(&picture.title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         style=\"max-width:100%;height:auto\" role=\"img\" aria-label=\"{title}\" font-family=\"monospace\">\n\
         <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{}\"/>\n",
        hex(GROUND)
    );
    let at = |(x, y): (f64, f64)| (units(x + MARGIN), units(y + MARGIN));
    for part in &drawing.parts {
        let _ = match part {
            Part::Rect(corner, (width, height), colour) => {
                let ((x, y), width, height) = (at(*corner), units(*width), units(*height));
                let fill = hex(*colour);
                writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
                )
            }
            Part::Disc(middle, radius, colour) => {
                let ((x, y), radius, fill) = (at(*middle), units(*radius), hex(*colour));
                writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>")
            }
            Part::Line(from, to, colour) => {
                let ((x1, y1), (x2, y2), stroke) = (at(*from), at(*to), hex(*colour));
                writeln!(
                    out,
                    "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{stroke}\" stroke-width=\"2\" fill=\"none\"/>"
                )
            }
            Part::Words { at: (x, y), centred, size, colour, text } => {
                // Letters stand on their line, half of their height below their middle.
                let (x, y) = at((*x, y + size / 2.0));
                let em = units(size * font::ADVANCE as f64 / font::HEIGHT as f64 / WIDE);
                let anchor = if *centred { " text-anchor=\"middle\"" } else { "" };
                let (fill, text) = (hex(*colour), html(text));
                writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"{em}\" fill=\"{fill}\"{anchor} xml:space=\"preserve\">{text}</text>"
                )
            }
        };
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Dice, Game, Turn, Visitor, visit_games};

    /// The picture after so many moves of a game by lot.
    fn picture<G: Game>(moves: usize) -> Picture {
        let (mut position, mut dice) = (G::start(&G::Rules::default()), Dice::seeded(&[2026]));
        let mut last = None;
        for _ in 0..moves {
            while position.turn() == Turn::Chance {
                position.deal(&mut dice);
            }
            let Some(mv) = position.random_move(&mut dice, &mut Vec::new()) else { break };
            last = Some((position.clone(), mv));
            position.play_unchecked(mv);
        }
        position.picture(last.as_ref().map(|(before, mv)| (before, *mv)))
    }

    #[test]
    fn pictures_are_as_kept() {
        struct Golden;
        impl Visitor for Golden {
            fn game<G: Game>(&mut self) {
                let mut picture = picture::<G>(9);
                let valued: Vec<String> = picture.moves.iter().map(|mv| mv.text.clone()).take(2).collect();
                picture.annotate(|text| valued.iter().any(|it| it == text).then(|| "+0.5".to_string()));
                let text = svg(&picture);
                let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/src");
                let path = format!("{games}/{}/golden/picture.svg", G::NAME);
                if std::env::var_os("BLESS").is_some() {
                    std::fs::write(&path, &text).unwrap();
                }
                let kept = std::fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("{path}: {error}; BLESS=1 writes it"));
                assert!(kept == text, "{} looks different; BLESS=1 accepts it", G::NAME);
            }
        }
        visit_games(&mut Golden);
    }

    #[test]
    fn words_are_escaped_and_everything_is_inside() {
        let caption = vec![vec![(None, "x & y".into())], Vec::new()];
        let text = svg(&Picture { caption, ..Picture::new("a<b".into(), 0, Vec::new()) });
        assert!(text.contains("<title>a&lt;b</title>") && text.contains(">x &amp; y</text>"), "{text}");
        struct Inside;
        impl Visitor for Inside {
            fn game<G: Game>(&mut self) {
                for moves in [0, 1, 30] {
                    let drawing = drawing(&picture::<G>(moves));
                    let (width, height) = drawing.size;
                    let inside = |(x, y): (f64, f64)| {
                        (-1e-9..=width + 1e-9).contains(&x) && (-1e-9..=height + 1e-9).contains(&y)
                    };
                    for part in &drawing.parts {
                        let corners = match part {
                            Part::Rect((x, y), (w, h), _) => [(*x, *y), (x + w, y + h)],
                            Part::Disc((x, y), r, _) => [(x - r, y - r), (x + r, y + r)],
                            Part::Line(from, to, _) => [*from, *to],
                            Part::Words { at, .. } => [*at, *at],
                        };
                        assert!(
                            corners.into_iter().all(inside),
                            "{}: {part:?} in {width} x {height}",
                            G::NAME
                        );
                    }
                }
            }
        }
        visit_games(&mut Inside);
    }
}
