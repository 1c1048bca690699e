//! Matches and tournaments: pairs, threads, players that break rules, tests that decide, journals that survive.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use games::avalam::Avalam;
use games::othello::Othello;
use games::rules::Fixed;
use games::{Dice, Game};
use measure::arena::{
    CrossTable, DuelProgress, DuelSetup, Openings, PlayedPair, Results, Schedule, Tally, Winner,
    open_journal, record, run,
};
use play::PlayedGame;
use play::players::{Player, PlayerFailure, Trouble, player};
use stats::{Decision, Scale, Sprt};

fn setup<G: PlayedGame<Rules = Fixed>>(players: &[&str], pairs: usize, plies: usize) -> DuelSetup<G> {
    DuelSetup {
        rules: Fixed,
        players: players.iter().map(ToString::to_string).collect(),
        schedule: Schedule::RoundRobin,
        openings: Openings::random(&Fixed, plies, pairs, 5).unwrap(),
        pairs,
        seed: 5,
        most_moves: 500,
        sprt: None,
        game_time: None,
        increment: 0.0,
        time_margin: 0.0,
        adjudication: Default::default(),
    }
}

fn played<G: PlayedGame<Rules = Fixed>>(setup: &DuelSetup<G>, threads: usize) -> Results {
    let mut results = Results::new(setup);
    let maker = |number: usize| player::<G>(&Fixed, &setup.players[number]);
    run(setup, &maker, threads, &mut results, None, &mut |_, _| ControlFlow::Continue(())).unwrap();
    results
}

/// The pairs that count, without what a clock has measured.
fn timeless(results: &Results) -> Vec<PlayedPair> {
    let mut pairs: Vec<PlayedPair> = results.counted().cloned().collect();
    for game in pairs.iter_mut().flat_map(|pair| &mut pair.games) {
        game.micros.fill(0);
        game.spent = [0; 2];
    }
    pairs
}

#[test]
fn a_pair_is_one_opening_with_sides_exchanged() {
    let setup = setup::<Othello>(&["greedy", "random"], 12, 6);
    let results = played(&setup, 2);
    assert!(results.complete() && results.counted().len() == 12);
    for (number, pair) in results.counted().enumerate() {
        assert_eq!(
            (pair.first, pair.second, pair.pair, &pair.opening),
            (0, 1, number, &setup.openings.get(number).text())
        );
        let [one, two] = record::records(&setup, pair);
        assert_eq!((one.first.as_str(), one.second.as_str()), ("greedy", "random"));
        assert_eq!((two.first.as_str(), two.second.as_str()), ("random", "greedy"));
        assert_eq!(one.opening, two.opening);
        for game in [one, two] {
            let positions = game.replay::<Othello>().unwrap();
            let end = &positions.last().unwrap().0;
            let value = end.final_value(games::Side::First);
            let winner = if value > 0.0 { Winner::First } else { Winner::Second };
            assert_eq!(game.winner, Some(if value == 0.0 { Winner::Draw } else { winner }));
            assert_eq!(record::parse(&game.text()).unwrap(), [game]);
        }
    }
    // The openings differ, and so do the games.
    let texts: std::collections::HashSet<_> = results.counted().map(|pair| pair.opening.clone()).collect();
    assert_eq!(texts.len(), 12);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let match_of_two = setup::<Avalam>(&["greedy", "random"], 10, 4);
    assert_eq!(timeless(&played(&match_of_two, 1)), timeless(&played(&match_of_two, 3)));
    let tournament = setup::<Othello>(&["greedy", "random", "random"], 6, 4);
    let (one, three) = (played(&tournament, 1), played(&tournament, 3));
    assert_eq!(timeless(&one), timeless(&three));
    let table = CrossTable::of(3, &one);
    assert_eq!(table.meetings.len(), 3);
    assert_eq!(table.points(0, 1).unwrap().0 + table.points(1, 0).unwrap().0, 12.0);
    assert_eq!(table.ratings().list.len(), 3);
}

#[test]
fn a_test_decides_after_the_same_pair_on_any_number_of_threads() {
    let mut setup = setup::<Avalam>(&["greedy", "random"], 400, 4);
    setup.sprt = Some(Sprt::new(0.0, 200.0, Scale::Logistic));
    let (one, three) = (played(&setup, 1), played(&setup, 3));
    let (test, llr, decision) = one.sprt().unwrap();
    assert_eq!(decision, Decision::AcceptH1);
    assert!(llr >= test.bounds()[1] && one.counted().len() < 100);
    assert_eq!(timeless(&one), timeless(&three));
    assert!(one.missing().is_empty() && three.missing().is_empty());
    // One pair earlier it was open.
    let mut before = one.pentanomial();
    before.0[one.counted().last().unwrap().halves()] -= 1;
    assert_eq!(test.decision(test.llr(&before)), Decision::Open);
}

#[test]
fn every_meeting_of_a_tournament_has_a_test_of_its_own() {
    let mut setup = setup::<Avalam>(&["greedy", "random", "random"], 60, 4);
    setup.sprt = Some(Sprt::new(0.0, 200.0, Scale::Logistic));
    let (one, three) = (played(&setup, 1), played(&setup, 3));
    assert_eq!(timeless(&one), timeless(&three));
    assert!(one.complete() && three.complete() && one.missing().is_empty());
    let tests: Vec<_> = one.tests().collect();
    assert_eq!(tests.len(), 3);
    let table = CrossTable::of(3, &one);
    for (meeting, &(test, llr, decision)) in table.meetings.iter().zip(&tests) {
        assert_eq!((test.llr(&meeting.pairs), test.decision(llr)), (llr, decision));
        // Either the test has decided, or all pairs were played.
        assert_eq!(meeting.pairs.pairs() < 60, decision != Decision::Open, "{meeting:?}");
    }
    // Greedy is found out soon; two that play alike need longer.
    assert_eq!((tests[0].2, tests[1].2), (Decision::AcceptH1, Decision::AcceptH1));
    assert!(table.meetings[2].pairs.pairs() > table.meetings[0].pairs.pairs(), "{table:?}");
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Panic,
    Illegal,
    Fail,
    Resign,
    Stall,
    Sleep,
}

/// Plays the first legal move, and misbehaves on its third.
struct Faulty {
    fault: Fault,
    moves: usize,
    free: &'static AtomicBool,
}

impl Player<Othello> for Faulty {
    fn choose(
        &mut self,
        position: &Othello,
        _dice: &mut Dice,
    ) -> Result<<Othello as Game>::Move, PlayerFailure> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        self.moves += 1;
        if self.moves == 3 {
            match self.fault {
                Fault::Panic => panic!("out of\nideas"),
                Fault::Illegal => return Ok(position.parse_move("d4").unwrap()),
                Fault::Stall => {
                    while !self.free.load(Ordering::Relaxed) {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                }
                Fault::Fail => {
                    return Err(PlayerFailure { who: "faulty".into(), why: "it is\ngone".into() });
                }
                Fault::Resign => {
                    return Err(PlayerFailure { who: "faulty".into(), why: Trouble::Resigned });
                }
                Fault::Sleep => std::thread::sleep(Duration::from_millis(30)),
            }
        }
        Ok(moves[0])
    }

    fn new_game(&mut self) {
        self.moves = 0;
    }

    fn limit(&self) -> Option<Duration> {
        matches!(self.fault, Fault::Stall | Fault::Sleep).then_some(Duration::from_millis(20))
    }
}

/// A match of a faulty player against a random one.
fn faulty(fault: Fault, pairs: usize) -> Tally {
    static FREE: AtomicBool = AtomicBool::new(false);
    let setup = setup::<Othello>(&["faulty", "random"], pairs, 4);
    let mut results = Results::new(&setup);
    let maker = |number: usize| match number {
        0 => Ok(Box::new(Faulty { fault, moves: 0, free: &FREE }) as Box<dyn Player<Othello>>),
        _ => player::<Othello>(&Fixed, "random"),
    };
    run(&setup, &maker, 2, &mut results, None, &mut |_, _| ControlFlow::Continue(())).unwrap();
    if fault == Fault::Stall {
        FREE.store(true, Ordering::Relaxed);
    }
    Tally::of(results.counted(), 0, 1)
}

#[test]
fn whoever_breaks_a_rule_loses_the_game_and_the_match_goes_on() {
    for (fault, said) in [
        (Fault::Panic, "panic: out of ideas"),
        (Fault::Illegal, "illegal: "),
        (Fault::Fail, "it is gone"),
        (Fault::Resign, "resigned"),
    ] {
        let tally = faulty(fault, 4);
        assert_eq!((tally.wins, tally.losses, tally.games()), (0, 8, 8));
        assert!(tally.forfeits[0].iter().all(|(reason, _)| reason.starts_with(said)), "{tally:?}");
        assert_eq!(tally.forfeits[0].iter().map(|(_, count)| count).sum::<u64>(), 8);
        assert!(tally.forfeits[1].is_empty());
        // Two moves of its own, and two or three of the other.
        assert!((4.0..=5.0).contains(&tally.moves.mean), "{tally:?}");
    }
}

#[test]
fn whoever_stalls_loses_but_a_little_late_is_not_stalled() {
    let tally = faulty(Fault::Stall, 2);
    assert_eq!((tally.losses, tally.games()), (4, 4));
    let reasons: Vec<&str> = tally.forfeits[0].iter().map(|(reason, _)| reason.as_str()).collect();
    assert!(reasons.contains(&"stall: no move within 1040 ms"), "{reasons:?}");
    assert!(reasons.iter().all(|reason| reason.starts_with("stall: ")), "{reasons:?}");
    let tally = faulty(Fault::Sleep, 1);
    assert_eq!(tally.forfeits, [Vec::new(), Vec::new()]);
}

#[test]
fn a_game_that_is_too_long_is_drawn() {
    let mut setup = setup::<Othello>(&["greedy", "random"], 3, 4);
    setup.most_moves = 10;
    let tally = Tally::of(played(&setup, 1).counted(), 0, 1);
    assert_eq!((tally.draws, tally.too_long, tally.moves.mean), (6, 6, 10.0));
}

fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-{name}"));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn a_journal_goes_on_where_it_was_broken_off() {
    let setup = setup::<Othello>(&["greedy", "random", "random"], 5, 4);
    let whole = played(&setup, 1);
    let maker = |number: usize| player::<Othello>(&Fixed, &setup.players[number]);
    let path = path("journal");
    let go = |stop_after: usize| {
        let (mut journal, mut results) = open_journal(&path, &setup).unwrap();
        let mut watch = |_: &_, results: &Results| match results.all().count() >= stop_after {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        run(&setup, &maker, 2, &mut results, Some(&mut journal), &mut watch).unwrap();
        results
    };
    go(4);
    // A second process may not come in between.
    let (journal, _) = open_journal(&path, &setup).unwrap();
    assert!(open_journal(&path, &setup).unwrap_err().to_string().contains("another process"));
    drop(journal);
    // Cut in the middle of the last line, as by a kill; then a last line that is whole and nonsense.
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    go(8);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend(b"{\"first\":0,\n");
    fs::write(&path, bytes).unwrap();
    let end = go(usize::MAX);
    assert!(end.complete());
    assert_eq!(timeless(&end), timeless(&whole));
    // Nothing is left to be done, and more can be asked for.
    assert!(open_journal(&path, &setup).unwrap().1.complete());
    let more = DuelSetup { pairs: 7, openings: Openings::random(&Fixed, 4, 7, 5).unwrap(), ..setup.clone() };
    assert_eq!(open_journal(&path, &more).unwrap().1.missing().len(), 6);
    let fewer = DuelSetup { pairs: 2, openings: Openings::random(&Fixed, 4, 2, 5).unwrap(), ..setup.clone() };
    let error = open_journal(&path, &fewer).unwrap_err().to_string();
    assert!(error.contains("it holds more than the 4 games of two players that are asked for"), "{error}");
    // Others are refused, and the file stays as it is.
    let before = fs::read(&path).unwrap();
    for (other, said) in [
        (DuelSetup { seed: 6, ..setup.clone() }, "another seed: '5', not '6'"),
        (DuelSetup { players: vec!["random".into(); 3], ..setup.clone() }, "another list of players"),
        (DuelSetup { most_moves: 9, ..setup.clone() }, "another limit of moves"),
        (DuelSetup { schedule: Schedule::Gauntlet, ..setup.clone() }, "another schedule"),
        (
            DuelSetup { openings: Openings::random(&Fixed, 5, 5, 5).unwrap(), ..setup.clone() },
            "set of openings",
        ),
    ] {
        let error = open_journal(&path, &other).unwrap_err();
        assert!(error.wrong_input && error.to_string().contains(said), "{error}");
    }
    let opening = setup.openings.get(1).text();
    for (from, to, said) in [
        ("\"pair\":0", "\"pair\":x", "is damaged"),
        ("\"game\":\"othello\"", "\"game\":\"avalam\"", "another game: 'avalam', not 'othello'"),
        ("\"rules\":{}", "\"rules\":{\"size\":\"5\"}", "another set of rules"),
        (opening.as_str(), "elsewhere", "has another opening than pair 1"),
    ] {
        let changed = String::from_utf8(before.clone()).unwrap().replacen(from, to, 1);
        fs::write(&path, &changed).unwrap();
        let error = open_journal(&path, &setup).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), changed);
    }
    for foreign in ["mine", "mine\n", "{}\n"] {
        fs::write(&path, foreign).unwrap();
        let error = open_journal(&path, &setup).unwrap_err().to_string();
        assert!(error.contains("not a journal of an arena"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
    }
}

#[test]
fn a_journal_with_the_words_of_before_goes_on() {
    let text = "alphabeta(game-time=50, swindle=0)";
    let old = "alphabeta(credit=50, hope=0)";
    let setup = DuelSetup { game_time: Some(9.5), ..setup::<Othello>(&[text, "random"], 1, 4) };
    let path = path("old-words");
    drop(open_journal(&path, &setup).unwrap());
    let written = fs::read_to_string(&path).unwrap();
    let before = written.replace(text, old).replace("\"game_time\":9.5", "\"credit\":9.5");
    assert_eq!(before.len() + 9, written.len(), "{written}");
    fs::write(&path, before).unwrap();
    open_journal(&path, &setup).unwrap();
    open_journal(&path, &DuelSetup { players: vec![old.into(), "random".into()], ..setup.clone() }).unwrap();
    let other = DuelSetup { game_time: Some(9.0), ..setup };
    assert!(open_journal(&path, &other).unwrap_err().to_string().contains("another time of a game"));
}

/// Takes its time, and keeps what it is told of its game time.
struct Slow(Duration, std::sync::Arc<std::sync::Mutex<Vec<f64>>>);

impl Player<Avalam> for Slow {
    fn choose(&mut self, position: &Avalam, dice: &mut Dice) -> Result<games::avalam::Move, PlayerFailure> {
        std::thread::sleep(self.0);
        Ok(position.random_move(dice, &mut Vec::new()).unwrap())
    }

    fn game_time(&mut self, seconds: Option<f64>) {
        self.1.lock().unwrap().extend(seconds);
    }
}

#[test]
fn who_needs_more_than_the_game_time_loses() {
    let told = std::sync::Arc::default();
    let timed = DuelSetup { game_time: Some(0.2), ..setup::<Avalam>(&["slow", "random"], 1, 4) };
    let played = |setup: &DuelSetup<Avalam>, pause: u64| {
        let mut results = Results::new(setup);
        let maker = |number: usize| -> Result<Box<dyn Player<Avalam>>, _> {
            match number {
                0 => Ok(Box::new(Slow(Duration::from_millis(pause), std::sync::Arc::clone(&told)))),
                _ => player(&Fixed, "random"),
            }
        };
        run(setup, &maker, 1, &mut results, None, &mut |_, _| ControlFlow::Continue(())).unwrap();
        let pair = results.counted().next().unwrap().clone();
        pair.games.map(|game| (game.winner, game.reason.to_string(), game.moves.len()))
    };
    // Some fifteen moves of 30 ms are too many; it is noticed as soon as the time is over.
    let [one, two] = played(&timed, 30);
    let said = "time: the game time of 0.2 s is used up".to_string();
    assert_eq!((one.0, &one.1), (Winner::Second, &said));
    assert_eq!((two.0, &two.1), (Winner::First, &said));
    assert!(one.2 < 16 && two.2 < 16, "{one:?} {two:?}");
    let left = told.lock().unwrap().clone();
    assert!(left[0] == 0.2 && left[1] < 0.18 && left[1] > 0.0 && left.contains(&0.2), "{left:?}");
    assert!(left.iter().skip(1).any(|&seconds| seconds == 0.2), "another game, another game time");
    // A player that does not come back at all is not waited for.
    let [one, _] = played(&timed, 3000);
    assert_eq!((one.0, &one.1, one.2), (Winner::Second, &said, 0));
    // Without a game time nobody is told, and nobody loses.
    told.lock().unwrap().clear();
    let [one, _] = played(&DuelSetup { game_time: None, ..timed }, 1);
    assert_eq!(one.1, "the game is over");
    assert!(told.lock().unwrap().is_empty());
}

#[test]
fn a_player_with_a_game_time_plays_by_that_of_the_game() {
    // By its own game time it would think for minutes.
    let texts = ["alphabeta(game-time=900)", "mcts(game-time=900)"];
    let setup = DuelSetup { game_time: Some(0.4), ..setup::<Avalam>(&texts, 1, 20) };
    let results = played(&setup, 1);
    let pair = results.counted().next().unwrap();
    for game in &pair.games {
        assert_eq!(game.reason.to_string(), "the game is over");
        assert!(game.spent.iter().all(|&nanos| nanos < 400_000_000), "{:?}", game.spent);
    }
}

/// The rounds of a Swiss tournament hang on each other: cut after any number of pairs, it goes on to the same bits.
#[test]
fn a_swiss_tournament_goes_on_to_the_same_bits() {
    let players = ["random", "greedy", "alphabeta(depth=1)", "alphabeta(depth=2)", "alphabeta(depth=3)"];
    let setup = DuelSetup {
        schedule: Schedule::Swiss(3),
        openings: Openings::random(&Fixed, 6, 6, 5).unwrap(),
        ..setup::<Othello>(&players, 2, 6)
    };
    let whole = played(&setup, 2);
    assert!(whole.complete() && whole.counted().len() == 12 && whole.meetings().len() == 6);
    assert_eq!(timeless(&whole), timeless(&played(&setup, 1)));
    let maker = |number: usize| player::<Othello>(&Fixed, &setup.players[number]);
    for most in [1, 5, 9, 11] {
        let path = std::env::temp_dir().join(format!("evalforge-swiss-{most}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        for most in [most, usize::MAX] {
            let (mut journal, mut results) = open_journal(&path, &setup).unwrap();
            let mut watch = |live: &DuelProgress, _: &Results| match live.pairs >= most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            run(&setup, &maker, 1, &mut results, Some(&mut journal), &mut watch).unwrap();
            if most == usize::MAX {
                assert_eq!(timeless(&results), timeless(&whole));
                assert_eq!(results.standings(), whole.standings());
            }
        }
        fs::remove_file(&path).unwrap();
    }
    let best = whole.standings().iter().map(|standing| standing.halves).max();
    assert_eq!(Some(whole.standings()[4].halves), best, "{:?}", whole.standings());
}
