//! The search: does the side to move get more than `alpha`? Asked so, a position takes far fewer others than its score does.
//!
//! Near the end nothing but parity orders the moves. Further up what leaves the opponent few moves comes first ("fastest first"), the
//! table is asked, and what the opponent holds for ever may settle the matter.

use super::STEP_NODES;
use super::board::{Board, CORNERS, QUARTERS, odd_quarters, quarter, squares};
use super::last::{last_four, last_one, last_three, last_two};
use super::order::{Ranked, look_ahead, promise};
use super::table::{NONE, Table};
use crate::search::limits::Watch;

/// Up to so many empty squares moves are ordered by parity alone.
const SHALLOW: u32 = 6;
/// From so many on the table is asked about all moves before one is searched.
const ASK_ABOUT_MOVES: u32 = 10;
/// How far the moves of the main line are looked ahead to be put in order.
const MAIN_LINE_PLIES: u32 = 3;
const MAIN_LINE: u32 = 10;

/// The most moves of a position, with room to spare.
const MOST_MOVES: usize = 34;

/// The moves of each position on the way to the one at hand, by its empty squares: none is made anew.
pub type Lists = [[Ranked; MOST_MOVES]; 65];

/// Lists to begin with.
pub fn lists() -> Box<Lists> {
    Box::new([[Ranked::default(); MOST_MOVES]; 65])
}

/// What a search needs.
pub struct Search<'a> {
    pub table: &'a mut Table,
    pub watch: &'a mut Watch,
    pub lists: &'a mut Lists,
    pub nodes: u64,
}

impl Search<'_> {
    /// A bound of the score of a position: above `alpha` exactly if the score is. Without meaning once the watch has stopped.
    pub fn exceeds(&mut self, board: Board, alpha: i32, odd: u32) -> i32 {
        let empties = board.empties().count_ones();
        if empties <= SHALLOW {
            return self.shallow(board, alpha, empties, odd);
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
        let moves = board.moves();
        if moves == 0 {
            let passed = board.passed();
            return match passed.moves() {
                0 => board.final_score(),
                _ => -self.exceeds(passed, -alpha - 1, odd),
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
        // The move that was best before is often enough: the others are ranked only if it is not.
        if hint < NONE && moves >> hint & 1 != 0 {
            let square = u32::from(hint);
            let after = board.after(square, board.flips(square));
            best = -self.exceeds(after, -alpha - 1, odd ^ quarter(square));
            best_square = hint;
            if best > alpha || self.watch.stopped {
                return (best, hint);
            }
            left &= !(1 << hint);
        }
        let level = empties as usize;
        let mut count = 0;
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
                let at_least = -i32::from(entry.high);
                if at_least > alpha {
                    return (at_least, square as u8);
                }
            }
            let score = promise(after, square, odd, empties);
            self.lists[level][count] = Ranked { after, square: square as u8, score };
            count += 1;
        }
        for tried in 0..count {
            // Seldom more than one or two are needed: the next best is picked, nothing is sorted.
            let list = &mut self.lists[level][..count];
            let mut next = tried;
            for other in tried + 1..count {
                if list[other].score > list[next].score {
                    next = other;
                }
            }
            list.swap(tried, next);
            let Ranked { after, square, .. } = list[tried];
            let score = -self.exceeds(after, -alpha - 1, odd ^ quarter(u32::from(square)));
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

    /// The last few empty squares: those in odd quarters first, corners before others.
    fn shallow(&mut self, board: Board, alpha: i32, empties: u32, odd: u32) -> i32 {
        match empties {
            4 => return last_four(board, alpha, odd, &mut self.nodes),
            5.. => {}
            _ => return self.few(board, alpha, empties),
        }
        self.nodes += 1;
        if let Some(bound) = settled(board, alpha, empties) {
            return bound;
        }
        let moves = board.moves();
        if moves == 0 {
            let passed = board.passed();
            return match passed.moves() {
                0 => board.final_score(),
                _ => -self.shallow(passed, -alpha - 1, empties, odd),
            };
        }
        let first = moves & QUARTERS[odd as usize & 15];
        let mut best = -65;
        for group in [first & CORNERS, first & !CORNERS, moves & !first & CORNERS, moves & !first & !CORNERS]
        {
            let mut left = group;
            while left != 0 {
                let square = left.trailing_zeros();
                left &= left - 1;
                let after = board.after(square, board.flips(square));
                let score = -self.shallow(after, -alpha - 1, empties - 1, odd ^ quarter(square));
                if score > alpha {
                    return score;
                }
                best = best.max(score);
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

    /// The exact score of a position within a window, and the best move of it if there is one; outside it is a bound.
    pub fn score(&mut self, board: Board, mut alpha: i32, beta: i32) -> (i32, u8) {
        let moves = board.moves();
        let odd = odd_quarters(board.empties());
        self.nodes += 1;
        if moves == 0 {
            let passed = board.passed();
            return match passed.moves() {
                0 => (board.final_score(), NONE),
                _ => (-self.score(passed, -beta, -alpha).0, NONE),
            };
        }
        let empties = board.empties().count_ones();
        let hint = self.table.get(board).map_or(NONE, |entry| entry.best);
        let rank = |square: u32| {
            let after = board.after(square, board.flips(square));
            let score = match empties {
                _ if square as u8 == hint => i32::MAX,
                MAIN_LINE.. => -look_ahead(after, MAIN_LINE_PLIES, -i32::MAX, i32::MAX),
                _ => promise(after, square, odd, empties),
            };
            Ranked { after, square: square as u8, score }
        };
        let mut list: Vec<Ranked> = squares(moves).map(rank).collect();
        list.sort_by_key(|one| (std::cmp::Reverse(one.score), one.square));
        let (mut best, mut best_square) = (-65, NONE);
        let lowest = alpha;
        let before = self.nodes;
        for (tried, &Ranked { after, square, .. }) in list.iter().enumerate() {
            let mut score = alpha;
            if tried > 0 {
                score = -self.exceeds(after, -alpha - 1, odd ^ quarter(u32::from(square)));
            }
            if !self.watch.stopped && (tried == 0 || (score > alpha && score < beta)) {
                score = -self.score(after, -beta, -alpha).0;
            }
            if self.watch.stopped {
                return (best, best_square);
            }
            if score > best {
                (best, best_square) = (score, square);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        let work = (self.nodes - before).checked_ilog2().unwrap_or(0) as u8;
        let (low, high) = (if best > lowest { best } else { -64 }, if best < beta { best } else { 64 });
        self.table.put(board, low, high, best_square, work);
        (best, best_square)
    }
}

/// A bound if what the opponent holds for ever answers the question. It is looked for only where that is likely.
#[inline]
fn settled(board: Board, alpha: i32, empties: u32) -> Option<i32> {
    let likely = 2 * empties as i32 - 4;
    if alpha < likely {
        return None;
    }
    let most = 64 - 2 * board.safe_of_opponent().count_ones() as i32;
    (most <= alpha).then_some(most)
}
