//! What a search thinks of a position of any game between two: the value of every move, how both sides would go on, and what each
//! feature has to do with it where the evaluation is a weighted sum.

pub mod explain;
pub mod show;
pub mod surfaces;

use std::sync::Arc;

use games::Dice;

use crate::PlayedGame;
use crate::evaluator::Evaluator;
use crate::players::searching::searcher;
use crate::players::spec::{SCORE, Spec};
use crate::players::{OwnFunction, PlayerError, PlayerSpec};
use crate::search::Found;
use crate::search::evaluation::{is_decided, margin};

/// A move as the search sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysed<G: PlayedGame> {
    /// The move.
    pub mv: G::Move,
    /// Its value for the side to move: the margin in points if `decided`, else in the unit of the evaluation.
    pub value: f64,
    /// Whether the game is won, lost or drawn for certain.
    pub decided: bool,
    /// Whether there is no evaluation in the value.
    pub exact: bool,
    /// The expected moves, this one first.
    pub line: Vec<G::Move>,
    /// Plies searched in full, this move being one.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Seconds.
    pub seconds: f64,
    /// What each feature or table adds to the evaluation right after the move, if that is a sum; they are for the side that made it.
    pub shares: Vec<(String, f64)>,
}

/// All moves of a position by falling value, as one search sees them: see [`Searcher::every_move`](crate::search::Searcher::every_move), which
/// asks `watch`; `None` if it says no.
///
/// # Errors
/// The search or its evaluation is at fault, or no search at all.
///
/// # Panics
/// If nobody is to move.
pub fn analyze<G: PlayedGame>(
    rules: &G::Rules,
    position: &G,
    spec: &Spec,
    seed: u64,
    watch: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Option<Vec<Analysed<G>>>, PlayerError> {
    let mut search = searcher::<G>(rules, spec)?;
    let shares = Shares::<G>::new(rules, spec)?;
    let found = search.every_move(position, &spec.limits, &mut Dice::seeded(&[seed]), watch);
    let analysed = |one: Found<G>| Analysed {
        mv: one.best,
        value: margin(one.value),
        decided: is_decided(one.value) || (one.exact && one.value == 0.0),
        exact: one.exact,
        line: one.line,
        depth: one.depth,
        nodes: one.nodes,
        seconds: one.seconds,
        shares: shares.of(position, one.best),
    };
    Ok(found.map(|all| all.into_iter().map(analysed).collect()))
}

/// The evaluation as a sum, if it is one.
enum Shares<G: PlayedGame> {
    Features(Arc<Evaluator<G>>),
    Own(Arc<dyn OwnFunction<G>>),
    None,
}

impl<G: PlayedGame> Shares<G> {
    fn new(rules: &G::Rules, spec: &Spec) -> Result<Self, PlayerError> {
        if spec.eval == SCORE {
            return Ok(Shares::None);
        }
        Ok(match PlayerSpec::<G>::parse(rules, &spec.eval)? {
            PlayerSpec::Model(evaluator) if evaluator.linear_weights().is_some() => {
                Shares::Features(evaluator)
            }
            PlayerSpec::Function(function) => Shares::Own(function),
            _ => Shares::None,
        })
    }

    fn of(&self, position: &G, mv: G::Move) -> Vec<(String, f64)> {
        let mut after = position.clone();
        after.play_unchecked(mv);
        match self {
            Shares::Features(evaluator) => {
                let Some(weights) = evaluator.linear_weights() else { return Vec::new() };
                let (names, features) = (evaluator.names(), evaluator.features());
                let mut sparse = Vec::new();
                if features.is_sparse() {
                    features.extract_sparse(position, mv, &after, &mut sparse);
                } else {
                    let mut row = vec![0.0; names.len()];
                    features.extract(position, mv, &after, &mut row);
                    sparse.extend((0..).zip(row));
                }
                let share = |(number, value): (u32, f64)| {
                    (names[number as usize].clone(), weights[number as usize] * value)
                };
                sparse.into_iter().map(share).collect()
            }
            // They speak for the side to move, which is the other one now.
            Shares::Own(function) => {
                function.shares(&after).into_iter().map(|(name, share)| (name, 0.0 - share)).collect()
            }
            Shares::None => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::avalam::Avalam;
    use games::othello::Othello;
    use games::pushover::{Pushover, PushoverRules};
    use games::rules::Fixed;
    use games::{Game as _, Turn};
    use std::time::Instant;

    fn analysed(text: &str, player: &str) -> Vec<Analysed<Othello>> {
        let position = Othello::parse(&Fixed, text).unwrap();
        analyze(&Fixed, &position, &Spec::parse(player).unwrap(), 1, &mut |_, _| true).unwrap().unwrap()
    }

    const LATE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

    #[test]
    fn near_the_end_every_move_has_its_exact_value() {
        let all = analysed(LATE, "alphabeta(nodes=40000000)");
        let said: Vec<(String, f64)> = all
            .iter()
            .map(|one| (Othello::parse(&Fixed, LATE).unwrap().move_text(one.mv), one.value))
            .collect();
        // As published.
        let known = [
            ("g8", 18.0),
            ("h1", 12.0),
            ("a2", 6.0),
            ("h7", 6.0),
            ("a3", 4.0),
            ("b1", -4.0),
            ("a4", -22.0),
            ("g2", -24.0),
        ];
        assert_eq!(said[0], ("g8".to_string(), 18.0));
        for (mv, value) in known {
            assert!(said.contains(&(mv.to_string(), value)), "{mv} {value}: {said:?}");
        }
        assert!(all.iter().all(|one| one.decided && one.line[0] == one.mv));
    }

    #[test]
    fn to_a_depth_the_best_move_is_that_of_the_search() {
        let position = Othello::start(&Fixed);
        let spec = Spec::parse("alphabeta(depth=4)").unwrap();
        let all = analyze(&Fixed, &position, &spec, 1, &mut |_, _| true).unwrap().unwrap();
        assert_eq!((all.len(), all[0].depth), (4, 4));
        let mut search = searcher::<Othello>(&Fixed, &spec).unwrap();
        let found = search.search(&position, &spec.limits, &mut Dice::seeded(&[1]));
        assert_eq!(all[0].value, found.value);
        assert!(all[0].shares.is_empty());
    }

    #[test]
    fn shares_of_a_weighted_sum_are_given_and_it_can_be_broken_off() {
        let player = "alphabeta(depth=2, eval=linear(d3,e5,a1; 2, 3, 4))";
        let all = analysed(&Othello::start(&Fixed).text(), player);
        let d3 = all.iter().find(|one| one.mv.index() == Some(19)).unwrap();
        // What adds nothing is told too.
        assert_eq!(
            d3.shares,
            [("d3", 2.0), ("e5", -3.0), ("a1", 0.0)].map(|(name, it)| (name.to_string(), it))
        );
        let spec = Spec::parse(player).unwrap();
        assert_eq!(
            analyze(&Fixed, &Othello::start(&Fixed), &spec, 1, &mut |done, _| done < 2).unwrap(),
            None
        );
    }

    #[test]
    fn shares_of_tables_are_for_the_side_that_moves() {
        for one in analysed(LATE, "alphabeta(depth=1, eval=patterns)") {
            let sum: f64 = one.shares.iter().map(|(_, share)| share).sum();
            assert!((sum - one.value).abs() < 0.1 && one.value.abs() > 0.2, "{sum} {one:?}");
        }
    }

    #[test]
    fn what_is_searched_to_the_end_is_decided_even_if_it_is_drawn() {
        let (mut dice, mut moves, mut drawn) = (Dice::seeded(&[8]), Vec::new(), 0);
        for _ in 0..60 {
            let mut position = Othello::start(&Fixed);
            while (position.own() | position.opponent()).count_zeros() > 3 {
                let Some(mv) = position.random_move(&mut dice, &mut moves) else { break };
                position.play_unchecked(mv);
            }
            if position.turn() != Turn::Over {
                let all = analysed(&position.text(), "alphabeta(depth=8)");
                assert!(all.iter().all(|one| one.decided && one.exact), "{all:?}");
                drawn += all.iter().filter(|one| one.value == 0.0).count();
            }
        }
        assert!(drawn > 0);
    }

    #[test]
    fn all_moves_are_searched_to_one_depth_and_symmetric_ones_have_one_value() {
        let analyst = Othello::BEST.unwrap().analyst;
        for limit in ["nodes=20000", "nodes=100000", "time=0.3", "depth=5"] {
            let player = analyst.replace("time=5", limit);
            assert_ne!(player, analyst);
            let begun = Instant::now();
            let all = analysed(&Othello::start(&Fixed).text(), &player);
            assert!(begun.elapsed().as_secs_f64() < 3.0, "{player}");
            assert!(all[0].depth > 3 && !all[0].decided, "{all:?}");
            assert!(all.iter().all(|one| (one.value, one.depth) == (all[0].value, all[0].depth)), "{all:?}");
            let nodes: u64 = all.iter().map(|one| one.nodes).sum();
            assert!(limit != "nodes=20000" || nodes < 20_500, "{nodes}");
        }
    }

    #[test]
    fn a_mirrored_position_has_the_values_of_its_original() {
        fn check<G: PlayedGame>(depth: u32, plies: usize) {
            let rules = G::Rules::default();
            let spec = Spec::parse(&format!("alphabeta(depth={depth})")).unwrap();
            let (mut position, mut dice, mut moves) = (G::start(&rules), Dice::seeded(&[5]), Vec::new());
            for _ in 0..plies {
                let mv = position.random_move(&mut dice, &mut moves).unwrap();
                position.play_unchecked(mv);
            }
            let values =
                |position: &G| analyze(&rules, position, &spec, 1, &mut |_, _| true).unwrap().unwrap();
            let own = values(&position);
            assert!(own[0].value > own[own.len() - 1].value, "{}", G::NAME);
            for symmetry in 1..G::SYMMETRIES {
                let images = values(&position.mirrored(symmetry));
                for one in &own {
                    let mv = position.mirrored_move(one.mv, symmetry);
                    let image = images.iter().find(|image| image.mv == mv).unwrap();
                    let seen = |one: &Analysed<G>| (one.value, one.decided, one.exact, one.depth);
                    assert_eq!(seen(one), seen(image), "{} {}", G::NAME, position.text());
                }
            }
        }
        check::<Avalam>(3, 16);
        check::<Pushover>(4, 9);
        check::<Othello>(4, 11);
    }

    #[test]
    fn simulations_are_shared_out_equally_and_a_proof_is_a_verdict() {
        let all = analysed(&Othello::start(&Fixed).text(), "mcts(simulations=43)");
        assert!(all.iter().all(|one| (one.value * 20.0).fract() == 0.0 && !one.decided), "{all:?}");
        let spec = Spec::parse("mcts(simulations=43)").unwrap();
        let seeded = |seed| analyze(&Fixed, &Othello::start(&Fixed), &spec, seed, &mut |_, _| true).unwrap();
        let values = |seed| seeded(seed).unwrap().iter().map(|one| one.value).collect::<Vec<_>>();
        assert!(values(1) == values(1) && values(1) != values(2), "{:?} {:?}", values(1), values(2));
        let rules = PushoverRules::default();
        let position = Pushover::parse(&rules, "ooo.+++.........-+ 20").unwrap();
        let spec = Spec::parse("hybrid(1: mcts(simulations=400))").unwrap();
        let all = analyze(&rules, &position, &spec, 1, &mut |_, _| true).unwrap().unwrap();
        let wins =
            all.iter().take_while(|one| one.decided && one.value > 0.0).map(|one| position.move_text(one.mv));
        assert_eq!(wins.collect::<Vec<_>>()[..3], ["A", "E", "L"]);
    }
}
