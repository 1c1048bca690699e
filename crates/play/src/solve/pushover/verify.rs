//! A solution checked by the rules alone: with positions as everybody else plays them, not with the numbers and tables by
//! which it was found.
//!
//! **Every value against the moves** ([`values`]). Let f be the value that the table gives a state, a board and perhaps a
//! forbidden one. If f is, in every state, the best of what the moves lead to, then f is right:
//! - A state with a win in d has a move to a loss in d - 1, one with a loss in d has only moves to wins in at most d - 1.
//!   Distances cannot fall below 0, where somebody has a line; so by induction over d wins and losses can be forced, and
//!   no sooner or later than f says.
//! - A draw has a move to a draw, and none to a loss of the other side. So from a draw each side can move to a draw again
//!   whatever the other does, which can only leave it by losing. Nobody can force a line, and play that never ends is a draw.
//!
//! **The strategy against every defence** ([`replay`]). The side that the value favours plays by the table, the other tries
//! every move, until all games are over.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use games::pushover::{Board, Entry, Pushover, PushoverRules};
use games::{Game, Rules, Side, Turn};
use rayon::prelude::*;

use super::Perfect;
use crate::solve::Progress;
use crate::solve::Value;

/// Boards that a thread checks at once, between two looks at the watch; some hundredths of a second.
const CHUNK: usize = 1 << 10;

/// How many states were found right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checked {
    /// Boards without a line, every push allowed.
    pub boards: u64,
    /// The same boards with a push forbidden that would make the board before the last move.
    pub forbidding: u64,
}

/// What came of playing a strategy against every defence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replayed {
    /// The side that played by the table.
    pub side: Side,
    /// Different positions that were met.
    pub positions: usize,
    /// Moves of the longest game; `None` if games went on for ever.
    pub longest: Option<usize>,
}

/// A value that does not follow from the rules: which, and why.
pub type Fault = String;

/// Checks the value of every board with every push that may be forbidden; `None` if broken off.
pub fn values(perfect: &Perfect, watch: Progress<'_>) -> Option<Result<Checked, Fault>> {
    let rules = endless(perfect);
    let cells = u32::from(rules.size).pow(2);
    let all = 3usize.pow(cells);
    let done = AtomicUsize::new(0);
    let chunk = |from: usize| {
        if watch(done.fetch_add(CHUNK, Ordering::Relaxed) as f64 / all as f64).is_break() {
            return None;
        }
        let boards = from..all.min(from + CHUNK);
        Some(boards.map(|number| board(perfect, &rules, pieces(number, cells))).collect())
    };
    let chunks: Vec<usize> = (0..all).step_by(CHUNK).collect();
    // What is wrong is told of the first board in their order.
    let found: Vec<Option<Result<Checked, Fault>>> = chunks.into_par_iter().map(chunk).collect();
    found.into_iter().collect()
}

impl FromIterator<Checked> for Checked {
    fn from_iter<T: IntoIterator<Item = Checked>>(all: T) -> Self {
        all.into_iter().fold(Self::default(), |sum, one| Self {
            boards: sum.boards + one.boards,
            forbidding: sum.forbidding + one.forbidding,
        })
    }
}

/// The rules of the table, and moves without end as far as anybody will play.
fn endless(perfect: &Perfect) -> PushoverRules {
    let mut rules = perfect.rules();
    rules.set("limit", "10000").expect("an allowed limit");
    rules
}

/// The board of a number in base 3: 0 for an empty cell, 1 for o, 2 for +.
fn pieces(number: usize, cells: u32) -> Board {
    let mut board = [0; 2];
    for cell in 0..cells {
        match number / 3usize.pow(cell) % 3 {
            1 => board[0] |= 1 << cell,
            2 => board[1] |= 1 << cell,
            _ => {}
        }
    }
    board
}

/// Checks a board with `o` to move; with `+` to move it is worth as much as the board of exchanged pieces with `o` to move.
fn board(perfect: &Perfect, rules: &PushoverRules, board: Board) -> Result<Checked, Fault> {
    let free = Pushover::with_board(rules, board, None, Side::First);
    if free.turn() == Turn::Over {
        return Ok(Checked::default());
    }
    let mut moves = Vec::new();
    free.legal_moves(&mut moves);
    // What a move leads to does not depend on what was forbidden before it.
    let after: Vec<(Board, Value)> = moves.iter().map(|&entry| leads(perfect, &free, entry)).collect();
    let [o, plus] = board;
    let value = |forbidden| perfect.board_value(board, Side::First, forbidden);
    if perfect.board_value([plus, o], Side::Second, None) != value(None) {
        return Err(format!("{}: another value with exchanged pieces", free.text()));
    }
    follows(&free, value(None), &moves, &after)?;
    let mut forbidding: Vec<Board> = Vec::new();
    for &(made, value) in after.iter().filter(|_| rules.repetition) {
        // Only a move that throws a piece off, and is answered by such a one, can be met again; and no end of the game.
        let may_repeat = count(made) == count(board) && value.distance() != Some(1);
        if may_repeat && !forbidding.contains(&made) && leads_to(rules, made, board) {
            forbidding.push(made);
        }
    }
    for &forbidden in &forbidding {
        let position = Pushover::with_board(rules, board, Some(forbidden), Side::First);
        follows(&position, value(Some(forbidden)), &moves, &after)?;
    }
    Ok(Checked { boards: 1, forbidding: forbidding.len() as u64 })
}

/// The board after a move, and what the move is worth to the side that makes it.
fn leads(perfect: &Perfect, position: &Pushover, entry: Entry) -> (Board, Value) {
    let mut after = position.clone();
    after.play_unchecked(entry);
    let value = match after.winner() {
        Some(winner) if winner == after.side() => Value::Win(0),
        Some(_) => Value::Loss(0),
        None => perfect.board_value(after.board(), after.side(), after.forbidden()),
    };
    (after.board(), value.before())
}

/// Whether a value is the best of those of the legal moves; `moves` and `after` are those where none is forbidden.
fn follows(
    position: &Pushover,
    value: Value,
    moves: &[Entry],
    after: &[(Board, Value)],
) -> Result<(), Fault> {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let worth =
        |entry: &Entry| moves.iter().zip(after).find(|(mv, _)| *mv == entry).map(|(_, (_, value))| *value);
    let best = legal.iter().filter_map(worth).max_by_key(|value| value.rank());
    match best {
        Some(best) if best == value => Ok(()),
        Some(best) => Err(format!("{}: {value} in the table, {best} by its moves", position.text())),
        None => Err(format!("{}: no move", position.text())),
    }
}

fn count(board: Board) -> u32 {
    (board[0] | board[1]).count_ones()
}

/// Whether a move of `+` makes one board of another.
fn leads_to(rules: &PushoverRules, from: Board, to: Board) -> bool {
    let position = Pushover::with_board(rules, from, None, Side::Second);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let changed = (from[0] ^ to[0]) | (from[1] ^ to[1]);
    moves.into_iter().any(|entry| {
        // A push changes no cell outside its line.
        changed & !line(rules.size, entry) == 0 && {
            let mut after = position.clone();
            after.play_unchecked(entry);
            after.board() == to
        }
    })
}

/// The cells of an entry's row or column.
fn line(size: u8, entry: Entry) -> u32 {
    let place = entry.index() % size;
    let cells = (0..size).map(|k| if entry.index() < 2 * size { place * size + k } else { k * size + place });
    cells.map(|cell| 1 << cell).sum()
}

/// Plays the strategy of the side that the value of the empty board favours against every defence; in a draw that of the
/// side `drawing`, which must not lose. `None` if broken off.
pub fn replay(perfect: &Perfect, drawing: Side, watch: Progress<'_>) -> Option<Result<Replayed, Fault>> {
    let start = Pushover::start(&endless(perfect));
    let value = perfect.endless_value(&start);
    let (side, promised) = match value {
        Value::Win(distance) => (Side::First, Some(usize::from(distance))),
        Value::Loss(distance) => (Side::Second, Some(usize::from(distance))),
        Value::Draw => (drawing, None),
    };
    let (mut seen, mut now) = (HashSet::new(), vec![start]);
    for moves in 0.. {
        let mut next = Vec::new();
        for (number, position) in now.iter().enumerate() {
            for after in answers(perfect, position, side) {
                match after.winner() {
                    Some(winner) if winner == side => {}
                    Some(_) => return Some(Err(format!("{}: the strategy has lost", after.text()))),
                    None if seen.insert(key(&after)) => next.push(after),
                    None => {}
                }
            }
            if number % CHUNK == 0
                && watch(promised.map_or(0.0, |most| moves as f64 / most as f64)).is_break()
            {
                return None;
            }
        }
        if next.is_empty() {
            let longest = promised.map(|_| moves + 1);
            return Some(Ok(Replayed { side, positions: seen.len() + 1, longest }));
        }
        if promised.is_some_and(|promised| moves + 1 >= promised) {
            return Some(Err(format!("{}: not won after {} moves", next[0].text(), moves + 1)));
        }
        now = next;
    }
    unreachable!("there are finitely many positions")
}

/// The positions after the move of the strategy, or after every move of the other side.
fn answers(perfect: &Perfect, position: &Pushover, side: Side) -> Vec<Pushover> {
    let mut moves = Vec::new();
    if position.side() == side {
        moves.push(perfect.best(position)[0]);
    } else {
        position.legal_moves(&mut moves);
    }
    let play = |entry| {
        let mut after = position.clone();
        after.play(entry).expect("a legal move");
        after
    };
    moves.into_iter().map(play).collect()
}

/// All that matters for the rest of a game without a limit.
fn key(position: &Pushover) -> (Board, Option<Board>, Side) {
    let is_free = position.count_moves() == 4 * usize::from(position.size());
    (position.board(), position.forbidden().filter(|_| !is_free), position.side())
}
