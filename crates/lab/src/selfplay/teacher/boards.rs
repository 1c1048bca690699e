//! Positions to learn from, from games of the pupil.

use games::{Game, Turn};
use rayon::prelude::*;

use crate::evaluator::Evaluator;
use crate::players::model::first_maximum;
use crate::playout::GameDice;

/// A game is broken off after so many moves: those of a good player never end.
const MOST_MOVES: usize = 300;

/// One position in so many is kept; those next to each other tell the same.
const KEPT: usize = 8;

/// One move in so many is drawn by lot, so that the pupil gets into trouble.
const BY_LOT: usize = 10;

/// So many positions in which a player is to move.
pub fn sample<G: Game>(evaluator: &Evaluator<G>, rules: &G::Rules, count: usize, seed: u64) -> Vec<G> {
    let (mut boards, mut games) = (Vec::with_capacity(count), 0);
    while boards.len() < count {
        // As many games again as are thought to be needed; what is too much is left out, so that threads do not matter.
        let more = ((count - boards.len()) * KEPT / MOST_MOVES).max(16) as u64;
        let play = |number| game(evaluator, rules, &mut GameDice::new(seed, number));
        let played: Vec<Vec<G>> = (games..games + more).into_par_iter().map(play).collect();
        boards.extend(played.into_iter().flatten());
        games += more;
    }
    boards.truncate(count);
    boards
}

fn game<G: Game>(evaluator: &Evaluator<G>, rules: &G::Rules, dice: &mut GameDice) -> Vec<G> {
    let (mut moves, mut rows, mut values, mut kept) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut position = G::start(rules);
    let mut made = 0;
    while made < MOST_MOVES {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => position.deal(&mut dice.deals),
            Turn::Player(_) => {
                position.legal_moves(&mut moves);
                let lots = &mut dice.players[0];
                if lots.below(KEPT) == 0 {
                    kept.push(position.clone());
                }
                let mv = if lots.below(BY_LOT) == 0 {
                    lots.pick(&moves)
                } else {
                    evaluator.values(&position, &moves, &mut rows, &mut values);
                    moves[first_maximum(&values)]
                };
                position.play_unchecked(mv);
                made += 1;
            }
        }
    }
    kept
}
