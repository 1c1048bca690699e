//! The original game: pieces appear inside the board. As long as the rows that they appear in are empty they get everywhere, and
//! fall as in the simplified game; elsewhere their ways are looked for, and the places that they reach valued one by one.

use super::LinearPlayer;
use super::terms::ANY;
use games::tetris::original::Top;
use games::tetris::{Losing, Piece};

impl LinearPlayer {
    /// Takes note of the piece to place: where it has no room to appear, the game is lost.
    #[inline]
    pub fn meet(&mut self, piece: Piece) {
        self.lost |= !self.admits(piece);
    }

    /// Whether a piece has room to appear.
    #[inline]
    pub(super) fn admits(&self, piece: Piece) -> bool {
        !self.board.is_crowded() || self.top().appears(piece)
    }

    fn top(&self) -> Top<'_> {
        Top { columns: self.board.cells(), rows: self.rules.height.into() }
    }

    /// The numbers of the placements that a piece gets to, one bit each.
    pub(super) fn reached(&self, piece: Piece) -> u64 {
        if self.board.is_crowded() { self.top().reached(piece).bits() } else { u64::MAX }
    }

    /// The number of the best placement where not all can be reached.
    #[cold]
    #[inline(never)]
    pub(super) fn best_reached(&self, piece: Piece) -> u32 {
        let reached = self.reached(piece);
        let best = |losing_too| self.best_of::<ANY>(piece, reached, losing_too);
        let best = best(self.rules.losing == Losing::Allowed).or_else(|| best(true));
        best.expect("a piece that has appeared can drop")
    }
}
