#!/usr/bin/env bash
# Published miscompilations (tests/miscompiled): a suite of what the compilers emitted finds each of them, and
# says why; with the repair, each test passes.
#
# usage: miscompiled.sh PROGRAM
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: miscompiled.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
folder=tests/miscompiled count=0
"$program" suite --format json "$folder" >"$work/json" 2>/dev/null
[ $? -eq 2 ] || fail 'the status of the suite: some tests fail, and one is broken'

# File; words of the reason; the repair, in sed.
while IFS='|' read -r file words repair; do
    count=$((count + 1))
    "$program" suite "$folder/$file" >"$work/out" 2>/dev/null && fail "$file passes"
    grep -qF -- "$words" "$work/out" || fail "$file: does not say: $words: $(cat "$work/out")"
    sed -E "$repair" "$folder/$file" >"$work/$file"
    "$program" suite "$work/$file" >"$work/out" 2>&1 || fail "$file, repaired: $(cat "$work/out")"
done <<'END'
rust-136480.litmus|P1:1.write is not a release|s/^ atom/ fence.sc.gpu | fence.sc.gpu ;\n&/; s/atom\.global/atom.acquire.gpu.global/g
tilelang-2871.litmus|P1:1 is not an acquire|s/ld\.relaxed/ld.acquire/
tilelang-2713.litmus|P1:0.read is not an acquire|s/atom\.release/atom.acquire/
llvm-atomicrmw-order.litmus|P0:1.write is not a release|s/atom\.global\.exch/atom.release.gpu.global.exch/; s/atom\.global\.or/atom.acquire.gpu.global.or/
llvm-cmpxchg-order.litmus|P1:0.read is not an acquire|s/atom\.global/atom.acquire.gpu.global/
llvm-cluster-fence.litmus|.cta of P0:1 does not include P1, which is in another CTA|s/acq_rel\.cta/acq_rel.cluster/g
llvm-volatile-seq-cst.litmus|there is no fence.sc between P0:0 and P0:1|s/^ ld\.volatile/ fence.sc.sys | fence.sc.sys ;\n&/
llvm-emulation-load.litmus|expected no race, but some execution has one under ptx-9.1: flag data-race|s/ld\.global/ld.relaxed.gpu.global/g
llvm-scope-as-space.ptx|'lock' is a .shared variable, which this access cannot reach|s/atom\.relaxed\.global/atom.relaxed.cta/
cuda-oxide-695.litmus|.sys of P0:1 includes P1|s/fence\.sc\.sys/fence.sc.cta/g
END
[ "$(find "$folder" -name '*.litmus' -o -name '*.ptx' | wc -l)" -eq $count ] || fail 'a file of the folder is not in the table'
echo "$count miscompilations, $failed failures"
[ "$failed" -eq 0 ]
