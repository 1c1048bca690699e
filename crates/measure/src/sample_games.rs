//! Many games between two players: who wins, how long it takes, what is scored.

use games::{Side, Turn};
use play::PlayedGame;
use play::players::{PlayError, PlayerFailure, player};
use play::playout::{GameDice, play};
use play::threads::par_map;
use serde::Serialize;
use stats::{Mean, Share};

/// What many games came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Survey {
    /// Won by the first side.
    pub first: Share,
    /// Won by the second side.
    pub second: Share,
    /// Drawn.
    pub draws: Share,
    /// Moves in a game.
    pub moves: Mean,
    /// Score of the first side.
    pub score: Mean,
}

/// Plays `games` games from a position; game number i has the seed (seed, i), so that the result does not depend on
/// the number of threads. A game that is longer than `most` moves is cut: its score counts, and it is drawn.
///
/// # Errors
/// A player is unknown, or fails.
pub fn survey<G: PlayedGame>(
    rules: &G::Rules,
    start: &G,
    names: [&str; 2],
    games: usize,
    seed: u64,
    most: u64,
) -> Result<Survey, PlayError> {
    for name in names {
        player::<G>(rules, name)?;
    }
    let one = |number: usize| {
        let mut players = names.map(|name| player::<G>(rules, name).expect("known, as checked"));
        let mut dice = GameDice::new(seed, number as u64);
        let record = play(start, &mut players, &mut dice, most)?;
        // A game that was cut is nobody's.
        let value = if record.end.turn() == Turn::Over { record.end.final_value(Side::First) } else { 0.0 };
        Ok((value, record.end.score(Side::First), record.moves as f64))
    };
    let played: Result<Vec<(f64, f64, f64)>, PlayerFailure> = par_map(games, one).into_iter().collect();
    let played = played?;
    let share = |hit: fn(f64) -> bool| Share::of(played.iter().filter(|game| hit(game.0)).count(), games);
    Ok(Survey {
        first: share(|value| value > 0.0),
        second: share(|value| value < 0.0),
        draws: share(|value| value == 0.0),
        moves: Mean::of(&played.iter().map(|game| game.2).collect::<Vec<_>>()),
        score: Mean::of(&played.iter().map(|game| game.1).collect::<Vec<_>>()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::avalam::Avalam;
    use games::pushover::{Pushover, PushoverRules};
    use games::rules::Fixed;
    use games::{Game, Rules};
    use play::threads::on_threads;

    /// Whether a known share lies within four standard deviations of the one found.
    fn agrees(found: Share, known: f64) -> bool {
        (found.share - known).abs() < 4.0 * (known * (1.0 - known) / found.n as f64).sqrt()
    }

    /// Measured elsewhere with other programs; the last digit is theirs.
    #[test]
    fn random_games_end_as_known() {
        let rules = PushoverRules::from_pairs([("repetition", "off")]).unwrap();
        let pushover =
            survey(&rules, &Pushover::start(&rules), ["random", "random"], 10_000, 1, 1000).unwrap();
        assert!(agrees(pushover.first, 0.578) && agrees(pushover.second, 0.422), "{pushover:?}");
        assert!(
            (pushover.moves.mean - 15.8).abs() < 0.05 + 2.0 * pushover.moves.half_width(),
            "{pushover:?}"
        );
        let avalam = survey(&Fixed, &Avalam::start(&Fixed), ["random", "random"], 5000, 1, 1000).unwrap();
        assert!(agrees(avalam.first, 0.492) && agrees(avalam.second, 0.482), "{avalam:?}");
        assert!(agrees(avalam.draws, 0.027), "{avalam:?}");
        assert!((avalam.moves.mean - 34.6).abs() < 0.05 + 2.0 * avalam.moves.half_width(), "{avalam:?}");
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let start = Avalam::start(&Fixed);
        let with = |threads| {
            on_threads(threads, || survey(&Fixed, &start, ["greedy", "random"], 50, 3, 1000))
                .unwrap()
                .unwrap()
        };
        assert_eq!(with(1), with(3));
    }

    #[test]
    fn greed_beats_chance() {
        let start = Avalam::start(&Fixed);
        let result = survey(&Fixed, &start, ["greedy", "random"], 200, 3, 1000).unwrap();
        assert!(result.first.ci95[0] > 0.8, "{result:?}");
        assert!(
            survey(&Fixed, &start, ["greedy", "gready"], 1, 1, 1)
                .unwrap_err()
                .to_string()
                .contains("'greedy'?")
        );
    }
}
