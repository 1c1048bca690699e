//! The searches against each other: what one finds by cleverness another finds by trying everything.

use games::avalam::Avalam;
use games::othello::Othello;
use games::pushover::Pushover;
use games::{Dice, Game, Turn};

use super::alpha_beta::AlphaBeta;
use super::evaluation::{Evaluation, RandomHash, Score, is_decided, rate};
use super::minimax::Minimax;
use super::{Found, Limits, Searcher};

/// A position that random play reaches, with a player to move: `plies` after the start, or the last one before the end.
fn reached<G: Game>(plies: usize, seed: u64) -> G {
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
fn late<G: Game>(before_end: usize, seed: u64) -> G {
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

fn minimax<G: Game, E: Evaluation<G> + Copy>(position: &G, evaluation: E, depth: u32) -> Found<G> {
    Minimax(evaluation).search(position, &Limits::depth(depth), &mut lots())
}

/// The value of a move by minimax, counted from the root: what lies below is one ply nearer to its own end.
fn value_of<G: Game, E: Evaluation<G> + Copy>(position: &G, mv: G::Move, evaluation: E, depth: u32) -> f64 {
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
fn agrees<G: Game, E: Evaluation<G> + Copy>(position: &G, evaluation: E, depth: u32) {
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

fn agreement<G: Game>(depths: &[(usize, u32)], rounds: u64) {
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
    fn all<G: Game>(before_end: usize) {
        for seed in 0..4 {
            let position = late::<G>(before_end, seed);
            let plain = Minimax(Score).search(&position, &Limits::default(), &mut lots());
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
    fn all<G: Game>() {
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
