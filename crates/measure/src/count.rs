//! Leaf counts over several threads, with progress and a way to break off. The count does not depend on either.

use std::convert::Infallible;
use std::ops::ControlFlow;

use games::frontier;
use play::PlayedGame;

use crate::pool::{self, Halt, Stop};

/// Into how many jobs a count is cut, at most: steady progress, and hardly any work besides.
const JOBS: usize = 256;

/// Told how many jobs of how many are done; may break the count off.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize) -> ControlFlow<()>;

/// The leaves `depth` plies below a position, counted on `threads` threads; `None` if broken off.
pub fn count_leaves<G: PlayedGame>(
    position: &G,
    depth: u32,
    threads: usize,
    watch: Progress<'_>,
) -> Option<u64> {
    let (parts, rest) = parts(position, depth);
    // A job is many parts: one of 50 µs costs the pool a fifth of that again to be heard of.
    let jobs: Vec<&[G]> = parts.chunks(parts.len().div_ceil(JOBS)).collect();
    let count = |(): &mut (), job: usize, stop: &Stop| {
        let leaves =
            jobs[job].iter().map(|part| if stop.go_on() { Ok(part.perft(rest)) } else { Err(Halt::Stopped) });
        leaves.sum::<Result<u64, Halt<Infallible>>>()
    };
    let Ok(leaves) = pool::map(jobs.len(), threads, || Ok(()), count, |done| watch(done, jobs.len()));
    Some(leaves?.into_iter().sum())
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
                    let mut seen = 0;
                    let mut watch = |done: usize, of: usize| {
                        assert!((seen..=of).contains(&done));
                        seen = done;
                        ControlFlow::Continue(())
                    };
                    assert_eq!(count_leaves(&start, 4, threads, &mut watch), Some(games::perft(&start, 4)));
                    assert!(seen > 1);
                    assert_eq!(count_leaves(&start, 4, threads, &mut |_, _| ControlFlow::Break(())), None);
                }
            }
        }
        games::Listed::visit(&mut All);
    }
}
