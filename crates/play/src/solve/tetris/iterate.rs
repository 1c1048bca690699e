//! Modified policy iteration: a full sweep finds the best placement of every piece on every board; cheap sweeps then
//! follow these placements alone until the values have settled.
//!
//! Sweeps run from the last board to the first, block by block, and use the new values of the blocks behind them: a
//! drop that removes no row leads to a later board, so that most of what a value needs is fresh. Inside a block all
//! old values are used. So the result does not depend on the number of threads.
//!
//! The bound. Pieces have four cells: n pieces that removed l rows of w cells have left 4n - wl cells, at most those
//! of the full board and of one more piece, c. So no player meets more than (w l + c) / 4 pieces on the mean, l being
//! its mean of lines. If no value V >= 0 rises by more than u in a sweep, no player makes more than V + u (w l + c) / 4
//! lines from the empty board, for each piece adds at most u to what V promises; and so l <= (V + u c / 4) / (1 - u w / 4).
//! If no value falls by more than d, the best placements make at least V - d (w l + c) / 4. That a sweep uses some
//! new values changes nothing: they differ from the old ones by no more than the bounds u and d allow for.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::field::Field;
use super::survive::survivors;
use super::{Progress, SolveError};
use crate::solve::boards::Boards;

/// Boards whose values are replaced at once, and the part of them that a thread takes.
const BLOCK: usize = 1 << 16;
const CHUNK: usize = 1 << 9;
/// The most pieces.
const PIECES: usize = 7;
/// Where the lines stand in a packed step; the place of the board is below.
const LINES: u32 = 29;
/// Sweeps that follow fixed placements, at most, and how often their trend is extrapolated.
const MOST_SWEEPS: usize = 48;
const TREND: usize = 6;
/// Full sweeps after which values that still rise like those of an endless game are looked into.
const DOUBTFUL: usize = 12;
/// Full sweeps after which it is given up.
const MOST_ROUNDS: usize = 300;
/// No sum of a sweep is off by more than this share of it.
const ROUNDING: f64 = 1e-14;

/// Bounds on the mean number of lines from the empty board, and the values that prove them.
#[derive(Debug, Clone)]
pub struct Values {
    /// The value of every board by its place.
    pub values: Vec<f64>,
    /// No more than the best player makes.
    pub low: f64,
    /// No less than it makes.
    pub high: f64,
    /// Full sweeps.
    pub iterations: usize,
    /// Sweeps that followed fixed placements.
    pub sweeps: usize,
}

/// How far values have moved in a sweep, and the largest of them.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    up: f64,
    down: f64,
    largest: f64,
}

impl Moved {
    fn and(self, other: Self) -> Self {
        let largest = self.largest.max(other.largest);
        Self { up: self.up.max(other.up), down: self.down.max(other.down), largest }
    }

    fn most(self) -> f64 {
        self.up.max(self.down)
    }
}

/// Finds the values of all boards, the one of the empty board to within `tolerance`.
pub fn iterate(
    field: &Field,
    boards: &Boards,
    tolerance: f64,
    watch: Progress<'_>,
) -> Result<Values, SolveError> {
    let mut work = Work::new(field, boards);
    let (mut finite, mut sweeps, mut first) = (false, 0, None);
    let mut known = (0.0, f64::INFINITY);
    for iteration in 1..=MOST_ROUNDS {
        let moved = work.improve(watch)?;
        let (low, high) = bounds(field, work.values[0], moved);
        if high - low <= tolerance {
            work.values.truncate(boards.len());
            return Ok(Values { values: work.values, low, high, iterations: iteration, sweeps });
        }
        known = (low.max(known.0), high.min(known.1));
        finite |= high.is_finite();
        if !finite && iteration == DOUBTFUL {
            if survivors(field, boards, watch)? > 0 {
                return Err(SolveError::Endless);
            }
            finite = true;
        }
        // The residual falls to about `aim` in equal steps of its logarithm.
        let (most, aim) = (moved.most(), tolerance / (work.values[0] + 10.0));
        let begun = *first.get_or_insert(most);
        let share = math::ln(begun / most) / math::ln(begun / aim);
        let progress = move |_: f64| watch(0.1 + 0.9 * share.clamp(0.0, 1.0));
        sweeps += work.settle(most / 50.0, finite, &progress)?;
    }
    Err(SolveError::Slow { iterations: MOST_ROUNDS, low: known.0, high: known.1 })
}

/// See the head of this file; the upper bound is infinite until the residual is small enough to prove one.
fn bounds(field: &Field, value: f64, moved: Moved) -> (f64, f64) {
    let (quarter_width, quarter_cells) = (f64::from(field.width()) / 4.0, f64::from(field.cells() + 4) / 4.0);
    let rounding = ROUNDING * (moved.largest + 4.0);
    let (up, down) = (moved.up + rounding, moved.down + rounding);
    if up * quarter_width >= 1.0 {
        return (0.0, f64::INFINITY);
    }
    let high = (value + up * quarter_cells) / (1.0 - up * quarter_width);
    let low = value - down * (quarter_width * high + quarter_cells);
    (low.max(0.0), high)
}

struct Work<'a> {
    field: &'a Field,
    boards: &'a Boards,
    list: Vec<u32>,
    probabilities: Vec<f64>,
    /// One more than there are boards: the last one stands for lost games and stays 0.
    values: Vec<f64>,
    /// The best step of every piece on every board: the place it leads to, and above it the lines.
    steps: Vec<u32>,
    fresh: Vec<f64>,
    before: Vec<f64>,
}

impl<'a> Work<'a> {
    fn new(field: &'a Field, boards: &'a Boards) -> Self {
        let count = boards.len();
        Self {
            field,
            boards,
            list: boards.iter().collect(),
            probabilities: field.probabilities().collect(),
            values: vec![0.0; count + 1],
            steps: vec![0; count * field.pieces()],
            fresh: vec![0.0; BLOCK.min(count)],
            before: Vec::new(),
        }
    }

    /// A full sweep: the best step of every piece on every board, and the values that follow.
    fn improve(&mut self, watch: Progress<'_>) -> Result<Moved, SolveError> {
        let (count, pieces) = (self.list.len(), self.field.pieces());
        let mut moved = Moved::default();
        for start in (0..count).step_by(BLOCK).rev() {
            if let ControlFlow::Break(()) = watch(0.1) {
                return Err(SolveError::Stopped);
            }
            let block = start..(start + BLOCK).min(count);
            let fresh = &mut self.fresh[..block.len()];
            let steps = &mut self.steps[block.start * pieces..block.end * pieces];
            let lists = self.list[block.clone()].par_chunks(CHUNK);
            let work = lists.zip(fresh.par_chunks_mut(CHUNK)).zip(steps.par_chunks_mut(CHUNK * pieces));
            let (field, boards, values) = (self.field, self.boards, &self.values);
            let probabilities = &self.probabilities;
            work.for_each(|((list, fresh), steps)| {
                for ((&board, fresh), steps) in list.iter().zip(fresh).zip(steps.chunks_mut(pieces)) {
                    let mut best = [-1.0; PIECES];
                    field.landings(board, |piece, landing| {
                        let place = landing.board.map_or(count, |board| place(boards, board));
                        let value = values[place] + f64::from(landing.lines);
                        if value > best[piece] {
                            best[piece] = value;
                            steps[piece] = place as u32 | landing.lines << LINES;
                        }
                    });
                    *fresh = probabilities.iter().zip(best).map(|(p, best)| p * best).sum();
                }
            });
            moved = moved.and(self.replace(block));
        }
        Ok(moved)
    }

    /// Sweeps along the chosen steps until no value moves by more than `aim`; how many there were.
    fn settle(&mut self, aim: f64, trend: bool, watch: Progress<'_>) -> Result<usize, SolveError> {
        let mut steps = [0.0; 2];
        for sweep in 1..=MOST_SWEEPS {
            let extrapolate = trend && sweep % TREND == 0;
            if extrapolate {
                self.before.clone_from(&self.values);
            }
            let start = self.values[0];
            let moved = self.follow(watch)?;
            if moved.most() <= aim {
                return Ok(sweep);
            }
            steps = [steps[1], self.values[0] - start];
            let ratio = steps[1] / steps[0];
            if extrapolate && ratio > 0.0 && ratio < 0.999 {
                self.extrapolate(ratio / (1.0 - ratio));
            }
        }
        Ok(MOST_SWEEPS)
    }

    fn follow(&mut self, watch: Progress<'_>) -> Result<Moved, SolveError> {
        let (count, pieces) = (self.list.len(), self.field.pieces());
        let mut moved = Moved::default();
        for start in (0..count).step_by(BLOCK).rev() {
            if let ControlFlow::Break(()) = watch(0.1) {
                return Err(SolveError::Stopped);
            }
            let block = start..(start + BLOCK).min(count);
            let fresh = self.fresh[..block.len()].par_chunks_mut(CHUNK);
            let steps = self.steps[block.start * pieces..block.end * pieces].par_chunks(CHUNK * pieces);
            let (values, probabilities) = (&self.values, &self.probabilities);
            let value = |step: u32| values[(step & ((1 << LINES) - 1)) as usize] + f64::from(step >> LINES);
            fresh.zip(steps).for_each(|(fresh, steps)| {
                for (fresh, steps) in fresh.iter_mut().zip(steps.chunks(pieces)) {
                    *fresh = probabilities.iter().zip(steps).map(|(p, &step)| p * value(step)).sum();
                }
            });
            moved = moved.and(self.replace(block));
        }
        Ok(moved)
    }

    fn replace(&mut self, block: std::ops::Range<usize>) -> Moved {
        let mut moved = Moved::default();
        for (value, &fresh) in self.values[block].iter_mut().zip(&self.fresh) {
            let change = fresh - *value;
            moved = moved.and(Moved { up: change, down: -change, largest: fresh });
            *value = fresh;
        }
        moved
    }

    /// Late changes shrink by the same factor from sweep to sweep: adds all that are still to come.
    fn extrapolate(&mut self, times: f64) {
        for (value, before) in self.values.iter_mut().zip(&self.before) {
            *value = (*value + times * (*value - before)).max(0.0);
        }
    }
}

fn place(boards: &Boards, board: u32) -> usize {
    boards.place(board).expect("the boards are closed under play")
}
