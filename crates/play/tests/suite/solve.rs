//! The solver against a plain second one, against its own player, and against rules and files that it must refuse.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::sync::Arc;

use games::tetris::{Tetris, TetrisRules};
use games::{Game, Outcome, Rules, Side, Turn};
use play::solve::{Optimal, Solution, SolveError, solve};
use play::threads::on_threads;
use stats::Mean;

use crate::scratch::Scratch;

fn rules(options: &str) -> TetrisRules {
    let pairs = options.split_whitespace().map(|pair| pair.split_once('=').unwrap());
    TetrisRules::from_pairs(pairs).unwrap()
}

fn solved(options: &str) -> Solution {
    solve(&rules(options), 1e-6, &go_on).unwrap()
}

fn go_on(_share: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn played(player: Optimal, games: usize) -> Mean {
    Mean::of(&Arc::new(player).simulate(games, 1, &go_on).unwrap())
}

/// For every piece: its weight, and for every legal placement the lines and the board after, none if it is lost.
type Pieces = Vec<(u32, Vec<(f64, Option<String>)>)>;

/// The rows of a position, which name its board.
fn rows(position: &Tetris) -> String {
    position.text().split(' ').next().unwrap().to_string()
}

fn pieces(board: &Tetris) -> Pieces {
    let mut outcomes: Vec<Outcome> = Vec::new();
    board.outcomes(&mut outcomes);
    let placements = |outcome: &Outcome| {
        let mut position = board.clone();
        position.deal_outcome(outcome.index);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let after = moves.into_iter().map(|mv| {
            let mut after = position.clone();
            after.play(mv).unwrap();
            (after.score(Side::First), (after.turn() != Turn::Over).then(|| rows(&after)))
        });
        (outcome.weight, after.collect())
    };
    outcomes.iter().map(placements).collect()
}

/// The value of the empty board and the number of boards, by plain value iteration over texts.
fn plain_value(rules: &TetrisRules) -> (f64, usize) {
    let mut graph: HashMap<String, Pieces> = HashMap::new();
    let mut waiting = vec!["-".to_string()];
    while let Some(board) = waiting.pop() {
        if let Entry::Vacant(entry) = graph.entry(board) {
            let pieces = pieces(&Tetris::parse(rules, entry.key()).unwrap());
            let after = pieces.iter().flat_map(|(_, placements)| placements);
            waiting.extend(after.filter_map(|(_, board)| board.clone()));
            entry.insert(pieces);
        }
    }
    let mut values: HashMap<&str, f64> = graph.keys().map(|board| (board.as_str(), 0.0)).collect();
    loop {
        let value = |pieces: &Pieces| {
            let best = |placements: &[(f64, Option<String>)]| {
                let worth = placements.iter().map(|(lines, board)| match board {
                    Some(board) => lines + values[board.as_str()],
                    None => *lines,
                });
                worth.fold(f64::NEG_INFINITY, f64::max)
            };
            let total: u32 = pieces.iter().map(|(weight, _)| weight).sum();
            let sum: f64 = pieces.iter().map(|(weight, p)| f64::from(*weight) * best(p)).sum();
            sum / f64::from(total)
        };
        let next: HashMap<&str, f64> =
            graph.iter().map(|(board, pieces)| (board.as_str(), value(pieces))).collect();
        let change = next.iter().map(|(board, value)| (value - values[board]).abs()).fold(0.0, f64::max);
        values = next;
        if change < 1e-10 {
            return (values["-"], graph.len());
        }
    }
}

#[test]
fn the_value_is_that_of_plain_value_iteration_under_every_switch() {
    for options in [
        "",
        "losing=allowed",
        "clearing=before",
        "clearing=before losing=allowed",
        "over=top-row",
        "over=top-row height=5",
        "pieces=harder",
        "pieces=sz",
        "pieces=weights:1,2,3,4,5,6,7",
        "pieces=weights:0,0,2,0,1,1,1 clearing=before",
    ] {
        let options = format!("width=4 height=4 {options}");
        let (value, boards) = plain_value(&rules(&options));
        let solution = solved(&options);
        assert!((solution.value - value).abs() < 1e-6, "{options}: {} and {value}", solution.value);
        assert!((solution.bounds[0] - 1e-8..=solution.bounds[1] + 1e-8).contains(&value), "{options}");
        assert_eq!(solution.boards, boards, "{options}");
    }
}

/// The mean over games must lie within twice its 95 % interval: missed by chance once in 10,000.
#[test]
fn the_player_makes_the_lines_that_the_value_promises() {
    for (options, games) in [
        ("width=4 height=4", 20_000),
        ("width=4 height=4 clearing=before losing=allowed pieces=weights:1,2,3,4,5,6,7", 10_000),
        ("width=4 height=5", 10_000),
        ("width=5 height=4", 10_000),
    ] {
        let solution = solved(options);
        let played = played(solution.player, games);
        let off = (played.mean - solution.value).abs();
        assert!(off < 2.0 * played.half_width(), "{options}: {} and {played:?}", solution.value);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let on = |threads| on_threads(threads, || solved("width=4 height=5")).unwrap();
    let (one, two) = (on(1), on(2));
    assert_eq!(one.bounds.map(f64::to_bits), two.bounds.map(f64::to_bits));
    assert_eq!((one.iterations, one.sweeps, one.states), (two.iterations, two.sweeps, two.states));
}

#[test]
fn a_tighter_tolerance_stays_within_the_bounds_of_a_loose_one() {
    let with = |tolerance| solve(&rules("width=4 height=5"), tolerance, &go_on).unwrap().bounds;
    let (loose, tight) = (with(0.5), with(1e-8));
    assert!(loose[0] <= tight[0] && tight[1] <= loose[1], "{loose:?} {tight:?}");
    assert!(tight[1] - tight[0] <= 1e-8);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let refusal = |options: &str| {
        let refused = solve(&rules(options), 1e-6, &go_on);
        assert!(matches!(refused, Err(SolveError::Rules(_))), "{options}");
        refused.unwrap_err().to_string()
    };
    for (options, says) in [
        ("width=4 height=4 pieces=weights:0,1,0,0,0,0,0", "'pieces': 'weights:0,1,0,0,0,0,0' is not allowed"),
        ("width=4 height=4 pieces=weights:1,1,0,0,0,0,0", "for ever"),
        ("width=4 height=4 pieces=bag", "option 'pieces': 'bag'"),
        ("width=4 height=4 pieces=sequence:OI", "option 'pieces': 'sequence:OI'"),
        ("width=4 height=4 preview=on", "option 'preview': 'on'"),
        ("", "option 'width': '10' is not allowed; allowed: 4 to 7"),
        ("width=5 height=6", "option 'height': '6' is not allowed; allowed: 4 to 5 at width 5"),
        ("width=5 height=7 over=top-row", "allowed: 4 to 6 at width 5"),
    ] {
        let refusal = refusal(options);
        assert!(refusal.contains(says), "{options}: {refusal}");
    }
    let stopped = solve(&rules("width=4 height=5"), 1e-6, &|_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(SolveError::Stopped)));
}

#[test]
fn a_table_plays_on_from_its_file_and_a_damaged_one_is_refused() {
    let file = Scratch::new("tetris-table");
    let player = solved("width=4 height=4 pieces=harder").player;
    player.save(&file.0).unwrap();
    let loaded = Optimal::load(&file.0).unwrap();
    assert_eq!(loaded.rules(), player.rules());
    assert_eq!(played(player, 300), played(loaded, 300));

    let whole = std::fs::read(&file.0).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&file.0, bytes).unwrap();
        let error = Optimal::load(&file.0).err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.starts_with("table '") && text.lines().count() == 1));
    };
    for place in (0..whole.len()).step_by(whole.len() / 150) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x10;
        refused(&damaged);
        refused(&whole[..place]);
    }
    refused(&[&whole[..], b"x"].concat());
    assert!(Optimal::load(&Scratch::new("tetris-missing").0).is_err());
}
