#!/usr/bin/env bash
# The table of docs/async-tests.md: each test that it names is there, and expects what it says; no question is without a
# test unless it says so. A verdict is one of the library's, in the test's `expect`; a flag is one that the program reports of a
# test in tests/model/undecided.
#
# usage: async_tests.sh PROGRAM
set -u
export LC_ALL=C
program=$(realpath "${1:?usage: async_tests.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
page=docs/async-tests.md tests=0 open=0

# check_expected ID NAME WORDS: the words ("allowed and race") are those of the test's expect.
check_expected() {
    local file expected word
    file=$(find litmus/library -name "$2.litmus")
    [ -n "$file" ] || { fail "$1: there is no test $2 in the library"; return; }
    expected=$(sed -n 's/^expect \(.*\);$/\1/p' "$file")
    while read -r word; do
        tr ',' '\n' <<<"$expected" | sed 's/^ *//' | grep -qxF -- "$word" || fail "$1: $2 expects '$expected', not '$word'"
    done <<<"${3// and /$'\n'}"
}

# check_flag ID NAME FLAG
check_flag() {
    local file=tests/model/undecided/$2.litmus
    [ -f "$file" ] || { fail "$1: there is no $file"; return; }
    "$program" --verdict --format log "$file" 2>&1 </dev/null | grep -qxF "Flag $3" || fail "$1: $2 has no flag $3"
}

while IFS='|' read -r _ id _ _ cell _; do
    id=$(tr -d ' ' <<<"$id")
    case "$cell" in
    ' none yet ') open=$((open + 1)); continue ;;
    esac
    while read -r item; do
        name=$(sed -E 's/^\*([^*]*)\*.*/\1/' <<<"$item") words=$(sed -E 's/^\*[^*]*\* //' <<<"$item")
        tests=$((tests + 1))
        if [[ "$words" =~ ^([a-z]+-(misuse|undefined)|mixed-size-race|exited-cta|async-unwaited)$ ]]; then
            check_flag "$id" "$name" "$words"
        else
            check_expected "$id" "$name" "$words"
        fi
    done < <(sed 's/^ //; s/ $//; s/; /\n/g' <<<"$cell")
done < <(grep -E '^\| [TB][0-9]' "$page")

# Each question is asked once.
for number in $(seq 1 48) 31r; do
    grep -qE "^\| ([^|]*, )?T$(printf '%02d' "${number%r}")${number//[0-9]/}(,[^|]*)? \|" "$page" || fail "T$number is missing"
done
for number in $(seq 21 40); do
    grep -qE "^\| B$number \|" "$page" || fail "B$number is missing"
done
[ "$tests" -ge 150 ] || fail "only $tests tests are named"
echo "$tests tests are named; of $open questions there is none yet"
[ "$failed" -eq 0 ]
