use std::ops::ControlFlow;

use games::pushover::Pushover;
use games::tetris::{Tetris, TetrisRules};
use games::{Dice, Game as _, Rules as _, Turn};
use play::players::PlayerSpec;
use play::playout::GameDice;
use play::solo::{General, SoloPlayer};
use stats::Mean;

use super::*;
use crate::score;
use crate::score::Games;

fn rules(pairs: &[(&str, &str)]) -> TetrisRules {
    TetrisRules::from_pairs(pairs.iter().copied()).unwrap()
}

fn given(base: u32, levels: &[u32]) -> Levels {
    Levels::Given { base, levels: levels.to_vec() }
}

fn setup(pairs: &[(&str, &str)], player: &str, levels: Levels, repeats: usize) -> SplittingSetup<Tetris> {
    let effort = Effort { moves: 10_000, trials: 400, ..Effort::default() };
    SplittingSetup { rules: rules(pairs), player: player.into(), levels, effort, repeats, seed: 3 }
}

fn whole(setup: &SplittingSetup<Tetris>, threads: usize) -> Run {
    run(setup, threads, &mut |_| ControlFlow::Continue(())).unwrap().unwrap()
}

/// The mean of plain games.
fn played(setup: &SplittingSetup<Tetris>, games: usize) -> Mean {
    let plain = score::ScoreSetup::<Tetris> {
        rules: setup.rules.clone(),
        players: vec![setup.player.clone()],
        games,
        seed: 9,
    };
    let mut all = Games::new(1, games);
    score::run(&plain, 2, &mut all, None, &mut |_| ControlFlow::Continue(())).unwrap();
    Mean::of(&all.scores(0))
}

/// The difference of the logarithms, in standard errors of both.
fn distance(run: &Run, plain: &Mean) -> f64 {
    let estimate = run.estimate().unwrap();
    let [low, high] = estimate.ci95.unwrap();
    let own = math::ln(high / low) / 2.0 / 1.96;
    let theirs = plain.sd / plain.mean / (plain.n as f64).sqrt();
    math::ln(estimate.value / plain.mean) / math::hypot(own, theirs)
}

fn agrees(pairs: &[(&str, &str)], player: &str, levels: Levels) {
    agrees_by(Measure::Height, pairs, player, levels);
}

fn agrees_by(level: Measure, pairs: &[(&str, &str)], player: &str, levels: Levels) {
    let mut setup = setup(pairs, player, levels, 20);
    setup.effort.level = level;
    let run = whole(&setup, 2);
    let plain = played(&setup, 400);
    let distance = distance(&run, &plain);
    assert!(distance.abs() < 4.0, "{pairs:?} {player}: {distance}, {:?}, {plain:?}", run.estimate());
    let [low, high] = run.estimate().unwrap().ci95.unwrap();
    assert!(high / low < 2.0, "{pairs:?} {player} says nothing: {low} to {high}");
}

#[test]
fn it_agrees_with_plain_games_where_they_are_short() {
    agrees(&[("height", "6")], "dn", given(2, &[4, 5, 6]));
    agrees(&[("height", "6")], "dellacherie", Levels::Automatic);
    agrees(&[("height", "8")], "dellacherie", given(4, &[6, 7]));
    agrees_by(Measure::Pile, &[("height", "8")], "dellacherie", Levels::Automatic);
    agrees_by(Measure::Pile, &[("height", "6")], "dn", given(3, &[6, 8, 10]));
    // Every level there is, and a base that is hardly ever met again.
    agrees(&[("width", "5"), ("height", "5")], "dellacherie", given(0, &[1, 2, 3, 4, 5]));
}

#[test]
fn it_agrees_with_plain_games_under_other_rules() {
    agrees(&[("height", "7"), ("losing", "allowed")], "dn", given(3, &[5, 6, 7]));
    agrees(&[("height", "6"), ("pieces", "bag"), ("preview", "on")], "dn", given(3, &[5]));
    agrees(&[("height", "20"), ("pieces", "sz")], "dn", given(5, &[10, 14, 18]));
}

#[test]
fn it_agrees_with_plain_games_of_players_without_vector_lanes() {
    agrees(&[("width", "5"), ("height", "6")], "random", given(2, &[4, 5]));
    agrees(&[("width", "4"), ("height", "6"), ("game", "original")], "greedy", given(2, &[4, 5]));
}

#[test]
fn threads_change_nothing_and_seeds_do() {
    let setup = setup(&[("height", "8")], "dn", Levels::Automatic, 5);
    let one = whole(&setup, 1);
    assert_eq!(one, whole(&setup, 2));
    let other = whole(&SplittingSetup { seed: 4, ..setup.clone() }, 2);
    assert_ne!(one.repeats, other.repeats);
    // Repeats are named by their numbers: the first ones of a longer run are those of a shorter one.
    let shorter = whole(&SplittingSetup { repeats: 2, ..setup }, 1);
    assert_eq!(one.repeats[..2], shorter.repeats);
    assert_ne!(one.repeats[0], one.repeats[1]);
}

#[test]
fn an_empty_stage_is_missing_and_not_a_score_without_end() {
    let full = Stage { trials: 100, successes: 20, pieces: 1_000 };
    let empty = Stage { successes: 0, ..full };
    let repeat =
        |entries, stages: &[Stage]| Repeat { pieces: 1_000, score: 400.0, entries, stages: stages.to_vec() };
    let good = repeat(10, &[full, full]);
    assert_eq!(good.loss_rate(), Some(0.01 * 0.2 * 0.2));
    assert_eq!(good.cautious_loss_rate(), 0.01 * 0.2 * 0.2);
    let missing = repeat(10, &[empty, Stage::default()]);
    assert_eq!((missing.loss_rate(), missing.empty_stage()), (None, Some(1)));
    assert_eq!(missing.cautious_loss_rate(), 0.01 / 100.0);
    assert_eq!(repeat(0, &[Stage::default()]).empty_stage(), Some(0));

    let course = Course { base: 2, levels: vec![4, 6], pieces: 1_000, trials: vec![100, 100] };
    let of = |repeats: Vec<Repeat>| Run { course: course.clone(), asked: repeats.len(), repeats };
    let run = of(vec![good.clone(), missing.clone(), good.clone()]);
    let estimate = run.estimate().unwrap();
    assert_eq!((estimate.n, run.missing()), (2, 1));
    assert!((estimate.value - 0.4 / 0.0004).abs() < 1e-9);
    assert!(run.warnings()[0].contains("from 4 to 6 in 1 of 3 repeats"), "{:?}", run.warnings());
    assert!(run.warnings()[0].contains("the value is too low"));
    let nothing = of(vec![missing]);
    assert!(nothing.estimate().is_none() && !nothing.warnings()[0].contains("the value"));
    assert_eq!(of(vec![good]).estimate().unwrap().ci95, None);
}

#[test]
fn a_wide_interval_and_a_single_great_repeat_are_said() {
    let course = Course { base: 2, levels: vec![4], pieces: 1_000, trials: vec![1_000] };
    let repeat = |successes| Repeat {
        pieces: 1_000,
        score: 400.0,
        entries: 10,
        stages: vec![Stage { trials: 1_000, successes, pieces: 1_000 }],
    };
    let warnings = |successes: Vec<u64>| {
        let repeats: Vec<Repeat> = successes.into_iter().map(repeat).collect();
        Run { course: course.clone(), asked: repeats.len(), repeats }.warnings()
    };
    assert_eq!(warnings((0..20).map(|i| 190 + i).collect()), Vec::<String>::new());
    let great = warnings([vec![2; 19], vec![200]].concat());
    assert!(great[0].contains("too wide") && great[1].contains("one of 20 repeats"), "{great:?}");
    assert!(warnings(vec![200, 201, 202])[0].contains("3 repeats are few"));
}

#[test]
fn levels_must_rise_from_the_base_to_the_top() {
    let error = |base, levels: &[u32]| given(base, levels).check(20).unwrap_err().to_string();
    assert_eq!(error(5, &[8, 10, 10]), "levels: 10 after 10: must be rising");
    assert_eq!(error(5, &[8, 21]), "levels: 21: the highest that this game can have is 20");
    assert_eq!(error(8, &[8, 10]), "levels: the first, 8, must be above the base, 8");
    assert_eq!(error(8, &[]), "levels: none is given");
    assert!(given(5, &[8, 20]).check(20).is_ok());
    let setup = setup(&[("height", "8")], "dn", given(5, &[9]), 1);
    assert!(run(&setup, 1, &mut |_| ControlFlow::Continue(())).is_err());
    // A board that ends at the top row has a level less.
    assert!(
        given(5, &[8])
            .check(
                highest_level::<Tetris>(&rules(&[("height", "8"), ("over", "top-row")]), Measure::Height)
                    .unwrap()
            )
            .is_err()
    );
}

#[test]
fn levels_are_chosen_for_strong_and_weak_players_and_low_boards() {
    let course =
        |pairs: &[(&str, &str)], player| whole(&setup(pairs, player, Levels::Automatic, 2), 2).course;
    let strong = course(&[("height", "14")], "dn");
    assert!(strong.levels.len() >= 3 && strong.base < strong.levels[0], "{strong:?}");
    assert!(strong.levels.windows(2).all(|pair| pair[0] < pair[1]) && strong.levels.iter().all(|&l| l <= 14));
    assert_eq!(strong.trials.len(), strong.levels.len());
    assert!(strong.trials.iter().all(|trials| (400..=3_200).contains(trials)), "{strong:?}");
    // A game of some twenty pieces needs no levels.
    assert!(course(&[], "random").levels.is_empty());
}

#[test]
fn both_paths_walk_the_same_way() {
    for pairs in [
        &[("height", "8"), ("preview", "on"), ("pieces", "bag")],
        &[("height", "8"), ("pieces", "sz"), ("preview", "off")],
        &[("height", "8"), ("game", "original"), ("preview", "off")],
        &[("height", "8"), ("game", "original"), ("preview", "on")],
    ] {
        let rules = rules(pairs);
        for (text, measure) in [("dn", Measure::Pile), ("lookahead(dellacherie)", Measure::Height)] {
            let spec = PlayerSpec::<Tetris>::parse(&rules, text).unwrap();
            let mut fast = Tetris::solo(&rules, &spec).unwrap();
            let mut plain = General::new(&rules, &spec).unwrap();
            let mut position = Tetris::start(&rules);
            for trial in 0..20 {
                let see = |solo: &mut dyn SoloPlayer<Tetris>| {
                    // What was kept must be all that there is to a position.
                    solo.set(&position, GameDice::new(7, trial));
                    let made = solo.run(5).unwrap();
                    assert_eq!(solo.is_over(), solo.level(measure) == OVER);
                    // How it was lost is not kept.
                    let stands = (!solo.is_over()).then(|| (solo.position(), solo.dice().deals));
                    (made, solo.level(measure), solo.score(), stands)
                };
                let (a, b) = (see(fast.as_mut()), see(&mut plain));
                assert_eq!(a, b, "{pairs:?} {text}");
                position = a.3.map_or_else(|| Tetris::start(&rules), |(position, _)| position);
            }
        }
    }
}

#[test]
fn boards_come_from_all_levels_and_from_ordinary_play() {
    let rules = rules(&[("height", "10")]);
    let effort = Effort { moves: 5_000, trials: 200, ..Effort::default() };
    let sampling = Sampling { levels: given(4, &[6, 8, 10]), boards: 600, effort, seed: 5 };
    let all = |threads| {
        sample::<Tetris>(&rules, "dn", &sampling, threads, &mut |_| ControlFlow::Continue(()))
            .unwrap()
            .unwrap()
    };
    let boards = all(1);
    assert_eq!(boards, all(2));
    let levels: Vec<_> = boards.iter().map(|boards| boards.level).collect();
    assert_eq!(levels, [None, Some(6), Some(8), Some(10)]);
    for Boards { level, boards } in &boards {
        assert_eq!(boards.len(), 150, "{level:?}");
        assert!(
            boards.iter().all(|board| board.turn() == Turn::Chance && board.height() >= level.unwrap_or(0))
        );
        // A level is reached by one piece, from below.
        assert!(boards.iter().all(|board| level.is_none_or(|level| board.height() < level + 4)));
    }
    let broken = sample::<Tetris>(&rules, "dn", &sampling, 1, &mut |_| ControlFlow::Break(())).unwrap();
    assert!(broken.is_none());
}

#[test]
fn the_interval_holds_the_mean_of_skewed_rates() {
    // Products of many shares are log-normal; a spread of 0.5 is that of a poor run.
    let mut dice = Dice::seeded(&[11]);
    let (spread, n, rounds) = (0.5f64, 20, 2_000);
    let mut normal = || (0..12).map(|_| dice.unit()).sum::<f64>() - 6.0;
    let mean = math::exp(spread * spread / 2.0);
    let mut inside = 0;
    for _ in 0..rounds {
        let rates: Vec<(f64, f64)> = (0..n).map(|_| (0.4, math::exp(spread * normal()))).collect();
        let [low, high] = Estimate::of(&rates).unwrap().ci95.unwrap();
        inside += u32::from(low < 0.4 / mean && 0.4 / mean < high);
    }
    let share = f64::from(inside) / f64::from(rounds);
    assert!((0.92..0.97).contains(&share), "{share}");
}

#[test]
fn a_game_without_levels_is_refused() {
    let (levels, effort) = (Levels::Automatic, Effort::default());
    let (rules, player) = (Default::default(), "random".into());
    let setup = SplittingSetup::<Pushover> { rules, player, levels, effort, repeats: 1, seed: 1 };
    let error = run(&setup, 1, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(error.to_string(), "pushover has no levels to split by");
}
