use games::rules::Fixed;
use games::{Dice, Game, Side};

use super::*;

/// The value by its definition: every line to the end.
pub(crate) fn plain(position: &Avalam) -> i32 {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let value = |side: Side| {
        let towers = position.towers_of(side);
        TOWER * towers.count_ones() as i32 + (towers & position.by_height()[5]).count_ones() as i32
    };
    let side = position.side();
    let after = |mv: Move| {
        let mut after = *position;
        after.play_unchecked(mv);
        -plain(&after)
    };
    moves.into_iter().map(after).max().unwrap_or(value(side) - value(side.other()))
}

/// A random game up to where at most so many moves are left to choose from.
pub(crate) fn late(dice: &mut Dice, most: usize) -> Avalam {
    let mut moves = Vec::new();
    loop {
        let mut position = Avalam::start(&Fixed);
        while position.count_moves() > most {
            position.legal_moves(&mut moves);
            position.play_unchecked(dice.pick(&moves));
        }
        if position.count_moves() > 0 {
            return position;
        }
    }
}

fn free() -> Budget {
    Budget::new(None, None)
}

#[test]
fn every_answer_is_that_of_all_lines() {
    let mut dice = Dice::seeded(&[11]);
    let mut solver = Solver::new(1);
    solver.table = vec![Places([FREE; 4]); solver.most];
    for round in 0..400 {
        let position = late(&mut dice, if round % 8 == 0 { 16 } else { 12 });
        let value = plain(&position);
        for least in [value - TOWER, value - 1, value, value + 1, value + TOWER, 0, 1] {
            let start = Position::of(&position);
            let answer = solver.reaches(&start, &Links::of(&start), least, 0, &mut free());
            assert_eq!(answer, value >= least, "{value} {least} {}", position.text());
            let found = solver.root(&start, least, &mut free());
            assert_eq!(found.is_some(), value >= least);
            if let Some(mv) = found {
                let mut after = position;
                after.play(mv).unwrap();
                assert!(-plain(&after) >= least, "{mv:?} in {}", position.text());
            }
        }
    }
}

#[test]
fn outcomes_are_those_of_the_general_search() {
    use crate::search::alpha_beta::AlphaBeta;
    use crate::search::evaluation::Score;
    use crate::search::{Limits, Searcher};
    let mut dice = Dice::seeded(&[12]);
    let mut solver = Solver::new(1);
    for _ in 0..40 {
        let position = late(&mut dice, 36);
        let found = AlphaBeta::new(Score, 8).search(&position, &Limits::depth(40), &mut dice);
        assert!(found.exact);
        let outcome = solver.solve(&position, true, &mut free(), &mut 0).unwrap();
        let other = solver.solve(&position, false, &mut free(), &mut 0).unwrap();
        assert_eq!(std::mem::discriminant(&outcome), std::mem::discriminant(&other));
        match outcome {
            Outcome::Won(_) => assert!(found.value > 0.0),
            Outcome::Drawn(_) => assert_eq!(found.value, 0.0),
            Outcome::Lost => assert!(found.value < 0.0),
            Outcome::Exact(..) => panic!("margins are not asked for"),
        }
    }
}

#[test]
fn a_watch_stops_it_and_a_small_table_is_enough() {
    let mut dice = Dice::seeded(&[13]);
    let (mut small, mut large) = (Solver::new(0), Solver::new(4));
    for _ in 0..10 {
        let position = late(&mut dice, 50);
        let (mut few, mut many) = (0, 0);
        let kind = |outcome| std::mem::discriminant(&outcome);
        let one = small.solve(&position, true, &mut free(), &mut few).unwrap();
        let other = large.solve(&position, true, &mut free(), &mut many).unwrap();
        assert_eq!(kind(one), kind(other));
        assert!(many > 0);
        large.new_game();
        let mut short = Budget::new(Some(many / 2), None);
        let mut nodes = 0;
        if many > 1000 {
            assert_eq!(large.solve(&position, true, &mut short, &mut nodes), None);
            assert!(nodes <= many / 2 + 1);
        }
    }
}

#[test]
fn alpha_beta_asks_it_and_plays_what_it_says() {
    use crate::PlayedGame as _;
    use crate::search::alpha_beta::AlphaBeta;
    use crate::search::evaluation::{Score, is_decided};
    use crate::search::{Limits, Searcher};
    let mut dice = Dice::seeded(&[14]);
    let mut asked = 0;
    for _ in 0..12 {
        let position = late(&mut dice, 44);
        let outcome = Solver::new(4).solve(&position, true, &mut free(), &mut 0).unwrap();
        let mut search = AlphaBeta::new(Score, 4).with_endgame(Avalam::endgame(4));
        let found = search.search(&position, &Limits::nodes(1_000_000), &mut dice);
        if let Outcome::Drawn(_) = outcome {
            let mut after = position;
            after.play(found.best).unwrap();
            let answer = Solver::new(4).solve(&after, true, &mut free(), &mut 0).unwrap();
            assert!(matches!(answer, Outcome::Drawn(_)) && found.value == 0.0, "it is held");
        } else {
            assert!(is_decided(found.value));
        }
        assert_eq!(found.value > 0.0, matches!(outcome, Outcome::Won(_)));
        asked += u32::from(!found.exact);
        // To a depth it is the plain search.
        let plain = AlphaBeta::new(Score, 4).search(&position, &Limits::depth(3), &mut dice);
        let same = AlphaBeta::new(Score, 4).with_endgame(Avalam::endgame(4)).search(
            &position,
            &Limits::depth(3),
            &mut dice,
        );
        assert_eq!((plain.best, plain.nodes), (same.best, same.nodes));
    }
    assert!(asked > 5, "{asked}");
}
