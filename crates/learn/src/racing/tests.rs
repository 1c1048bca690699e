use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::random::Random;

/// Races of exactly so many games at most.
fn racing(bound: &str, low: f64, high: f64, games: usize) -> Racing {
    let value = json!({"bound": bound, "low": low, "high": high, "maximum": games});
    let mut racing = Racing::new(&value).unwrap();
    racing.limit = games as f64;
    racing
}

/// Runs a race to its end; `play(candidate, game)` is the value of a game.
fn run(mut race: Race, mut play: impl FnMut(usize, usize) -> f64) -> Race {
    loop {
        let wanted = race.wanted();
        if wanted.is_empty() {
            return race;
        }
        let round = race.round();
        let values: Vec<f64> = wanted.iter().map(|&i| play(i, round)).collect();
        race.tell(&values);
    }
}

fn of_fate(race: &Race, fate: Fate) -> Vec<usize> {
    (0..race.runners.len()).filter(|&i| race.runners[i].fate == fate).collect()
}

#[test]
fn the_bounds_are_those_of_the_paper() {
    let of = |bound: &str| racing(bound, 150.0, 2000.0, 100).settings.half_width(900.0, 800.0, 25.0, 1000.0);
    // 1850 sqrt(ln(40000) / 50); 800 sqrt(2 ln(60000) / 25) + 5550 ln(60000) / 25; 1800 / 5.
    assert!((of("hoeffding") - 851.6687).abs() < 1e-3, "{}", of("hoeffding"));
    assert!((of("bernstein") - 3193.0043).abs() < 1e-3, "{}", of("bernstein"));
    assert_eq!(of("tetris"), 360.0);
}

#[test]
fn a_far_better_candidate_leaves_the_race_and_the_rest_go_on() {
    let race = run(racing("hoeffding", 0.0, 1.0, 200).race(4, 2), |i, _| [1.0, 0.5, 0.5, 0.0][i]);
    assert_eq!((of_fate(&race, Fate::Selected), of_fate(&race, Fate::Discarded)), (vec![0], vec![3]));
    assert!(!race.decided() && race.wanted().is_empty());
    let counts = race.counts();
    assert!(counts[0] == counts[3] && counts[0] < 200 && counts[1] == 200 && counts[2] == 200, "{counts:?}");
    assert_eq!(race.games(), counts.iter().sum::<usize>());
}

#[test]
fn everybody_plays_the_minimum_and_nobody_more_than_the_limit() {
    let mut racing = Racing::new(&json!({"bound": "tetris", "minimum": 5, "maximum": 9})).unwrap();
    let race = run(racing.race(3, 1), |i, _| [100.0, 1.0, 1.0][i]);
    assert_eq!(race.counts(), [5, 5, 5]);
    for limit in [7, 9, 9] {
        let race = run(racing.race(2, 1), |_, _| 5.0);
        assert!(!race.decided());
        racing.settle(&race); // (4)
        assert_eq!(racing.limit(), limit);
    }
    for limit in [6, 5, 5] {
        let race = run(racing.race(2, 1), |i, _| [100.0, 1.0][i]);
        assert!(race.decided());
        racing.settle(&race); // (3)
        assert_eq!(racing.limit(), limit);
    }
}

/// With the update as it is printed, the second interval would end below its own mean.
#[test]
fn an_interval_holds_its_mean() {
    let mut race = racing("hoeffding", 0.0, 1.0, 30).race(2, 1);
    for _ in 0..30 {
        race.tell(&[0.52, 0.48]);
        for runner in &race.runners {
            assert!(runner.lower < runner.mean && runner.mean < runner.upper, "{runner:?}");
        }
    }
    assert!(!race.decided());
}

#[test]
fn values_never_contradict_the_race() {
    let mut race = racing("hoeffding", 0.0, 1.0, 50).race(5, 2);
    race.tell(&[0.1, 0.5, 0.7, 0.9, 0.2]);
    for (runner, fate) in race.runners.iter_mut().zip([
        Fate::Selected,
        Fate::Undecided,
        Fate::Undecided,
        Fate::Discarded,
        Fate::Discarded,
    ]) {
        runner.fate = fate;
    }
    let values = race.values();
    assert_eq!((values[1], values[2], values[4]), (0.5, 0.7, 0.2));
    assert!(values[0] > 0.7 && values[0] < 0.701 && values[3] < 0.5 && values[3] > 0.499, "{values:?}");
}

/// Values of 0 and 1, as wide as the range allows: a wrong decision about anybody, in at most a share delta of races.
#[test]
fn decisions_are_right_with_the_promised_probability() {
    for bound in ["hoeffding", "bernstein"] {
        let (mut random, mut wrong, mut settled) = (Random::seeded(7), 0, 0);
        for _ in 0..400 {
            let chances: Vec<f64> = (0..6).map(|i| 0.05 + 0.18 * f64::from(i)).collect();
            let race = run(racing(bound, 0.0, 1.0, 300).race(6, 2), |i, _| {
                f64::from(u8::from(random.unit() < chances[i]))
            });
            wrong += usize::from(
                of_fate(&race, Fate::Selected).iter().any(|&i| i < 4)
                    || of_fate(&race, Fate::Discarded).iter().any(|&i| i >= 4),
            );
            settled += race.runners.iter().filter(|runner| runner.fate != Fate::Undecided).count();
        }
        assert!(wrong <= 20, "{bound}: {wrong} of 400 races wrong, 20 are allowed");
        assert!(settled > 400, "{bound}: only {settled} candidates decided, so that nothing was tested");
    }
}

/// Section 5.4: where the deviation is about the mean, Bernstein's races save nothing and Hoeffding's do. Exponential
/// scores cut off at b, five bad candidates and five good ones to be selected, 200 games each at most, 20 races.
#[test]
fn hoeffding_saves_games_of_exponential_scores_and_bernstein_does_not() {
    let games = |bound: &str| -> usize {
        let mut random = Random::seeded(11);
        let mut race = || {
            run(racing(bound, 0.0, 2000.0, 200).race(10, 5), |i, _| {
                let mean = [10.0, 20.0, 30.0, 40.0, 50.0, 900.0, 925.0, 950.0, 975.0, 1000.0][i];
                (-mean * math::ln(1.0 - random.unit())).min(2000.0)
            })
        };
        (0..20).map(|_| race().games()).sum()
    };
    let (hoeffding, bernstein, tetris) = (games("hoeffding"), games("bernstein"), games("tetris"));
    assert_eq!(bernstein, 40_000);
    assert!(hoeffding < 32_000, "{hoeffding}");
    assert!(tetris < hoeffding, "{tetris}");
}

#[test]
fn settings_that_cannot_be_are_errors() {
    let range = json!({"low": 0, "high": 1});
    assert!(Racing::new(&range).is_ok() && Racing::new(&json!({"bound": "tetris"})).is_ok());
    for (key, value) in [
        ("delta", json!(0)),
        ("delta", json!(1)),
        ("low", json!(1)),
        ("low", json!(null)),
        ("high", json!(null)),
        ("alpha", json!(1)),
        ("minimum", json!(0)),
        ("maximum", json!(2)),
        ("bound", json!("tight")),
        ("speed", json!(1)),
    ] {
        let mut bad = range.clone();
        bad[key] = value;
        assert!(Racing::new(&bad).is_err(), "{bad}");
    }
}

#[test]
fn saved_racing_goes_on() {
    let mut racing = racing("hoeffding", 0.0, 1.0, 100);
    racing.limit = 4.5;
    let text = serde_json::to_string(&racing).unwrap();
    assert_eq!(serde_json::from_str::<Racing>(&text).unwrap(), racing);
}

proptest! {
    /// The same games in another order of candidates: the same counts, fates and values.
    #[test]
    fn the_order_of_candidates_does_not_matter(
        means in prop::collection::vec(0.0..1.0f64, 2..9),
        bound in prop::sample::select(vec!["hoeffding", "bernstein", "tetris"]),
        seed: u64,
    ) {
        let (n, mut random) = (means.len(), Random::seeded(seed));
        let mut order: Vec<usize> = (0..n).collect();
        for i in 1..n {
            order.swap(i, random.below(i + 1));
        }
        let parents = 1 + random.below(n);
        let games: Vec<Vec<f64>> =
            means.iter().map(|mean| (0..40).map(|_| 0.5 * mean + 0.5 * random.unit()).collect()).collect();
        let start = racing(bound, 0.0, 1.0, 40).race(n, parents);
        let straight = run(start.clone(), |i, game| games[i][game]);
        let shuffled = run(start, |i, game| games[order[i]][game]);
        let (values, counts) = (straight.values(), straight.counts());
        for i in 0..n {
            prop_assert_eq!(shuffled.runners[i].fate, straight.runners[order[i]].fate);
            prop_assert_eq!(shuffled.counts()[i], counts[order[i]]);
            prop_assert_eq!(shuffled.values()[i], values[order[i]]);
        }
        for i in 0..n {
            for j in 0..n {
                let (fate, other) = (straight.runners[i].fate, straight.runners[j].fate);
                prop_assert!(fate <= other || values[i] > values[j]);
            }
        }
        prop_assert!(!straight.decided() || bound == "tetris" || straight.selected().len() == parents);
    }
}
