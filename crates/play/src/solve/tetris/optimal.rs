//! The player that nobody beats on the mean: it takes the placement with the most lines now and in the table after.

use std::path::Path;
use std::sync::Arc;

use games::tetris::{Placement, Tetris, TetrisRules};
use games::{Dice, Game, Turn};
use rayon::prelude::*;

use super::Progress;
use super::field::Field;
use super::table;
use crate::files::TableError;
use crate::files::table_file::sealed;
use crate::players::{Player, PlayerFailure};
use crate::playout::{GameDice, play};
use crate::solve::boards::Boards;

/// The values of all boards that can be reached under some rules.
#[derive(Debug, Clone)]
pub struct Optimal {
    rules: TetrisRules,
    field: Field,
    boards: Boards,
    values: Vec<f32>,
}

impl Optimal {
    pub(super) fn new(rules: &TetrisRules, field: Field, boards: Boards, values: Vec<f32>) -> Self {
        Self { rules: rules.clone(), field, boards, values }
    }

    /// Reads a table that [`Optimal::save`] has written.
    ///
    /// # Errors
    /// The file cannot be read, or it is no such table or a damaged one.
    pub fn load(path: &Path) -> Result<Self, TableError> {
        let (rules, field, boards, values) = table::load(path)?;
        Ok(Self { rules, field, boards, values })
    }

    /// Reads the content of such a file.
    ///
    /// # Errors
    /// It is no such table, or a damaged one; the text says why.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (rules, field, boards, values) = table::from_bytes(bytes)?;
        Ok(Self { rules, field, boards, values })
    }

    /// The content of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        sealed(table::to_bytes(&self.rules, &self.boards, &self.values))
    }

    /// Writes the table.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TableError> {
        table::save(path, &self.rules, &self.boards, &self.values)
    }

    /// The rules under which it plays.
    pub fn rules(&self) -> &TetrisRules {
        &self.rules
    }

    /// The mean number of lines still to come, before a piece is dealt; `None` if play cannot reach the board.
    pub fn value(&self, position: &Tetris) -> Option<f64> {
        if position.turn() == Turn::Over {
            return Some(0.0);
        }
        let place = self.boards.place(self.field.number(position.columns()))?;
        Some(self.values[place].into())
    }

    /// The best placement; the first of several. From a board that play cannot reach, the best as far as is known.
    ///
    /// # Panics
    /// If no piece is to be placed, or the position has other rules than the table.
    pub fn choose(&self, position: &Tetris) -> Placement {
        assert_eq!(position.rules(), &self.rules, "the table is for other rules");
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = (f64::NEG_INFINITY, None);
        for placement in moves {
            let mut after = position.clone();
            after.play_unchecked(placement);
            let lines = (after.lines() - position.lines()) as f64;
            let value = lines + self.value(&after).unwrap_or(0.0);
            if value > best.0 {
                best = (value, Some(placement));
            }
        }
        best.1.expect("a piece is to be placed")
    }

    /// The lines of each of so many games from the empty board, on the threads of the pool at hand; `None` if
    /// the watch has broken it off.
    pub fn simulate(self: &Arc<Self>, games: usize, seed: u64, watch: Progress<'_>) -> Option<Vec<f64>> {
        /// Games between two looks at the watch.
        const PART: usize = 1000;
        let start = Tetris::start(&self.rules);
        let one = |number: usize| {
            let mut players: [Box<dyn Player<Tetris>>; 1] = [Box::new(OptimalPlayer(self.clone()))];
            let mut dice = GameDice::new(seed, number as u64);
            let record = play(&start, &mut players, &mut dice, u64::MAX);
            record.expect("a player of our own").end.lines() as f64
        };
        let mut lines = Vec::new();
        while lines.len() < games {
            let part = lines.len()..games.min(lines.len() + PART);
            lines.par_extend(part.into_par_iter().map(one));
            if watch(lines.len() as f64 / games as f64).is_break() {
                return None;
            }
        }
        Some(lines)
    }
}

/// [`Optimal`] at the table with other players.
#[derive(Debug, Clone)]
pub struct OptimalPlayer(pub Arc<Optimal>);

impl Player<Tetris> for OptimalPlayer {
    fn choose(&mut self, position: &Tetris, _dice: &mut Dice) -> Result<Placement, PlayerFailure> {
        Ok(self.0.choose(position))
    }
}
