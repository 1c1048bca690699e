//! Weighted sums of criteria, or of products of them, one for each phase, by least squares on the final difference: the equations are
//! small and solved exactly.

use std::collections::BTreeMap;
use std::io;

use games::othello::{Othello, Phases};
use games::rules::Fixed;
use games::{FeatureSet, Game, InputError, Side};
use learn::models::{Form, Products, TooManyParameters};
use play::threads::par_map;
use thiserror::Error;

use super::positions::{Example, Piece, Positions};

/// Positions of one piece, and the most pieces where all phases are fitted at once.
const PIECE: usize = 20_000;
const MOST_PIECES: usize = 8;

/// The most weights that are fitted at once: a piece has a sum for each two of them.
const MOST_WEIGHTS: usize = 4000;

/// Weighted sums of features or of their products; a value is for the side that has just moved.
pub struct Sums {
    features: Box<dyn FeatureSet<Othello>>,
    /// The features and phases as `G::features` reads them.
    pub names: String,
    products: Products,
    phases: Phases,
    /// One list a phase.
    pub weights: Vec<Vec<f64>>,
}

/// Why nothing was fitted.
#[derive(Debug, Error)]
pub enum SumsError {
    /// A feature is unknown, or phases are among the names.
    #[error(transparent)]
    Features(#[from] InputError),
    /// There are too many weights.
    #[error(transparent)]
    TooManyParameters(#[from] TooManyParameters),
    /// There are too many weights for the equations.
    #[error(
        "{weights} weights would be fitted at once; allowed: at most {MOST_WEIGHTS}, by fewer features or products, or phases that are not interpolated"
    )]
    TooManyWeights {
        /// So many.
        weights: usize,
    },
    /// The positions are in files that cannot be read any more.
    #[error("positions in temporary files: {0}")]
    File(#[from] io::Error),
}

/// The products of the features of a position for the side that has just moved.
fn row(features: &dyn FeatureSet<Othello>, products: Products, one: &Example) -> Vec<f64> {
    let position = Othello::new(one.own, one.other, Side::First);
    let mut row = vec![0.0; products.inputs()];
    features.extract_position(&position, Side::Second, &mut row);
    if products.count() == row.len() { row } else { products.values(&row) }
}

fn form_of(degree: usize) -> Form {
    match degree {
        1 => Form::Linear,
        degree => Form::Polynomial(degree),
    }
}

impl Sums {
    /// Fits the weights of named features and their products of up to `degree` factors, with a penalty as if `l2` positions said that each
    /// is 0.
    ///
    /// # Errors
    /// A feature is unknown, phases are among the names, there are too many weights, or the positions cannot be read any more.
    pub fn fit(
        names: &str,
        degree: usize,
        phases: Phases,
        positions: &Positions,
        l2: f64,
    ) -> Result<Self, SumsError> {
        let features = Othello::features(&Fixed, names)?;
        if features.is_sparse() {
            return Err(InputError::option(
                "features",
                names,
                "features without phases, which are given by themselves",
            )
            .into());
        }
        let products = Products::new(features.names().len(), degree);
        if degree > 1 && phases.is_interpolated() {
            // Mixed features have other products than those that are mixed.
            let allowed = "phases without interpolation, or features without products";
            return Err(InputError::option("phases", &phases.text(), allowed).into());
        }
        let count = products.count();
        let weights = if phases.is_interpolated() { phases.count() * count } else { count };
        if weights > MOST_WEIGHTS {
            return Err(SumsError::TooManyWeights { weights });
        }
        // A player reads the features of all phases as those of one function.
        form_of(degree).check(phases.count() * products.inputs())?;
        let rows = |one: &Example| row(&*features, products, one);
        let weights = if phases.is_interpolated() {
            // A position has a share in two phases: all are fitted at once.
            let size = positions.count().div_ceil(MOST_PIECES).max(PIECE);
            let shares = |discs| phases.shares(discs).collect();
            let found =
                fit_system(&rows, count, &positions.pieces((0, 64), size), phases.count(), &shares, l2)?;
            found.chunks(count).map(<[f64]>::to_vec).collect()
        } else {
            let alone = |phase: usize| {
                let pieces = positions.pieces(phases.discs(phase), PIECE);
                fit_system(&rows, count, &pieces, 1, &|_| vec![(0, 1.0)], l2)
            };
            par_map(phases.count(), alone).into_iter().collect::<io::Result<_>>()?
        };
        let names = format!("{names},{}", phases.text());
        Ok(Self { features, names, products, phases, weights })
    }

    /// The form of the function.
    pub fn form(&self) -> Form {
        form_of(self.products.degree())
    }

    /// Every weight by the name that it has in a file.
    pub fn parameters(&self) -> BTreeMap<String, f64> {
        let of_phase = |(phase, weights): (usize, &Vec<f64>)| {
            let name = |name: String| match self.weights.len() {
                1 => name,
                _ => format!("{name}@{}", phase + 1),
            };
            let names: Vec<String> = self.features.names().into_iter().map(name).collect();
            self.products.names(&names).into_iter().zip(weights.clone()).collect::<Vec<_>>()
        };
        self.weights.iter().enumerate().flat_map(of_phase).collect()
    }

    /// The final difference for the side to move.
    pub fn value(&self, one: &Example) -> f64 {
        let features = row(&*self.features, self.products, one);
        let sum = |(phase, share): (usize, f64)| {
            let weights = &self.weights[phase];
            share * weights.iter().zip(&features).map(|(weight, feature)| weight * feature).sum::<f64>()
        };
        -self.phases.shares(one.discs()).map(sum).sum::<f64>()
    }
}

/// Least squares over so many phases at once; `shares` says which of them a number of discs counts for, and how much.
fn fit_system(
    row: &(dyn Fn(&Example) -> Vec<f64> + Sync),
    count: usize,
    pieces: &[Piece],
    phases: usize,
    shares: &(dyn Fn(u32) -> Vec<(usize, f64)> + Sync),
    l2: f64,
) -> io::Result<Vec<f64>> {
    let all = phases * count;
    let shares: Vec<Vec<(usize, f64)>> = (0..=64).map(shares).collect();
    // The sums of products of features with each other and with the result, which is the last column.
    let sums = |piece: &Piece| {
        let mut sums = vec![0.0; all * (all + 1)];
        piece.each(|one| {
            let now = row(one);
            let shares = &shares[one.discs() as usize];
            for &(phase, share) in shares {
                for i in 0..count {
                    let value = share * now[i];
                    let sums = &mut sums[(phase * count + i) * (all + 1)..];
                    for &(phase, share) in shares {
                        (0..count).for_each(|j| sums[phase * count + j] += value * share * now[j]);
                    }
                    sums[all] -= value * f64::from(one.score);
                }
            }
        })?;
        Ok(sums)
    };
    let pieces = par_map(pieces.len(), |number| sums(&pieces[number]));
    let pieces = pieces.into_iter().collect::<io::Result<Vec<Vec<f64>>>>()?;
    let mut total = vec![0.0; all * (all + 1)];
    pieces.iter().for_each(|sums| total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum));
    let mut rows: Vec<Vec<f64>> = total.chunks(all + 1).map(<[f64]>::to_vec).collect();
    (0..all).for_each(|i| rows[i][i] += l2);
    Ok(solve(rows))
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
