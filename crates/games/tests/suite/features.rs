//! What the features of every listed game must keep, each of its list and under all rules that its counts name.

use std::collections::HashSet;

use crate::common::{random_game, variants};
use games::features::{Behaviour, FeatureInfo, FeatureSet, SideSymmetry};
use games::{Game, Side, Turn, Visitor, visit_games};

const GAMES: u64 = 4;
const LONGEST: usize = 120;

/// What is not declared must be seen somewhere, or the declaration says too little.
#[derive(Debug, Default)]
struct Seen {
    not_antisymmetric: bool,
    not_symmetric: bool,
    oriented: bool,
    asked: bool,
}

#[test]
fn every_listed_feature_behaves_as_declared() {
    struct Features(usize);
    impl Visitor for Features {
        fn game<G: Game>(&mut self) {
            let list = G::feature_list();
            let names: HashSet<&str> = list.iter().map(|info| info.name).collect();
            assert_eq!(names.len(), list.len(), "{}: a name twice", G::NAME);
            let rules = variants::<G>();
            let play = |rules| (0..GAMES).flat_map(|seed| random_game::<G>(rules, seed, LONGEST)).collect();
            let games: Vec<Vec<_>> = rules.iter().map(play).collect();
            for info in &list {
                // Shown when something below fails.
                println!("{} of {}", info.name, G::NAME);
                let mut seen = Seen::default();
                for (rules, positions) in rules.iter().zip(&games) {
                    of_rules(info, rules, positions, &mut seen);
                }
                declared_enough(info.behaviour, &seen);
                self.0 += 1;
            }
        }
    }
    let mut features = Features(0);
    visit_games(&mut features);
    assert!(features.0 > 140, "{} features", features.0);
}

fn of_rules<G: Game>(
    info: &FeatureInfo,
    rules: &G::Rules,
    positions: &[(G, Option<G::Move>)],
    seen: &mut Seen,
) {
    assert!(!info.summary.is_empty() && !info.summary.contains('\n'));
    let set = G::features(rules, info.example).unwrap();
    let names = set.names();
    let distinct: HashSet<&String> = names.iter().collect();
    assert!(!names.is_empty() && distinct.len() == names.len(), "{names:?}");
    assert_eq!(set.tells_of_move().len(), names.len());
    assert!(set.dense_count() <= names.len());
    // Entries of tables are too many to be compared everywhere.
    let step = 1 + names.len() / 50;
    for (position, mv) in positions.iter().step_by(step) {
        if let Some(mv) = *mv {
            extraction(&*set, position);
            mirrors(&*set, info.behaviour, position, mv, seen);
        }
        // The last position of a game has no move but values all the same.
        sides(&*set, info.behaviour, position, seen);
    }
}

fn row_of<G: Game>(set: &dyn FeatureSet<G>, before: &G, mv: G::Move) -> (G, Vec<f64>) {
    let mut after = before.clone();
    after.play_unchecked(mv);
    let mut row = vec![f64::NAN; set.names().len()];
    set.extract(before, mv, &after, &mut row);
    (after, row)
}

/// Values are finite and the same on every way to them.
fn extraction<G: Game>(set: &dyn FeatureSet<G>, position: &G) {
    let Turn::Player(mover) = position.turn() else { panic!("a move was made in {}", position.text()) };
    let (mut moves, mut rows, mut sparse) = (vec![], vec![f64::NAN; 3], vec![(7, f64::NAN)]);
    position.legal_moves(&mut moves);
    // Three moves are enough for what is long to compute, the first, the last and one between them.
    let moves = [moves[0], moves[moves.len() / 2], moves[moves.len() - 1]];
    set.extract_all(position, &moves, &mut rows);
    let count = set.names().len();
    assert_eq!(rows.len(), count * moves.len());
    for (&mv, expected) in moves.iter().zip(rows.chunks(count)) {
        let (after, row) = row_of(set, position, mv);
        assert!(row.iter().all(|value| value.is_finite()), "{mv:?} in {}", position.text());
        assert_eq!(row, expected, "{mv:?} in {}", position.text());
        let mut again = vec![f64::NAN; count];
        if set.extract_position(&after, mover, &mut again) {
            assert_eq!(row, again, "{mv:?} in {}", position.text());
        }
        set.extract_sparse(position, mv, &after, &mut sparse);
        again.fill(0.0);
        sparse.iter().for_each(|&(number, value)| again[number as usize] += value);
        assert_eq!(row, again, "{mv:?} in {}", position.text());
    }
}

/// Images of a position have the same values unless the feature is oriented.
fn mirrors<G: Game>(
    set: &dyn FeatureSet<G>,
    behaviour: Behaviour,
    position: &G,
    mv: G::Move,
    seen: &mut Seen,
) {
    let (_, row) = row_of(set, position, mv);
    for symmetry in 1..G::SYMMETRIES {
        let image = position.mirrored(symmetry);
        let (_, image_row) = row_of(set, &image, position.mirrored_move(mv, symmetry));
        seen.oriented |= row != image_row;
        if !behaviour.oriented {
            assert_eq!(row, image_row, "symmetry {symmetry} of {mv:?} in {}", position.text());
        }
    }
}

/// The values of a position for its two sides belong together as declared.
fn sides<G: Game>(set: &dyn FeatureSet<G>, behaviour: Behaviour, position: &G, seen: &mut Seen) {
    if G::SIDES.len() < 2 {
        return;
    }
    let mut rows = [(); 2].map(|()| vec![f64::NAN; set.names().len()]);
    for (side, row) in Side::BOTH.into_iter().zip(&mut rows) {
        if !set.extract_position(position, side, row) {
            return;
        }
    }
    let [first, second] = rows;
    let negated: Vec<f64> = second.iter().map(|value| -value).collect();
    let (antisymmetric, symmetric) = (first == negated, first == second);
    let kept = match behaviour.sides {
        SideSymmetry::Antisymmetric => antisymmetric,
        SideSymmetry::Symmetric => symmetric,
        SideSymmetry::Neither => true,
    };
    assert!(kept, "{first:?} and {second:?} in {}", position.text());
    seen.not_antisymmetric |= !antisymmetric;
    seen.not_symmetric |= !symmetric;
    seen.asked = true;
}

/// What is declared to be none of a kind has shown it; what nobody could ask for is declared as neither.
fn declared_enough(behaviour: Behaviour, seen: &Seen) {
    assert_eq!(behaviour.oriented, seen.oriented, "{seen:?}");
    match behaviour.sides {
        // Not 0 everywhere, which would be both.
        SideSymmetry::Antisymmetric => assert!(seen.asked && seen.not_symmetric, "{seen:?}"),
        SideSymmetry::Symmetric => assert!(seen.asked && seen.not_antisymmetric, "{seen:?}"),
        SideSymmetry::Neither if seen.asked => {
            assert!(seen.not_antisymmetric && seen.not_symmetric, "{seen:?}");
        }
        SideSymmetry::Neither => {}
    }
}

/// Names lead back to the same features, and a name that is none is refused with the names there are.
#[test]
fn names_lead_back_and_unknown_ones_are_refused() {
    struct Names;
    impl Visitor for Names {
        fn game<G: Game>(&mut self) {
            let rules = G::Rules::default();
            let list = G::feature_list();
            let known: Vec<&str> = list.iter().map(|info| info.name).collect();
            let refused = |names: &str| G::features(&rules, names).err().expect(names).to_string();
            for info in &list {
                let set = G::features(&rules, info.example).unwrap();
                let twice = format!("{0} + {0}", info.example);
                if info.example == info.name {
                    assert_eq!(G::features(&rules, &twice).unwrap().names(), set.names());
                    let expected = format!("unknown feature 'no-such'; known: {}", known.join(", "));
                    assert_eq!(refused(&format!("{}, no-such", info.name)), expected);
                }
                // Entries of tables have no meaning outside of them.
                if set.dense_count() == set.names().len() {
                    let again = G::features(&rules, &set.names().join(",")).unwrap();
                    assert_eq!(again.names(), set.names());
                }
            }
            let expected = if known.is_empty() { "none".to_string() } else { known.join(", ") };
            assert_eq!(refused(""), format!("unknown feature ''; known: {expected}"));
        }
    }
    visit_games(&mut Names);
}
