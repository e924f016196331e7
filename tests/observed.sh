#!/bin/bash
# What `ptxlitmus observed` says of logs of runs on hardware: sums, forbidden states, messages.
#
# usage: observed.sh PROGRAM
set -u
export LC_ALL=C.UTF-8 NO_COLOR=1
program=$(realpath "${1:?usage: observed.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
cd tests/observed || exit 2

# $1: the status; then the arguments. What is printed stays in $work/out and $work/err.
run() {
  local want=$1
  shift
  "$program" observed "$@" > "$work/out" 2> "$work/err"
  local got=$?
  [ $got -eq "$want" ] || { fail "'$*': status $got, not $want"; cat "$work/out" "$work/err"; }
}

has() {
  grep -qF -- "$1" "$work/out" || { fail "not printed: $1"; cat "$work/out"; }
}

# What an H100 has shown of the included tests: nothing that the model forbids, and much that sequential consistency does.
run 0 h100.log
has '655 tests: 0 with a forbidden state, 0 undecided'
if [ -z "${PTXLITMUS_SLOW:-}" ]; then
  run 1 --target sc h100.log
  grep -qE '^655 tests: [5-9][0-9] with a forbidden state, 0 undecided' "$work/out" || fail 'the runs of an H100 have no power'
fi

# Logs of litmus7 and of ours add up, by the names of either.
run 0 litmus7.log two.log
has 'MP+cta: nothing that is forbidden was seen, 4 of 4 allowed states seen (2 runs, 1000 instances, 0.5 s)'
has '  no power: the outcome of the control was not seen either'
has '  allowed, never seen: P1:%r0=0, P1:%r1=1'
has '2+2W: nothing that is forbidden was seen, 1 of 4 allowed states seen (1 run)'
has '3 tests: 0 with a forbidden state, 0 undecided'
[ "$(grep -c 'no power' "$work/out")" -eq 1 ] || fail "power is judged of a run without a control"
[ ! -s "$work/err" ] || fail "messages: $(cat "$work/err")"

# A forbidden state, with its count; the same log under a model that is too strong.
run 1 forbidden.log
has '  forbidden, seen 3 of 1002 times: P1:%r0=1, P1:%r1=0'
run 1 --target sc litmus7.log
has '  forbidden, seen 12 of 1000000 times: P1:%r0=1, P1:%r1=0'
[ ! -s "$work/err" ] || fail "what a test expects is judged: $(cat "$work/err")"
sed 's/^3 \*/0 */' forbidden.log > "$work/none.log"
run 0 "$work/none.log"

# A test that is not included, given as a file and in a folder; negative and hexadecimal values.
mkdir "$work/tests"
sed 's/^PTX MP$/PTX Mine/; s/== 1 /== -1 /; s/\[flag\], 1/[flag], -1/' \
  ../../litmus/library/message-passing/MP.litmus > "$work/tests/mine.litmus"
printf 'Test Mine Allowed\nHistogram (2 states)\n5:>1:r0=-1; 1:r1=0x1;\n7:>1:r0=0; 1:r1=1;\n' > "$work/mine.log"
run 0 "$work/mine.log" "$work/tests/mine.litmus"
has 'Mine: nothing that is forbidden was seen, 2 of 3 allowed states seen (1 run)'
run 0 "$work/mine.log" "$work/tests"
run 2 "$work/mine.log"
grep -qF 'Mine: error: no included test has this name: give its file, too' "$work/err" || fail "Mine without its file"
run 0 - "$work/tests" < "$work/mine.log"

# What is not decided is not judged.
run 3 --timeout 0.00001 forbidden.log
has 'not known to be allowed, seen 3 times'

# JSON: an object per test.
run 1 --format json forbidden.log two.log
has '{"test":"MP","runs":2,"instances":1000,"seconds":0.5,"control":0,"power":null,"complete":true,"allowed":3,"forbidden":[{"state":"P1:%r0=1, P1:%r1=0","times":3}],"unknown":[],"never_seen":["P1:%r0=0, P1:%r1=1"]}'
has '"test":"MP+cta","runs":1,"instances":1000,"seconds":0.5,"control":3,"power":true'
has '"test":"2+2W","runs":1,"instances":null,"seconds":null,"control":null,"power":null,"complete":true,"allowed":4,"forbidden":[],"unknown":[],"never_seen":["x=1, y=2","x=2, y=1","x=2, y=2"]'
run 2 --format json MP
has '"error":"there is no log among these'

# Broken logs: $1 what the message says, $2 the log.
refused() {
  printf "$2" > "$work/broken.log"
  run 2 "$work/broken.log"
  grep -qF -- "$1" "$work/err" || { fail "not refused with: $1"; cat "$work/err"; }
}
refused "there is no run in this log" 'nothing\n'
refused "there is no run in this log" ''
refused "the run of MP has no histogram" 'Test MP Allowed\n'
refused "expected 'Histogram (N states)'" 'Test MP Allowed\nHisto\n'
refused "expected 'Histogram (N states)'" 'Test MP Allowed\nHistogram (x states)\n'
refused "the log ends after 1 of these states" 'Test MP Allowed\nHistogram (2 states)\n1:>1:r0=1; 1:r1=1;\n'
refused "expected how often a state was seen" 'Test MP Allowed\nHistogram (1 states)\nmany:>1:r0=1;\n'
refused "expected a value" 'Test MP Allowed\nHistogram (1 states)\n1:>1:r0;\n'
refused "expected a number" 'Test MP Allowed\nHistogram (1 states)\n1:>1:r0=one;\n'
refused "does not show '1:r9'" 'Test MP Allowed\nHistogram (1 states)\n1:>1:r9=1;\n'
refused "this is the log of a model" 'Test MP Allowed\nStates 1\n1:r0=1;\n'
refused "'Effort' comes after the run" 'Effort MP control=1\nTest MP Allowed\nHistogram (0 states)\n'
refused "'control' is a number" 'Test MP Allowed\nHistogram (1 states)\n1:>1:r0=1; 1:r1=1;\nEffort MP control=many\n'
run 2 MP
grep -qF 'there is no log among these' "$work/err" || fail "a test is taken for a log"
run 2
run 2 "$work/missing.log"
run 2 --states 1 forbidden.log
run 2 --format log forbidden.log

[ "$failed" -eq 0 ] || exit 1
echo "observed: all as they should be"
