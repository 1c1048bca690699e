use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use games::othello::patterns::PatternSet;
use games::othello::{Othello, Phases};
use games::rules::Fixed;
use games::{Dice, Game, Side};

use super::criteria::Sums;
use super::judge::judge;
use super::positions::{Example, HeldOut, Positions, PositionsError, read};
use super::regress::{Fitted, Settings, regress};
use super::*;
use crate::search::alpha_beta::AlphaBeta;
use crate::search::tabled::{Tabled, TabledAfresh};
use crate::search::{Limits, Searcher};
use crate::solve::file::sealed;
use crate::threads::on_threads;

const SMALL: &str =
    "edge: a1 b1 c1 d1\ncorner: a1 b1 a2 b2\nlong: a1 b2 c3 d4 e5 f6 g7 h8\nmobility\nparity\n";

fn small() -> PatternSet {
    PatternSet::parse(SMALL).unwrap()
}

/// Positions of random games; the score is what `score` says of the discs of both sides.
fn positions(seed: u64, games: u32, score: impl Fn(u64, u64) -> i8) -> Positions {
    let (mut dice, mut moves, mut all) = (Dice::seeded(&[seed]), Vec::new(), Vec::new());
    for game in 0..games {
        let mut board = Othello::start(&Fixed);
        while let Some(mv) = board.random_move(&mut dice, &mut moves) {
            let (own, other) = (board.own(), board.opponent());
            all.push(Example { own, other, game, score: score(own, other) });
            board.play_unchecked(mv);
        }
    }
    Positions::new(all)
}

fn any_model(seed: u64) -> TableModel {
    let (set, phases) = (small(), Phases::parse("phases(3)").unwrap());
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
    TableModel::new(set, phases, Form::Linear, &weights, "for  a\ntest")
}

fn go_on(_share: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn fit(set: &PatternSet, positions: &Positions, settings: &Settings) -> Vec<Fitted> {
    regress(set, &Phases::parse("phases(3)").unwrap(), positions, settings, &go_on).unwrap()
}

#[test]
fn a_file_gives_back_the_same_function() {
    let model = any_model(1);
    let path = std::env::temp_dir().join(format!("evalforge-tables-{}.tables", std::process::id()));
    model.save(&path).unwrap();
    assert_eq!(TableModel::load(&path).unwrap(), model);
    assert_eq!(model.about(), "for a test");
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
        let model = Arc::new(any_model(seed));
        let mut kept = AlphaBeta::new(Tabled(model.clone()), 1);
        let mut afresh = AlphaBeta::new(TabledAfresh(model), 1);
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
    for one in positions(4, 3, |_, _| 0).all() {
        let value = model.fresh_value(one.own, one.other);
        let black = Othello::new(one.own, one.other, Side::First);
        for symmetry in 1..8 {
            let image = black.mirrored(symmetry);
            assert_eq!(model.fresh_value(image.own(), image.opponent()), value);
        }
        let indices = model.set().fresh(one.other, one.own);
        assert_eq!(model.value(&indices, one.own, one.other, false), value, "white sees the same as black");
        let shares = model.shares(one.own, one.other);
        assert_eq!(shares.iter().map(|(_, share)| share).sum::<f64>(), value);
        assert_eq!(
            shares.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["edge", "corner", "long", "mobility", "parity"]
        );
    }
}

/// Least squares in the smallest form: the slope of the penalised loss is 0 at what was found.
#[test]
fn what_is_fitted_solves_its_equations() {
    let set = small();
    let phases = Phases::one();
    // The score follows the corners, and something that the patterns do not see.
    let corners = |discs: u64| (discs & games::othello::CORNERS).count_ones() as i8;
    let data = positions(5, 60, |own, other| 8 * (corners(own) - corners(other)) + (own % 7) as i8);
    let settings =
        Settings { l2: 2.0, min_count: 3.0, iterations: 500, tolerance: 1e-7, ..Settings::default() };
    let fitted = regress(&set, &phases, &data, &settings, &go_on).unwrap().remove(0);
    let ties = set.ties();
    let entries = |one: &Example| {
        let mut entries: Vec<usize> = Vec::new();
        let indices = set.fresh(one.own, one.other);
        entries.extend(
            set.tables()
                .iter()
                .zip(indices.numbers())
                .map(|(&table, &number)| ties[table as usize + usize::from(number)] as usize),
        );
        set.each_count(one.own, one.other, |entry| entries.push(entry));
        entries
    };
    let (mut slope, mut counts) = (vec![0.0; set.weights()], vec![0; set.weights()]);
    for one in data.all() {
        let shown = entries(one);
        let value: f64 = shown.iter().map(|&entry| fitted.weights[entry]).sum();
        for &entry in &shown {
            slope[entry] += value - f64::from(one.score);
            counts[entry] += 1;
        }
    }
    let mut free = 0;
    for number in (0..set.weights()).filter(|&number| ties[number] as usize == number) {
        let weight = fitted.weights[number];
        match counts[number] >= 3 {
            true => {
                free += 1;
                assert!(
                    (slope[number] + 2.0 * weight).abs() < 0.05,
                    "entry {number}: {} {weight}",
                    slope[number]
                );
            }
            false => assert_eq!(weight, 0.0, "seen {} times", counts[number]),
        }
    }
    assert_eq!(fitted.seen, free);
    assert!(
        ties.iter()
            .enumerate()
            .all(|(number, &lowest)| fitted.weights[number] == fitted.weights[lowest as usize])
    );
}

#[test]
fn threads_do_not_change_a_bit() {
    let set = small();
    // Enough for several pieces.
    let data = positions(6, 1200, |own, other| (own.count_ones() as i8) - other.count_ones() as i8);
    for form in Form::ALL {
        let settings = Settings { form, smooth: 0.5, iterations: 5, ..Settings::default() };
        let one = on_threads(1, || fit(&set, &data, &settings)).unwrap();
        assert_eq!(on_threads(3, || fit(&set, &data, &settings)).unwrap(), one);
    }
    let criteria = || Sums::fit("criteria", Phases::one(), &data, 1.0).unwrap().weights;
    assert_eq!(on_threads(1, criteria).unwrap(), on_threads(3, criteria).unwrap());
}

#[test]
fn both_forms_learn_who_wins_and_beat_saying_nothing() {
    let set = small();
    let corners = |discs: u64| (discs & games::othello::CORNERS).count_ones() as i8;
    let score = |own: u64, other: u64| 10 * (corners(own) - corners(other));
    let (data, test) = (positions(7, 400, score), positions(8, 50, score));
    let phases = Phases::parse("phases(3)").unwrap();
    for form in Form::ALL {
        let settings = Settings { form, ..Settings::default() };
        let weights: Vec<Vec<f64>> = fit(&set, &data, &settings).into_iter().map(|one| one.weights).collect();
        let model = TableModel::new(set.clone(), phases.clone(), form, &weights, "");
        let judged = judge(&test, &phases, form, &|one| model.fresh_value(one.own, one.other)).unwrap();
        // Drawn positions cost the logistic form as much as saying nothing.
        assert!(judged.all.mean < 0.6 * judged.constant.mean, "{form:?} {judged:?}");
        assert!(judged.winner.unwrap().mean > 0.97, "{form:?} {judged:?}");
    }
    // The corners alone explain all of it.
    let sums = Sums::fit("corners,mobility", phases.clone(), &data, 0.0).unwrap();
    let judged = judge(&test, &phases, Form::Linear, &|one| sums.value(one)).unwrap();
    assert!(judged.all.mean < 1e-6, "{judged:?}");
    assert!((sums.weights[2][0] - 10.0).abs() < 1e-6 && sums.weights[2][1].abs() < 1e-6);
}

#[test]
fn neighbouring_phases_can_be_heard() {
    // Nothing on the board tells the phases apart: the middle is always taken.
    let set = PatternSet::parse("middle: d4\nparity").unwrap();
    let data = positions(9, 200, |own, other| if (own | other).count_ones() < 45 { -20 } else { 20 });
    let last = |smooth: f64| {
        let settings = Settings { smooth, ..Settings::default() };
        let fitted = fit(&set, &data, &settings);
        let phases = Phases::parse("phases(3)").unwrap();
        let weights: Vec<Vec<f64>> = fitted.into_iter().map(|one| one.weights).collect();
        let model = TableModel::new(set.clone(), phases, Form::Linear, &weights, "");
        let one = data.all().last().unwrap();
        model.fresh_value(one.own, one.other)
    };
    assert!((last(0.0) - 20.0).abs() < 0.5, "{}", last(0.0));
    assert!(last(1.0) < 5.0 && last(0.1) < last(0.0) && last(0.1) > last(1.0), "{} {}", last(0.1), last(1.0));
}

#[test]
fn games_are_divided_by_year_or_by_lot() {
    let folder = std::env::temp_dir().join(format!("evalforge-tables-{}-games", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    assert!(matches!(
        read(std::slice::from_ref(&folder), (4, 64), HeldOut::From(2000), &go_on),
        Err(PositionsError::NoFiles(_))
    ));
    for (year, seed) in [(2015u16, 1), (2018, 2)] {
        let (mut bytes, _) = crate::data::wthor::tests::file(seed, 30);
        bytes[10..12].copy_from_slice(&year.to_le_bytes());
        fs::write(folder.join(format!("WTH_{year}.wtb")), bytes).unwrap();
    }
    let paths: Vec<PathBuf> = vec![folder.clone()];
    let split = read(&paths, (4, 64), HeldOut::From(2016), &go_on).unwrap();
    assert_eq!(split.games, [30, 30]);
    assert!(split.training.all().len() > 30 * 50 && split.training.with_discs((4, 4)).len() == 30);
    assert_eq!(split.training.with_discs((0, 64)), split.training.all());
    let lot = read(&paths, (4, 64), HeldOut::Share(0.25, 1), &go_on).unwrap();
    assert_eq!(lot.games[0] + lot.games[1], 60);
    assert!((5..30).contains(&lot.games[1]), "{:?}", lot.games);
    assert!(matches!(read(&paths, (4, 64), HeldOut::From(2019), &go_on), Err(PositionsError::Empty(_))));
    assert!(matches!(
        read(&paths, (4, 64), HeldOut::From(2016), &|_| ControlFlow::Break(())),
        Err(PositionsError::BrokenOff)
    ));
    let late = read(&paths, (40, 50), HeldOut::From(2016), &go_on).unwrap();
    assert_eq!(late.training.all(), split.training.with_discs((40, 50)));
    fs::remove_dir_all(folder).unwrap();
}
