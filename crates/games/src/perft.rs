//! Counting leaves: the number of ways to play a given number of plies. It proves a move generator against
//! published counts and shows its speed.
//!
//! A ply is a move of a player, a forced pass included. What chance deals is tried in every way and costs no ply.
//! A finished game stays one leaf. The last ply is counted in bulk, with [`Game::count_moves`].

use crate::game::{Game, Outcome, Turn};

/// Counts the leaves `depth` plies below the position.
///
/// ```
/// use games::{Game, perft, othello::Othello};
/// assert_eq!(perft(&Othello::start(&Default::default()), 4), 244);
/// ```
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth as usize];
    count(position, &mut buffers)
}

/// The positions `depth` plies below this one, finished games included: the parts into which a count can be cut.
pub fn frontier<G: Game>(position: &G, depth: u32) -> Vec<G> {
    match (depth, position.turn()) {
        (0, _) | (_, Turn::Over) => vec![position.clone()],
        (_, Turn::Chance) => {
            let mut outcomes = Vec::new();
            position.outcomes(&mut outcomes);
            let dealt = outcomes.iter().map(|outcome| {
                let mut child = position.clone();
                child.deal_outcome(outcome.index);
                child
            });
            dealt.flat_map(|child| frontier(&child, depth)).collect()
        }
        (_, Turn::Player(_)) => {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let played = moves.iter().map(|&mv| {
                let mut child = position.clone();
                child.play_unchecked(mv);
                child
            });
            played.flat_map(|child| frontier(&child, depth - 1)).collect()
        }
    }
}

/// One buffer for every ply that is left.
fn count<G: Game>(position: &G, buffers: &mut [Vec<G::Move>]) -> u64 {
    if G::CHANCE && !buffers.is_empty() && position.turn() == Turn::Chance {
        return count_chance(position, buffers);
    }
    match buffers {
        [] => 1,
        [_] => position.count_moves().max(1) as u64,
        [here, rest @ ..] => {
            position.legal_moves(here);
            if here.is_empty() {
                return 1;
            }
            let mut leaves = 0;
            for &mv in here.iter() {
                let mut child = position.clone();
                child.play_unchecked(mv);
                leaves += count(&child, rest);
            }
            leaves
        }
    }
}

fn count_chance<G: Game>(position: &G, buffers: &mut [Vec<G::Move>]) -> u64 {
    let mut outcomes: Vec<Outcome> = Vec::new();
    position.outcomes(&mut outcomes);
    let mut leaves = 0;
    for outcome in outcomes {
        let mut child = position.clone();
        child.deal_outcome(outcome.index);
        leaves += count(&child, buffers);
    }
    leaves
}
