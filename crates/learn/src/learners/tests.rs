//! What every learner of the list has to do, whatever it is.

use serde_json::json;

use super::*;
use crate::random::Random;

/// Where the optimum of the test functions lies: off the origin, and within [-1, 1], the default bounds of those that
/// need bounds.
const OPTIMUM: f64 = 0.4;
const DIMENSION: usize = 5;

type Function = fn(&[f64]) -> f64;

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| math::powi(x - OPTIMUM, 2)).sum()
}

/// Axes of lengths 1 to 1000.
fn ellipsoid(x: &[f64]) -> f64 {
    let n = x.len() as f64 - 1.0;
    x.iter().enumerate().map(|(k, x)| math::powf(1e6, k as f64 / n) * math::powi(x - OPTIMUM, 2)).sum()
}

/// The curved valley, shifted so that the optimum is where the others have it.
fn rosenbrock(x: &[f64]) -> f64 {
    let y: Vec<f64> = x.iter().map(|x| x - OPTIMUM + 1.0).collect();
    y.windows(2).map(|y| 100.0 * math::powi(y[1] - y[0] * y[0], 2) + math::powi(1.0 - y[0], 2)).sum()
}

/// Tells the learner the negative function, with normal noise of this deviation, until the evaluations are spent or it
/// stops.
fn run(learner: &mut dyn Learner, function: Function, evaluations: usize, noise: f64) {
    let (mut random, mut spent) = (Random::seeded(99), 0);
    while spent < evaluations && learner.stop().is_none() {
        let trials = learner.ask();
        spent += trials.len();
        let values: Vec<f64> =
            trials.iter().map(|trial| noise * random.normal() - function(&trial.point)).collect();
        learner.tell(&values);
    }
}

/// The settings of the functions to be closed in on: the defaults, except where these are made not to. The constant
/// noise of noisy cross-entropy keeps a deviation of 2 for ever; its own linear one ends after 50 generations.
fn closing_in(name: &str) -> Value {
    match name {
        "noisy-ce" => json!({"noise": "linear"}),
        _ => json!({}),
    }
}

/// Every learner has to make the function so many times smaller at its centre than it is at the origin, within 20000
/// evaluations; the median of five seeds counts. The targets are modest: what the weakest reaches with room to spare.
fn assert_gains(function: Function, noise: f64, target: f64) {
    for entry in LEARNERS {
        let name = entry.entry.name;
        let gain = |seed| {
            let space = Space::real(DIMENSION);
            let mut learner = (entry.build)(&closing_in(name), &space, seed).unwrap();
            run(&mut *learner, function, 20_000, noise);
            function(&[0.0; DIMENSION]) / function(&learner.centre()).max(1e-300)
        };
        let mut gains: Vec<f64> = (0..5).map(gain).collect();
        gains.sort_by(f64::total_cmp);
        assert!(gains[2] >= target, "{name}: {gains:?}, not {target}");
    }
}

#[test]
fn all_learn_the_sphere() {
    assert_gains(sphere, 0.0, 1e3);
}

#[test]
fn all_learn_the_ellipsoid() {
    assert_gains(ellipsoid, 0.0, 100.0);
}

/// From 23.7 at the origin into the valley, not to its end.
#[test]
fn all_find_the_valley_of_rosenbrock() {
    assert_gains(rosenbrock, 0.0, 5.0);
}

/// The noise is an eighth of the value at the origin, so ten times smaller is already below the noise.
#[test]
fn all_learn_the_sphere_under_noise() {
    assert_gains(sphere, 0.1, 10.0);
}

/// The values of a generation, with noise that depends on the generation alone: an interrupted run meets the same.
fn values(trials: &[Trial], generation: u64) -> Vec<f64> {
    let mut random = Random::seeded(generation);
    trials.iter().map(|trial| 0.1 * random.normal() - rosenbrock(&trial.point)).collect()
}

/// Saved to text and loaded again before the first generation and after every third, against one that never stops.
#[test]
fn all_go_on_bit_for_bit_after_a_save() {
    for entry in LEARNERS {
        let space = Space::real(DIMENSION);
        let build = || (entry.build)(&json!({}), &space, 17).unwrap();
        let (mut straight, mut resumed) = (build(), build());
        for generation in 0..30 {
            let name = entry.entry.name;
            if generation % 3 == 0 {
                let text = resumed.save().to_string();
                resumed = (entry.load)(serde_json::from_str(&text).unwrap()).unwrap();
                assert_eq!(resumed.save().to_string(), text, "{name} after {generation}");
            }
            let trials = straight.ask();
            assert_eq!(trials, resumed.ask(), "{name} after {generation}");
            straight.tell(&values(&trials, generation));
            resumed.tell(&values(&trials, generation));
            assert_eq!(straight.centre(), resumed.centre(), "{name} after {generation}");
            assert_eq!(straight.standing(), resumed.standing(), "{name} after {generation}");
            assert_eq!(straight.stop(), resumed.stop(), "{name} after {generation}");
        }
        assert_eq!(straight.save(), resumed.save(), "{}", entry.entry.name);
    }
}

#[test]
fn the_seed_fixes_the_run() {
    for entry in LEARNERS {
        let first = |seed| (entry.build)(&json!({}), &Space::real(DIMENSION), seed).unwrap().ask();
        assert_eq!(first(1), first(1), "{}", entry.entry.name);
        assert_ne!(first(1), first(2), "{}", entry.entry.name);
    }
}

#[test]
fn generations_are_well_formed() {
    for entry in LEARNERS {
        let name = entry.entry.name;
        for dimension in [1, 2, 22] {
            let mut learner = (entry.build)(&json!({}), &Space::real(dimension), 3).unwrap();
            for generation in 0..10 {
                assert_eq!(learner.standing().generation, generation, "{name}");
                assert_eq!(learner.standing().deviations.len(), dimension, "{name}");
                assert_eq!(learner.centre().len(), dimension, "{name}");
                let trials = learner.ask();
                assert!((1..=trials.len()).contains(&learner.parents()), "{name}");
                assert!(trials.iter().all(|trial| trial.point.len() == dimension), "{name}");
                let values: Vec<f64> = trials.iter().map(|trial| -sphere(&trial.point)).collect();
                learner.tell(&values);
            }
        }
    }
}

/// All values equal, as when every game is lost: nobody may fail on it, nor save what JSON cannot hold.
#[test]
fn flat_values_do_no_harm() {
    for entry in LEARNERS {
        let mut learner = (entry.build)(&json!({}), &Space::real(DIMENSION), 3).unwrap();
        for _ in 0..20 {
            let trials = learner.ask();
            assert!(trials.iter().flat_map(|trial| &trial.point).all(|x| x.is_finite()));
            learner.tell(&vec![0.0; trials.len()]);
        }
        (entry.load)(learner.save()).unwrap();
    }
}

/// A learner may say that it knows no bounds; if it takes them, it keeps them, with the optimum inside or outside.
#[test]
fn bounds_are_kept_or_refused() {
    let bounds = vec![(-0.5, 0.25), (0.0, 1.0), (-3.0, -2.0), (0.39, 0.41), (-1.0, 1.0)];
    let within = |point: &[f64]| point.iter().zip(&bounds).all(|(x, (low, high))| (*low..=*high).contains(x));
    for start in [None, Some(vec![0.0, 0.5, -2.5, 0.4, 0.0]), Some(vec![9.0; DIMENSION])] {
        let space = Space { start, bounds: Some(bounds.clone()), ..Space::real(DIMENSION) };
        for entry in LEARNERS {
            let Ok(mut learner) = (entry.build)(&json!({}), &space, 5) else { continue };
            for generation in 0..20 {
                let trials = learner.ask();
                for point in trials.iter().map(|trial| &trial.point).chain([&learner.centre()]) {
                    assert!(within(point), "{}: {point:?}", entry.entry.name);
                }
                learner.tell(&values(&trials, generation));
            }
        }
    }
}

#[test]
fn bits_are_for_the_genetic_algorithm() {
    let space = Space { bits: true, ..Space::real(6) };
    for entry in LEARNERS {
        match (entry.build)(&json!({}), &space, 5) {
            Ok(mut learner) => {
                assert_eq!(entry.entry.name, "genetic");
                let trials = learner.ask();
                assert!(trials.iter().flat_map(|trial| &trial.point).all(|x| *x == 0.0 || *x == 1.0));
            }
            Err(error) => {
                assert_ne!(entry.entry.name, "genetic");
                assert!(matches!(error, SettingError::Value { key: "bits", .. }), "{error}");
            }
        }
    }
}

fn error(entry: &LearnerEntry, settings: &Value) -> Option<SettingError> {
    (entry.build)(settings, &Space::real(DIMENSION), 1).err()
}

#[test]
fn unknown_settings_and_other_kinds_are_errors() {
    for entry in LEARNERS {
        assert_eq!(error(entry, &json!({})), None);
        for bad in [json!({"no_such_setting": 1}), json!({"population": "many"}), json!({"population": -1})] {
            assert!(matches!(error(entry, &bad), Some(SettingError::Form(_))), "{}: {bad}", entry.entry.name);
        }
    }
}

#[test]
fn values_out_of_range_are_errors_that_name_the_key() {
    for (name, setting, bad) in [
        ("noisy-ce", "population", json!({"population": 1})),
        ("noisy-ce", "population", json!({"population": 1_000_000_000_000u64})),
        ("genetic", "population", json!({"population": 1_000_000_000_000u64})),
        ("swarm", "population", json!({"population": 1_000_000_000_000u64})),
        ("cma-es", "population", json!({"population": 1_000_000_000_000u64})),
        ("cma-es", "max_restarts", json!({"population": 100_000, "restarts": "ipop", "max_restarts": 12})),
        ("noisy-ce", "elite", json!({"elite": 0})),
        ("noisy-ce", "elite", json!({"elite": 1})),
        ("noisy-ce", "elite", json!({"elite": 0.1, "population": 9})),
        ("noisy-ce", "deviation", json!({"deviation": 0})),
        ("noisy-ce", "noise_level", json!({"noise_level": -1})),
        ("noisy-ce", "noise_level", json!({"noise_level": 1, "noise": "none"})),
        ("noisy-ce", "noise_decay", json!({"noise_decay": 0.1})),
        ("noisy-ce", "noise_decay", json!({"noise_decay": 1.1, "noise": "geometric"})),
        ("noisy-ce", "tolerance", json!({"tolerance": -1})),
        ("genetic", "population", json!({"population": 1})),
        ("genetic", "population", json!({"population": 3, "selection": "truncation"})),
        ("genetic", "truncation", json!({"truncation": 0.5})),
        ("genetic", "truncation", json!({"truncation": 1.5, "selection": "truncation"})),
        ("genetic", "tournament_size", json!({"tournament_size": 0})),
        ("genetic", "tournament_size", json!({"tournament_size": 2, "selection": "roulette"})),
        ("genetic", "elitism", json!({"elitism": 100})),
        ("genetic", "crossover_rate", json!({"crossover_rate": 1.1})),
        ("genetic", "mutation_rate", json!({"mutation_rate": -0.1})),
        ("genetic", "bounds", json!({"bounds": [1, 0]})),
        ("genetic", "patience", json!({"patience": 0})),
        ("swarm", "population", json!({"population": 1})),
        ("swarm", "inertia", json!({"inertia": 1})),
        ("swarm", "cognitive", json!({"cognitive": -1})),
        ("swarm", "social", json!({"social": 5})),
        ("swarm", "velocity_limit", json!({"velocity_limit": 0})),
        ("swarm", "range", json!({"range": [0, 0]})),
        ("swarm", "forget", json!({"forget": 2})),
        ("swarm", "tolerance", json!({"tolerance": -1})),
    ] {
        match error(learner(name).unwrap(), &bad) {
            Some(SettingError::Value { key, .. }) => assert_eq!(key, setting, "{name}: {bad}"),
            other => panic!("{name}: {bad} gives {other:?}"),
        }
    }
}

/// What would not fit into memory is refused before any is asked for.
#[test]
fn spaces_too_large_for_a_learner_are_refused() {
    for (name, dimension, said) in [
        ("cma-es", 60_000, "parameters = 60000: must be at most 4096"),
        ("genetic", 2_000_000, "population = 100: must be from 2 to 67 with 2000000 parameters"),
    ] {
        let build = learner(name).unwrap().build;
        let error = build(&json!({}), &Space::real(dimension), 1).err().unwrap().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_value_of_another_kind_is_told_with_its_key_in_plain_words() {
    for (name, bad, said) in [
        ("cma-es", json!({"sigma": "abc"}), "sigma: invalid type: string \"abc\", expected a number"),
        ("cma-es", json!({"population": 9, "restarts": "often"}), "restarts: unknown variant `often`"),
        (
            "genetic",
            json!({"population": 1.5}),
            "population: invalid type: floating point `1.5`, expected a whole number",
        ),
        ("genetic", json!({"populaton": 5}), "unknown field `populaton`"),
    ] {
        let error = error(learner(name).unwrap(), &bad).unwrap().to_string();
        assert!(error.starts_with(said), "{name}: {error}");
    }
}
