//! A player's game of Tetris to look at, one placement after the other.

use games::tetris::{Placement, Tetris};

use crate::analyze::explain::{Critic, Rated};
use crate::players::{Player, PlayerError, PlayerFailure, player};
use crate::playout::{GameDice, deal, step};

/// A game under way: the first one that `play` and `score` have under the same seed.
pub struct Show {
    position: Tetris,
    players: [Box<dyn Player<Tetris>>; 1],
    critic: Option<Critic>,
    dice: GameDice,
    pieces: u64,
}

/// One placement.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The position it was made in.
    pub before: Tetris,
    /// The placement.
    pub placement: Placement,
    /// What it led to.
    pub after: Tetris,
    /// How the player sees it, if it has a function to see it with.
    pub rated: Option<Rated>,
    /// Pieces placed, this one included.
    pub pieces: u64,
}

impl Show {
    /// The game of a player from a position.
    ///
    /// # Errors
    /// There is no such player, or its model is at fault.
    pub fn new(start: Tetris, name: &str, seed: u64) -> Result<Self, PlayerError> {
        let critic = Critic::new(start.rules(), name)?;
        let players = [player(start.rules(), name)?];
        Ok(Self { position: start, players, critic, dice: GameDice::new(seed, 0), pieces: 0 })
    }

    /// Where the game stands.
    pub fn now(&self) -> &Tetris {
        &self.position
    }

    /// Whoever can tell what the player sees.
    pub fn critic(&self) -> Option<&Critic> {
        self.critic.as_ref()
    }

    /// Pieces placed so far.
    pub fn pieces(&self) -> u64 {
        self.pieces
    }
}

impl Iterator for Show {
    type Item = Result<Step, PlayerFailure>;

    fn next(&mut self) -> Option<Self::Item> {
        deal(&mut self.position, &mut self.dice.deals)?;
        let before = self.position.clone();
        let made = step(&mut self.position, &mut self.players, &mut self.dice).transpose()?;
        let step = made.map(|(_, placement)| {
            let rated = self.critic.as_ref().and_then(|critic| critic.rate(&before, &[placement]).pop());
            self.pieces += 1;
            Step { before, placement, after: self.position.clone(), rated, pieces: self.pieces }
        });
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::play_observed;
    use games::Game;
    use games::tetris::TetrisRules;
    use std::ops::ControlFlow;

    #[test]
    fn it_is_the_game_that_is_played_elsewhere() {
        let start = Tetris::start(&TetrisRules::default());
        for name in ["dn", "random", "greedy"] {
            let mut expected = Vec::new();
            let mut players = [player(start.rules(), name).unwrap()];
            let mut watch = |_, mv, after: &Tetris| {
                expected.push((mv, after.clone()));
                ControlFlow::Continue(())
            };
            play_observed(&start, &mut players, &mut GameDice::new(3, 0), 100, &mut watch).unwrap();
            let steps = Show::new(start.clone(), name, 3).unwrap().take(100).map(Result::unwrap);
            let found: Vec<_> = steps.map(|step| (step.placement, step.after)).collect();
            assert_eq!(found, expected, "{name}");
        }
    }
}
