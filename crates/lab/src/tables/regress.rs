//! Weights of tables by regression: least squares on the final difference, or the likelihood of winning, with a penalty on squared
//! weights. Phases are fitted each by itself, with the positions of the neighbouring phases counted less where weights are to change smoothly;
//! where weights are interpolated, all phases at once, for a position then has a share in two of them.
//!
//! The equations are solved by conjugate gradients, divided by how often each entry is seen: one pass over the positions for each step,
//! and nothing is kept of a position but its discs. For the likelihood, Newton's steps are found in the same way. Sums are
//! those of fixed pieces, added in order: the number of threads changes nothing.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use games::othello::Phases;
use games::othello::patterns::PatternSet;
use learn::models::sigmoid;
use rayon::prelude::*;
use thiserror::Error;

use super::Form;
use super::positions::{Example, Piece, Positions};
use crate::solve::Watch;

/// Positions of one piece at least, and the most pieces.
const PIECE: usize = 20_000;
const MOST_PIECES: usize = 8;

/// Newton's steps for the likelihood.
const NEWTON: usize = 6;

/// How weights are fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// What a sum of weights means.
    pub form: Form,
    /// The penalty: each weight counts as if so many positions said that it is 0.
    pub l2: f64,
    /// Entries seen less often stay 0.
    pub min_count: f64,
    /// How much a position of a neighbouring phase counts.
    pub smooth: f64,
    /// The most steps of conjugate gradients; for the likelihood of each of Newton's steps.
    pub iterations: usize,
    /// Steps end when the error of the equations has fallen to this share.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { form: Form::Linear, l2: 1.0, min_count: 3.0, smooth: 0.0, iterations: 30, tolerance: 1e-3 }
    }
}

/// What came of a phase.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// A weight for each entry, those that are tied equal.
    pub weights: Vec<f64>,
    /// Entries that were seen often enough, tied ones counted once.
    pub seen: usize,
    /// Passes over the positions.
    pub passes: usize,
    /// Positions of all passes.
    pub positions: usize,
}

/// Why nothing was fitted.
#[derive(Debug, Error)]
pub enum RegressError {
    /// Asked to stop.
    #[error("broken off")]
    BrokenOff,
    /// The positions are in files that cannot be read any more.
    #[error("positions in temporary files: {0}")]
    File(#[from] io::Error),
}

/// Fits the weights of every phase.
///
/// # Errors
/// The watch breaks it off, or the positions cannot be read any more.
pub fn regress(
    set: &PatternSet,
    phases: &Phases,
    positions: &Positions,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Vec<Fitted>, RegressError> {
    let ties = set.ties();
    let rounds = if settings.form == Form::Linear { 1 } else { NEWTON };
    let systems = if phases.is_interpolated() { 1 } else { phases.count() };
    let most = systems * (2 + rounds * (settings.iterations + 1));
    let passed = AtomicUsize::new(0);
    let go_on = || {
        let done = passed.fetch_add(1, Ordering::Relaxed);
        watch(done as f64 / most as f64) == ControlFlow::Continue(())
    };
    let system = |parts: Vec<((u32, u32), f64)>, shares: Shares, phases: usize| {
        System { set, ties: &ties, positions, parts, shares, phases, settings, go_on: &go_on, passes: 0 }
            .fit()
    };
    if phases.is_interpolated() {
        let shares = (0..=64).map(|discs| phases.shares(discs).collect()).collect();
        let mut fitted = system(vec![((0, 64), 1.0)], shares, phases.count())?;
        for (phase, one) in fitted.iter_mut().enumerate() {
            // Each position is counted once, in the phase where it lies.
            one.positions = one.passes * positions.with_discs(phases.discs(phase));
        }
        return Ok(fitted);
    }
    let alone = |phase: usize| {
        let mut parts = vec![(phases.discs(phase), 1.0)];
        if settings.smooth > 0.0 {
            let neighbours = [phase.checked_sub(1), Some(phase + 1).filter(|&next| next < phases.count())];
            let near = neighbours.into_iter().flatten();
            parts.extend(near.map(|near| (phases.discs(near), settings.smooth)));
        }
        system(parts, vec![vec![(0, 1.0)]; 65], 1)
    };
    let fitted: Vec<Vec<Fitted>> =
        (0..phases.count()).into_par_iter().map(alone).collect::<Result<_, _>>()?;
    Ok(fitted.into_iter().flatten().collect())
}

/// For each number of discs the phases of a system that a position counts for, and how much.
type Shares = Vec<Vec<(usize, f64)>>;

/// Equations that are solved at once, of one phase or of all.
struct System<'a> {
    set: &'a PatternSet,
    ties: &'a [u32],
    positions: &'a Positions,
    /// The numbers of discs of the positions, and how much each counts.
    parts: Vec<((u32, u32), f64)>,
    shares: Shares,
    phases: usize,
    settings: &'a Settings,
    go_on: &'a (dyn Fn() -> bool + Sync),
    passes: usize,
}

impl System<'_> {
    fn fit(mut self) -> Result<Vec<Fitted>, RegressError> {
        let counts = self.pass([None, None], &|_, _| 1.0)?;
        let entries = self.set.weights();
        let lowest = |number: usize| self.ties[number % entries] as usize == number % entries;
        let is_free: Vec<bool> =
            (0..counts.len()).map(|i| lowest(i) && counts[i] >= self.settings.min_count).collect();
        let mut weights = vec![0.0; counts.len()];
        match self.settings.form {
            Form::Linear => {
                let right = self.pass([None, None], &|one, _| f64::from(one.score))?;
                weights = self.solve(&right, &counts, &is_free, None)?;
            }
            Form::Logistic => {
                for _ in 0..NEWTON {
                    let at = self.spread(&weights);
                    let mut slope = self.pass([Some(&at), None], &|one, [value, _]| {
                        let won = f64::from(one.score.signum()).midpoint(1.0);
                        won - sigmoid(value)
                    })?;
                    let l2 = self.settings.l2;
                    slope.iter_mut().zip(&weights).for_each(|(slope, weight)| *slope -= l2 * weight);
                    let step = self.solve(&slope, &counts, &is_free, Some(&at))?;
                    weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
                }
            }
        }
        let seen = self.parts.iter().map(|&(discs, _)| self.positions.with_discs(discs)).sum::<usize>();
        let phase = |(weights, is_free): (&[f64], &[bool])| Fitted {
            weights: self.ties.iter().map(|&lowest| weights[lowest as usize]).collect(),
            seen: is_free.iter().filter(|&&free| free).count(),
            passes: self.passes,
            positions: self.passes * seen,
        };
        Ok(weights.chunks(entries).zip(is_free.chunks(entries)).map(phase).collect())
    }

    /// Conjugate gradients for (sum of h x x' + l2) w = right over the free entries; h is 1, or what the likelihood has at `at`.
    fn solve(
        &mut self,
        right: &[f64],
        counts: &[f64],
        is_free: &[bool],
        at: Option<&[f32]>,
    ) -> Result<Vec<f64>, RegressError> {
        let Settings { l2, iterations, tolerance, .. } = *self.settings;
        let free = |i: usize, value: f64| if is_free[i] { value } else { 0.0 };
        let ease = |rest: &[f64]| -> Vec<f64> {
            rest.iter().zip(counts).map(|(rest, count)| rest / (count + l2)).collect()
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut found = vec![0.0; right.len()];
        let mut rest: Vec<f64> = right.iter().enumerate().map(|(i, &value)| free(i, value)).collect();
        let mut eased = ease(&rest);
        let mut direction = eased.clone();
        let mut error = dot(&rest, &eased);
        let enough = error * tolerance * tolerance;
        for _ in 0..iterations {
            if error <= enough {
                break;
            }
            let along = self.spread(&direction);
            let mut image = match at {
                None => self.pass([Some(&along), None], &|_, [value, _]| value)?,
                Some(at) => self.pass([Some(at), Some(&along)], &|_, [value, along]| {
                    let share = sigmoid(value);
                    share * (1.0 - share) * along
                })?,
            };
            for i in 0..image.len() {
                image[i] = free(i, image[i] + l2 * direction[i]);
            }
            let step = error / dot(&direction, &image);
            for i in 0..found.len() {
                found[i] += step * direction[i];
                rest[i] -= step * image[i];
            }
            eased = ease(&rest);
            let next = dot(&rest, &eased);
            let keep = next / error;
            error = next;
            direction
                .iter_mut()
                .zip(&eased)
                .for_each(|(direction, eased)| *direction = eased + keep * *direction);
        }
        Ok(found)
    }

    /// Every entry with the value of the one that it is tied to.
    fn spread(&self, values: &[f64]) -> Vec<f32> {
        let tied = |phase: &[f64]| -> Vec<f32> {
            self.ties.iter().map(|&lowest| phase[lowest as usize] as f32).collect()
        };
        values.chunks(self.set.weights()).flat_map(tied).collect()
    }

    /// One pass: what `each` says of a position, given the sums of its entries in `vectors`, is added to each of its entries. Ties are
    /// folded into their lowest entry.
    fn pass<F>(&mut self, vectors: [Option<&[f32]>; 2], each: &F) -> Result<Vec<f64>, RegressError>
    where
        F: Fn(&Example, [f64; 2]) -> f64 + Sync,
    {
        if !(self.go_on)() {
            return Err(RegressError::BrokenOff);
        }
        self.passes += 1;
        let (positions, entries) = (self.positions, self.set.weights());
        let pieces: Vec<(Piece, f64)> =
            self.parts.iter().flat_map(|&(discs, weight)| pieces(positions, discs, weight)).collect();
        let sums = pieces.par_iter().map(|(piece, weight)| self.piece_sums(piece, *weight, vectors, each));
        let sums: Vec<Vec<f64>> = sums.collect::<Result<_, io::Error>>()?;
        let mut total = vec![0.0; self.phases * entries];
        for sums in &sums {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        for phase in total.chunks_mut(entries) {
            for number in 0..entries {
                let lowest = self.ties[number] as usize;
                if lowest != number {
                    phase[lowest] += phase[number];
                    phase[number] = 0.0;
                }
            }
        }
        Ok(total)
    }

    fn piece_sums<F>(
        &self,
        piece: &Piece,
        weight: f64,
        vectors: [Option<&[f32]>; 2],
        each: &F,
    ) -> io::Result<Vec<f64>>
    where
        F: Fn(&Example, [f64; 2]) -> f64,
    {
        let set = self.set;
        let mut sums = vec![0.0; self.phases * set.weights()];
        let mut entries = Vec::with_capacity(set.shown());
        piece.each(|one| {
            let indices = set.fresh(one.own, one.other);
            entries.clear();
            entries.extend(
                set.tables()
                    .iter()
                    .zip(indices.numbers())
                    .map(|(&table, &number)| table as usize + usize::from(number)),
            );
            set.each_count(one.own, one.other, |entry| entries.push(entry));
            let shares = &self.shares[one.discs() as usize];
            let along = |vector: Option<&[f32]>| match vector {
                Some(vector) => {
                    let part = |&(phase, share): &(usize, f64)| {
                        let weights = &vector[phase * set.weights()..];
                        share * f64::from(entries.iter().map(|&entry| weights[entry]).sum::<f32>())
                    };
                    shares.iter().map(part).sum()
                }
                None => 0.0,
            };
            let said = weight * each(one, vectors.map(along));
            for &(phase, share) in shares {
                let sums = &mut sums[phase * set.weights()..];
                for &entry in &entries {
                    sums[entry] += share * said;
                }
            }
        })?;
        Ok(sums)
    }
}

/// Pieces of fixed sizes, whatever the number of threads.
fn pieces(positions: &Positions, discs: (u32, u32), weight: f64) -> impl Iterator<Item = (Piece<'_>, f64)> {
    let size = positions.with_discs(discs).div_ceil(MOST_PIECES).max(PIECE);
    positions.pieces(discs, size).into_iter().map(move |piece| (piece, weight))
}
