//! How fast the observation functions of Avalam are counted: one by one, in one loop, and brought up to date move by
//! move; alone, and at the leaves of a search. And the searches themselves: alpha-beta, the endgame, simulated games.

use std::hint::black_box;
use std::rc::Rc;

use games::avalam::observations::{NAMES, OBSERVATIONS};
use games::avalam::{Avalam, Move, Observations, Weights, observe};
use games::{Dice, Game, Side, Turn};

use super::Timed;
use crate::search::alpha_beta::AlphaBeta;
use crate::search::avalam_eval::AvalamObservationEval;
use crate::search::endgame::{Endgame, avalam};
use crate::search::evaluation::Score;
use crate::search::limits::Budget;
use crate::search::mcts::{DEFAULT_EXPLORATION, Mcts};
use crate::search::rollout::Rollout;
use crate::search::{Limits, Searcher};

const DEPTH: usize = 3;
/// The searches begin in the middle of a game, with some 45 moves: from the start one search counts millions of leaves.
const PLIES: usize = 26;
const GAMES: u64 = 10;
/// Whole searches go on for so many seconds.
const SEARCHED: f64 = 0.1;
const SIMULATIONS: u64 = 2000;

/// Positions that are observed, nodes of a search of three plies with cut-offs, and whole searches.
pub fn timed() -> Vec<Timed> {
    let mut all: Vec<Timed> = ways::<OneByOne>("one by one").into();
    all.extend(ways::<OneLoop>("one loop"));
    all.extend(ways::<Updated>("updated"));
    all.extend(searches());
    all
}

/// Whole searches as they are played with: each begins in a position of another game. Nothing is forgotten in between, as to clear a
/// table takes as long as a search here.
fn searches() -> [Timed; 3] {
    let dice = || Dice::seeded(&[1]);
    let alpha_beta = move || {
        let mut search = AlphaBeta::new(AvalamObservationEval(OwnWeights::new().weights), 64);
        let mut next = turns();
        move || search.search(&next()[12].0, &Limits::time(SEARCHED), &mut dice()).nodes
    };
    let endgame = || {
        let (mut solver, mut next) = (avalam::Solver::new(64), turns());
        move || {
            let mut nodes = 0;
            solver.solve(&next()[22].0, true, &mut Budget::new(None, Some(SEARCHED)), &mut nodes);
            nodes
        }
    };
    let mcts = move || {
        let mut next = turns();
        move || {
            let mut mcts = Mcts::new(Score, Rollout::default(), DEFAULT_EXPLORATION);
            mcts.search(&next()[12].0, &Limits::simulations(SIMULATIONS), &mut dice());
            SIMULATIONS
        }
    };
    [
        Timed::new("alphabeta, 39 observations", &["nodes"], alpha_beta),
        Timed::new("endgame, who wins", &["nodes"], endgame),
        Timed::new("mcts, random games", &["simulations"], mcts),
    ]
}

fn ways<W: Way>(name: &str) -> [Timed; 2] {
    let observe = || {
        let (weights, mut next) = (OwnWeights::new(), turns());
        move || {
            let game = next();
            let mut way = W::begin(&game[0].0);
            for (position, mv) in game.iter() {
                black_box(way.value(position, position.side(), &weights));
                way = way.after(position, *mv);
            }
            game.len() as u64
        }
    };
    let search = || {
        let (weights, mut next) = (OwnWeights::new(), turns());
        move || {
            let position = next()[PLIES].0;
            let mut search = Search { weights: &weights, nodes: 0, moves: Default::default() };
            black_box(search.value(&position, W::begin(&position), DEPTH, -f64::INFINITY, f64::INFINITY));
            search.nodes
        }
    };
    [
        Timed::new(format!("39 {name}"), &["positions"], observe),
        Timed::new(format!("search, {name}"), &["nodes"], search),
    ]
}

/// The games, one after the other and again.
fn turns() -> impl FnMut() -> Rc<[(Avalam, Move)]> {
    let games: Vec<Rc<[(Avalam, Move)]>> = (0..GAMES).map(|seed| random_game(seed).into()).collect();
    let mut turn = (0..games.len()).cycle();
    move || games[turn.next().expect("they never run out")].clone()
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
