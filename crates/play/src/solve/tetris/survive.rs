//! Whether a game can be played for ever: then the mean number of lines is infinite, and no sweep would ever settle.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::field::Field;
use super::{Progress, SolveError};
use crate::solve::boards::Boards;

/// How many boards can be survived on whatever is dealt: boards on which some piece leaves no way to another such board
/// are struck off until none is left to strike. Every finite order of pieces comes again and again, so that on all
/// other boards the game ends, and does so after a finite number of pieces on the mean.
pub fn survivors(field: &Field, boards: &Boards, watch: Progress<'_>) -> Result<usize, SolveError> {
    const CHUNK: usize = 1 << 12;
    let mut alive = vec![true; boards.len()];
    let mut list: Vec<u32> = boards.iter().collect();
    let broken_off = AtomicBool::new(false);
    loop {
        let survives = |board: u32| {
            let mut ways = 0u32;
            field.landings(board, |piece, landing| {
                let safe =
                    landing.board.and_then(|board| boards.place(board)).is_some_and(|place| alive[place]);
                ways |= u32::from(safe) << piece;
            });
            ways.count_ones() as usize == field.pieces()
        };
        let lists = list.par_chunks(CHUNK);
        let (stay, go): (Vec<u32>, Vec<u32>) = lists
            .flat_map_iter(|list| {
                if watch(0.1).is_break() {
                    broken_off.store(true, Ordering::Relaxed);
                }
                let list = if broken_off.load(Ordering::Relaxed) { &[] } else { list };
                list.iter().map(|&board| (board, survives(board)))
            })
            .partition_map(|(board, survives)| {
                if survives { rayon::iter::Either::Left(board) } else { rayon::iter::Either::Right(board) }
            });
        if broken_off.load(Ordering::Relaxed) {
            return Err(SolveError::Stopped);
        }
        if go.is_empty() || stay.is_empty() {
            return Ok(stay.len());
        }
        go.iter().filter_map(|&board| boards.place(board)).for_each(|place| alive[place] = false);
        list = stay;
    }
}
