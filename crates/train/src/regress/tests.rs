use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use games::othello::patterns::PatternSet;
use games::othello::{Othello, Phases};
use games::rules::Fixed;
use games::{Dice, Game, Side};
use play::evaluator::{Evaluator, ModelFile};
use play::patterns::{Form, TableModel};
use play::threads::on_threads;

use super::criteria::Sums;
use super::metrics::judge;
use super::patterns::{Fitted, Settings, regress};
use super::positions::{Example, Gatherer, Positions};
use super::read::{HeldOut, PositionsError, Split, Wanted, read};
use crate::data::{Format, Header, Labelled, Writer};

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
    kept(&all, usize::MAX)
}

/// These positions, so many at most in memory.
fn kept(all: &[Example], room: usize) -> Positions {
    let mut gatherer = Gatherer::new(room);
    all.iter().for_each(|one| gatherer.push(*one).unwrap());
    gatherer.finish().unwrap()
}

/// All positions with so many discs.
fn listed(positions: &Positions, discs: (u32, u32)) -> Vec<Example> {
    let mut all = Vec::new();
    for piece in positions.pieces(discs, 37) {
        piece.each(|one| all.push(*one)).unwrap();
    }
    assert_eq!(all.len(), positions.with_discs(discs));
    all
}

fn all(positions: &Positions) -> Vec<Example> {
    listed(positions, (0, 64))
}

fn go_on(_share: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn fit(set: &PatternSet, positions: &Positions, settings: &Settings) -> Vec<Fitted> {
    regress(set, &Phases::parse("phases(3)").unwrap(), positions, settings, &go_on).unwrap()
}

/// The share of each of three equal phases in a board, counted plainly: 1 in the middle of a phase, falling to 0 in those beside it.
fn plain_shares(discs: u32) -> [f64; 3] {
    let middles = [14.5, 34.5, 54.5];
    let discs = f64::from(discs).clamp(middles[0], middles[2]);
    middles.map(|middle| (1.0 - (discs - middle).abs() / 20.0).max(0.0))
}

/// Least squares in the smallest form: the slope of the penalised loss is 0 at what was found.
#[test]
fn what_is_fitted_solves_its_equations() {
    solves_its_equations("phases(1)", |_| [1.0, 0.0, 0.0]);
    solves_its_equations("phases(3,interpolated)", plain_shares);
}

fn solves_its_equations(phases: &str, shares: fn(u32) -> [f64; 3]) {
    let set = small();
    let phases = Phases::parse(phases).unwrap();
    // The score follows the corners, and something that the patterns do not see.
    let corners = |discs: u64| (discs & games::othello::CORNERS).count_ones() as i8;
    let data = positions(5, 60, |own, other| 8 * (corners(own) - corners(other)) + (own % 7) as i8);
    let settings =
        Settings { l2: 2.0, min_count: 3.0, iterations: 500, tolerance: 1e-7, ..Settings::default() };
    let fitted = regress(&set, &phases, &data, &settings, &go_on).unwrap();
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
    let none = vec![0.0; set.weights()];
    let (mut slope, mut counts) = (vec![none.clone(); 3], vec![none; 3]);
    for one in &all(&data) {
        let (shown, shares) = (entries(one), shares(one.discs()));
        let of_phase = |(phase, fitted): (usize, &Fitted)| -> f64 {
            shares[phase] * shown.iter().map(|&entry| fitted.weights[entry]).sum::<f64>()
        };
        let value: f64 = fitted.iter().enumerate().map(of_phase).sum();
        for (phase, share) in shares.into_iter().enumerate() {
            for &entry in &shown {
                slope[phase][entry] += share * (value - f64::from(one.score));
                counts[phase][entry] += share;
            }
        }
    }
    for (phase, fitted) in fitted.iter().enumerate() {
        let mut free = 0;
        for number in (0..set.weights()).filter(|&number| ties[number] as usize == number) {
            let (weight, slope, count) =
                (fitted.weights[number], slope[phase][number], counts[phase][number]);
            // Sums of shares may miss a whole number by the last bit.
            match count >= 3.0 - 1e-9 {
                true => {
                    free += 1;
                    assert!((slope + 2.0 * weight).abs() < 0.05, "entry {number}: {slope} {weight}");
                }
                false => assert_eq!(weight, 0.0, "seen {count} times"),
            }
        }
        assert_eq!(fitted.seen, free);
        assert!(
            ties.iter()
                .enumerate()
                .all(|(number, &lowest)| fitted.weights[number] == fitted.weights[lowest as usize])
        );
    }
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
    let mixed = Phases::parse("phases(3,interpolated)").unwrap();
    let settings = Settings { iterations: 5, ..Settings::default() };
    let tables = || regress(&set, &mixed, &data, &settings, &go_on).unwrap();
    assert_eq!(on_threads(1, tables).unwrap(), on_threads(3, tables).unwrap());
    for phases in [Phases::one(), mixed.clone()] {
        let criteria = || Sums::fit("criteria", 1, phases.clone(), &data, 1.0).unwrap().weights;
        assert_eq!(on_threads(1, criteria).unwrap(), on_threads(3, criteria).unwrap());
    }
}

#[test]
fn memory_does_not_change_a_bit() {
    let set = small();
    let data = positions(15, 1000, |own, other| (own.count_ones() as i8) - other.count_ones() as i8);
    for phases in ["phases(3)", "phases(3,interpolated)"] {
        let phases = Phases::parse(phases).unwrap();
        // For everything, for nothing, and for some of the pieces.
        let fitted = [usize::MAX, 0, 1 << 20].map(|memory| {
            let settings = Settings { memory, iterations: 4, ..Settings::default() };
            regress(&set, &phases, &data, &settings, &go_on).unwrap()
        });
        assert_eq!(fitted[0], fitted[1]);
        assert_eq!(fitted[0], fitted[2]);
    }
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
        let judged =
            judge(&test, &phases, form, &|one| model.fresh_value(one.own, one.other)).unwrap().unwrap();
        // Drawn positions cost the logistic form as much as saying nothing.
        assert!(judged.all.mean < 0.6 * judged.constant.mean, "{form:?} {judged:?}");
        assert!(judged.winner.unwrap().mean > 0.97, "{form:?} {judged:?}");
    }
    // Of weights that change gradually too.
    let mixed = Phases::parse("phases(3,interpolated)").unwrap();
    let sums = Sums::fit("corners,mobility", 1, mixed.clone(), &data, 0.0).unwrap();
    let judged = judge(&test, &mixed, Form::Linear, &|one| sums.value(one)).unwrap().unwrap();
    assert!(judged.all.mean < 1e-6, "{judged:?}");
    // The corners alone explain all of it.
    let sums = Sums::fit("corners,mobility", 1, phases.clone(), &data, 0.0).unwrap();
    let judged = judge(&test, &phases, Form::Linear, &|one| sums.value(one)).unwrap().unwrap();
    assert!(judged.all.mean < 1e-6, "{judged:?}");
    assert!((sums.weights[2][0] - 10.0).abs() < 1e-6 && sums.weights[2][1].abs() < 1e-6);
}

#[test]
fn products_of_criteria_are_learned_written_and_played() {
    // A score that no weighted sum of the two explains, made for the side that has just moved.
    let features = Othello::features(&Fixed, "corners,parity").unwrap();
    let of = |own: u64, other: u64| {
        let mut row = [0.0; 2];
        features.extract_position(&Othello::new(own, other, Side::First), Side::Second, &mut row);
        row
    };
    let score = |own: u64, other: u64| {
        let [corners, parity] = of(own, other);
        -(3.0 * corners + 2.0 * corners * parity - 4.0 * parity * parity).clamp(-64.0, 64.0) as i8
    };
    let (data, phases) = (positions(13, 300, score), Phases::parse("phases(2)").unwrap());
    let sums = Sums::fit("corners,parity", 2, phases.clone(), &data, 0.0).unwrap();
    let judged = judge(&data, &phases, Form::Linear, &|one| sums.value(one)).unwrap().unwrap();
    assert!(judged.all.mean < 1e-6, "{judged:?}");
    let plain = Sums::fit("corners,parity", 1, phases.clone(), &data, 0.0).unwrap();
    let without = judge(&data, &phases, Form::Linear, &|one| plain.value(one)).unwrap().unwrap();
    assert!(without.all.mean > 1.0, "{without:?}");
    // The file plays as the sums judge.
    let file = ModelFile::new("othello", &sums.names, &sums.form(), sums.parameters(), String::new());
    let evaluator = Evaluator::<Othello>::from_file("it", &file, &Fixed).unwrap();
    let (mut dice, mut moves) = (Dice::seeded(&[14]), Vec::new());
    let mut board = Othello::start(&Fixed);
    while let Some(mv) = board.random_move(&mut dice, &mut moves) {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        evaluator.values(&board, &[mv], &mut rows, &mut values);
        board.play_unchecked(mv);
        let one = Example { own: board.own(), other: board.opponent(), game: 0, score: 0 };
        assert!((values[0] + sums.value(&one)).abs() < 1e-9, "{}", board.text());
    }
    let mixed = Phases::parse("phases(2,interpolated)").unwrap();
    assert!(Sums::fit("corners", 2, mixed, &data, 0.0).is_err());
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
        let one = *all(&data).last().unwrap();
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
    let paths: Vec<PathBuf> = vec![folder.clone()];
    let wanted = |discs, held_out| Wanted { discs, held_out, room: usize::MAX };
    let read_all =
        |discs, held_out| -> Result<Split, PositionsError> { read(&paths, wanted(discs, held_out), &go_on) };
    let error = read_all((4, 64), HeldOut::From(2000)).unwrap_err().to_string();
    assert!(error.contains("no files of games (.wtb, .ggf) in this folder"), "{error}");
    for (year, seed) in [(2015u16, 1), (2018, 2)] {
        let (mut bytes, _) = play::recorded::wthor::random_file(seed, 30);
        bytes[10..12].copy_from_slice(&year.to_le_bytes());
        fs::write(folder.join(format!("WTH_{year}.wtb")), bytes).unwrap();
    }
    let split = read_all((4, 64), HeldOut::From(2016)).unwrap();
    assert_eq!(split.games, [30, 30]);
    assert!(split.training.count() > 30 * 50 && split.training.with_discs((4, 4)) == 30);
    let lot = read_all((4, 64), HeldOut::Share(0.25, 1)).unwrap();
    assert_eq!(lot.games[0] + lot.games[1], 60);
    assert!((5..30).contains(&lot.games[1]), "{:?}", lot.games);
    assert!(matches!(read_all((4, 64), HeldOut::From(2019)), Err(PositionsError::Empty(_))));
    assert!(matches!(
        read(&paths, wanted((4, 64), HeldOut::From(2016)), &|_| ControlFlow::Break(())),
        Err(PositionsError::BrokenOff)
    ));
    let late = read_all((40, 50), HeldOut::From(2016)).unwrap();
    assert_eq!(all(&late.training), listed(&split.training, (40, 50)));
    // With no room in memory the same comes out of files.
    let kept = read(&paths, Wanted { room: 100, ..wanted((4, 64), HeldOut::From(2016)) }, &go_on).unwrap();
    assert!(kept.training.is_in_files() && kept.held_out.is_in_files() && !split.training.is_in_files());
    assert_eq!(all(&kept.training), all(&split.training));
    assert_eq!(all(&kept.held_out), all(&split.held_out));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn positions_in_files_give_the_same_function_to_the_last_bit() {
    let set = small();
    let data = positions(10, 700, |own, other| (own.count_ones() as i8) - other.count_ones() as i8);
    let order = |one: &Example| (one.game, one.discs());
    let mut in_order = all(&data);
    in_order.sort_by_key(order);
    let files = kept(&in_order, 1000);
    assert!(files.is_in_files());
    for form in Form::ALL {
        let settings = Settings { form, smooth: 0.5, iterations: 5, ..Settings::default() };
        assert_eq!(fit(&set, &files, &settings), fit(&set, &data, &settings));
    }
    let criteria = |data: &Positions| Sums::fit("criteria", 1, Phases::one(), data, 1.0).unwrap();
    let sums = criteria(&data);
    assert_eq!(criteria(&files).weights, sums.weights);
    let judged =
        |data: &Positions| judge(data, &Phases::one(), Form::Linear, &|one| sums.value(one)).unwrap();
    assert_eq!(judged(&files), judged(&data));
}

#[test]
fn positions_that_were_labelled_are_read_by_turns() {
    let path = std::env::temp_dir().join(format!("evalforge-tables-{}-labelled.bin", std::process::id()));
    let header = Header {
        game: "othello".into(),
        rules: Default::default(),
        players: vec!["random".into()],
        opening_plies: 0,
        more_plies: 0,
        label: "difference/64".parse().unwrap(),
        every: 1,
        distinct: false,
        seed: 1,
    };
    let data = all(&positions(11, 40, |own, other| (own % 64) as i8 - (other % 64) as i8));
    for format in [Format::Text, Format::Packed] {
        let mut writer = Writer::new(Vec::new(), format, &header).unwrap();
        for one in &data {
            let text = Othello::new(one.own, one.other, Side::First).text();
            let label = f32::from(one.score) / 64.0;
            writer.push(&Labelled { text, label, ply: 1, game: u64::from(one.game) }).unwrap();
        }
        let (bytes, _) = writer.finish().unwrap();
        fs::write(&path, &bytes).unwrap();
        let wanted = Wanted { discs: (4, 64), held_out: HeldOut::Share(0.5, 1), room: 100 };
        let split = read(std::slice::from_ref(&path), wanted, &go_on).unwrap();
        let mut found = [all(&split.training), all(&split.held_out)].concat();
        let key = |one: &Example| (one.own, one.other, one.score);
        let mut expected: Vec<_> = data.iter().map(key).collect();
        found.sort_by_key(key);
        expected.sort_unstable();
        assert_eq!(found.iter().map(key).collect::<Vec<_>>(), expected);
        // What is found at the end only ends it all the same.
        fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
        let error = read(std::slice::from_ref(&path), wanted, &go_on).unwrap_err().to_string();
        assert!(error.contains("labelled.bin") && error.contains("cut short"), "{error}");
    }
    fs::remove_file(path).unwrap();
}
