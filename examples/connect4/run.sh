#!/usr/bin/env bash
# Tests connect four, learns it, lets what was learned play a duel, and makes a GIF of a game. Give a folder for what comes out; --dev builds
# faster and runs slower.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:?a folder for what comes out}
profile=(--release)
[ "${2:-}" = "--dev" ] && profile=()
cargo test --quiet --locked --manifest-path "$here/Cargo.toml" "${profile[@]}"
connect4() { cargo run --quiet --locked --manifest-path "$here/Cargo.toml" "${profile[@]}" -- "$@"; }

connect4 learn "$here/connect4.toml" --quick --out "$out/run"
model=$out/run/model.json
connect4 duel connect4 "alphabeta(depth=2, eval=$model)" 'alphabeta(depth=3)' --games 40 --openings 4 --save "$out/games.txt"
connect4 review "$out/games.txt" --gif "$out/game.gif"
connect4 analyze connect4 --player "alphabeta(depth=4, eval=$model)"
connect4 play connect4 --watch --player "$model" --moves 3
connect4 analyze connect4 --why --player "$model"
connect4 solve connect4 --position '......./......./..x.o../.ooxx../.xxoo../oxxoox.'
connect4 bench connect4 --seconds 0.01
printf 'genmove x\nshowboard\nquit\n' | connect4 engine connect4 --player "alphabeta(depth=4, eval=$model)"
