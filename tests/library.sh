#!/usr/bin/env bash
# The library as one run of the program: every test on disk is run, is named as its file, says why in
# a sentence, and has the verdict that it expects, or no outcome if it expects none (the exit status is
# 0 only then).
#
# usage: library.sh PROGRAM CHECK_LOG [N]     (only every Nth test)
set -u

program=$(realpath "${1:?usage: library.sh PROGRAM CHECK_LOG}") || exit 2
check=$(realpath "${2:?usage: library.sh PROGRAM CHECK_LOG}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

every=${3:-1}
find litmus/library -name '*.litmus' | LC_ALL=C sort | awk -v every="$every" 'NR % every == 0' >"$work/files"
count=$(wc -l <"$work/files")
[ "$count" -ge 45 ] || fail "only $count tests in litmus/library"

words='allowed|forbidden|always|race|no race|hang|no hang|trap|no trap|reachable|unreachable|terminates|may-hang'
# One process for all: several for each of a thousand files take longer than their verdicts.
xargs awk -v words="$words" '
    function name_of(file) { sub(/.*\//, "", file); sub(/\.litmus$/, "", file); return file }
    function leave() {
        if (before == "") return
        if (!expects) print before ": no expectation"
        if (!decides) print before ": expects neither a verdict nor that there is no outcome"
    }
    FNR == 1 {
        leave(); before = FILENAME; expects = decides = 0
        if ($0 != "PTX " name_of(FILENAME)) print FILENAME ": the test is not named " name_of(FILENAME)
    }
    FNR == 2 && !/^".*\."$/ { print FILENAME ": no sentence that says why" }
    $0 ~ "^expect (" words ")(, (" words "))*;$" { expects = 1 }
    /^expect (.*[ ,])?(allowed|forbidden|always|unreachable)([ ,;]|$)/ { decides = 1 }
    END { leave() }' <"$work/files" >"$work/faults"
[ ! -s "$work/faults" ] || fail "$(cat "$work/faults")"
sed 's|.*/||' "$work/files" | sort | uniq -d | while read -r name; do
    printf 'two tests are named %s\n' "$name"
done >"$work/twice"
[ ! -s "$work/twice" ] || fail "$(cat "$work/twice")"

if [ "$every" = 1 ]; then
    "$program" litmus/library >"$work/log" 2>"$work/err" </dev/null
else
    xargs "$program" <"$work/files" >"$work/log" 2>"$work/err"
fi
status=$?
[ "$status" -eq 0 ] || fail "exit status $status"
head -c 10000 "$work/err"
"$check" "$work/log" || fail "the log is not in herd's grammar"
run=$(grep -c '^Test ' "$work/log")
[ "$run" -eq "$count" ] || fail "$run tests were run of $count on disk"
decided=$(grep -cE '^Observation [^ ]+ (Never|Sometimes|Always) [0-9]+ [0-9]+$' "$work/log")
empty=$(grep -cE '^Observation [^ ]+ Unknown 0 0$' "$work/log")
unreachable=$(xargs grep -lE '^expect .*\bunreachable\b' <"$work/files" | wc -l)
[ "$empty" -eq "$unreachable" ] || fail "$empty tests have no outcome, $unreachable expect none"
[ "$((decided + empty))" -eq "$count" ] || fail "$decided tests were decided of $count on disk"

printf '%d tests, %d failures\n' "$count" "$failed"
[ "$failed" -eq 0 ]
