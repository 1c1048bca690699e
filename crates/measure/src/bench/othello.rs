//! How fast Othello is searched with the shipped patterns, and solved to the end: random positions, nothing remembered from one
//! to the next.

use std::hint::black_box;
use std::time::Duration;

use games::othello::Othello;
use games::{Dice, Game};
use play::search::alpha_beta::AlphaBeta;
use play::search::limits::Budget;
use play::search::pattern_eval::PatternEval;
use play::search::{Limits, Searcher};
use play::shipped::PATTERNS;
use play::solve::othello::{Solver, empties};

use crate::bench::{Row, per_second};

/// Rows are for positions with so many empty squares.
const EMPTIES: [u32; 3] = [14, 16, 18];

/// The rows that [`measure`] makes.
pub const MEASURES: usize = 1 + EMPTIES.len();

/// What is searched in the middle of the game: empty squares and plies.
const MIDDLE: (u32, u32) = (36, 8);

/// Random positions for each row.
const POSITIONS: u64 = 200;

/// Measures one thread.
pub fn measure(time: Duration, stop: &dyn Fn() -> bool, row: &mut dyn FnMut(Row)) {
    let model = PATTERNS.model();
    let (mut search, mut dice) = (AlphaBeta::new(PatternEval(model), 64), Dice::seeded(&[1]));
    let middle: Vec<Othello> = (0..POSITIONS).map(|number| random_position(MIDDLE.0, number)).collect();
    let mut turn = middle.iter().cycle();
    let mut work = || {
        search.new_game();
        let position = turn.next().expect("they never run out");
        search.search(position, &Limits::depth(MIDDLE.1), &mut dice).nodes
    };
    if let Some(per_second) = per_second(time, stop, &mut work) {
        let name = format!("{} {} plies", PATTERNS.name, MIDDLE.1);
        row(Row { game: Othello::NAME, name, unit: "nodes", per_second });
    }
    let mut solver = Solver::new(64);
    for left in EMPTIES {
        let positions: Vec<Othello> = (0..POSITIONS).map(|number| random_position(left, number)).collect();
        let mut turn = positions.iter().cycle();
        let mut work = || {
            solver.forget();
            let position = turn.next().expect("they never run out");
            black_box(solver.solve(position, &mut Budget::new(None, None), &mut 0));
            1
        };
        if let Some(per_second) = per_second(time, stop, &mut work) {
            let name = format!("solve {left} empties");
            row(Row { game: Othello::NAME, name, unit: "positions", per_second });
        }
    }
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
    fn every_row_is_measured_on_positions_of_its_size() {
        let mut rows = Vec::new();
        measure(Duration::from_millis(1), &|| false, &mut |row| rows.push(row));
        assert_eq!(rows.len(), MEASURES);
        assert!(rows.iter().all(|row| row.per_second > 0.0));
        assert_eq!(empties(&random_position(14, 3)), 14);
    }
}
