//! What the games showed, step by step.

use std::collections::BTreeMap;

use play::search::DepthTime;
use play::search::clock::LEAST;
use play::search::ratios::RatiosFile;
use schemars::JsonSchema;
use serde::Serialize;
use stats::{Censored, Mean, censored_quantile};

use super::Sample;

/// The quantile of ratios that the report takes.
const QUARTILE: f64 = 0.25;
/// Of fewer there is no quartile to speak of.
const FEWEST: usize = 4;

/// A depth at a step.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct DepthProfile {
    /// The depth.
    pub depth: u32,
    /// Searches that began it.
    pub n: usize,
    /// Those of them that finished it.
    pub finished: usize,
    /// The median of its seconds; none if less than half was finished.
    pub seconds: Option<f64>,
    /// The mean number of positions visited by those that finished.
    pub nodes: Option<f64>,
    /// The first quartile of its time over that of the depth before.
    pub ratio: Option<f64>,
    /// How many ratios were measured or broken off.
    pub ratios: usize,
}

/// A step of the game.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct StepProfile {
    /// The step (moves of both sides, from 1).
    pub step: u32,
    /// Legal moves.
    pub moves: Mean,
    /// The least and the most of them.
    pub range: [usize; 2],
    /// The depths that were begun.
    pub depths: Vec<DepthProfile>,
}

/// All steps.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Profile(pub Vec<StepProfile>);

impl Profile {
    /// Of these games.
    pub fn of(games: &[Vec<Sample>]) -> Self {
        let mut steps: BTreeMap<u32, Vec<&Sample>> = BTreeMap::new();
        for sample in games.iter().flatten() {
            steps.entry(sample.step).or_default().push(sample);
        }
        Self(steps.into_iter().map(|(step, samples)| StepProfile::of(step, &samples)).collect())
    }

    /// The deepest that was begun.
    pub fn deepest(&self) -> u32 {
        self.0.iter().flat_map(|step| &step.depths).map(|depth| depth.depth).max().unwrap_or(0)
    }

    /// The file that a clock trims by.
    pub fn ratios(&self, game: &str, player: &str, games: usize, seed: u64) -> RatiosFile {
        let mut file = RatiosFile::new(game, player, (games, seed), QUARTILE);
        for StepProfile { step, depths, .. } in &self.0 {
            let rows = depths.iter().filter_map(|depth| Some((depth, depth.ratio?)));
            // Three digits are more than a clock can tell.
            let rounded = |ratio: f64| format!("{ratio:.2e}").parse().expect("a number");
            file.ratios.extend(rows.map(|(it, ratio)| (*step, it.depth, rounded(ratio), it.ratios)));
        }
        file
    }
}

impl StepProfile {
    fn of(step: u32, samples: &[&Sample]) -> Self {
        let moves: Vec<f64> = samples.iter().map(|sample| sample.moves as f64).collect();
        let least = samples.iter().map(|sample| sample.moves).min().unwrap_or(0);
        let most = samples.iter().map(|sample| sample.moves).max().unwrap_or(0);
        let deepest = samples.iter().map(|sample| sample.depths.len()).max().unwrap_or(0);
        let depths = (0..deepest).map(|place| DepthProfile::of(place, samples)).collect();
        Self { step, moves: Mean::of(&moves), range: [least, most], depths }
    }
}

impl DepthProfile {
    /// Of the depth at this place in the lists.
    fn of(place: usize, samples: &[&Sample]) -> Self {
        let begun: Vec<&DepthTime> = samples.iter().filter_map(|sample| sample.depths.get(place)).collect();
        let times: Vec<Censored> =
            begun.iter().map(|it| Censored { value: it.seconds, complete: it.finished }).collect();
        let nodes: Vec<f64> = begun.iter().filter(|it| it.finished).map(|it| it.nodes as f64).collect();
        let ratios: Vec<Censored> = samples
            .iter()
            .filter_map(|sample| Some((sample.depths.get(place.checked_sub(1)?)?, sample.depths.get(place)?)))
            .filter(|(before, _)| before.seconds >= LEAST)
            .map(|(before, it)| Censored { value: it.seconds / before.seconds, complete: it.finished })
            .collect();
        let ratio = censored_quantile(&ratios, QUARTILE).filter(|_| ratios.len() >= FEWEST);
        Self {
            depth: place as u32 + 1,
            n: begun.len(),
            finished: nodes.len(),
            seconds: censored_quantile(&times, 0.5),
            nodes: (!nodes.is_empty()).then(|| nodes.iter().sum::<f64>() / nodes.len() as f64),
            ratio: ratio.map(|ratio| ratio.max(1e-6)),
            ratios: ratios.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Side;

    fn sample(moves: usize, times: &[f64]) -> Sample {
        // A time below 0 stands for a depth that was broken off.
        let time = |(i, &seconds): (usize, &f64)| DepthTime {
            depth: i as u32 + 1,
            seconds: seconds.abs(),
            nodes: 10 * (i as u64 + 1),
            finished: seconds > 0.0,
        };
        let depths = times.iter().enumerate().map(time).collect();
        Sample {
            step: 9,
            side: Side::First,
            moves,
            depths,
            depth: 1,
            seconds: 1.0,
            left: None,
            settled: false,
        }
    }

    #[test]
    fn medians_and_quartiles_by_hand() {
        let games = vec![
            vec![sample(100, &[0.001, 0.01, 0.02])],
            vec![sample(80, &[0.001, 0.02, -0.06])],
            vec![sample(90, &[0.001, 0.03, 0.09])],
            vec![sample(90, &[0.0001, 0.01, -0.01])],
        ];
        let profile = Profile::of(&games);
        let [step] = &profile.0[..] else { panic!("{profile:?}") };
        assert_eq!((step.step, step.moves.mean, step.range, step.depths.len()), (9, 90.0, [80, 100], 3));
        let [one, two, three] = &step.depths[..] else { panic!("{step:?}") };
        assert_eq!((one.n, one.finished, one.seconds, one.ratio), (4, 4, Some(0.001), None));
        // One of the times is too short to be compared with: three ratios are no quartile.
        assert_eq!((two.ratios, two.ratio, two.seconds, two.nodes), (3, None, Some(0.01), Some(20.0)));
        // Ratios 2, more than 3, 3, more than 1.
        assert_eq!((three.ratios, three.ratio, three.finished), (4, Some(2.0), 2));
        assert_eq!(profile.deepest(), 3);
        let file = profile.ratios("avalam", "alphabeta", 4, 1);
        assert_eq!(file.ratios, [(9, 3, 2.0, 4)]);
        assert_eq!(Profile::of(&[]).deepest(), 0);
    }
}
