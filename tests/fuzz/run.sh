#!/usr/bin/env bash
# Builds the libFuzzer targets with clang and runs each for some seconds. New inputs stay in the
# build folder; a crash is written there too, and ends the run.
#
# usage: run.sh BUILD_FOLDER SECONDS
set -euo pipefail

build=${1:?usage: run.sh BUILD_FOLDER SECONDS}
seconds=${2:?usage: run.sh BUILD_FOLDER SECONDS}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang \
    -DPTXLITMUS_SANITIZE=ON -DPTXLITMUS_FUZZ=ON >/dev/null
cmake --build "$build" --target fuzz_litmus fuzz_cat >/dev/null

fuzz() {
    local name=$1
    shift
    mkdir -p "$build/corpus/$name"
    "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
        -print_final_stats=1 -artifact_prefix="$build/crash-$name-" "$build/corpus/$name" "$@"
}
fuzz litmus "$root"/litmus/library/*/ "$root/tests/bad"
fuzz cat "$root/model"
