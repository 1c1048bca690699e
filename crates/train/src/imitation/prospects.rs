//! What an expert that looks one deal further thinks of every move: the value of the move, and of what can be made of each
//! thing that chance may deal after it. A mean over the deals weighs them as they come; a soft minimum fears the bad ones:
//!
//! -(1/b) ln(sum of shares · exp(-b · value)),  the mean for b -> 0 and the worst for b -> infinity.

use games::Turn;
use play::PlayedGame;
use play::evaluator::Evaluator;
use play::players::lookahead::{Room, best_answer, deals};

/// What may come after a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    /// How likely it is.
    pub share: f64,
    /// What the best answer is worth; none if all answers end the game.
    pub value: Option<f64>,
}

/// A move as the expert sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveOutlook {
    /// What it is worth in itself.
    pub own: f64,
    /// What may come after it; nothing if it ends the game.
    pub next: Vec<Prospect>,
}

/// Looks at every move of a position in which a player is to move.
pub fn look<G: PlayedGame>(
    evaluator: &Evaluator<G>,
    position: &G,
    moves: &[G::Move],
    room: &mut Room<G>,
) -> Vec<MoveOutlook> {
    let (mut rows, mut own) = (Vec::new(), Vec::new());
    evaluator.values(position, moves, &mut rows, &mut own);
    let seen = |(&mv, own): (&G::Move, f64)| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let mut next = Vec::new();
        follow(evaluator, &after, 1.0, room, &mut next);
        MoveOutlook { own, next }
    };
    moves.iter().zip(own).map(seen).collect()
}

/// Follows a position through what chance deals to where a player is to move.
fn follow<G: PlayedGame>(
    evaluator: &Evaluator<G>,
    after: &G,
    share: f64,
    room: &mut Room<G>,
    next: &mut Vec<Prospect>,
) {
    match after.turn() {
        Turn::Over => {}
        Turn::Player(_) => {
            let answer = best_answer(evaluator, after, room);
            next.push(Prospect { share, value: (!answer.over).then_some(answer.value) });
        }
        Turn::Chance => {
            let (outcomes, total) = deals(after);
            for outcome in outcomes {
                let mut dealt = after.clone();
                dealt.deal_outcome(outcome.index);
                let share = share * f64::from(outcome.weight) / f64::from(total);
                follow(evaluator, &dealt, share, room, next);
            }
        }
    }
}

/// How much less than the best one the expert thinks every move is worth. An end of the game counts as `lost` less than the
/// worst answer of all moves. None if there is no answer at all: there is nothing to be learned from such a position.
pub fn regrets(seen: &[MoveOutlook], softness: f64, lost: f64) -> Option<Vec<f64>> {
    let answers = seen.iter().flat_map(|one| &one.next).filter_map(|prospect| prospect.value);
    let worst = answers.reduce(f64::min)? - lost;
    let value = |one: &MoveOutlook| {
        let next = one.next.iter().map(|prospect| (prospect.share, prospect.value.unwrap_or(worst)));
        one.own + if one.next.is_empty() { worst } else { soft_minimum(next, softness) }
    };
    let values: Vec<f64> = seen.iter().map(value).collect();
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(values.iter().map(|value| best - value).collect())
}

/// The soft minimum of shares and values; with softness 0 their mean.
pub fn soft_minimum(all: impl Iterator<Item = (f64, f64)> + Clone, softness: f64) -> f64 {
    if softness == 0.0 {
        return all.map(|(share, value)| share * value).sum();
    }
    // Measured from the least, no power is beyond all bounds.
    let least = all.clone().map(|(_, value)| value).fold(f64::INFINITY, f64::min);
    let sum: f64 = all.map(|(share, value)| share * math::exp(-softness * (value - least))).sum();
    least - math::ln(sum) / softness
}
