//! How fast the rules are, and one number that tells whether they still do the same.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use games::{Dice, GameInfo, perft};
use play::PlayedGame;
use play::files::{Checksum, checksum};
use play::players::searching::searcher;
use play::players::spec::Spec;
use play::players::{PLAYERS, player};
use play::playout::{GameDice, deal, play_observed, random_playout};
use schemars::JsonSchema;
use serde::Serialize;

/// Positions of each search.
const NODES: u64 = 20_000;

/// One measured speed.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
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

/// How many rows [`measure`] makes.
pub fn rows<G: PlayedGame>() -> usize {
    let own: usize = G::timed().iter().map(|timed| timed.units.len()).sum();
    4 + usize::from(GameInfo::of::<G>().is_searchable()) + own
}

/// Measures one game under its default rules, what every game has and then its own; `row` gets each result as it comes. Each takes about
/// `time`. When `stop` says so it ends, without the row under way.
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

    let mut game = random_games(start.clone());
    report("random games".into(), "games", &mut || {
        game();
        1
    });

    if GameInfo::of::<G>().is_searchable() {
        let spec = Spec::parse(&format!("alphabeta(nodes={NODES})")).expect("it is written here");
        let mut search = searcher::<G>(&rules, &spec).expect("every such game has it");
        let (mut turn, mut dice) = (corpus.iter().cycle(), Dice::seeded(&[0]));
        report("alphabeta, score".into(), "nodes", &mut || {
            let position = turn.next().expect("the positions never run out");
            search.search(position, &spec.limits, &mut dice).nodes
        });
    }

    for timed in G::timed() {
        let (mut work, mut done) = ((timed.prepare)(), vec![0; timed.units.len()]);
        let Some(seconds) = repeat(time, stop, &mut || work(&mut done)) else { return };
        for (&unit, &done) in timed.units.iter().zip(&done) {
            row(Row { game: G::NAME, name: timed.name.clone(), unit, per_second: done as f64 / seconds });
        }
    }
}

/// Random games of a second on one thread, the default rules, measured for about `time`: what tells one machine from another.
pub fn random_games_per_second<G: PlayedGame>(time: Duration) -> f64 {
    let mut game = random_games(G::start(&G::Rules::default()));
    let counted = per_second(time, &|| false, &mut || {
        game();
        1
    });
    counted.expect("nobody stops it")
}

/// Plays a random game each time that it is called, another one each time.
fn random_games<G: PlayedGame>(start: G) -> impl FnMut() {
    let (mut number, mut moves) = (0, Vec::new());
    move || {
        number += 1;
        black_box(random_playout(&start, &mut GameDice::new(0, number), &mut moves));
    }
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
    let mut done = 0;
    let seconds = repeat(time, stop, &mut || done += work())?;
    Some(done as f64 / seconds)
}

/// Repeats `work` for about `time`, and gives the seconds that it took; `None` if stopped before.
fn repeat(time: Duration, stop: &dyn Fn() -> bool, work: &mut dyn FnMut()) -> Option<f64> {
    let begun = Instant::now();
    while !stop() {
        work();
        let seconds = begun.elapsed().as_secs_f64();
        if seconds >= time.as_secs_f64() {
            return Some(seconds);
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

#[cfg(test)]
mod tests {
    use super::*;
    use games::avalam::Avalam;
    use games::tetris::Tetris;

    fn measured<G: PlayedGame>() -> Vec<String> {
        let mut names = Vec::new();
        measure::<G>(Duration::from_millis(1), &|| false, &mut |row| {
            assert!(row.per_second > 0.0 && row.game == G::NAME, "{row:?}");
            names.push(row.name);
        });
        assert_eq!(names.len(), rows::<G>());
        names
    }

    #[test]
    fn every_row_is_measured_and_searches_only_where_there_are_any() {
        assert_eq!(measured::<Avalam>()[4..6], ["alphabeta, score", "39 one by one"]);
        assert_eq!(measured::<Tetris>()[3..5], ["random games", "dellacherie 10x20"]);
    }
}
