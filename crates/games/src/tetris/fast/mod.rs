//! The fast way to play a linear function: the placements of one orientation side by side in vector lanes.
//!
//! Lane x holds the placement whose leftmost column is x. Columns lie in one array, so that loading eight of them from
//! offset k gives every lane its k-th column: no gathering, no copying of boards. A placement that removes no row
//! changes a few columns only, and every feature is the board's total plus what these columns change (`lanes.rs`). The
//! few placements that remove rows or stick out are played on a copy and counted whole (`board.rs`, `counts.rs`).
//!
//! All features are whole numbers until they are weighted, and they are added up in the order of the plain path: the two
//! play the same games, move for move, which the tests below hold them to.

mod ahead;
mod board;
mod counts;
mod holes;
mod lanes;
mod search;
mod shapes;
mod surface;
mod terms;
mod word;

pub use ahead::Ahead;
use board::Board;
use search::{Search, Value};
use shapes::FastShape;
use terms::Terms;

use super::features::TetrisFeatures;
use super::{Kind, Losing, Piece, Placement, Tetris, TetrisRules};
use crate::game::Game;

/// A player of a linear function on one board.
#[derive(Debug, Clone)]
pub struct LinearPlayer {
    terms: Terms,
    board: Board,
    rules: TetrisRules,
    lines: u64,
    lost: bool,
}

impl LinearPlayer {
    /// A player of these weighted features, if the fast path knows all of them and the rules.
    pub fn new(rules: &TetrisRules, features: &TetrisFeatures, weights: &[f64]) -> Option<Self> {
        assert_eq!(features.count(), weights.len(), "one weight for each feature");
        if rules.game != Kind::Simplified {
            return None;
        }
        let terms = Terms::new(features, weights)?;
        let board = Board::new(rules, &[0; super::MAX_WIDTH], &terms);
        Some(Self { terms, board, rules: rules.clone(), lines: 0, lost: false })
    }

    /// Goes to a position; what it remembers of dealing is none of this player's business.
    pub fn set(&mut self, position: &Tetris) {
        self.board = Board::new(&self.rules, &position.columns, &self.terms);
        self.lines = position.lines;
        self.lost = position.lost;
    }

    /// Where the game stands, with the deck that the dealing has come to.
    pub fn position(&self, deck: super::Deck) -> Tetris {
        let mut position = Tetris::start(&self.rules);
        position.columns[..self.board.width()].copy_from_slice(self.board.cells());
        (position.lines, position.lost, position.deck) = (self.lines, self.lost, deck);
        position
    }

    /// The same where the piece to place next is already known.
    pub fn position_with(&self, deck: super::Deck, current: Option<Piece>) -> Tetris {
        Tetris { current, ..self.position(deck) }
    }

    /// Rows removed so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Whether the game is over.
    pub fn lost(&self) -> bool {
        self.lost
    }

    /// The height of the highest column.
    pub fn height(&self) -> u32 {
        super::highest(self.board.cells())
    }

    /// The cells of each column, bit 0 at the floor.
    pub fn columns(&self) -> &[u32] {
        self.board.cells()
    }

    /// The best placement: the first of the highest value, by orientation and then from left to right.
    pub fn choose(&self, piece: Piece) -> Placement {
        let (orientation, column) = search::unpack(self.best(piece).number);
        Placement { piece, orientation, column }
    }

    #[inline]
    fn best(&self, piece: Piece) -> Value {
        match self.terms.list {
            0 => self.best_by::<0>(piece),
            1 => self.best_by::<1>(piece),
            2 => self.best_by::<2>(piece),
            3 => self.best_by::<3>(piece),
            _ => self.best_by::<{ terms::ANY }>(piece),
        }
    }

    fn best_by<const K: usize>(&self, piece: Piece) -> Value {
        let mut search = Search::<K>::new(&self.board, &self.terms);
        search.look_at(piece);
        let special = search.special();
        let losing_too = self.rules.losing == Losing::Allowed;
        self.look_at_special(piece, special, losing_too, &mut search);
        if search.best().is_none() {
            // When all lose, the best of them.
            self.look_at_special(piece, special, true, &mut search);
        }
        search.best().expect("every piece has a placement")
    }

    /// Looks at the placements that remove rows or stick out, one by one.
    #[inline]
    fn look_at_special<const K: usize>(
        &self,
        piece: Piece,
        mut special: u64,
        losing_too: bool,
        search: &mut Search<K>,
    ) {
        while special != 0 {
            let number = special.trailing_zeros();
            let (orientation, column) = search::unpack(number);
            let value = self.special_value::<K>(shape(piece, orientation), column.into(), losing_too);
            search.add(value, number);
            special &= special - 1;
        }
    }

    /// The value of a placement that removes rows or sticks out; none if it loses and may not be chosen.
    #[inline(never)]
    fn special_value<const K: usize>(&self, shape: &FastShape, column: usize, losing_too: bool) -> f64 {
        let drop = self.board.dropped(shape, column, self.rules.clearing);
        if drop.lost && !losing_too {
            return f64::NAN;
        }
        let totals = self.board.totals_after(&drop, self.terms.wanted::<K>());
        let value = self.terms.value_of::<K>(shape, &drop, &totals);
        if self.terms.wanted::<K>().tables {
            self.board.add_tables(&drop, &totals, &self.terms, value)
        } else {
            value
        }
    }

    /// Plays a placement.
    pub fn play(&mut self, placement: Placement) {
        let shape = shape(placement.piece, placement.orientation);
        let (lines, lost) =
            self.board.place(shape, placement.column.into(), self.rules.clearing, &self.terms);
        self.lines += u64::from(lines);
        self.lost = lost;
    }
}

#[inline]
fn shape(piece: Piece, orientation: u8) -> &'static FastShape {
    &shapes::ALL[shapes::FIRST[piece as usize] + usize::from(orientation)]
}

#[cfg(test)]
mod tests;
