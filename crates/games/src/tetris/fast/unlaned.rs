//! The middle path: what has no lane is measured placement by placement, off the columns that the drop leaves behind. Nothing
//! is copied but these, and lanes still value all the rest.

use super::super::Piece;
use super::search::{Search, unpack};
use super::{LinearPlayer, shape};

/// By how much a part of a value may be off, as a share of its size: it is rounded, added and compared, and so is the other
/// value.
const STEPS: f32 = 8.0 / (1 << 24) as f32;

impl LinearPlayer {
    /// Adds to the value of each placement so far what features and tables without a lane are worth.
    #[inline(never)]
    pub(super) fn add_unlaned<const K: usize>(&self, piece: Piece, search: &mut Search<K>) {
        let (terms, board) = (&self.terms, &self.board);
        search.add_to_each(|number| {
            let (orientation, column) = unpack(number);
            let shape = shape(piece, orientation);
            let drop = board.landed(shape, column.into());
            let (mut sum, mut size) = (0.0, 0.0);
            if !terms.unlaned.is_empty() {
                (sum, size) = board.seen(&drop, shape, |seen| {
                    terms.unlaned.iter().fold((0.0, 0.0f64), |(sum, size), &(feature, weight)| {
                        let value = weight * seen.value(feature);
                        (sum + value, size + value.abs())
                    })
                });
            }
            if terms.has_unlaned_tables {
                sum += board.unlaned_tables(&drop, terms);
            }
            (terms.margins.scaled(sum), terms.margins.scaled(size) * STEPS)
        });
    }
}
