//! Move ordering. A move that leaves the opponent low mobility makes a cut-off soonest, whether it is the best or not
//! ("fastest first"). High up in the tree, where a wrong guess costs thousands of positions, the shipped tables are asked, some plies
//! ahead.
//!
//! The weights were tuned for few positions on random games with 14 to 18 empty squares.

use games::othello::patterns::Indices;

use super::board::{Board, CORNERS, quarter, squares};
use super::search::MOST_MOVES;
use crate::patterns::TableModel;

const ANSWER: i32 = 64;
const CORNER_ANSWER: i32 = 32;
const ODD_QUARTER: i32 = 16;
const CORNER: i32 = 48;

/// From so many empty squares on it pays to ask the tables: 2 % and 5 % fewer positions with 14 and 18 empty squares than from 12 on.
/// From 9 on it takes 3 % fewer again, and more time.
const ASK_TABLES: u32 = 10;
/// They look one and two plies ahead; two only this near to the position that is asked about, or large ones take longer,
const LOOK_ONE: u32 = 14;
const LOOK_TWO: u32 = 16;
const NEAR: u32 = 2;
/// and one more ply in that position and those after its moves: 1 % to 3 % fewer positions.
const NEAREST: u32 = 1;

/// What puts moves in order: the shipped tables, and the empty squares of the position asked about.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    pub tables: &'a TableModel,
    pub asked: u32,
}

/// A disc of the tables in the measure of the other weights,
const TABLES_DISC: i32 = 32;
/// and how the answers count beside them, in 64ths: where the tables do not look ahead, and where they do. 64 for both takes 1 % to
/// 2 % more positions, 32 takes 6 % more with 16 and 18 empty squares.
const ANSWERS_BESIDE_TABLES: [i32; 2] = [96, 80];

/// A move that is worse than another by so many discs need not be looked at any further.
const FAR_WORSE: i32 = 4;

/// A guess looks so far ahead. After an even number of plies it is too low by some discs, which serves the search: with five it takes more
/// positions, and with six no fewer, although with 14 and 16 empty squares the guess is then off by 4.6 discs (root mean square) and not by
/// 5.4.
const GUESS_PLIES: u32 = 4;

/// A move with what it leads to and how good it looks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ranked {
    pub after: Board,
    /// The moves there.
    pub answers: u64,
    pub square: u8,
    pub score: i32,
}

/// How good a move looks that leaves these answers.
#[inline]
pub fn promise(answers: u64, square: u32, odd: u32) -> i32 {
    let corner = if 1 << square & CORNERS != 0 { CORNER } else { 0 };
    parity(square, odd) - freedom(answers) + corner
}

#[inline]
fn parity(square: u32, odd: u32) -> i32 {
    if quarter(square) & odd != 0 { ODD_QUARTER } else { 0 }
}

/// Moves, those into corners counting more.
#[inline]
fn freedom(moves: u64) -> i32 {
    ANSWER * moves.count_ones() as i32 + CORNER_ANSWER * (moves & CORNERS).count_ones() as i32
}

/// What the tables see in a position, and how far they look beyond its moves.
pub struct View<'a> {
    seen: Seen<'a>,
    plies: u32,
    /// The least that a move left to the opponent.
    least: i32,
}

impl<'a> Order<'a> {
    /// The tables' view of a position with so many empty squares, if they are asked about it.
    #[inline]
    pub fn view(&self, board: Board, empties: u32) -> Option<View<'a>> {
        (empties >= ASK_TABLES).then(|| {
            let two = empties >= LOOK_TWO && empties + NEAR >= self.asked;
            let nearest = empties + NEAREST >= self.asked;
            let plies = u32::from(empties >= LOOK_ONE) + u32::from(two) + u32::from(nearest);
            View { seen: Seen::new(board, self.tables, plies + 1), plies, least: i32::MAX }
        })
    }

    /// The score that a position seems to have, within the range of scores.
    pub fn guess(&self, board: Board) -> i32 {
        let value =
            Seen::new(board, self.tables, GUESS_PLIES).ahead(GUESS_PLIES, board.moves(), -i32::MAX, i32::MAX);
        // Scores are even.
        ((value / TABLES_DISC) & !1).clamp(-64, 64)
    }
}

impl View<'_> {
    /// How good a move looks that turns these discs over and leaves these answers.
    pub fn promise(&mut self, square: u32, flipped: u64, answers: u64, odd: u32) -> i32 {
        let enough = self.least.saturating_add(TABLES_DISC * FAR_WORSE);
        let value = self.seen.after(square, flipped).ahead(self.plies, answers, -i32::MAX, enough);
        self.least = self.least.min(value);
        let beside = ANSWERS_BESIDE_TABLES[usize::from(self.plies > 0)];
        parity(square, odd) - value - beside * freedom(answers) / 64
    }
}

/// A board with the numbers of its patterns, which are kept up to date from move to move.
#[derive(Clone, Copy)]
struct Seen<'a> {
    board: Board,
    tables: &'a TableModel,
    indices: Indices,
    /// Whether the side to move is the first one, in whose view the numbers are.
    is_first: bool,
}

impl<'a> Seen<'a> {
    /// Counted from scratch, so that after so many moves the side to move is the first one: one half of the weights is enough, and stays
    /// in the processor's cache.
    fn new(board: Board, tables: &'a TableModel, moves: u32) -> Self {
        let is_first = moves.is_multiple_of(2);
        let (first, second) =
            if is_first { (board.own, board.opponent) } else { (board.opponent, board.own) };
        Self { board, tables, indices: tables.set().fresh(first, second), is_first }
    }

    /// After a move.
    #[inline]
    fn after(&self, square: u32, flipped: u64) -> Self {
        let indices = self.tables.set().after(&self.indices, square as u8, flipped, self.is_first);
        Self { board: self.board.after(square, flipped), indices, is_first: !self.is_first, ..*self }
    }

    /// What they say for the side to move, whose moves are known, some plies ahead.
    fn ahead(&self, plies: u32, moves: u64, mut alpha: i32, beta: i32) -> i32 {
        let board = self.board;
        if plies == 0 {
            let moves = [moves, board.passed().moves()];
            let value =
                self.tables.value_of(&self.indices, [board.own, board.opponent], moves, self.is_first);
            return (f64::from(TABLES_DISC) * value) as i32;
        }
        if moves == 0 {
            let passed = Self { board: board.passed(), is_first: !self.is_first, ..*self };
            return match passed.board.moves() {
                0 => TABLES_DISC * board.final_score(),
                answers => -passed.ahead(plies, answers, -beta, -alpha),
            };
        }
        // With two plies or more those that leave few answers come first.
        let (mut list, mut count) = ([(0, 0, 0); MOST_MOVES], 0);
        for square in squares(moves) {
            let flipped = board.flips(square);
            let answers = board.after(square, flipped).moves();
            list[count] = (square, flipped, answers);
            count += 1;
        }
        let list = &mut list[..count];
        if plies > 1 {
            list.sort_by_key(|&(_, _, answers)| answers.count_ones());
        }
        let mut best = -i32::MAX;
        for &(square, flipped, answers) in &*list {
            best = best.max(-self.after(square, flipped).ahead(plies - 1, answers, -beta, -alpha));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::late;
    use super::*;
    use crate::shipped::PATTERNS;
    use games::Dice;

    /// The same by its definition: counted from scratch, every line looked at.
    fn plainly(board: Board, plies: u32, tables: &TableModel) -> i32 {
        if plies == 0 {
            return (f64::from(TABLES_DISC) * tables.fresh_value(board.own, board.opponent)) as i32;
        }
        let after = |square| -plainly(board.after(square, board.flips(square)), plies - 1, tables);
        match squares(board.moves()).map(after).max() {
            Some(best) => best,
            None if board.passed().moves() == 0 => TABLES_DISC * board.final_score(),
            None => -plainly(board.passed(), plies, tables),
        }
    }

    #[test]
    fn what_the_tables_see_ahead_is_what_they_say_of_each_position() {
        let (tables, mut dice) = (PATTERNS.model(), Dice::seeded(&[37]));
        for number in 0..60 {
            let position = late(&mut dice, 1 + number / 4);
            let board = Board { own: position.own(), opponent: position.opponent() };
            for (plies, moves) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (3, 0), (3, 1)] {
                let seen = Seen::new(board, &tables, moves);
                let ahead = seen.ahead(plies, board.moves(), -i32::MAX, i32::MAX);
                assert_eq!(ahead, plainly(board, plies, &tables), "{plies} plies from {board:?}");
            }
        }
    }
}
