#!/usr/bin/env bash
# The one test command: formatting, lints, all tests with the doc tests, and the docs, warnings being errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

command -v cargo >/dev/null || { echo "check.sh: cargo is missing; install Rust with rustup first" >&2; exit 1; }
cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
cargo clippy --version >/dev/null 2>&1 || rustup component add clippy

step() { printf '\n== %s\n' "$*"; "$@"; }
step cargo fmt --all --check
step cargo clippy --locked --workspace --all-targets -- -D warnings
step cargo test --locked --workspace
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --workspace --no-deps
