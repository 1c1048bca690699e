//! The endgame of Othello: the exact score, by the solver. Who wins is asked first, which takes a part of the time; should
//! the rest not suffice, that is the answer.

use games::othello::{Move, Othello};

use super::{Endgame, Outcome};
use crate::search::limits::Budget;
use crate::solve::othello::{Solver, empties, expected_nodes};

/// The solver as a part of games.
pub struct Exact {
    solver: Solver,
    speed: f64,
}

impl Exact {
    /// With a table of at most so many megabytes, and no memory before it is used.
    pub fn new(megabytes: usize) -> Self {
        Self { solver: Solver::new(megabytes), speed: 1e7 }
    }
}

impl Endgame<Othello> for Exact {
    fn expected_nodes(&self, position: &Othello) -> f64 {
        expected_nodes(position)
    }

    fn speed(&self) -> f64 {
        self.speed
    }

    fn solve(
        &mut self,
        position: &Othello,
        _looks_won: bool,
        watch: &mut Budget,
        nodes: &mut u64,
    ) -> Option<Outcome<Move>> {
        let (begun, before) = (watch.seconds(), *nodes);
        let known = self.solver.solve_within(position, -1, 1, watch, nodes)?;
        let (low, high) = match known.score {
            1.. => (0, 64),
            0 => return Some(Outcome::Exact(known.best, 0.0)),
            _ => (-64, 0),
        };
        let exact = self.solver.solve_within(position, low, high, watch, nodes);
        let seconds = watch.seconds() - begun;
        if seconds > 0.01 {
            self.speed = (*nodes - before) as f64 / seconds;
        }
        Some(match exact {
            Some(exact) => Outcome::Exact(exact.best, f64::from(exact.score)),
            None if known.score > 0 => Outcome::Won(known.best),
            None => Outcome::Lost,
        })
    }

    fn plies_left(&self, position: &Othello) -> Option<u32> {
        Some(empties(position))
    }

    fn knows_margins(&self) -> bool {
        true
    }

    fn new_game(&mut self) {
        self.solver.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayedGame as _;
    use crate::search::alpha_beta::AlphaBeta;
    use crate::search::evaluation::{Score, margin};
    use crate::search::{Limits, Searcher};
    use crate::solve::othello::tests::late;
    use games::Dice;

    #[test]
    fn alpha_beta_asks_it_and_plays_what_it_says() {
        let mut dice = Dice::seeded(&[41]);
        for _ in 0..6 {
            let position = late(&mut dice, 14);
            let exact = Solver::new(4).solve(&position, &mut Budget::new(None, None), &mut 0).unwrap();
            let mut search = AlphaBeta::new(Score, 4).with_endgame(Othello::endgame(4));
            let found = search.search(&position, &Limits::nodes(3_000_000), &mut dice);
            assert!(found.exact);
            assert_eq!(margin(found.value), f64::from(exact.score));
            // To a depth it is the plain search.
            let plain = AlphaBeta::new(Score, 4).search(&position, &Limits::depth(3), &mut dice);
            let same = AlphaBeta::new(Score, 4).with_endgame(Othello::endgame(4)).search(
                &position,
                &Limits::depth(3),
                &mut dice,
            );
            assert_eq!((plain.best, plain.value, plain.nodes), (same.best, same.value, same.nodes));
        }
    }

    #[test]
    fn limits_are_kept_and_who_wins_is_known_before_by_how_much() {
        let mut dice = Dice::seeded(&[42]);
        let mut halves = 0;
        for _ in 0..10 {
            let position = late(&mut dice, 17);
            let mut all = 0;
            let exact = Solver::new(4).solve(&position, &mut Budget::new(None, None), &mut all).unwrap();
            for share in [20, 3, 2] {
                let mut nodes = 0;
                let mut watch = Budget::new(Some(all / share), None);
                let outcome = Exact::new(4).solve(&position, false, &mut watch, &mut nodes);
                assert!(nodes <= all / share, "{nodes} of {}", all / share);
                match outcome {
                    Some(Outcome::Won(_)) => assert!(exact.score > 0),
                    Some(Outcome::Lost) => assert!(exact.score < 0),
                    Some(Outcome::Drawn(_)) => panic!("a draw is exact"),
                    Some(Outcome::Exact(_, margin)) => assert_eq!(margin, f64::from(exact.score)),
                    None => assert!(watch.stopped),
                }
                halves += usize::from(matches!(outcome, Some(Outcome::Won(_) | Outcome::Lost)));
            }
            let limits = Limits::nodes(200_000);
            let found = AlphaBeta::new(Score, 4)
                .with_endgame(Othello::endgame(4))
                .search(&position, &limits, &mut dice);
            assert!(found.nodes <= 200_000 + 64, "{}", found.nodes);
        }
        assert!(halves > 0);
    }
}
