//! The walls of the house: which crate may know which, what the inner crates may not touch, where functions of
//! real numbers come from, how long a file may be.

use std::fs;
use std::path::{Path, PathBuf};

const LONGEST_FILE: usize = 600;

/// What each crate may depend on, tests included: the arrows of ARCHITECTURE.md. In the inner rooms a crate that reads clocks or
/// files or starts threads has no place.
const ALLOWED: &[(&str, &[&str])] = &[
    ("math", &["libm", "rand_xoshiro"]),
    ("notation", &["thiserror", "proptest"]),
    (
        "games",
        &[
            "evalforge-math",
            "evalforge-notation",
            "bytemuck",
            "rand_xoshiro",
            "thiserror",
            "wide",
            "proptest",
        ],
    ),
    ("lanes", &["evalforge-math", "evalforge-games", "bytemuck", "wide", "proptest"]),
    (
        "learn",
        &[
            "evalforge-math",
            "evalforge-notation",
            "rand_xoshiro",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
            "proptest",
        ],
    ),
    ("stats", &["evalforge-math", "schemars", "serde", "proptest"]),
    (
        "play",
        &[
            "evalforge-math",
            "evalforge-notation",
            "evalforge-games",
            "evalforge-lanes",
            "evalforge-learn",
            "evalforge-stats",
            "libc",
            "rayon",
            "schemars",
            "serde",
            "serde_json",
            "strsim",
            "thiserror",
            "proptest",
        ],
    ),
    (
        "measure",
        &[
            "evalforge-math",
            "evalforge-games",
            "evalforge-play",
            "evalforge-stats",
            "rayon",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
            "proptest",
        ],
    ),
    (
        "train",
        &[
            "evalforge-math",
            "evalforge-notation",
            "evalforge-games",
            "evalforge-learn",
            "evalforge-stats",
            "evalforge-play",
            "evalforge-measure",
            "rayon",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
            "toml",
            "proptest",
        ],
    ),
    (
        "report",
        &[
            "evalforge-math",
            "evalforge-games",
            "evalforge-learn",
            "evalforge-stats",
            "evalforge-play",
            "evalforge-measure",
            "evalforge-train",
            "gif",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
        ],
    ),
];

/// The rooms that compute and do nothing else.
const INNER: [&str; 6] = ["math", "notation", "games", "lanes", "learn", "stats"];

/// Whoever draws and writes what came out does not play: these words ask a player for a move.
const PLAYING: &[&str] = &["choose", "playout", "searcher", "Searcher", "into_player"];

/// Code for any game: what only one game has stands in its room, which these ask.
const GENERIC: &[&str] = &[
    "play/src/players",
    "play/src/search/alpha_beta",
    "play/src/search/best_move.rs",
    "play/src/search/clock.rs",
    "play/src/search/evaluation.rs",
    "play/src/search/hybrid.rs",
    "play/src/search/limits.rs",
    "play/src/search/mcts.rs",
    "play/src/search/minimax.rs",
    "play/src/search/mod.rs",
    "play/src/search/probcut.rs",
    "play/src/search/ratios.rs",
    "play/src/playout.rs",
    "play/src/evaluator.rs",
    "play/src/outlook.rs",
    "play/src/solo.rs",
    "play/src/analyze/explain.rs",
    "play/src/analyze/mod.rs",
    "play/src/analyze/show.rs",
    "play/src/protocol/gtp.rs",
    "play/src/protocol/thinker.rs",
    "play/src/rooms/words.rs",
    "play/src/solve/value.rs",
    "measure/src",
    "train/src",
    "report/src",
    "commands/src",
];

/// What is of one game, or of a paper about one, in the rooms above `play`.
const OF_ONE_GAME: &[&str] = &[
    "measure/src/estimate/",
    "measure/src/problems.rs",
    "train/src/regress/",
    "train/src/reproduce/",
    "report/src/surfaces.rs",
    "commands/src/rooms/",
    "commands/src/commands/learning/reproduce.rs",
    "commands/src/commands/learning/reproduce_",
];

/// The games and their modules.
const GAMES: &[&str] =
    &["tetris", "Tetris", "othello", "Othello", "pushover", "Pushover", "avalam", "Avalam"];

/// Methods of real numbers whose bits depend on the processor, the system or the compiler: `math` has them the same everywhere.
const OF_THE_PLATFORM: &[&str] = &[
    "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "powi", "cbrt", "hypot", "sin",
    "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "gamma", "ln_gamma", "mul_add",
];

/// Where one of them changes no result: lanes multiply and add in one step on processors that can, and `fast/margin.rs` sees to
/// it that what that changes decides nothing.
const HARMLESS: &[(&str, &str)] = &[("lanes/src/word.rs", "mul_add")];

/// What takes `name(key=value)` apart by hand: `notation` reads it for all.
const BY_HAND: &[&str] =
    &["split('(')", "split_once('(')", "strip_prefix('(')", "strip_suffix(')')", "strip_suffix(\")\")"];

/// Words that only a clock, a file, a thread, a socket, a process or a terminal needs.
const FORBIDDEN: &[&str] = &[
    "fs",
    "File",
    "OpenOptions",
    "io",
    "net",
    "process",
    "env",
    "thread",
    "rayon",
    "time",
    "Instant",
    "SystemTime",
    "stdin",
    "stdout",
    "stderr",
    "print",
    "println",
    "eprint",
    "eprintln",
    "dbg",
    "unsafe",
    "include_bytes",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with(".git") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// A source text without its comments and strings. Enough of Rust for our own code.
fn code(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(sign) = rest.chars().next() {
        let skipped = match sign {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => string_end(rest),
            '\'' if rest.starts_with("'\"'") => 3,
            '\'' if rest.starts_with("'\\") => 3 + rest[3..].find('\'').map_or(0, |end| end + 1),
            _ => {
                code.push(sign);
                rest = &rest[sign.len_utf8()..];
                continue;
            }
        };
        code.push(' ');
        rest = &rest[skipped..];
    }
    code
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// The words of a source text.
fn words(source: &str) -> Vec<String> {
    code(source).split(|sign| !is_of_word(sign)).map(str::to_string).collect()
}

/// The functions of the platform that a source text names: as methods, or by the path of their type.
fn of_the_platform(source: &str) -> Vec<&'static str> {
    let code: String = code(source).chars().filter(|sign| !sign.is_whitespace()).collect();
    let named = |name: &&&'static str| {
        code.match_indices(**name).any(|(place, _)| {
            let (before, after) = (&code[..place], &code[place + name.len()..]);
            (before.ends_with('.') && (after.starts_with('(') || after.starts_with("::")))
                || (["f64::", "f32::"].iter().any(|kind| before.ends_with(kind))
                    && !after.starts_with(is_of_word))
        })
    };
    OF_THE_PLATFORM.iter().filter(named).copied().collect()
}

/// The length of the string literal at the beginning.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (i, sign) in text.char_indices().skip(1) {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

fn forbidden(source: &str) -> Vec<String> {
    words(source).into_iter().filter(|word| FORBIDDEN.contains(&word.as_str())).collect()
}

#[test]
fn the_inner_rooms_do_no_io_read_no_clock_and_start_no_thread() {
    for name in INNER {
        let files = rust_files(&root().join("crates").join(name).join("src"));
        assert!(files.len() > 1);
        for file in files {
            let found = forbidden(&fs::read_to_string(&file).unwrap());
            assert!(found.is_empty(), "{} says {found:?}", file.display());
        }
    }
}

#[test]
fn the_inner_rooms_depend_on_what_is_allowed() {
    for (name, allowed) in ALLOWED {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        for dependency in dependencies(&manifest) {
            assert!(allowed.contains(&dependency.as_str()), "{name} may not depend on {dependency}");
        }
    }
}

#[test]
fn functions_of_real_numbers_come_from_math() {
    let files = rust_files(&root().join("crates"));
    assert!(files.len() > 20);
    for file in files {
        let name = file.to_str().unwrap().replace('\\', "/");
        let harmless = |word: &str| HARMLESS.iter().any(|(place, one)| name.ends_with(place) && word == *one);
        let mut found = of_the_platform(&fs::read_to_string(&file).unwrap());
        found.retain(|word| !name.contains("/crates/math/") && !harmless(word));
        assert!(
            found.is_empty(),
            "{name} takes {found:?} of the platform; math::{} is the same everywhere",
            found[0]
        );
    }
    // Products of matrices chosen by the processor that it finds.
    let locked = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    assert!(!locked.contains("\"matrixmultiply\""), "matrixmultiply has other bits on other processors");
}

/// The names in every table of dependencies, whichever kind and target.
fn dependencies(manifest: &str) -> Vec<String> {
    fn collect(table: &toml::Table, found: &mut Vec<String>) {
        for (key, value) in table {
            let Some(inner) = value.as_table() else { continue };
            if key.ends_with("dependencies") {
                found.extend(inner.keys().cloned());
            } else {
                collect(inner, found);
            }
        }
    }
    let mut found = Vec::new();
    collect(&manifest.parse().unwrap(), &mut found);
    found
}

/// The code of a file before its tests.
fn without_tests(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_string()
}

fn says_one_of(path: &Path, forbidden: &[&str]) -> Vec<String> {
    words(&without_tests(path)).into_iter().filter(|word| forbidden.contains(&word.as_str())).collect()
}

/// The games that a source names in its code, or in a text that is nothing but the name.
fn named_games(source: &str) -> Vec<String> {
    let texts = GAMES.iter().map(|game| format!("\"{game}\"")).filter(|text| source.contains(text));
    words(source).into_iter().filter(|word| GAMES.contains(&word.as_str())).chain(texts).collect()
}

#[test]
fn no_game_is_named_in_generic_code() {
    for place in GENERIC {
        let path = root().join("crates").join(place);
        let files = if path.is_dir() { rust_files(&path) } else { vec![path] };
        assert!(!files.is_empty(), "{place} is no more");
        // What only tests see may name a game.
        for file in files.iter().filter(|file| !file.ends_with("tests.rs") && !file.ends_with("fixture.rs")) {
            let name = file.to_str().unwrap().replace('\\', "/");
            if OF_ONE_GAME.iter().any(|place| name.contains(&format!("/crates/{place}"))) {
                continue;
            }
            let found = named_games(&without_tests(file));
            assert!(found.is_empty(), "{} names {found:?}: that belongs in a room", file.display());
        }
    }
}

#[test]
fn a_report_starts_no_game() {
    for file in
        rust_files(&root().join("crates/report/src")).iter().filter(|file| !file.ends_with("tests.rs"))
    {
        let found = says_one_of(file, PLAYING);
        assert!(found.is_empty(), "{} says {found:?}", file.display());
    }
}

/// What in a source text reads a name with options by hand: a call of the list, or one that looks for a name with its bracket.
fn by_hand(source: &str) -> Vec<&'static str> {
    let named = |call: &&&str| {
        source.split(**call).skip(1).any(|after| {
            after
                .split('"')
                .next()
                .is_some_and(|name| name.ends_with('(') && !name.contains(char::is_whitespace))
        })
    };
    let calls = BY_HAND.iter().filter(|call| source.contains(**call));
    calls.chain(["strip_prefix(\"", "starts_with(\""].iter().filter(named)).copied().collect()
}

#[test]
fn names_with_options_are_read_by_notation_alone() {
    for file in rust_files(&root().join("crates")) {
        let name = file.to_str().unwrap().replace('\\', "/");
        if name.contains("/src/") && !name.contains("/crates/notation/") {
            let found = by_hand(&without_tests(&file));
            assert!(found.is_empty(), "{name} has {found:?}; notation reads name(key=value)");
        }
    }
}

#[test]
fn no_file_is_too_long() {
    let files = rust_files(&root());
    assert!(files.len() > 20);
    for file in files {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines, more than {LONGEST_FILE}", file.display());
    }
}

#[test]
fn the_lists_of_this_test_would_catch_a_breach() {
    for breach in [
        "use std::{fs, mem};",
        "use std::time::Instant;",
        "std::thread::spawn(|| ());",
        "let text = \"a // b\"; println!(\"{text}\");",
        "let quote = '\"'; std::process::exit(1);",
    ] {
        assert!(!forbidden(breach).is_empty(), "{breach}");
    }
    for harmless in
        ["// std::fs::read", "let text = \"std::time \\\" fs\";", "/* thread */ let stdout_like = 1;"]
    {
        assert!(forbidden(harmless).is_empty(), "{harmless}");
    }
    for breach in [
        "x.exp()",
        "(x + 1.0)\n    .ln ()",
        ".map(f64::tanh)",
        "f32::powi(x, 2)",
        "x.powf(0.5)",
        "a.mul_add(b, c)",
    ] {
        assert_eq!(of_the_platform(breach).len(), 1, "{breach}");
    }
    for harmless in
        ["math::exp(x)", "x.sqrt()", "x.ln_2", "// x.exp()", "f64::consts::PI", "let exp = log(1);", "x.log"]
    {
        assert!(of_the_platform(harmless).is_empty(), "{harmless}");
    }
    for breach in ["use games::tetris::Tetris;", "if G::NAME == \"othello\" {", "G::NAME == Avalam::NAME"] {
        assert!(!named_games(breach).is_empty(), "{breach}");
    }
    for harmless in ["// as in Tetris", "\"evalforge play othello\"", "tetris_like()"] {
        assert!(named_games(harmless).is_empty(), "{harmless}");
    }
    for breach in
        ["text.split_once('(')", "text.strip_prefix(\"mlp(\")", "if text.starts_with(\"external(\") {"]
    {
        assert_eq!(by_hand(breach).len(), 1, "{breach}");
    }
    for harmless in ["text.split(',')", "text.starts_with(\"a\") && f(\"b(\")", "text.strip_prefix(\"a b(\")"]
    {
        assert!(by_hand(harmless).is_empty(), "{harmless}");
    }
    let manifest =
        "[dependencies]\na = \"1\"\n[target.'cfg(unix)'.dev-dependencies]\nevalforge-learn = \"1\"";
    assert_eq!(dependencies(manifest), ["a", "evalforge-learn"]);
}
