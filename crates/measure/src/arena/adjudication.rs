//! Games that are ended before their end, since everybody knows how they will: a side that says of itself that it is lost, two that say
//! that nothing is left to win, a table or a solver that knows.

use std::fmt;

use games::Side;
use play::PlayedGame;
use play::solve::Judge;
use serde::{Deserialize, Serialize};

use super::{Thought, Winner};

/// A value, and how many moves in a row it must be said for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patience {
    /// Moves of a side.
    pub moves: usize,
    /// The value, in the unit of the players' evaluations.
    pub value: f64,
}

impl fmt::Display for Patience {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{},{}", self.moves, self.value)
    }
}

/// What may end a game early.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// A side loses that says for so many moves of its own that it is behind by the value or more.
    pub resign: Option<Patience>,
    /// A game is drawn in which both say for so many moves each that nobody is ahead by more than the value.
    pub draw: Option<Patience>,
    /// Whether a table or solver of the game is asked.
    pub solved: bool,
}

impl Adjudication {
    /// Whether games are played to their end.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// How a game was ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The loser said that it was lost.
    Resign,
    /// Both said that it was level.
    Level,
    /// It is solved.
    Solved,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Verdict::Resign => "adjudicated: the loser's values say so",
            Verdict::Level => "adjudicated: both players' values say so",
            Verdict::Solved => "adjudicated: the position is solved",
        })
    }
}

/// Watches one game after the other.
pub struct Referee<G: PlayedGame> {
    terms: Adjudication,
    judge: Option<Judge<G>>,
    /// Moves in a row that each side has said it is lost, and that it is level.
    lost: [usize; 2],
    level: [usize; 2],
}

impl<G: PlayedGame> Referee<G> {
    /// By these terms; `judge` is asked if they say so.
    pub fn new(terms: Adjudication, judge: Option<Judge<G>>) -> Self {
        Self { terms, judge, lost: [0; 2], level: [0; 2] }
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        (self.lost, self.level) = ([0; 2], [0; 2]);
    }

    /// Hears of a move of a side and looks at the position after it: who wins, why, and what the first side will be ahead by, if that is known.
    pub fn look(
        &mut self,
        side: Side,
        thought: Option<Thought>,
        after: &G,
    ) -> Option<(Winner, Verdict, Option<f64>)> {
        let value = thought.map(|thought| thought.certain());
        let own = side.index();
        if let Some(Patience { moves, value: behind }) = self.terms.resign {
            self.lost[own] = if value.is_some_and(|value| value <= -behind) { self.lost[own] + 1 } else { 0 };
            if self.lost[own] >= moves {
                return Some((Winner::side(side.other()), Verdict::Resign, None));
            }
        }
        if let Some(Patience { moves, value: apart }) = self.terms.draw {
            let is_level = value.is_some_and(|value| value.abs() <= apart);
            self.level[own] = if is_level { self.level[own] + 1 } else { 0 };
            if self.level.iter().all(|&level| level >= moves) {
                return Some((Winner::Draw, Verdict::Level, None));
            }
        }
        let value = self.judge.as_mut()?.value(after)?;
        let lead = (!G::SCORE_UNIT.is_empty()).then_some(value);
        Some((Winner::of_lead(value), Verdict::Solved, lead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game as _;
    use games::othello::Othello;
    use games::rules::Fixed;

    fn thought(value: f64) -> Option<Thought> {
        Some(Thought { value, decided: false, depth: 1, nodes: 1 })
    }

    #[test]
    fn a_side_that_says_it_is_lost_loses_after_so_many_moves_in_a_row() {
        let terms = Adjudication { resign: Some(Patience { moves: 2, value: 5.0 }), ..Default::default() };
        let (mut referee, at) = (Referee::new(terms, None), Othello::start(&Fixed));
        let mut look = |side, value| referee.look(side, value, &at);
        assert_eq!(look(Side::First, thought(-6.0)), None);
        // What the other says does not count, and a better value begins anew.
        assert_eq!(look(Side::Second, thought(9.0)), None);
        assert_eq!(look(Side::First, thought(-4.0)), None);
        assert_eq!(look(Side::First, thought(-5.0)), None);
        assert_eq!(look(Side::First, None), None);
        assert_eq!(look(Side::First, thought(-5.0)), None);
        let sure = Some(Thought { value: -1.0, decided: true, depth: 1, nodes: 1 });
        assert_eq!(look(Side::First, sure), Some((Winner::Second, Verdict::Resign, None)));
    }

    #[test]
    fn a_draw_needs_both_sides() {
        let terms = Adjudication { draw: Some(Patience { moves: 2, value: 0.5 }), ..Default::default() };
        let (mut referee, at) = (Referee::new(terms, None), Othello::start(&Fixed));
        let mut look = |side, value| referee.look(side, thought(value), &at);
        for (side, value) in [(Side::First, 0.1), (Side::First, 0.5), (Side::Second, -0.5)] {
            assert_eq!(look(side, value), None);
        }
        assert_eq!(look(Side::Second, 0.0), Some((Winner::Draw, Verdict::Level, None)));
    }
}
