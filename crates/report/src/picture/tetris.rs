//! The board of Tetris and the panel beside it, on a canvas.

use games::tetris::{MAX_WIDTH, Piece, Placement, Tetris, TetrisRules};

use super::canvas::Canvas;
use super::font;
use super::palette::{self, Block, Shade};

/// Pixels of a cell.
pub const CELL: usize = 18;
/// Pixels from the edges of the picture to the board: a cell, for what sticks out.
pub const MARGIN: usize = CELL;
/// Pixels of the walls.
pub const WALL: usize = 3;

const SCALE: usize = 2;
const LETTER: usize = font::ADVANCE * SCALE;
const LINE: usize = 23;
/// Lines of the panel above the features.
const HEAD: usize = 7;
/// Letters of a value.
const VALUE: usize = 8;
const GAP: usize = 24;

/// A cell that is full: what it is of, and whether it came with the last piece.
pub type Cell = Option<(Block, bool)>;

/// The colours of the cells, which a position does not remember. Rows from the floor.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    width: usize,
    rows: Vec<[Cell; MAX_WIDTH]>,
}

impl Scene {
    /// The cells of a position, which could have come from any piece.
    pub fn new(position: &Tetris) -> Self {
        let cell = |column: u32, row: usize| (column >> row & 1 != 0).then_some((Block::Unknown, false));
        let mut scene = Self { width: position.columns().len(), rows: Vec::new() };
        let highest = position.columns().iter().fold(0, |rows, &column| rows | column);
        for row in 0..(u32::BITS - highest.leading_zeros()) as usize {
            let mut cells = [None; MAX_WIDTH];
            for (column, &bits) in position.columns().iter().enumerate() {
                cells[column] = cell(bits, row);
            }
            scene.rows.push(cells);
        }
        scene
    }

    /// The cell of a column and a row, from 0.
    pub fn cell(&self, column: usize, row: usize) -> Cell {
        self.rows.get(row).and_then(|cells| cells[column])
    }

    /// Drops a piece; full rows stay.
    pub fn place(&mut self, placement: Placement) {
        self.rows.iter_mut().flatten().flatten().for_each(|cell| cell.1 = false);
        let (shape, left) = (placement.shape(), usize::from(placement.column));
        let top =
            |column: usize| self.rows.iter().rposition(|row| row[column].is_some()).map_or(0, |row| row + 1);
        let landings = shape.bottoms().iter().enumerate();
        let landing = landings.map(|(i, &bottom)| top(left + i).saturating_sub(bottom as usize)).max();
        let landing = landing.expect("a shape has columns");
        for (i, &cells) in shape.columns().iter().enumerate() {
            for row in (0..shape.height() as usize).filter(|row| cells >> row & 1 != 0) {
                let row = landing + row;
                self.rows.resize(self.rows.len().max(row + 1), [None; MAX_WIDTH]);
                self.rows[row][left + i] = Some((Block::Piece(placement.piece), true));
            }
        }
    }

    /// Whether a row is full.
    pub fn is_full(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(|cells| cells[..self.width].iter().all(Option::is_some))
    }

    /// Takes the full rows away.
    pub fn remove_full(&mut self) {
        let width = self.width;
        self.rows.retain(|cells| cells[..width].iter().any(Option::is_none));
    }
}

/// One line about a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The feature.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// What it adds to the value of the placement, if it adds something.
    pub share: Option<f64>,
}

/// What is written beside the board.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// Rows removed.
    pub lines: u64,
    /// Pieces placed.
    pub pieces: u64,
    /// The piece placed last.
    pub piece: Option<Piece>,
    /// Its value for the player.
    pub value: Option<f64>,
    /// The features of the placement.
    pub features: Vec<Line>,
    /// Whether the game is over.
    pub over: bool,
}

/// The measures of all pictures of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    player: String,
    columns: usize,
    rows: usize,
    /// Features that are shown; where there are more, one line less, and one that says so.
    shown: usize,
    letters: usize,
    width: usize,
    height: usize,
}

impl Layout {
    /// For a game under these rules of a player with these features.
    pub fn new(rules: &TetrisRules, player: &str, features: &[String]) -> Self {
        let (columns, rows) = (usize::from(rules.width), usize::from(rules.height));
        let board = rows * CELL + WALL;
        let room = (board / LINE).saturating_sub(HEAD).max(12);
        let shown = features.len().min(room);
        let longest = features.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let letters = (longest + 1 + VALUE).clamp(20, 40);
        let panel = (HEAD + shown) * LINE;
        let width = MARGIN + 2 * WALL + columns * CELL + GAP + letters * LETTER + MARGIN;
        let height = board.max(panel) + 2 * MARGIN;
        // Letters at the end of a path tell more than those at its beginning.
        let skipped = player.chars().count().saturating_sub(letters);
        let player = player.chars().skip(skipped).collect();
        Self { player, columns, rows, shown, letters, width, height }
    }

    /// Pixels from left to right and from top to bottom.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The top left pixel of a cell; rows count from the floor.
    pub fn corner(&self, column: usize, row: usize) -> (usize, usize) {
        (MARGIN + WALL + column * CELL, MARGIN + self.rows * CELL - (row + 1) * CELL)
    }

    /// The picture. With `flash`, full rows light up.
    pub fn draw(&self, scene: &Scene, panel: &Panel, flash: bool) -> Canvas {
        let mut canvas = Canvas::new(self.width, self.height, palette::GROUND);
        let (inside, deep) = (self.columns * CELL, self.rows * CELL);
        canvas.fill(MARGIN, MARGIN, inside + 2 * WALL, deep + WALL, palette::WALL);
        canvas.fill(MARGIN + WALL, MARGIN, inside, deep, palette::GRID);
        // The margin has room for one row of a piece that sticks out.
        for row in 0..=self.rows {
            for column in 0..self.columns {
                let (x, y) = self.corner(column, row);
                match scene.cell(column, row) {
                    _ if flash && scene.is_full(row) => canvas.fill(x, y, CELL, CELL, palette::FLASH),
                    Some((block, bright)) => draw_block(&mut canvas, x, y, CELL, block, bright),
                    None if row == self.rows => {}
                    None => canvas.fill(x, y, CELL - 1, CELL - 1, palette::WELL),
                }
            }
        }
        self.draw_panel(&mut canvas, panel);
        canvas
    }

    fn draw_panel(&self, canvas: &mut Canvas, panel: &Panel) {
        let left = MARGIN + 2 * WALL + self.columns * CELL + GAP;
        let right = left + self.letters * LETTER;
        // A little more room below the name and below the counts, each with a rule in it.
        let line = |number: usize| MARGIN + number * LINE + [0, 9, 9, 9, 9, 0][number.min(5)];
        let put = |canvas: &mut Canvas, number: usize, colour: u8, name: &str, value: &str| {
            canvas.text(left, line(number), SCALE, palette::FAINT, name);
            let start = right.saturating_sub(value.chars().count() * LETTER - SCALE);
            canvas.text(start, line(number), SCALE, colour, value);
        };
        canvas.text(left, line(0), SCALE, palette::TEXT, &self.player);
        for number in [1, 5] {
            canvas.fill(left, line(number) - 9, right - left, 1, palette::WALL);
        }
        put(canvas, 1, palette::TEXT, "lines", &panel.lines.to_string());
        put(canvas, 2, palette::TEXT, "pieces", &panel.pieces.to_string());
        if let Some(piece) = panel.piece {
            let colour = palette::block(Block::Piece(piece), true, Shade::Face);
            put(canvas, 3, colour, "piece", &piece.letter().to_string());
            draw_piece(canvas, right - 3 * LETTER, line(3) + 2, piece);
        }
        if panel.over {
            canvas.text(left, line(5), SCALE, palette::BAD, "game over");
        } else if let Some(value) = panel.value {
            put(canvas, 5, palette::TEXT, "value", &short(value));
        }
        let most = panel
            .features
            .iter()
            .filter_map(|line| line.share)
            .fold(0.0, |most: f64, share| most.max(share.abs()));
        let all = panel.features.len();
        let shown = if all > self.shown { self.shown - 1 } else { all };
        for (i, feature) in panel.features[..shown].iter().enumerate() {
            let name: String = feature.name.chars().take(self.letters - VALUE - 1).collect();
            put(canvas, HEAD - 1 + i, palette::TEXT, &name, &short(feature.value));
            // A bar under the name: how much of the value is due to it.
            if let Some(share) =
                feature.share.filter(|share| share.is_finite() && most > 0.0 && *share != 0.0)
            {
                let length = ((right - left) as f64 * share.abs() / most).max(1.0) as usize;
                let colour = if share > 0.0 { palette::GOOD } else { palette::BAD };
                canvas.fill(left, line(HEAD - 1 + i) + font::HEIGHT * SCALE + 2, length, 2, colour);
            }
        }
        if all > shown {
            let more = format!("+ {} more", all - shown);
            canvas.text(left, line(HEAD - 1 + shown), SCALE, palette::FAINT, &more);
        }
    }
}

/// A square with a light and a dark edge.
fn draw_block(canvas: &mut Canvas, x: usize, y: usize, size: usize, block: Block, bright: bool) {
    let edge = (size / 8).max(1);
    let inner = size - 1;
    canvas.fill(x, y, inner, inner, palette::block(block, bright, Shade::Dark));
    canvas.fill(x, y, inner - edge, inner - edge, palette::block(block, bright, Shade::Light));
    let face = inner - 2 * edge;
    canvas.fill(x + edge, y + edge, face, face, palette::block(block, bright, Shade::Face));
}

/// A small picture of a piece that ends at this pixel on the right.
fn draw_piece(canvas: &mut Canvas, right: usize, top: usize, piece: Piece) {
    const SMALL: usize = 9;
    let shape = &piece.shapes()[0];
    let left = right - shape.columns().len() * SMALL;
    for (column, &cells) in shape.columns().iter().enumerate() {
        for row in (0..shape.height() as usize).filter(|row| cells >> row & 1 != 0) {
            let y = top + (shape.height() as usize - 1 - row) * SMALL;
            draw_block(canvas, left + column * SMALL, y, SMALL, Block::Piece(piece), true);
        }
    }
}

/// A number in at most eight letters, where it can be.
pub fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_string(),
        text if text.len() <= VALUE || !number.is_finite() => text.to_string(),
        _ if number.abs() < 1e7 => format!("{number:.0}"),
        _ => format!("{number:.1e}"),
    }
}
