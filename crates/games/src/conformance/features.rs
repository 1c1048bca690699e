//! Features: finite, named, the same on every way to them, and of the sides and symmetries what is declared.

use std::collections::HashSet;

use super::{Met, after, at, random_game};
use crate::features::{Behaviour, FeatureInfo, FeatureSet, SideSymmetry};
use crate::game::{Game, Side, Turn};

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

/// Every feature and set of the list, in random games. A game without features has none to test.
///
/// # Panics
/// If one of them is not sound.
pub fn features<G: Game>(variants: &[G::Rules]) {
    names::<G>();
    let play = |rules| (0..GAMES).flat_map(|seed| random_game::<G>(rules, seed, LONGEST)).collect();
    let games: Vec<Vec<_>> = variants.iter().map(play).collect();
    for info in &G::feature_list() {
        let mut seen = Seen::default();
        for (rules, positions) in variants.iter().zip(&games) {
            of_rules::<G>(info, rules, positions, &mut seen);
        }
        declared_enough::<G>(info, &seen);
    }
}

/// Names lead back to the same features, and a name that is none is refused with the names there are.
fn names<G: Game>() {
    let rules = G::Rules::default();
    let list = G::feature_list();
    let known: Vec<&str> = list.iter().map(|info| info.name).collect();
    let distinct: HashSet<&str> = known.iter().copied().collect();
    assert_eq!(distinct.len(), list.len(), "{}: two features of one name in {known:?}", G::NAME);
    let refused = |names: &str, unknown: &str| {
        let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        let expected = format!("unknown feature '{unknown}'; known: {known}");
        let error = G::features(&rules, names).err().map(|error| error.to_string());
        assert_eq!(error, Some(expected), "{}: the features {names:?}", G::NAME);
    };
    let named = |names: &str| match G::features(&rules, names) {
        Ok(set) => set,
        Err(error) => panic!("{}: the features {names:?} are refused: {error}", G::NAME),
    };
    for info in &list {
        let what = format!("{}: feature {}", G::NAME, info.name);
        let set = named(info.example);
        if info.example == info.name {
            let twice = named(&format!("{0} + {0}", info.example));
            assert_eq!(twice.names(), set.names(), "{what} twice is not once");
            refused(&format!("{}, no-such", info.name), "no-such");
        }
        // Entries of tables have no meaning outside of them.
        if set.dense_count() == set.names().len() {
            let again = named(&set.names().join(","));
            assert_eq!(again.names(), set.names(), "{what}: its names lead to other features");
        }
    }
    refused("", "");
}

fn of_rules<G: Game>(info: &FeatureInfo, rules: &G::Rules, positions: &[Met<G>], seen: &mut Seen) {
    let what = format!("{}: feature {}", G::NAME, info.name);
    assert!(!info.summary.is_empty() && !info.summary.contains('\n'), "{what}: its meaning is one line");
    let set = match G::features(rules, info.example) {
        Ok(set) => set,
        Err(error) => panic!("{what} is listed and refused under {rules:?}: {error}"),
    };
    let names = set.names();
    let distinct: HashSet<&String> = names.iter().collect();
    assert!(!names.is_empty() && distinct.len() == names.len(), "{what}: no names, or one twice: {names:?}");
    assert_eq!(set.tells_of_move().len(), names.len(), "{what}: tells_of_move() is one for each name");
    assert!(set.dense_count() <= names.len(), "{what}: dense_count() is more than all");
    // Entries of tables are too many to be compared everywhere.
    let step = 1 + names.len() / 50;
    for (position, mv) in positions.iter().step_by(step) {
        if let Some(mv) = *mv {
            extraction(&*set, &what, position);
            mirrors(&*set, &what, info.behaviour, position, mv, seen);
        }
        // The last position of a game has no move but values all the same.
        sides(&*set, &what, info.behaviour, position, seen);
    }
}

fn row_of<G: Game>(set: &dyn FeatureSet<G>, before: &G, mv: G::Move) -> (G, Vec<f64>) {
    let after = after(before, mv);
    let mut row = vec![f64::NAN; set.names().len()];
    set.extract(before, mv, &after, &mut row);
    (after, row)
}

/// Values are finite and the same on every way to them.
fn extraction<G: Game>(set: &dyn FeatureSet<G>, what: &str, position: &G) {
    let Turn::Player(mover) = position.turn() else { panic!("a move was made, {}", at(position)) };
    let (mut rows, mut sparse) = (vec![f64::NAN; 3], vec![(7, f64::NAN)]);
    let moves = super::legal_moves(position);
    // Three moves are enough for what is long to compute, the first, the last and one between them.
    let moves = [moves[0], moves[moves.len() / 2], moves[moves.len() - 1]];
    set.extract_all(position, &moves, &mut rows);
    let count = set.names().len();
    assert_eq!(rows.len(), count * moves.len(), "{what}: extract_all() gives a row for each move");
    for (&mv, expected) in moves.iter().zip(rows.chunks(count)) {
        let (after, row) = row_of(set, position, mv);
        let wrong = |way: &str| format!("{what}: {way} of {mv:?}, {}", at(position));
        assert!(row.iter().all(|value| value.is_finite()), "{}: {row:?}", wrong("values are not finite"));
        assert_eq!(row, expected, "{}", wrong("extract_all() is not extract()"));
        let mut again = vec![f64::NAN; count];
        if set.extract_position(&after, mover, &mut again) {
            assert_eq!(row, again, "{}", wrong("extract_position() is not extract()"));
        }
        set.extract_sparse(position, mv, &after, &mut sparse);
        again.fill(0.0);
        sparse.iter().for_each(|&(number, value)| again[number as usize] += value);
        assert_eq!(row, again, "{}", wrong("extract_sparse() is not extract()"));
    }
}

/// Images of a position have the same values unless the feature is oriented.
fn mirrors<G: Game>(
    set: &dyn FeatureSet<G>,
    what: &str,
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
        let kept = behaviour.oriented || row == image_row;
        assert!(
            kept,
            "{what} has another value after symmetry {symmetry} and is not declared oriented: {row:?}, {image_row:?} of {mv:?}, {}",
            at(position)
        );
    }
}

/// The values of a position for its two sides belong together as declared.
fn sides<G: Game>(set: &dyn FeatureSet<G>, what: &str, behaviour: Behaviour, position: &G, seen: &mut Seen) {
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
    let declared = behaviour.sides;
    assert!(
        kept,
        "{what} is declared {declared:?} and is not: {first:?}, {second:?} for the sides, {}",
        at(position)
    );
    seen.not_antisymmetric |= !antisymmetric;
    seen.not_symmetric |= !symmetric;
    seen.asked = true;
}

/// What is declared to be none of a kind has shown it; what nobody could ask for is declared as neither.
fn declared_enough<G: Game>(info: &FeatureInfo, seen: &Seen) {
    let declared = info.behaviour;
    let enough = match declared.sides {
        // Not 0 everywhere, which would be both.
        SideSymmetry::Antisymmetric => seen.asked && seen.not_symmetric,
        SideSymmetry::Symmetric => seen.asked && seen.not_antisymmetric,
        SideSymmetry::Neither => !seen.asked || (seen.not_antisymmetric && seen.not_symmetric),
    };
    assert!(
        enough && declared.oriented == seen.oriented,
        "{}: feature {} could be declared otherwise, or is 0 everywhere: {declared:?}, but in random games {seen:?}",
        G::NAME,
        info.name
    );
}
