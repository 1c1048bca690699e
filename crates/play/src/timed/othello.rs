//! How fast Othello is searched with the shipped patterns, and solved to the end: random positions, nothing remembered from one
//! to the next.

use std::hint::black_box;

use games::othello::Othello;
use games::{Dice, Game};

use super::Timed;
use crate::search::alpha_beta::AlphaBeta;
use crate::search::limits::Budget;
use crate::search::pattern_eval::PatternEval;
use crate::search::{Limits, Searcher};
use crate::shipped::PATTERNS;
use crate::solve::othello::{Solver, empties};

/// Positions with so many empty squares are solved.
const EMPTIES: [u32; 3] = [14, 16, 18];

/// What is searched in the middle of the game: empty squares and plies.
const MIDDLE: (u32, u32) = (36, 8);

/// Random positions for each.
const POSITIONS: u64 = 200;

/// A search, and the solver.
pub fn timed() -> Vec<Timed> {
    let middle = || {
        let (mut search, mut dice) = (AlphaBeta::new(PatternEval(PATTERNS.model()), 64), Dice::seeded(&[1]));
        let mut next = turns(MIDDLE.0);
        move || {
            search.new_game();
            search.search(&next(), &Limits::depth(MIDDLE.1), &mut dice).nodes
        }
    };
    let solved = |left| {
        let work = move || {
            let (mut solver, mut next) = (Solver::new(64), turns(left));
            move || {
                solver.forget();
                black_box(solver.solve(&next(), &mut Budget::new(None, None), &mut 0));
                1
            }
        };
        Timed::new(format!("solve {left} empties"), &["positions"], work)
    };
    let middle = Timed::new(format!("{} {} plies", PATTERNS.name, MIDDLE.1), &["nodes"], middle);
    [middle].into_iter().chain(EMPTIES.map(solved)).collect()
}

/// Random positions, one after the other and again.
fn turns(left: u32) -> impl FnMut() -> Othello {
    let positions: Vec<Othello> = (0..POSITIONS).map(|number| random_position(left, number)).collect();
    let mut turn = positions.into_iter().cycle();
    move || turn.next().expect("they never run out")
}

/// A random game up to where so many squares are empty and somebody is to move.
fn random_position(left: u32, number: u64) -> Othello {
    let (mut dice, mut moves) = (Dice::seeded(&[u64::from(left), number]), Vec::new());
    loop {
        let mut position = Othello::start(&games::rules::Fixed);
        while empties(&position) > left
            && let Some(mv) = position.random_move(&mut dice, &mut moves)
        {
            position.play_unchecked(mv);
        }
        if position.count_moves() > 0 {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_of_their_size() {
        assert_eq!(empties(&random_position(14, 3)), 14);
    }
}
