#!/usr/bin/env bash
# Measures `ptxlitmus repair` on every test of the library whose outcome is allowed: the time of the search
# and how often it asks the solver.
#
# usage: repair.sh PROGRAM [OUTPUT]       a line per test goes to OUTPUT, a summary to stdout
set -u
export LC_ALL=C
program=$(realpath "${1:?usage: repair.sh PROGRAM [OUTPUT]}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
output=${2:-$(mktemp)}
: >"$output"
limit=60
TIMEFORMAT='%U %S' # of the process, which a busy machine does not shorten

find litmus/library -name '*.litmus' | sort | while read -r file; do
    { time "$program" repair --all --format json --timeout "$limit" "$file" 2>/dev/null </dev/null; } 2>"$output.time" |
        sed -nE "s|.*\"state\":\"([a-z-]+)\".*\"complete\":(true\|false).*\"stats\":\{\"runs\":([0-9]+),\"evaluations\":([0-9]+).*\"seconds\":([0-9.e-]+).*|\5 \3 \4 \1 \2 $file|p" >"$output.line"
    [ -s "$output.line" ] && awk '{ user = $1 + $2 } END { getline line <"'"$output.line"'"; print line, user }' "$output.time" >>"$output"
done
rm -f "$output.time" "$output.line"
[ -s "$output" ] || { echo "no result: was the program built?"; exit 1; }

# Prints the median and the largest of a column of the tests that ask for a repair.
column() {
    grep -v ' nothing-to-do ' "$output" | sort -g -k "$1,$1" | awk -v column="$1" '
        { value[NR] = $column; name[NR] = $6 }
        END { printf "median %s, largest %s (%s)", value[int((NR + 1) / 2)], value[NR], name[NR] }'
}
count() { awk -v state="$1" '$4 == state' "$output" | wc -l; }
printf 'Repair, all results, on %d tests whose outcome is allowed: %d repaired, %d cannot be, %d undecided (limit %d s)\n' \
    "$(grep -vc ' nothing-to-do ' "$output")" "$(count found)" "$(count none)" "$(count undecided)" "$limit"
printf '  of the repaired, not all results within the time: %d\n' "$(awk '$4 == "found" && $5 == "false"' "$output" | wc -l)"
printf '  seconds: %s\n' "$(column 1)"
printf '  seconds of the processor, the start of the program included: %s\n' "$(column 7)"
printf '  runs of the solver: %s\n' "$(column 2)"
printf '  executions evaluated without it: %s\n' "$(column 3)"
