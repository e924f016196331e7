#!/usr/bin/env bash
# Builds the libFuzzer targets with clang and runs each, or only those that are named, for some
# seconds. New inputs stay in the build folder; a crash is written there too, and ends the run.
#
# usage: run.sh BUILD_FOLDER SECONDS [TARGET...]
set -euo pipefail

build=${1:?usage: run.sh BUILD_FOLDER SECONDS [TARGET...]}
seconds=${2:?usage: run.sh BUILD_FOLDER SECONDS [TARGET...]}
shift 2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Prints the folders and files that a target starts from, one per line.
seeds() {
    case $1 in
    litmus) printf '%s\n' "$root"/litmus/library/*/ "$root/tests/bad" ;;
    dat3m) printf '%s\n' "$root/tests/fuzz/corpus/dat3m" ;;
    nvlitmus) printf '%s\n' "$root/tests/cases/inputs/nvlitmus" ;;
    cpp) printf '%s\n' "$root/tests/lowering/published" ;;
    lowering) printf '%s\n' "$root/lowering/tables" ;;
    cat) printf '%s\n' "$root/model" ;;
    merge) printf '%s\n' "$root/tests/fuzz/corpus/merge" ;;
    diff | settings) printf '%s\n' "$root/tests/fuzz/corpus/$1" ;;
    module) printf '%s\n' "$root/tests/fuzz/corpus/module" "$root/tests/kernels" ;;
    pipeline) printf '%s\n' "$root"/litmus/library/*/ ;;
    *) echo "run.sh: there is no fuzz target '$1'" >&2; return 2 ;;
    esac
}

fuzz() {
    local corpus="$build/corpus/$1" from
    mapfile -t from <<<"$2"
    mkdir -p "$corpus"
    "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
        -print_final_stats=1 -artifact_prefix="$build/crash-$1-" "$corpus" "${from[@]}"
}

[ $# -gt 0 ] || set -- litmus module dat3m nvlitmus cpp lowering cat merge diff settings pipeline
for target in "$@"; do
    seeds "$target" >/dev/null
done
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang \
    -DPTXLITMUS_SANITIZE=ON -DPTXLITMUS_FUZZ=ON >/dev/null
cmake --build "$build" --target "${@/#/fuzz_}" >/dev/null
for target in "$@"; do
    fuzz "$target" "$(seeds "$target")"
done
