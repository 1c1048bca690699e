//! What every game must keep, for every game by being listed and under all rules that its counts name.

use crate::common::variants;
use games::{Dice, Game, Turn, Visitor, conformance, visit_games};

/// A part of the suite, of every listed game; how many features they have.
fn of_all(part: Part) -> usize {
    struct All(Part, usize);
    impl Visitor for All {
        fn game<G: Game>(&mut self) {
            let variants = variants::<G>();
            match self.0 {
                Part::Rules => conformance::rules::<G>(&variants),
                Part::Text => conformance::text::<G>(&variants),
                Part::Features => conformance::features::<G>(&variants),
                Part::Pictures => {
                    conformance::pictures::<G>(&variants);
                    conformance::mirrored_pictures::<G>(&variants);
                }
            }
            self.1 += G::feature_list().len();
        }
    }
    let mut all = All(part, 0);
    visit_games(&mut all);
    all.1
}

/// For tests that run beside each other.
#[derive(Clone, Copy)]
enum Part {
    Rules,
    Text,
    Features,
    Pictures,
}

#[test]
fn rules_of_every_listed_game() {
    of_all(Part::Rules);
}

#[test]
fn texts_of_every_listed_game() {
    of_all(Part::Text);
}

#[test]
fn features_of_every_listed_game() {
    assert!(of_all(Part::Features) > 140);
}

#[test]
fn pictures_of_every_listed_game() {
    of_all(Part::Pictures);
}

/// Two players of very different taste meet the same pieces.
#[test]
fn what_is_dealt_depends_on_the_seed_alone() {
    use games::tetris::Tetris;
    let mut compared = 0;
    for rules in variants::<Tetris>() {
        let dealt = |last: bool| {
            let (mut dice, mut position) = (Dice::seeded(&[11]), Tetris::start(&rules));
            let (mut pieces, mut moves) = (vec![], vec![]);
            while position.turn() != Turn::Over && pieces.len() < 8 {
                if position.turn() == Turn::Chance {
                    position.deal(&mut dice);
                    pieces.push(position.next().or(position.current()));
                    continue;
                }
                position.legal_moves(&mut moves);
                position.play_unchecked(if last { moves[moves.len() - 1] } else { moves[0] });
            }
            pieces
        };
        let (a, b) = (dealt(false), dealt(true));
        let common = a.len().min(b.len());
        assert_eq!(a[..common], b[..common]);
        compared += common;
    }
    assert!(compared > 40, "{compared} pieces are too few to prove anything");
}
