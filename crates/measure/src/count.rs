//! Leaf counts over several threads, with progress and a way to break off. The count does not depend on either.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use games::{frontier, perft};
use play::PlayedGame;
use play::threads::{NoThreads, on_threads};
use rayon::prelude::*;

/// Told how many parts of how many are done; may break the count off.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync);

/// The leaves `depth` plies below a position, counted on `threads` threads; `None` if broken off.
///
/// # Errors
/// The threads cannot be started.
pub fn count_leaves<G: PlayedGame>(
    position: &G,
    depth: u32,
    threads: usize,
    watch: Progress<'_>,
) -> Result<Option<u64>, NoThreads> {
    let (parts, rest) = parts(position, depth);
    let (done, broken) = (AtomicUsize::new(0), AtomicBool::new(false));
    let count = |part: &G| {
        if broken.load(Ordering::Relaxed) {
            return 0;
        }
        let leaves = perft(part, rest);
        if watch(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len()).is_break() {
            broken.store(true, Ordering::Relaxed);
        }
        leaves
    };
    let leaves = match threads {
        1 => parts.iter().map(count).sum(),
        _ => on_threads(threads, || parts.par_iter().map(count).sum())?,
    };
    Ok((!broken.into_inner()).then_some(leaves))
}

/// The positions a few plies down, and the plies that are left: enough of them for steady progress and for a quick
/// answer when the count is broken off.
fn parts<G: PlayedGame>(position: &G, depth: u32) -> (Vec<G>, u32) {
    const ENOUGH: usize = 5_000;
    let mut cut = 0;
    let mut parts = vec![position.clone()];
    while parts.len() < ENOUGH && cut + 2 < depth {
        cut += 1;
        parts = frontier(position, cut);
    }
    (parts, depth - cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Dice, Turn};
    use play::Games as _;
    use play::Visitor;

    /// Some way into a random game, with few moves left to each side.
    fn random_playout_start<G: PlayedGame>() -> G {
        let (mut position, mut dice, mut moves) =
            (G::start(&G::Rules::default()), Dice::seeded(&[4]), Vec::new());
        for _ in 0..60 {
            let mut next = position.clone();
            match next.turn() {
                Turn::Over => break,
                Turn::Chance => next.deal(&mut dice),
                Turn::Player(_) => {
                    next.legal_moves(&mut moves);
                    next.play_unchecked(dice.pick(&moves));
                }
            }
            // Leave some plies to count.
            if frontier(&next, 2).len() > 1 {
                position = next;
            }
        }
        position
    }

    #[test]
    fn threads_and_progress_do_not_change_the_count() {
        struct All;
        impl Visitor for All {
            fn game<G: PlayedGame>(&mut self) {
                // Not from the start: four plies of Avalam and Tetris are too many there.
                let start = random_playout_start::<G>();
                for threads in [1, 3] {
                    let seen = AtomicUsize::new(0);
                    let watch = |done: usize, of: usize| {
                        assert!((1..=of).contains(&done));
                        seen.fetch_add(1, Ordering::Relaxed);
                        ControlFlow::Continue(())
                    };
                    assert_eq!(count_leaves(&start, 4, threads, &watch).unwrap(), Some(perft(&start, 4)));
                    assert!(seen.into_inner() > 1);
                    assert_eq!(
                        count_leaves(&start, 4, threads, &|_, _| ControlFlow::Break(())).unwrap(),
                        None
                    );
                }
            }
        }
        games::Listed::visit(&mut All);
    }
}
