#!/usr/bin/env bash
# The commands `compare`, on 50 pairs of tests of which it is known how their outcomes are related, and `diff`;
# their statuses, formats and messages.
#
# usage: compare.sh PROGRAM
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: compare.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
library=litmus/library

# pair RELATION A B: how they are related, whichever comes first, and the statuses that follow.
pairs=0
pair() {
    local relation=$1 a=$2 b=$3 status=1 no_new=1
    case $relation in
    equal) status=0 no_new=0 ;;
    'B within A') no_new=0 ;;
    esac
    expect $status "$relation: $a" compare "$a" "$b"
    expect $no_new "1 pair: 1 $relation" compare --no-new "$a" "$b"
    pairs=$((pairs + 1))
}

# A published fix forbids what the bug allowed, and allows nothing else (docs/repair.md).
for fixed in $library/bugs/{byte-flags,deque-reuse,deque-steal,fence-scope-cut,grid-sync-poll,last-block,leader-arrives,lock-arrays,lock-future-read,red-without-release,relaxed-cluster-barrier,relaxed-poll,sc-rmw-relaxed,spin-lock,volatile-flag,warp-unlock}+fixed.litmus; do
    pair 'B within A' "${fixed/+fixed/}" "$fixed"
    pair 'A within B' "$fixed" "${fixed/+fixed/}"
done

# Registers of other names, which correspond by their places.
for test in "$library"/{message-passing/MP,message-passing/MP+cta,store-buffering/SB,load-buffering/LB,multi-copy/IRIW,bugs/spin-lock,bugs/spin-lock+fixed,bugs/last-block,bugs/warp-unlock,bugs/deque-steal,bugs/relaxed-poll,bugs/lock-future-read}.litmus; do
    sed -E 's/%r([0-9])/%r2\1/g' "$test" >"$work/$(basename "$test")"
    pair equal "$test" "$work/$(basename "$test")"
done

# One forbids to see the flag without the data, the other to see the data without the flag.
message() { # SCOPE STORE FIRST SECOND LOAD
    cat <<END
PTX message
{ data=0; flag=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak.global.u32 [$3], 1 | ld.$5.$1.global.u32 %r_$4, [$4] ;
 st.$2.$1.global.u32 [$4], 1 | ld.weak.global.u32 %r_$3, [$3] ;
exists (P1:%r_data == 1 /\\ P1:%r_flag == 1)
END
}
for scope in gpu sys cluster; do
    placed=s/x/x/
    [ $scope = cluster ] && placed='s/cta \([01]\),gpu/cta \1,cluster 0,gpu/g'
    message $scope release data flag acquire | sed "$placed" >"$work/a.litmus"
    message $scope release flag data acquire | sed "$placed" >"$work/b.litmus"
    pair differ "$work/a.litmus" "$work/b.litmus"
    pair differ "$work/b.litmus" "$work/a.litmus"
done
[ $pairs -eq 50 ] || fail "$pairs pairs, not 50"

# What shows it, and --map.
expect 1 'only B: P1:%r_data=1, P1:%r_flag=0' compare "$work/b.litmus" "$work/a.litmus"
expect 1 'breaks no axiom' compare "$work/b.litmus" "$work/a.litmus"
expect 0 'equal: ' compare --map 'P1:%r_data=P1:%r_flag,P1:%r_flag=P1:%r_data' "$work/a.litmus" "$work/b.litmus"
expect 0 'equal: ' compare --map P1:%r_data=P1:%r_data "$work/a.litmus" "$work/b.litmus"
expect 1 '"relation":"B within A","only_a":["P1:%r0=1, P1:%r1=0"],"only_b":[],"execution":"This execution' compare --format json \
    $library/message-passing/MP+cta.litmus $library/message-passing/MP.litmus

# Executions that never end, and what is not known.
cat >"$work/waits.litmus" <<'END'
PTX waits
{ x=0; }
P0@cta 0,gpu 0 {
  st.relaxed.gpu.global.u32 [x], 1;
}
P1@cta 0,gpu 0 {
  bar.sync 0, 2;
  ld.relaxed.gpu.global.u32 %r0, [x];
}
exists (P1:%r0 == 1)
END
expect 3 'unknown: ' compare tests/cases/inputs/loop.litmus tests/cases/inputs/loop.litmus
expect 3 'has no outcome: the loop at line 6 goes on after 2 rounds' compare tests/cases/inputs/loop.litmus tests/cases/inputs/loop.litmus
expect 3 'unknown: ' compare --states 1 $library/message-passing/MP.litmus $library/message-passing/MP.litmus

# Folders, by their files; modules, by their tests.
mkdir "$work/before" "$work/after"
cp $library/message-passing/MP.litmus $library/store-buffering/SB.litmus "$work/before"
cp $library/message-passing/MP.litmus $library/load-buffering/LB.litmus "$work/after"
expect 1 '1 pair: 1 equal, 2 without a partner' compare "$work/before" "$work/after"
expect 1 "only A: $work/before/SB.litmus" compare "$work/before" "$work/after"
expect 1 "only B: $work/after/LB.litmus" compare -j 2 "$work/before" "$work/after"
expect 0 '4 pairs: 4 equal' compare tests/kernels/mp.ptx tests/kernels/mp.ptx
sed -E 's/fence\.acq_rel|membar\.gl/membar.cta/' tests/kernels/mp.ptx >"$work/weaker.ptx"
cp tests/kernels/mp.ptx.litmus "$work/weaker.ptx.litmus"
expect 1 "A within B: tests/kernels/mp.ptx (mp_fence), $work/weaker.ptx (mp_fence)" compare tests/kernels/mp.ptx "$work/weaker.ptx"

# Bad input
expect 2 "ptxlitmus: error: 'compare' takes two tests, modules or folders, not 1" compare x
expect 2 "ptxlitmus: error: 'compare' has no option '--verdict'" compare --verdict x y
expect 2 "ptxlitmus: error: 'compare' prints '--format text' or 'json', not 'log'" compare --format log x y
expect 2 "ptxlitmus: error: 'compare' takes one model and one target" compare --model ptx-6.0,ptx-9.1 x y
expect 2 "ptxlitmus: error: '--map' takes pairs of names that correspond, such as 'P1:%r0=P1:%r3,x=y', not 'a'" compare --map a x y
expect 2 "ptxlitmus: error: '--map' needs NAME=NAME[,...]" compare x y --map
expect 2 "'--map' names 'P7:%r0', which the first does not show" compare --map P7:%r0=P1:%r0 $library/message-passing/MP.litmus $library/message-passing/MP.litmus
expect 2 "the first shows 2 values and the second 4: '--map' says which of them correspond" compare $library/message-passing/MP.litmus $library/multi-copy/IRIW.litmus
expect 2 'none.litmus: error: cannot read' compare $library/message-passing/MP.litmus none.litmus

# --- diff -----------------------------------------------------------------------------------------------
"$program" --format json $library/message-passing >"$work/a.json" 2>/dev/null
"$program" --format json --stats -j 2 $library/message-passing >"$work/b.json" 2>/dev/null
"$program" diff "$work/a.json" "$work/b.json" >"$work/out" || fail 'diff of equal runs'
[ ! -s "$work/out" ] || fail "diff of equal runs prints: $(cat "$work/out")"
"$program" --format json --target sc $library/message-passing >"$work/sc.json" 2>/dev/null
expect 1 'verdict allowed, then forbidden' diff "$work/a.json" "$work/sc.json"
expect 1 '  - outcome P1:%r0=1, P1:%r1=0' diff "$work/a.json" "$work/sc.json"
printf '%s\n' '{"file":"x","test":"t","verdict":"forbidden","states":[{"a":0}],"complete":true,"flags":["data-race"]}' \
    '{"file":"y","test":"u","verdict":"allowed","states":[],"complete":false,"flags":[]}' '{"file":"z","error":"bad"}' >"$work/1.json"
printf '%s\n' '{"file":"x","test":"t","verdict":"allowed","states":[{"a":0},{"a":null,"b":"ff00000000000000"}],"complete":true,"flags":["hang"],"unknown_flags":["trap"]}' \
    '{"file":"v","test":"u","verdict":"allowed","states":[],"complete":true,"flags":[]}' '{"file":"z","error":"worse"}' >"$work/2.json"
"$program" diff "$work/1.json" "$work/2.json" >"$work/out"
[ $? -eq 1 ] || fail 'diff: status'
diff - "$work/out" <<'END' || fail 'what diff prints'
x (t)
  verdict forbidden, then allowed
  + outcome a=?, b=0xff00000000000000
  - flag data-race
  + flag hang
  + unknown flag trap
- y (u)
z
  error bad, then worse
+ v (u)
4 of 4 tests differ
END
"$program" diff "$work/1.json" - <"$work/1.json" >"$work/out" || fail 'diff with the standard input'
expect 2 "ptxlitmus: error: 'diff' takes the JSON results of two runs, not 1" diff "$work/1.json"
expect 2 "ptxlitmus: error: 'diff' has no option '--quiet'" diff --quiet x y
expect 2 'none.json: error: cannot read' diff none.json "$work/1.json"
echo '{"a":1}' >"$work/bad.json"
expect 2 'bad.json: error: line 1: this line is not the result of a run' diff "$work/bad.json" "$work/1.json"
echo '{"file":' >"$work/bad.json"
expect 2 'bad.json: error: line 1: this line is not JSON, or not all of it is there: ' diff "$work/1.json" "$work/bad.json"
: >"$work/bad.json"
expect 2 'bad.json: error: there are no results in this file' diff "$work/1.json" "$work/bad.json"
"$program" --shard 1/2 --format json $library/message-passing >"$work/shard.json" 2>/dev/null
expect 2 "this is the end of a shard: 'ptxlitmus merge' joins shards first" diff "$work/shard.json" "$work/1.json"

echo "$checks checks, $pairs pairs, $failed failures"
[ "$failed" -eq 0 ]
