//! The searches against each other: what one finds by cleverness another finds by trying everything.

use crate::PlayedGame;
use games::avalam::Avalam;
use games::othello::Othello;
use games::pushover::Pushover;
use games::{Dice, Game, Turn};

use super::alpha_beta::AlphaBeta;
use super::evaluation::{Evaluation, RandomHash, Score, is_decided, rate};
use super::mcts::Mcts;
use super::minimax::Minimax;
use super::rollout::{Policy, Rollout};
use super::{Found, Limits, Searcher};

/// A position that random play reaches, with a player to move: `plies` after the start, or the last one before the end.
fn reached<G: PlayedGame>(plies: usize, seed: u64) -> G {
    let (mut dice, mut moves) = (Dice::seeded(&[seed]), Vec::new());
    let mut position = G::start(&G::Rules::default());
    for _ in 0..plies {
        let mut after = position.clone();
        after.legal_moves(&mut moves);
        after.play_unchecked(dice.pick(&moves));
        if after.turn() == Turn::Over {
            break;
        }
        position = after;
    }
    position
}

/// A position some plies before the end of a random game.
fn late<G: PlayedGame>(before_end: usize, seed: u64) -> G {
    let (mut dice, mut moves) = (Dice::seeded(&[seed]), Vec::new());
    let mut game = vec![G::start(&G::Rules::default())];
    while game[game.len() - 1].turn() != Turn::Over {
        let mut after = game[game.len() - 1].clone();
        after.legal_moves(&mut moves);
        after.play_unchecked(dice.pick(&moves));
        game.push(after);
    }
    game.swap_remove(game.len().saturating_sub(1 + before_end))
}

fn lots() -> Dice {
    Dice::seeded(&[0])
}

fn minimax<G: PlayedGame, E: Evaluation<G> + Copy>(position: &G, evaluation: E, depth: u32) -> Found<G> {
    Minimax::new(evaluation).search(position, &Limits::depth(depth), &mut lots())
}

/// The value of a move by minimax, counted from the root: what lies below is one ply nearer to its own end.
fn value_of<G: PlayedGame, E: Evaluation<G> + Copy>(
    position: &G,
    mv: G::Move,
    evaluation: E,
    depth: u32,
) -> f64 {
    let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
    let mut after = position.clone();
    after.play_unchecked(mv);
    if depth == 1 || after.turn() == Turn::Over {
        let sums = evaluation.fresh(&after);
        return -rate(&evaluation, &after, &sums, side.other(), 1);
    }
    let value = -minimax(&after, evaluation, depth - 1).value;
    if is_decided(value) { value - 1f64.copysign(value) } else { value }
}

/// Alpha-beta with and without table and narrow windows, at once to this depth and again with what it remembers.
fn agrees<G: PlayedGame, E: Evaluation<G> + Copy>(position: &G, evaluation: E, depth: u32) {
    let plain = minimax(position, evaluation, depth);
    for (table, aspiration) in [(0, false), (0, true), (1, false), (1, true)] {
        let mut search = AlphaBeta::new(evaluation, table);
        search.aspiration = aspiration;
        let found = search.search(position, &Limits::depth(depth), &mut lots());
        let context = format!("{} depth {depth} table {table} {aspiration}", position.text());
        assert_eq!(found.value, plain.value, "{context}");
        assert_eq!(found.exact, plain.exact || found.exact && G::SCORE_UNIT.is_empty(), "{context}");
        assert_eq!(found.line.first(), Some(&found.best), "{context}");
        assert_eq!(value_of(position, found.best, evaluation, depth), plain.value, "{context}");
        let mut after = position.clone();
        found.line.iter().for_each(|&mv| after.play(mv).expect(&context));
    }
}

fn agreement<G: PlayedGame>(depths: &[(usize, u32)], rounds: u64) {
    for seed in 0..rounds {
        for &(plies, depth) in depths {
            let position = reached::<G>(plies, seed);
            agrees(&position, RandomHash { seed, values: 1000 }, depth);
            agrees(&position, RandomHash { seed, values: 3 }, depth);
            agrees(&position, Score, depth);
        }
    }
}

#[test]
fn alpha_beta_is_minimax_in_othello() {
    agreement::<Othello>(&[(0, 4), (10, 3), (30, 3), (50, 4), (55, 5)], 3);
}

#[test]
fn alpha_beta_is_minimax_in_pushover() {
    agreement::<Pushover>(&[(0, 3), (8, 3), (14, 3), (25, 3)], 3);
}

#[test]
fn alpha_beta_is_minimax_in_avalam() {
    agreement::<Avalam>(&[(0, 2), (20, 2), (26, 3), (30, 4), (34, 5)], 3);
}

#[test]
fn ends_are_searched_to_the_end() {
    fn all<G: PlayedGame>(before_end: usize) {
        for seed in 0..4 {
            let position = late::<G>(before_end, seed);
            let plain = Minimax::new(Score).search(&position, &Limits::default(), &mut lots());
            let mut search = AlphaBeta::new(RandomHash { seed, values: 100 }, 4);
            let found = search.search(&position, &Limits::default(), &mut lots());
            assert!(plain.exact && found.exact, "{}", position.text());
            assert_eq!(found.value, plain.value, "{}", position.text());
            // What the table remembers does not change the answer, and the answer comes soon.
            let again = search.search(&position, &Limits::default(), &mut lots());
            assert_eq!((again.value, again.exact), (found.value, true));
            assert!(again.nodes <= found.nodes);
        }
    }
    all::<Othello>(6);
    all::<Avalam>(5);
}

#[test]
fn wins_come_sooner_and_losses_later() {
    // `o` completes the first row at once, though it could do so later as well.
    let position =
        Pushover::parse(&Default::default(), "ooo.+++.........-+ 20").expect("a position of Push-over");
    let mut search = AlphaBeta::new(RandomHash { seed: 1, values: 9 }, 1);
    let found = search.search(&position, &Limits::depth(5), &mut lots());
    assert_eq!((found.depth, found.exact, found.line.len()), (1, true, 1));
}

#[test]
fn limits_of_depth_and_nodes_give_the_same_again() {
    fn all<G: PlayedGame>() {
        let position = reached::<G>(12, 3);
        for limits in [Limits::depth(3), Limits::nodes(3000), Limits::nodes(1)] {
            let find = || {
                let found = AlphaBeta::new(Score, 1).search(&position, &limits, &mut lots());
                Found { seconds: 0.0, ..found }
            };
            assert_eq!(find(), find());
            // One node's moves may be under way when the limit is reached.
            assert!(limits.nodes.is_none_or(|most| find().nodes <= most + 400));
        }
    }
    all::<Othello>();
    all::<Pushover>();
    all::<Avalam>();
}

const ROLLOUTS: [Rollout; 3] = [
    Rollout { policy: Policy::Random, epsilon: 0.0, cut: None, scale: 1.0 },
    Rollout { policy: Policy::Greedy, epsilon: 0.2, cut: None, scale: 1.0 },
    Rollout { policy: Policy::Random, epsilon: 0.0, cut: Some(2), scale: 4.0 },
];

/// Simulations know wins, draws and losses only: that is what must come out right.
#[test]
fn simulations_come_to_the_move_of_minimax() {
    fn all<G: PlayedGame>(before_end: usize, tries: u64) {
        let mut proven = 0;
        for seed in 0..tries {
            let position = late::<G>(before_end, seed);
            let best = Minimax::new(Score).search(&position, &Limits::default(), &mut lots());
            let class = |value: f64| if value == 0.0 { 0.0 } else { value.signum() };
            for rollout in ROLLOUTS {
                let mut search = Mcts::new(Score, rollout, 1.0);
                let found =
                    search.search(&position, &Limits::simulations(6000), &mut Dice::seeded(&[seed, 1]));
                let value = value_of(&position, found.best, Score, 60);
                assert_eq!(class(value), class(best.value), "{} {rollout:?}", position.text());
                if found.exact {
                    proven += 1;
                    assert_eq!(found.value, (1.0 + class(best.value)) / 2.0);
                }
                let mut after = position.clone();
                found.line.iter().for_each(|&mv| after.play(mv).unwrap());
            }
        }
        assert!(proven > 0, "nothing was proven");
    }
    all::<Othello>(6, 6);
    all::<Avalam>(5, 6);
}

#[test]
fn a_kept_tree_goes_on_where_it_was() {
    let mut position = reached::<Avalam>(20, 1);
    let mut search = Mcts::new(Score, Rollout::default(), 1.0);
    let mut dice = Dice::seeded(&[3]);
    let first = search.search(&position, &Limits::simulations(2000), &mut dice);
    position.play(first.line[0]).unwrap();
    position.play(first.line[1]).unwrap();
    // One simulation more, and yet the line is as deep as what was kept.
    let second = search.search(&position, &Limits::simulations(1), &mut dice);
    assert!(second.line.len() + 2 >= first.line.len(), "{} after {}", second.line.len(), first.line.len());
    search.new_game();
    let fresh = search.search(&position, &Limits::simulations(1), &mut dice);
    assert_eq!(fresh.line.len(), 1);
}

#[test]
fn the_same_simulations_give_the_same_move() {
    let position = reached::<Othello>(12, 2);
    let find = |rollout| {
        let mut search = Mcts::new(Score, rollout, 1.4);
        let found = search.search(&position, &Limits::simulations(300), &mut Dice::seeded(&[4]));
        Found { seconds: 0.0, ..found }
    };
    ROLLOUTS.iter().for_each(|&rollout| assert_eq!(find(rollout), find(rollout)));
}

/// Two searches at once, 30 ms each. The machine may have other things to do, other tests above all: a search that is late is late every time,
/// so that the second best of several tells.
#[test]
fn a_limit_of_time_is_kept() {
    const LIMIT: f64 = 0.03;
    fn second_best(mut seconds: Vec<f64>) -> f64 {
        seconds.sort_by(f64::total_cmp);
        seconds[1]
    }
    fn overrun<G: PlayedGame, S: Searcher<G>>(make: impl Fn() -> S) -> f64 {
        let run = |seed| {
            let position = reached::<G>(8, seed);
            let mut search = make();
            let begun = std::time::Instant::now();
            search.search(&position, &Limits::time(LIMIT), &mut lots());
            begun.elapsed().as_secs_f64() - LIMIT
        };
        second_best((0..7).map(run).collect())
    }
    let slow = Rollout { policy: Policy::Greedy, ..Rollout::default() };
    let late = std::thread::scope(|scope| {
        let a =
            scope.spawn(|| overrun::<Avalam, _>(|| AlphaBeta::new(RandomHash { seed: 1, values: 99 }, 64)));
        let b = scope.spawn(|| overrun::<Avalam, _>(|| Mcts::new(Score, slow, 1.0)));
        [a.join().unwrap(), b.join().unwrap()]
    });
    assert!(late.iter().all(|&late| late < 0.02), "late by {late:?} s");
    let othello = overrun::<Othello, _>(|| AlphaBeta::new(Score, 64));
    let pushover = overrun::<Pushover, _>(|| AlphaBeta::new(Score, 64));
    assert!(othello < 0.02 && pushover < 0.02, "late by {othello} and {pushover} s");
}

#[test]
fn a_game_time_lasts_for_the_game() {
    let mut position = Avalam::start(&Default::default());
    let mut search = AlphaBeta::new(Score, 8);
    let (mut left, mut deepest) = (0.5, 0);
    while position.turn() != Turn::Over {
        let begun = std::time::Instant::now();
        let found = search.search(&position, &Limits::game_time(left), &mut lots());
        left -= begun.elapsed().as_secs_f64();
        deepest = deepest.max(found.depth);
        position.play(found.best).unwrap();
    }
    assert!(left > 0.0 && deepest > 2, "{left} s left, depth {deepest}");
    // Nothing left is no reason not to move.
    search.search(&reached::<Avalam>(9, 1), &Limits::game_time(0.0), &mut lots());
}
