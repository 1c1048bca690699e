//! Who tells how a game will end before it does: a table of a solved game, or the solver of its endgames where a few thousand positions are
//! enough for it.

use std::sync::Arc;

use games::{Side, Turn};

use super::{Oracle, Progress, Value};
use crate::PlayedGame;
use crate::players::PlayerError;
use crate::search::endgame::{Endgame, Outcome};
use crate::search::limits::Budget;

/// Endings that take more positions are left to the players: a solution takes some hundredths of a second at most.
const MOST_NODES: f64 = 50_000.0;
/// Memory of a solver, in megabytes.
const TABLE: usize = 4;

/// Knows how games end.
pub enum Judge<G: PlayedGame> {
    /// By a table of all positions.
    Table(Arc<dyn Oracle<G>>),
    /// By a solver of endgames.
    Solver(Box<dyn Endgame<G>>),
}

impl<G: PlayedGame> Judge<G> {
    /// Whether there is one for the game.
    pub fn is_there() -> bool {
        G::ORACLE.is_some() || Self::solver().is_some()
    }

    /// One that knows by how much, since matches count that too.
    fn solver() -> Option<Box<dyn Endgame<G>>> {
        G::endgame(TABLE).filter(|solver| solver.knows_margins())
    }

    /// The judge of a game; `None` if there is none, or if `progress` breaks it off.
    ///
    /// # Errors
    /// The game is too large to be solved.
    pub fn new(rules: &G::Rules, progress: Progress<'_>) -> Result<Option<Self>, PlayerError> {
        match G::ORACLE {
            Some(make) => Ok(make(rules, None, progress)?.map(Self::Table)),
            None => Ok(Self::solver().map(Self::Solver)),
        }
    }

    /// What the first side will be ahead by if both play well, and only the sign of it if the game has no points; `None` if it is not known. The
    /// answer depends on the position alone.
    pub fn value(&mut self, position: &G) -> Option<f64> {
        let Turn::Player(side) = position.turn() else { return None };
        let own = match self {
            Self::Table(oracle) => match oracle.value(position) {
                Value::Win(_) => 1.0,
                Value::Draw => 0.0,
                Value::Loss(_) => -1.0,
            },
            Self::Solver(solver) if solver.expected_nodes(position) <= MOST_NODES => {
                match solver.solve(position, true, &mut Budget::new(None, None), &mut 0)? {
                    Outcome::Exact(_, margin) => margin,
                    Outcome::Won(_) | Outcome::Drawn(_) | Outcome::Lost => return None,
                }
            }
            Self::Solver(_) => return None,
        };
        // Nothing is not minus nothing.
        Some(if side == Side::First { own } else { 0.0 - own })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::avalam::Avalam;
    use games::othello::Othello;
    use games::rules::Fixed;
    use games::{Dice, Game as _};

    #[test]
    fn a_solver_knows_the_end_and_says_nothing_before() {
        let mut judge =
            Judge::<Othello>::new(&Fixed, &|_| std::ops::ControlFlow::Continue(())).unwrap().unwrap();
        assert_eq!(judge.value(&Othello::start(&Fixed)), None);
        let mut dice = Dice::seeded(&[5]);
        for _ in 0..20 {
            let mut position = crate::solve::othello::tests::late(&mut dice, 8);
            let told = judge.value(&position).unwrap();
            // Best play keeps what was told.
            while position.turn() != Turn::Over {
                let Judge::Solver(solver) = &mut judge else { panic!("it is a solver") };
                let Some(Outcome::Exact(mv, _)) =
                    solver.solve(&position, true, &mut Budget::new(None, None), &mut 0)
                else {
                    panic!("it is solved")
                };
                position.play(mv).unwrap();
            }
            assert_eq!(told, position.score(Side::First));
        }
        assert!(Judge::<Othello>::is_there() && !Judge::<Avalam>::is_there());
    }
}
