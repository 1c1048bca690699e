//! The short form of the fuzzer, and the fuzzer itself held to finding parsers that are broken on purpose.

use std::path::PathBuf;
use std::time::Duration;

use fuzz::corpus::Corpus;
use fuzz::runner::{Failure, Options, Row, run};
use fuzz::{BROKEN, TARGETS, Target};

fn options(seed: u64, seconds: f64, bytes: u64) -> Options {
    let out: PathBuf = std::env::temp_dir().join(format!("evalforge-fuzz-test-{}", std::process::id()));
    let program = PathBuf::from(env!("CARGO_BIN_EXE_evalforge-fuzz"));
    Options { program, seed, time: Duration::from_secs_f64(seconds), bytes, threads: 2, out }
}

fn rows(targets: &[&'static Target], options: &Options) -> Vec<Row> {
    let mut rows = vec![Row::default(); targets.len()];
    run(targets, options, &mut |number, row| rows[number] = row.clone(), &mut |_| {}).unwrap();
    let _ = std::fs::remove_dir_all(&options.out);
    rows
}

#[test]
fn every_parser_stands_some_inputs() {
    let targets: Vec<&Target> = TARGETS.iter().collect();
    // So many bytes, not so many seconds: the same inputs on every machine.
    for (target, row) in targets.iter().zip(rows(&targets, &options(1, 120.0, 200_000))) {
        let Row { at, failures, .. } = row;
        assert!(failures.is_empty(), "{}: {failures:?}", target.name);
        assert!(at.accepted > 0, "{}: nothing of {} inputs was accepted", target.name, at.inputs);
    }
}

#[test]
fn every_kind_of_failure_is_found_with_its_input() {
    let targets: Vec<&Target> = BROKEN.iter().collect();
    let options = options(1, 4.0, u64::MAX);
    for (target, row) in targets.iter().zip(rows(&targets, &options)) {
        let said = match target.name {
            "broken-panic" | "broken-caught" => "panic: boom (fuzz/src/targets/broken.rs:",
            "broken-stack" => "overflow",
            "broken-loop" | "broken-sleep" => "no end after",
            "broken-memory" => "100000000000 bytes",
            "broken-text" => "control characters",
            "broken-again" => "not the same again",
            other => panic!("{other} has no test"),
        };
        let [Failure { number, reason }] = &row.failures[..] else {
            panic!("{}: {:?}", target.name, row.failures)
        };
        assert!(reason.contains(said), "{}: {reason}", target.name);
        // The number repeats the input.
        let input = Corpus::read(target).unwrap().input(options.seed, *number);
        assert!(input.windows(4).any(|four| four == b"boom"), "{}: {number}", target.name);
    }
}

#[test]
fn inputs_are_a_function_of_seed_target_and_number() {
    for target in TARGETS {
        let corpus = Corpus::read(target).unwrap();
        let some = |seed| (0..50).map(|number| corpus.input(seed, number)).collect::<Vec<_>>();
        assert_eq!(some(1), some(1), "{}", target.name);
        assert_ne!(some(1), some(2), "{}", target.name);
    }
    let few: Vec<&Target> =
        TARGETS.iter().filter(|target| ["rules", "settings"].contains(&target.name)).collect();
    let counts = || rows(&few, &options(3, 600.0, 50_000)).iter().map(|row| row.at).collect::<Vec<_>>();
    assert_eq!(counts(), counts());
}
