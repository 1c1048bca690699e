//! Play that goes on whether games end or not, cut into segments that know nothing of each other. Successive heights of a
//! wall are much alike, so that only whole segments count as independent.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use games::Game as _;
use games::tetris::Tetris;
use play::PlayedGame as _;
use play::players::{PlayError, PlayerFailure, PlayerSpec};
use play::playout::GameDice;
use play::solo::{Measure, SoloPlayer};

use super::{EstimateProgress, EstimateSetup};
use crate::pool::{self, Event, Halt, Stop};

/// How often the wall had each height after a piece, from 0 to the rows that it may fill; the last count is that of the
/// pieces that ended a game.
pub type Counts = Vec<u64>;

/// Pieces between two looks at whether to go on.
const STRIDE: u64 = 1 << 10;

/// Plays `number` segments of `pieces` each, from the empty board. A segment has streams of chance of its own, named by its
/// number. `watch` may break off; what comes back are the segments that are whole, in their order.
pub fn play(
    setup: &EstimateSetup,
    number: usize,
    pieces: u64,
    threads: usize,
    watch: &mut dyn FnMut(&EstimateProgress) -> ControlFlow<()>,
) -> Result<Vec<Counts>, PlayError> {
    let placed = AtomicU64::new(0);
    let mut whole = vec![None; number];
    let spec = PlayerSpec::<Tetris>::parse(&setup.rules, &setup.player)?;
    let start = Tetris::start(&setup.rules);
    let worker = || Ok::<_, PlayError>(Tetris::solo(&setup.rules, &spec)?);
    let job = |player: &mut Box<dyn SoloPlayer<Tetris>>, segment: usize, stop: &Stop| {
        let mut go_on = |more| {
            placed.fetch_add(more, Ordering::Relaxed);
            stop.go_on()
        };
        let dice = GameDice::new(setup.seed, segment as u64);
        let counts = heights(&mut **player, &start, dice, setup.rules.limit(), pieces, &mut go_on);
        counts.map_err(|failure| Halt::Failed(failure.into()))?.ok_or(Halt::Stopped)
    };
    pool::run(number, threads, worker, job, |event| match event {
        Event::Done(segment, counts) => {
            whole[segment] = Some(counts);
            Ok(ControlFlow::Continue(()))
        }
        Event::Tick(elapsed) => {
            let pieces = placed.load(Ordering::Relaxed);
            Ok(watch(&EstimateProgress { elapsed, pieces, height: setup.rules.height }))
        }
    })?;
    Ok(whole.into_iter().flatten().collect())
}

/// The heights after so many pieces; one game after the other, on the same stream.
fn heights(
    player: &mut dyn SoloPlayer<Tetris>,
    start: &Tetris,
    dice: GameDice,
    limit: u32,
    pieces: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Counts>, PlayerFailure> {
    let mut counts = vec![0; limit as usize + 2];
    player.set(start, dice);
    let mut number = 0;
    while number < pieces {
        // The next piece may find no room: then it is not placed.
        if player.run(1)? == 1 {
            number += 1;
            counts[player.level(Measure::Height).min(limit + 1) as usize] += 1;
            if number % STRIDE == 0 && !go_on(STRIDE) {
                return Ok(None);
            }
        }
        if player.is_over() {
            player.set(start, player.dice());
        }
    }
    go_on(pieces % STRIDE);
    Ok(Some(counts))
}

#[cfg(test)]
mod tests {
    use games::Rules as _;
    use games::tetris::TetrisRules;
    use play::solo::General;

    use super::*;

    #[test]
    fn both_paths_see_the_same_heights() {
        for game in ["simplified", "original"] {
            let rules = TetrisRules::from_pairs([("width", "8"), ("height", "7"), ("game", game)]).unwrap();
            let spec = PlayerSpec::<Tetris>::parse(&rules, "dellacherie").unwrap();
            let seen = |player: &mut dyn SoloPlayer<Tetris>| {
                let (start, dice) = (Tetris::start(&rules), GameDice::new(3, 5));
                heights(player, &start, dice, rules.limit(), 3_000, &mut |_| true).unwrap().unwrap()
            };
            let plain = seen(&mut General::new(&rules, &spec).unwrap());
            let mut fast = Tetris::solo(&rules, &spec).unwrap();
            assert!(fast.can_take_up(), "this is the fast one");
            assert_eq!(seen(&mut *fast), plain);
            assert_eq!((plain.len(), plain.iter().sum::<u64>()), (9, 3_000));
            // A placement loses in the simplified game; in the original one the next piece finds no room.
            assert_eq!(plain[8] > 10, game == "simplified", "{plain:?}");
        }
    }
}
