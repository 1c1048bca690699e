//! Why a player of an evaluation function plays what it plays: every move with its value, its features, and what
//! each feature has to do with the value.

use std::ops::Range;
use std::sync::Arc;

use crate::PlayedGame;
use crate::evaluator::Evaluator;
use crate::players::lookahead::Lookahead;
use crate::players::model::{first_maximum, value_ends};
use crate::players::{PlayerError, PlayerSpec};

/// Tells what a player of a function sees in a move.
pub struct Critic<G: PlayedGame> {
    judge: Judge<G>,
}

enum Judge<G: PlayedGame> {
    /// The value of a move is that of its features.
    Now(Arc<Evaluator<G>>),
    /// It is an expectation over what comes next.
    Later(Lookahead<G>),
}

/// A move as a function sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rated<G: PlayedGame> {
    /// The move.
    pub mv: G::Move,
    /// Its value; the player takes the highest, and the first of several.
    pub value: f64,
    /// The features of the move itself, in the order of [`Critic::names`].
    pub features: Vec<f64>,
}

impl<G: PlayedGame> Critic<G> {
    /// The critic of the player that a text names; `None` if that one plays without an evaluation function.
    ///
    /// # Errors
    /// There is no such player, or its model is at fault.
    pub fn new(rules: &G::Rules, player: &str) -> Result<Option<Self>, PlayerError> {
        Ok(match PlayerSpec::parse(rules, player)? {
            PlayerSpec::Model(evaluator) => Some(Self { judge: Judge::Now(evaluator) }),
            PlayerSpec::Lookahead(evaluator) => Some(Self { judge: Judge::Later(Lookahead::new(evaluator)) }),
            _ => None,
        })
    }

    pub(super) fn evaluator(&self) -> &Evaluator<G> {
        match &self.judge {
            Judge::Now(evaluator) => evaluator,
            Judge::Later(lookahead) => lookahead.evaluator(),
        }
    }

    /// The names of the features.
    pub fn names(&self) -> &[String] {
        self.evaluator().names()
    }

    /// The features in lines: one for each, but one for all entries of a table, with the places of what is in it.
    pub fn lines(&self) -> Vec<(String, Range<usize>)> {
        let single = self.evaluator().features().dense_count();
        let mut lines: Vec<(String, Range<usize>)> = Vec::new();
        for (i, name) in self.names().iter().enumerate() {
            let table = name.split(':').next().filter(|_| i >= single);
            match (lines.last_mut(), table) {
                (Some((last, places)), Some(table)) if *last == table => places.end = i + 1,
                _ => lines.push((table.unwrap_or(name).to_string(), i..i + 1)),
            }
        }
        lines
    }

    /// Whether the features are entries of tables, of which only those that are shown say anything.
    pub fn is_sparse(&self) -> bool {
        self.evaluator().features().is_sparse()
    }

    /// The weights, if the value of a move is the weighted sum of its features; between two sides but for moves that end the game.
    pub fn weights(&self) -> Option<&[f64]> {
        match &self.judge {
            Judge::Now(evaluator) => evaluator.linear_weights(),
            Judge::Later(_) => None,
        }
    }

    /// What each feature adds to the value; the shares add up to it.
    pub fn shares(&self, features: &[f64]) -> Option<Vec<f64>> {
        let weights = self.weights()?;
        Some(weights.iter().zip(features).map(|(weight, value)| weight * value).collect())
    }

    /// These moves as they are seen, in their order.
    pub fn rate(&self, position: &G, moves: &[G::Move]) -> Vec<Rated<G>> {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        self.evaluator().values(position, moves, &mut rows, &mut values);
        self.evaluator().features().extract_all(position, moves, &mut rows);
        if let Judge::Later(lookahead) = &self.judge {
            values = lookahead.values(position, moves);
        }
        value_ends(position, moves, &mut values);
        let count = self.names().len();
        let rated = moves.iter().zip(values).enumerate();
        rated
            .map(|(i, (&mv, value))| {
                let features = rows[i * count..(i + 1) * count].to_vec();
                Rated { mv, value, features }
            })
            .collect()
    }

    /// All legal moves, the one that is played first, then by falling value; equal ones in the order of the game.
    pub fn ranking(&self, position: &G) -> Vec<Rated<G>> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut all = self.rate(position, &moves);
        if all.is_empty() {
            return all;
        }
        let values: Vec<f64> = all.iter().map(|rated| rated.value).collect();
        let played = all.remove(first_maximum(&values));
        // What is no number is never preferred; adding 0 makes one of the two zeros.
        let rank =
            |rated: &Rated<G>| if rated.value.is_nan() { f64::NEG_INFINITY } else { rated.value + 0.0 };
        all.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        all.insert(0, played);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::player;
    use games::othello::Othello;
    use games::rules::Fixed;
    use games::tetris::{Tetris, TetrisRules};
    use games::{Dice, Game, Rules, Turn};

    #[test]
    fn shares_add_up_and_the_first_is_what_is_played() {
        let rules = TetrisRules::from_pairs([("height", "12"), ("losing", "allowed")]).unwrap();
        let poor = "linear(holes,lines,max-height,landing-height; -1,2,3,-0.7)";
        for (name, linear, most) in [("dn", true, 300), (poor, true, 100), ("lookahead(dn)", false, 6)] {
            let critic = Critic::<Tetris>::new(&rules, name).unwrap().unwrap();
            assert_eq!(critic.weights().is_some(), linear);
            let mut player = player::<Tetris>(&rules, name).unwrap();
            let (mut position, mut dice) = (Tetris::start(&rules), Dice::seeded(&[1]));
            for _ in 0..most {
                position.deal(&mut dice);
                let ranking = critic.ranking(&position);
                assert_eq!(ranking.len(), position.count_moves());
                assert!(ranking.is_sorted_by(|a, b| a.value >= b.value));
                for rated in &ranking {
                    assert_eq!(rated, &critic.rate(&position, &[rated.mv])[0]);
                    let shares = critic.shares(&rated.features);
                    assert!(shares.is_none_or(|shares| shares.iter().sum::<f64>() == rated.value));
                }
                let played = player.choose(&position, &mut dice).unwrap();
                assert_eq!(ranking[0].mv, played, "{name} in {}", position.text());
                position.play(played).unwrap();
                if position.turn() == Turn::Over {
                    break;
                }
            }
        }
    }

    #[test]
    fn between_two_the_first_is_what_is_played_and_the_end_is_worth_what_it_is() {
        let name = "linear(mobility,corners; 1, 10)";
        let critic = Critic::<Othello>::new(&Fixed, name).unwrap().unwrap();
        let mut player = player::<Othello>(&Fixed, name).unwrap();
        let (mut dice, mut ends) = (Dice::seeded(&[2]), 0);
        for _ in 0..5 {
            let mut position = Othello::start(&Fixed);
            while position.turn() != Turn::Over {
                let ranking = critic.ranking(&position);
                assert_eq!(
                    ranking[0].mv,
                    player.choose(&position, &mut dice).unwrap(),
                    "{}",
                    position.text()
                );
                ends += ranking.iter().filter(|rated| rated.value.is_infinite()).count();
                let mv = position.random_move(&mut dice, &mut Vec::new()).unwrap();
                position.play_unchecked(mv);
            }
        }
        assert!(ends > 0);
    }

    #[test]
    fn entries_of_a_table_share_a_line() {
        let rules = TetrisRules::default();
        let weights = vec!["1"; 2 + 45 + 195].join(",");
        let player = format!("linear(holes,surface-pairs,lines,surface-set; {weights})");
        let critic = Critic::<Tetris>::new(&rules, &player).unwrap().unwrap();
        let expected = [("holes", 0..1), ("lines", 1..2), ("surface-pairs", 2..47), ("surface-set", 47..242)];
        assert_eq!(critic.lines(), expected.map(|(name, places)| (name.to_string(), places)));
    }

    #[test]
    fn players_without_a_function_have_no_critic() {
        let rules = TetrisRules::default();
        assert!(Critic::<Tetris>::new(&rules, "greedy").unwrap().is_none());
        assert!(Critic::<Tetris>::new(&rules, "greedyy").is_err());
    }

    #[test]
    fn a_finished_game_has_no_placements() {
        let rules = TetrisRules::from_pairs([("width", "4"), ("height", "4")]).unwrap();
        let over = Tetris::parse(&rules, "#.../#.../#.../#.../#... T").unwrap();
        assert!(Critic::<Tetris>::new(&rules, "dn").unwrap().unwrap().ranking(&over).is_empty());
    }
}
