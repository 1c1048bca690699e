//! One picture of a film: the board, lines above it, and beside it lines or charts.

use games::picture::{Colour, Picture};

use super::canvas::{Area, Canvas};
use super::chart::Course;
use super::drawing::{FAINT, GROUND, TEXT, WALL, drawing};
use super::font::{ADVANCE, HEIGHT};

/// Pixels of a dot of the font.
pub const SCALE: usize = 2;
/// Pixels from one letter to the next.
pub const LETTER: usize = ADVANCE * SCALE;
/// From one line of text to the next.
pub const LINE: usize = 24;
const MARGIN: usize = 20;
const GAP: usize = 26;
/// More room where there is a rule.
const RULE: usize = 9;
/// Lines that are shown in any case, however low the board is.
const LINES: usize = 19;
/// The least height of charts.
const CHARTS: usize = 330;
/// Bars above and below 0.
const GOOD: Colour = Colour(88, 196, 118);
const BAD: Colour = Colour(226, 84, 104);

/// A line of text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// From the left.
    pub left: Vec<(Colour, String)>,
    /// At the right.
    pub right: Option<(Colour, String)>,
    /// A small picture before what is at the right.
    pub icon: Option<Picture>,
    /// A bar below, compared with those of the other lines.
    pub bar: Option<f64>,
    /// Whether there is a rule above.
    pub rule: bool,
}

impl Row {
    /// A name and its value.
    pub fn new(name: &str, value: &str) -> Self {
        let right = Some((TEXT, value.to_string()));
        Self { left: vec![(FAINT, name.to_string())], right, ..Self::default() }
    }

    /// Words in one colour.
    pub fn words(colour: Colour, text: &str) -> Self {
        Self { left: vec![(colour, text.to_string())], ..Self::default() }
    }

    fn letters(&self) -> usize {
        self.left.iter().chain(&self.right).map(|(_, text)| text.chars().count()).sum()
    }
}

/// What is said about a position.
#[derive(Debug, Clone, Default)]
pub struct Words<'a> {
    /// Lines above the board.
    pub head: Vec<Row>,
    /// Lines beside it.
    pub beside: Vec<Row>,
    /// Charts beside it, up to a move.
    pub course: Option<(&'a Course, usize)>,
}

/// The measures of all pictures of a film.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Pixels of a cell.
    pub(super) cell: f64,
    pub(super) board: Area,
    beside: Area,
    size: (usize, usize),
}

impl Stage {
    /// As large as the first picture and what is said about it need.
    pub fn new(picture: &Picture, words: &Words) -> Self {
        let cell = (420.0 / picture.rows().max(1) as f64).clamp(18.0, 46.0).floor();
        let (width, height) = board_size(picture, words, cell);
        let lines = words.beside.len().min(LINES.max(height / LINE));
        let rules = words.beside.iter().filter(|row| row.rule).count();
        let letters = words.beside.iter().map(Row::letters).max().map_or(0, |most| (most + 9).clamp(20, 40));
        let charts = words.course.map_or((0, 0), |_| (Course::WIDTH, CHARTS));
        let panel = (charts.0.max(letters * LETTER), charts.1.max(lines * LINE + rules * RULE));
        let top = MARGIN + if words.head.is_empty() { 0 } else { words.head.len() * LINE + 10 };
        let body = height.max(panel.1);
        let board = Area { left: MARGIN, top: top + (body - height) / 2, width, height };
        let left = MARGIN + width + if panel.0 > 0 { GAP } else { 0 };
        let beside = Area { left, top, width: panel.0, height: body };
        Self { cell, board, beside, size: (left + panel.0 + MARGIN, top + body + MARGIN) }
    }

    /// Pixels from left to right and from top to bottom.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// A picture and what is said about it.
    pub fn draw(&self, picture: &Picture, words: &Words) -> Canvas {
        let mut canvas = Canvas::new(self.size.0, self.size.1, GROUND);
        let (_, height) = board_size(picture, words, self.cell);
        // A pile that sticks out is cut off above.
        let top = (self.board.top + self.board.height) as f64 - height as f64;
        canvas.draw(&shown(picture, words), (self.board.left as f64, top), self.cell);
        let head = Area { left: MARGIN, top: MARGIN, width: self.size.0 - 2 * MARGIN, height: 0 };
        for (i, row) in words.head.iter().enumerate() {
            draw_row(&mut canvas, head, MARGIN + i * LINE, row, 0.0);
        }
        self.draw_beside(&mut canvas, &words.beside);
        if let Some((course, number)) = words.course {
            course.draw(&mut canvas, self.beside, number);
        }
        canvas
    }

    fn draw_beside(&self, canvas: &mut Canvas, rows: &[Row]) {
        let bars = rows.iter().filter_map(|row| row.bar).filter(|bar| bar.is_finite());
        let most = bars.fold(0.0, |most: f64, bar| most.max(bar.abs()));
        let room = LINES.max(self.board.height / LINE);
        let shown = if rows.len() > room { room - 1 } else { rows.len() };
        let more = Row::words(FAINT, &format!("+ {} more", rows.len() - shown));
        let mut top = self.beside.top;
        for row in rows[..shown].iter().chain((rows.len() > shown).then_some(&more)) {
            if row.rule {
                canvas.fill(self.beside.left, top, self.beside.width, 1, WALL);
                top += RULE;
            }
            draw_row(canvas, self.beside, top, row, most);
            top += LINE;
        }
    }
}

/// What is seen of a picture: lines beside it say what its caption would.
fn shown(picture: &Picture, words: &Words) -> super::drawing::Drawing {
    if words.beside.is_empty() || picture.cells.is_empty() {
        return drawing(picture);
    }
    drawing(&Picture { caption: Vec::new(), ..picture.clone() })
}

fn board_size(picture: &Picture, words: &Words, cell: f64) -> (usize, usize) {
    let (width, height) = shown(picture, words).size;
    ((width * cell).ceil() as usize, (height * cell).ceil() as usize)
}

fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_string();
    }
    text.chars().take(letters.saturating_sub(3)).chain("...".chars()).collect()
}

fn draw_row(canvas: &mut Canvas, area: Area, top: usize, row: &Row, most: f64) {
    const SMALL: f64 = 9.0;
    let (mut room, mut x) = (area.width / LETTER, area.left);
    if let Some((colour, text)) = &row.right {
        let wide = text.chars().count() * LETTER;
        let left = (area.left + area.width).saturating_sub(wide.saturating_sub(SCALE));
        canvas.text(left, top, SCALE, *colour, text);
        room = room.saturating_sub(text.chars().count() + 1);
        if let Some(icon) = &row.icon {
            let icon = drawing(icon);
            let left = left as f64 - (icon.size.0 * SMALL) - LETTER as f64;
            canvas.draw(&icon, (left, top as f64 + 2.0), SMALL);
        }
    }
    for (colour, text) in &row.left {
        let text = cut(text, room);
        canvas.text(x, top, SCALE, *colour, &text);
        x += text.chars().count() * LETTER;
        room -= text.chars().count().min(room);
    }
    if let Some(bar) = row.bar.filter(|bar| bar.is_finite() && *bar != 0.0 && most > 0.0) {
        let length = (area.width as f64 * bar.abs() / most).max(1.0) as usize;
        let colour = if bar > 0.0 { GOOD } else { BAD };
        canvas.fill(area.left, top + HEIGHT * SCALE + 2, length, 2, colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::picture::Cell;

    fn stage(words: &Words) -> (Stage, Picture) {
        let picture = Picture::new("one cell".into(), 1, vec![Some(Cell::default())]);
        (Stage::new(&picture, words), picture)
    }

    #[test]
    fn bars_are_as_long_as_they_are_good_or_bad() {
        let row = |bar: f64| Row { bar: Some(bar), ..Row::new("a", "1") };
        let words = Words { beside: vec![row(2.0), row(-1.0), row(f64::NAN)], ..Words::default() };
        let (stage, picture) = stage(&words);
        let canvas = stage.draw(&picture, &words);
        let places = || (0..stage.size.1).flat_map(|y| (0..stage.size.0).map(move |x| (x, y)));
        let count = |colour: Colour| places().filter(|&(x, y)| canvas.pixel(x, y) == colour).count();
        assert_eq!((count(GOOD), count(BAD)), (2 * stage.beside.width, stage.beside.width));
    }

    #[test]
    fn of_more_lines_than_there_is_room_for_it_is_said_how_many() {
        let rows: Vec<Row> = (0..100).map(|i| Row::new(&format!("line {i}"), "")).collect();
        let many = Words { beside: rows.clone(), ..Words::default() };
        let (stage, picture) = stage(&many);
        let mut shown = rows[..LINES - 1].to_vec();
        shown.push(Row::words(FAINT, "+ 82 more"));
        let few = Words { beside: shown, ..Words::default() };
        assert_eq!(stage.draw(&picture, &many), stage.draw(&picture, &few));
        assert_eq!((cut("abcdefgh", 6).as_str(), cut("abcdef", 6).as_str()), ("abc...", "abcdef"));
    }
}
