//! Scores do not depend on threads or interruptions, and a journal is never taken for what it is not.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use games::othello::Othello;
use games::tetris::{Tetris, TetrisRules};
use games::{Game as _, Rules};
use measure::score::{Game, Games, ScoreSetup, open_journal, run};
use play::PlayedGame;
use play::players::{PlayerSpec, player};
use play::playout::{GameDice, play};

fn setup(pairs: &[(&str, &str)], players: &[&str], games: usize) -> ScoreSetup<Tetris> {
    let rules = TetrisRules::from_pairs(pairs.iter().copied()).unwrap();
    ScoreSetup {
        rules,
        players: players.iter().map(|player| (*player).to_string()).collect(),
        games,
        seed: 7,
    }
}

fn played(setup: &ScoreSetup<Tetris>, threads: usize) -> Games {
    let mut games = Games::new(setup.players.len(), setup.games);
    run(setup, threads, &mut games, None, &mut |_| ControlFlow::Continue(())).unwrap();
    assert!(games.complete());
    games
}

/// Lines and decisions of every game, without the time they took.
fn results(setup: &ScoreSetup<Tetris>, games: &Games) -> Vec<(usize, usize, u64, u64)> {
    let players = 0..setup.players.len();
    let game = |game: &Game| (game.player, game.game, game.score as u64, game.decisions);
    players.flat_map(|player| games.finished(player).map(game).collect::<Vec<_>>()).collect()
}

/// A path in the build's own folder for such things, free of what an earlier run has left.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn one_thread_or_three() {
    let setup = setup(&[("height", "5"), ("width", "6")], &["dn", "random", "lookahead(dellacherie)"], 4);
    assert_eq!(results(&setup, &played(&setup, 1)), results(&setup, &played(&setup, 3)));
}

/// Only the fast way of playing takes up games that were broken off.
fn is_fast(rules: &TetrisRules, text: &str) -> bool {
    let spec = PlayerSpec::<Tetris>::parse(rules, text).unwrap();
    Tetris::solo(rules, &spec).unwrap().can_take_up()
}

/// Plays some games of a player in both ways and holds them to each other, move for move.
fn fast_as_general(rules: &[(&str, &str)], text: &str, games: usize) {
    let fast = setup(rules, &[text], games);
    assert!(is_fast(&fast.rules, text));
    let evaluated = played(&fast, 2);
    for game in evaluated.finished(0) {
        let mut players = [player::<Tetris>(&fast.rules, text).unwrap()];
        let mut dice = GameDice::new(7, game.game as u64);
        let record = play(&Tetris::start(&fast.rules), &mut players, &mut dice, u64::MAX).unwrap();
        assert_eq!(
            (record.end.lines() as f64, record.moves),
            (game.score, game.decisions),
            "{text} {rules:?}"
        );
    }
}

#[test]
fn the_fast_machine_plays_as_the_general_one() {
    fast_as_general(&[("height", "9"), ("pieces", "bag")], "dt-20", 5);
    fast_as_general(&[("height", "8"), ("pieces", "bag"), ("preview", "on")], "dn", 5);
}

/// A player of features and tables, each entry with a weight of its own.
fn of_tables(rules: &[(&str, &str)], features: &str) -> String {
    let rules = TetrisRules::from_pairs(rules.iter().copied()).unwrap();
    let count = Tetris::features(&rules, features).unwrap().names().len();
    // Sensible where the first features are those of dt.
    let dt = [-2.68, 1.38, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89];
    let weight = |i: usize| dt.get(i).copied().unwrap_or((i * 37 % 11) as f64 / 10.0 - 0.53);
    let weights: Vec<String> = (0..count).map(|i| weight(i).to_string()).collect();
    format!("linear({features}; {})", weights.join(","))
}

#[test]
fn tables_are_played_fast_too() {
    let rules = [("height", "8"), ("pieces", "bag")];
    fast_as_general(&rules, &of_tables(&rules, "dt,pile,surface-pairs,surface-set"), 5);
    fast_as_general(&rules, &of_tables(&rules, "dt,surface-set,surface-4x3,surface-3x2"), 5);
    fast_as_general(&rules, &of_tables(&rules, "dt,pile,surface-pairs,hole-rows-3,surface-4x3"), 5);
    let small = [("width", "5"), ("height", "5")];
    let player = of_tables(&small, "dt,pile,surface-pairs,surface-set,hole-rows-2");
    fast_as_general(&small, &format!("lookahead({player})"), 3);
    let many =
        of_tables(&small, "dt,surface-3x1,surface-3x2,surface-4x2,surface-3x4,hole-rows-1,hole-rows-3");
    fast_as_general(&small, &many, 3);
}

#[test]
fn features_and_tables_that_few_players_have_are_played_fast_too() {
    let rules = [("height", "8"), ("pieces", "bag"), ("preview", "on")];
    for features in ["dt,boehm,fahey", "dt,xtris,lagoudakis", "dt,surface-2x2,surface-5x1", "dt,cells-2x2"] {
        fast_as_general(&rules, &of_tables(&rules, features), 3);
    }
    let small = [("width", "5"), ("height", "5")];
    fast_as_general(&small, &format!("lookahead({})", of_tables(&small, "dt,fahey,surface-2x1")), 2);
}

#[test]
fn what_is_marked_fast_is_and_nothing_else() {
    for info in Tetris::feature_list() {
        let text = of_tables(&[], info.example);
        assert_eq!(is_fast(&TetrisRules::default(), &text), Tetris::is_fast(info.name), "{}", info.name);
    }
    // No other game has such a way.
    for info in Othello::feature_list() {
        assert!(!Othello::is_fast(info.name), "{}", info.name);
    }
}

#[test]
fn the_original_game_too() {
    let original = [("game", "original"), ("height", "8")];
    for more in [("preview", "off"), ("preview", "on"), ("over", "top-row"), ("pieces", "bag")] {
        let rules = [&original[..], &[more]].concat();
        fast_as_general(&rules, "dn", 3);
        fast_as_general(&rules, &of_tables(&rules, "dt,boehm,surface-pairs"), 3);
    }
    fast_as_general(&[original[0], ("height", "5"), ("width", "5")], "lookahead(dellacherie)", 3);
    // Of two known pieces the second is judged before the third is dealt, which the general player does in a way of its own.
    let rules = TetrisRules::from_pairs([original[0], ("preview", "on")]).unwrap();
    assert!(!is_fast(&rules, "lookahead(dn)"));
}

#[test]
fn one_piece_deeper_too() {
    let small = [("width", "5"), ("height", "4")];
    for more in [
        ("pieces", "uniform"),
        ("pieces", "bag"),
        ("pieces", "harder"),
        ("preview", "on"),
        ("losing", "allowed"),
        ("clearing", "before"),
        ("over", "top-row"),
    ] {
        let rules = [&small[..], &[more]].concat();
        fast_as_general(&rules, "lookahead(dellacherie)", 3);
        fast_as_general(
            &rules,
            "lookahead(linear(bertsekas,lines; -1,-1,-1,-1,-1,-.3,-.3,-.3,-.3,-2,-9,3))",
            3,
        );
    }
}

#[test]
fn broken_off_again_and_again_the_games_are_the_same() {
    let setup = setup(&[("height", "11"), ("pieces", "bag")], &["dn", "dellacherie"], 3);
    let expected = results(&setup, &played(&setup, 2));
    let path = fresh("broken-off.jsonl");
    let mut broken_off = 0;
    for attempt in 0.. {
        let (mut journal, mut games) = open_journal(&path, &setup).unwrap();
        let mut looks = 0;
        let mut watch = |_: &_| {
            looks += 1;
            if looks > 2 + attempt { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        run(&setup, 2, &mut games, Some(&mut journal), &mut watch).unwrap();
        broken_off += (0..2).map(|player| games.broken_off(player).count()).sum::<usize>();
        if games.complete() {
            assert_eq!(results(&setup, &games), expected);
            break;
        }
    }
    assert!(broken_off > 0, "no game was broken off");
}

#[test]
fn a_game_under_way_is_written_down_and_taken_up_from_there() {
    let setup = setup(&[("height", "12"), ("pieces", "bag"), ("preview", "on")], &["dn"], 2);
    let path = fresh("under-way.jsonl");
    let (mut journal, mut games) = open_journal(&path, &setup).unwrap();
    journal.save_every = Duration::ZERO;
    run(&setup, 1, &mut games, Some(&mut journal), &mut |_| ControlFlow::Continue(())).unwrap();
    drop(journal);
    let expected = results(&setup, &games);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // As a kill would leave it: in the midst of the first game, and of the second.
    let under_way: Vec<usize> = (1..lines.len()).filter(|&i| lines[i].contains("position")).collect();
    assert!(under_way.len() > 2, "{text}");
    for end in [under_way[0], under_way[under_way.len() / 2], under_way[under_way.len() - 1]] {
        fs::write(&path, lines[..=end].join("\n") + "\n").unwrap();
        let (mut journal, mut games) = open_journal(&path, &setup).unwrap();
        assert_eq!(games.broken_off(0).count(), 1);
        run(&setup, 1, &mut games, Some(&mut journal), &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(results(&setup, &games), expected);
    }
}

#[test]
fn a_line_that_is_cut_off_is_played_again() {
    let setup = setup(&[("height", "8")], &["dn"], 5);
    let path = fresh("cut-off.jsonl");
    let (mut journal, mut games) = open_journal(&path, &setup).unwrap();
    run(&setup, 1, &mut games, Some(&mut journal), &mut |_| ControlFlow::Continue(())).unwrap();
    drop(journal);
    let expected = results(&setup, &games);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() - 20]).unwrap();
    let (mut journal, mut games) = open_journal(&path, &setup).unwrap();
    assert_eq!(games.finished(0).count(), 4);
    run(&setup, 1, &mut games, Some(&mut journal), &mut |_| ControlFlow::Continue(())).unwrap();
    drop(journal);
    assert_eq!(results(&setup, &games), expected);
    // More games than before go on from the same file.
    let more = ScoreSetup { games: 7, ..setup };
    let (_, games) = open_journal(&path, &more).unwrap();
    assert_eq!(games.finished(0).count(), 5);
}

#[test]
fn a_journal_of_something_else_is_refused_and_left_alone() {
    let mine = setup(&[("height", "8")], &["dn"], 2);
    let path = fresh("other.jsonl");
    drop(open_journal(&path, &mine).unwrap());
    let before = fs::read_to_string(&path).unwrap();
    let other_seed = ScoreSetup { seed: 8, ..mine.clone() };
    for (other, said) in [
        (setup(&[("height", "9")], &["dn"], 2), "set of rules"),
        (setup(&[("height", "8")], &["dt-10"], 2), "list of players"),
        (other_seed, "seed"),
    ] {
        let error = open_journal(&path, &other).unwrap_err();
        assert!(error.wrong_input && error.to_string().contains(said), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    fs::write(&path, before.replace("\"tetris\"", "\"othello\"")).unwrap();
    assert!(open_journal(&path, &mine).unwrap_err().to_string().contains("another game: 'othello'"));
    fs::write(&path, "not a journal\n").unwrap();
    assert!(open_journal(&path, &mine).unwrap_err().to_string().contains("not a journal"));
    fs::write(&path, format!("{before}{{\"player\":0}}\n\n")).unwrap();
    assert!(open_journal(&path, &mine).unwrap_err().to_string().contains("line 2 is damaged"));
}

#[test]
fn a_journal_that_says_lines_is_read() {
    let setup = setup(&[("height", "8")], &["dn"], 2);
    let path = fresh("lines.jsonl");
    drop(open_journal(&path, &setup).unwrap());
    let header = fs::read_to_string(&path).unwrap();
    let earlier = r#"{"player":0,"game":0,"lines":1234,"decisions":3100,"seconds":0.5}"#;
    fs::write(&path, format!("{header}{earlier}\n")).unwrap();
    let (mut journal, mut games) = open_journal(&path, &setup).unwrap();
    assert_eq!(games.scores(0), [1234.0]);
    run(&setup, 1, &mut games, Some(&mut journal), &mut |_| ControlFlow::Continue(())).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(&format!("\"score\":{},", games.scores(0)[1])), "whole numbers stay whole: {text}");
}

#[test]
fn a_game_for_two_has_no_scores() {
    let setup = ScoreSetup::<Othello> {
        rules: Default::default(),
        players: vec!["random".into()],
        games: 1,
        seed: 1,
    };
    assert_eq!(setup.check().unwrap_err().to_string(), "othello is no game for one");
    let mut games = Games::new(1, 1);
    assert!(run(&setup, 1, &mut games, None, &mut |_| ControlFlow::Continue(())).is_err());
}

/// A journal may say anything.
#[test]
fn more_decisions_than_can_be_counted_are_no_reason_to_panic() {
    let mut games = Games::new(1, 2);
    for game in 0..2 {
        let decisions = u64::MAX;
        games.insert(Game { player: 0, game, score: 1.0, decisions, seconds: 1.0, position: None });
    }
    assert_eq!(games.speed(0), u64::MAX as f64 / 2.0);
}
