use std::ops::ControlFlow;

use games::tetris::{Tetris, TetrisRules};
use games::{Dice, Game, Rules, Turn};
use learn::fitting::Objective;
use learn::models::Form;
use play::PlayedGame as _;
use play::evaluator::Evaluator;
use play::outlook::{Expert as _, General, MoveOutlook, Prospect};
use play::players::lookahead::Lookahead;
use serde_json::json;

use super::choices::{Choice, ImitationObjective};
use super::prospects::{regrets, soft_minimum};
use super::settings::{CbmpiSettings, LossWord};
use super::{Cbmpi, ImitationLine};
use crate::selfplay::{Moment, SelfPlay};

const DT: &str = "dt";

/// DT-20 of the paper, in the order of its features.
const DT_20: [f64; 9] = [-2.68, 1.38, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89];

fn small_board() -> TetrisRules {
    TetrisRules::from_pairs([("width", "6"), ("height", "8")]).unwrap()
}

#[test]
fn a_soft_minimum_lies_between_the_worst_and_the_mean() {
    let all = [(0.5, 4.0), (0.25, -2.0), (0.25, 8.0)];
    let soft = |softness: f64| soft_minimum(all.into_iter(), softness);
    let mean = 0.5 * 4.0 - 0.25 * 2.0 + 0.25 * 8.0;
    assert_eq!(soft(0.0), mean);
    assert!((soft(1e-7) - mean).abs() < 1e-5, "{}", soft(1e-7));
    // A quarter of the cases is the worst one: all that is left of the others is the logarithm of their share.
    assert!((soft(100.0) - (-2.0 + math::ln(4.0) / 100.0)).abs() < 1e-9);
    assert!((soft(1e6) + 2.0).abs() < 1e-5);
    let by_hand = -math::ln(0.5 * math::exp(-2.0) + 0.25 * math::exp(1.0) + 0.25 * math::exp(-4.0)) / 0.5;
    assert!((soft(0.5) - by_hand).abs() < 1e-12);
    let rising: Vec<f64> = [10.0, 1.0, 0.3, 0.1, 0.0].map(soft).to_vec();
    assert!(rising.windows(2).all(|pair| pair[0] < pair[1]), "{rising:?}");
    // Values far beyond what powers can hold.
    assert!((soft_minimum([(0.5, -1e6), (0.5, 1e6)].into_iter(), 1.0) - (-1e6 + math::ln(2.0))).abs() < 1e-6);
}

#[test]
fn regrets_are_measured_from_the_best_and_an_end_is_the_worst() {
    let sure = |value: Option<f64>| vec![Prospect { share: 1.0, value }];
    let half = |values: [Option<f64>; 2]| values.map(|value| Prospect { share: 0.5, value }).to_vec();
    let seen = [
        MoveOutlook { own: 1.0, next: sure(Some(2.0)) },
        MoveOutlook { own: 0.0, next: half([Some(-1.0), Some(9.0)]) },
        MoveOutlook { own: 5.0, next: half([None, Some(9.0)]) },
        MoveOutlook { own: 5.0, next: Vec::new() },
    ];
    // An end is worth 10 less than the -1 of the second move: 3, 4, 5 + (-11 + 9) / 2 and 5 - 11.
    assert_eq!(regrets(&seen, 0.0, 10.0).unwrap(), [1.0, 0.0, 0.0, 10.0]);
    let feared = regrets(&seen[2..], 1e9, 10.0).unwrap();
    assert!(feared[0] == 0.0 && feared[1] < 1e-8, "one end is as bad as certain: {feared:?}");
    assert_eq!(regrets(&seen[3..], 0.0, 10.0), None);
}

/// With softness 0 the expert is the player one piece deeper.
#[test]
fn the_expert_without_fear_chooses_like_lookahead() {
    let rules = small_board();
    let evaluator = || Evaluator::<Tetris>::linear(&rules, DT, DT_20.to_vec()).unwrap();
    let (own, deeper) = (evaluator(), Lookahead::new(evaluator().into()));
    let (mut dice, mut moves, mut looked) = (Dice::seeded(&[3]), Vec::new(), 0);
    let mut position = Tetris::start(&rules);
    while looked < 40 {
        match position.turn() {
            Turn::Over => position = Tetris::start(&rules),
            Turn::Chance => position.deal(&mut dice),
            Turn::Player(_) => {
                position.legal_moves(&mut moves);
                let seen = General::new(&own).look(&position, &moves);
                let values = deeper.values(&position, &moves);
                let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let whole = seen.iter().all(|one| one.next.iter().all(|next| next.value.is_some()));
                if let Some(regrets) = regrets(&seen, 0.0, 50.0).filter(|_| whole) {
                    assert!(
                        values
                            .iter()
                            .zip(&regrets)
                            .all(|(value, regret)| (best - value - regret).abs() < 1e-9)
                    );
                    looked += 1;
                }
                position.play_unchecked(dice.pick(&moves));
            }
        }
    }
}

/// The fast way sees what the plain one sees, up to the order in which numbers are added up.
#[test]
fn the_fast_expert_sees_what_the_plain_one_sees() {
    for pieces in ["uniform", "bag"] {
        let pairs = [("width", "6"), ("height", "8"), ("pieces", pieces)];
        let rules = TetrisRules::from_pairs(pairs).unwrap();
        let names = "dt,pile,surface-pairs,surface-set";
        let count = Tetris::features(&rules, names).unwrap().names().len();
        let weights = (0..count).map(|i| math::sin(i as f64 * 1.7) - 0.5).collect();
        let evaluator = Evaluator::<Tetris>::linear(&rules, names, weights).unwrap();
        let mut fast = Tetris::expert(&rules, &evaluator);
        let (mut dice, mut moves, mut lost) = (Dice::seeded(&[4]), Vec::new(), 0);
        let mut position = Tetris::start(&rules);
        for _ in 0..120 {
            match position.turn() {
                Turn::Over => position = Tetris::start(&rules),
                Turn::Chance => position.deal(&mut dice),
                Turn::Player(_) => {
                    position.legal_moves(&mut moves);
                    let plain = General::new(&evaluator).look(&position, &moves);
                    let seen = fast.look(&position, &moves);
                    lost +=
                        plain.iter().flat_map(|one| &one.next).filter(|next| next.value.is_none()).count();
                    for (plain, seen) in plain.iter().zip(&seen) {
                        assert!((plain.own - seen.own).abs() < 1e-9);
                        assert_eq!(plain.next.len(), seen.next.len());
                        for (plain, seen) in plain.next.iter().zip(&seen.next) {
                            let near = match (plain.value, seen.value) {
                                (Some(plain), Some(seen)) => (plain - seen).abs() < 1e-9,
                                (plain, seen) => plain == seen,
                            };
                            assert!(near && (plain.share - seen.share).abs() < 1e-12, "{plain:?} {seen:?}");
                        }
                    }
                    position.play_unchecked(dice.pick(&moves));
                }
            }
        }
        assert!(lost > 0, "ends are seen too");
    }
}

/// Three choices over three features, one of which comes twice.
fn some_choices() -> Vec<Choice> {
    let choice = |sparse: &[(u32, f32)], ends: &[u32], fixed: &[f64], regrets: &[f64]| Choice {
        sparse: sparse.into(),
        ends: ends.into(),
        fixed: fixed.into(),
        regrets: regrets.into(),
    };
    vec![
        choice(&[(0, 1.0), (1, 2.0), (1, 3.0), (2, -1.0)], &[2, 3, 4], &[0.5, 0.0, 0.0], &[0.0, 2.0, 7.0]),
        choice(&[(0, 4.0), (2, 1.0)], &[1, 2], &[0.0, -1.0], &[3.0, 0.0]),
        choice(&[(1, 1.0)], &[1], &[0.0], &[0.0]),
    ]
}

#[test]
fn gradients_agree_with_finite_differences() {
    let choices = some_choices();
    for text in ["linear", "mlp(2, tanh)"] {
        let form = Form::parse(text).unwrap();
        let count = form.parameter_names(&["a", "b", "c"].map(String::from)).len();
        let frozen: Vec<bool> = (0..count).map(|i| i == 1).collect();
        let scales: Vec<f64> = (0..count).map(|i| 1.0 + i as f64).collect();
        let parameters: Vec<f64> = (0..count).map(|i| math::sin(i as f64 * 1.3)).collect();
        for loss in [LossWord::Regret, LossWord::Choice] {
            let (frozen, scales, choices) = (&frozen, &scales, &choices);
            let policy = ImitationObjective {
                form: &form,
                inputs: 3,
                loss,
                temperature: 0.7,
                frozen,
                scales,
                choices,
            };
            let mut gradient = vec![f64::NAN; count];
            let all = policy.evaluate(&parameters, None, &mut gradient);
            let value = |parameters: &[f64]| policy.evaluate(parameters, None, &mut vec![0.0; count]);
            for i in 0..count {
                let mut near = parameters.clone();
                near[i] += 1e-6;
                let above = value(&near);
                near[i] -= 2e-6;
                let slope = if frozen[i] { 0.0 } else { (above - value(&near)) / 2e-6 };
                assert!((gradient[i] - slope).abs() < 1e-6, "{text} {loss:?} {i}: {} {slope}", gradient[i]);
            }
            let mut own = vec![0.0; count];
            let parts: f64 = (0..3).map(|i| policy.evaluate(&parameters, Some(&[i]), &mut own)).sum();
            assert!((parts / 3.0 - all).abs() < 1e-12);
        }
    }
}

#[test]
fn a_policy_is_judged_by_hand() {
    let choices = some_choices();
    let (frozen, scales) = ([false; 3], [1.0; 3]);
    let policy = ImitationObjective {
        form: &Form::Linear,
        inputs: 3,
        loss: LossWord::Choice,
        temperature: 2.0,
        frozen: &frozen,
        scales: &scales,
        choices: &choices,
    };
    // The first choice has values 1.5, 3 and -1, the second 4 and 0; in the third there is one move.
    let judged = policy.judge(&[1.0, 0.0, 1.0], &choices);
    assert_eq!((judged.agreed, &judged.regrets[..]), (2, &[0.0, 3.0, 0.0][..]));
    let first = -math::ln(math::exp(0.75) / (math::exp(0.75) + 1.0 + math::exp(-0.5)));
    let second = -math::ln(1.0 / (math::exp(2.0) + 1.0));
    assert!((judged.loss - (first + second) / 3.0).abs() < 1e-12, "{}", judged.loss);
}

fn cbmpi(settings: &serde_json::Value, features: &str, parameters: &[f64]) -> Cbmpi<Tetris> {
    let rules = small_board();
    let set = Tetris::features(&rules, features).unwrap();
    let settings = CbmpiSettings::new(settings, &set.names(), 8).unwrap();
    let mut all = vec![0.0; set.names().len()];
    all[..parameters.len()].copy_from_slice(parameters);
    Cbmpi::new(rules, features, Form::Linear, settings, all)
}

#[test]
fn of_the_first_move_itself_all_counts_and_of_its_board_a_part() {
    let policy = cbmpi(&json!({ "between": 0.25 }), "landing-height,holes,lines", &[2.0, -3.0, 5.0]);
    // The move is worth 3 and 5, the board -6.
    assert_eq!(policy.own_share(2.0, &[(0, 1.5), (1, 2.0), (2, 1.0)]), 8.0 - 0.25 * 6.0);
    // Nothing else can be taken apart.
    let rules = small_board();
    let form = Form::parse("mlp(2, tanh)").unwrap();
    let count = form.parameter_names(&["a", "b"].map(String::from)).len();
    let names = Tetris::features(&rules, "lines,holes").unwrap().names();
    let settings = CbmpiSettings::new(&json!({}), &names, 8).unwrap();
    let network = Cbmpi::<Tetris>::new(rules, "lines,holes", form, settings, vec![0.5; count]);
    assert_eq!(network.own_share(2.0, &[(0, 1.0)]), 0.3 * 2.0);
}

fn line(policy: &mut Cbmpi<Tetris>, round: u64) -> ImitationLine {
    policy
        .round(Moment { seed: 5, round, rounds: 2 }, &|_| ControlFlow::Continue(()))
        .unwrap()
        .imitation
        .unwrap()
}

#[test]
fn a_round_that_is_broken_off_teaches_nothing() {
    // At the first word, while the expert looks, while the policy learns.
    for stage in ["", "the expert looks", "the policy has learned"] {
        let settings = json!({ "boards": 3000, "epochs": 15 });
        let mut policy = cbmpi(&settings, "landing-height,holes,lines", &[2.0, -3.0, 5.0]);
        let say = |text: String| match text.starts_with(stage) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        assert!(policy.round(Moment { seed: 5, round: 1, rounds: 2 }, &say).is_none(), "{stage}");
        assert_eq!(policy.parameters(), [2.0, -3.0, 5.0]);
    }
}

#[test]
fn a_round_brings_the_policy_nearer_to_its_expert() {
    for loss in ["regret", "choice"] {
        let settings = json!({ "boards": 3000, "epochs": 15, "loss": loss, "frozen": ["holes", "row-*"] });
        // It looks at holes and rows alone, and has much to learn.
        let mut policy = cbmpi(&settings, "dt,cells-2x2", &[0.0, 0.0, -1.0, 0.0, -4.0]);
        let before = policy.parameters.clone();
        let line = line(&mut policy, 1);
        let [old, new] = &line.agreement;
        assert!(new.mean > old.mean + 0.02 && old.n > 250, "{loss}: {line:?}");
        assert!(line.regret[1].mean < line.regret[0].mean && line.loss[1] < line.loss[0], "{loss}: {line:?}");
        let names = Tetris::features(&small_board(), "dt,cells-2x2").unwrap().names();
        for ((name, before), after) in names.iter().zip(&before).zip(&policy.parameters) {
            let stays = name == "holes" || name == "row-transitions";
            if stays || name == "fast-wells" {
                assert_eq!(before == after, stays, "{name}");
            }
        }
    }
}

#[test]
fn wrong_settings_are_named() {
    let names = ["holes", "pairs:0,1", "pairs:1,1"].map(String::from);
    for (settings, said) in [
        (json!({ "boards": 3 }), "boards = 3"),
        (json!({ "base": 3 }), "base = 3: must be left out unless levels"),
        (json!({ "levels": [5, 7] }), "levels = [5, 7]: must be rising, above the base 5 and at most 8"),
        (json!({ "levels": [6, 9] }), "levels = [6, 9]"),
        (json!({ "levels": [3, 4], "base": 3 }), "levels = [3, 4]: must be rising, above the base 3"),
        (json!({ "softness": -0.1 }), "softness = -0.1"),
        (json!({ "lost": -1 }), "lost = -1"),
        (json!({ "between": 11 }), "between = 11"),
        (json!({ "temperature": 0 }), "temperature = 0"),
        (json!({ "epochs": 0 }), "epochs = 0"),
        (json!({ "loss": "regrets" }), "did you mean 'regret'"),
        (json!({ "frozen": ["hole"] }), "frozen = \"hole\": must be names of the model's weights"),
        (json!({ "frozen": ["*"] }), "frozen = [\"*\"]: must be fewer than all"),
        (json!({ "with": "foo" }), "with = \"foo\": unknown optimiser 'foo'"),
        (json!({ "with": "adam(rat=1)" }), "option 'rat' is unknown"),
        (json!({ "games": 1 }), "games"),
    ] {
        let error = CbmpiSettings::new(&settings, &names, 8).unwrap_err();
        let error = crate::run::config::suggest(&error.to_string());
        assert!(error.contains(said), "{error}");
    }
    let settings = CbmpiSettings::new(&json!({ "frozen": ["pairs:*,1"] }), &names, 8).unwrap();
    assert_eq!(settings.frozen(&names), [false, true, true]);
}
