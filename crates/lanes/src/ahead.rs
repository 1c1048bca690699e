//! One piece deeper in vector lanes: the value of a placement plus what the best answers to the pieces after it are worth.

use super::search::unpack;
use super::{LinearPlayer, shape};
use games::tetris::{LOST, Losing, Piece, Placement};

/// A placement seen one piece further.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ahead {
    /// The placement.
    pub placement: Placement,
    /// Its own value.
    pub own: f64,
    /// Whether it loses.
    pub lost: bool,
    /// The value of the best placement of each next piece, in the order of [`Piece::ALL`]; [`LOST`] where all of them lose.
    pub next: [f64; 7],
}

impl LinearPlayer {
    /// The first placement of the highest sum of its own value and the expectation of the best one after it. `weights` are
    /// those of the pieces to be dealt next; a piece that is already known takes their place.
    pub fn choose_ahead(&self, piece: Piece, known: Option<Piece>, weights: [u32; 7]) -> Placement {
        let choose = |losing_too| self.best_ahead(piece, known, weights, losing_too);
        choose(self.rules.losing == Losing::Allowed)
            .or_else(|| choose(true))
            .expect("every piece has a placement")
    }

    fn best_ahead(
        &self,
        piece: Piece,
        known: Option<Piece>,
        weights: [u32; 7],
        losing_too: bool,
    ) -> Option<Placement> {
        let mut best = None;
        let mut highest = f64::NEG_INFINITY;
        let mut after = self.clone();
        self.each_placement(piece, losing_too, |placement, own| {
            self.go_on(placement, &mut after);
            let value = own + after.expectation(known, weights);
            if value > highest || best.is_none() {
                (highest, best) = (value, Some(placement));
            }
        });
        best
    }

    /// Every placement of a piece with its value, by orientation and then from left to right; those that lose only if asked.
    fn each_placement(&self, piece: Piece, losing_too: bool, mut found: impl FnMut(Placement, f64)) {
        let reached = self.reached(piece);
        for orientation in 0..piece.shapes().len() as u8 {
            let shape = shape(piece, orientation);
            for column in 0..=(self.board.width() - shape.width) as u8 {
                if reached >> (16 * orientation + column) & 1 == 0 {
                    continue;
                }
                if let Some(own) = self.exact(shape, column.into(), losing_too) {
                    found(Placement { piece, orientation, column }, own);
                }
            }
        }
    }

    /// Makes another player of the same function the one that has played this placement.
    fn go_on(&self, placement: Placement, after: &mut LinearPlayer) {
        after.board.clone_from(&self.board);
        (after.lines, after.lost) = (self.lines, self.lost);
        after.play(placement);
    }

    /// Overwrites `all` with the legal placements of a piece and their values, by orientation and then from left to right:
    /// [`LinearPlayer::choose`] takes the first of the highest. Values are those of the plain path to the last bit.
    pub fn values(&self, piece: Piece, all: &mut Vec<(Placement, f64)>) {
        all.clear();
        self.each_placement(piece, self.rules.losing == Losing::Allowed, |placement, own| {
            all.push((placement, own));
        });
        if all.is_empty() {
            self.each_placement(piece, true, |placement, own| all.push((placement, own)));
        }
    }

    /// Overwrites `all` with the legal placements of a piece, each with its own value and the best value that each of the
    /// seven pieces has after it: what a teacher that looks one piece further needs to label a board. Any mean over the next
    /// pieces can be taken of it, a soft minimum too. `set` goes to the board first; one player serves any number of boards.
    pub fn values_ahead(&self, piece: Piece, all: &mut Vec<Ahead>) {
        let mut own = Vec::new();
        self.values(piece, &mut own);
        let mut after = self.clone();
        all.clear();
        all.extend(own.into_iter().map(|(placement, own)| {
            self.go_on(placement, &mut after);
            let lost = after.lost;
            let next = if lost { [LOST; 7] } else { Piece::ALL.map(|piece| after.best_value(piece)) };
            Ahead { placement, own, lost, next }
        }));
    }

    /// What the next piece can be expected to bring.
    fn expectation(&self, known: Option<Piece>, weights: [u32; 7]) -> f64 {
        if self.lost {
            return LOST;
        }
        if let Some(piece) = known {
            return self.best_value(piece);
        }
        let total: u32 = weights.iter().sum();
        let dealt = Piece::ALL.into_iter().zip(weights).filter(|&(_, weight)| weight > 0);
        let share =
            |(piece, weight): (Piece, u32)| self.best_value(piece) * f64::from(weight) / f64::from(total);
        dealt.map(share).sum()
    }

    /// The value of the best placement of a piece; what a loss is worth if that loses.
    fn best_value(&self, piece: Piece) -> f64 {
        if !self.admits(piece) {
            return LOST;
        }
        let (orientation, column) = unpack(self.best(piece));
        self.exact(shape(piece, orientation), column.into(), false).unwrap_or(LOST)
    }
}
