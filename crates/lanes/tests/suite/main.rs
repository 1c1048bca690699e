//! The fast path plays as the plain one, move for move.

use games::tetris::{LOST, Piece, Placement, Tetris, TetrisFeatures, TetrisRules};
use games::{FeatureSet, Game, Rules, Turn};
use lanes::LinearPlayer;
use math::Dice;
use proptest::prelude::*;

const SETS: [&str; 29] = [
    "dn",
    "dt",
    "dellacherie",
    "thiery,max-height",
    "bertsekas",
    "bd",
    "bdn",
    "holes,wells,fast-wells,diversity,landing-height,lines,constant,height-2,difference-3,max-height,eroded-cells",
    "pile",
    "cells-over-highest-holes",
    "surface-pairs",
    "surface-set",
    "dt,pile,surface-pairs,surface-set",
    "dn,surface-set,surface-4x3,surface-pairs",
    "surface-3x7,thin-covers,surface-4x1,almost-full-rows,max-height",
    "hole-rows-3",
    "dn,hole-rows-1,surface-set,hole-rows-4",
    "dt,pile,surface-pairs,surface-set,surface-4x3,hole-rows-3",
    "dt,pile,hole-rows-2",
    "lagoudakis",
    "fahey",
    "xtris",
    "boehm",
    "dn,frontier,well-cells,long-piece-wells,connected-holes,height-range",
    "dn,surface-2x3,deepest-well",
    "surface-5x2,surface-4x1,dt,pile",
    "holes,cells-2x3,surface-pairs,mean-height-change,cells-3x1",
    "dt,pile,cells-1x4,surface-2x7,cells-4x2",
    "cells-2x2",
];

/// The set, or one like it where the board is too narrow.
fn fitting(set: &str, rules: &TetrisRules) -> String {
    if rules.width < 5 { set.replace("surface-5", "surface-4") } else { set.to_string() }
}

/// Any features, and now and then tables.
fn mixture(dice: &mut Dice) -> String {
    let all = Tetris::feature_list();
    let single = all.iter().filter(|info| !info.is_set).map(|info| info.name);
    let tables = [
        "surface-2x2",
        "surface-5x1",
        "surface-pairs",
        "surface-set",
        "surface-4x1",
        "hole-rows-2",
        "cells-2x2",
        "cells-1x3",
    ];
    let mut names: Vec<&str> = single.filter(|_| dice.below(3) == 0).collect();
    names.extend(tables.into_iter().filter(|_| dice.below(8) == 0));
    if names.is_empty() { "constant".to_string() } else { names.join(",") }
}

/// The first of the highest value, feature by feature off every board.
fn plain_choice(features: &TetrisFeatures, weights: &[f64], position: &Tetris) -> (Placement, f64) {
    let values = plain_values(features, weights, position);
    values[1..].iter().fold(values[0], |best, &one| if one.1 > best.1 { one } else { best })
}

/// Every legal placement and its value.
fn plain_values(features: &TetrisFeatures, weights: &[f64], position: &Tetris) -> Vec<(Placement, f64)> {
    let (mut moves, mut sparse) = (Vec::new(), Vec::new());
    position.legal_moves(&mut moves);
    let value = |&mv: &Placement| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        features.extract_sparse(position, mv, &after, &mut sparse);
        (mv, features.weigh_sparse(weights, &sparse))
    };
    moves.iter().map(value).collect()
}

/// Plays a game with both and compares every choice and every board.
fn same_game(rules: &TetrisRules, set: &str, weights: &[f64], start: &Tetris, seed: u64, most: usize) -> u64 {
    let features = TetrisFeatures::new(rules, set).unwrap();
    let fast = LinearPlayer::new(rules, &features, weights).unwrap();
    same_game_of(fast, &features, weights, start, seed, most)
}

fn same_game_of(
    mut fast: LinearPlayer,
    features: &TetrisFeatures,
    weights: &[f64],
    start: &Tetris,
    seed: u64,
    most: usize,
) -> u64 {
    let mut position = start.clone();
    fast.set(&position);
    let mut dice = Dice::seeded(&[seed]);
    for _ in 0..most {
        while position.turn() == Turn::Chance {
            position.deal(&mut dice);
        }
        let Some(piece) = position.current() else { break };
        fast.meet(piece);
        assert_eq!(fast.lost(), position.turn() == Turn::Over, "{}", position.text());
        if fast.lost() {
            break;
        }
        let (plain, _) = plain_choice(features, weights, &position);
        let told = || {
            format!("{:?} {weights:?} in {} under {:?}", features.features(), position.text(), start.rules())
        };
        assert_eq!(fast.choose(piece), plain, "{}", told());
        position.play(plain).unwrap();
        fast.play(plain);
        position.current().into_iter().for_each(|next| fast.meet(next));
        assert_eq!((fast.lines(), fast.lost()), (position.lines(), position.turn() == Turn::Over));
        assert_eq!((fast.height(), fast.columns()), (position.height(), position.columns()));
    }
    position.lines()
}

#[test]
fn good_players_play_the_same_long_games() {
    let dn = [-12.63, 6.60, -9.22, -19.77, -13.08, -10.49, -1.61, -24.04];
    let dt = [-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27];
    let mut lines = 0;
    for (width, height) in [("10", "20"), ("10", "8"), ("6", "10"), ("16", "28"), ("4", "12")] {
        let rules = TetrisRules::from_pairs([("width", width), ("height", height)]).unwrap();
        let start = Tetris::start(&rules);
        lines += same_game(&rules, "dn", &dn, &start, 1, 3000);
        lines += same_game(&rules, "dt", &dt, &start, 2, 3000);
    }
    assert!(lines > 3000, "{lines}");
}

#[test]
fn boards_are_labelled_as_the_plain_path_would() {
    let set = "dt,pile,surface-pairs,hole-rows-3,surface-set,surface-4x2";
    let mut dice = Dice::seeded(&[7]);
    let (mut own, mut ahead, mut lost) = (Vec::new(), Vec::new(), 0);
    for (height, losing) in [("12", "avoided"), ("7", "allowed"), ("5", "avoided")] {
        let rules = TetrisRules::from_pairs([("width", "7"), ("height", height), ("losing", losing)]);
        let rules = rules.unwrap();
        let features = TetrisFeatures::new(&rules, set).unwrap();
        let weights: Vec<f64> =
            features.names().iter().map(|_| dice.below(2000) as f64 / 100.0 - 10.0).collect();
        let mut fast = LinearPlayer::new(&rules, &features, &weights).unwrap();
        for _ in 0..30 {
            let mut position = random_board(&rules, &mut dice);
            position.deal(&mut dice);
            let piece = position.current().unwrap();
            fast.set(&position);
            fast.values(piece, &mut own);
            assert_eq!(own, plain_values(&features, &weights, &position), "{}", position.text());
            fast.values_ahead(piece, &mut ahead);
            assert_eq!(ahead.len(), own.len());
            for (ahead, &(placement, value)) in ahead.iter().zip(&own) {
                let mut after = position.clone();
                after.play_unchecked(placement);
                let over = after.turn() == Turn::Over;
                assert_eq!((ahead.placement, ahead.own, ahead.lost), (placement, value, over));
                for (next, best) in Piece::ALL.into_iter().zip(ahead.next) {
                    let plain = if over { LOST } else { best_of(&features, &weights, &after, next) };
                    assert_eq!(best, plain, "{next:?} in {}", after.text());
                    lost += u32::from(plain == LOST);
                }
            }
        }
    }
    assert!(lost > 0);
}

/// The best value of a piece that comes next; what a loss is worth if the best placement loses.
fn best_of(features: &TetrisFeatures, weights: &[f64], after: &Tetris, piece: Piece) -> f64 {
    let mut dealt = after.clone().with_current(Some(piece));
    let (best, value) = plain_choice(features, weights, &dealt);
    dealt.play_unchecked(best);
    if dealt.turn() == Turn::Over { LOST } else { value }
}

/// A board of random cells up to a random height in each column; no full row, no overflow.
fn random_board(rules: &TetrisRules, dice: &mut Dice) -> Tetris {
    let mut columns = vec![0; rules.width.into()];
    for column in &mut columns {
        let height = dice.below(rules.limit() as usize + 1);
        // Mostly full, as boards are; now and then full of holes.
        *column = ((dice.bits() | dice.bits() | dice.bits()) as u32) & ((1u64 << height) - 1) as u32;
    }
    let full = columns.iter().fold(u32::MAX, |rows, &column| rows & column);
    let cleared = dice.below(columns.len());
    columns[cleared] &= !full;
    let start = Tetris::start(rules);
    Tetris::of_parts(rules, &columns, 0, false, start.deck())
}

#[test]
fn values_of_lanes_are_off_by_no_more_than_they_may_be() {
    let mut dice = Dice::seeded(&[11]);
    let (mut share, mut exact) = (0.0f32, 0);
    // Narrow and wide, low and high; weights of one size, of many, and whole ones.
    for number in 0..2000 {
        let (width, height) = ((4 + number % 13).to_string(), (4 + number / 13 % 25).to_string());
        let rules =
            TetrisRules::from_pairs([("width", width.as_str()), ("height", height.as_str())]).unwrap();
        let set = fitting(SETS[number % SETS.len()], &rules);
        let features = TetrisFeatures::new(&rules, &set).unwrap();
        let mut weight = || match number % 3 {
            0 => dice.below(9) as f64 / 2.0 - 2.0,
            1 => dice.below(2001) as f64 / 1000.0 - 1.0,
            _ => math::powi(10.0, dice.below(60) as i32 - 30) * (dice.below(2001) as f64 / 1000.0 - 1.0),
        };
        let weights: Vec<f64> = features.names().iter().map(|_| weight()).collect();
        let mut player = LinearPlayer::new(&rules, &features, &weights).unwrap();
        player.set(&random_board(&rules, &mut dice));
        match player.share_of_margin() {
            Some(off) => share = share.max(off),
            None => exact += 1,
        }
    }
    // The margin is for the worst case, and yet of use.
    assert!((1e-3..1.0).contains(&share), "{share}");
    assert!((1..2000 / 3).contains(&exact), "{exact}");
}

#[test]
fn windows_of_any_size_are_added_up_as_on_the_plain_path() {
    let mut dice = Dice::seeded(&[13]);
    let mut share = 0.0f32;
    for (set, width, height) in [
        ("cells-1x1", "10", "20"),
        ("holes,cells-2x2", "10", "20"),
        ("cells-3x4", "10", "8"),
        ("cells-1x10,lines", "10", "6"),
        ("cells-1x11", "16", "4"),
        ("cells-1x9,cells-1x2", "9", "5"),
        ("cells-12x1", "5", "20"),
        ("cells-6x2", "4", "7"),
        ("dn,cells-2x6,surface-2x3", "12", "5"),
        ("cells-4x3,cells-3x3,dellacherie", "7", "4"),
        ("cells-1x16", "16", "4"),
        ("cells-4x4", "5", "5"),
    ] {
        let rules = TetrisRules::from_pairs([("width", width), ("height", height)]).unwrap();
        let features = TetrisFeatures::new(&rules, set).unwrap();
        let weights: Vec<f64> =
            (0..features.count()).map(|_| dice.below(2001) as f64 / 1000.0 - 1.0).collect();
        let mut player = LinearPlayer::new(&rules, &features, &weights).unwrap();
        for number in 0..10 {
            let board = random_board(&rules, &mut dice);
            player.set(&board);
            share = share.max(player.share_of_margin().unwrap_or(0.0));
            same_game_of(player.clone(), &features, &weights, &board, number, 30);
        }
    }
    assert!((1e-3..1.0).contains(&share), "{share}");
}

#[test]
fn weights_that_lanes_cannot_be_sure_of_are_left_to_the_plain_path() {
    let rules = TetrisRules::default();
    let features = TetrisFeatures::new(&rules, "holes,surface-set").unwrap();
    let with = |weight: f64| {
        let mut weights = vec![0.0; features.names().len()];
        weights[7] = weight;
        LinearPlayer::new(&rules, &features, &weights).is_some()
    };
    for (weight, known) in [
        (0.0, true),
        (1e150, true),
        (-1e-150, true),
        (1e250, false),
        (-1e-250, false),
        (f64::INFINITY, false),
        (f64::NAN, false),
    ] {
        assert_eq!(with(weight), known, "{weight}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_weights_on_any_board_under_any_rules(
        width in 4u8..=16,
        height in 4u8..=28,
        original in any::<bool>(),
        preview in any::<bool>(),
        losing in any::<bool>(),
        over in any::<bool>(),
        clearing in any::<bool>(),
        pieces in 0usize..4,
        set in 0usize..2 * SETS.len(),
        seed in any::<u64>(),
    ) {
        let (width, height) = (width.to_string(), height.to_string());
        // In the original game no placement loses by sticking out.
        let (losing, clearing) = (losing && (over || !original), clearing && (over || !original));
        let rules = TetrisRules::from_pairs([
            ("game", if original { "original" } else { "simplified" }),
            ("preview", if preview { "on" } else { "off" }),
            ("width", width.as_str()),
            ("height", height.as_str()),
            ("losing", if losing { "allowed" } else { "avoided" }),
            ("over", if over { "top-row" } else { "overflow" }),
            ("clearing", if clearing { "before" } else { "after" }),
            ("pieces", ["uniform", "harder", "bag", "sequence:SZIT"][pieces]),
        ]).unwrap();
        let mut dice = Dice::seeded(&[seed]);
        let set = SETS.get(set).map_or_else(|| mixture(&mut dice), |set| (*set).to_string());
        let set = fitting(&set, &rules);
        let features = TetrisFeatures::new(&rules, &set).unwrap();
        let mut weight = |feature: &String| {
            // Small whole weights tie often; the signs are those of sensible players now and then.
            let size = dice.below(5) as f64;
            if dice.below(2) == 0 || feature.contains("eroded") { size } else { -size - 0.1 }
        };
        let weights: Vec<f64> = features.names().iter().map(&mut weight).collect();
        let board = random_board(&rules, &mut dice);
        same_game(&rules, &set, &weights, &board, seed, 40);
        same_game(&rules, &set, &weights, &Tetris::start(&rules), seed, 60);
    }
}
