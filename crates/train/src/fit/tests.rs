//! Fits of small data: what is left out, what is refused, what does not depend on threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use games::avalam::Avalam;
use games::pushover::{Pushover, PushoverRules};
use games::{Game, Rules};
use learn::fitting::{Limits, Loss, Method, Stop, Trace};
use learn::models::Form;
use play::PlayedGame;
use play::evaluator::{Evaluator, ModelFile};
use play::threads::on_threads;

use super::*;
use crate::data::{Dataset, Label, LabelSetup, make};

fn dataset<G: PlayedGame>(games: usize, every: usize, label: &str) -> Dataset {
    let setup = LabelSetup::<G> {
        recorded: Vec::new(),
        rules: Default::default(),
        players: vec!["random".into()],
        games,
        opening_plies: 4,
        more_plies: 0,
        label: label.parse::<Label>().unwrap(),
        every,
        distinct: false,
        seed: 3,
    };
    let mut positions = Vec::new();
    let mut sink = |position: &crate::data::Labelled| {
        positions.push(position.clone());
        Ok(())
    };
    make(&setup, 2, &mut sink, &mut |_| ControlFlow::Continue(())).unwrap();
    Dataset { header: setup.header(), positions }
}

fn choice() -> Choice {
    Choice {
        select: Selection::default(),
        balance: Balance::None,
        positions: None,
        validation: 0.25,
        target: Target::Label,
        seed: 1,
    }
}

fn plan(form: &str, method: &str) -> Plan {
    Plan {
        form: Form::parse(form).unwrap(),
        method: Method::parse(method).unwrap(),
        loss: Loss::CrossEntropy,
        decay: 0.0,
        limits: Limits { iterations: 15, patience: 20, gradient: 1e-7 },
        starts: 2,
        raw: false,
        seed: 1,
    }
}

#[test]
fn every_label_is_turned_to_the_last_mover_and_games_stay_whole() {
    let data = dataset::<Pushover>(40, 1, "fraction");
    let prepared = prepare::<Pushover>(&data, "board", &choice()).unwrap();
    let (training, validation) = (&prepared.training, &prepared.validation);
    assert_eq!(training.len() + validation.len(), data.positions.len());
    assert_eq!(prepared.games() + 10, 40);
    // In order, the labels are those of the file with the other sign.
    let (first, position) =
        (&data.positions[0], Pushover::parse(&PushoverRules::default(), &data.positions[0].text).unwrap());
    let all: Vec<f64> = training.labels.iter().chain(&validation.labels).copied().collect();
    assert!(all.contains(&-f64::from(first.label)));
    // A board sums up to own pieces + half of the empty cells: of the last mover.
    let row = if prepared.validation_games.first() == Some(&first.game) {
        validation.row(0)
    } else {
        training.row(0)
    };
    let [own, enemy] =
        [position.side().other(), position.side()].map(|side| position.board()[side.index()].count_ones());
    assert_eq!(row.iter().sum::<f64>(), f64::from(own) + f64::from(16 - own - enemy) / 2.0);
}

#[test]
fn positions_are_selected_evened_out_and_counted() {
    let data = dataset::<Pushover>(60, 1, "fraction");
    let of = |select: &str, balance, positions| {
        let choice =
            Choice { select: select.parse().unwrap(), balance, positions, target: Target::Sign, ..choice() };
        prepare::<Pushover>(&data, "board", &choice)
    };
    let prepared = of("|e|>0.5", Balance::Sign, Some(101)).unwrap();
    assert_eq!(prepared.training.len(), 102);
    assert!(prepared.training.labels.iter().all(|label| label.abs() == 1.0));
    assert_eq!(prepared.training.labels.iter().sum::<f64>(), 0.0);
    assert!(prepared.not_selected > 0 && prepared.dropped > 0);
    let error = of("|e|>1", Balance::None, None).unwrap_err().to_string();
    assert!(
        error.contains("no position is left to learn from: of ") && error.contains("takes none"),
        "{error}"
    );
    let error = of("e>0", Balance::Sign, None).unwrap_err().to_string();
    assert!(error.contains("one of the parts to balance is empty"), "{error}");
    let error = prepare::<Pushover>(&data, "bord", &choice()).unwrap_err().to_string();
    assert!(error.contains("unknown feature 'bord'; known: board"), "{error}");
    assert!(
        prepare::<Avalam>(&data, "board", &choice()).unwrap_err().to_string().contains("avalam is expected")
    );
    let mut damaged = data.clone();
    damaged.positions[7].text = "xooo...+....o...Eo".into();
    damaged.positions[9].text = "no".into();
    let error = prepare::<Pushover>(&damaged, "board", &choice()).unwrap_err().to_string();
    assert!(error.starts_with("position number 8 (line 9 of a text file): position 'xooo"), "{error}");
}

#[test]
fn features_of_the_move_are_found_where_the_move_is_known() {
    let data = dataset::<Avalam>(6, 1, "outcome");
    let prepared = prepare::<Avalam>(&data, "around-3", &choice()).unwrap();
    assert_eq!(prepared.without_move, 6, "the first position of each game");
    assert_eq!(prepared.training.len() + prepared.validation.len() + 6, data.positions.len());
    // The tower that moves is in the middle of its neighbourhood, and its own.
    let middle = prepared.names.iter().position(|name| name == "source-13").unwrap();
    assert!((0..prepared.training.len()).all(|i| prepared.training.row(i)[middle].abs() >= 1.0));
    let error = prepare::<Avalam>(&dataset::<Avalam>(6, 2, "outcome"), "around-3", &choice()).unwrap_err();
    assert!(error.to_string().contains("label with --every 1"), "{error}");
    assert_eq!(prepare::<Avalam>(&data, "observations", &choice()).unwrap().without_move, 0);
}

#[test]
fn fits_do_not_depend_on_threads_and_become_players() {
    let data = dataset::<Pushover>(80, 1, "outcome");
    let prepared = prepare::<Pushover>(&data, "board", &choice()).unwrap();
    assert!(prepared.training.len() > 600, "more than one piece");
    for (form, method) in
        [("mlp(6)", "bfgs"), ("mlp(4, 3, tanh)", "adam(batch=300)"), ("logistic", "lbfgs"), ("linear", "sgd")]
    {
        let plan = plan(form, method);
        let on = |threads| {
            on_threads(threads, || {
                train(&plan, &prepared, &never, &mut |_, _| ControlFlow::Continue(())).unwrap()
            })
            .unwrap()
        };
        let outcome = on(1);
        assert_eq!(outcome, on(3), "{form} {method}");
        assert_eq!(outcome.starts.len(), 2);
        assert!(outcome.fitted().best.training < outcome.fitted().trace[0].training, "{form} {method}");
        // The model over features as they are has the loss that was reported.
        let model = plan.form.build(16, outcome.parameters.clone());
        let judged = judge(&*model, plan.loss, &prepared.validation, &prepared.validation_games).unwrap();
        assert!((judged.loss - outcome.fitted().best.validation.unwrap()).abs() < 1e-9, "{form} {method}");
        let names = plan.form.parameter_names(&prepared.names);
        let parameters = names.into_iter().zip(outcome.parameters.iter().copied()).collect();
        let file = ModelFile::new("pushover", "board", &plan.form, parameters, String::new());
        let read = ModelFile::parse("it", &file.text()).unwrap();
        Evaluator::<Pushover>::from_file("it", &read, &PushoverRules::default()).unwrap();
        let five = PushoverRules::from_pairs([("size", "5")]).unwrap();
        assert!(Evaluator::<Pushover>::from_file("it", &read, &five).is_err());
    }
    let broken =
        train(&plan("mlp(6)", "bfgs"), &prepared, &never, &mut |_, _| ControlFlow::Break(())).unwrap();
    assert!(broken.broken_off() && broken.starts.len() == 1 && broken.fitted().stop == Stop::BrokenOff);
    let large = train(&plan("mlp(300)", "bfgs"), &prepared, &never, &mut |_, _| ControlFlow::Continue(()));
    assert!(large.unwrap_err().to_string().contains("5401; 'lbfgs' takes any number"));
}

#[test]
fn a_fit_that_is_stopped_within_an_iteration_keeps_the_whole_ones() {
    let data = dataset::<Pushover>(80, 1, "outcome");
    let prepared = prepare::<Pushover>(&data, "board", &choice()).unwrap();
    for (form, method) in [("mlp(6)", "bfgs"), ("mlp(6)", "adam"), ("logistic", "lbfgs"), ("linear", "sgd")] {
        let plan = plan(form, method);
        let fit = |most: usize| {
            let asked = AtomicUsize::new(0);
            let stopped = || asked.fetch_add(1, Ordering::Relaxed) >= most;
            let all = || train(&plan, &prepared, &stopped, &mut |_, _| ControlFlow::Continue(())).unwrap();
            (on_threads(1, all).unwrap(), asked.load(Ordering::Relaxed))
        };
        let (whole, asked) = fit(usize::MAX);
        let whole = &whole.starts[0];
        for part in 1..20 {
            let (broken, _) = fit(asked * part / 40);
            assert!(broken.broken_off() && broken.starts.len() == 1, "{form} {method}, {part}");
            let fitted = broken.fitted();
            assert_eq!(fitted.trace, whole.trace[..fitted.trace.len()], "{form} {method}, {part}");
            let judged = |one: &Trace| one.validation.unwrap();
            let least = fitted.trace.iter().map(judged).fold(f64::INFINITY, f64::min);
            assert!(fitted.trace.is_empty() || judged(&fitted.best) == least, "{form} {method}, {part}");
        }
        let (none, _) = fit(0);
        assert!(none.broken_off() && none.fitted().best.training.is_nan());
    }
}

#[test]
fn judgement_by_hand() {
    // Two games of two positions each: the model says 0.5 + x.
    let examples =
        fitting::Examples { inputs: 1, rows: vec![0.8, 0.8, -0.8, 0.8], labels: vec![1.0, 1.0, -1.0, -1.0] };
    let model = Form::Linear.build(1, vec![1.0]);
    let judged = judge(&*model, Loss::Squared, &examples, &[1, 1, 2, 2]).unwrap();
    assert_eq!(judged.confusion, Confusion { won_won: 2, won_lost: 0, lost_won: 1, lost_lost: 1 });
    assert_eq!(judged.calibration.len(), 2);
    assert!((judged.calibration[1].predicted - 0.9).abs() < 1e-12);
    assert!((judged.calibration[1].found.share - 2.0 / 3.0).abs() < 1e-12);
    assert!((judged.loss - (3.0 * 0.04 + 1.8 * 1.8) / 8.0).abs() < 1e-12);
    assert_eq!(judged.constant_loss, 0.5);
    let right = judged.right.unwrap();
    assert_eq!((right.share, right.n, right.games), (0.75, 4, 2));
    // Games that are alike inside tell as much as one position each: off by 1/2 and -1/2 of four.
    assert_eq!(right.ci95, [0.0, 1.0]);
    assert!(judge(&*model, Loss::Squared, &Default::default(), &[]).is_none());
    let same = Clustered::of(&[(1, 1.0), (2, 1.0), (3, 1.0)]);
    assert!(same.ci95[0] < 0.5 && same.ci95[1] > 0.999);
}
