//! The fast way to play a linear function: the placements of one orientation side by side in vector lanes.
//!
//! Lane x holds the placement whose leftmost column is x. Columns lie in one array, so that loading eight of them from
//! offset k gives every lane its k-th column: no gathering, no copying of boards. A placement that removes no row
//! changes a few columns only, and every feature is the board's total plus what these columns change (`lanes.rs`). The
//! few placements that remove rows or stick out are played on a copy and counted whole (`board.rs`).
//!
//! All features are whole numbers until they are weighted, and they are added up in the order of the plain path: the two
//! play the same games, move for move, which the tests below hold them to.

mod board;
mod lanes;
mod shapes;
mod word;

use board::{Board, Drop, Totals, Wanted};
use shapes::FastShape;
use wide::u32x8;
use word::{One, Word};

use super::features::Feature;
use super::{Kind, Losing, Piece, Placement, Tetris, TetrisRules};

/// A player of a linear function on one board.
#[derive(Debug, Clone)]
pub struct LinearPlayer {
    terms: Vec<(Feature, f64)>,
    wanted: Wanted,
    shapes: [Vec<FastShape>; 7],
    board: Board,
    rules: TetrisRules,
    lines: u64,
    lost: bool,
}

/// A placement found best, and what it does.
#[derive(Debug, Clone, Copy)]
struct Best {
    value: f64,
    orientation: usize,
    column: usize,
}

impl LinearPlayer {
    /// A player of these weighted features, if the fast path knows all of them and the rules.
    pub fn new(rules: &TetrisRules, features: &[Feature], weights: &[f64]) -> Option<Self> {
        assert_eq!(features.len(), weights.len(), "one weight for each feature");
        let plain_drops = rules.game == Kind::Simplified && !rules.preview;
        if !plain_drops || !features.iter().all(|&feature| lanes::knows(feature)) {
            return None;
        }
        let terms: Vec<(Feature, f64)> = features.iter().copied().zip(weights.iter().copied()).collect();
        let wants = |feature: Feature| features.contains(&feature);
        let wanted = Wanted {
            wells: wants(Feature::Wells),
            fast_wells: wants(Feature::FastWells),
            diversity: wants(Feature::Diversity),
        };
        Some(Self {
            terms,
            wanted,
            shapes: Piece::ALL.map(|piece| piece.shapes().iter().map(FastShape::new).collect()),
            board: Board::new(rules, &[0; super::MAX_WIDTH], wanted),
            rules: rules.clone(),
            lines: 0,
            lost: false,
        })
    }

    /// Goes to a position; what it remembers of dealing is none of this player's business.
    pub fn set(&mut self, position: &Tetris) {
        self.board = Board::new(&self.rules, &position.columns, self.wanted);
        self.lines = position.lines;
        self.lost = position.lost;
    }

    /// Rows removed so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Whether the game is over.
    pub fn lost(&self) -> bool {
        self.lost
    }

    /// The best placement: the first of the highest value, by orientation and then from left to right.
    pub fn choose(&self, piece: Piece) -> Placement {
        let losing_too = self.rules.losing == Losing::Allowed;
        // When all lose, the best of them.
        let best = self.best(piece, losing_too).or_else(|| self.best(piece, true));
        let best = best.expect("every piece has a placement");
        Placement { piece, orientation: best.orientation as u8, column: best.column as u8 }
    }

    fn best(&self, piece: Piece, losing_too: bool) -> Option<Best> {
        const LANES: usize = <u32x8 as Word>::LANES;
        let mut best = Best { value: f64::NEG_INFINITY, orientation: 0, column: usize::MAX };
        let mut values = [0.0; 2 * LANES];
        for (orientation, shape) in self.shapes[piece as usize].iter().enumerate() {
            let places = self.board.width() + 1 - shape.width;
            let (board, terms) = (&self.board, &self.terms[..]);
            let mut special = lanes::values::<u32x8>(board, shape, 0, terms, &mut values[..LANES]);
            if places > LANES + 3 {
                special |= lanes::values::<u32x8>(board, shape, LANES, terms, &mut values[LANES..]) << LANES;
            } else {
                // A few places are sooner looked at one by one.
                for column in LANES..places {
                    special |=
                        lanes::values::<One>(board, shape, column, terms, &mut values[column..]) << column;
                }
            }
            special &= (1 << places) - 1;
            while special != 0 {
                let column = special.trailing_zeros() as usize;
                values[column] = self.special_value(shape, column, losing_too);
                special &= special - 1;
            }
            for (column, &value) in values[..places].iter().enumerate() {
                if value > best.value {
                    best = Best { value, orientation, column };
                }
            }
        }
        (best.column != usize::MAX).then_some(best)
    }

    /// The value of a placement that removes rows or sticks out; below all others if it loses and may not be chosen.
    #[inline(never)]
    fn special_value(&self, shape: &FastShape, column: usize, losing_too: bool) -> f64 {
        let drop = self.board.dropped(shape, column, self.rules.clearing);
        if drop.lost && !losing_too {
            return f64::NEG_INFINITY;
        }
        let totals = self.board.totals_after(&drop);
        let mut sum = 0.0;
        for &(feature, weight) in &self.terms {
            sum += weight * board_value(feature, shape, &drop, &totals);
        }
        sum
    }

    /// Plays a placement.
    pub fn play(&mut self, placement: Placement) {
        let shape = &self.shapes[placement.piece as usize][usize::from(placement.orientation)];
        let (lines, lost) = self.board.place(shape, placement.column.into(), self.rules.clearing);
        self.lines += u64::from(lines);
        self.lost = lost;
    }
}

/// A feature of the board after a drop.
fn board_value(feature: Feature, shape: &FastShape, drop: &Drop, totals: &Totals) -> f64 {
    match feature {
        Feature::LandingHeight => f64::from(drop.row) + f64::from(shape.height - 1) / 2.0,
        Feature::ErodedCells => f64::from(drop.lines * drop.eroded),
        Feature::Lines => f64::from(drop.lines),
        Feature::Constant => 1.0,
        Feature::RowTransitions => f64::from(totals.row_transitions),
        Feature::ColumnTransitions => f64::from(totals.column_transitions),
        Feature::Holes => f64::from(totals.holes),
        Feature::Wells => f64::from(totals.wells),
        Feature::FastWells => f64::from(totals.fast_wells),
        Feature::HoleDepth => f64::from(totals.hole_depth),
        Feature::RowsWithHoles => f64::from(totals.hole_rows.count_ones()),
        Feature::Diversity => f64::from(totals.differences.count_ones()),
        Feature::MaxHeight => f64::from(totals.max_height),
        Feature::Height(column) => f64::from(drop.height(column.into())),
        Feature::Difference(column) => {
            f64::from(drop.height(column.into()).abs_diff(drop.height(usize::from(column) + 1)))
        }
        other => unreachable!("{other:?} is not known to the fast path"),
    }
}

#[cfg(test)]
mod tests;
