//! Tetris as the papers play it: a piece is dealt, the player chooses orientation and column, it drops straight. In the
//! original game (`original.rs`) it appears inside the board and must reach its column there.
//!
//! A column is a bit mask, its lowest cell bit 0: dropping is a comparison of heights, and a full row is a bit that
//! all columns share. Chance has its own turn, so that the dealing is apart from the playing.

mod features;
#[doc(hidden)] // as the others below: what the crate `lanes` shares with the plain path
pub mod holes;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod original;
mod picture;
#[doc(hidden)]
pub mod pieces;
mod rules;
#[doc(hidden)]
pub mod surface;
mod tables;
mod text;
#[cfg(test)]
mod twin;
#[doc(hidden)]
pub mod windows;

use math::Dice;

use crate::draw::Pen;
use crate::error::InputError;
use crate::features::{FeatureInfo, FeatureSet};
use crate::game::{Game, Outcome, Side, Turn};
use crate::picture::Picture;

pub use features::{Feature, TetrisFeatures, feature_name, parse_features};
pub use pieces::{Piece, Shape};
pub use rules::{Clearing, Deck, GameOver, Kind, Losing, Pieces, TetrisRules};
pub use surface::Profile;
pub use tables::Table;

/// The widest board.
pub const MAX_WIDTH: usize = 16;
/// The highest board: four rows more fill a word, and no piece sticks out further.
pub const MAX_HEIGHT: usize = 28;

/// The value of a lost game for search: below any evaluation, yet finite, so that means of it still compare.
pub const LOST: f64 = -1e12;

/// A position of Tetris.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tetris {
    columns: [u32; MAX_WIDTH],
    current: Option<Piece>,
    next: Option<Piece>,
    deck: Deck,
    lines: u64,
    lost: bool,
    rules: TetrisRules,
}

/// A piece put down: its orientation, and the column of its leftmost cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    /// The piece.
    pub piece: Piece,
    /// Its orientation, from 0.
    pub orientation: u8,
    /// Its leftmost column, from 0.
    pub column: u8,
}

impl Placement {
    /// The shape that drops.
    pub fn shape(self) -> &'static Shape {
        &self.piece.shapes()[usize::from(self.orientation)]
    }
}

impl Tetris {
    /// A position of what somebody has kept beside the game; nothing is checked.
    #[doc(hidden)]
    pub fn of_parts(rules: &TetrisRules, columns: &[u32], lines: u64, lost: bool, deck: Deck) -> Self {
        let mut position = Self { lines, lost, deck, ..Self::start(rules) };
        position.columns[..columns.len()].copy_from_slice(columns);
        position
    }

    /// The same position where this piece is the one to place.
    #[doc(hidden)]
    pub fn with_current(self, current: Option<Piece>) -> Self {
        Self { current, ..self }
    }

    /// The columns from left to right as bit masks, bit 0 the lowest cell.
    pub fn columns(&self) -> &[u32] {
        &self.columns[..usize::from(self.rules.width)]
    }

    /// The piece to place.
    pub fn current(&self) -> Option<Piece> {
        self.current
    }

    /// The piece after it, when two pieces are known.
    pub fn next(&self) -> Option<Piece> {
        self.next
    }

    /// What the dealing remembers.
    pub fn deck(&self) -> Deck {
        self.deck
    }

    /// Rows removed so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The height of the highest column.
    pub fn height(&self) -> u32 {
        highest(self.columns())
    }

    /// The rules of this game.
    pub fn rules(&self) -> &TetrisRules {
        &self.rules
    }

    /// The row that the lowest cell of the shape's box comes to lie in, if dropped with its left edge in `column`.
    #[inline]
    fn landing_row(&self, shape: &Shape, column: usize) -> u32 {
        if self.rules.game == Kind::Original {
            return self.landing_row_from_top(shape, column);
        }
        let mut row = 0;
        for (i, &bottom) in shape.bottoms().iter().enumerate() {
            row = row.max(height(self.columns[column + i]).saturating_sub(bottom));
        }
        row
    }

    /// The columns after the drop, full rows removed as the rules say; the number of those; whether it is lost.
    #[inline]
    fn dropped(&self, placement: Placement) -> ([u32; MAX_WIDTH], u32, bool) {
        let shape = placement.shape();
        let column = usize::from(placement.column);
        let row = self.landing_row(shape, column);
        let mut columns = self.columns;
        for (i, &cells) in shape.columns().iter().enumerate() {
            columns[column + i] |= cells << row;
        }
        let limit = self.rules.limit();
        if self.rules.clearing == Clearing::After && row + shape.height() > limit {
            return (columns, 0, true);
        }
        let width = usize::from(self.rules.width);
        let full = columns[..width].iter().fold(u32::MAX, |rows, &column| rows & column);
        if full != 0 {
            columns[..width].iter_mut().for_each(|column| *column = without_rows(*column, full));
        }
        let lost = self.rules.clearing == Clearing::Before && overflows(&columns[..width], limit);
        (columns, full.count_ones(), lost)
    }

    /// What is left of a piece after it has been placed here, and how many rows it removes.
    fn left_of(&self, placement: Placement) -> ([u32; MAX_WIDTH], u32) {
        let (_, removed, _) = self.dropped(placement);
        let row = self.landing_row(placement.shape(), usize::from(placement.column));
        let mut cells = [0; MAX_WIDTH];
        for (i, &column) in placement.shape().columns().iter().enumerate() {
            cells[usize::from(placement.column) + i] = column << row;
        }
        if removed > 0 {
            let board = self.columns().iter().zip(&cells).map(|(column, piece)| column | piece);
            let full = board.fold(u32::MAX, |rows, column| rows & column);
            cells.iter_mut().for_each(|column| *column = without_rows(*column, full));
        }
        (cells, removed)
    }

    /// Whether a placement loses the game.
    fn loses(&self, placement: Placement) -> bool {
        let shape = placement.shape();
        let row = self.landing_row(shape, usize::from(placement.column));
        let sticks_out = row + shape.height() > self.rules.limit();
        sticks_out && (self.rules.clearing == Clearing::After || self.dropped(placement).2)
    }

    /// Whether some placement could lose: only then must each be looked at.
    fn near_the_top(&self) -> bool {
        let highest = self.columns().iter().fold(0, |rows, &column| rows | column);
        height(highest) + 4 > self.rules.limit()
    }

    /// Every orientation and column, by orientation and then from left to right.
    fn placements(&self, piece: Piece) -> impl Iterator<Item = Placement> + use<> {
        let width = self.rules.width;
        piece.shapes().iter().zip(0..).flat_map(move |(shape, orientation)| {
            (0..=width - shape.columns().len() as u8).map(move |column| Placement {
                piece,
                orientation,
                column,
            })
        })
    }

    /// Whether losing placements are to be left out here: the rule says so and there are others.
    #[inline]
    fn avoids_loss(&self, piece: Piece) -> bool {
        self.rules.losing == Losing::Avoided && self.near_the_top() && self.some_are_safe(piece)
    }

    /// Apart, so that what comes before it is short enough to be inlined.
    #[inline(never)]
    fn some_are_safe(&self, piece: Piece) -> bool {
        self.placements(piece).any(|placement| !self.loses(placement))
    }
}

impl Game for Tetris {
    type Rules = TetrisRules;
    type Move = Placement;

    const NAME: &'static str = "tetris";
    const SUMMARY: &'static str = "drop the seven tetrominoes, complete rows, last as long as possible";
    const SIDES: &'static [&'static str] = &["player"];
    const MOVE_HELP: &'static str = "orientation and leftmost column, as 1d; 'd' alone is orientation 0";
    const SCORE_UNIT: &'static str = "lines";
    const CHANCE: bool = true;
    const SYMMETRIES: usize = 2;

    fn start(rules: &TetrisRules) -> Self {
        let (width, height) = (usize::from(rules.width), usize::from(rules.height));
        assert!((4..=MAX_WIDTH).contains(&width) && (4..=MAX_HEIGHT).contains(&height), "{width}x{height}");
        let deck = rules.pieces.fresh_deck();
        let rules = rules.clone();
        Self { columns: [0; MAX_WIDTH], current: None, next: None, deck, lines: 0, lost: false, rules }
    }

    fn turn(&self) -> Turn {
        if self.lost {
            Turn::Over
        } else if self.current.is_none() || self.rules.preview && self.next.is_none() {
            Turn::Chance
        } else {
            Turn::Player(Side::First)
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Placement>) {
        moves.clear();
        if let (Turn::Player(_), Some(piece)) = (self.turn(), self.current) {
            if self.rules.game == Kind::Original {
                return self.extend_with_legal_places(piece, moves);
            }
            let safe_only = self.avoids_loss(piece);
            moves.extend(self.placements(piece).filter(|&placement| !safe_only || !self.loses(placement)));
        }
    }

    fn count_moves(&self) -> usize {
        match (self.turn(), self.current) {
            (Turn::Player(_), Some(piece)) if self.rules.game == Kind::Original => {
                self.legal_places(piece).count()
            }
            (Turn::Player(_), Some(piece)) if self.avoids_loss(piece) => {
                self.placements(piece).filter(|&placement| !self.loses(placement)).count()
            }
            (Turn::Player(_), Some(piece)) => {
                let width = usize::from(self.rules.width);
                piece.shapes().iter().map(|shape| width + 1 - shape.columns().len()).sum()
            }
            _ => 0,
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::perft(self, depth)
    }

    fn check(&self, placement: Placement) -> Result<(), InputError> {
        let refused = |reason: String| Err(InputError::illegal(self.move_text(placement), reason));
        let piece = match (self.turn(), self.current) {
            (Turn::Over, _) => return refused("the game is over".into()),
            (Turn::Player(_), Some(piece)) => piece,
            _ => return refused("no piece has been dealt".into()),
        };
        if placement.piece != piece {
            return refused(format!("the piece to place is {}", piece.letter()));
        }
        let Some(shape) = piece.shapes().get(usize::from(placement.orientation)) else {
            let most = piece.shapes().len() - 1;
            return refused(format!("{} has orientations 0 to {most}", piece.letter()));
        };
        if usize::from(placement.column) + shape.columns().len() > usize::from(self.rules.width) {
            return refused("it sticks out on the right".into());
        }
        let left_out = match self.rules.game {
            Kind::Simplified => self.avoids_loss(piece) && self.loses(placement),
            Kind::Original if !self.reached(piece).holds(placement) => {
                return refused("it cannot be moved there, at the top and over free cells".into());
            }
            Kind::Original => !self.legal_places(piece).holds(placement),
        };
        if left_out {
            return refused("it loses, and another placement does not".into());
        }
        Ok(())
    }

    fn play_unchecked(&mut self, placement: Placement) {
        let (columns, lines, lost) = self.dropped(placement);
        self.columns = columns;
        self.lines += u64::from(lines);
        self.lost = lost;
        self.current = self.next.take();
        self.judge_appearance();
    }

    fn outcomes(&self, outcomes: &mut Vec<Outcome>) {
        outcomes.clear();
        if self.turn() == Turn::Chance {
            let weights = self.rules.pieces.weights(self.deck);
            let all = Piece::ALL.iter().zip(weights).filter(|&(_, weight)| weight > 0);
            outcomes.extend(all.map(|(&piece, weight)| Outcome { index: piece as u8, weight }));
        }
    }

    fn deal_matters(&self) -> bool {
        self.current.is_none()
    }

    fn deal_outcome(&mut self, index: u8) {
        let piece = Piece::ALL[usize::from(index)];
        self.deck = self.rules.pieces.after(self.deck, piece);
        let place = if self.current.is_none() { &mut self.current } else { &mut self.next };
        *place = Some(piece);
        self.judge_appearance();
    }

    fn deal(&mut self, dice: &mut Dice) {
        let piece = self.rules.pieces.draw(self.deck, dice);
        self.deal_outcome(piece as u8);
    }

    /// Rows removed.
    fn score(&self, _side: Side) -> f64 {
        self.lines as f64
    }

    fn final_value(&self, _side: Side) -> f64 {
        LOST
    }

    fn text(&self) -> String {
        text::to_text(self)
    }

    fn parse(rules: &TetrisRules, text: &str) -> Result<Self, InputError> {
        text::from_text(rules, text)
    }

    fn move_text(&self, placement: Placement) -> String {
        text::move_text(placement)
    }

    fn parse_move(&self, text: &str) -> Result<Placement, InputError> {
        text::parse_move(self, text)
    }

    fn draw(&self, pen: &mut Pen, last: Option<(&Self, Placement)>) {
        text::draw(self, pen, last);
    }

    fn picture(&self, last: Option<(&Self, Placement)>) -> Picture {
        picture::picture(self, last)
    }

    fn frames(&self, seen: &Picture, last: (&Self, Placement)) -> Vec<Picture> {
        picture::frames(self, seen, last)
    }

    fn feature_list() -> Vec<FeatureInfo> {
        features::feature_list()
    }

    /// All have lanes.
    fn is_fast(_: &str) -> bool {
        true
    }

    fn features(rules: &TetrisRules, names: &str) -> Result<Box<dyn FeatureSet<Self>>, InputError> {
        Ok(Box::new(TetrisFeatures::new(rules, names)?))
    }

    /// Left and right exchanged: S becomes Z, and J becomes L. The original game leans to the left: there a position has
    /// no image but itself.
    fn mirrored(&self, symmetry: usize) -> Self {
        let mut image = self.clone();
        if symmetry == 1 && self.rules.game == Kind::Simplified {
            image.columns[..usize::from(self.rules.width)].reverse();
            image.current = self.current.map(Piece::mirrored);
            image.next = self.next.map(Piece::mirrored);
            image.rules.pieces = self.rules.pieces.mirrored();
            image.deck = self.rules.pieces.mirrored_deck(self.deck);
        }
        image
    }

    fn mirrored_move(&self, placement: Placement, symmetry: usize) -> Placement {
        if symmetry == 0 || self.rules.game == Kind::Original {
            return placement;
        }
        let (piece, orientation) = placement.piece.mirrored_orientation(placement.orientation);
        let width = placement.shape().columns().len() as u8;
        Placement { piece, orientation, column: self.rules.width - width - placement.column }
    }
}

/// The number of rows up to the highest full cell.
#[inline]
pub fn height(column: u32) -> u32 {
    u32::BITS - column.leading_zeros()
}

/// The height of the highest column.
#[inline]
pub fn highest(columns: &[u32]) -> u32 {
    height(columns.iter().fold(0, |rows, &column| rows | column))
}

/// Whether a cell lies in row `limit` or above.
fn overflows(columns: &[u32], limit: u32) -> bool {
    let rows = columns.iter().fold(0, |rows, &column| rows | column);
    u64::from(rows) >> limit != 0
}

/// The column without the rows in `full`; what is above them falls.
#[inline]
fn without_rows(mut column: u32, mut full: u32) -> u32 {
    while full != 0 {
        // From the top down, so that the rows below keep their numbers.
        let row = u32::BITS - 1 - full.leading_zeros();
        let below = (1 << row) - 1;
        column = column & below | (column >> 1) & !below;
        full &= below;
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn rules(pairs: &[(&str, &str)]) -> TetrisRules {
        TetrisRules::from_pairs(pairs.iter().copied()).unwrap()
    }

    fn count(pairs: &[(&str, &str)], position: &str) -> usize {
        Tetris::parse(&rules(pairs), position).unwrap().count_moves()
    }

    #[test]
    fn the_placements_at_width_ten_are_those_of_the_papers() {
        let counts = Piece::ALL.map(|piece| count(&[], &format!("- {}", piece.letter())));
        assert_eq!(counts, [17, 9, 34, 17, 17, 34, 34]);
    }

    #[test]
    fn rows_are_removed_and_what_is_above_falls() {
        let small = [("width", "4"), ("height", "6")];
        let mut position = Tetris::parse(&rules(&small), "#.../#.##/##.#/#.## I 3").unwrap();
        position.play(position.parse_move("1b").unwrap()).unwrap();
        assert_eq!(position.text(), ".#../.#../##../##.#/#.## - 4");
    }

    #[test]
    fn losing_placements_are_left_out_while_there_are_others() {
        let low = [("width", "4"), ("height", "4")];
        // An upright I fits in the first column only; lying on the pile it sticks out.
        let board = ".###/.###/.###/.### I";
        assert_eq!(count(&low, board), 1);
        assert_eq!(count(&[low[0], low[1], ("losing", "allowed")], board), 5);
        // Nothing fits: all five are legal, and all lose.
        let full = "#.##/.###/.###/#.## I";
        assert_eq!(count(&low, full), 5);
        let mut position = Tetris::parse(&rules(&low), full).unwrap();
        position.play(position.parse_move("0a").unwrap()).unwrap();
        assert_eq!((position.turn(), position.lines()), (Turn::Over, 0));
        assert_eq!(position.text(), "####/#.##/.###/.###/#.## - 0");
        assert_eq!(Tetris::parse(&rules(&low), &position.text()).unwrap(), position);
    }

    #[test]
    fn rows_cleared_before_the_overflow_is_judged_save_the_game() {
        let low = [("width", "4"), ("height", "4"), ("clearing", "before")];
        let mut position = Tetris::parse(&rules(&low), "#.##/.###/.###/#.## I").unwrap();
        assert_eq!(position.count_moves(), 1, "only the lying I completes a row");
        position.play(position.parse_move("0a").unwrap()).unwrap();
        assert_eq!((position.turn(), position.lines()), (Turn::Chance, 1));
    }

    #[test]
    fn touching_the_top_row_is_the_game_of_one_row_less() {
        let touch = [("width", "4"), ("height", "5"), ("over", "top-row")];
        let low = [("width", "4"), ("height", "4")];
        for board in [".###/.###/.###/.### I", "#.../#.../#... T", "- O"] {
            assert_eq!(count(&touch, board), count(&low, board), "{board}");
        }
        let mut position = Tetris::parse(&rules(&touch), "#.../#.../#.../#... I").unwrap();
        position.play_unchecked(Placement { piece: Piece::I, orientation: 1, column: 0 });
        assert_eq!(position.turn(), Turn::Over);
    }

    #[test]
    fn the_highest_board_holds_a_piece_that_sticks_out() {
        let mut position = Tetris::start(&rules(&[("width", "4"), ("height", "28"), ("losing", "allowed")]));
        for _ in 0..8 {
            assert_ne!(position.turn(), Turn::Over);
            position.deal_outcome(Piece::I as u8);
            position.play(position.parse_move("1a").unwrap()).unwrap();
        }
        assert_eq!((position.turn(), position.columns()[0]), (Turn::Over, u32::MAX));
        assert_eq!(Tetris::parse(position.rules(), &position.text()).unwrap(), position);
    }

    #[test]
    fn what_is_left_of_the_last_piece_is_marked() {
        let drawn = |board: &str, mv: &str| {
            let before = Tetris::parse(&rules(&[("width", "4"), ("height", "4")]), board).unwrap();
            let (mut after, mv) = (before.clone(), before.parse_move(mv).unwrap());
            after.play(mv).unwrap();
            let mut pen = Pen::new(false);
            after.draw(&mut pen, Some((&before, mv)));
            pen.finish()
        };
        let lying = drawn("- O", "0a");
        assert_eq!(lying.matches("()").count(), 4, "{lying}");
        // Both rows of the O are removed: nothing of it is left, though two by two cells lie on top.
        let gone = drawn("..##/..##/##.. O", "0a");
        assert!(!gone.contains("()") && gone.contains("2 rows removed"), "{gone}");
        // One row of the O goes, the other stays.
        let half = drawn("..##/..#. O", "0a");
        assert_eq!((half.matches("()").count(), half.contains("1 row removed")), (2, true), "{half}");
    }

    #[test]
    fn a_text_without_its_deck_goes_on_after_the_pieces_it_shows() {
        let deck =
            |pieces: &str, text: &str| Tetris::parse(&rules(&[("pieces", pieces)]), text).unwrap().text();
        assert_eq!(deck("sequence:SZT", "- S"), "- S 0 1");
        assert_eq!(deck("bag", "- S"), "- S 0 IOTZJL");
        assert_eq!(deck("bag", "- -"), "- - 0 IOTSZJL");
        assert_eq!(deck("uniform", "- T 5000000000"), "- T 5000000000");
    }

    #[test]
    fn a_placement_that_no_board_has_is_illegal_and_nothing_worse() {
        let position = Tetris::parse(&rules(&[]), "- T").unwrap();
        for (orientation, column) in [(9, 0), (0, 200), (255, 255)] {
            assert!(!position.is_legal(Placement { piece: Piece::T, orientation, column }));
        }
    }

    #[test]
    fn two_known_pieces_are_dealt_ahead() {
        let mut position = Tetris::start(&rules(&[("preview", "on"), ("pieces", "sequence:TSZ")]));
        let mut dice = Dice::seeded(&[1]);
        position.deal(&mut dice);
        assert_eq!(position.turn(), Turn::Chance);
        position.deal(&mut dice);
        assert_eq!(position.text(), "- TS 0 2");
        position.play(position.parse_move("a").unwrap()).unwrap();
        position.deal(&mut dice);
        assert_eq!((position.current(), position.next()), (Some(Piece::S), Some(Piece::Z)));
    }
}
