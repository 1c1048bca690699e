//! What a search thinks of a position of any game between two: the value of every move, how both sides would go on, and what each
//! feature has to do with it where the evaluation is a weighted sum.

pub mod explain;
pub mod show;
pub mod surfaces;

use std::sync::Arc;

use games::{Dice, Turn};

use crate::PlayedGame;
use crate::evaluator::Evaluator;
use crate::players::searching::searcher;
use crate::players::spec::{SCORE, Spec};
use crate::players::{OwnFunction, PlayerError, PlayerSpec};
use crate::search::evaluation::{decided, is_decided, margin};
use crate::search::{Limits, Searcher};

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

/// All moves of a position by falling value, each searched by itself: to one ply less than the depth of the search, and with
/// its share of the time and the nodes. `watch` is asked before each move; `None` if it says no.
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
    let Turn::Player(_) = position.turn() else { panic!("nobody is to move") };
    let mut search = searcher::<G>(rules, spec)?;
    let shares = Shares::<G>::new(rules, spec)?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let limits = share_of(&spec.limits, moves.len());
    let mut all = Vec::new();
    for (number, &mv) in moves.iter().enumerate() {
        if !watch(number, moves.len()) {
            return Ok(None);
        }
        let mut dice = Dice::seeded(&[seed, number as u64]);
        let mut one = one_move(position, mv, search.as_mut(), spec, &limits, &mut dice);
        one.shares = shares.of(position, mv);
        all.push(one);
    }
    let rank = |one: &Analysed<G>| if one.decided { decided(one.value) } else { one.value };
    all.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    Ok(Some(all))
}

/// What one of so many moves may use.
fn share_of(limits: &Limits, moves: usize) -> Limits {
    let count = moves.max(1) as f64;
    Limits {
        depth: limits.depth.map(|depth| depth.saturating_sub(1)),
        nodes: limits.nodes.map(|nodes| (nodes / moves.max(1) as u64).max(1)),
        simulations: limits.simulations.map(|games| (games / moves.max(1) as u64).max(1)),
        time: limits.time.map(|seconds| seconds / count),
        credit: limits.credit.map(|seconds| seconds / count),
    }
}

fn one_move<G: PlayedGame>(
    position: &G,
    mv: G::Move,
    search: &mut dyn Searcher<G>,
    spec: &Spec,
    limits: &Limits,
    dice: &mut Dice,
) -> Analysed<G> {
    let Turn::Player(side) = position.turn() else { panic!("nobody is to move") };
    let mut after = position.clone();
    after.play_unchecked(mv);
    let known = |value: f64, decided: bool| Analysed {
        mv,
        value,
        decided,
        exact: decided,
        line: vec![mv],
        depth: 1,
        nodes: 1,
        seconds: 0.0,
        shares: Vec::new(),
    };
    if after.turn() == Turn::Over {
        return known(after.final_value(side), true);
    }
    // A search of one ply looks one further here than it would by itself; the depth says so.
    let mut limits = *limits;
    limits.depth = limits.depth.map(|depth| depth.max(1));
    let found = search.search(&after, &limits, dice);
    // Shares of wins lie from 0 to 1, all else is as good for one side as it is bad for the other.
    let theirs = found.value;
    let is_decided = is_decided(theirs);
    let value = if spec.name() == "mcts" && !is_decided { 1.0 - theirs } else { -margin(theirs) };
    let mut line = vec![mv];
    line.extend(if found.line.is_empty() { vec![found.best] } else { found.line });
    Analysed {
        value: value + 0.0,
        decided: is_decided || (found.exact && theirs == 0.0),
        exact: found.exact,
        line,
        depth: found.depth + 1,
        nodes: found.nodes,
        seconds: found.seconds,
        ..known(0.0, false)
    }
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
    use games::Game as _;
    use games::othello::Othello;
    use games::rules::Fixed;

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
        let player = "alphabeta(depth=2, eval=linear(d3,e5; 2, 3))";
        let all = analysed(&Othello::start(&Fixed).text(), player);
        let d3 = all.iter().find(|one| one.mv.index() == Some(19)).unwrap();
        assert_eq!(d3.shares, [("d3".to_string(), 2.0), ("e5".to_string(), -3.0)]);
        let spec = Spec::parse(player).unwrap();
        assert_eq!(
            analyze(&Fixed, &Othello::start(&Fixed), &spec, 1, &mut |done, _| done < 2).unwrap(),
            None
        );
    }
}
