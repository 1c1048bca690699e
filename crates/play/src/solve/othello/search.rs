//! The search, in null windows: does the side to move get more than `alpha`? Asked so, a position takes far fewer others than its score
//! does.
//!
//! Near the end nothing but parity orders the moves. Further up those come first that leave the opponent low mobility ("fastest first"),
//! the transposition table is asked, and the opponent's stable discs may make a cut-off.

use super::board::{Board, QUARTERS, odd_quarters, quarter, spread, squares};
use super::cache::Cache;
use super::last::{last_four, last_one, last_three, last_two};
use super::order::{Order, Ranked, promise};
use super::table::{NONE, Table};
use super::{STEP_NODES, UNWATCHED};
use crate::search::limits::Budget;

/// Up to so many empty squares moves are ordered by parity alone.
const SHALLOW: u32 = 5;
/// Up to so many the small table is asked in place of the large one. With 14 empty squares 6 takes 6 % more time, 8 takes 2 % more.
const MIDDLE: u32 = 7;
/// From so many on the table is asked about all moves before one is searched: 2 % fewer positions than from 10 on.
const ASK_ABOUT_MOVES: u32 = 9;
/// After a fail high the next null window is so many discs higher: the next score. With 4 it takes 3 % and 6 % more positions with 14 and
/// 16 empty squares and 2 % more with 18, with strides that grow 2 % to 4 % more. After a fail low it asks whether that is the score.
const STRIDE: i32 = 2;

/// The most moves of a position, with room to spare.
pub const MOST_MOVES: usize = 34;

/// The moves of each position on the way to the one at hand, by its empty squares: none is made anew.
pub type Lists = [[Ranked; MOST_MOVES]; 65];

/// Lists to begin with.
pub fn lists() -> Box<Lists> {
    Box::new([[Ranked::default(); MOST_MOVES]; 65])
}

/// What a search needs.
pub struct Search<'a> {
    pub table: &'a mut Table,
    pub watch: &'a mut Budget,
    pub cache: &'a mut Cache,
    /// What puts the moves in order where it pays.
    pub order: Order<'a>,
    pub lists: &'a mut Lists,
    pub nodes: u64,
}

impl Search<'_> {
    /// A bound of the score of a position: a fail high, above `alpha`, exactly if the score is. Without meaning once the watch has stopped.
    /// The moves are found here unless the caller knows them.
    pub fn exceeds(&mut self, board: Board, moves: Option<u64>, alpha: i32, odd: u32) -> i32 {
        let empties = board.empties().count_ones();
        if empties <= MIDDLE {
            return self.few_moves(board, moves, alpha, empties, odd);
        }
        self.nodes += 1;
        if self.watch.stops(self.nodes + STEP_NODES, 1) {
            return 0;
        }
        if let Some(bound) = settled(board, alpha, empties) {
            return bound;
        }
        let mut hint = NONE;
        if let Some(entry) = self.table.get(board) {
            let (low, high) = (i32::from(entry.low), i32::from(entry.high));
            if low > alpha {
                return low;
            }
            if high <= alpha {
                return high;
            }
            hint = entry.best;
        }
        let moves = moves.unwrap_or_else(|| board.moves());
        if moves == 0 {
            let passed = board.passed();
            return match passed.moves() {
                0 => board.final_score(),
                answers => -self.exceeds(passed, Some(answers), -alpha - 1, odd),
            };
        }
        let before = self.nodes;
        let (bound, best) = self.all_moves(board, moves, alpha, empties, odd, hint);
        if !self.watch.stopped {
            let work = (self.nodes - before).checked_ilog2().unwrap_or(0) as u8;
            match bound > alpha {
                true => self.table.put(board, bound, 64, best, work),
                false => self.table.put(board, -64, bound, best, work),
            }
        }
        bound
    }

    fn all_moves(
        &mut self,
        board: Board,
        moves: u64,
        alpha: i32,
        empties: u32,
        odd: u32,
        hint: u8,
    ) -> (i32, u8) {
        let (mut best, mut best_square) = (-65, NONE);
        let mut left = moves;
        // The move that was best before often makes the cut-off: the others are ranked only if it does not.
        if hint < NONE && moves >> hint & 1 != 0 {
            let square = u32::from(hint);
            let after = board.after(square, board.flips(square));
            best = -self.exceeds(after, None, -alpha - 1, odd ^ quarter(square));
            best_square = hint;
            if best > alpha || self.watch.stopped {
                return (best, hint);
            }
            left &= !(1 << hint);
        }
        let level = empties as usize;
        let mut count = 0;
        // The table is asked about all of them before one is ranked: an answer may make the cut-off, and the memory is waited for once and
        // not move by move.
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let flipped = board.flips(square);
            if flipped == board.opponent {
                return (64, square as u8);
            }
            let after = board.after(square, flipped);
            if empties >= ASK_ABOUT_MOVES
                && let Some(entry) = self.table.get(after)
            {
                let (at_least, at_most) = (-i32::from(entry.high), -i32::from(entry.low));
                if at_least > alpha {
                    return (at_least, square as u8);
                }
                if at_most <= alpha {
                    // Refuted before: no need to rank it.
                    if at_most > best {
                        (best, best_square) = (at_most, square as u8);
                    }
                    continue;
                }
            }
            self.lists[level][count] = Ranked { after, square: square as u8, ..Ranked::default() };
            count += 1;
        }
        let mut view = self.order.view(board, empties);
        for ranked in &mut self.lists[level][..count] {
            let (square, flipped) = (u32::from(ranked.square), board.opponent & !ranked.after.own);
            ranked.answers = ranked.after.moves();
            ranked.score = match &mut view {
                Some(view) => view.promise(square, flipped, ranked.answers, odd),
                None => promise(ranked.answers, square, odd),
            };
        }
        for tried in 0..count {
            let Ranked { after, answers, square, .. } = next_best(&mut self.lists[level][..count], tried);
            let score = -self.exceeds(after, Some(answers), -alpha - 1, odd ^ quarter(u32::from(square)));
            if self.watch.stopped {
                return (0, NONE);
            }
            if score > best {
                (best, best_square) = (score, square);
                if score > alpha {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// A few squares more: ordered by the mobility that they leave, with little around it. There are no more moves than empty squares.
    fn middle(&mut self, board: Board, moves: u64, alpha: i32, empties: u32, odd: u32) -> i32 {
        self.nodes += 1;
        if empties > UNWATCHED && self.watch.stops(self.nodes + STEP_NODES, 1) {
            return 0;
        }
        if let Some(bound) = settled(board, alpha, empties) {
            return bound;
        }
        let hint = match self.cache.answer(board, alpha) {
            Ok(bound) => return bound,
            Err(hint) => hint,
        };
        if moves == 0 {
            let passed = board.passed();
            return match passed.moves() {
                0 => board.final_score(),
                answers => -self.middle(passed, answers, -alpha - 1, empties, odd),
            };
        }
        let (mut best, mut best_square, mut left) = (-65, NONE, moves);
        if hint < NONE {
            let square = u32::from(hint);
            let after = board.after(square, board.flips(square));
            best = -self.few_moves(after, None, -alpha - 1, empties - 1, odd ^ quarter(square));
            if best > alpha {
                self.cache.put(board, best, alpha, hint);
                return best;
            }
            best_square = hint;
            left &= !(1 << hint);
        }
        let level = empties as usize;
        let mut count = 0;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let flipped = board.flips(square);
            if flipped == board.opponent {
                return 64;
            }
            let after = board.after(square, flipped);
            let answers = after.moves();
            let score = promise(answers, square, odd);
            self.lists[level][count] = Ranked { after, answers, square: square as u8, score };
            count += 1;
        }
        for tried in 0..count {
            let Ranked { after, answers, square, .. } = next_best(&mut self.lists[level][..count], tried);
            let odd = odd ^ quarter(u32::from(square));
            let score = -self.few_moves(after, Some(answers), -alpha - 1, empties - 1, odd);
            if score > best {
                (best, best_square) = (score, square);
                if score > alpha {
                    break;
                }
            }
        }
        self.cache.put(board, best, alpha, best_square);
        best
    }

    #[inline]
    fn few_moves(&mut self, board: Board, moves: Option<u64>, alpha: i32, empties: u32, odd: u32) -> i32 {
        if empties <= SHALLOW {
            return self.shallow(board, alpha, empties, odd);
        }
        let moves = moves.unwrap_or_else(|| board.moves());
        self.middle(board, moves, alpha, empties, odd)
    }

    /// The last few empty squares, by parity: those in odd quarters first.
    fn shallow(&mut self, board: Board, alpha: i32, empties: u32, odd: u32) -> i32 {
        match empties {
            4 => return last_four(board, alpha, &mut self.nodes),
            5.. => {}
            _ => return self.few(board, alpha, empties),
        }
        self.nodes += 1;
        if let Some(bound) = settled(board, alpha, empties) {
            return bound;
        }
        if let Some(best) = self.play_shallow(board, alpha, empties, odd) {
            return best;
        }
        match self.play_shallow(board.passed(), -alpha - 1, empties, odd) {
            Some(best) => -best,
            None => board.final_score(),
        }
    }

    /// Tries the empty squares next to the opponent's discs: with so few of them that takes less than finding the moves.
    #[inline]
    fn play_shallow(&mut self, board: Board, alpha: i32, empties: u32, odd: u32) -> Option<i32> {
        let squares = board.empties() & spread(board.opponent);
        let first = squares & QUARTERS[odd as usize & 15];
        let mut best = None;
        for group in [first, squares & !first] {
            let mut left = group;
            while left != 0 {
                let square = left.trailing_zeros();
                left &= left - 1;
                let flipped = board.flips(square);
                if flipped == 0 {
                    continue;
                }
                let after = board.after(square, flipped);
                let odd = odd ^ quarter(square);
                let score = match empties {
                    5 => -last_four(after, -alpha - 1, &mut self.nodes),
                    _ => -self.shallow(after, -alpha - 1, empties - 1, odd),
                };
                if score > alpha {
                    return Some(score);
                }
                best = best.max(Some(score));
            }
        }
        best
    }

    /// A position that begins with fewer than four empty squares.
    fn few(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        let mut left = squares(board.empties());
        let mut next = || left.next().unwrap_or(0);
        self.nodes += 1;
        match empties {
            0 => board.final_score(),
            1 => last_one(board, next()),
            2 => last_two(board, alpha, [next(), next()], &mut self.nodes),
            _ => last_three(board, alpha, [next(), next(), next()], &mut self.nodes),
        }
    }

    /// The exact score of a position between `low` and `high`, and the best move if there is one; outside it is a bound. A row of null
    /// windows finds it, beginning near a guess, as in MTD(f): the table answers most of what was asked before.
    pub fn score(&mut self, board: Board, low: i32, high: i32) -> (i32, u8) {
        let moves = board.moves();
        self.nodes += 1;
        if moves == 0 {
            let passed = board.passed();
            return match passed.moves() {
                0 => (board.final_score(), NONE),
                _ => (-self.score(passed, -high, -low).0, NONE),
            };
        }
        let (empties, odd) = (board.empties().count_ones(), odd_quarters(board.empties()));
        let mut hint = self.table.get(board).map_or(NONE, |entry| entry.best);
        let (mut least, mut most, mut next, mut best) = (low, high, self.order.guess(board), NONE);
        loop {
            let alpha = (next - 1).min(most - 1).max(least);
            let before = self.nodes;
            let (bound, square) = self.all_moves(board, moves, alpha, empties, odd, hint);
            if self.watch.stopped {
                return (bound, best);
            }
            let work = (self.nodes - before).checked_ilog2().unwrap_or(0) as u8;
            hint = square;
            if bound > alpha {
                (least, best, next) = (bound, square, bound + STRIDE);
                self.table.put(board, bound, 64, square, work);
            } else {
                (most, next) = (bound, bound);
                self.table.put(board, -64, bound, square, work);
            }
            if least >= most {
                return (bound, if best == NONE { square } else { best });
            }
        }
    }
}

/// Takes the best of those from a place on there. Seldom more than one or two are needed: nothing is sorted.
#[inline]
fn next_best(list: &mut [Ranked], place: usize) -> Ranked {
    let mut next = place;
    for other in place + 1..list.len() {
        if list[other].score > list[next].score {
            next = other;
        }
    }
    list.swap(place, next);
    list[place]
}

/// The bound of a cut-off by the opponent's stable discs, if there is one. They are counted only where that is likely.
#[inline]
fn settled(board: Board, alpha: i32, empties: u32) -> Option<i32> {
    let likely = 2 * empties as i32 - 2;
    if alpha < likely {
        return None;
    }
    let most = 64 - 2 * board.safe_of_opponent().count_ones() as i32;
    (most <= alpha).then_some(most)
}
