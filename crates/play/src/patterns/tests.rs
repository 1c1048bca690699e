use std::fs;
use std::sync::Arc;

use games::othello::patterns::PatternSet;
use games::othello::{Othello, Phases};
use games::rules::Fixed;
use games::{Dice, Game, Side};

use super::*;
use crate::files::table_file::sealed;
use crate::search::alpha_beta::AlphaBeta;
use crate::search::pattern_eval::{PatternEval, PatternEvalAfresh};
use crate::search::{Limits, Searcher};

const SMALL: &str =
    "edge: a1 b1 c1 d1\ncorner: a1 b1 a2 b2\nlong: a1 b2 c3 d4 e5 f6 g7 h8\nmobility\nparity\n";

/// The boards of random games, as the side to move sees them.
fn boards(seed: u64, games: u32) -> Vec<(u64, u64)> {
    let (mut dice, mut moves, mut all) = (Dice::seeded(&[seed]), Vec::new(), Vec::new());
    for _ in 0..games {
        let mut board = Othello::start(&Fixed);
        while let Some(mv) = board.random_move(&mut dice, &mut moves) {
            all.push((board.own(), board.opponent()));
            board.play_unchecked(mv);
        }
    }
    all
}

fn any_model(seed: u64) -> TableModel {
    any_model_of(seed, "phases(3)")
}

fn any_model_of(seed: u64, phases: &str) -> TableModel {
    let (set, phases) = (PatternSet::parse(SMALL).unwrap(), Phases::parse(phases).unwrap());
    let (ties, mut dice) = (set.ties(), Dice::seeded(&[seed]));
    let weights: Vec<Vec<f64>> = (0..3)
        .map(|_| {
            let any: Vec<f64> = ties
                .iter()
                .map(|_| if dice.below(3) == 0 { 0.0 } else { 10.0 * dice.unit() - 5.0 })
                .collect();
            ties.iter().map(|&lowest| any[lowest as usize]).collect()
        })
        .collect();
    TableModel::new(set, phases, Form::Linear, &weights, "for  a\n\u{1f}test")
}

#[test]
fn a_file_gives_back_the_same_function() {
    let model = any_model_of(1, "phases(20,40,interpolated)");
    let path = std::env::temp_dir().join(format!("evalforge-tables-{}.tables", std::process::id()));
    model.save(&path).unwrap();
    assert_eq!(TableModel::load(&path).unwrap(), model);
    assert_eq!(model.about(), "for a \\u{1f}test");
    fs::write(&path, "something else").unwrap();
    let error = TableModel::load(&path).unwrap_err().to_string();
    assert!(error.contains(".tables") && error.contains("does not begin with"), "{error}");
    fs::remove_file(&path).unwrap();
    assert!(TableModel::load(&path).unwrap_err().to_string().contains(".tables"));
}

#[test]
fn damage_is_an_error_that_says_what_is_wrong() {
    let plain = any_model(2).bytes();
    let whole = sealed(plain.clone());
    for cut in [0, 5, 30, whole.len() / 2, whole.len() - 1] {
        assert!(TableModel::parse(&whole[..cut]).is_err());
    }
    for place in (0..whole.len()).step_by(whole.len() / 97) {
        let mut damaged = whole.clone();
        damaged[place] ^= 4;
        assert!(TableModel::parse(&damaged).is_err(), "byte {place}");
    }
    // What a checksum cannot find.
    let text = |from: &str, to: &str| {
        let head = plain.windows(2).position(|two| two == b"\n\n").unwrap();
        let changed = String::from_utf8(plain[..head].to_vec()).unwrap().replacen(from, to, 1);
        TableModel::parse(&sealed([changed.as_bytes(), &plain[head..]].concat())).unwrap_err()
    };
    for (from, to, said) in [
        ("game othello", "game chess", "for 'chess', not for othello"),
        ("phases(3)", "phases(99)", "N equal parts"),
        ("phases(3)", "phases(2)", "bytes follow the last weight"),
        ("phases(3)", "phases(4)", "cut short"),
        ("form linear", "form cubic", "none of linear, logistic"),
        ("scale", "scale -", "scale is no number"),
        ("edge: a1 b1", "edge: a1 a1", "line 1: the square a1 is named twice"),
        ("about", "abut", "where about belongs"),
    ] {
        assert!(text(from, to).contains(said), "{from} {to}: {}", text(from, to));
    }
}

#[test]
fn a_search_finds_the_same_whether_numbers_are_kept_or_counted_afresh() {
    let mut dice = Dice::seeded(&[3]);
    let mut moves = Vec::new();
    for seed in 0..6 {
        let phases = if seed % 2 == 0 { "phases(3)" } else { "phases(3,interpolated)" };
        let model = Arc::new(any_model_of(seed, phases));
        let mut kept = AlphaBeta::new(PatternEval(model.clone()), 1);
        let mut afresh = AlphaBeta::new(PatternEvalAfresh(model), 1);
        let mut position = Othello::start(&Fixed);
        for _ in 0..6 + 8 * seed {
            let Some(mv) = position.random_move(&mut dice, &mut moves) else { break };
            position.play_unchecked(mv);
        }
        if position.turn() == games::Turn::Over {
            continue;
        }
        let search = |search: &mut dyn Searcher<Othello>| {
            let found = search.search(&position, &Limits::depth(4), &mut Dice::seeded(&[1]));
            (found.best, found.value, found.nodes, found.line)
        };
        assert_eq!(search(&mut kept), search(&mut afresh));
    }
}

#[test]
fn a_value_is_the_same_in_every_mirror_and_for_either_colour() {
    let model = any_model(4);
    for (own, other) in boards(4, 3) {
        let value = model.fresh_value(own, other);
        let black = Othello::new(own, other, Side::First);
        for symmetry in 1..8 {
            let image = black.mirrored(symmetry);
            assert_eq!(model.fresh_value(image.own(), image.opponent()), value);
        }
        let indices = model.set().fresh(other, own);
        assert_eq!(model.value(&indices, own, other, false), value, "white sees the same as black");
        let shares = model.shares(own, other);
        assert_eq!(shares.iter().map(|(_, share)| share).sum::<f64>(), value);
        assert_eq!(
            shares.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["edge", "corner", "long", "mobility", "parity"]
        );
    }
}

/// The share of each of three equal phases in a board, counted plainly: 1 in the middle of a phase, falling to 0 in those beside it.
fn plain_shares(discs: u32) -> [f64; 3] {
    let middles = [14.5, 34.5, 54.5];
    let discs = f64::from(discs).clamp(middles[0], middles[2]);
    middles.map(|middle| (1.0 - (discs - middle).abs() / 20.0).max(0.0))
}

#[test]
fn interpolated_weights_are_mixed_as_a_plain_twin_says() {
    let model = any_model_of(12, "phases(3,interpolated)");
    let mut mixed = 0;
    for (own, other) in boards(12, 3) {
        let discs = (own | other).count_ones();
        let shares = plain_shares(discs);
        let indices = model.set().fresh(own, other);
        let mut entries: Vec<usize> =
            (0..model.set().tables().len()).map(|lane| model.set().entry(lane, &indices)).collect();
        model.set().each_count(own, other, |entry| entries.push(entry));
        let weight = |entry: usize| -> f64 {
            (0..3).map(|phase| shares[phase] * f64::from(model.weights[phase].first[entry])).sum::<f64>()
        };
        let twin = entries.iter().map(|&entry| weight(entry)).sum::<f64>() / model.scale;
        assert!((model.fresh_value(own, other) - twin).abs() < 1e-9, "{discs} discs");
        let total: f64 = model.shares(own, other).iter().map(|(_, share)| share).sum();
        assert!((total - twin).abs() < 1e-9);
        mixed += usize::from(shares.iter().all(|&share| share < 1.0));
    }
    assert!(mixed > 50, "{mixed}");
}
