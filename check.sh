#!/usr/bin/env bash
# The one test command: formatting, lints, all tests with the doc tests, the docs, warnings being errors, and what we build from (deny.toml).
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

# Building cargo-deny takes minutes: .ci/run does it once, and whoever has it is checked by it.
if cargo deny --version >/dev/null 2>&1; then
  step cargo deny --locked check bans licenses sources
  printf '\n== cargo deny --locked check advisories\n'
  if said=$(cargo deny --locked check advisories 2>&1); then
    echo "$said" | tail -n 1
  elif grep -q "failed to fetch advisory database" <<<"$said"; then
    echo "known holes are not looked for: the database of advisories cannot be fetched here"
  else
    echo "$said" >&2
    exit 1
  fi
else
  echo "licences, sources, duplicates and known holes are not checked: cargo-deny is missing (cargo install --locked cargo-deny)"
fi
