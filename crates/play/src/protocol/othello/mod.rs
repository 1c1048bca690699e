//! Othello at other programs' tables and theirs at ours, over pipes: `gtp` (Quarry, GoGui, GRhino, Edax) and `nboard` (NBoard, Edax,
//! NTest), `pipe` what goes in and out, `external` their engines as players here, `way` the moves to a position.

pub mod external;
pub mod gtp;
pub mod nboard;
mod opening_moves;
pub mod pipe;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use games::othello::{Move, Othello};
use games::rules::Fixed;
use games::{Dice, Game};

use crate::players::searching::searcher;
use crate::players::spec::{Spec, is_spec};
use crate::players::{Player, PlayerError, PlayerFailure, player};
use crate::search::evaluation::{is_decided, margin};
use crate::search::limits::Budget;
use crate::search::{Limits, Searcher};
use crate::solve::othello::{Solver, empties};

/// With a depth that reaches the end, up to so many empty squares are left to the solver.
const MOST_SOLVED: u32 = 24;
const SOLVER_TABLE: usize = 64;

/// What came of thinking.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought {
    /// The move.
    pub best: Move,
    /// Its value for the side to move, in the unit of its evaluation, discs if it is exact; none if the player does not tell.
    pub value: Option<f64>,
    /// The expected moves, the best one first.
    pub line: Vec<Move>,
    /// Plies searched in full.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time.
    pub seconds: f64,
}

enum Kind {
    Search(Box<dyn Searcher<Othello>>, Limits),
    Player(Box<dyn Player<Othello>>),
}

/// A player of ours, asked by a protocol: it tells what it thinks, can be told to stop, and always answers.
pub struct Mind {
    text: String,
    kind: Kind,
    solver: Solver,
    dice: Dice,
    stop: Arc<AtomicBool>,
}

impl Mind {
    /// The player that a text names.
    ///
    /// # Errors
    /// There is no such player.
    pub fn new(text: &str, seed: u64) -> Result<Self, PlayerError> {
        let stop = Arc::new(AtomicBool::new(false));
        let kind = kind(text, &stop)?;
        let solver = Solver::new(SOLVER_TABLE);
        Ok(Self { text: text.to_string(), kind, solver, dice: Dice::seeded(&[seed]), stop })
    }

    /// The flag that ends its thinking early.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        self.solver.forget();
        match &mut self.kind {
            Kind::Search(search, _) => search.new_game(),
            Kind::Player(player) => player.new_game(),
        }
    }

    /// Thinks about a position in which somebody is to move. A depth, a time or a credit that is given takes the place of the player's own.
    ///
    /// # Panics
    /// If the game is over.
    pub fn think(&mut self, position: &Othello, given: &Limits) -> Thought {
        self.stop.store(false, Ordering::Relaxed);
        let begun = Instant::now();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let asked = catch_unwind(AssertUnwindSafe(|| self.ask(position, given)));
        let legal = asked.ok().and_then(Result::ok).filter(|thought| moves.contains(&thought.best));
        let mut thought = legal.unwrap_or_else(|| {
            // A mistake of our own must not end somebody else's program: a fresh player, and any move for now.
            if let Ok(fresh) = kind(&self.text, &self.stop) {
                self.kind = fresh;
            }
            let best = moves[0];
            Thought { best, value: None, line: vec![best], depth: 0, nodes: 0, seconds: 0.0 }
        });
        thought.seconds = begun.elapsed().as_secs_f64();
        thought
    }

    fn ask(&mut self, position: &Othello, given: &Limits) -> Result<Thought, PlayerFailure> {
        let Kind::Search(search, own) = &mut self.kind else {
            let Kind::Player(player) = &mut self.kind else { unreachable!("there are two kinds") };
            player.credit(given.credit);
            let best = player.choose(position, &mut self.dice)?;
            return Ok(Thought { best, value: None, line: vec![best], depth: 1, nodes: 1, seconds: 0.0 });
        };
        let mut limits = *own;
        if given.depth.is_some() {
            limits = Limits { depth: given.depth, time: given.time, ..Limits::default() };
        } else if given.is_timed() {
            (limits.time, limits.credit) = (given.time, given.credit);
        }
        let left = empties(position);
        if given.depth.is_some_and(|depth| depth >= left) && left <= MOST_SOLVED {
            let mut nodes = 0;
            let mut watch = Budget::new(None, limits.time).with_stop(Some(Arc::clone(&self.stop)));
            if let Some(solved) = self.solver.solve(position, &mut watch, &mut nodes) {
                let (best, value) = (solved.best, Some(f64::from(solved.score)));
                return Ok(Thought { best, value, line: vec![best], depth: left, nodes, seconds: 0.0 });
            }
        }
        let found = search.search(position, &limits, &mut self.dice);
        let value = if is_decided(found.value) { margin(found.value) } else { found.value };
        let line = if found.line.is_empty() { vec![found.best] } else { found.line };
        Ok(Thought {
            best: found.best,
            value: Some(value),
            line,
            depth: found.depth,
            nodes: found.nodes,
            seconds: 0.0,
        })
    }
}

fn kind(text: &str, stop: &Arc<AtomicBool>) -> Result<Kind, PlayerError> {
    if !is_spec(text) {
        return Ok(Kind::Player(player(&Fixed, text)?));
    }
    let spec = Spec::parse(text)?;
    let mut search = searcher::<Othello>(&Fixed, &spec)?;
    search.stop_by(Arc::clone(stop));
    Ok(Kind::Search(search, spec.limits))
}
