//! The boards that play can reach from the empty one.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Progress;
use super::field::Field;
use crate::solve::boards::Boards;

/// The words that hold one bit for every pattern of the field.
pub fn words(field: &Field) -> usize {
    (1usize << field.cells()).div_ceil(64)
}

/// All boards that can be reached, by ever longer games; `None` if broken off.
pub fn reachable(field: &Field, watch: Progress<'_>) -> Option<Boards> {
    /// Boards between two looks at the watch.
    const PART: usize = 1 << 16;
    const CHUNK: usize = 1 << 12;
    let seen: Vec<AtomicU64> = (0..words(field)).map(|_| AtomicU64::new(0)).collect();
    let is_new = |board: u32| {
        let (word, bit) = (&seen[board as usize / 64], 1 << (board % 64));
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    };
    let found = AtomicUsize::new(1);
    // About a third of all patterns are kept, where mirror images are one.
    let expected = (1u64 << field.cells()) as f64 / 3.0;
    let mut frontier = vec![field.key(0)];
    is_new(frontier[0]);
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for part in frontier.chunks(PART) {
            let new = part.par_chunks(CHUNK).map(|boards| {
                let mut new = Vec::new();
                for &board in boards {
                    field.landings(board, |_, landing| new.extend(landing.board.filter(|&b| is_new(b))));
                }
                found.fetch_add(new.len(), Ordering::Relaxed);
                new
            });
            next.extend(new.collect::<Vec<_>>().into_iter().flatten());
            let share = (found.load(Ordering::Relaxed) as f64 / expected).min(1.0);
            if let ControlFlow::Break(()) = watch(0.1 * share) {
                return None;
            }
        }
        frontier = next;
    }
    Some(Boards::from_bits(seen.into_iter().map(AtomicU64::into_inner)))
}
