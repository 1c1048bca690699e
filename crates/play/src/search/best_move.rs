//! One ply: play every move on a copy and take the best. The evaluation never sees a finished game: a win is above
//! and a loss below all that goes on.

use games::{Dice, Game, Side, Turn};

use super::evaluation::{Evaluation, rate};
use super::limits::{Budget, Limits};
use super::{Found, Searcher};

/// The search and its buffers.
pub struct BestMove<G: Game> {
    moves: Vec<G::Move>,
    best: Vec<G::Move>,
}

impl<G: Game> Default for BestMove<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), best: Vec::new() }
    }
}

impl<G: Game> BestMove<G> {
    /// The move into the position of the highest value for the side to move; ties by lot.
    ///
    /// # Panics
    /// If no player is to move.
    pub fn choose(
        &mut self,
        position: &G,
        value: &mut dyn FnMut(&G, Side) -> f64,
        dice: &mut Dice,
    ) -> G::Move {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        position.legal_moves(&mut self.moves);
        self.best.clear();
        let mut highest = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for &mv in &self.moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let rated = match after.turn() {
                Turn::Over => {
                    let value = after.final_value(side);
                    (if value == 0.0 { 0.0 } else { value.signum() }, value)
                }
                _ => (0.0, value(&after, side)),
            };
            if rated > highest {
                highest = rated;
                self.best.clear();
            }
            if rated == highest {
                self.best.push(mv);
            }
        }
        dice.pick(&self.best)
    }
}

/// The same as a search among others: by an evaluation, which may value the move or what it leads to.
pub struct OnePly<E>(pub E);

impl<G: Game, E: Evaluation<G>> Searcher<G> for OnePly<E> {
    fn search(&mut self, position: &G, _limits: &Limits, dice: &mut Dice) -> Found<G> {
        let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
        let (watch, fresh) = (Budget::new(None, None), self.0.fresh(position));
        let (mut moves, mut best) = (Vec::new(), Vec::new());
        position.legal_moves(&mut moves);
        let mut highest = f64::NEG_INFINITY;
        for &mv in &moves {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let value = rate(&self.0, &after, &self.0.after(&fresh, position, mv, &after), side, 1);
            if value > highest {
                highest = value;
                best.clear();
            }
            if value == highest {
                best.push(mv);
            }
        }
        let best = dice.pick(&best);
        let nodes = moves.len() as u64;
        Found {
            best,
            value: highest,
            line: vec![best],
            depth: 1,
            nodes,
            exact: false,
            seconds: watch.seconds(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::pushover::{Pushover, PushoverRules};
    use games::tetris::{Tetris, TetrisRules};
    use games::{InputError, Rules};

    #[test]
    fn a_win_is_above_and_a_loss_below_any_evaluation() -> Result<(), InputError> {
        let mut dice = Dice::seeded(&[1]);
        let position = Pushover::parse(&PushoverRules::default(), "ooo.+++.........-+ 20")?;
        for prefer_high in [-1e9, 1e9] {
            let mv = BestMove::default().choose(&position, &mut |_, _| prefer_high, &mut dice);
            assert!(["A", "E", "L"].contains(&position.move_text(mv).as_str()), "o completes the first row");
        }
        // Under these rules a losing placement is legal; only its end keeps the search from it.
        let rules = TetrisRules::from_pairs([("width", "4"), ("height", "4"), ("losing", "allowed")])?;
        let position = Tetris::parse(&rules, ".###/.###/.###/.### I")?;
        for _ in 0..20 {
            let mv = BestMove::default().choose(&position, &mut |_, _| -1e9, &mut dice);
            assert_eq!(position.move_text(mv), "I1a");
        }
        Ok(())
    }
}
