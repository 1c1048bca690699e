//! Monte Carlo tree search: simulated games grow a tree where they go well (UCT, Kocsis & Szepesvári 2006).
//!
//! A win counts 1, a draw 0.5, a loss 0, always for the side that moved into a node, so that a result changes sides at every
//! level. Ends found in the tree are proven and so may be what lies above them (the MCTS solver of Winands 2008): a search of a
//! small tree ends with a proof. The tree is kept from move to move. The value is the share of wins of the best move.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use games::{Dice, Game, Side, Turn};

use super::clock::Clock;
use super::evaluation::{Evaluation, WIN};
use super::limits::{Budget, Limits};
use super::rollout::Rollout;
use super::tree::{Proven, Tree};
use super::{Found, Searcher};
use crate::PlayedGame;

/// Simulations when nothing limits them.
pub const DEFAULT_SIMULATIONS: u64 = 1000;

/// The exploration constant of the theory, for results from 0 to 1.
pub const DEFAULT_EXPLORATION: f64 = std::f64::consts::SQRT_2;

/// Nodes of 40 bytes that a tree may have; then it grows no more, and simulations go on from its leaves.
const MOST_NODES: usize = 3_000_000;

/// The search and its tree.
pub struct Mcts<G: Game, E: Evaluation<G>> {
    evaluation: E,
    rollout: Rollout,
    exploration: f64,
    clock: Clock,
    tree: Option<Tree<G>>,
    chosen: Option<u32>,
    moves: Vec<G::Move>,
    nodes: u64,
    stop: Option<Arc<AtomicBool>>,
}

impl<G: PlayedGame, E: Evaluation<G>> Mcts<G, E> {
    /// A search; `exploration` weighs moves that were seldom tried.
    ///
    /// # Panics
    /// If the game is not one of two sides without chance.
    pub fn new(evaluation: E, rollout: Rollout, exploration: f64) -> Self {
        assert!(super::is_searchable::<G>(), "{} is no game of two sides without chance", G::NAME);
        let clock = Clock::of::<G>();
        Self {
            evaluation,
            rollout,
            exploration,
            clock,
            tree: None,
            chosen: None,
            moves: Vec::new(),
            nodes: 0,
            stop: None,
        }
    }

    /// The tree of a position: the part of the last one that lies below it, or a new one.
    fn tree_of(&mut self, position: &G) -> Tree<G> {
        let chosen = self.chosen.take();
        let kept = self.tree.take().and_then(|mut tree| {
            let at = tree.find(position, chosen)?;
            tree.reroot(at, position.clone());
            Some(tree)
        });
        kept.unwrap_or_else(|| Tree::new(position.clone()))
    }

    /// One simulation from a node and its position, in which a side is to move: selection down the tree, expansion of a leaf, a rollout to
    /// the end, and the result backed up. `false` if time ran out.
    fn simulate(
        &mut self,
        tree: &mut Tree<G>,
        (mut at, mut position, mut side): (u32, G, Side),
        dice: &mut Dice,
        watch: &mut Budget,
    ) -> bool {
        let result = loop {
            if let Some(result) = tree.node(at).proven.result() {
                break result;
            }
            if tree.children(at).is_empty() {
                if at != 0 && tree.node(at).visits == 0 && position.turn() == Turn::Over {
                    tree.prove(at, Proven::of_end(position.final_value(side.other())));
                    continue;
                }
                if at != 0 && (tree.node(at).visits == 0 || tree.len() > MOST_NODES) {
                    let (evaluation, moves, nodes) = (&self.evaluation, &mut self.moves, &mut self.nodes);
                    let result = self.rollout.play(evaluation, position, moves, dice, watch, nodes);
                    let Some(first) = result else { return false };
                    // The node is for the side that moved into it.
                    break if side == Side::First { 1.0 - first } else { first };
                }
                position.legal_moves(&mut self.moves);
                shuffle(&mut self.moves, dice);
                tree.expand(at, &self.moves);
            }
            at = select(tree, at, self.exploration);
            position.play_unchecked(tree.node(at).mv.expect("a child has a move"));
            side = side.other();
            self.nodes += 1;
        };
        tree.back_up(at, result);
        true
    }
}

/// Selection: a child that was never visited, else the one with the highest upper confidence bound. A proven loss is left
/// alone.
fn select<G: Game>(tree: &Tree<G>, at: u32, exploration: f64) -> u32 {
    let log = math::ln(f64::from(tree.node(at).visits.max(1)));
    let (mut best, mut highest) = (None, f64::NEG_INFINITY);
    for child in tree.children(at) {
        let node = tree.node(child);
        if node.proven == Proven::Loss {
            continue;
        }
        if node.visits == 0 {
            return child;
        }
        let bound = node.mean() + exploration * (log / f64::from(node.visits)).sqrt();
        if bound > highest {
            (best, highest) = (Some(child), bound);
        }
    }
    best.expect("a node whose moves all lose is certain itself")
}

/// The move to play: a proven win, else the one with the most visits, which is less a matter of luck than the best mean; a
/// proven loss only if there is nothing else.
fn choose<G: Game>(tree: &Tree<G>, at: u32) -> Option<u32> {
    let worth = |child: &u32| {
        let node = tree.node(*child);
        let class = match node.proven {
            Proven::Win => 2,
            Proven::Draw | Proven::No => 1,
            Proven::Loss => 0,
        };
        (class, node.visits, node.mean())
    };
    let better =
        |a: &u32, b: &u32| worth(a).partial_cmp(&worth(b)).expect("means are numbers").then(b.cmp(a));
    tree.children(at).max_by(better)
}

/// The expected moves, that into a node first.
fn line<G: Game>(tree: &Tree<G>, mut at: u32) -> Vec<G::Move> {
    let mut line: Vec<G::Move> = tree.node(at).mv.into_iter().collect();
    while let Some(child) = choose(tree, at).filter(|&child| tree.node(child).visits > 0) {
        line.extend(tree.node(child).mv);
        at = child;
    }
    line
}

/// The most simulations that the limits allow.
fn simulations(limits: &Limits, seconds: Option<f64>) -> u64 {
    let is_free = seconds.is_none() && limits.nodes.is_none();
    limits.simulations.or(is_free.then_some(DEFAULT_SIMULATIONS)).unwrap_or(u64::MAX)
}

fn shuffle<T>(items: &mut [T], dice: &mut Dice) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.below(last + 1));
    }
}

impl<G: PlayedGame, E: Evaluation<G>> Searcher<G> for Mcts<G, E> {
    fn search(&mut self, position: &G, limits: &Limits, dice: &mut Dice) -> Found<G> {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        let seconds = self.clock.seconds(position.step(), limits);
        let most = simulations(limits, seconds);
        let mut watch = Budget::new(None, seconds).with_stop(self.stop.clone());
        let mut tree = self.tree_of(position);
        self.nodes = 0;
        let mut made = 0;
        // The first game gives the root its moves.
        while made < most.max(1) && tree.node(0).proven == Proven::No {
            let more = self.simulate(&mut tree, (0, position.clone(), side), dice, &mut watch);
            made += 1;
            let only = tree.children(0).len() == 1 && limits.is_timed();
            if !more || only || watch.look(0) || limits.nodes.is_some_and(|most| self.nodes >= most) {
                break;
            }
        }
        let chosen = choose(&tree, 0).expect("the game is not over");
        let line = line(&tree, chosen);
        let found = Found {
            best: line[0],
            value: tree.node(chosen).mean(),
            depth: line.len() as u32,
            line,
            nodes: self.nodes,
            exact: tree.node(0).proven != Proven::No,
            seconds: watch.seconds(),
        };
        self.chosen = Some(chosen);
        self.tree = Some(tree);
        found
    }

    /// One tree, and one simulation for each move in turn. A round that was not finished counts for none, but what is proven stays.
    fn every_move(
        &mut self,
        position: &G,
        limits: &Limits,
        dice: &mut Dice,
        ask: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Vec<Found<G>>> {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        let seconds = self.clock.seconds(position.step(), limits);
        let mut all = Found::of_moves(position);
        let mut tree = Tree::new(position.clone());
        let moves: Vec<G::Move> = all.iter().map(|(one, _)| one.best).collect();
        tree.expand(0, &moves);
        let mut watch = Budget::new(limits.nodes, seconds).with_stop(self.stop.clone());
        // The first round is always finished.
        watch.is_armed = false;
        self.nodes = 0;
        'rounds: for _ in 0..(simulations(limits, seconds) / moves.len() as u64).max(1) {
            for (number, child) in tree.children(0).enumerate() {
                if !ask(number, moves.len()) {
                    return None;
                }
                if tree.node(child).proven != Proven::No {
                    continue;
                }
                let (nodes, begun) = (self.nodes, watch.seconds());
                let (one, after) = &mut all[number];
                let more = self.simulate(&mut tree, (child, after.clone(), side.other()), dice, &mut watch);
                one.nodes += self.nodes - nodes;
                one.seconds += watch.seconds() - begun;
                if !more || watch.look(self.nodes) {
                    break 'rounds;
                }
            }
            watch.is_armed = true;
            tree.children(0).zip(&mut all).for_each(|(child, (one, _))| one.value = tree.node(child).mean());
            if tree.children(0).all(|child| tree.node(child).proven != Proven::No) {
                break;
            }
        }
        let mut ranked = Vec::new();
        for (child, (mut one, _)) in tree.children(0).zip(all) {
            one.line = line(&tree, child);
            (one.depth, one.exact) = (one.line.len() as u32, tree.node(child).proven != Proven::No);
            let rank = match tree.node(child).proven {
                Proven::Win => f64::INFINITY,
                Proven::Loss => f64::NEG_INFINITY,
                Proven::Draw => 0.5,
                Proven::No => one.value,
            };
            // Who wins is known, by how much is not.
            one.value = match tree.node(child).proven {
                Proven::Win => WIN,
                Proven::Loss => -WIN,
                Proven::Draw => 0.0,
                Proven::No => one.value,
            };
            ranked.push((rank, one));
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(ranked.into_iter().map(|(_, one)| one).collect())
    }

    fn new_game(&mut self) {
        (self.tree, self.chosen) = (None, None);
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }
}
