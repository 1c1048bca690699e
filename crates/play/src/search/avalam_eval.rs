//! Linear functions of the observation functions of Avalam, kept up to date from move to move: the third stage of the
//! report's agent. And those of towers by their surroundings, kept up to date in the same way. The value is that of
//! [`ModelEval`](super::evaluation::ModelEval) over the same features.

use games::Side;
use games::avalam::{Avalam, AvalamFeatures, Move, Observations, TowerSums, TowerWeights, Weights};

use super::evaluation::Evaluation;
use crate::evaluator::Evaluator;

/// The weights of all observation functions.
pub struct AvalamObservationEval(pub Weights);

impl AvalamObservationEval {
    /// The same function as a model, if it is a weighted sum of observations alone.
    pub fn of(evaluator: &Evaluator<Avalam>) -> Option<Self> {
        let (features, weights) = linear(evaluator)?;
        features.weights(weights).map(Self)
    }
}

/// The features and weights of a model that is a weighted sum.
fn linear(evaluator: &Evaluator<Avalam>) -> Option<(AvalamFeatures, &[f64])> {
    let features = AvalamFeatures::new(&evaluator.names().join(",")).ok()?;
    Some((features, evaluator.linear_weights()?))
}

impl Evaluation<Avalam> for AvalamObservationEval {
    type Sums = Observations;

    fn fresh(&self, position: &Avalam) -> Observations {
        Observations::of(position)
    }

    #[inline]
    fn after(&self, sums: &Observations, before: &Avalam, mv: Move, _after: &Avalam) -> Observations {
        sums.after(before, mv)
    }

    /// Features are for the side that moved last.
    #[inline]
    fn value(&self, position: &Avalam, sums: &Observations, side: Side) -> f64 {
        let mover = position.side().other();
        let value = sums.value(mover, &self.0);
        if side == mover { value } else { -value }
    }
}

/// The weights of all kinds of towers. They are rounded to 1/65536: the sums are whole numbers.
pub struct AvalamTowerEval(pub TowerWeights);

impl AvalamTowerEval {
    /// The same function as a model, if it is a weighted sum of kinds of towers alone.
    pub fn of(evaluator: &Evaluator<Avalam>) -> Option<Self> {
        let (features, weights) = linear(evaluator)?;
        features.tower_weights(weights).map(Self)
    }
}

impl Evaluation<Avalam> for AvalamTowerEval {
    type Sums = TowerSums;

    fn fresh(&self, position: &Avalam) -> TowerSums {
        TowerSums::of(position, &self.0)
    }

    #[inline]
    fn after(&self, sums: &TowerSums, before: &Avalam, mv: Move, after: &Avalam) -> TowerSums {
        sums.after(before, mv, after, &self.0)
    }

    /// Features are for the side that moved last.
    #[inline]
    fn value(&self, position: &Avalam, sums: &TowerSums, side: Side) -> f64 {
        let value = sums.value(position, &self.0);
        if side == position.side() { -value } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::AlphaBeta;
    use crate::search::evaluation::ModelEval;
    use crate::search::{Limits, Searcher};
    use games::rules::Fixed;
    use games::{Dice, Game};

    #[test]
    fn a_search_finds_the_same_whichever_way_observations_are_counted() {
        let mut dice = Dice::seeded(&[5]);
        let sets = ["observations", "antisymmetric,constant", "surroundings,constant"];
        for (round, features) in sets.into_iter().cycle().take(6).enumerate() {
            let count = Avalam::features(&Fixed, features).unwrap().names().len();
            // Whole numbers: no sum depends on its order.
            let weights: Vec<f64> = (0..count).map(|_| dice.below(41) as f64 - 20.0).collect();
            let model = || Evaluator::<Avalam>::linear(&Fixed, features, weights.clone()).unwrap();
            let mut plain = AlphaBeta::new(ModelEval(model().into()), 1);
            let mut fast: Box<dyn Searcher<Avalam>> = match AvalamObservationEval::of(&model()) {
                Some(observed) => Box::new(AlphaBeta::new(observed, 1)),
                None => Box::new(AlphaBeta::new(AvalamTowerEval::of(&model()).unwrap(), 1)),
            };
            let mut position = Avalam::start(&Fixed);
            let mut moves = Vec::new();
            for _ in 0..10 + 4 * round {
                position.legal_moves(&mut moves);
                position.play_unchecked(dice.pick(&moves));
            }
            let search = |search: &mut dyn Searcher<Avalam>| {
                let found = search.search(&position, &Limits::depth(3), &mut Dice::seeded(&[1]));
                (found.best, found.value, found.nodes, found.line)
            };
            assert_eq!(search(&mut plain), search(&mut *fast));
        }
    }

    #[test]
    fn other_functions_are_left_to_the_general_way() {
        let threats = Evaluator::<Avalam>::linear(&Fixed, "score,own-coverable", vec![1.0, 2.0]).unwrap();
        assert!(AvalamObservationEval::of(&threats).is_none() && AvalamTowerEval::of(&threats).is_none());
    }
}
