//! Perfect play from a table: the value of every position, and the player that wins as soon and loses as late as can be.

use std::path::Path;
use std::sync::Arc;

use games::pushover::{Board, Entry, Pushover, PushoverRules};
use games::{Dice, Game, Rules, Side, Turn};

use super::retrograde::place;
use super::table::{self, MORE, Table};
use crate::files::TableError;
use crate::files::table_file::sealed;
use crate::players::{Player, PlayerFailure, Thought};
use crate::solve::{Oracle, Value};

/// The values of all positions under some rules.
///
/// The limit of moves is no part of the table: what takes longer than the limit allows is a draw, and all else is as it
/// would be without one.
#[derive(Debug, Clone)]
pub struct Perfect {
    table: Table,
}

impl Perfect {
    pub(super) fn new(table: Table) -> Self {
        Self { table }
    }

    /// Reads a table that [`Perfect::save`] has written.
    ///
    /// # Errors
    /// The file cannot be read, or it is no such table or a damaged one.
    pub fn load(path: &Path) -> Result<Self, TableError> {
        Ok(Self { table: table::load(path)? })
    }

    /// Reads a table for these rules.
    ///
    /// # Errors
    /// As [`Perfect::load`]; or the table is for other rules.
    pub fn load_for(path: &Path, rules: &PushoverRules) -> Result<Self, TableError> {
        let perfect = Self::load(path)?;
        if perfect.is_for(rules) {
            return Ok(perfect);
        }
        let words =
            |rules: &PushoverRules| format!("size {}, repetition {}", rules.size, rules.get("repetition"));
        let reason = format!("it is for {}; the game has {}", words(&perfect.rules()), words(rules));
        Err(TableError::Content { path: path.display().to_string(), reason })
    }

    /// Reads the content of such a file.
    ///
    /// # Errors
    /// It is no such table, or a damaged one; the text says why.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        Ok(Self { table: table::from_bytes(bytes)? })
    }

    /// The content of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        sealed(table::to_bytes(&self.table))
    }

    /// Writes the table.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TableError> {
        table::save(path, &self.table)
    }

    /// The rules, with the usual limit of moves.
    pub fn rules(&self) -> PushoverRules {
        PushoverRules::new(self.table.code.size() as u8, self.table.repetition)
    }

    /// Whether it knows the game of these rules.
    pub fn is_for(&self, rules: &PushoverRules) -> bool {
        (usize::from(rules.size), rules.repetition) == (self.table.code.size(), self.table.repetition)
    }

    /// The value of a position for the side to move, were there no limit of moves. A finished game is decided in 0 moves.
    ///
    /// # Panics
    /// If the position has other rules than the table.
    pub fn endless_value(&self, position: &Pushover) -> Value {
        assert!(self.is_for(position.rules()), "the table is for other rules");
        let (board, side) = (position.board(), position.side());
        let free = self.board_value(board, side, None);
        // A text may forbid any board. Where no move could make it, it does not matter; else the moves that are left tell.
        if position.forbidden().is_none() || free.distance() == Some(0) {
            return free;
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() || moves.len() == self.table.code.entries() {
            return free;
        }
        let values = moves.iter().map(|&entry| self.move_value(position, entry));
        values.max_by_key(|value| value.rank()).expect("there is a move")
    }

    /// The value of a position for the side to move; beyond the limit of moves it is a draw.
    ///
    /// # Panics
    /// If the position has other rules than the table.
    pub fn value(&self, position: &Pushover) -> Value {
        self.endless_value(position).within(left(position))
    }

    /// Every legal move with its value for the side that makes it.
    ///
    /// # Panics
    /// If the position has other rules than the table.
    pub fn moves(&self, position: &Pushover) -> Vec<(Entry, Value)> {
        let left = left(position);
        self.endless_moves(position).into_iter().map(|(entry, value)| (entry, value.within(left))).collect()
    }

    /// The best moves: those that win soonest, else those that draw, else those that lose latest. Where the limit will make
    /// it a draw, those that would do so without it.
    ///
    /// # Panics
    /// If the position has other rules than the table.
    pub fn best(&self, position: &Pushover) -> Vec<Entry> {
        let left = left(position);
        let rated = self.endless_moves(position).into_iter();
        let ranks: Vec<_> =
            rated.map(|(entry, value)| (entry, (value.within(left).rank(), value.rank()))).collect();
        let highest = ranks.iter().map(|(_, rank)| *rank).max();
        ranks.into_iter().filter(|(_, rank)| Some(*rank) == highest).map(|(entry, _)| entry).collect()
    }

    fn endless_moves(&self, position: &Pushover) -> Vec<(Entry, Value)> {
        assert!(self.is_for(position.rules()), "the table is for other rules");
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().map(|entry| (entry, self.move_value(position, entry))).collect()
    }

    /// The value of a legal move for the side that makes it.
    fn move_value(&self, position: &Pushover, entry: Entry) -> Value {
        let mut after = position.clone();
        after.play_unchecked(entry);
        self.board_value(after.board(), after.side(), after.forbidden()).before()
    }

    /// The value of a board to a side that is to move, and that may not make the board before the last move again.
    pub(super) fn board_value(&self, board: Board, side: Side, before: Option<Board>) -> Value {
        let Table { code, boards, values, exceptions, .. } = &self.table;
        let number = |board: Board| code.number(board[side.index()], board[side.other().index()]);
        let Some((place, symmetry)) = place(code, boards, number(board)) else {
            return code.end(number(board)).expect("what is not listed is over");
        };
        let mut byte = values[place] & !MORE;
        if let Some(before) = before
            && values[place] & MORE != 0
            && let Ok(found) = exceptions.binary_search_by_key(&(place as u32), |(place, _, _)| *place)
        {
            let (_, entry, left) = exceptions[found];
            let image = code.images(number(board))[symmetry];
            let pushed = code.pushed(image, &code.lines(image), entry.into());
            if pushed == code.images(number(before))[symmetry] {
                byte = left;
            }
        }
        Value::from_byte(byte).expect("the table holds values")
    }
}

/// Moves until the limit.
fn left(position: &Pushover) -> u32 {
    u32::from(position.rules().limit().saturating_sub(position.ply()))
}

/// [`Perfect`] at the table with other players; of equally good moves it plays any.
#[derive(Debug, Clone)]
pub struct PerfectPlayer {
    values: Arc<Perfect>,
    thought: Option<Thought<Entry>>,
}

impl PerfectPlayer {
    /// By these values.
    pub fn new(values: Arc<Perfect>) -> Self {
        Self { values, thought: None }
    }
}

impl Player<Pushover> for PerfectPlayer {
    fn choose(&mut self, position: &Pushover, dice: &mut Dice) -> Result<Entry, PlayerFailure> {
        let (value, entry) = (self.values.value(position), dice.pick(&self.values.best(position)));
        let depth = u32::from(value.distance().unwrap_or(0));
        let value = 2.0 * value.points() - 1.0;
        self.thought = Some(Thought { value, decided: true, depth, nodes: 1, line: vec![entry] });
        Ok(entry)
    }

    fn thought(&self) -> Option<Thought<Entry>> {
        self.thought.clone()
    }

    fn remark(&self, position: &Pushover, side: Side) -> Option<String> {
        let Turn::Player(to_move) = position.turn() else { return None };
        let value = self.values.value(position);
        Some(match value {
            _ if side == to_move => value.to_string(),
            Value::Win(distance) => Value::Loss(distance).to_string(),
            Value::Draw => Value::Draw.to_string(),
            Value::Loss(distance) => Value::Win(distance).to_string(),
        })
    }

    fn advice(&self, position: &Pushover) -> Vec<(Entry, String)> {
        let mut rated = self.values.moves(position);
        rated.sort_by_key(|(_, value)| std::cmp::Reverse(value.rank()));
        rated.into_iter().map(|(entry, value)| (entry, value.to_string())).collect()
    }
}

impl Oracle<Pushover> for Perfect {
    fn value(&self, position: &Pushover) -> Value {
        Perfect::value(self, position)
    }

    fn moves(&self, position: &Pushover) -> Vec<(Entry, Value)> {
        Perfect::moves(self, position)
    }
}
