#!/usr/bin/env bash
# Two engines, one answer: what Z3 decides, CaDiCaL has to decide the same way, on the library and on random
# tests of every kind; and the proofs that outcomes are forbidden have to convince a checker that shares
# nothing with either.
#
# usage: engines.sh PROGRAM GENERATE RUP [COUNT [SEED [FOLDER...]]]
#        GENERATE: ptxlitmus-generate; RUP: the checker of proofs; COUNT tests (40) of each kind; FOLDER: of the
#        library, instead of all of it
set -u
export LC_ALL=C

program=$(realpath "${1:?usage: engines.sh PROGRAM GENERATE RUP [COUNT [SEED]]}") || exit 2
generate=$(realpath "${2:?usage: engines.sh PROGRAM GENERATE RUP [COUNT [SEED]]}") || exit 2
rup=$(realpath "${3:?usage: engines.sh PROGRAM GENERATE RUP [COUNT [SEED]]}") || exit 2
count=${4:-40} seed=${5:-1}
folders=(litmus/library)
[ $# -le 5 ] || folders=("${@:6}")
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

# refused STATUS TEXT ARGUMENT...: what a wrong command line is told
refused() {
    local status=$1 text=$2 ended=0
    shift 2
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null || ended=$?
    [ $ended -eq "$status" ] || fail "status $ended, not $status: $*"
    grep -qF -- "$text" "$work/err" || fail "not told '$text': $* : $(cat "$work/err")"
}

# The help names the engine that decides by default, and those that are not there.
engines=$("$program" --version | grep -o '(.*)')
case "$engines" in
*Z3*CaDiCaL*) told='default z3, or cadical where Z3 cannot be loaded' ;;
*Z3*) told='default z3; this build has no CaDiCaL' ;;
*) told='default cadical; this build has no Z3' ;;
esac
for command in run explain check repair; do
    "$program" help $command | grep -qF -- "what decides ($told)" || fail "the help of $command, with $engines: $("$program" help $command | grep -A1 -e --engine)"
done

mp=litmus/library/message-passing/MP.litmus
if ! "$program" --engine cadical $mp >/dev/null 2>"$work/err"; then
    grep -q 'built without CaDiCaL' "$work/err" || fail "$(cat "$work/err")"
    refused 2 'built without CaDiCaL' --both-engines $mp
    [ $failed -eq 0 ] || exit 1
    echo "skipped: this program was built without CaDiCaL"
    exit 77
fi
refused 2 "'--engine' takes z3|cadical, not 'cvc5'" --engine cvc5 $mp
refused 2 "'--proof' needs '--engine cadical'" --proof "$work" $mp
refused 2 "'--proof' writes proofs under one model" --engine cadical --proof "$work" --target sm_70,sm_90 $mp
refused 4 "cannot write: No such file" --engine cadical --proof "$work/nowhere" $mp
refused 3 'the time limit of 0.001 s was reached' --engine cadical --timeout 0.001 litmus/library/loops

# A failed allocation of CaDiCaL is said, and not taken for an internal error.
{
    printf 'PTX stores\n{ .global .u32 x = 0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n'
    for ((i = 1; i <= 50; i++)); do
        printf 'st.relaxed.gpu.global.u32 [x], %d | st.relaxed.gpu.global.u32 [x], %d | st.relaxed.gpu.global.u32 [x], %d | st.relaxed.gpu.global.u32 [x], %d ;\n' \
            $((4 * i)) $((4 * i + 1)) $((4 * i + 2)) $((4 * i + 3))
    done
    printf 'exists (x == 4)\n'
} >"$work/stores.litmus"
# (With sanitizers, the program does not start in so little.)
if (ulimit -v 200000 && "$program" --version) >/dev/null 2>&1; then
    (ulimit -v 200000 && refused 4 'stores.litmus: error: out of memory' --engine cadical "$work/stores.litmus" && exit $failed) || failed=1
fi

# The program loads Z3 when it first needs it, from where PTXLITMUS_Z3 says, if that is set. Where it cannot, CaDiCaL decides, unless
# Z3 was asked for by its name.
name=$(strings -a "$program" | grep -m1 -xE 'libz3\.so[.0-9]*')
if [ -n "$name" ] && ! readelf -d "$program" | grep -q 'NEEDED.*libz3'; then
    mkdir "$work/empty"
    : >"$work/empty/$name"
    without_z3() {
        refused 2 'Z3 cannot be loaded: ' --engine z3 $mp
        refused 2 'Z3 cannot be loaded: ' --both-engines $mp
        "$program" $mp >"$work/out" 2>"$work/err" </dev/null && grep -q '^Observation MP Never 0 3$' "$work/out" ||
            fail "without Z3: $(cat "$work/out" "$work/err")"
        [ "$("$program" --version | grep -c '(Z3 not found, CaDiCaL)')" -eq 1 ] || fail "without Z3: $("$program" --version)"
    }
    LD_LIBRARY_PATH=$work/empty without_z3
    PTXLITMUS_Z3=$work/nowhere without_z3
    : >"$work/empty.c"
    if cc -shared -o "$work/other.so" "$work/empty.c" 2>/dev/null; then
        PTXLITMUS_Z3=$work/other.so refused 2 "other.so lacks Z3_" --engine z3 $mp
    fi
fi

# The library: status 0 with both, and the same states, flags and verdicts in the results of each.
"$program" --both-engines --format json "${folders[@]}" >"$work/both" 2>"$work/err" </dev/null || fail "--both-engines on the library: $(tail -3 "$work/err")"
"$program" --engine z3 --format json "${folders[@]}" >"$work/z3" 2>/dev/null </dev/null
"$program" --engine cadical --format json "${folders[@]}" >"$work/cadical" 2>/dev/null </dev/null
for engine in both z3 cadical; do
    sed -E -i 's/"stats":.*//; s/"witness":\[.*//' "$work/$engine" # there are several executions without an end
done
tests=$(wc -l <"$work/z3")
expected=$(find "${folders[@]}" -name '*.litmus' | wc -l)
[ "$tests" -eq "$expected" ] && [ "$tests" -ge 200 ] || fail "$tests tests of $expected in ${folders[*]}"
cmp "$work/z3" "$work/cadical" || fail "the library has other results with CaDiCaL"
cmp "$work/z3" "$work/both" || fail "the library has other results with --both-engines"

# Proofs of the library: one for each forbidden test, and each is one.
mkdir "$work/proofs"
"$program" --engine cadical --proof "$work/proofs" --verdict --format json "${folders[@]}" >"$work/proven" 2>/dev/null </dev/null || fail "--proof: status $?"
while read -r name; do
    [ -s "$work/proofs/$name.drat" ] || fail "$name is forbidden, and there is no proof"
done < <(sed -nE 's/.*"test":"([^"]*)".*"verdict":"forbidden".*/\1/p' "$work/proven" | sed 's/[^A-Za-z0-9+._-]/_/g')
proofs=0
for clauses in "$work"/proofs/*.cnf; do
    "$rup" "$clauses" "${clauses%.cnf}.drat" >"$work/out" 2>&1 || fail "$(basename "$clauses"): $(cat "$work/out")"
    proofs=$((proofs + 1))
done
forbidden=$(grep -c '"verdict":"forbidden"' "$work/proven")
[ $proofs -ge "$forbidden" ] && [ "$forbidden" -ge 80 ] || fail "$proofs proofs of $forbidden forbidden outcomes"
grep -q '^event 4 read P1 line 8$' "$work/proofs/MP.map" || fail "MP.map does not say what event 4 is"
grep -qE '^[0-9]+ rf [0-9]+ [0-9]+$' "$work/proofs/MP.map" || fail "MP.map names no rf"

# What the checker is for: without the last clause, the condition, the clauses of these tests have a model, and so
# there is no proof of anything.
for name in Cas-add.f32 MP IRIW+fence.sc; do
    clauses=$work/proofs/$name.cnf
    [ -e "$clauses" ] || { fail "no proof of $name"; continue; }
    awk 'NR == 1 { $4--; print; next } { if (NR > 2) print last; last = $0 }' "$clauses" >"$work/weaker.cnf"
    ! "$rup" "$work/weaker.cnf" "$work/proofs/$name.drat" >/dev/null 2>&1 || fail "$name is 'proven' without its condition"
done

# Random tests, each with 4 seconds of the processor. Sums of floating-point numbers that are not known may take either engine
# minutes.
random=0 undecided=0
for kind in mixed proxies branches sizes barriers restricted floats values sections mbarriers async warps; do
    "$generate" --seed "$seed" --count "$count" --out "$work/$kind" --kind $kind --cap 1000 --model 9.1 || fail "no tests of kind $kind"
    for file in "$work/$kind"/*; do
        ended=0
        within 4 "$program" --both-engines --format json "$file" >"$work/out" 2>"$work/err" </dev/null || ended=$?
        random=$((random + 1))
        if [ $ended -eq 4 ] && grep -q 'was ended by signal \(24\|9\) ' "$work/err"; then # SIGXCPU, SIGKILL
            undecided=$((undecided + 1))
            continue
        fi
        [ $ended -le 1 ] || [ $ended -eq 3 ] || fail "$file: status $ended: $(tail -2 "$work/err")"
        ! grep -F 'internal' "$work/out" "$work/err" || fail "$file: the engines differ"
    done
done
[ $random -eq $((12 * count)) ] || fail "$random random tests, not $((10 * count))"
[ $((undecided * 4)) -le $random ] || fail "$undecided of $random random tests were not decided by both in 4 s of the processor"

echo "$tests tests of the library and $random random ones ($undecided undecided) by both engines, $proofs proofs; $failed failed"
[ $failed -eq 0 ]
