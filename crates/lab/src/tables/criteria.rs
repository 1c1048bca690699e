//! Weighted sums of criteria, one for each phase, by least squares on the final difference: the equations are small and solved exactly.

use games::othello::{Othello, Phases};
use games::rules::Fixed;
use games::{FeatureSet, Game, InputError, Side};
use rayon::prelude::*;

use super::positions::{Example, Positions};

/// Positions of one piece.
const PIECE: usize = 20_000;

/// Weighted sums of features; a value is for the side that has just moved.
pub struct Sums {
    features: Box<dyn FeatureSet<Othello>>,
    /// The features and phases as `G::features` reads them.
    pub names: String,
    phases: Phases,
    /// One list a phase.
    pub weights: Vec<Vec<f64>>,
}

/// The features of a position for the side that has just moved.
fn row(features: &dyn FeatureSet<Othello>, one: &Example, row: &mut [f64]) {
    let position = Othello::new(one.own, one.other, Side::First);
    features.extract_position(&position, Side::Second, row);
}

impl Sums {
    /// Fits the weights of named features, with a penalty as if `l2` positions said that each is 0.
    ///
    /// # Errors
    /// A feature is unknown, or phases are among the names.
    pub fn fit(names: &str, phases: Phases, positions: &Positions, l2: f64) -> Result<Self, InputError> {
        let features = Othello::features(&Fixed, names)?;
        if features.is_sparse() {
            return Err(InputError::option(
                "features",
                names,
                "features without phases, which are given by themselves",
            ));
        }
        let weights = (0..phases.count())
            .into_par_iter()
            .map(|phase| fit_phase(&*features, positions.with_discs(phases.discs(phase)), l2))
            .collect();
        let names = format!("{names},{}", phases.text());
        Ok(Self { features, names, phases, weights })
    }

    /// The names of the features, without phases.
    pub fn features(&self) -> Vec<String> {
        self.features.names()
    }

    /// The final difference for the side to move.
    pub fn value(&self, one: &Example) -> f64 {
        let weights = &self.weights[self.phases.of((one.own | one.other).count_ones())];
        let mut features = vec![0.0; weights.len()];
        row(&*self.features, one, &mut features);
        -weights.iter().zip(&features).map(|(weight, feature)| weight * feature).sum::<f64>()
    }
}

fn fit_phase(features: &dyn FeatureSet<Othello>, positions: &[Example], l2: f64) -> Vec<f64> {
    let count = features.names().len();
    // The sums of products of features with each other and with the result, which is the last column.
    let piece = |piece: &[Example]| {
        let (mut sums, mut now) = (vec![0.0; count * (count + 1)], vec![0.0; count]);
        for one in piece {
            row(features, one, &mut now);
            for (i, sums) in sums.chunks_mut(count + 1).enumerate() {
                (0..count).for_each(|j| sums[j] += now[i] * now[j]);
                sums[count] -= now[i] * f64::from(one.score);
            }
        }
        sums
    };
    let pieces: Vec<Vec<f64>> = positions.par_chunks(PIECE).map(piece).collect();
    let mut total = vec![0.0; count * (count + 1)];
    pieces.iter().for_each(|sums| total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum));
    let mut rows: Vec<Vec<f64>> = total.chunks(count + 1).map(<[f64]>::to_vec).collect();
    (0..count).for_each(|i| rows[i][i] += l2);
    solve(rows)
}

/// Gauss's elimination for a matrix that is symmetric and not negative, the right side being the last column. What does not
/// depend on an unknown leaves it at 0.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    let scale: Vec<f64> = (0..count).map(|i| rows[i][i]).collect();
    let is_known = |pivot: f64, scale: f64| pivot > 1e-9 * scale;
    for i in 0..count {
        if !is_known(rows[i][i], scale[i]) {
            continue;
        }
        let (upper, lower) = rows.split_at_mut(i + 1);
        for row in lower {
            let factor = row[i] / upper[i][i];
            (i..=count).for_each(|j| row[j] -= factor * upper[i][j]);
        }
    }
    let mut found = vec![0.0; count];
    for i in (0..count).rev() {
        if is_known(rows[i][i], scale[i]) {
            let known: f64 = (i + 1..count).map(|j| rows[i][j] * found[j]).sum();
            found[i] = (rows[i][count] - known) / rows[i][i];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        // x + y = 3, x + 2 y = 5; and an unknown that nothing depends on.
        let found = solve(vec![vec![1.0, 1.0, 0.0, 3.0], vec![1.0, 2.0, 0.0, 5.0], vec![0.0; 4]]);
        assert_eq!(found, [1.0, 2.0, 0.0]);
    }
}
