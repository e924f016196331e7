#!/usr/bin/env bash
# The driver of the benchmarks: with ptxlitmus on one family, and with a program in its place whose numbers
# are known, which is late, or which is wrong. No times are asserted.
#
# usage: driver.sh BUILD
set -u

build=$(realpath "${1:?usage: driver.sh BUILD}") || exit 2
driver=$build/tests/bench/ptxlitmus-bench
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
checked=0
export LC_ALL=C

# bench STATUS FOLDER OPTION...: the table is $work/table, the JSON $work/json
bench() {
    local status wanted=$1
    shift
    rm -f "$work/json"
    "$driver" "$@" --output "$work/json" >"$work/table" 2>"$work/err" </dev/null
    status=$?
    checked=$((checked + 1))
    [ "$status" -eq "$wanted" ] || fail "$*: status $status: $(cat "$work/err")"
}

# has FILE COUNT REGEX: so many lines match
has() {
    local count
    checked=$((checked + 1))
    count=$(grep -cE "$3" "$work/$1")
    [ "$count" -eq "$2" ] || fail "$1: $count lines instead of $2 match $3: $(head -n 30 "$work/$1")"
}

# --- ptxlitmus --------------------------------------------------------------------------------------

bench 0 "$build" --only mp --runs 1
has json 11 '"state": "measured"'
has json 11 '"variables": [1-9][0-9]*,?$' # of points; growth has a fraction
has table 1 '^  10 to 40  cpu ratio x [0-9.]+  variables x [0-9.]+  clauses x [0-9.]+$'

# Options after -- are the program's.
bench 1 "$build" --only aliases --runs 1 --limit 20 -- --model nonsense
has table 7 'WRONG'
has err 7 "status 2$"

# --- A program in its place -------------------------------------------------------------------------

# At size n it has n^2 variables and n^3 clauses. $mood is done first.
mkdir -p "$work/fake/tests/bench" "$work/fake/tests"
ln -s "$build/tests/oracle" "$work/fake/tests/oracle"
printf '#!/bin/sh\nexit 0\n' >"$work/fake/tests/bench/empty_z3"
cat >"$work/fake/ptxlitmus" <<'EOS'
#!/bin/bash
case "$*" in
--version) echo "fake 1"; exit ;;
*test.litmus) ;;
*) printf 'Test t Allowed\n%.0s' {1..1000}; exit ;;
esac
{ read -r _ name; while read -r word verdict; do [ "$word" = expect ] && break; done; } <"${!#}"
n=${name##*-}
verdict=${verdict%;}
eval "$mood"
echo '{"verdict":"'"$verdict"'","complete":true,"states":[{},{}],"stats":{"variables":'$((n * n))',"clauses":'$((n * n * n))'}}'
EOS
chmod +x "$work/fake/ptxlitmus" "$work/fake/tests/bench/empty_z3"
export mood=

bench 0 "$work/fake" --quick --limit 20
has table 2 '^batch.* 1000 tests$'
has table 1 '^batch with -j 2, a test: [0-9.]+ times as fast as batch, a test$'
has table 21 'variables n\^2\.00  clauses n\^3\.00$'
has table 1 'variables -  clauses -$' # all lists have two outcomes
has table 1 '^LB, 40 threads  .* s   (met|missed)$'
has json 0 '"state": "(late|skipped|wrong)"'
has json 22 '"title": "[A-Z]'
has json 3 '"met": (true|false)$'

mood='[ $n -lt 6 ] || exec sleep 30'
bench 0 "$work/fake" --only LB --limit 3 --runs 1
has table 2 '^ +[24] .* ms .* 1$'
has table 1 '^ +6   over 3 s$'
has table 12 'not run: a smaller one took too long$'
has table 1 '^LB, 40 threads  .* too long .* not known$'
has json 12 '"state": "skipped"'
bench 0 "$work/fake" --only Outcomes --limit 3 --runs 1
has table 1 '^Outcomes, 12 threads  .* too long .* missed$'

mood='[ $n -ne 6 ] || verdict=unknown'
bench 1 "$work/fake" --only LB --runs 1
has table 1 '^ +6   WRONG'
has json 1 '"state": "wrong"'
has json 15 '"state": "measured"'
has err 1 '^ptxlitmus-bench: LB, 6 threads: status 0$'

mood='[ $n -ne 6 ] || exit 4'
bench 1 "$work/fake" --only LB --runs 1
has err 1 '^ptxlitmus-bench: LB, 6 threads: status 4$'

# --- Bad usage --------------------------------------------------------------------------------------

bench 2
bench 2 "$work/fake" --limit x
bench 2 "$work/fake" --runs 0
bench 2 "$work/fake" --nonsense
bench 1 "$work/fake" --only nonsense
has err 1 "no series 'nonsense'"
bench 1 "$work"
has err 1 'ptxlitmus does not run$'

printf '%d checks, %d failures\n' "$checked" "$failed"
[ "$failed" -eq 0 ]
