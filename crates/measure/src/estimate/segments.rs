//! Play that goes on whether games end or not, cut into segments that know nothing of each other. Successive heights of a
//! wall are much alike, so that only whole segments count as independent.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use games::tetris::{Tetris, TetrisRules};
use games::{Game as _, Turn};
use play::players::{PlayError, Player, PlayerFailure};
use play::playout::{GameDice, step};

use super::{Live, Setup};
use crate::pool::{self, Event, Halt, Stop};
use crate::score::{FastPlayer, PieceQueue, TetrisRunner};

/// How often the wall had each height after a piece, from 0 to the rows that it may fill; the last count is that of the
/// pieces that ended a game.
pub type Counts = Vec<u64>;

/// Pieces between two looks at whether to go on.
const STRIDE: u64 = 1 << 10;

/// Plays `number` segments of `pieces` each, from the empty board. A segment has streams of chance of its own, named by its
/// number. `watch` may break off; what comes back are the segments that are whole, in their order.
pub fn play(
    setup: &Setup,
    number: usize,
    pieces: u64,
    threads: usize,
    watch: &mut dyn FnMut(&Live) -> ControlFlow<()>,
) -> Result<Vec<Counts>, PlayError> {
    let placed = AtomicU64::new(0);
    let mut whole = vec![None; number];
    let worker = || Ok::<_, PlayError>(TetrisRunner::new(&setup.rules, &setup.player)?);
    let job = |machine: &mut TetrisRunner, segment: usize, stop: &Stop| {
        let mut go_on = |more| {
            placed.fetch_add(more, Ordering::Relaxed);
            stop.go_on()
        };
        let dice = GameDice::new(setup.seed, segment as u64);
        let counts = match machine {
            TetrisRunner::Fast(player) => fast(player, &setup.rules, dice, pieces, &mut go_on),
            TetrisRunner::General(player) => general(player, &setup.rules, dice, pieces, &mut go_on)
                .map_err(|failure| Halt::Failed(failure.into()))?,
        };
        counts.ok_or(Halt::Stopped)
    };
    pool::run(number, threads, worker, job, |event| match event {
        Event::Done(segment, counts) => {
            whole[segment] = Some(counts);
            Ok(ControlFlow::Continue(()))
        }
        Event::Tick(elapsed) => {
            let pieces = placed.load(Ordering::Relaxed);
            Ok(watch(&Live { elapsed, pieces, height: setup.rules.height }))
        }
    })?;
    Ok(whole.into_iter().flatten().collect())
}

/// The place of a height in the counts.
fn place(rules: &TetrisRules, height: u32, lost: bool) -> usize {
    if lost { rules.limit() as usize + 1 } else { height as usize }
}

/// A loop apart from that of `play::playout`: the board is the one in vector lanes, which has no position to step in.
fn fast(
    machine: &mut FastPlayer,
    rules: &TetrisRules,
    dice: GameDice,
    pieces: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Option<Counts> {
    let mut counts = vec![0; rules.limit() as usize + 2];
    let start = Tetris::start(rules);
    let mut hand = PieceQueue::new(rules, dice.deals);
    machine.player.set(&start);
    let mut number = 0;
    while number < pieces {
        let placed = machine.place(&mut hand);
        let player = &machine.player;
        if placed {
            number += 1;
            counts[place(rules, player.height(), player.lost())] += 1;
        }
        if player.lost() {
            hand.renew();
            machine.player.set(&start);
        }
        if placed && number % STRIDE == 0 && !go_on(STRIDE) {
            return None;
        }
    }
    go_on(pieces % STRIDE);
    Some(counts)
}

fn general(
    player: &mut Box<dyn Player<Tetris>>,
    rules: &TetrisRules,
    mut dice: GameDice,
    pieces: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Counts>, PlayerFailure> {
    let mut counts = vec![0; rules.limit() as usize + 2];
    let start = Tetris::start(rules);
    let mut position = start.clone();
    let mut placed = 0;
    while placed < pieces {
        if step(&mut position, std::slice::from_mut(player), &mut dice)?.is_none() {
            position = start.clone();
            continue;
        }
        placed += 1;
        counts[place(rules, position.height(), position.turn() == Turn::Over)] += 1;
        if !go_on(1) {
            return Ok(None);
        }
    }
    Ok(Some(counts))
}

#[cfg(test)]
mod tests {
    use games::Rules as _;

    use super::*;

    #[test]
    fn both_paths_see_the_same_heights() {
        for game in ["simplified", "original"] {
            let rules = TetrisRules::from_pairs([("width", "8"), ("height", "7"), ("game", game)]).unwrap();
            let seat = play::players::PlayerSpec::<Tetris>::parse(&rules, "dellacherie").unwrap();
            let dice = || GameDice::new(3, 5);
            let plain =
                general(&mut seat.player().unwrap(), &rules, dice(), 3_000, &mut |_| true).unwrap().unwrap();
            let Ok(TetrisRunner::Fast(mut player)) = TetrisRunner::new(&rules, "dellacherie") else {
                unreachable!()
            };
            assert_eq!(fast(&mut player, &rules, dice(), 3_000, &mut |_| true).unwrap(), plain);
            assert_eq!((plain.len(), plain.iter().sum::<u64>()), (9, 3_000));
            // A placement loses in the simplified game; in the original one the next piece finds no room.
            assert_eq!(plain[8] > 10, game == "simplified", "{plain:?}");
        }
    }
}
