//! A player's game to look at, one move after the other.

use crate::PlayedGame;
use crate::analyze::explain::{Critic, Rated};
use crate::players::{Player, PlayerError, PlayerFailure, player};
use crate::playout::{GameDice, deal, step};

/// A game under way: the first one that `play` and `score` have under the same seed. Between two sides the player plays itself.
pub struct Show<G: PlayedGame> {
    position: G,
    players: Vec<Box<dyn Player<G>>>,
    critic: Option<Critic<G>>,
    dice: GameDice,
    moves: u64,
}

/// One move.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<G: PlayedGame> {
    /// The position it was made in.
    pub before: G,
    /// The move.
    pub mv: G::Move,
    /// What it led to.
    pub after: G,
    /// How the player sees it, if it has a function to see it with.
    pub rated: Option<Rated<G>>,
    /// Moves made, this one included.
    pub moves: u64,
}

impl<G: PlayedGame> Show<G> {
    /// The game of a player from a position, or of one a side; what they see is told if it is one and the same.
    ///
    /// # Errors
    /// There is no such player, or its model is at fault.
    ///
    /// # Panics
    /// Nobody is named.
    pub fn new(rules: &G::Rules, start: G, names: &[&str], seed: u64) -> Result<Self, PlayerError> {
        let is_one = names.iter().all(|name| *name == names[0]);
        let critic = if is_one { Critic::new(rules, names[0])? } else { None };
        let sides = G::SIDES.iter().enumerate();
        let named = sides.map(|(side, _)| player(rules, names[side.min(names.len() - 1)]));
        let players = named.collect::<Result<_, _>>()?;
        Ok(Self { position: start, players, critic, dice: GameDice::new(seed, 0), moves: 0 })
    }

    /// Where the game stands.
    pub fn now(&self) -> &G {
        &self.position
    }

    /// Whoever can tell what the player sees.
    pub fn critic(&self) -> Option<&Critic<G>> {
        self.critic.as_ref()
    }

    /// Moves made so far.
    pub fn moves(&self) -> u64 {
        self.moves
    }
}

impl<G: PlayedGame> Iterator for Show<G> {
    type Item = Result<Step<G>, PlayerFailure>;

    fn next(&mut self) -> Option<Self::Item> {
        deal(&mut self.position, &mut self.dice.deals)?;
        let before = self.position.clone();
        let made = step(&mut self.position, &mut self.players, &mut self.dice).transpose()?;
        let step = made.map(|(_, mv)| {
            let rated = self.critic.as_ref().and_then(|critic| critic.rate(&before, &[mv]).pop());
            self.moves += 1;
            Step { before, mv, after: self.position.clone(), rated, moves: self.moves }
        });
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::play_observed;
    use games::avalam::Avalam;
    use games::tetris::Tetris;
    use std::ops::ControlFlow;

    fn check<G: PlayedGame>(names: [&str; 3]) {
        let rules = G::Rules::default();
        let start = G::start(&rules);
        for name in names {
            let mut expected = Vec::new();
            let mut players = [player(&rules, name).unwrap(), player(&rules, name).unwrap()];
            let mut watch = |_, mv, after: &G| {
                expected.push((mv, after.clone()));
                ControlFlow::Continue(())
            };
            play_observed(&start, &mut players, &mut GameDice::new(3, 0), 100, &mut watch).unwrap();
            let steps = Show::new(&rules, start.clone(), &[name], 3).unwrap().take(100).map(Result::unwrap);
            let found: Vec<_> = steps.map(|step| (step.mv, step.after)).collect();
            assert_eq!(found, expected, "{name}");
        }
    }

    #[test]
    fn it_is_the_game_that_is_played_elsewhere() {
        check::<Tetris>(["dn", "random", "greedy"]);
        check::<Avalam>(["observer", "random", "greedy"]);
    }
}
