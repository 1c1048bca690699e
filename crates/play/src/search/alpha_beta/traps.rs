//! Traps, the swindles of a decided game: where perfect play gains nothing, the move after which the other side is likeliest to err.
//!
//! Once the endgame says that all moves lose, they are equal only against perfect play. The evaluation guesses the answers
//! that the other side would like; for each the endgame says what it would come to. What counts is how many of the likeliest answers are
//! mistakes. A draw is held, and traps are set among the moves that hold it.

use games::{Game, Side, Turn};

use super::AlphaBeta;
use crate::PlayedGame;
use crate::search::endgame::Outcome;
use crate::search::evaluation::{Evaluation, rate};

/// How likely each answer is in comparison with the one that looks next better.
const NEXT: f64 = 0.6;
/// Answers that are looked at.
const ANSWERS: usize = 10;

/// A move, the positions after the answers to it, the best looking first, and what mistakes among them bring.
struct Trap<G: Game> {
    mv: G::Move,
    answered: Vec<G>,
    hope: f64,
}

impl<G: PlayedGame, E: Evaluation<G>> AlphaBeta<G, E> {
    /// The move to play where perfect play comes to `sure`: 0 lost, 0.5 drawn. `preferred` gets there, and is played if no trap is found
    /// before the watch ends the search.
    pub(super) fn trap(&mut self, position: &G, side: Side, preferred: G::Move, sure: f64) -> G::Move {
        let mut traps = self.openings_of_traps(position, side, preferred, sure);
        for rank in 0..ANSWERS {
            for trap in &mut traps {
                let Some(answered) = trap.answered.get(rank) else { continue };
                let Some(worth) = self.worth(answered, side) else { break };
                trap.hope += math::powi(NEXT, rank as i32) * (worth - sure).max(0.0);
            }
            if self.watch.look(self.nodes) {
                break;
            }
        }
        let best = traps.iter().map(|trap| trap.hope).fold(0.0, f64::max);
        // The preferred one stands first.
        traps.iter().find(|trap| trap.hope >= best).map_or(preferred, |trap| trap.mv)
    }

    /// The moves that come to `sure`, the preferred one first and then those that look best.
    fn openings_of_traps(&mut self, position: &G, side: Side, preferred: G::Move, sure: f64) -> Vec<Trap<G>> {
        let sums = self.evaluation.fresh(position);
        let mut ranked = self.looks(position, &sums, side);
        if let Some(at) = ranked.iter().position(|(_, mv, _)| *mv == preferred) {
            ranked[..=at].rotate_right(1);
        }
        let mut traps = Vec::new();
        for (_, mv, child) in ranked {
            if mv != preferred && sure > 0.0 {
                match self.worth(&child, side) {
                    Some(worth) if worth >= sure => {}
                    Some(_) => continue,
                    None => break,
                }
            }
            if child.turn() == Turn::Over {
                traps.push(Trap { mv, answered: Vec::new(), hope: 0.0 });
                continue;
            }
            let sums = self.evaluation.fresh(&child);
            let answers = self.looks(&child, &sums, side.other());
            let answered = answers.into_iter().take(ANSWERS).map(|(_, _, after)| after).collect();
            traps.push(Trap { mv, answered, hope: 0.0 });
        }
        traps
    }

    /// The moves of a side, those that look best first, and where they lead.
    pub(super) fn looks(&mut self, position: &G, sums: &E::Sums, side: Side) -> Vec<(f64, G::Move, G)> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let look = |mv: G::Move| {
            let (after, sums) = self.child(position, sums, mv);
            (rate(&self.evaluation, &after, &sums, side, 1), mv, after)
        };
        let mut ranked: Vec<_> = moves.into_iter().map(look).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked
    }

    /// What perfect play from a position comes to for a side: 1 won, 0.5 drawn, 0 lost. None if the watch stopped it.
    fn worth(&mut self, position: &G, side: Side) -> Option<f64> {
        let Turn::Player(mover) = position.turn() else {
            let value = position.final_value(side);
            return Some(if value == 0.0 { 0.5 } else { f64::from(u8::from(value > 0.0)) });
        };
        let endgame = self.endgame.as_mut()?;
        let outcome = endgame.solve(position, mover != side, &mut self.watch, &mut self.nodes)?;
        let worth = match outcome {
            Outcome::Won(_) => 1.0,
            Outcome::Drawn(_) => 0.5,
            Outcome::Lost => 0.0,
            Outcome::Exact(_, 0.0) => 0.5,
            Outcome::Exact(_, margin) => f64::from(u8::from(margin > 0.0)),
        };
        Some(if mover == side { worth } else { 1.0 - worth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::endgame::avalam::tests::{late, plain};
    use crate::search::evaluation::Score;
    use crate::search::{Limits, Searcher};
    use games::Dice;
    use games::avalam::Avalam;

    /// What all lines say a position comes to for a side.
    fn comes_to(position: &Avalam, side: Side) -> f64 {
        let value = if position.side() == side { plain(position) } else { -plain(position) };
        if value == 0 { 0.5 } else { f64::from(u8::from(value > 0)) }
    }

    fn after(position: &Avalam) -> Vec<Avalam> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let play = |mv| {
            let mut after = *position;
            after.play_unchecked(mv);
            after
        };
        moves.into_iter().map(play).collect()
    }

    /// The hope of a move by its definition, for the score as the evaluation.
    fn hope(child: &Avalam, side: Side, sure: f64) -> f64 {
        let mut answered = after(child);
        let look = |one: &Avalam| rate(&Score, one, &(), side.other(), 1);
        answered.sort_by(|a, b| look(b).total_cmp(&look(a)));
        let mistakes = answered.iter().take(ANSWERS).map(|one| (comes_to(one, side) - sure).max(0.0));
        mistakes.zip(0..).map(|(gain, rank)| gain * math::powi(NEXT, rank)).sum()
    }

    #[test]
    fn nothing_is_given_away_and_the_likeliest_mistake_is_hoped_for() {
        let mut dice = Dice::seeded(&[81]);
        let (mut lost, mut drawn, mut better) = (0, 0, 0);
        while lost < 30 || drawn < 5 {
            let position = late(&mut dice, 14);
            let side = position.side();
            let sure = comes_to(&position, side);
            if sure == 1.0 || position.count_moves() < 2 {
                continue;
            }
            *(if sure == 0.0 { &mut lost } else { &mut drawn }) += 1;
            let mut search = AlphaBeta::new(Score, 1).with_endgame(Avalam::endgame(1));
            let found = search.search(&position, &Limits::nodes(1_000_000), &mut dice);
            let mut played = position;
            played.play(found.best).unwrap();
            assert!(comes_to(&played, side) >= sure, "{}", position.text());
            let hopes = after(&position).into_iter().filter(|child| comes_to(child, side) >= sure);
            let hopes: Vec<f64> = hopes.map(|child| hope(&child, side, sure)).collect();
            let most = hopes.iter().copied().fold(0.0, f64::max);
            assert!((hope(&played, side, sure) - most).abs() < 1e-12, "{hopes:?} in {}", position.text());
            better += u32::from(hopes.iter().any(|hope| *hope < most));
        }
        assert!(better > 10, "{better}");
    }
}
