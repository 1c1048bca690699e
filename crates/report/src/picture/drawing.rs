//! What a picture looks like: rectangles, discs, lines and words, all measured in cells. Whoever draws these draws every game.

use games::draw::Ink;
use games::picture::{Cell, Colour, HUES, Picture, Piece, Place, Shape};

use super::font;

/// Behind everything.
pub const GROUND: Colour = Colour(19, 22, 33);
/// What is to be read.
pub const TEXT: Colour = Colour(233, 236, 245);
/// What need not be.
pub const FAINT: Colour = Colour(133, 142, 171);
/// Around the cells of the last move.
pub const MARK: Colour = Colour(235, 240, 255);
/// Walls and rules.
pub const WALL: Colour = Colour(86, 94, 122);
/// Behind words of the last move.
const LAST: Colour = Colour(66, 92, 150);

/// A strip of labels.
const STRIP: f64 = 0.6;
/// The same where moves have values.
const WIDE_STRIP: f64 = 1.0;
/// The thickness of a wall.
pub(super) const WALL_WIDTH: f64 = 0.17;
/// The height of capital letters of labels and values.
const LETTER: f64 = 0.3;

/// One thing to draw, over those before it.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A rectangle by its upper left corner and its size.
    Rect((f64, f64), (f64, f64), Colour),
    /// A disc by its middle and its radius.
    Disc((f64, f64), f64, Colour),
    /// A thin line between two points.
    Line((f64, f64), (f64, f64), Colour),
    /// Words.
    Words {
        /// Their middle, or the middle of their left edge.
        at: (f64, f64),
        /// Whether it is their middle.
        centred: bool,
        /// The height of a capital letter.
        size: f64,
        /// Their colour.
        colour: Colour,
        /// What is written.
        text: String,
    },
}

/// All of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// Its width and height.
    pub size: (f64, f64),
    /// What is in it, from the lowest up.
    pub parts: Vec<Part>,
}

/// The colour of a side on the ground, where a dark one could not be seen.
pub fn readable(side: Colour) -> Colour {
    if side.is_dark() { side.mix(Colour::WHITE, 0.45) } else { side }
}

/// The width of words of a size; letters are as wide as those of the font.
fn width(letters: usize, size: f64) -> f64 {
    size * (letters * font::ADVANCE) as f64 / font::HEIGHT as f64
}

/// Where places are.
struct Grid {
    rows: i32,
    columns: i32,
    /// The corner of the first cell.
    corner: (f64, f64),
    /// The middles of the strips: left, right, top, bottom.
    strips: [f64; 4],
}

impl Grid {
    fn middle(&self, (row, column): Place) -> (f64, f64) {
        let along = |at: i32, most: i32, corner: f64, before: f64, after: f64| match at {
            at if at < 0 => before,
            at if at >= most => after,
            at => corner + f64::from(at) + 0.5,
        };
        let [left, right, top, bottom] = self.strips;
        (
            along(column, self.columns, self.corner.0, left, right),
            along(row, self.rows, self.corner.1, top, bottom),
        )
    }
}

/// The drawing of a picture.
pub fn drawing(picture: &Picture) -> Drawing {
    let (rows, columns) = (picture.rows() as i32, picture.columns as i32);
    let strip = |is_there: &dyn Fn(Place) -> bool| {
        let valued = picture.moves.iter().any(|mv| mv.value.is_some() && is_there(mv.to));
        let labelled = picture.labels.iter().any(|label| is_there(label.place));
        if valued {
            WIDE_STRIP
        } else if labelled {
            STRIP
        } else {
            0.0
        }
    };
    let (left, right) = (strip(&|place| place.1 < 0), strip(&|place| place.1 >= columns));
    let (top, bottom) = (strip(&|place| place.0 < 0), strip(&|place| place.0 >= rows));
    let wall = if picture.outside > 0 { WALL_WIDTH } else { 0.0 };
    let corner = (left + wall, top);
    let end = (corner.0 + f64::from(columns) + wall, top + f64::from(rows) + wall);
    let strips = [left / 2.0, end.0 + right / 2.0, top / 2.0, end.1 + bottom / 2.0];
    let grid = Grid { rows, columns, corner, strips };
    let mut drawing = Drawing { size: (end.0 + right, end.1 + bottom), parts: Vec::new() };
    if wall > 0.0 {
        let upper = top + picture.outside as f64;
        drawing.parts.push(Part::Rect((left, upper), (end.0 - left, end.1 - upper), WALL));
    }
    let cells = picture.cells.iter().enumerate().filter_map(|(i, cell)| {
        let (row, column) = (i / picture.columns, i % picture.columns);
        Some(((corner.0 + column as f64, corner.1 + row as f64), cell.as_ref()?))
    });
    for (at, _) in cells.clone() {
        match drawing.parts.last_mut() {
            // Cells of a row lie on one plate.
            Some(Part::Rect(corner, size, _))
                if size.1 == 1.0 && corner.1 == at.1 && (corner.0 + size.0 - at.0).abs() < 1e-9 =>
            {
                size.0 += 1.0;
            }
            _ => drawing.parts.push(Part::Rect(at, (1.0, 1.0), picture.plate)),
        }
    }
    for (at, cell) in cells {
        drawing.cell(picture, at, cell);
    }
    for label in &picture.labels {
        let can = picture.moves.iter().any(|mv| mv.to == label.place);
        let colour = if label.marked {
            MARK
        } else if can {
            TEXT
        } else {
            FAINT
        };
        let at = grid.middle(label.place);
        let up = if picture.moves.iter().any(|mv| mv.to == label.place && mv.value.is_some()) {
            0.22
        } else {
            0.0
        };
        if label.marked {
            drawing.parts.push(Part::Rect((at.0 - 0.25, at.1 - up - 0.25), (0.5, 0.5), LAST));
        }
        drawing.words((at.0, at.1 - up), LETTER, colour, &label.text);
    }
    drawing.moves(picture, &grid);
    drawing.caption(picture);
    drawing
}

impl Drawing {
    fn words(&mut self, at: (f64, f64), size: f64, colour: Colour, text: &str) {
        self.parts.push(Part::Words { at, centred: true, size, colour, text: text.to_string() });
    }

    fn cell(&mut self, picture: &Picture, (x, y): (f64, f64), cell: &Cell) {
        let middle = (x + 0.5, y + 0.5);
        if picture.round {
            if cell.marked {
                self.parts.push(Part::Disc(middle, 0.467, MARK));
            }
            self.parts.push(Part::Disc(middle, 0.424, picture.hole));
        } else {
            self.parts.push(Part::Rect((x, y), (0.945, 0.945), picture.hole));
        }
        let Some(piece) = &cell.piece else { return };
        match piece.shape {
            Shape::Discs(height) => self.discs(middle, height, piece),
            Shape::Block => self.block((x, y), piece, cell.marked),
        }
    }

    /// Discs on each other, the upper ones further up.
    fn discs(&mut self, (x, y): (f64, f64), height: u8, piece: &Piece) {
        const LEVEL: f64 = 0.087;
        const THICK: f64 = 0.022;
        let face = piece.colour;
        let (rim, edge) = (face.mix(Colour::WHITE, 0.35), face.mix(Colour::BLACK, 0.5));
        let above = f64::from(height.saturating_sub(1));
        let mut y = y + LEVEL * above / 2.0;
        for _ in 0..height {
            let discs = [(y + THICK, 0.337, edge), (y - THICK, 0.315, rim), (y - THICK, 0.272, face)];
            self.parts.extend(discs.map(|(y, radius, colour)| Part::Disc((x, y), radius, colour)));
            y -= LEVEL;
        }
        self.on_piece((x, y + LEVEL - THICK), piece);
    }

    /// A square with a light and a dark edge; brighter if it has just come.
    fn block(&mut self, (x, y): (f64, f64), piece: &Piece, bright: bool) {
        const SIDE: f64 = 0.945;
        const EDGE: f64 = 0.11;
        let darker = |share: f64| Colour::BLACK.mix(piece.colour, share);
        let [face, light, dark] = if bright {
            [piece.colour, piece.colour.mix(Colour::WHITE, 0.5), darker(0.72)]
        } else {
            [darker(0.66), darker(0.82), darker(0.46)]
        };
        let inner = SIDE - 2.0 * EDGE;
        self.parts.extend([
            Part::Rect((x, y), (SIDE, SIDE), dark),
            Part::Rect((x, y), (SIDE - EDGE, SIDE - EDGE), light),
            Part::Rect((x + EDGE, y + EDGE), (inner, inner), face),
        ]);
        self.on_piece((x + SIDE / 2.0, y + SIDE / 2.0), piece);
    }

    fn on_piece(&mut self, at: (f64, f64), piece: &Piece) {
        if !piece.text.is_empty() {
            let dark = piece.colour.mix(Colour::BLACK, 0.75);
            self.words(at, LETTER, if piece.colour.is_dark() { TEXT } else { dark }, &piece.text);
        }
    }

    /// A dot where a piece may be put; what moves are worth, on a line if they go from one cell to another.
    fn moves(&mut self, picture: &Picture, grid: &Grid) {
        for mv in &picture.moves {
            let to = grid.middle(mv.to);
            let in_cell = picture.cell(mv.to).is_some();
            match (&mv.value, mv.from.map(|from| grid.middle(from))) {
                (None, None) if in_cell => {
                    self.parts.push(Part::Disc(to, 0.08, picture.hole.mix(TEXT, 0.35)));
                }
                (None, _) => {}
                (Some(value), None) => {
                    let at = if in_cell { to } else { (to.0, to.1 + 0.2) };
                    self.words(at, LETTER * 0.8, TEXT, value);
                }
                (Some(value), Some(from)) => {
                    self.parts.push(Part::Line(from, to, TEXT));
                    self.parts.push(Part::Disc(to, 0.09, TEXT));
                    // Off the middle, so that both directions can be read.
                    let at = (from.0 + 0.6 * (to.0 - from.0), from.1 + 0.6 * (to.1 - from.1));
                    let size = LETTER * 0.7;
                    let box_size = (width(value.chars().count(), size) + 0.08, size + 0.12);
                    let corner = (at.0 - box_size.0 / 2.0, at.1 - box_size.1 / 2.0);
                    self.parts.push(Part::Rect(corner, box_size, GROUND));
                    self.words(at, size, TEXT, value);
                }
            }
        }
    }

    /// Lines below the board; as large as the board is wide.
    fn caption(&mut self, picture: &Picture) {
        let size = LETTER * (picture.columns as f64 / 8.0).max(1.0);
        let line = size * 1.8;
        for spans in &picture.caption {
            let (mut letters, y) = (0, self.size.1 + line / 2.0);
            for (ink, text) in spans {
                let (x, count) = (width(letters, size), text.chars().count());
                if *ink == Some(Ink::Last) {
                    let ground = (width(count, size), line);
                    self.parts.push(Part::Rect((x, y - line / 2.0), ground, LAST));
                }
                let (colour, text) = (of_ink(*ink, picture), text.clone());
                self.parts.push(Part::Words { at: (x, y), centred: false, size, colour, text });
                letters += count;
            }
            self.size = (self.size.0.max(width(letters, size)), self.size.1 + line);
        }
    }
}

fn of_ink(ink: Option<Ink>, picture: &Picture) -> Colour {
    match ink {
        None | Some(Ink::Last) => TEXT,
        Some(Ink::Faint) => FAINT,
        Some(Ink::First | Ink::Black) => readable(picture.sides[0]),
        Some(Ink::Second | Ink::White) => readable(picture.sides[1]),
        Some(Ink::Piece(number)) => HUES[usize::from(number) % HUES.len()],
    }
}
