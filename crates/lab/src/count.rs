//! Leaf counts over several threads, with progress and a way to break off. The count does not depend on either.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use games::{Game, frontier, perft};
use rayon::prelude::*;

use crate::threads::on_threads;

/// Told how many parts of how many are done; may break the count off.
pub type Watch<'a> = &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync);

/// The leaves `depth` plies below a position, counted on `threads` threads; `None` if broken off.
pub fn count_leaves<G: Game>(position: &G, depth: u32, threads: usize, watch: Watch<'_>) -> Option<u64> {
    // The positions two plies down are parts enough for a steady progress bar in every game.
    const CUT: u32 = 2;
    if depth <= CUT {
        return Some(perft(position, depth));
    }
    let parts = frontier(position, CUT);
    let (done, broken) = (AtomicUsize::new(0), AtomicBool::new(false));
    let count = |part: &G| {
        if broken.load(Ordering::Relaxed) {
            return 0;
        }
        let leaves = perft(part, depth - CUT);
        if watch(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len()).is_break() {
            broken.store(true, Ordering::Relaxed);
        }
        leaves
    };
    let leaves = if threads == 1 {
        parts.iter().map(count).sum()
    } else {
        on_threads(threads, || parts.par_iter().map(count).sum())
    };
    (!broken.into_inner()).then_some(leaves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Visitor, visit_games};

    #[test]
    fn threads_and_progress_do_not_change_the_count() {
        struct All;
        impl Visitor for All {
            fn game<G: Game>(&mut self) {
                let start = G::start(&G::Rules::default());
                for threads in [1, 3] {
                    let seen = AtomicUsize::new(0);
                    let watch = |done: usize, of: usize| {
                        assert!((1..=of).contains(&done));
                        seen.fetch_add(1, Ordering::Relaxed);
                        ControlFlow::Continue(())
                    };
                    assert_eq!(count_leaves(&start, 3, threads, &watch), Some(perft(&start, 3)));
                    assert!(seen.into_inner() > 1);
                    assert_eq!(count_leaves(&start, 3, threads, &|_, _| ControlFlow::Break(())), None);
                }
            }
        }
        visit_games(&mut All);
    }
}
