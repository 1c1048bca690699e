//! Tells the program which commit and which sources it is built from, for the manifests of runs, and what it takes a processor to have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_string();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=EVALFORGE_COMMIT={commit}");
    // Only where there is such a file: a missing one would build the crate again every time.
    for path in ["HEAD", "logs/HEAD"].iter().filter_map(|name| git(&["rev-parse", "--git-path", name])) {
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    println!("cargo::rustc-env=EVALFORGE_SOURCE={}", source());
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    println!("cargo::rustc-env=EVALFORGE_TARGET_FEATURES={features}");
    println!("cargo::rerun-if-changed=build.rs");
}

/// The checksum (FNV-1a) of everything in this repository that a result may depend on; empty where that is not at hand. A commit does not tell
/// it: a tree may hold what was never committed, and most commits change no result.
fn source() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = ["math", "games", "learn", "stats", "play", "measure", "train"];
    let folders = crates.map(|name| format!("crates/{name}/src")).into_iter().chain(["models".into()]);
    let mut files = vec![root.join("Cargo.lock")];
    for folder in folders {
        let path = root.join(folder);
        println!("cargo::rerun-if-changed={}", path.display());
        collect(&path, &mut files);
    }
    println!("cargo::rerun-if-changed={}", files[0].display());
    files.sort();
    let mut sum = 0xcbf2_9ce4_8422_2325u64;
    for path in files {
        let Ok(bytes) = fs::read(&path) else { return String::new() };
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        for byte in name.bytes().chain([0]).chain(bytes) {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{sum:016x}")
}

/// The files below a folder; tests are no part of a program.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_test = path.file_stem().is_some_and(|name| name == "tests" || name == "golden");
        match path.is_dir() {
            _ if is_test => {}
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}
