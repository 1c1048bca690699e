//! Features of drawn positions, counted by hand, and the properties that they must have.

use super::*;
use crate::Dice;
use crate::rules::Fixed;

/// Yellow is about to move 76-86. Neighbours that may be merged afterwards, by row and column:
/// 1-1 mixed 21,22; 1-2 mixed 22,23 and 37,48 and 85,86; 1-3 mixed 38,48; 1-4 own 21,31, enemy 75,85, mixed 22,31;
/// 2-2 enemy 02,03; 2-3 enemy 37,38, mixed 23,34.
const DRAWN: &str = "
  .  . -2 -2  .  .  .  .  .
  .  .  .  .  .  .  .  .  .
  .  1 -1  2  .  .  .  .  .
  .  4  .  . -3  .  . -2 -3
  .  .  .  .  .  .  5  .  1
 -1  .  .  .  .  .  .  .  .
  .  .  3  3  .  .  .  .  .
  .  .  .  .  . -4  1  .  .
  .  .  .  .  . -1 -1  .  .
; 1";

fn drawn() -> (Avalam, Move) {
    let position = Avalam::parse(&Fixed, &DRAWN.replace('.', "0")).unwrap();
    (position, position.parse_move("76-86").unwrap())
}

/// The features of the drawn move that are not 0.
fn shown(names: &str) -> Vec<(String, f64)> {
    let (before, mv) = drawn();
    let features = AvalamFeatures::new(names).unwrap();
    let mut after = before;
    after.play(mv).unwrap();
    let mut row = vec![f64::NAN; features.features().len()];
    features.extract(&before, mv, &after, &mut row);
    let mut alone = vec![f64::NAN; row.len()];
    if features.extract_position(&after, before.side(), &mut alone) {
        assert_eq!(alone, row, "{names} needs no move");
    }
    features.names().into_iter().zip(row).filter(|(_, value)| *value != 0.0).collect()
}

fn expect(names: &str, expected: &[(&str, f64)]) {
    let expected: Vec<(String, f64)> = expected.iter().map(|&(name, value)| (name.into(), value)).collect();
    assert_eq!(shown(names), expected);
}

#[test]
fn observations_by_hand() {
    expect(
        "observations",
        &[
            ("score", -1.0),
            ("own-towers-1", 2.0),
            ("own-towers-2", 2.0),
            ("own-towers-3", 2.0),
            ("own-towers-4", 1.0),
            ("own-towers-5", 1.0),
            ("enemy-towers-1", 3.0),
            ("enemy-towers-2", 3.0),
            ("enemy-towers-3", 2.0),
            ("enemy-towers-4", 1.0),
            ("own-isolated-3", 2.0),
            ("own-isolated-5", 1.0),
            ("enemy-isolated-1", 1.0),
            ("links-1-1-mixed", 1.0),
            ("links-1-2-mixed", 3.0),
            ("links-1-3-mixed", 1.0),
            ("links-1-4-own", 1.0),
            ("links-1-4-enemy", 1.0),
            ("links-1-4-mixed", 1.0),
            ("links-2-2-enemy", 1.0),
            ("links-2-3-enemy", 1.0),
            ("links-2-3-mixed", 1.0),
        ],
    );
}

#[test]
fn differences_by_hand() {
    expect(
        "antisymmetric",
        &[
            ("score", -1.0),
            ("towers-1", -1.0),
            ("towers-2", -1.0),
            ("towers-5", 1.0),
            ("isolated-1", -1.0),
            ("isolated-3", 2.0),
            ("isolated-5", 1.0),
            ("links-2-2", -1.0),
            ("links-2-3", -1.0),
        ],
    );
}

/// Coverable are 21, 23, 31, 48, 86 and of the enemy 22, 34, 37, 38, 85. On one link hang 86 and of the enemy 34, 75, 02, 03.
/// 13 towers take part in 11 links.
#[test]
fn threats_by_hand() {
    expect(
        "threats",
        &[
            ("own-coverable", 5.0),
            ("enemy-coverable", 5.0),
            ("own-last-link", 1.0),
            ("enemy-last-link", 4.0),
            ("own-fours-own-single", 1.0),
            ("own-fours-enemy-single", 1.0),
            ("enemy-fours-enemy-single", 1.0),
            ("movable-parity", 1.0),
            ("links-parity", 1.0),
        ],
    );
}

#[test]
fn neighbourhoods_by_hand() {
    let [source, target] = [
        [("source-12", -4.0), ("source-13", 1.0), ("source-17", -1.0), ("source-18", -1.0)],
        [("target-7", -4.0), ("target-8", 1.0), ("target-12", -1.0), ("target-13", -1.0)],
    ];
    expect("around-3", &[source, target].concat());
    expect("around-5", &[source, target].concat());
    expect("target-13,constant,source-1", &[("target-13", -1.0), ("constant", 1.0)]);
    // 34 lies in the upper left corner of the 5x5 cells around 56, but not of the 3x3.
    assert_eq!(around(&drawn().0, cell_at(5, 6).unwrap(), 0), -3.0);
}

#[test]
fn the_board_by_hand() {
    // 76 has gone onto 86: an own tower of 2. Of the others only the first and the last cell of the rows are looked at here.
    let cell = |row, column| format!("cell-{}", cell_at(row, column).unwrap() + 1);
    let board = shown("board");
    let value = |name: &str| board.iter().find(|(one, _)| one == name).map(|(_, value)| *value);
    assert_eq!(value(&cell(8, 6)), Some(0.4));
    assert_eq!(value(&cell(7, 6)), None);
    assert_eq!(value(&cell(7, 5)), Some(-0.8));
    assert_eq!(value(&cell(6, 2)), Some(0.6));
    assert_eq!(value(&cell(4, 6)), Some(1.0));
    assert!(!AvalamFeatures::new("around-3").unwrap().extract_position(
        &drawn().0,
        Side::First,
        &mut [0.0; 18]
    ));
}

#[test]
fn sets_have_their_sizes_and_names_lead_back() {
    for (set, size) in [
        ("observations", 39),
        ("antisymmetric", 17),
        ("threats", 10),
        ("surroundings", 506),
        ("board", 48),
        ("around-3", 18),
        ("around-5", 50),
    ] {
        let features = AvalamFeatures::new(set).unwrap();
        assert_eq!(features.names().len(), size, "{set}");
        assert_eq!(AvalamFeatures::new(&features.names().join(",")).unwrap(), features);
    }
    assert_eq!(parse_features("score,observations,score").unwrap().len(), 39);
    for wrong in
        ["", "towers-6", "source-0", "source-26", "links-1-5", "cell-49", "cell-0", "own-3-exact-30-lower-00"]
    {
        assert!(parse_features(wrong).is_err(), "{wrong}");
    }
}

/// All features at once in random games: the fast way is the default one, a half turn changes nothing but the order of
/// neighbourhoods, and exchanged sides exchange what is own.
#[test]
fn whole_games_have_the_properties() {
    let features = AvalamFeatures::new("observations,antisymmetric,threats,board,around-5,constant").unwrap();
    let count = features.features().len();
    let row_of = |before: &Avalam, mv: Move| {
        let (mut after, mut row) = (*before, vec![f64::NAN; count]);
        after.play_unchecked(mv);
        features.extract(before, mv, &after, &mut row);
        row
    };
    let (mut moves, mut rows) = (Vec::new(), Vec::new());
    for seed in 0..30 {
        let (mut dice, mut position) = (Dice::seeded(&[seed]), Avalam::start(&Fixed));
        loop {
            position.legal_moves(&mut moves);
            features.extract_all(&position, &moves, &mut rows);
            assert_eq!(rows.len(), count * moves.len());
            let turned = position.mirrored(1);
            let exchanged = Avalam {
                first: position.towers() & !position.first,
                side: position.side.other(),
                ..position
            };
            for (&mv, row) in moves.iter().zip(rows.chunks(count)) {
                assert_eq!(row, row_of(&position, mv), "{mv:?} in {}", position.text());
                assert_eq!(row, row_of(&exchanged, mv), "{mv:?} in {}", position.text());
                let image = row_of(&turned, position.mirrored_move(mv, 1));
                for (&feature, value) in features.features().iter().zip(row) {
                    let image_of = match feature {
                        Source(cell) => Source(24 - cell),
                        Target(cell) => Target(24 - cell),
                        Cell(cell) => Cell(CELLS - 1 - cell),
                        other => other,
                    };
                    let place = features.features().iter().position(|&one| one == image_of).unwrap();
                    assert_eq!(image[place], *value, "{}", feature_name(feature));
                }
            }
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(dice.pick(&moves));
        }
    }
}

#[test]
fn a_linear_function_becomes_weights_of_the_observations() {
    let features = AvalamFeatures::new("antisymmetric,links-1-2-mixed,constant").unwrap();
    let weights: Vec<f64> = (0..features.features().len()).map(|i| i as f64 - 4.0).collect();
    let folded = features.weights(&weights).unwrap();
    let (before, mv) = drawn();
    let mut rows = Vec::new();
    features.extract_all(&before, &[mv], &mut rows);
    let sum: f64 = rows.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
    assert_eq!(Observations::of(&before).after(&before, mv).value(before.side(), &folded), sum);
    assert_eq!(AvalamFeatures::new("score,source-13").unwrap().weights(&[1.0, 1.0]), None);
    assert_eq!(AvalamFeatures::new("own-5-exact-00-lower-00").unwrap().weights(&[1.0]), None);
    assert_eq!(features.tower_weights(&weights), None);
}
