//! Play that goes on whether games end or not, cut into segments that know nothing of each other. Successive heights of a
//! wall are much alike, so that only whole segments count as independent.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use games::tetris::{Tetris, TetrisRules};
use games::{Game as _, Side, Turn};
use play::players::{Player, PlayerError};
use play::playout::GameDice;

use super::{Live, Setup};
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
) -> Result<Vec<Counts>, PlayerError> {
    TetrisRunner::new(&setup.rules, &setup.player)?;
    let (next, placed, stop) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let whole: Mutex<Vec<Option<Counts>>> = Mutex::new(vec![None; number]);
    let worker = || {
        let mut machine = TetrisRunner::new(&setup.rules, &setup.player).expect("checked before the run");
        let mut go_on = |more| {
            placed.fetch_add(more, Ordering::Relaxed);
            !stop.load(Ordering::Relaxed)
        };
        loop {
            let segment = next.fetch_add(1, Ordering::Relaxed);
            if segment >= number {
                break;
            }
            let dice = GameDice::new(setup.seed, segment as u64);
            let counts = match &mut machine {
                TetrisRunner::Fast(player) => fast(player, &setup.rules, dice, pieces, &mut go_on),
                TetrisRunner::General(player) => {
                    general(player.as_mut(), &setup.rules, dice, pieces, &mut go_on)
                }
            };
            let Some(counts) = counts else { break };
            whole.lock().expect("no worker panics while it holds the lock")[segment] = Some(counts);
        }
    };
    let begun = Instant::now();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            let pieces = placed.load(Ordering::Relaxed);
            if watch(&Live { elapsed: begun.elapsed(), pieces, height: setup.rules.height }).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
            thread::sleep(Duration::from_millis(if begun.elapsed().as_millis() < 200 { 2 } else { 50 }));
        }
    });
    Ok(whole.into_inner().expect("no worker panics while it holds the lock").into_iter().flatten().collect())
}

/// The place of a height in the counts.
fn place(rules: &TetrisRules, height: u32, lost: bool) -> usize {
    if lost { rules.limit() as usize + 1 } else { height as usize }
}

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
    player: &mut dyn Player<Tetris>,
    rules: &TetrisRules,
    mut dice: GameDice,
    pieces: u64,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Option<Counts> {
    let mut counts = vec![0; rules.limit() as usize + 2];
    let start = Tetris::start(rules);
    let mut position = start.clone();
    let mut placed = 0;
    while placed < pieces {
        match position.turn() {
            Turn::Over => position = start.clone(),
            Turn::Chance => position.deal(&mut dice.deals),
            Turn::Player(_) => {
                let mv = player.choose(&position, &mut dice.players[Side::First.index()]);
                position.play_unchecked(mv);
                placed += 1;
                counts[place(rules, position.height(), position.turn() == Turn::Over)] += 1;
                if !go_on(1) {
                    return None;
                }
            }
        }
    }
    Some(counts)
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
                general(seat.player().unwrap().as_mut(), &rules, dice(), 3_000, &mut |_| true).unwrap();
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
