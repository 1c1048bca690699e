use games::rules::Fixed;
use games::{Dice, Game, Side};

use super::*;

/// A random game up to where so many squares are empty and somebody is to move.
pub fn late(dice: &mut Dice, empties: u32) -> Othello {
    let mut moves = Vec::new();
    loop {
        let mut position = Othello::start(&Fixed);
        while super::empties(&position) > empties
            && let Some(mv) = position.random_move(dice, &mut moves)
        {
            position.play_unchecked(mv);
        }
        if position.count_moves() > 0 {
            return position;
        }
    }
}

fn free() -> Budget {
    Budget::new(None, None)
}

/// The score by its definition: every line to the end.
fn plain(position: &Othello) -> i32 {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let after = |mv: Move| {
        let mut after = *position;
        after.play_unchecked(mv);
        -plain(&after)
    };
    moves.into_iter().map(after).max().unwrap_or(position.final_value(position.side()) as i32)
}

#[test]
fn scores_are_those_of_all_lines_and_moves_reach_them() {
    let mut dice = Dice::seeded(&[31]);
    let mut solver = Solver::new(1);
    for empties in 1..=9 {
        for _ in 0..if empties < 9 { 60 } else { 12 } {
            let position = late(&mut dice, empties);
            let mut nodes = 0;
            let solved = solver.solve(&position, &mut free(), &mut nodes).unwrap();
            assert_eq!(solved.score, plain(&position), "{}", position.text());
            assert!(nodes > 0);
            let mut after = position;
            after.play(solved.best).unwrap();
            assert_eq!(-plain(&after), solved.score, "{:?} in {}", solved.best, position.text());
        }
    }
}

#[test]
fn scores_are_those_of_the_general_search() {
    use crate::search::alpha_beta::AlphaBeta;
    use crate::search::evaluation::{Score, margin};
    use crate::search::{Limits, Searcher};
    let mut dice = Dice::seeded(&[32]);
    let mut solver = Solver::new(1);
    for _ in 0..12 {
        let position = late(&mut dice, 11);
        let found = AlphaBeta::new(Score, 8).search(&position, &Limits::depth(40), &mut dice);
        assert!(found.exact);
        let solved = solver.solve(&position, &mut free(), &mut 0).unwrap();
        assert_eq!(f64::from(solved.score), margin(found.value), "{}", position.text());
    }
}

#[test]
fn images_and_exchanged_colours_have_the_same_score() {
    let mut dice = Dice::seeded(&[33]);
    let mut solver = Solver::new(4);
    for _ in 0..6 {
        let position = late(&mut dice, 13);
        let score = solver.solve(&position, &mut free(), &mut 0).unwrap().score;
        for symmetry in 0..Othello::SYMMETRIES {
            solver.forget();
            let image = position.mirrored(symmetry);
            assert_eq!(solver.solve(&image, &mut free(), &mut 0).unwrap().score, score);
        }
        let exchanged = Othello::new(position.own(), position.opponent(), position.side().other());
        assert_eq!(solver.solve(&exchanged, &mut free(), &mut 0).unwrap().score, score);
    }
}

#[test]
fn the_answer_does_not_depend_on_what_is_remembered() {
    let mut dice = Dice::seeded(&[34]);
    // The least table is overwritten all the time.
    let (mut small, mut large) = (Solver::new(0), Solver::new(16));
    for _ in 0..8 {
        let position = late(&mut dice, 15);
        let (mut few, mut again) = (0, 0);
        large.forget();
        let solved = large.solve(&position, &mut free(), &mut few).unwrap();
        assert_eq!(small.solve(&position, &mut free(), &mut 0).unwrap().score, solved.score);
        // What was forgotten takes the same positions once more, and what was not takes few.
        assert_eq!(large.solve(&position, &mut free(), &mut again).unwrap().score, solved.score);
        assert!(again < few, "{again} {few}");
        large.forget();
        let mut afresh = 0;
        assert_eq!(large.solve(&position, &mut free(), &mut afresh), Some(solved));
        assert_eq!(afresh, few);
    }
}

#[test]
fn a_window_gives_the_score_inside_and_a_bound_outside() {
    let mut dice = Dice::seeded(&[36]);
    let mut solver = Solver::new(1);
    let mut places = [0; 3];
    for _ in 0..40 {
        let position = late(&mut dice, 10);
        let score = solver.solve(&position, &mut free(), &mut 0).unwrap().score;
        for _ in 0..4 {
            solver.forget();
            let low = dice.below(120) as i32 - 62;
            let high = low + 1 + dice.below((64 - low) as usize) as i32;
            let solved = solver.solve_within(&position, low, high, &mut free(), &mut 0).unwrap();
            let (place, range) = match score {
                _ if score <= low => (0, score..=low),
                _ if score < high => (1, score..=score),
                _ => (2, high..=score),
            };
            places[place] += 1;
            assert!(range.contains(&solved.score), "{solved:?} {score} {low} {high} {}", position.text());
            let mut after = position;
            after.play(solved.best).unwrap();
            // Above the window's lower end the move is known to reach what was found.
            if place > 0 {
                let reached = -solver.solve(&after, &mut free(), &mut 0).unwrap().score;
                assert!(reached >= solved.score, "{solved:?} {reached} {low} {high} {}", position.text());
            }
        }
    }
    assert!(places.iter().all(|&count| count > 20), "{places:?}");
}

#[test]
fn a_watch_stops_it() {
    let mut dice = Dice::seeded(&[35]);
    let mut solver = Solver::new(4);
    let position = late(&mut dice, 20);
    let mut nodes = 0;
    assert_eq!(solver.solve(&position, &mut Budget::new(Some(100_000), None), &mut nodes), None);
    assert!((90_000..=100_000).contains(&nodes), "{nodes}");
}

#[test]
fn passes_ends_and_wipe_outs_are_positions_too() {
    let mut solver = Solver::new(1);
    let mut solve = |text: &str| {
        let position = Othello::parse(&Fixed, text).unwrap();
        let solved = solver.solve(&position, &mut free(), &mut 0).unwrap();
        assert_eq!(solved.score, plain(&position));
        (position.move_text(solved.best), solved.score)
    };
    let full = "X".repeat(56);
    // Only a pass, then the other side takes the corner.
    assert_eq!(solve(&format!("OXXXXXX-{full} X")), ("pass".to_string(), 56 - 8));
    // Everything is turned over at once.
    let wiped = format!("{}XO-{}", "-".repeat(27), "-".repeat(34));
    assert_eq!(solve(&format!("{wiped} X")), ("f4".to_string(), 64));
    assert_eq!(solve(&format!("{full}{} X", "-".repeat(8))).1, 64);
    assert_eq!(Othello::parse(&Fixed, &format!("{wiped} X")).unwrap().side(), Side::First);
}
