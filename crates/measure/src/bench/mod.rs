//! How fast the rules are, and one number that tells whether they still do the same.

pub mod avalam;
pub mod othello;
pub mod tetris;

use std::hint::black_box;
use std::time::{Duration, Instant};

use games::{Turn, perft};
use play::PlayedGame;
use play::players::{PLAYERS, player};
use play::playout::{GameDice, play, random_playout};
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
        play(start, &mut players, &mut GameDice::new(0, number), 1000, &mut |_, _, position: &G| {
            let mut position = position.clone();
            let mut dice = GameDice::new(1, number).deals;
            while position.turn() == Turn::Chance {
                position.deal(&mut dice);
            }
            if position.turn() != Turn::Over {
                corpus.push(position);
            }
        });
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
    let mut hash = Fnv::default();
    for depth in 1..=2 {
        hash.write(&perft(&start, depth).to_string());
    }
    for info in PLAYERS {
        for number in 0..10 {
            let mut players =
                [player::<G>(&rules, info.name).expect("listed"), player(&rules, "random").expect("listed")];
            let mut dice = GameDice::new(0, number);
            let mut watch = |_, mv, position: &G| hash.write(&format!("{} ", position.move_text(mv)));
            let record = play(&start, &mut players, &mut dice, 1000, &mut watch);
            hash.write(&record.end.text());
        }
    }
    hash.0
}

/// The signature of several games together.
pub fn combined(signatures: impl IntoIterator<Item = u64>) -> String {
    let mut hash = Fnv::default();
    signatures.into_iter().for_each(|signature| hash.write(&format!("{signature:016x}")));
    format!("{:016x}", hash.0)
}

/// FNV-1a, 64 bits: the same on every machine and in every version, unlike the hashers of the standard library.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn write(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Fnv::default();
        hash.write("foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }
}
