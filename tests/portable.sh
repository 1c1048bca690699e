#!/usr/bin/env bash
# The same bits from programs for other processors: weights, scores and pages of small runs are compared with those that are kept; `cargo test` does
# so with a build for the processor at hand. The C library is told that there is no AVX2 and no FMA, so that its own functions, if one
# were used again, would differ too. Little is optimised, for the sake of time: which instructions there are can change a bit, how
# they are arranged cannot, since the compiler may not reorder sums.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ "$(uname -m)" = x86_64 ] || { echo "portable.sh: nothing to compare on $(uname -m)"; exit 0; }

export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0
for processor in x86-64 x86-64-v3; do
    grep -q avx2 /proc/cpuinfo || [ $processor = x86-64 ] || { echo "portable.sh: no $processor here"; continue; }
    printf '\n== %s\n' "$processor"
    export RUSTFLAGS="-C target-cpu=$processor" CARGO_TARGET_DIR="target/$processor"
    GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4 \
        cargo test --locked -q -p evalforge-math -p evalforge-cli --lib --test bits
done
