//! Push-over solved: against a second, plain way to its values, against the rules, and against searches that know nothing.

use std::collections::HashMap;
use std::ops::ControlFlow;

use games::pushover::{Board, Pushover, PushoverRules};
use games::{Dice, Game, Rules, Side, Turn};
use play::players::player;
use play::playout::{GameDice, play};
use play::search::Limits;
use play::search::Searcher;
use play::search::alpha_beta::AlphaBeta;
use play::search::evaluation::{Score, is_decided};
use play::solve::Value;
use play::solve::pushover::{Perfect, Solution, solve, verify};
use play::threads::on_threads;

use crate::scratch::Scratch;

fn go_on(_share: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn solved(size: u8, repetition: bool) -> Solution {
    solve(&PushoverRules::new(size, repetition), &go_on).unwrap().unwrap()
}

fn limited(size: u8, repetition: bool, limit: u32) -> PushoverRules {
    let mut rules = PushoverRules::new(size, repetition);
    rules.set("limit", &limit.to_string()).unwrap();
    rules
}

/// Every 3x3 board, `o` to move.
fn small_boards(rules: &PushoverRules) -> Vec<Pushover> {
    let board = |number: u32| {
        let mut board: Board = [0; 2];
        for cell in 0..9 {
            match number / 3u32.pow(cell) % 3 {
                1 => board[0] |= 1 << cell,
                2 => board[1] |= 1 << cell,
                _ => {}
            }
        }
        Pushover::with_board(rules, board, None, Side::First)
    };
    (0..3u32.pow(9)).map(board).filter(|position| position.turn() != Turn::Over).collect()
}

type State = (Board, Option<Board>, Side);

/// What a position is worth to the side to move if the game is a draw after so many moves: 1, 0 or -1. Nothing but the
/// rules, from the front; what was found is kept by state and moves.
fn plain(position: &Pushover, moves: u32, known: &mut HashMap<(State, u32), i8>) -> i8 {
    if let Some(winner) = position.winner() {
        return if winner == position.side() { 1 } else { -1 };
    }
    if moves == 0 {
        return 0;
    }
    let state = ((position.board(), position.forbidden(), position.side()), moves);
    if let Some(&value) = known.get(&state) {
        return value;
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let after = legal.into_iter().map(|entry| {
        let mut after = position.clone();
        after.play(entry).unwrap();
        -plain(&after, moves - 1, known)
    });
    let value = after.max().unwrap();
    known.insert(state, value);
    value
}

/// Whether a side can force a line within n moves can only become true as n grows. When nothing has changed for two n in a
/// row, one for a last move of each side, nothing ever will: what is level then is a draw of endless play.
#[test]
fn small_values_are_those_of_plain_search_to_ever_more_moves() {
    for repetition in [false, true] {
        let perfect = solved(3, repetition).perfect;
        let boards = small_boards(&limited(3, repetition, 1000));
        let mut known = HashMap::new();
        let mut last = Vec::new();
        let mut unchanged = 0;
        for moves in 0.. {
            let values: Vec<i8> = boards.iter().map(|board| plain(board, moves, &mut known)).collect();
            for (board, &value) in boards.iter().zip(&values) {
                let expected = match perfect.endless_value(board).within(moves) {
                    Value::Win(_) => 1,
                    Value::Draw => 0,
                    Value::Loss(_) => -1,
                };
                assert_eq!(value, expected, "{} within {moves} moves", board.text());
            }
            unchanged = if values == last { unchanged + 1 } else { 0 };
            if unchanged == 2 {
                let level = values.iter().filter(|&&value| value == 0).count();
                assert_eq!(level, if repetition { 0 } else { 937 });
                break;
            }
            last = values;
        }
    }
}

#[test]
fn the_small_board_is_a_draw_and_with_the_rule_a_win_for_o() {
    for (repetition, value, totals) in
        [(false, Value::Draw, [8439, 1749, 937]), (true, Value::Win(7), [9002, 2123, 0])]
    {
        let Solution { value: found, census, perfect, .. } = solved(3, repetition);
        assert_eq!((found, census.totals()), (value, totals));
        let checked = verify::values(&perfect, &go_on).unwrap().unwrap();
        assert_eq!(checked.boards, totals.iter().sum::<u64>());
        assert_eq!(checked.forbidding > 0, repetition);
        let replayed = |side| verify::replay(&perfect, side, &go_on).unwrap().unwrap();
        let games = replayed(Side::Second);
        if repetition {
            assert_eq!((games.side, games.longest), (Side::First, Some(7)));
        } else {
            assert_eq!((games.side, games.longest), (Side::Second, None));
            assert_eq!(replayed(Side::First).side, Side::First);
        }
    }
}

/// The checks would notice: a value changed anywhere does not follow from the moves any more.
#[test]
fn a_wrong_value_is_found() {
    let file = Scratch::new("pushover-wrong");
    solved(3, true).perfect.save(&file.0).unwrap();
    let whole = std::fs::read(&file.0).unwrap();
    let begin = whole.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
    let mut tried = 0;
    for place in (begin..whole.len() - 8).step_by(37) {
        let mut bytes = whole[..whole.len() - 8].to_vec();
        // One move further away, where no forbidden push follows.
        if bytes[place] == 0 || bytes[place] >= 0x7a {
            continue;
        }
        bytes[place] += 2;
        std::fs::write(&file.0, play::files::table_file::sealed(bytes)).unwrap();
        if let Ok(wrong) = Perfect::load(&file.0) {
            assert!(verify::values(&wrong, &go_on).unwrap().is_err(), "byte {place}");
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

/// Alpha-beta to a depth finds exactly the wins and losses that are that near, on random boards of the full game.
#[test]
fn searches_find_what_the_values_say() {
    let perfect = solved(4, true).perfect;
    let rules = PushoverRules::default();
    let mut dice = Dice::seeded(&[4]);
    let mut search = AlphaBeta::<Pushover, Score>::new(Score, 16);
    let (mut near, mut moves) = (0, Vec::new());
    for _ in 0..600 {
        let mut position = Pushover::start(&rules);
        for _ in 0..6 + dice.below(10) {
            if let Some(entry) = position.random_move(&mut dice, &mut moves) {
                position.play(entry).unwrap();
            }
        }
        // Most random positions are won at once, which tells little.
        if position.turn() == Turn::Over || perfect.value(&position) == Value::Win(1) {
            continue;
        }
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let found = search.search(&position, &limits, &mut dice);
        let value = perfect.value(&position).within(5);
        let sign = if is_decided(found.value) { found.value.signum() } else { 0.0 };
        let expected = 2.0 * value.points() - 1.0;
        assert_eq!(sign, expected, "{}: {value}", position.text());
        near += usize::from(value != Value::Draw);
    }
    assert!(near > 30, "{near}");
}

/// On the full board: the first values, and `perfect` beats whoever it meets as `o`.
#[test]
fn o_wins_the_full_game_in_17_moves_and_perfect_does_it() {
    let Solution { value, census, longest, perfect, .. } = solved(4, true);
    assert_eq!((value, census.totals()), (Value::Win(17), [24_017_572, 9_738_993, 61_872]));
    assert_eq!(census.wins.last_key_value(), Some((&35, &48)));
    assert!(longest.is_some());
    let start = Pushover::start(&PushoverRules::default());
    assert_eq!(perfect.line(&start, 50).len(), 17);

    let file = Scratch::new("pushover-play");
    perfect.save(&file.0).unwrap();
    let text = format!("perfect(table=\"{}\")", file.0.display());
    for (number, other) in
        ["random", "greedy", "alphabeta(depth=3, table=1, eval=expert)"].into_iter().enumerate()
    {
        let rules = PushoverRules::default();
        let mut players = [player(&rules, &text).unwrap(), player(&rules, other).unwrap()];
        let record = play(&start, &mut players, &mut GameDice::new(1, number as u64), 100).unwrap();
        assert_eq!(record.end.winner(), Some(Side::First), "{other}");
        assert!(record.moves <= 17, "{other}: {}", record.moves);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let on = |threads| {
        let file = Scratch::new(&format!("threads-{threads}"));
        on_threads(threads, || solved(3, true)).unwrap().perfect.save(&file.0).unwrap();
        std::fs::read(&file.0).unwrap()
    };
    assert_eq!(on(1), on(2));
}

/// What the limit cuts off is a draw; what it does not is as without it.
#[test]
fn the_limit_of_moves_makes_draws() {
    let perfect = solved(3, true).perfect;
    for (limit, value) in [(7, Value::Win(7)), (6, Value::Draw)] {
        let position = Pushover::start(&limited(3, true, limit));
        assert_eq!(perfect.value(&position), value);
        assert!(!perfect.best(&position).is_empty());
    }
    // A text may forbid what play could not: the best push, on the way to the line.
    let rules = PushoverRules::new(3, true);
    let free = Pushover::parse(&rules, "oo.++....-+ 4").unwrap();
    assert_eq!(perfect.value(&free), Value::Win(1));
    for entry in perfect.best(&free) {
        let mut after = free.clone();
        after.play(entry).unwrap();
        let forbidden = Pushover::with_board(&rules, free.board(), Some(after.board()), Side::First);
        assert!(!perfect.best(&forbidden).contains(&entry));
        let best = perfect.moves(&forbidden).iter().map(|(_, value)| value.rank()).max();
        assert_eq!(Some(perfect.value(&forbidden).rank()), best);
    }
}

#[test]
fn a_table_gives_the_values_back_and_a_damaged_one_is_refused() {
    let file = Scratch::new("pushover-table");
    let perfect = solved(3, true).perfect;
    perfect.save(&file.0).unwrap();
    let loaded = Perfect::load(&file.0).unwrap();
    for position in small_boards(&perfect.rules()) {
        assert_eq!(loaded.moves(&position), perfect.moves(&position));
    }
    let whole = std::fs::read(&file.0).unwrap();
    let said = |bytes: &[u8]| {
        std::fs::write(&file.0, bytes).unwrap();
        let error = Perfect::load(&file.0).expect_err("a damaged table").to_string();
        assert!(error.starts_with("table '") && error.lines().count() == 1, "{error}");
        error
    };
    for place in (0..whole.len()).step_by(whole.len() / 50) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x04;
        said(&damaged);
        said(&whole[..place]);
    }
    assert!(said(&whole[..whole.len() - 9]).contains("cut short or damaged"));
    assert!(
        said(b"evalforge tetris values 1\n").contains("does not begin with 'evalforge pushover values 1'")
    );

    std::fs::write(&file.0, &whole).unwrap();
    let refused = |rules: &PushoverRules, text: &str| match player::<Pushover>(rules, text) {
        Ok(_) => panic!("{text} is accepted"),
        Err(error) => error.to_string(),
    };
    let named = format!("perfect(table=\"{}\")", file.0.display());
    let error = refused(&PushoverRules::default(), &named);
    assert!(error.contains("it is for size 3, repetition on; the game has size 4, repetition on"), "{error}");
    assert!(refused(&PushoverRules::new(3, false), &named).contains("the game has size 3, repetition off"));
    assert!(refused(&PushoverRules::new(5, true), "perfect").contains("too many to solve"));
    assert!(refused(&PushoverRules::new(3, true), "perfect(tabel=x)").contains("did you mean 'table'"));
    assert!(refused(&PushoverRules::new(3, true), "perfect(table=no/such)").contains("no/such"));
    let other = player::<games::othello::Othello>(&Default::default(), "perfect");
    assert!(other.is_err_and(|error| error.to_string().contains("unknown player 'perfect'")));
}
