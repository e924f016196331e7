#!/usr/bin/env bash
# Explanations of all tests of the library, judged by the oracle: every edge and step that is shown holds
# in its execution, each execution breaks the axioms that it says, of those that it takes one alone, and cycles close.
# Explanations with faults in them are not believed.
#
# usage: explain.sh BUILD_FOLDER
set -u
build=$(realpath "${1:?usage: explain.sh BUILD_FOLDER}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
program=$build/ptxlitmus judge=$build/tests/oracle/ptxlitmus-judge
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAIL: $1"; failed=1; }

# The oracle has no asynchronous copies. Some tests are about what an answer of try_cancel says, which no explanation shows:
# it is opaque. So is the state of an mbarrier that is stored in memory.
find litmus/library -name '*.litmus' -exec grep -LE 'cp\.(async|reduce)|st\.async|red\.async' {} + |
    grep -vE '/(Cancel-(all|running|two)\.|Launch-control|Mbarrier-states\.)' | LC_ALL=C sort >"$work/files"
count=$(wc -l <"$work/files")
# What the solver chooses where it is free depends on the tests that one process had before. A test of mbarriers has a process of
# its own, so that it is always the same which bits are found where no operation has left a state; so have tests of sums, of
# which some executions have known values.
own='mbarrier|^PTX (Cas-add\.f32|Atom-add\.f16x2|Atom-add\.f32|Red-add\.v2)$'
xargs grep -lE "$own" <"$work/files" >"$work/own"
xargs grep -LE "$own" <"$work/files" >"$work/others"
while read -r file; do
    "$program" explain --remedies 0 --format json "$file" >>"$work/all" 2>"$work/err" </dev/null
    [ $? -le 1 ] || { head "$work/err"; fail "explain fails: $file"; }
done <"$work/own"
"$program" explain --remedies 0 --format json "@$work/others" >>"$work/all" 2>"$work/err"
[ $? -le 1 ] || { head "$work/err"; fail 'explain fails'; }
[ "$(wc -l <"$work/all")" -eq "$count" ] || fail "$(wc -l <"$work/all") explanations of $count tests"
"$judge" <"$work/all" >"$work/judgement" || fail 'not all of it is so'
cat "$work/judgement"
# What is not judged: the sum of what several threads leave where they add by compare and swap, tensor memory that nothing has
# written. And the axioms that only the oracle finds
# broken, since it follows the states of an mbarrier where the model follows the order of its operations.
sed -nE 's/^([0-9]+ with unknown values, [0-9]+ axioms apart: ).*\/(.*)\.litmus$/\1\2/p' "$work/judgement" >"$work/apart"
diff - "$work/apart" <<'EOF' || fail 'other executions are not judged, or differ'
0 with unknown values, 1 axioms apart: Mbarrier-count+loaded
0 with unknown values, 1 axioms apart: Mbarrier-init
0 with unknown values, 1 axioms apart: Mbarrier-conditional
1 with unknown values, 0 axioms apart: Tcgen-alloc-product
1 with unknown values, 0 axioms apart: Tcgen-pair-alloc
EOF
# What an operation on an mbarrier finds that no operation has left is as the solver happens to choose it.
stateless=$(sed -nE 's/.* ([0-9]+) with mbarriers in no state.*/\1/p' "$work/judgement")
[ "${stateless:-99}" -le 6 ] || fail "$stateless executions are not judged since mbarriers are in no state"
grep -v '"example":null' "$work/all" | grep -c '"verdict":"allowed"' >"$work/allowed"
[ "$(cat "$work/allowed")" -gt 150 ] || fail 'too few examples'
[ "$(grep -c '"core":\[{' "$work/all")" -gt 150 ] || fail 'too few reasons'
races=$(grep -o '"events":\["P[^]]*\],"example":{' "$work/all" | wc -l)
[ "$races" -gt 300 ] || fail "only $races races have an execution"
[ "$(grep -c '"hang":{' "$work/all")" -ge 10 ] || fail 'too few hangs'
grep '"verdict":"forbidden"' "$work/all" | grep '"core":\[\]' | grep '"missing":\[\]' >"$work/bare"
grep -qv '"reason":' "$work/bare" && fail 'a forbidden outcome has no reason'
[ "$(wc -l <"$work/bare")" -le 8 ] || fail 'too many searches took too long'

grep -E '^litmus/library/(message-passing|proxies|store-buffering|atomics)/' "$work/files" >"$work/some"
# Pairs that are asked about, in what is shown of each test that has such events.
for pair in 'sync P0:1 P1:0' 'cause P0:0 P1:1' 'bc P1:0 P0:0' 'ms P0:0 P1:0' 'rf P0:0 P1:0'; do
    # shellcheck disable=SC2086
    "$program" explain --remedies 0 --format json --why-not $pair "@$work/some" \
        >"$work/pair" 2>/dev/null
    grep -c '"why_not":{' "$work/pair" >"$work/asked"
    [ "$(cat "$work/asked")" -gt 50 ] || fail "$pair is in $(cat "$work/asked") tests"
    "$judge" <"$work/pair" >"$work/judgement" || { cat "$work/judgement"; fail "not all of $pair is so"; }
done

# faulty SED TEXT: an explanation with a fault gets a complaint that has the text in it.
"$program" explain --format json litmus/library/message-passing/MP.litmus >"$work/mp"
"$program" explain --format json litmus/library/store-buffering/SB+fence.sc.litmus >"$work/sb"
faulty() {
    sed "$2" "$work/$1" >"$work/faulty"
    ! cmp -s "$work/$1" "$work/faulty" || fail "no fault: $2"
    "$judge" <"$work/faulty" >"$work/complaint" && fail "believed: $2"
    grep -q "$3" "$work/complaint" || { cat "$work/complaint"; fail "no '$3' for $2"; }
}
faulty mp 's/"breaks":\["Causality"\]/"breaks":[]/' 'wrong: breaks Causality'
faulty mp 's/"breaks":\["Causality"\]/"breaks":["Causality","Coherence"]/' 'wrong: does not break Coherence'
faulty mp 's/"relation":"sync","from":"P0:1"/"relation":"sync","from":"P0:0"/' 'wrong: sync P0:0 P1:0'
faulty mp 's/"relation":"ms","from":"P0:1"/"relation":"ms","from":"P0:0"/' 'wrong: ms P0:0 P1:0'
faulty mp 's/"relation":"release-pattern","from":"P0:1"/"relation":"release-pattern","from":"P0:0"/' 'wrong: release-pattern'
faulty mp 's/"relation":"fr","from":"P1:1","to":"P0:0"/"relation":"fr","from":"P1:1","to":"P0:1"/' 'the cycle has a gap'
faulty mp 's/"relation":"obs"/"relation":"sees"/' "no relation 'sees'"
faulty mp 's/"event":"P0:1"/"event":"init:flag"/' 'no such execution'
faulty mp 's/"value":1/"value":2/' 'no such execution'
faulty sb 's/"sc":\[\["P0:1","P1:1"\]\]/"sc":[["P1:1","P0:1"]]/' 'wrong: sc'
"$program" explain --remedies 0 --format json litmus/library/message-passing/MP+cta.litmus >"$work/cta"
faulty cta 's/"lacks":\[{"relation":"ms"/"lacks":[{"relation":"rf"/' 'wrong: not absent: rf'
faulty cta 's/"holds":false,"from":"P0:1","to":"P1:0"/"from":"P0:1","to":"P1:0"/' 'wrong: not so: sync'
faulty cta 's/"relation":"obs","holds":false/"relation":"rf","holds":false/' 'wrong: not absent: rf'
"$program" explain --remedies 0 --format json litmus/library/message-passing/MP+relaxed.litmus >"$work/relaxed"
faulty relaxed 's/"relation":"RELEASE","holds":false/"relation":"GPU","holds":false/' 'wrong: not absent: GPU'
"$program" explain --remedies 0 --format json litmus/library/store-buffering/SB.litmus >"$work/sb"
faulty sb 's/"missing":"fence.sc","holds":false,"from":"P0:0","to":"P0:1"/"missing":"fence.sc","holds":false,"from":"P0:1","to":"P0:0"/' 'wrong: not missing'
"$program" explain --format json --why-not sync P0:1 P1:0 litmus/library/message-passing/MP.litmus >"$work/mp"
faulty mp 's/\("why_not":{[^[]*\[{"relation":"sync","from":"P0:1","to":\)"P1:0"/\1"P1:1"/' 'wrong: not so: sync'
faulty mp 's/"events":\["P0:0","P1:1"\]/"events":["P0:1","P1:0"]/' 'wrong: no race: P0:1 P1:0'
"$program" explain --format json litmus/library/barriers/Bar-hang.litmus >"$work/hang"
# Mbarriers: a state that is not the one of its operation, and synchronisation with another arrival
"$program" explain --remedies 0 --format json litmus/library/mbarriers/Mbarrier-MP.litmus >"$work/mbarrier"
faulty mbarrier 's/"phase":1/"phase":2/' 'no such execution'
faulty mbarrier 's/"relation":"sync","from":"P0:1.write"/"relation":"sync","from":"P0:0"/' 'wrong: sync P0:0 P1:0'
"$program" explain --remedies 0 --format json litmus/library/mbarriers/Mbarrier-MP+fences.litmus >"$work/mbarrier"
faulty mbarrier 's/"relation":"completed","from":"P0:2.write"/"relation":"completed","from":"P0:0"/' 'wrong: completed'
faulty hang 's/"passes":false/"passes":true/g' 'wrong: no thread waits for ever'
exit $failed
