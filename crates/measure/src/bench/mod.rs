//! How fast the rules are, and one number that tells whether they still do the same.

pub mod avalam;
pub mod othello;
pub mod tetris;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use games::perft;
use play::PlayedGame;
use play::files::{Checksum, checksum};
use play::players::{PLAYERS, player};
use play::playout::{GameDice, deal, play_observed, random_playout};
use serde::Serialize;

/// One measured speed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The game.
    pub game: &'static str,
    /// What was done.
    pub name: String,
    /// What is counted.
    pub unit: &'static str,
    /// How many of them in a second, on one thread.
    pub per_second: f64,
}

/// The kinds of rows that [`measure`] makes, in their order.
pub const MEASURES: usize = 4;

/// Measures one game under its default rules; `row` gets each result as it comes. Each takes about `time`. When `stop`
/// says so it ends, without the row under way.
pub fn measure<G: PlayedGame>(time: Duration, stop: &dyn Fn() -> bool, row: &mut dyn FnMut(Row)) {
    let rules = G::Rules::default();
    let start = G::start(&rules);
    let corpus = corpus(&rules, &start);
    let mut report = |name: String, unit, work: &mut dyn FnMut() -> u64| {
        if let Some(per_second) = per_second(time, stop, work) {
            row(Row { game: G::NAME, name, unit, per_second });
        }
    };

    let mut moves = Vec::new();
    report("generate moves".into(), "positions", &mut || {
        for position in &corpus {
            black_box(position).legal_moves(&mut moves);
            black_box(&moves);
        }
        corpus.len() as u64
    });

    report("try every move".into(), "moves", &mut || {
        let mut tried = 0;
        for position in &corpus {
            position.legal_moves(&mut moves);
            for &mv in &moves {
                let mut after = position.clone();
                after.play_unchecked(mv);
                black_box(&after);
            }
            tried += moves.len() as u64;
        }
        tried
    });

    let depth = count_for(&start, time).depth;
    report(format!("perft {depth}"), "leaves", &mut || perft(black_box(&start), depth));

    let mut number = 0;
    report("random games".into(), "games", &mut || {
        number += 1;
        black_box(random_playout(&start, &mut GameDice::new(0, number), &mut moves));
        1
    });
}

/// Every position of some random games in which a player is to move.
fn corpus<G: PlayedGame>(rules: &G::Rules, start: &G) -> Vec<G> {
    let mut corpus = Vec::new();
    for number in 0..20 {
        let mut players =
            [player(rules, "random").expect("listed"), player(rules, "random").expect("listed")];
        let mut keep = |_, _, position: &G| {
            let mut position = position.clone();
            if deal(&mut position, &mut GameDice::new(1, number).deals).is_some() {
                corpus.push(position);
            }
            ControlFlow::Continue(())
        };
        let played = play_observed(start, &mut players, &mut GameDice::new(0, number), 1000, &mut keep);
        played.expect("players of our own");
    }
    corpus
}

/// Repeats `work`, which returns what it has done, for about `time`; `None` if stopped before.
pub fn per_second(time: Duration, stop: &dyn Fn() -> bool, work: &mut dyn FnMut() -> u64) -> Option<f64> {
    let (begun, mut done) = (Instant::now(), 0);
    while !stop() {
        done += work();
        let seconds = begun.elapsed().as_secs_f64();
        if seconds >= time.as_secs_f64() {
            return Some(done as f64 / seconds);
        }
    }
    None
}

/// A leaf count and the time it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    /// Plies.
    pub depth: u32,
    /// Leaves.
    pub leaves: u64,
    /// Seconds on one thread.
    pub seconds: f64,
}

/// The deepest count that is expected to take no longer than `time`, or the whole game if it is that small.
pub fn count_for<G: PlayedGame>(start: &G, time: Duration) -> Counted {
    let mut last = Counted { depth: 0, leaves: 1, seconds: 0.0 };
    loop {
        let (begun, depth) = (Instant::now(), last.depth + 1);
        let leaves = perft(start, depth);
        let growth = leaves as f64 / last.leaves as f64;
        if leaves == last.leaves && depth > 1 {
            return last;
        }
        last = Counted { depth, leaves, seconds: begun.elapsed().as_secs_f64() };
        if last.seconds * growth > time.as_secs_f64() {
            return last;
        }
    }
}

/// The behaviour signature of one game: a hash of leaf counts and of games of every player under the default rules. If
/// it changes, the rules, the dealing or a player do something else than before.
pub fn signature<G: PlayedGame>() -> u64 {
    let rules = G::Rules::default();
    let start = G::start(&rules);
    let mut hash = Checksum::default();
    for depth in 1..=2 {
        hash.add(perft(&start, depth).to_string().as_bytes());
    }
    for info in PLAYERS {
        for number in 0..10 {
            let mut players =
                [player::<G>(&rules, info.name).expect("listed"), player(&rules, "random").expect("listed")];
            let mut dice = GameDice::new(0, number);
            let mut watch = |_, mv, position: &G| {
                hash.add(format!("{} ", position.move_text(mv)).as_bytes());
                ControlFlow::Continue(())
            };
            let record = play_observed(&start, &mut players, &mut dice, 1000, &mut watch);
            let record = record.expect("players of our own");
            hash.add(record.end.text().as_bytes());
        }
    }
    hash.value()
}

/// The signature of several games together.
pub fn combined(signatures: impl IntoIterator<Item = u64>) -> String {
    let all: String = signatures.into_iter().map(|signature| format!("{signature:016x}")).collect();
    format!("{:016x}", checksum(all.as_bytes()))
}
