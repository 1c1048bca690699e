//! CMA-ES as a whole: test functions, bounds, unit length, noise, restarts, resume. Functions are negated: higher is better.

use std::f64::consts::TAU;

use serde_json::json;

use super::*;
use crate::learners::learner;

type Function = fn(&[f64]) -> f64;

fn sphere(x: &[f64]) -> f64 {
    -x.iter().map(|x| x * x).sum::<f64>()
}

fn rosenbrock(x: &[f64]) -> f64 {
    let valley = |w: &[f64]| 100.0 * math::powi(w[0] * w[0] - w[1], 2) + math::powi(w[0] - 1.0, 2);
    -x.windows(2).map(valley).sum::<f64>()
}

fn ellipsoid(x: &[f64]) -> f64 {
    let last = x.len() as f64 - 1.0;
    -x.iter().enumerate().map(|(i, x)| math::powf(1e6, i as f64 / last) * x * x).sum::<f64>()
}

fn rastrigin(x: &[f64]) -> f64 {
    -x.iter().map(|x| 10.0 + x * x - 10.0 * math::cos(TAU * x)).sum::<f64>()
}

fn from(x: f64, dimension: usize) -> Space {
    Space { start: Some(vec![x; dimension]), ..Space::real(dimension) }
}

fn build(settings: &Value, space: &Space, seed: u64) -> Box<dyn Learner> {
    (learner("cma-es").unwrap().build)(settings, space, seed).unwrap()
}

/// A generation; returns its best value.
fn step(learner: &mut dyn Learner, f: &mut dyn FnMut(&Trial) -> f64) -> (usize, f64) {
    let values: Vec<f64> = learner.ask().iter().map(f).collect();
    learner.tell(&values);
    (values.len(), values.iter().copied().fold(f64::MIN, f64::max))
}

/// Runs until it stops, or for so many generations; returns the best value.
fn run(learner: &mut dyn Learner, generations: usize, f: impl Fn(&[f64]) -> f64) -> f64 {
    let mut best = f64::MIN;
    for _ in 0..generations {
        best = best.max(step(learner, &mut |trial| f(&trial.point)).1);
        if learner.stop().is_some() {
            break;
        }
    }
    best
}

/// The median of the evaluations that 11 seeds need to come within 1e-9 of the optimum.
fn median_evaluations(dimension: usize, start: f64, f: Function) -> usize {
    let evaluations = |seed: u64| {
        let mut learner = build(&json!({}), &from(start, dimension), seed);
        let mut used = 0;
        while learner.stop().is_none() {
            let (more, best) = step(learner.as_mut(), &mut |trial| f(&trial.point));
            used += more;
            if best > -1e-9 {
                return used;
            }
        }
        usize::MAX
    };
    let mut all: Vec<usize> = (1..=11).map(evaluations).collect();
    all.sort_unstable();
    all[5]
}

#[test]
fn as_few_evaluations_as_pycma() {
    // The medians of pycma 4.5 with its default settings (5 seeds), and a tenth more. Sigma is 0.5. Rosenbrock begins at
    // 0, where pycma needs those 3800; from 3 some runs end in its second optimum, and a median of 11 says little.
    for (dimension, start, f, pycma) in [
        (8, 3.0, sphere as Function, 1300),
        (8, 0.0, rosenbrock, 3800),
        (8, 3.0, ellipsoid, 3040),
        (22, 3.0, sphere, 3410),
        (22, 0.0, rosenbrock, 20_000),
        (22, 3.0, ellipsoid, 15_400),
    ] {
        let median = median_evaluations(dimension, start, f);
        assert!(10 * median <= 11 * pycma, "dimension {dimension}: {median} evaluations, pycma {pycma}");
    }
}

#[test]
fn parameters_are_those_of_pycma() {
    // As pycma 4.5 prints them: es.sp.weights, es.sp, es.adapt_sigma of cma.CMAEvolutionStrategy(n * [0.1], 0.5).
    let near = |a: f64, b: f64| (a - b).abs() < 1e-13;
    let eight = [
        0.45627264690340597,
        0.2707530970017852,
        0.16223111715866978,
        0.08523354710016448,
        0.025509591835974777,
        -0.08074185751088603,
        -0.22378536120468584,
        -0.34769528022371665,
        -0.45699157469910223,
        -0.5547604416776306,
    ];
    let many = [
        0.3818347890600878,
        0.24582249290900893,
        0.1662604000236473,
        0.10981019675793004,
        0.0660240173767575,
        0.03024810387256846,
        0.0,
        -0.0810476723723043,
        -0.15253678588538344,
        -0.21648597705441464,
        -0.2743350571448721,
        -0.3271471295445685,
        -0.3757295266858796,
    ];
    // mu_eff, c_1, c_mu, c_c, c_sigma, d_sigma.
    let rates = [3.1672992814107017, 0.022307163120344784, 0.033596414630051884, 0.34365014154838464];
    let sigma = [0.3647342502456241, 1.3647342502456241];
    let more_rates = [3.9808691729539927, 0.0036571704816251195, 0.008559146439559113, 0.15859816793309495];
    let more_sigma = [0.20637300894120728, 1.2063730089412072];
    for (n, weights, rates, sigma) in [(8, &eight[..], rates, sigma), (22, &many[..], more_rates, more_sigma)]
    {
        let p = Parameters::new(n, parameters::default_population(n), true);
        assert_eq!(p.weights.len(), weights.len());
        assert!(p.weights.iter().zip(weights).all(|(&a, &b)| near(a, b)), "{:?}", p.weights);
        let own = [p.mu_eff, p.c_1, p.c_mu, p.c_c];
        assert!(own.iter().zip(rates).all(|(&a, b)| near(a, b)), "{own:?}");
        assert!(near(p.c_sigma, sigma[0]) && near(p.d_sigma, sigma[1]));
        let plain = Parameters::new(n, weights.len(), false);
        assert!(plain.weights[p.mu..].iter().all(|weight| *weight == 0.0));
    }
}

#[test]
fn without_active_update_it_converges_too() {
    let mut learner = build(&json!({ "active": false }), &from(1.0, 5), 1);
    assert!(run(learner.as_mut(), 1000, ellipsoid) > -1e-9);
}

#[test]
fn one_dimension() {
    let mut learner = build(&json!({}), &Space::real(1), 3);
    assert!(run(learner.as_mut(), 400, |x| -math::powi(x[0] - 4.0, 2)) > -1e-9);
    assert!((learner.centre()[0] - 4.0).abs() < 1e-4);
}

#[test]
fn an_optimum_on_the_bounds_is_found() {
    // The best of the box for the first two is a bound, for the third the bound itself is the optimum.
    let bounds = Some(vec![(1.0, 3.0), (-700.0, -3.0), (-2.0, 0.0), (-5.0, 5.0)]);
    let f = |x: &[f64]| -x[0] * x[0] - math::powi(x[1] / 100.0, 2) - x[2] * x[2] - math::powi(x[3] - 0.5, 2);
    for seed in 1..=5 {
        let mut learner = build(&json!({}), &Space { bounds: bounds.clone(), ..Space::real(4) }, seed);
        let mut inside = true;
        while learner.stop().is_none() {
            step(learner.as_mut(), &mut |trial| {
                inside &=
                    trial.point.iter().zip(bounds.as_ref().unwrap()).all(|(x, b)| b.0 <= *x && *x <= b.1);
                f(&trial.point)
            });
        }
        assert!(inside);
        let centre = learner.centre();
        let off = centre.iter().zip([1.0, -3.0, 0.0, 0.5]).map(|(x, best)| (x - best).abs());
        assert!(off.fold(0.0, f64::max) < 1e-4, "{centre:?} {:?}", learner.stop());
    }
}

#[test]
fn the_map_into_the_bounds_is_smooth_and_has_an_inverse() {
    let interval = Interval { low: -1.0, high: 4.0 };
    for i in 0..=1000 {
        let x = -1.0 + f64::from(i) / 200.0;
        assert!((interval.image(interval.free(x)) - x).abs() < 1e-12);
    }
    let mut last = interval.image(-30.0);
    for i in 1..60_000 {
        let image = interval.image(-30.0 + f64::from(i) * 1e-3);
        assert!((-1.0..=4.0).contains(&image) && (image - last).abs() <= 1e-3 + 1e-12);
        last = image;
    }
    assert_eq!((interval.image(2.0), interval.free(2.0)), (2.0, 2.0));
}

#[test]
fn unit_length_finds_a_direction() {
    let target: Vec<f64> = (0..8).map(|i| f64::from(i) - 2.5).collect();
    let length = sphere(&target).abs().sqrt();
    // Any length has this value: without unit length nothing would keep the distribution where it is.
    let f =
        |x: &[f64]| x.iter().zip(&target).map(|(x, t)| x * t).sum::<f64>() / sphere(x).abs().sqrt() / length;
    for (start, seed) in [("zero", 1), ("zero", 2), ("unit", 3), ("unit", 4)] {
        let mut learner = build(&json!({ "normalize": true, "start": start }), &Space::real(8), seed);
        for _ in 0..300 {
            step(learner.as_mut(), &mut |trial| {
                assert!((sphere(&trial.point) + 1.0).abs() < 1e-12);
                f(&trial.point)
            });
        }
        assert!(f(&learner.centre()) > 1.0 - 1e-9, "{start} {seed}: {}", f(&learner.centre()));
        assert!((sphere(&learner.centre()) + 1.0).abs() < 1e-12);
    }
}

/// A sphere whose values have noise of deviation 1, less with more effort.
fn noisy_run(settings: &Value, generations: usize) -> (f64, f64) {
    let mut learner = build(settings, &from(3.0, 6), 7);
    let mut noise = Random::seeded(11);
    let mut effort: f64 = 1.0;
    for _ in 0..generations {
        effort = effort.max(learner.effort());
        let games = learner.effort().sqrt();
        step(learner.as_mut(), &mut |trial| sphere(&trial.point) + noise.normal() / games);
    }
    (sphere(&learner.centre()), effort)
}

#[test]
fn a_noisy_sphere_is_climbed() {
    let (centre, effort) = noisy_run(&json!({ "stagnation": 0 }), 300);
    assert!(centre > -3.0, "{centre}");
    assert_eq!(effort, 1.0);
    let (centre, effort) = noisy_run(&json!({ "uncertainty": true, "max_effort": 30.0 }), 300);
    assert!(centre > -1.0, "{centre}");
    assert_eq!(effort, 30.0);
}

#[test]
fn no_noise_no_effort() {
    let mut learner = build(&json!({ "uncertainty": true }), &from(3.0, 6), 1);
    let mut series = [0, 0];
    for _ in 0..100 {
        // The second series has games that are easier for all.
        step(learner.as_mut(), &mut |trial| {
            series[trial.series as usize] += 1;
            sphere(&trial.point) + f64::from(trial.series) * 1000.0
        });
        assert_eq!(learner.effort(), 1.0);
    }
    assert_eq!(series, [900, 200]);
    assert!(sphere(&learner.centre()) > -1e-3);
}

#[test]
fn restarts_find_the_optimum_among_many() {
    let mut restarts = 0;
    for (kind, seed) in [("ipop", 1), ("ipop", 2), ("ipop", 3), ("bipop", 1), ("bipop", 2), ("bipop", 3)] {
        let mut learner = build(&json!({ "restarts": kind, "sigma": 1.0 }), &from(3.3, 4), seed);
        let mut best = f64::MIN;
        for _ in 0..5000 {
            best = best.max(step(learner.as_mut(), &mut |trial| rastrigin(&trial.point)).1);
            if best > -1e-9 {
                break;
            }
        }
        assert!(best > -1e-9, "{kind} {seed}: {best}");
        restarts += learner.standing().restarts;
        // The next run does not make it forget.
        let finished = learner.standing().restarts;
        while learner.standing().restarts == finished && learner.stop().is_none() {
            step(learner.as_mut(), &mut |trial| rastrigin(&trial.point));
        }
        step(learner.as_mut(), &mut |trial| rastrigin(&trial.point));
        assert!(rastrigin(&learner.centre()) > -1e-6);
    }
    assert!(restarts > 5, "{restarts}");
}

#[test]
fn a_flat_function_stops_and_says_why() {
    let mut learner = build(&json!({}), &Space::real(3), 1);
    run(learner.as_mut(), 100, |_| 0.0);
    let standing = learner.standing();
    assert_eq!(learner.stop().unwrap(), "all values were equal for tol_flat = 10 generations");
    assert_eq!(standing.generation, 10);
    assert!(standing.step.unwrap() > 0.5);

    let mut learner = build(&json!({ "restarts": "ipop", "max_restarts": 2 }), &Space::real(3), 1);
    run(learner.as_mut(), 100, |_| 0.0);
    assert_eq!((learner.standing().generation, learner.standing().restarts), (30, 2));
    assert!(learner.stop().is_some());
}

#[test]
fn every_way_to_stop_has_its_reason() {
    let cases: [(&str, Value, Function); 6] = [
        ("shorter than tol_x", json!({ "tol_x": 1e-3 }), sphere),
        ("less than tol_fun =", json!({ "tol_fun": 1e-6 }), sphere),
        ("less than tol_fun_hist", json!({ "tol_fun": 0.0, "tol_fun_hist": 1e-6 }), sphere),
        ("max_condition", json!({ "max_condition": 1e4 }), ellipsoid),
        ("diverges", json!({}), |x| x[0]),
        ("stagnation", json!({ "stagnation": 120 }), |x| math::sin(x.iter().sum::<f64>() * 1e9)),
    ];
    for (words, settings, f) in cases {
        let mut learner = build(&settings, &from(1.0, 4), 5);
        run(learner.as_mut(), 5000, f);
        let reason = learner.stop().unwrap_or_default();
        assert!(reason.contains(words), "{words}: {reason}");
    }
    // With no tolerance at all it goes on until the numbers end.
    let none = json!({ "tol_x": 0.0, "tol_fun": 0.0, "tol_fun_hist": 0.0, "tol_flat": 0, "stagnation": 0 });
    let mut learner = build(&none, &from(1.0, 4), 5);
    run(learner.as_mut(), 5000, |x| -math::powi(x[0] - 1.0, 2) - x[1] * x[1] - x[2] * x[2] - x[3] * x[3]);
    assert!(learner.stop().unwrap().contains("too short to change"), "{:?}", learner.stop());
}

#[test]
fn the_state_stays_finite_whatever_the_values() {
    let functions: [Function; 4] =
        [|x| x[0].clamp(-1e300, 1e300), |_| 1.0, |x| x[0].signum() * 1e308, |x| -x[0] * x[0]];
    for f in functions {
        for settings in
            [json!({}), json!({ "uncertainty": true }), json!({ "normalize": true, "sigma": 1e-6 })]
        {
            let mut learner = build(&settings, &Space::real(2), 1);
            for _ in 0..3000 {
                // Told on and on, though it has said stop.
                step(learner.as_mut(), &mut |trial| f(&trial.point).clamp(-1e300, 1e300));
            }
            // What is not finite is saved as null, and null is no number.
            assert!((CMA_ES.load)(learner.save()).is_ok(), "{settings}");
            let standing = learner.standing();
            let numbers = standing.deviations.iter().chain(&standing.axes).chain(&standing.step);
            assert!(numbers.chain(&learner.centre()).all(|number| number.is_finite()));
        }
    }
}

#[test]
fn a_resumed_run_goes_on_bit_for_bit() {
    let bounds = Some(vec![(-4.0, 6.0); 5]);
    let all = json!({
        "uncertainty": true, "restarts": "bipop", "population": 9, "sigma": 0.7, "tol_fun": 1e-3, "tol_fun_hist": 1e-3,
    });
    let unit = json!({
        "uncertainty": true, "restarts": "ipop", "normalize": true, "start": "unit",
        "tol_x": 0.1, "max_restarts": 2,
    });
    for (settings, space) in [(all, Space { bounds, ..Space::real(5) }), (unit, Space::real(5))] {
        let mut noise = Random::seeded(2);
        let mut learner = build(&settings, &space, 3);
        let mut again = build(&settings, &space, 3);
        for generation in 0..600 {
            if generation % 7 == 0 {
                let text = again.save().to_string();
                again = (CMA_ES.load)(serde_json::from_str(&text).unwrap()).unwrap();
            }
            let trials = learner.ask();
            assert_eq!(trials, again.ask(), "generation {generation}");
            let values: Vec<f64> =
                trials.iter().map(|trial| rastrigin(&trial.point) + 1e-4 * noise.normal()).collect();
            learner.tell(&values);
            again.tell(&values);
            assert_eq!(learner.standing(), again.standing());
            assert_eq!((learner.effort(), learner.centre()), (again.effort(), again.centre()));
        }
        assert!(learner.standing().restarts > 1, "{settings}: {}", learner.standing().restarts);
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let refused = |settings: Value, space: &Space| {
        (CMA_ES.build)(&settings, space, 1).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let space = Space::real(3);
    for (settings, said) in [
        (json!({ "population": 3 }), "population = 3: must be from 4 to 100000 with 3 parameters"),
        (json!({ "sigma": 0.0 }), "sigma = 0: must be greater than 0, at most 1e9"),
        (json!({ "max_restarts": 40 }), "max_restarts = 40: must be from 0 to 12"),
        (json!({ "max_effort": 0.5 }), "max_effort = 0.5: must be from 1 to 1e6"),
        (json!({ "tol_x": -1.0 }), "tol_x = -1: must be 0 (never) or greater"),
        (json!({ "max_condition": 1.0 }), "max_condition = 1: must be greater than 1, at most 1e15"),
    ] {
        assert_eq!(refused(settings, &space), said);
    }
    assert!(refused(json!({ "sigmas": 1.0 }), &space).contains("unknown field"));
    assert!(refused(json!({ "restarts": "often" }), &space).contains("unknown variant"));
    let bounded = Space { bounds: Some(vec![(0.0, 1.0); 3]), ..Space::real(3) };
    assert!(refused(json!({ "normalize": true }), &bounded).contains("bounds"));
    assert!(refused(json!({ "start": "unit" }), &bounded).contains("bounds"));
    let outside = Space { start: Some(vec![0.5, 2.0, 0.5]), ..bounded };
    assert_eq!(refused(json!({}), &outside), "start = 2: must be from 0 to 1");
    let bits = Space { bits: true, ..Space::real(3) };
    assert!(refused(json!({}), &bits).contains("bits"));
}
