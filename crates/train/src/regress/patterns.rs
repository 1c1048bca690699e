//! Weights of tables by regression: least squares on the final difference, or the likelihood of winning, with a penalty on squared
//! weights. Phases are fitted each by itself, so that their weights stay in the cache and need no agreement between threads, with the
//! positions of the neighbouring phases counted less where weights are to change smoothly; where weights are interpolated, all phases at
//! once, for a position then has a share in two of them.
//!
//! The equations are solved by conjugate gradients, divided by how often each entry is seen: one pass over the positions for each step.
//! What a position shows is looked up once and kept where memory allows, and in every pass where it does not, to the same end. For the
//! likelihood, Newton's steps are found in the same way. Sums are those of fixed pieces, added in order: the number of threads changes
//! nothing.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use games::othello::Phases;
use games::othello::patterns::PatternSet;
use learn::models::sigmoid;
use play::patterns::Form;
use play::solve::Progress;
use play::threads::par_map;
use rayon::prelude::*;
use thiserror::Error;

use super::compact::{Budget, Head, Kept, Rows, Slots};
use super::positions::{Piece, Positions};

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
    /// Bytes of memory for what positions show. It changes the time that is taken, not the result.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            form: Form::Linear,
            l2: 1.0,
            min_count: 3.0,
            smooth: 0.0,
            iterations: 30,
            tolerance: 1e-3,
            memory: 1 << 30,
        }
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
    watch: Progress<'_>,
) -> Result<Vec<Fitted>, RegressError> {
    let (ties, rows, budget) = (set.ties(), Rows::new(set), Budget::new(settings.memory));
    let rounds = if settings.form == Form::Linear { 1 } else { NEWTON };
    let systems = if phases.is_interpolated() { 1 } else { phases.count() };
    let most = systems * (2 + rounds * (settings.iterations + 1));
    let passed = AtomicUsize::new(0);
    let go_on = || {
        let done = passed.fetch_add(1, Ordering::Relaxed);
        watch(done as f64 / most as f64) == ControlFlow::Continue(())
    };
    let task = Task { ties: &ties, rows: &rows, budget: &budget, settings, go_on: &go_on };
    let fit = |parts: Vec<((u32, u32), f64)>, shares: Shares, phases: usize| {
        let weighted = parts.iter().flat_map(|&(discs, weight)| pieces(positions, discs, weight));
        Survey::new(&task, shares, phases, weighted.collect())?.system().fit()
    };
    if phases.is_interpolated() {
        let shares = (0..=64).map(|discs| phases.shares(discs).collect()).collect();
        let mut fitted = fit(vec![((0, 64), 1.0)], shares, phases.count())?;
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
        fit(parts, vec![vec![(0, 1.0)]; 65], 1)
    };
    let fitted = par_map(phases.count(), alone).into_iter().collect::<Result<Vec<Vec<Fitted>>, _>>()?;
    Ok(fitted.into_iter().flatten().collect())
}

/// For each number of discs the phases of a system that a position counts for, and how much.
type Shares = Vec<Vec<(usize, f64)>>;

/// What all systems have in common.
struct Task<'a> {
    ties: &'a [u32],
    rows: &'a Rows<'a>,
    budget: &'a Budget,
    settings: &'a Settings,
    go_on: &'a (dyn Fn() -> bool + Sync),
}

impl Task<'_> {
    /// Said before every pass.
    fn go_on(&self) -> Result<(), RegressError> {
        if (self.go_on)() { Ok(()) } else { Err(RegressError::BrokenOff) }
    }
}

/// The positions of a system as they are first seen.
struct Survey<'a> {
    task: &'a Task<'a>,
    shares: Shares,
    /// What is kept of the positions, and how much each of them counts.
    pieces: Vec<(Kept<'a>, f64)>,
    /// How often each entry of each phase is seen, tied ones counted for the lowest.
    counts: Vec<Vec<f64>>,
}

impl<'a> Survey<'a> {
    fn new(
        task: &'a Task<'a>,
        shares: Shares,
        phases: usize,
        pieces: Vec<(Piece<'a>, f64)>,
    ) -> Result<Self, RegressError> {
        task.go_on()?;
        let survey = |(piece, weight): (Piece<'a>, f64)| {
            let mut counts = vec![vec![0.0; task.ties.len()]; phases];
            let kept = Kept::new(piece, task.rows, task.budget, |head, row| {
                for &(phase, share) in &shares[usize::from(head.discs)] {
                    let counts = &mut counts[phase];
                    task.rows.entries(row).for_each(|entry| counts[entry] += share * weight);
                }
            })?;
            Ok(((kept, weight), counts))
        };
        let found: Vec<_> = pieces.into_par_iter().map(survey).collect::<Result<_, io::Error>>()?;
        let mut total = vec![vec![0.0; task.ties.len()]; phases];
        let mut pieces = Vec::with_capacity(found.len());
        for (piece, counts) in found {
            pieces.push(piece);
            for (total, counts) in total.iter_mut().zip(counts) {
                for (&lowest, count) in task.ties.iter().zip(counts) {
                    total[lowest as usize] += count;
                }
            }
        }
        Ok(Self { task, shares, pieces, counts: total })
    }

    /// The equations of all entries that were seen often enough.
    fn system(self) -> System<'a> {
        let Self { task, shares, mut pieces, counts } = self;
        let enough = |count: f64| count >= task.settings.min_count;
        let slots = Slots::new(task.rows, task.ties, |entry| counts.iter().any(|phase| enough(phase[entry])));
        pieces.par_iter_mut().for_each(|(kept, _)| kept.turn(&slots));
        let of_slots = |phase: &Vec<f64>| -> Vec<f64> {
            slots.entries().iter().map(|entry| entry.map_or(0.0, |entry| phase[entry as usize])).collect()
        };
        let counts: Vec<f64> = counts.iter().flat_map(of_slots).collect();
        // A slot that counts for nothing is never fitted, not even where no count is too small.
        let is_free = (0..counts.len())
            .map(|i| slots.entries()[i % slots.count()].is_some() && enough(counts[i]))
            .collect();
        System { task, shares, pieces, slots, counts, is_free, passes: 1 }
    }
}

/// Equations that are solved at once, of one phase or of all. Vectors hold the slots of one phase after those of the other.
struct System<'a> {
    task: &'a Task<'a>,
    shares: Shares,
    pieces: Vec<(Kept<'a>, f64)>,
    slots: Slots<'a>,
    counts: Vec<f64>,
    is_free: Vec<bool>,
    passes: usize,
}

impl System<'_> {
    fn fit(mut self) -> Result<Vec<Fitted>, RegressError> {
        let mut weights = vec![0.0; self.counts.len()];
        let Settings { form, l2, .. } = *self.task.settings;
        match form {
            Form::Linear => {
                let right = self.pass([None, None], &|score, _| f64::from(score))?;
                weights = self.solve(&right, None)?;
            }
            Form::Logistic => {
                for _ in 0..NEWTON {
                    let at = single(&weights);
                    let mut slope = self.pass([Some(&at), None], &|score, [value, _]| {
                        let won = f64::from(score.signum()).midpoint(1.0);
                        won - sigmoid(value)
                    })?;
                    slope.iter_mut().zip(&weights).for_each(|(slope, weight)| *slope -= l2 * weight);
                    let step = self.solve(&slope, Some(&at))?;
                    weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
                }
            }
        }
        let positions: usize = self.pieces.iter().map(|(kept, _)| kept.count()).sum();
        let places = self.slots.of_entries();
        let phase = |(weights, is_free): (&[f64], &[bool])| Fitted {
            weights: places.iter().map(|&slot| weights[slot]).collect(),
            seen: is_free.iter().filter(|&&free| free).count(),
            passes: self.passes,
            positions: self.passes * positions,
        };
        let slots = self.slots.count();
        Ok(weights.chunks(slots).zip(self.is_free.chunks(slots)).map(phase).collect())
    }

    /// Conjugate gradients for (sum of h x x' + l2) w = right over the free entries; h is 1, or what the likelihood has at `at`.
    fn solve(&mut self, right: &[f64], at: Option<&[f32]>) -> Result<Vec<f64>, RegressError> {
        let Settings { l2, iterations, tolerance, .. } = *self.task.settings;
        let (counts, is_free) = (self.counts.clone(), self.is_free.clone());
        let free = |i: usize, value: f64| if is_free[i] { value } else { 0.0 };
        // What is not free has no count, perhaps, and no rest.
        let ease = |rest: &[f64]| -> Vec<f64> {
            (0..rest.len()).map(|i| free(i, rest[i] / (counts[i] + l2))).collect()
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
            let along = single(&direction);
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

    /// One pass: what `each` says of a position, given its score and the sums of its slots in `vectors`, is added to each of its slots.
    fn pass<F>(&mut self, vectors: [Option<&[f32]>; 2], each: &F) -> Result<Vec<f64>, RegressError>
    where
        F: Fn(i8, [f64; 2]) -> f64 + Sync,
    {
        self.task.go_on()?;
        self.passes += 1;
        let sums = par_map(self.pieces.len(), |number| {
            let (kept, weight) = &self.pieces[number];
            self.piece_sums(kept, *weight, vectors, each)
        });
        let sums: Vec<Vec<f64>> = sums.into_iter().collect::<Result<_, io::Error>>()?;
        let mut total = vec![0.0; self.counts.len()];
        for sums in &sums {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        Ok(total)
    }

    fn piece_sums<F>(
        &self,
        kept: &Kept<'_>,
        weight: f64,
        vectors: [Option<&[f32]>; 2],
        each: &F,
    ) -> io::Result<Vec<f64>>
    where
        F: Fn(i8, [f64; 2]) -> f64,
    {
        let mut sums = vec![0.0; self.counts.len()];
        let mut shown = vec![0; self.task.rows.width()];
        let of_phase = |phase: usize| phase * self.slots.count()..(phase + 1) * self.slots.count();
        kept.each(&self.slots, |Head { score, discs }, row| {
            self.slots.shown(row, &mut shown);
            let shares = &self.shares[usize::from(discs)];
            let along = |vector: Option<&[f32]>| match vector {
                Some(vector) => {
                    let part = |&(phase, share): &(usize, f64)| {
                        share * f64::from(sum_of(&vector[of_phase(phase)], &shown))
                    };
                    shares.iter().map(part).sum()
                }
                None => 0.0,
            };
            let said = weight * each(score, vectors.map(along));
            for &(phase, share) in shares {
                let (sums, said) = (&mut sums[of_phase(phase)], share * said);
                for &slot in &shown {
                    sums[slot as usize] += said;
                }
            }
        })?;
        Ok(sums)
    }
}

/// In the precision of sums over a position.
fn single(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&value| value as f32).collect()
}

/// Four sums, so that no addition waits for the one before.
#[inline]
fn sum_of(values: &[f32], slots: &[u32]) -> f32 {
    let mut sums = [0.0; 4];
    let (fours, rest) = slots.as_chunks::<4>();
    for four in fours {
        for lane in 0..4 {
            sums[lane] += values[four[lane] as usize];
        }
    }
    let rest: f32 = rest.iter().map(|&slot| values[slot as usize]).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Pieces of fixed sizes, whatever the number of threads.
fn pieces(positions: &Positions, discs: (u32, u32), weight: f64) -> impl Iterator<Item = (Piece<'_>, f64)> {
    let size = positions.with_discs(discs).div_ceil(MOST_PIECES).max(PIECE);
    positions.pieces(discs, size).into_iter().map(move |piece| (piece, weight))
}
