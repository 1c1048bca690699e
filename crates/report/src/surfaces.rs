//! What a player likes and dislikes of the surface, as one SVG: patterns as columns of squares, pairs as a heat map.

use std::fmt::Write;

use games::picture::Colour;
use games::tetris::Profile;
use play::analyze::surfaces::{Entry, Pairs, SurfaceTable};
use play::numbers::signed;

use crate::markup::html;
use crate::picture::hex;

const WIDTH: f64 = 860.0;
const MARGIN: f64 = 16.0;
/// From one line of text to the next.
const LINE: f64 = 18.0;
/// The width of a letter, roughly.
const LETTER: f64 = 6.2;
/// Between two entries.
const GAP: f64 = 18.0;
/// A cell of a heat map.
const CELL: (f64, f64) = (46.0, 22.0);

const GREEN: Colour = Colour(26, 127, 55);
const RED: Colour = Colour(200, 50, 43);
const PALE: Colour = Colour(242, 242, 242);

/// The tables of a player, with at most so many of the most liked and of the most disliked entries.
pub fn svg(player: &str, tables: &[SurfaceTable], most: usize) -> String {
    let mut sheet = Sheet { body: String::new(), y: MARGIN, look: Look::ALONE };
    let title = format!("Surfaces of the pile that {player} likes and dislikes");
    sheet.line(&title, "font-size=\"16\" font-weight=\"bold\"");
    for note in [
        "Each number is a weight less the mean weight of its table, every entry counted once: only differences matter. Rows with",
        "holes are counted from 0: a board has more or fewer of them. Their names: rank, holes, open cells, cells over them, empty above.",
        "Green is liked, red disliked, grey a wall. The ends of the range of a difference stand for larger ones too.",
        "Mirror images share a weight.",
    ] {
        sheet.line(note, "fill=\"#555\"");
    }
    for table in tables {
        sheet.table(table, most);
    }
    let (height, body) = (sheet.y + MARGIN, sheet.body);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\" role=\"img\" aria-label=\"{}\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n{body}</svg>\n",
        html(&title)
    )
}

/// How entries of a table are drawn.
#[derive(Clone, Copy)]
struct Look {
    square: f64,
    /// Whether names stand below; else they are too long.
    named: bool,
}

impl Look {
    /// Entries that are one pattern.
    const ALONE: Self = Self { square: 10.0, named: true };
    /// Entries of many.
    const MANY: Self = Self { square: 6.0, named: false };

    fn of(table: &SurfaceTable) -> Self {
        if table.entries.iter().all(|entry| entry.profiles.len() == 1) { Self::ALONE } else { Self::MANY }
    }

    fn name(self, entry: &Entry) -> Option<&str> {
        (self.named || entry.profiles.is_empty()).then_some(&entry.name)
    }

    fn width(self, entry: &Entry) -> f64 {
        // One square between two profiles.
        let squares: usize = entry.profiles.iter().map(|profile| profile.len() + 1).sum();
        let drawing = self.square * squares.saturating_sub(1) as f64;
        let name = self.name(entry).map_or(0, |name| name.chars().count());
        let letters = name.max(signed(entry.above_mean).chars().count());
        drawing.max(LETTER * letters as f64)
    }

    fn height(self, entry: &Entry) -> f64 {
        self.square * f64::from(entry.profiles.iter().map(top).max().unwrap_or(0))
    }
}

/// The squares of the highest column.
fn top(profile: &Profile) -> u32 {
    profile.iter().flatten().map(|&cells| u32::BITS - cells.leading_zeros()).max().unwrap_or(1)
}

/// A page that is filled from top to bottom.
struct Sheet {
    body: String,
    y: f64,
    look: Look,
}

impl Sheet {
    fn line(&mut self, text: &str, style: &str) {
        self.y += LINE;
        self.text((MARGIN, self.y), text, style);
    }

    fn text(&mut self, (x, y): (f64, f64), text: &str, style: &str) {
        let _ = writeln!(self.body, "<text x=\"{x}\" y=\"{y}\" {style}>{}</text>", html(text));
    }

    fn table(&mut self, table: &SurfaceTable, most: usize) {
        self.look = Look::of(table);
        self.y += LINE / 2.0;
        self.line(&table.name, "font-size=\"14\" font-weight=\"bold\"");
        for (words, entries) in [("most liked", table.liked(most)), ("most disliked", table.disliked(most))] {
            if !entries.is_empty() {
                self.line(words, "");
                self.entries(&entries, table.spread());
            }
        }
        if let Some(pairs) = table.pairs().filter(|pairs| !pairs.steps.is_empty()) {
            self.line(
                "all pairs: how much higher the left neighbour of a column is (downwards), and the right one (across)",
                "",
            );
            self.heat_map(&pairs, table.spread());
        }
    }

    /// Entries side by side, in as many rows as it takes.
    fn entries(&mut self, entries: &[&Entry], spread: f64) {
        let look = self.look;
        let mut rest = entries;
        while !rest.is_empty() {
            let mut right = MARGIN;
            let fits = rest.iter().take_while(|entry| {
                right += look.width(entry) + GAP;
                right - GAP <= WIDTH - MARGIN
            });
            // One that is too wide for any row has one for itself.
            let (row, others) = rest.split_at(fits.count().max(1));
            self.y += 6.0 + row.iter().map(|entry| look.height(entry)).fold(0.0, f64::max);
            let mut x = MARGIN;
            for entry in row {
                self.entry(entry, x, spread);
                x += look.width(entry) + GAP;
            }
            self.y += if row.iter().any(|entry| look.name(entry).is_some()) { 2.0 * LINE } else { LINE };
            rest = others;
        }
    }

    /// An entry that stands on the present line, its number and name below.
    fn entry(&mut self, entry: &Entry, x: f64, spread: f64) {
        let share = entry.above_mean / spread;
        // The palest can still be told from the paper.
        let colour = shade(share.signum() * (0.35 + 0.65 * share.abs()));
        let square = self.look.square;
        let _ = write!(self.body, "<g><title>{}</title>", html(&entry.name));
        let mut left = x;
        for profile in &entry.profiles {
            let top = top(profile);
            let (mut pile, mut walls) = (String::new(), String::new());
            for (column, cells) in profile.iter().enumerate() {
                let path = if cells.is_some() { &mut pile } else { &mut walls };
                for row in (0..top).filter(|row| cells.is_none_or(|cells| cells >> row & 1 != 0)) {
                    let at = (left + square * column as f64, self.y - square * f64::from(row + 1));
                    let side = square - 1.0;
                    let _ = write!(path, "M{} {}h{side}v{side}h-{side}z", at.0, at.1);
                }
            }
            for (path, colour) in [(pile, colour.as_str()), (walls, "#999")] {
                if !path.is_empty() {
                    let _ = write!(self.body, "<path fill=\"{colour}\" d=\"{path}\"/>");
                }
            }
            left += square * (profile.len() + 1) as f64;
        }
        self.body.push_str("</g>\n");
        self.text((x, self.y + 14.0), &signed(entry.above_mean), "");
        if let Some(name) = self.look.name(entry) {
            self.text((x, self.y + 28.0), name, "fill=\"#777\" font-size=\"11\"");
        }
    }

    fn heat_map(&mut self, pairs: &Pairs, spread: f64) {
        let label = |step: Option<i64>| step.map_or("wall".to_string(), |step| step.to_string());
        let middle = "text-anchor=\"middle\" font-size=\"10\"";
        let left = MARGIN + CELL.0;
        self.y += LINE;
        for (column, &step) in pairs.steps.iter().enumerate() {
            self.text((left + CELL.0 * (column as f64 + 0.5), self.y), &label(step), middle);
        }
        self.y += 5.0;
        for (&step, row) in pairs.steps.iter().zip(&pairs.entries) {
            let text_y = self.y + CELL.1 / 2.0 + 4.0;
            self.text((MARGIN + CELL.0 / 2.0, text_y), &label(step), middle);
            for (column, entry) in row.iter().enumerate() {
                let Some(entry) = entry else { continue };
                let x = left + CELL.0 * column as f64;
                let share = entry.above_mean / spread;
                let _ = writeln!(
                    self.body,
                    "<rect x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                    self.y,
                    CELL.0 - 1.0,
                    CELL.1 - 1.0,
                    shade(share)
                );
                let ink = if share.abs() > 0.5 { "fill=\"#fff\"" } else { "" };
                let style = format!("{middle} {ink}");
                self.text((x + CELL.0 / 2.0, text_y), &signed(entry.above_mean), style.trim_end());
            }
            self.y += CELL.1;
        }
    }
}

/// Pale at 0, green at 1, red at -1. Where all weights are the same the share is no number, and pale too.
fn shade(share: f64) -> String {
    let full = if share < 0.0 { RED } else { GREEN };
    let part = if share.is_finite() { share.abs().min(1.0) } else { 0.0 };
    hex(PALE.mix(full, part))
}

/// Profiles side by side in at least so many lines; a line is two cells high.
pub fn profiles(profiles: &[Profile], lines: usize) -> Vec<String> {
    let all = profiles.iter().flatten().flatten().fold(0, |all, cells| all | cells);
    let needed = (u32::BITS - all.leading_zeros()).div_ceil(2) as usize;
    let column = |cells: Option<u32>, line: usize| match cells.map(|cells| cells >> (2 * line) & 3) {
        None if line < needed => "░░",
        Some(3) => "██",
        Some(2) => "▀▀",
        Some(1) => "▄▄",
        _ => "  ",
    };
    let profile =
        |profile: &Profile, line| profile.iter().map(|&cells| column(cells, line)).collect::<String>();
    let text = |line| profiles.iter().map(|one| profile(one, line)).collect::<Vec<_>>().join(" ");
    (0..needed.max(lines)).rev().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::tetris::{Tetris, TetrisRules};
    use play::analyze::explain::Critic;

    #[test]
    fn columns_are_drawn_two_cells_a_line() {
        let well = vec![Some(0b1111), Some(0b1), None];
        assert_eq!(profiles(std::slice::from_ref(&well), 0), ["██  ░░", "██▄▄░░"]);
        assert_eq!(profiles(&[well], 3), ["      ", "██  ░░", "██▄▄░░"]);
        let steps = [vec![Some(0b1), Some(0b11)], vec![Some(0b111), Some(0b1), Some(0b1)]];
        assert_eq!(profiles(&steps, 0), ["     ▄▄    ", "▄▄██ ██▄▄▄▄"]);
        let hole = vec![Some(0b11), Some(0b110), Some(0)];
        assert_eq!(profiles(&[hole], 0), ["  ▄▄  ", "██▀▀  "]);
        assert!(profiles(&[], 0).is_empty());
    }

    #[test]
    fn colours_by_hand() {
        let colours = [0.0, 1.0, -1.0, 0.5, f64::NAN].map(shade);
        assert_eq!(colours, ["#f2f2f2", "#1a7f37", "#c8322b", "#86b995", "#f2f2f2"]);
    }

    #[test]
    fn squares_stand_on_one_line_and_names_are_escaped() {
        let mut sheet = Sheet { body: String::new(), y: 100.0, look: Look::ALONE };
        let entry = Entry {
            name: "a<b".into(),
            profiles: vec![vec![Some(0b11), None]],
            weight: 3.0,
            above_mean: 2.0,
        };
        sheet.entry(&entry, 10.0, 2.0);
        // Two squares and a wall as high beside them.
        let expected = "<path fill=\"#1a7f37\" d=\"M10 90h9v9h-9zM10 80h9v9h-9z\"/>\
            <path fill=\"#999\" d=\"M20 90h9v9h-9zM20 80h9v9h-9z\"/>";
        assert!(sheet.body.contains(expected), "{}", sheet.body);
        assert!(sheet.body.contains("a&lt;b") && sheet.body.contains(">+2.000<"), "{}", sheet.body);
    }

    #[test]
    fn a_picture_has_as_many_entries_as_asked_for() {
        let rules = TetrisRules::default();
        let tables = Critic::<Tetris>::new(&rules, "record").unwrap().unwrap().surfaces(&rules).unwrap();
        let of = |most| svg("a & b", &tables, most);
        assert_eq!(of(3).matches("<title>").count(), 2 * 3 * tables.len());
        assert!(of(1).contains("that a &amp; b likes") && of(1).len() < of(8).len());
        assert!(of(8).ends_with("</svg>\n") && !of(8).contains("NaN"));
    }
}
