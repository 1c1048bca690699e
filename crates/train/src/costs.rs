//! How long experiments that come with the program take: processor seconds that were measured once, and how fast this machine is
//! beside that one. Games for one get longer as they are learned, so that no first generation tells it.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use measure::bench::random_games_per_second;
use play::{Games, Job, PlayedGame, with_game};
use serde::Deserialize;

/// How long this machine is measured.
const MEASURED_FOR: Duration = Duration::from_millis(50);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Random games of a second on one thread, where the seconds were measured.
    speed: BTreeMap<String, f64>,
    /// Processor seconds of an experiment and of its quick variant; 0 where that is not known.
    seconds: BTreeMap<String, [f64; 2]>,
}

static COSTS: LazyLock<File> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../experiments/published/costs.toml")).expect("a test reads it")
});

/// Processor seconds of a shipped experiment where they were measured.
pub fn processor_seconds(experiment: &str, quick: bool) -> Option<f64> {
    let seconds = COSTS.seconds.get(experiment)?[usize::from(quick)];
    (seconds > 0.0).then_some(seconds)
}

/// How many times as fast as the machine of the measurements this one is in a game; 1 for a game that was not measured there.
pub fn pace<L: Games>(game: &str) -> f64 {
    struct Here;
    impl Job for Here {
        type Output = f64;
        fn run<G: PlayedGame>(self) -> f64 {
            random_games_per_second::<G>(MEASURED_FOR)
        }
    }
    let there = COSTS.speed.get(game);
    there.and_then(|there| Some(with_game::<L, _>(game, Here)? / there)).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::EXPERIMENTS;

    #[test]
    fn costs_are_of_experiments_and_games_that_there_are() {
        for name in COSTS.seconds.keys() {
            assert!(EXPERIMENTS.iter().any(|experiment| experiment.name == name), "{name}");
        }
        for game in COSTS.speed.keys() {
            assert!(pace::<games::Listed>(game) > 0.001, "{game}");
        }
        assert_eq!(pace::<games::Listed>("no such game"), 1.0);
        assert_eq!(processor_seconds("no such experiment", false), None);
        for experiment in EXPERIMENTS {
            assert!(processor_seconds(experiment.name, true).is_some(), "{}", experiment.name);
        }
    }
}
