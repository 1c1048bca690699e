//! The fast way to play a linear function: the placements of one orientation side by side in vector lanes.
//!
//! Lane x holds the placement whose leftmost column is x. Columns lie in one array, so that loading eight of them from
//! offset k gives every lane its k-th column: no gathering, no copying of boards. A placement that removes no row
//! changes a few columns only, and every feature is the board's total plus what these columns change (`lanes.rs`). The
//! few placements that remove rows or stick out are played on a copy and counted whole (`board.rs`, `counts.rs`).
//!
//! Lanes weigh with numbers of seven digits, eight side by side, and add up in any order that suits them. How far that can be
//! off is known (`margin.rs`): placements that come closer to the best than that are valued again, exactly and in the
//! order of the plain path. The two play the same games, move for move, which the tests hold them to. So the lanes
//! are free: eight values in one vector, and all entries of tables of the surface on one side of a piece behind one look-up
//! (`lane_tables.rs`). Against exact sums in the order of the plain path that is 1.5 times as many decisions a second of `record`.
//!
//! Every feature and every table has lanes, so that no mixture is slow. In the original game lanes decide as long as pieces move
//! freely; above that the places that a piece gets to are valued one by one (`appear.rs`).
//!
//! ```
//! use games::Rules;
//! use games::tetris::{Piece, TetrisFeatures, TetrisRules};
//! use lanes::LinearPlayer;
//!
//! let rules = TetrisRules::from_pairs([("height", "12")])?;
//! let features = TetrisFeatures::new(&rules, "dn")?;
//! let weights = [-12.63, 6.60, -9.22, -19.77, -13.08, -10.49, -1.61, -24.04];
//! let mut player = LinearPlayer::new(&rules, &features, &weights).expect("weights of a usual size");
//! for piece in Piece::ALL.into_iter().cycle().take(700) {
//!     player.play(player.choose(piece));
//! }
//! // 700 pieces fill 280 rows at the most.
//! assert!(player.lines() > 270 && !player.lost());
//! # Ok::<(), games::error::InputError>(())
//! ```

mod ahead;
mod appear;
mod board;
mod cells;
mod counts;
mod holes;
mod lane_tables;
mod lanes;
mod margin;
mod rare;
mod search;
mod shapes;
mod surface;
mod terms;
mod word;

use std::sync::Arc;

pub use ahead::Ahead;
use board::{Board, Drop};
use games::tetris::{Deck, Losing, MAX_WIDTH, Piece, Placement, Tetris, TetrisFeatures, TetrisRules};
use games::{Game, Turn};
use search::Search;
use shapes::FastShape;
use terms::{ANY, Terms};

/// A player of a linear function on one board.
#[derive(Debug, Clone)]
pub struct LinearPlayer {
    /// Shared by all players of the function, since its tables are large.
    terms: Arc<Terms>,
    board: Board,
    rules: TetrisRules,
    lines: u64,
    lost: bool,
    /// Tests ask how far lanes are off by the way that decides, or the lanes would be compiled twice.
    audit: bool,
}

impl LinearPlayer {
    /// A player of these weighted features, if lanes can be sure of weights of their size.
    pub fn new(rules: &TetrisRules, features: &TetrisFeatures, weights: &[f64]) -> Option<Self> {
        assert_eq!(features.count(), weights.len(), "one weight for each feature");
        let terms = Arc::new(Terms::new(rules, features, weights)?);
        let board = Board::new(rules, &[0; MAX_WIDTH], &terms);
        Some(Self { terms, board, rules: rules.clone(), lines: 0, lost: false, audit: false })
    }

    /// Goes to a position; what it remembers of dealing is none of this player's business.
    pub fn set(&mut self, position: &Tetris) {
        let mut columns = [0; MAX_WIDTH];
        columns[..position.columns().len()].copy_from_slice(position.columns());
        self.board = Board::new(&self.rules, &columns, &self.terms);
        self.lines = position.lines();
        self.lost = position.turn() == Turn::Over;
    }

    /// Where the game stands, with the deck that the dealing has come to.
    pub fn position(&self, deck: Deck) -> Tetris {
        Tetris::of_parts(&self.rules, self.board.cells(), self.lines, self.lost, deck)
    }

    /// The same where the piece to place next is already known.
    pub fn position_with(&self, deck: Deck, current: Option<Piece>) -> Tetris {
        self.position(deck).with_current(current)
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
        games::tetris::highest(self.board.cells())
    }

    /// The cells of each column, bit 0 at the floor.
    pub fn columns(&self) -> &[u32] {
        self.board.cells()
    }

    /// The best placement: the first of the highest value, by orientation and then from left to right.
    #[inline]
    pub fn choose(&self, piece: Piece) -> Placement {
        let (orientation, column) = search::unpack(self.best(piece));
        Placement { piece, orientation, column }
    }

    /// The number of the best placement.
    #[inline]
    fn best(&self, piece: Piece) -> u32 {
        if self.board.is_crowded() {
            return self.best_reached(piece);
        }
        match self.terms.list {
            0 => self.best_by::<0>(piece),
            1 => self.best_by::<1>(piece),
            2 => self.best_by::<2>(piece),
            3 => self.best_by::<3>(piece),
            _ => self.best_by::<ANY>(piece),
        }
    }

    fn best_by<const K: usize>(&self, piece: Piece) -> u32 {
        let mut search = Search::<K>::new(&self.board, &self.terms);
        search.look_at(piece);
        if self.audit {
            return self.share_of(&search, piece).to_bits();
        }
        let margin = self.terms.margins.of_height(self.board.highest);
        let mut losing_too = self.rules.losing == Losing::Allowed;
        self.look_at_special(piece, losing_too, &mut search);
        let mut candidates = search.candidates(margin);
        if candidates == 0 {
            // When all lose, the best of them.
            losing_too = true;
            self.look_at_special(piece, losing_too, &mut search);
            candidates = search.candidates(margin);
        }
        if candidates.is_power_of_two() || self.terms.margins.exact {
            candidates.trailing_zeros()
        } else {
            self.best_of::<K>(piece, candidates, losing_too).expect("every piece has a placement")
        }
    }

    /// Looks at the placements that remove rows or stick out, one by one.
    #[inline]
    fn look_at_special<const K: usize>(&self, piece: Piece, losing_too: bool, search: &mut Search<K>) {
        let mut special = search.special();
        while special != 0 {
            let number = special.trailing_zeros();
            special &= special - 1;
            let (orientation, column) = search::unpack(number);
            let shape = shape(piece, orientation);
            let value = if K == ANY && !self.board.cell_sums.is_empty() {
                self.with_windows(shape, column.into(), losing_too)
            } else {
                let exact = self.exact_by::<K>(shape, column.into(), losing_too);
                exact.map(|value| self.terms.margins.scaled(value))
            };
            if let Some(value) = value {
                search.add(value, number);
            }
        }
    }

    /// The first of the highest exact value, if one may be chosen.
    #[cold]
    #[inline(never)]
    fn best_of<const K: usize>(&self, piece: Piece, mut candidates: u64, losing_too: bool) -> Option<u32> {
        let (mut best, mut highest) = (None, f64::NEG_INFINITY);
        while candidates != 0 {
            let number = candidates.trailing_zeros();
            candidates &= candidates - 1;
            let (orientation, column) = search::unpack(number);
            let value = self.exact_by::<K>(shape(piece, orientation), column.into(), losing_too);
            if let Some(value) = value
                && (best.is_none() || value > highest)
            {
                (best, highest) = (Some(number), value);
            }
        }
        best
    }

    /// The value of a placement as the plain path has it, to the last bit; none if it loses and may not be chosen.
    fn exact(&self, shape: &FastShape, column: usize, losing_too: bool) -> Option<f64> {
        match self.terms.list {
            0 => self.exact_by::<0>(shape, column, losing_too),
            1 => self.exact_by::<1>(shape, column, losing_too),
            2 => self.exact_by::<2>(shape, column, losing_too),
            3 => self.exact_by::<3>(shape, column, losing_too),
            _ => self.exact_by::<ANY>(shape, column, losing_too),
        }
    }

    #[inline(never)]
    fn exact_by<const K: usize>(&self, shape: &FastShape, column: usize, losing_too: bool) -> Option<f64> {
        self.valued::<K>(shape, column, losing_too, true).map(|(_, value)| value)
    }

    /// The value of a placement in the unit of lanes, windows of cells added up in the order that suits them: there are hundreds.
    #[inline(never)]
    fn with_windows(&self, shape: &FastShape, column: usize, losing_too: bool) -> Option<f32> {
        let (drop, value) = self.valued::<ANY>(shape, column, losing_too, false)?;
        Some(self.terms.margins.scaled(value) + self.board.windows_after(&drop, &self.terms))
    }

    /// What becomes of the board, and its value; with windows of cells or without.
    #[inline(always)]
    fn valued<const K: usize>(
        &self,
        shape: &FastShape,
        column: usize,
        losing_too: bool,
        windows_too: bool,
    ) -> Option<(Drop, f64)> {
        let drop = self.board.dropped(shape, column, self.rules.clearing);
        if drop.lost && !losing_too {
            return None;
        }
        let totals = self.board.totals_after(&drop, self.terms.wanted::<K>());
        let value = self.terms.value_of::<K>(&self.board, shape, &drop, &totals);
        let value = if self.terms.wanted::<K>().tables {
            self.board.add_tables(&drop, &totals, &self.terms, value, windows_too)
        } else {
            value
        };
        Some((drop, value))
    }

    /// How far the values of lanes are off the exact ones on this board, at the most, as a share of what they may be off; above 1
    /// the margin does not hold. None where lanes add up without an error.
    #[doc(hidden)]
    pub fn share_of_margin(&self) -> Option<f32> {
        let audited = Self { audit: true, ..self.clone() };
        let shares = Piece::ALL.map(|piece| f32::from_bits(audited.best(piece)));
        (!self.terms.margins.exact).then(|| shares.into_iter().fold(0.0, f32::max))
    }

    /// The same of what a search has seen.
    #[cold]
    #[inline(never)]
    fn share_of<const K: usize>(&self, search: &Search<K>, piece: Piece) -> f32 {
        let margins = &self.terms.margins;
        let may_be_off = margins.of_height(self.board.highest) / 2.0;
        let off = search.values().map(|(number, value)| {
            let (orientation, column) = search::unpack(number);
            let exact = self.exact_by::<K>(shape(piece, orientation), column.into(), true);
            (value - margins.scaled(exact.expect("losing ones too"))).abs()
        });
        off.filter(|&off| off > 0.0).map(|off| off / may_be_off).fold(0.0, f32::max)
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
