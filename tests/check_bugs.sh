#!/usr/bin/env bash
# Bugs that others have published, as kernels (docs/kernels.md, "Published bugs"): `check` finds each without a manifest,
# where the launch can be derived, or a grid and a block are enough, and finds the published fix free or says what else is
# wrong with it. Each row is a floor: what has to be found. The kernels, as nvcc has compiled them, are not a part of the
# project: skipped (77) where they are missing.
#
# usage: check_bugs.sh PROGRAM [FOLDER]
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: check_bugs.sh PROGRAM [FOLDER]}") || exit 2
folder=${2:-../shared}/bugs
[ -d "$folder" ] || { echo "no $folder: skipped"; exit 77; }
folder=$(realpath "$folder")
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
checks=0

# bug NAME MODULE STATUS OPTIONS WORDS...: the answer to this module without its manifest has these words, each a pattern
# for one line, and the status.
bug() {
    local name=$1 module=$2 wanted=$3 options=$4 status words
    shift 4
    checks=$((checks + 1))
    grep -v '^// PTXLITMUS' "$folder/$name/$module.ptx" >"$work/k.ptx" || fail "$name: no $module.ptx"
    # shellcheck disable=SC2086
    "$program" check --no-fix "$work/k.ptx" $options >"$work/out" 2>&1 </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$name, $module: status $status, not $wanted: $(head -4 "$work/out")"
    for words in "$@"; do
        grep -qE -- "$words" "$work/out" || fail "$name, $module, does not say: $words: $(head -20 "$work/out")"
    done
}

free=': free of data races, hangs and undefined uses'
# From the kernel alone.
bug 04-fuser-warpreduce buggy 1 '' 'data-race .*k.cu:7\) +bytes 0 to 3 of scratch read' 'k.cu:5\) +bytes 0 to 3 of scratch written'
bug 04-fuser-warpreduce fixed 0 '' "$free"
bug 06-llama-28475 buggy 1 '' 'data-race .*k.cu:4\) +bytes 4 to 7 of s written' 'k.cu:8\) +bytes 4 to 7 of s read'
bug 06-llama-28475 fixed 0 '' "$free"
bug 28-flashinfer-4481 buggy 1 '' 'data-race .*k.cu:4\) +k0_arg1\[3\] written' 'k.cu:18\) +k0_arg1\[3\] read'
# The counter that the last block zeroes by a weak store still races with the other block's count.
bug 28-flashinfer-4481 fixed 1 '' 'data-race .*k.cu:9\) +k0_arg0\[0\] updated'
grep -q 'k0_arg1' "$work/out" && fail "28-flashinfer-4481, fixed: data race: $(cat "$work/out")"
bug 29-cutlass-2775 original 0 '' "$free"
bug 29-cutlass-2775 relaxed 1 '' 'data-race .*k.cu:13\) +k0_arg1\[1\] read' 'k.cu:13\) +k0_arg1\[1\] written'
# With a grid and a block, for kernels that are made for these.
bug 02-cpasync-commit buggy 1 '--grid 1 --block 1' 'data-race .*k.cu:7\) .*asynchronous' 'k.cu:20\) +bytes 16 to 19 of s read' 'async-undefined'
bug 02-cpasync-commit fixed 0 '--grid 1 --block 1' "$free"
bug 03-raft-selectk buggy 1 '--block 64' 'data-race .*k.cu:5\) +k0_arg0\[0\] updated' 'k.cu:19\) +k0_arg0\[0\] read'
# Its fix alone has no acquire: the last block may read what is old.
bug 03-raft-selectk fixed 1 '--block 64' 'data-race .*k.cu:5\) +k0_arg0\[0\] updated'
bug 20-mscclpp-222 buggy 1 '--block 1' 'hang .*goes round a loop for ever .*k.cu:19' 'data-race .*k0_arg0\[0\]'
bug 20-mscclpp-222 fixed 0 '--block 1' "$free"
bug 21-mscclpp-505 buggy 1 '--block 1' 'hang .*goes round a loop for ever .*k.cu:21'
# Both blocks zero the next counter by weak stores.
bug 21-mscclpp-505 fixed 1 '--block 1' 'data-race .*k.cu:11\) +k0_arg0\[2\] written'
grep -q '^  hang' "$work/out" && fail "21-mscclpp-505, fixed: a hang: $(cat "$work/out")"
# An unknown value is not a fault, and libcu++ waits for a copy with such a barrier.
bug 23-moderngpu-36 buggy 0 '--grid 1 --block 4' "$free"
bug 31-sparkjni-4589 buggy 0 '--grid 1 --block 1' "$free"
bug 31-sparkjni-4589 fixed 0 '--grid 1 --block 1' "$free"
bug 34-fuser-5448 buggy 1 '--grid 1 --block 1' 'data-race .*k.cu:8\) +bytes 0 to 3 of s written' 'k.cu:10\) +bytes 0 to 3 of s read by an asynchronous' 'async-undefined'
bug 34-fuser-5448 fixed 0 '--grid 1 --block 1' "$free"

printf '%d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
