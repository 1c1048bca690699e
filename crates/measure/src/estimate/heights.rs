//! Fahey's estimate (Fahey 2003; Thiery and Scherrer 2009, section 6): the greater the height of the wall, the rarer it is,
//! by about the same factor for every row. A line through the logarithms of the frequencies, carried on to one row above
//! the board, says how often a piece ends a game; its inverse is the number of pieces in a game.
//!
//! The line goes through the tail alone: through heights that are reached or exceeded by at most [`TAIL`] of the pieces, and
//! that no less than [`FEWEST`] segments have seen. On a low board, where that leaves fewer than three, the tail begins
//! lower, but always above the most frequent height.
//!
//! Successive heights are correlated over hundreds of pieces. The interval is therefore that of a bootstrap over blocks (Künsch
//! 1989), a block being a whole segment of play that begins on the empty board; the weights of the fit are those of all
//! segments and stay fixed.

use std::ops::ControlFlow;

use games::Dice;
use play::players::PlayError;
use schemars::JsonSchema;
use serde::Serialize;
use stats::{LogLinear, Point};

use super::segments::{self, Counts};
use super::{EstimateProgress, EstimateSetup, lines_per_piece};

/// Segments that play is cut into, at least and at most.
const SEGMENTS: [u64; 2] = [100, 10_000];
/// Pieces in a segment, unless there would be too few or too many: whoever breaks off loses those under way.
const LENGTH: u64 = 50_000;
/// The share of the pieces above which a height is not yet in the tail.
pub const TAIL: f64 = 0.05;
/// Segments that must have seen a height for it to be in the fit.
pub const FEWEST: usize = 10;
/// Resamples of the bootstrap, and its seed, fixed for equal tables to give equal intervals.
const RESAMPLES: usize = 2_000;
const RESAMPLING: u64 = 0x5e6_3e27;

/// How often the wall had each height, segment by segment.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    segments: Vec<Counts>,
    lines_per_piece: f64,
}

/// One height of a table.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize)]
pub struct Row {
    /// The height; one more than the board has stands for the end of a game.
    pub height: usize,
    /// Pieces after which the wall was so high.
    pub count: u64,
    /// Their share.
    pub frequency: f64,
    /// The standard error of the share over the share, between segments; none for fewer than [`FEWEST`] of them.
    pub relative_error: Option<f64>,
}

/// What the heights say.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Estimate {
    /// Mean lines of a game.
    pub value: f64,
    /// The 95 % interval of the bootstrap; it does not know whether the line holds.
    pub ci95: [f64; 2],
    /// Pieces in a game.
    pub pieces: f64,
    /// The first and the last height of the fit.
    pub fitted: [usize; 2],
    /// ln(frequency) over height.
    pub line: LogLinear,
    /// The mean lines if the fit began at other heights.
    pub by_start: Vec<(usize, f64)>,
}

/// The number of segments that a budget of pieces is cut into.
pub fn segments_of(budget: u64) -> usize {
    (budget / LENGTH).clamp(SEGMENTS[0], SEGMENTS[1]) as usize
}

/// Plays about `setup.budget` pieces, games that end being followed by new ones. `watch` may break off.
///
/// # Errors
/// The player is unknown, or fails.
pub fn play(
    setup: &EstimateSetup,
    threads: usize,
    watch: &mut dyn FnMut(&EstimateProgress) -> ControlFlow<()>,
) -> Result<Table, PlayError> {
    let number = segments_of(setup.budget);
    let segments = segments::play(setup, number, setup.budget.div_ceil(number as u64), threads, watch)?;
    Ok(Table { segments, lines_per_piece: lines_per_piece(&setup.rules) })
}

impl Table {
    /// Whole segments that were played.
    pub fn segments(&self) -> usize {
        self.segments.len()
    }

    /// Pieces in them.
    pub fn pieces(&self) -> u64 {
        self.segments.iter().flatten().sum()
    }

    /// Games that ended, and the mean lines that they tell without any line: pieces over ends.
    pub fn ended(&self) -> (u64, f64) {
        let ends = self.segments.iter().filter_map(|counts| counts.last()).sum::<u64>();
        (ends, self.pieces() as f64 * self.lines_per_piece / ends as f64)
    }

    /// Every height with its frequency, from 0 to the end of the game.
    pub fn rows(&self) -> Vec<Row> {
        let heights = self.segments.first().map_or(0, Vec::len);
        let (pieces, n) = (self.pieces() as f64, self.segments.len() as f64);
        let row = |height: usize| {
            let counts = || self.segments.iter().map(|counts| counts[height]);
            let count: u64 = counts().sum();
            let mean = count as f64 / n;
            let squares: f64 = counts().map(|count| math::powi(count as f64 - mean, 2)).sum();
            let seen = counts().filter(|&count| count > 0).count();
            // A height that every segment sees as often is known exactly; a fit cannot take that.
            let error = (squares / (n - 1.0) / n).sqrt().max(f64::MIN_POSITIVE) / mean;
            let relative_error = (seen >= FEWEST).then_some(error);
            Row { height, count, frequency: count as f64 / pieces, relative_error }
        };
        (0..heights).map(row).collect()
    }

    /// The first and the last height that the fit may use.
    fn tail(rows: &[Row]) -> Option<[usize; 2]> {
        let most = rows.iter().max_by_key(|row| row.count)?.height;
        let reached = |height: usize| rows[height..].iter().map(|row| row.frequency).sum::<f64>();
        let first = (most + 1..rows.len()).find(|&height| reached(height) <= TAIL)?;
        // The last row is the end of the game.
        let highest = rows.len().checked_sub(2)?;
        let seen = |&height: &usize| rows[height].relative_error.is_some();
        let last = (most + 1..=highest).take_while(seen).last()?;
        let first = first.min(last.checked_sub(2)?).max(most + 1);
        Some([first, last])
    }

    /// The estimate; none if the tail has fewer than three heights.
    pub fn estimate(&self) -> Option<Estimate> {
        let rows = self.rows();
        let [first, last] = Self::tail(&rows)?;
        let end = rows.len() as f64 - 1.0;
        let errors: Vec<f64> = rows.iter().map(|row| row.relative_error.unwrap_or_default()).collect();
        let fit = |first: usize, share: &dyn Fn(usize) -> f64| {
            let points = (first..=last).map(|height| Point {
                x: height as f64,
                mean: share(height),
                relative_error: errors[height],
            });
            // A resample may miss a height that few segments have seen.
            let points: Vec<Point> = points.filter(|point| point.mean > 0.0).collect();
            LogLinear::fit(&points)
        };
        let pieces = |line: LogLinear| line.predict(end).value.recip();
        let share = |height: usize| rows[height].frequency;
        let line = fit(first, &share)?;
        let value = pieces(line) * self.lines_per_piece;

        let mut dice = Dice::seeded(&[RESAMPLING]);
        let n = self.segments.len();
        let mut resampled = || {
            let mut counts = vec![0; rows.len()];
            for _ in 0..n {
                let segment = &self.segments[dice.below(n)];
                counts.iter_mut().zip(segment).for_each(|(sum, count)| *sum += count);
            }
            let all = counts.iter().sum::<u64>() as f64;
            fit(first, &|height| counts[height] as f64 / all).map(pieces)
        };
        let mut values: Vec<f64> = (0..RESAMPLES).filter_map(|_| resampled()).collect();
        values.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (share * (values.len() + 1) as f64).round() as usize;
            values[place.clamp(1, values.len()) - 1] * self.lines_per_piece
        };
        let by_start = (first..=last.saturating_sub(2))
            .filter_map(|first| Some((first, pieces(fit(first, &share)?) * self.lines_per_piece)))
            .collect();
        let ci95 = [at(0.025), at(0.975)];
        Some(Estimate { value, ci95, pieces: pieces(line), fitted: [first, last], line, by_start })
    }
}

#[cfg(test)]
mod tests {
    use games::Rules as _;
    use games::tetris::TetrisRules;

    use super::*;

    fn table(losing: &str, height: &str, budget: u64, threads: usize) -> Table {
        let rules = TetrisRules::from_pairs([("height", height), ("losing", losing)]).unwrap();
        let setup = EstimateSetup { rules, player: "dellacherie".into(), budget, seed: 1 };
        play(&setup, threads, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn frequencies_sum_to_one_on_any_number_of_threads() {
        let one = table("avoided", "8", 20_000, 1);
        assert_eq!(one, table("avoided", "8", 20_000, 3));
        assert_eq!((one.pieces(), one.segments(), one.rows().len()), (20_000, 100, 10));
        let sum: f64 = one.rows().iter().map(|row| row.frequency).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        assert_eq!(one.estimate(), one.estimate());
    }

    #[test]
    fn somewhat_low_where_losing_is_allowed_and_far_too_low_where_it_is_avoided() {
        // What docs/results/tetris-estimates.md says of 10x10, with room for chance: here n is some 180 and 35 games.
        for (losing, least, most) in [("allowed", 0.4, 1.0), ("avoided", 0.02, 0.2)] {
            let table = table(losing, "10", 200_000, 2);
            let estimate = table.estimate().unwrap();
            let share = estimate.value / table.ended().1;
            assert!(least < share && share < most, "{losing}: {share} of what is played");
            assert!(estimate.ci95[0] < estimate.value && estimate.value < estimate.ci95[1]);
        }
    }

    #[test]
    fn a_geometric_tail_is_found_again() {
        // Every segment sees height h 2^(20 - h) times but for a little noise; the end would be at 11.
        let noisy = |segment: usize, height: u32| (1u64 << (20 - height)) + ((segment as u64 * 7) % 5);
        let segment = |segment| (0..=10).map(|height| noisy(segment, height)).chain([0]).collect();
        let table = Table { segments: (0..100).map(segment).collect(), lines_per_piece: 0.4 };
        let estimate = table.estimate().unwrap();
        assert_eq!(estimate.fitted, [5, 10]);
        let truth = 0.4 * table.pieces() as f64 / 100.0 / 512.0;
        assert!((estimate.value / truth - 1.0).abs() < 0.01, "{} is not {truth}", estimate.value);
    }

    #[test]
    fn segments_are_short_and_not_too_many() {
        let number = [10_000, 5_000_000, 90_000_000, 1_000_000_000_000].map(segments_of);
        assert_eq!(number, [100, 100, 1_800, 10_000]);
    }

    #[test]
    fn too_little_gives_no_estimate() {
        assert_eq!(Table { segments: Vec::new(), lines_per_piece: 0.4 }.estimate(), None);
        assert_eq!(table("avoided", "20", 200, 1).estimate(), None);
    }
}
