//! How fast the observation functions of Avalam are counted: one by one, in one loop, and brought up to date move by
//! move; alone, and at the leaves of a search. And the searches themselves: alpha-beta, the endgame, simulated games.

use std::hint::black_box;
use std::time::Duration;

use games::avalam::observations::{NAMES, OBSERVATIONS};
use games::avalam::{Avalam, Move, Observations, Weights, observe};
use games::{Dice, Game, Side, Turn};
use play::search::alpha_beta::AlphaBeta;
use play::search::avalam_eval::AvalamObservationEval;
use play::search::endgame;
use play::search::endgame::Endgame;
use play::search::evaluation::Score;
use play::search::limits::Budget;
use play::search::mcts::{DEFAULT_EXPLORATION, Mcts};
use play::search::rollout::Rollout;
use play::search::{Limits, Searcher};

use crate::bench::{Row, per_second};

/// The rows that [`measure`] makes.
pub const MEASURES: usize = 9;

const DEPTH: usize = 3;
/// The searches begin in the middle of a game, with some 45 moves: from the start one search counts millions of leaves.
const PLIES: usize = 26;
const GAMES: u64 = 10;

/// Measures one thread: positions that are observed, and nodes of a search of three plies with cut-offs.
pub fn measure(time: Duration, stop: &dyn Fn() -> bool, row: &mut dyn FnMut(Row)) {
    let games: Vec<_> = (0..GAMES).map(random_game).collect();
    measure_way::<OneByOne>("one by one", &games, time, stop, row);
    measure_way::<OneLoop>("one loop", &games, time, stop, row);
    measure_way::<Updated>("updated", &games, time, stop, row);
    measure_searches(&games, time, stop, row);
}

/// Whole searches as they are played with: each goes on for a tenth of a second from a position of another game. Nothing is
/// forgotten in between, as to clear a table takes as long as a search here.
fn measure_searches(
    games: &[Vec<(Avalam, Move)>],
    time: Duration,
    stop: &dyn Fn() -> bool,
    row: &mut dyn FnMut(Row),
) {
    let limits = Limits::time(time.as_secs_f64().min(0.1));
    let mut report = |name: &str, unit, plies: usize, work: &mut dyn FnMut(&Avalam) -> u64| {
        let mut turn = games.iter().cycle();
        let mut work = || work(&turn.next().expect("the games never run out")[plies].0);
        if let Some(per_second) = per_second(time, stop, &mut work) {
            row(Row { game: Avalam::NAME, name: name.into(), unit, per_second });
        }
    };
    let dice = || Dice::seeded(&[1]);
    let mut alpha_beta = AlphaBeta::new(AvalamObservationEval(OwnWeights::new().weights), 64);
    report("alphabeta, 39 observations", "nodes", 12, &mut |position| {
        alpha_beta.search(position, &limits, &mut dice()).nodes
    });
    let mut endgame = endgame::avalam::Solver::new(64);
    report("endgame, who wins", "nodes", 22, &mut |position| {
        let mut nodes = 0;
        endgame.solve(position, true, &mut Budget::new(None, limits.time), &mut nodes);
        nodes
    });
    report("mcts, random games", "simulations", 12, &mut |position| {
        let mut mcts = Mcts::new(Score, Rollout::default(), DEFAULT_EXPLORATION);
        mcts.search(position, &Limits::simulations(2000), &mut dice());
        2000
    });
}

fn measure_way<W: Way>(
    name: &str,
    games: &[Vec<(Avalam, Move)>],
    time: Duration,
    stop: &dyn Fn() -> bool,
    row: &mut dyn FnMut(Row),
) {
    let mut report = |name: String, unit, work: &mut dyn FnMut() -> u64| {
        if let Some(per_second) = per_second(time, stop, work) {
            row(Row { game: Avalam::NAME, name, unit, per_second });
        }
    };
    let weights = OwnWeights::new();
    let mut turn = games.iter().cycle();
    report(format!("39 {name}"), "positions", &mut || {
        let game = turn.next().expect("the games never run out");
        let mut way = W::begin(&game[0].0);
        for (position, mv) in game {
            black_box(way.value(position, position.side(), &weights));
            way = way.after(position, *mv);
        }
        game.len() as u64
    });
    let mut turn = games.iter().cycle();
    report(format!("search, {name}"), "nodes", &mut || {
        let (position, _) = turn.next().expect("the games never run out")[PLIES];
        let mut search = Search { weights: &weights, nodes: 0, moves: Default::default() };
        black_box(search.value(&position, W::begin(&position), DEPTH, -f64::INFINITY, f64::INFINITY));
        search.nodes
    });
}

/// The positions of a random game with the move made in each.
fn random_game(seed: u64) -> Vec<(Avalam, Move)> {
    let (mut dice, mut moves) = (Dice::seeded(&[seed]), Vec::new());
    let mut position = Avalam::start(&games::rules::Fixed);
    let mut game = Vec::new();
    while let Some(mv) = position.random_move(&mut dice, &mut moves) {
        game.push((position, mv));
        position.play_unchecked(mv);
    }
    game
}

/// Whole numbers, so that sums are the same in any order and all three ways search the same tree.
struct OwnWeights {
    list: [f64; OBSERVATIONS],
    weights: Weights,
}

impl OwnWeights {
    fn new() -> Self {
        let sign = |name: &str| match name {
            name if name.contains("own") => 1.0,
            name if name.contains("enemy") => -1.0,
            _ => 0.0,
        };
        let weight = |name: &str| match name {
            "score" => 50.0,
            name if name.contains("isolated") => 30.0 * sign(name),
            name if name.contains("links") => 3.0 * sign(name),
            _ => 5.0 * sign(name),
        };
        let list = NAMES.map(weight);
        Self { weights: Weights::new(&list, 0.0), list }
    }
}

/// A way to count.
trait Way: Copy {
    fn begin(position: &Avalam) -> Self;
    fn after(&self, before: &Avalam, mv: Move) -> Self;
    fn value(&self, position: &Avalam, side: Side, weights: &OwnWeights) -> f64;
}

#[derive(Clone, Copy)]
struct OneByOne;

impl Way for OneByOne {
    fn begin(_position: &Avalam) -> Self {
        Self
    }

    fn after(&self, _before: &Avalam, _mv: Move) -> Self {
        Self
    }

    fn value(&self, position: &Avalam, side: Side, weights: &OwnWeights) -> f64 {
        let weighted =
            |(index, weight): (usize, &f64)| weight * f64::from(observe(position, side, black_box(index)));
        weights.list.iter().enumerate().map(weighted).sum()
    }
}

#[derive(Clone, Copy)]
struct OneLoop;

impl Way for OneLoop {
    fn begin(_position: &Avalam) -> Self {
        Self
    }

    fn after(&self, _before: &Avalam, _mv: Move) -> Self {
        Self
    }

    fn value(&self, position: &Avalam, side: Side, weights: &OwnWeights) -> f64 {
        Observations::of(position).value(side, &weights.weights)
    }
}

#[derive(Clone, Copy)]
struct Updated(Observations);

impl Way for Updated {
    fn begin(position: &Avalam) -> Self {
        Self(Observations::of(position))
    }

    fn after(&self, before: &Avalam, mv: Move) -> Self {
        Self(self.0.after(before, mv))
    }

    fn value(&self, _position: &Avalam, side: Side, weights: &OwnWeights) -> f64 {
        self.0.value(side, &weights.weights)
    }
}

/// Negamax with cut-offs and nothing else: moves come in the order of the rules.
struct Search<'a> {
    weights: &'a OwnWeights,
    nodes: u64,
    moves: [Vec<Move>; DEPTH + 1],
}

impl Search<'_> {
    /// The value for the side to move.
    fn value<W: Way>(&mut self, position: &Avalam, way: W, depth: usize, mut alpha: f64, beta: f64) -> f64 {
        self.nodes += 1;
        let side = position.side();
        if depth == 0 && position.turn() != Turn::Over {
            return way.value(position, side, self.weights);
        }
        let mut moves = std::mem::take(&mut self.moves[depth]);
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            alpha = 1000.0 * position.final_value(side);
        }
        for &mv in &moves {
            let mut after = *position;
            after.play_unchecked(mv);
            alpha = alpha.max(-self.value(&after, way.after(position, mv), depth - 1, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        self.moves[depth] = moves;
        alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_measured() {
        let mut rows = Vec::new();
        measure(Duration::from_millis(1), &|| false, &mut |row| rows.push(row));
        assert_eq!(rows.len(), MEASURES);
        assert!(rows.iter().all(|row| row.per_second > 0.0));
    }

    #[test]
    fn the_three_ways_search_the_same_tree() {
        fn searched<W: Way>(position: &Avalam) -> (f64, u64) {
            let weights = OwnWeights::new();
            let mut search = Search { weights: &weights, nodes: 0, moves: Default::default() };
            let value = search.value(position, W::begin(position), DEPTH, -f64::INFINITY, f64::INFINITY);
            (value, search.nodes)
        }
        for seed in 0..3 {
            let (position, _) = random_game(seed)[PLIES + 2];
            let updated = searched::<Updated>(&position);
            assert!(updated.1 > 100);
            assert_eq!(updated, searched::<OneLoop>(&position));
            assert_eq!(updated, searched::<OneByOne>(&position));
        }
    }
}
