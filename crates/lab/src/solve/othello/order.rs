//! Which move to try first. What leaves the opponent few answers ends a search soonest, whether it is the best or not ("fastest
//! first"). High up in the tree, where a wrong guess costs thousands of positions, the shipped tables are asked, a ply or two ahead.
//!
//! The weights were tuned for few positions on random games with 14 to 18 empty squares.

use games::othello::patterns::Indices;
use games::othello::{FILE_A, FILE_H};

use super::board::{Board, CORNERS, quarter, spread, squares};
use crate::tables::TableModel;

const ANSWER: i32 = 64;
const CORNER_ANSWER: i32 = 64;
const ODD_QUARTER: i32 = 32;
const CORNER: i32 = 48;
const SAFE_AHEAD: i32 = 37;
const FRONTIER: i32 = 10;
const OWN_CORNER: i32 = 80;
const BESIDE_CORNER: i32 = 55;
const BEFORE_CORNER: i32 = 16;
const DISC: i32 = 10;
const FINISHED: i32 = 1000;

/// From so many empty squares on it pays to judge both sides,
const JUDGE: u32 = 10;
/// to ask the tables instead (7 % and 9 % fewer positions with 14 and 16 empty squares; from 10 on 3 % fewer again, but no less time),
pub const ASK_TABLES: u32 = 12;
/// and to look one and two plies ahead; two only this near to the position that is asked about, or large ones take longer.
const LOOK_ONE: u32 = 14;
const LOOK_TWO: u32 = 16;
const NEAR: u32 = 2;

/// What puts moves in order: the shipped tables, for positions that are large enough, and the empty squares of the one asked about.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    pub tables: Option<&'a TableModel>,
    pub asked: u32,
}

/// A disc of the tables in the measure of the other weights,
const TABLES_DISC: f64 = 32.0;
/// and how the answers count beside them, in 64ths. Without them it takes 3 % and 10 % more positions with 14 and 16 empty squares than
/// with 32; 128 takes 11 % more than 64 with 18.
const ANSWERS_BESIDE_TABLES: i32 = 64;

/// A guess looks so far ahead,
const GUESS_PLIES: u32 = 3;
/// in judgements so many make a disc,
const DISC_OF_JUDGEMENT: i32 = 31;
/// and after three plies, with the opponent to move, they are too low by so many discs: a regression on 300 random positions with 14
/// and 16 empty squares, in which the guess is off by 9 discs (root mean square). With the tables
/// it is off by 7 after two plies and by 5.6 after four.
const GUESS_SHORT: i32 = 7;

/// A move with what it leads to and how good it looks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ranked {
    pub after: Board,
    /// The moves there.
    pub answers: u64,
    pub square: u8,
    pub score: i32,
}

/// How good a move looks that leads here, from a position with so many empty squares.
#[inline]
pub fn promise(after: Board, answers: u64, square: u32, odd: u32, empties: u32) -> i32 {
    let parity = if quarter(square) & odd != 0 { ODD_QUARTER } else { 0 };
    if empties < JUDGE {
        let corner = if 1 << square & CORNERS != 0 { CORNER } else { 0 };
        return parity - freedom(answers) + corner;
    }
    parity - judge(after)
}

/// The same, where the tables are asked.
pub fn promise_of_tables(seen: &Seen, answers: u64, square: u32, odd: u32, plies: u32) -> i32 {
    let parity = if quarter(square) & odd != 0 { ODD_QUARTER } else { 0 };
    let value = seen.ahead(plies, answers, -i32::MAX, i32::MAX);
    parity - value - ANSWERS_BESIDE_TABLES * freedom(answers) / 64
}

impl Order<'_> {
    /// What the tables see, if they are asked about the moves of a position with so many empty squares, and how far ahead.
    pub fn seen(&self, board: Board, empties: u32) -> Option<(Seen<'_>, u32)> {
        let tables = self.tables.filter(|_| empties >= ASK_TABLES)?;
        let two = empties >= LOOK_TWO && empties + NEAR >= self.asked;
        let plies = u32::from(empties >= LOOK_ONE) + u32::from(two);
        Some((Seen::new(board, tables), plies))
    }
}

/// A board with the numbers of its patterns, which are kept up to date from move to move.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    board: Board,
    tables: &'a TableModel,
    indices: Indices,
    /// Whether the side to move is the one that the numbers were first counted for.
    is_first: bool,
}

impl<'a> Seen<'a> {
    /// Counted from scratch.
    pub fn new(board: Board, tables: &'a TableModel) -> Self {
        Self { board, tables, indices: tables.set().fresh(board.own, board.opponent), is_first: true }
    }

    /// After a move.
    #[inline]
    pub fn after(&self, square: u32, flipped: u64) -> Self {
        let indices = self.tables.set().after(&self.indices, square as u8, flipped, self.is_first);
        Self { board: self.board.after(square, flipped), indices, is_first: !self.is_first, ..*self }
    }

    /// What the tables say for the side to move, some plies ahead.
    fn ahead(&self, plies: u32, moves: u64, mut alpha: i32, beta: i32) -> i32 {
        let board = self.board;
        if plies == 0 {
            let moves = [moves, board.passed().moves()];
            let value =
                self.tables.value_of(&self.indices, [board.own, board.opponent], moves, self.is_first);
            return (TABLES_DISC * value) as i32;
        }
        if moves == 0 {
            let answers = board.passed().moves();
            if answers == 0 {
                return FINISHED * board.final_score();
            }
            let passed = Self { board: board.passed(), is_first: !self.is_first, ..*self };
            return -passed.ahead(plies, answers, -beta, -alpha);
        }
        let mut best = -i32::MAX;
        for square in squares(moves) {
            let after = self.after(square, board.flips(square));
            best = best.max(-after.ahead(plies - 1, after.board.moves(), -beta, -alpha));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }
}

/// Moves, those into corners counted twice.
#[inline]
fn freedom(moves: u64) -> i32 {
    ANSWER * moves.count_ones() as i32 + CORNER_ANSWER * (moves & CORNERS).count_ones() as i32
}

/// The score that a position seems to have, within the range of scores.
pub fn guess(board: Board, tables: Option<&TableModel>) -> i32 {
    let score = match tables {
        Some(tables) => {
            Seen::new(board, tables).ahead(GUESS_PLIES, board.moves(), -i32::MAX, i32::MAX)
                / TABLES_DISC as i32
        }
        None => look_ahead(board, GUESS_PLIES, -i32::MAX, i32::MAX) / DISC_OF_JUDGEMENT + GUESS_SHORT,
    };
    // Scores are even.
    (score & !1).clamp(-64, 64)
}

/// A rough judgement for the side to move, some plies ahead.
fn look_ahead(board: Board, plies: u32, mut alpha: i32, beta: i32) -> i32 {
    if plies == 0 {
        return judge(board);
    }
    let moves = board.moves();
    if moves == 0 {
        let passed = board.passed();
        return match passed.moves() {
            0 => FINISHED * board.final_score(),
            _ => -look_ahead(passed, plies, -beta, -alpha),
        };
    }
    let mut best = -i32::MAX;
    for square in squares(moves) {
        let after = board.after(square, board.flips(square));
        best = best.max(-look_ahead(after, plies - 1, -beta, -alpha));
        if best >= beta {
            break;
        }
        alpha = alpha.max(best);
    }
    best
}

/// A weighted sum for the side to move. The weights are near those that a regression on the exact scores of random positions with 9
/// to 13 empty squares finds, in 26ths of a disc, but for what is best for the search: one's own moves count more.
fn judge(board: Board) -> i32 {
    let (passed, empties) = (board.passed(), board.empties());
    let count = |squares: u64| squares.count_ones() as i32;
    let difference = |squares: u64| count(board.own & squares) - count(board.opponent & squares);
    let open = |discs: u64| count(spread(discs) & empties);
    let corners = empties & CORNERS;
    let beside = corners << 1 & !FILE_A | corners >> 1 & !FILE_H | corners << 8 | corners >> 8;
    let before = spread(corners) & !(corners | beside);
    3 * freedom(board.moves()) / 2 - freedom(passed.moves())
        + SAFE_AHEAD * (count(passed.safe_of_opponent()) - count(board.safe_of_opponent()))
        + FRONTIER * (open(board.opponent) - open(board.own))
        + OWN_CORNER * difference(CORNERS)
        - BESIDE_CORNER * difference(beside)
        - BEFORE_CORNER * difference(before)
        - DISC * difference(u64::MAX)
}
