use std::ops::ControlFlow;

use games::pushover::{Pushover, PushoverRules};
use games::{Dice, Game, Rules, Side, Turn};
use learn::models::{Form, Model};
use play::solve::pushover::solve;
use play::threads::on_threads;
use serde_json::json;

use super::game::{Episodes, Played, Ply, Reached, sign, worth};
use super::returns::labels;
use super::settings::{FittedSettings, LabelWord};
use super::td::updates;
use super::{CBMPI, METHODS, Method, Moment, SOLO};
use crate::tasks::TaskText;

fn task(name: &str, rules: &[(&str, &str)], features: &str, form: &str, search: &str) -> TaskText {
    TaskText {
        name: name.into(),
        rules: rules.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        features: features.into(),
        form: form.into(),
        search: search.into(),
        openings: 2,
        ..TaskText::default()
    }
}

fn row(mover: Side, values: &[f64]) -> Ply {
    Ply { mover, chosen: Reached::Row(values.to_vec()), instead: None, found: 0.0, certain: false }
}

fn end(mover: Side, outcome: f64) -> Ply {
    Ply { mover, chosen: Reached::End(outcome), instead: None, found: outcome, certain: true }
}

/// A game that second wins, of five moves.
fn some_game() -> Vec<Ply> {
    use Side::{First, Second};
    let rows = [[0.3, -1.0], [0.8, 0.1], [-0.4, 0.5], [1.2, 0.2]];
    let movers = [First, Second, First, Second, First];
    let mut plies: Vec<Ply> = rows.iter().zip(movers).map(|(values, mover)| row(mover, values)).collect();
    plies.push(end(movers[4], -1.0));
    plies
}

/// With lambda = 1 the changes of a game are minus the derivatives of the cross-entropy of its outcome, whatever the model.
#[test]
fn td_1_is_the_regression_of_the_outcome() {
    for text in ["linear", "mlp(3, tanh)", "logistic"] {
        let form = Form::parse(text).unwrap();
        let count = form.parameter_names(&["a".into(), "b".into()]).len();
        let mut model = form.build(2, (0..count).map(|i| math::sin(i as f64 * 1.3)).collect());
        let plies = some_game();
        let mut found = vec![0.0; count];
        updates(&*model, &plies, -1.0, 1.0, &mut found);
        // The loss in plain words: the outcome of each position for the side that moved, by its log-odds.
        let loss = |model: &dyn Model| -> f64 {
            let one = |ply: &Ply| match &ply.chosen {
                Reached::Row(row) => {
                    let odds_of_outcome = -sign(ply.mover) * model.value(row);
                    math::ln(1.0 + math::exp(-odds_of_outcome))
                }
                Reached::End(_) => 0.0,
            };
            plies.iter().map(one).sum()
        };
        for i in 0..count {
            let step = 1e-6;
            model.parameters_mut()[i] += step;
            let above = loss(&*model);
            model.parameters_mut()[i] -= 2.0 * step;
            let below = loss(&*model);
            model.parameters_mut()[i] += step;
            // The derivative of ln(1 + e^-v) is half of (tanh(v / 2) - 1).
            let expected = -2.0 * (above - below) / (2.0 * step);
            assert!((found[i] - expected).abs() < 1e-6, "{text} {i}: {} and {expected}", found[i]);
        }
    }
}

/// With lambda = 0 each position moves towards the next one, and the last towards the outcome, in the eyes of its mover.
#[test]
fn td_0_by_hand() {
    let model = Form::Linear.build(2, vec![0.5, -0.25]);
    let plies = some_game();
    let mut found = vec![0.0; 2];
    let (squares, count) = updates(&*model, &plies, -1.0, 0.0, &mut found);
    let seen: Vec<(f64, &Vec<f64>)> = plies
        .iter()
        .filter_map(|ply| match &ply.chosen {
            Reached::Row(row) => Some((sign(ply.mover), row)),
            Reached::End(_) => None,
        })
        .collect();
    let expected: Vec<f64> = seen.iter().map(|(sign, row)| sign * worth(model.value(row))).collect();
    let (mut sum, mut off) = ([0.0; 2], 0.0);
    for (t, (sign, row)) in seen.iter().enumerate() {
        let error = expected.get(t + 1).copied().unwrap_or(-1.0) - expected[t];
        off += error * error;
        (0..2).for_each(|i| sum[i] += error * sign * row[i]);
    }
    assert!((0..2).all(|i| (sum[i] - found[i]).abs() < 1e-12), "{sum:?} {found:?}");
    assert!((squares - off).abs() < 1e-12 && count == 4);
}

/// What happens after a move by lot does not reach back beyond it, and the best move is what is learned from.
#[test]
fn a_move_by_lot_is_not_held_against_the_function() {
    let model = Form::Linear.build(1, vec![0.3]);
    let game = |last: f64, explored: bool| {
        let mut plies = vec![row(Side::First, &[1.0]), row(Side::Second, &[2.0]), end(Side::First, last)];
        if explored {
            plies[1].instead = Some(Reached::End(-1.0));
        }
        let mut sum = vec![0.0];
        updates(&*model, &plies, last, 1.0, &mut sum);
        sum[0]
    };
    let (first, second) = (worth(0.3), -worth(0.6));
    let last = |outcome: f64| -2.0 * (outcome - second);
    for outcome in [1.0, -1.0] {
        let explored = (-1.0 - first) + last(outcome);
        assert!((game(outcome, true) - explored).abs() < 1e-12);
        let plain = (outcome - first) + last(outcome);
        assert!((game(outcome, false) - plain).abs() < 1e-12);
    }
}

/// A walk by lot over five places: who leaves it at the right has won. The values are known: -2/3, -1/3, 0, 1/3, 2/3.
#[test]
fn td_finds_the_values_of_a_random_walk() {
    for lambda in [0.0, 0.6, 1.0] {
        let mut model = Form::Linear.build(5, vec![0.0; 5]);
        let mut dice = Dice::seeded(&[5]);
        for game in 0..6000 {
            let mut place = 2i32;
            let mut plies: Vec<Ply> = Vec::new();
            while (0..5).contains(&place) {
                // Either side may have moved; each sees the place with the sign of its own.
                let mover = dice.pick(&Side::BOTH);
                let mut seen = [0.0; 5];
                seen[place as usize] = sign(mover);
                plies.push(row(mover, &seen));
                place += if dice.below(2) == 0 { -1 } else { 1 };
            }
            let outcome = if place == 5 { 1.0 } else { -1.0 };
            plies.push(end(Side::First, outcome));
            let mut sum = vec![0.0; 5];
            updates(&*model, &plies, outcome, lambda, &mut sum);
            let rate = 0.2 / (1.0 + f64::from(game) / 100.0);
            model.parameters_mut().iter_mut().zip(&sum).for_each(|(weight, sum)| *weight += rate * sum);
        }
        for (place, weight) in model.parameters().iter().enumerate() {
            let known = (place as f64 - 2.0) / 3.0;
            assert!(
                (worth(*weight) - known).abs() < 0.06,
                "lambda {lambda}, place {place}: {}",
                worth(*weight)
            );
        }
    }
}

#[test]
fn labels_by_hand() {
    let mut plies = some_game();
    let found = [0.1, 0.2, -0.3, 0.4, -1.0];
    plies.iter_mut().zip(found).for_each(|(ply, found)| ply.found = found);
    let played = Played { plies, opening: 3, outcome: -1.0 };
    let of = |played: &Played, label: LabelWord, lambda: Option<f64>| {
        let labels = labels(played, &FittedSettings { label, lambda, ..FittedSettings::default() });
        assert_eq!(labels.last(), Some(&None), "the end has no label");
        labels.into_iter().flatten().collect::<Vec<f64>>()
    };
    assert_eq!(of(&played, LabelWord::Outcome, None), [-1.0, 1.0, -1.0, 1.0]);
    assert_eq!(of(&played, LabelWord::Fraction, None), [-4.0 / 8.0, 5.0 / 8.0, -6.0 / 8.0, 7.0 / 8.0]);
    // What the search finds in the next position.
    assert_eq!(of(&played, LabelWord::Return, None), [0.2, 0.3, 0.4, 1.0]);
    assert_eq!(of(&played, LabelWord::Return, Some(1.0)), [-1.0, 1.0, -1.0, 1.0]);
    let half = of(&played, LabelWord::Return, Some(0.5));
    let third = 0.5 * 0.4 - 0.5;
    assert!(
        (half[2] - third).abs() < 1e-12 && (half[1] + 0.5 * -0.3 + 0.5 * third).abs() < 1e-12,
        "{half:?}"
    );
    let mut by_lot = played.clone();
    by_lot.plies[2].instead = Some(Reached::End(1.0));
    assert_eq!(
        of(&by_lot, LabelWord::Return, Some(1.0)),
        [-0.3, 0.3, -1.0, 1.0],
        "nothing reaches back over it"
    );
}

#[test]
fn games_are_explored_as_much_as_asked_for() {
    let text = task("pushover", &[], "board", "mlp(4)", "greedy");
    let episodes =
        Episodes::<Pushover>::new(PushoverRules::default(), &text, Form::parse("mlp(4)").unwrap()).unwrap();
    let parameters: Vec<f64> = (0..episodes.parameters()).map(|i| math::sin(i as f64)).collect();
    let mut policy = episodes.policy(&parameters);
    let mut share = |epsilon: f64| {
        let (mut lots, mut all) = (0, 0);
        for game in 0..200 {
            let played = episodes.game(&mut policy, &mut Dice::seeded(&[game]), epsilon, true);
            lots += played.plies.iter().filter(|ply| ply.instead.is_some()).count();
            all += played.plies.len();
            assert!(matches!(played.plies.last().unwrap().chosen, Reached::End(_)));
        }
        lots as f64 / all as f64
    };
    assert_eq!(share(0.0), 0.0);
    // One lot in sixteen is the best move itself.
    assert!((share(0.3) - 0.3 * 15.0 / 16.0).abs() < 0.03);
    assert!(share(1.0) > 0.9);
}

fn rounds(method: &Method, count: u64) -> Vec<f64> {
    let mut learner = method.begin(7, None);
    for round in 1..=count {
        learner.round(Moment { seed: 7, round, rounds: count }, &|_| ControlFlow::Continue(()));
    }
    learner.parameters().to_vec()
}

fn small(name: &str) -> serde_json::Value {
    match name {
        "td" => json!({ "games": 30, "batch": 7 }),
        SOLO => json!({ "games": 30, "lambda": 0.5, "given": { "lines": 1 } }),
        CBMPI => json!({ "boards": 300, "epochs": 4, "frozen": ["lines"] }),
        _ => json!({ "games": 12, "window": 3, "label": "return", "lambda": 0.5, "iterations": 6 }),
    }
}

#[test]
fn threads_and_interruptions_change_nothing_in_any_game() {
    for (name, features, form, search) in [
        ("pushover", "board", "mlp(3)", "alphabeta(depth=2, table=0)"),
        ("othello", "board", "mlp(3)", "greedy"),
        ("avalam", "antisymmetric", "mlp(3)", "greedy"),
        ("tetris", "lines,cells-2x3", "linear", "greedy"),
    ] {
        // Games that are lost soon.
        let small_board = [("width", "6"), ("height", "8")];
        let rules = if name == "tetris" { &small_board[..] } else { &[] };
        let text = task(name, rules, features, form, search);
        for entry in METHODS.iter().filter(|entry| [SOLO, CBMPI].contains(&entry.name) == (name == "tetris"))
        {
            let method =
                Method::new::<games::Listed>(entry.name, &text, &small(entry.name)).unwrap().unwrap();
            let whole = on_threads(1, || rounds(&method, 4)).unwrap();
            assert!(whole == on_threads(3, || rounds(&method, 4)).unwrap(), "{} in {name}", entry.name);
            let mut learner = method.begin(7, None);
            assert_ne!(whole, learner.parameters(), "it learns");
            for round in 1..=4 {
                learner.round(Moment { seed: 7, round, rounds: 4 }, &|_| ControlFlow::Continue(()));
                // Through text, as a checkpoint is.
                let saved = serde_json::from_str(&learner.save().to_string()).unwrap();
                learner = method.load(&saved).unwrap();
            }
            assert!(whole == learner.parameters(), "{} in {name}", entry.name);
        }
    }
}

/// 3x3 is solved: after learning the function tells who wins better than at first, and most of the time.
#[test]
fn both_ways_learn_who_wins_on_3x3() {
    let rules = PushoverRules::from_pairs([("size", "3")]).unwrap();
    let perfect = solve(&rules, &|_| ControlFlow::Continue(())).unwrap().unwrap().perfect;
    let text = task("pushover", &[("size", "3")], "board", "mlp(16)", "greedy");
    let features = Pushover::features(&rules, "board").unwrap();
    let form = Form::parse("mlp(16)").unwrap();
    // Positions of random games, in which somebody wins if both play well.
    let (mut dice, mut moves, mut known) = (Dice::seeded(&[11]), Vec::new(), Vec::new());
    while known.len() < 400 {
        let mut position = Pushover::start(&rules);
        while position.turn() != Turn::Over {
            let mv = position.random_move(&mut dice, &mut moves).unwrap();
            position.play_unchecked(mv);
            if position.turn() == Turn::Over {
                break;
            }
            let mover = position.side().other();
            let value = perfect.value(&position);
            if value.points() != 0.5 {
                let mut row = vec![0.0; 9];
                features.extract_position(&position, mover, &mut row);
                known.push((row, if value.points() == 1.0 { -1.0 } else { 1.0 }));
            }
        }
    }
    let right = |parameters: &[f64]| {
        let model = form.build(9, parameters.to_vec());
        let right = known.iter().filter(|(row, label)| model.value(row) * label > 0.0).count();
        right as f64 / known.len() as f64
    };
    for (name, settings, count) in [
        ("td", json!({ "games": 400, "rate": 0.1, "rate_end": 0.02 }), 8),
        ("fitted-self-play", json!({ "games": 200, "window": 2, "iterations": 15, "epsilon": 0.3 }), 5),
    ] {
        let method = Method::new::<games::Listed>(name, &text, &settings).unwrap().unwrap();
        let before = right(method.begin(7, None).parameters());
        let after = right(&rounds(&method, count));
        assert!(after > 0.75 && after > before + 0.1, "{name}: {before} and then {after}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let text = task("pushover", &[], "board", "mlp(3)", "greedy");
    let said = |name: &str, settings: serde_json::Value, text: &TaskText| {
        Method::new::<games::Listed>(name, text, &settings)
            .expect("it is in the list")
            .expect_err("it is wrong")
    };
    assert!(Method::new::<games::Listed>("cma-es", &text, &json!({})).is_none());
    for (name, settings, words) in [
        ("td", json!({ "lamda": 1 }), "did you mean 'lambda'"),
        ("td", json!({ "lambda": 1.5 }), "lambda = 1.5: must be from 0 to 1"),
        ("td", json!({ "games": 0 }), "games = 0"),
        ("td", json!({ "epsilon": -1 }), "epsilon = -1"),
        ("td", json!({ "window": 2 }), "unknown field `window`"),
        ("fitted-self-play", json!({ "label": "outcom" }), "did you mean 'outcome'"),
        ("fitted-self-play", json!({ "lambda": 0.5 }), "left out unless label"),
        (
            "fitted-self-play",
            json!({ "with": "newton" }),
            "with = \"newton\": unknown optimiser 'newton'; known: bfgs",
        ),
        ("fitted-self-play", json!({ "with": "adam(rate=-1)" }), "rate"),
        ("fitted-self-play", json!({ "window": 0 }), "window = 0"),
    ] {
        let error = said(name, settings, &text);
        assert!(error.starts_with("learner: ") && error.contains(words), "{error}");
    }
    let tetris = TaskText { name: "tetris".into(), ..text.clone() };
    assert!(said("td", json!({}), &tetris).contains("two sides without chance, not for tetris"));
    let sphere = TaskText { name: "sphere".into(), ..text.clone() };
    assert!(said("td", json!({}), &sphere).contains("sphere is none"));
    for search in ["mcts(simulations=3)", "alphabeta(time=1)"] {
        let clocked = TaskText { search: search.into(), ..text.clone() };
        assert!(said("td", json!({}), &clocked).contains("and not by the clock"));
    }
    let method = Method::new::<games::Listed>("td", &text, &json!({})).unwrap().unwrap();
    for saved in [json!({}), json!({ "parameters": [1.0] }), json!({ "parameters": "x" })] {
        assert!(method.load(&saved).is_err());
    }
}
