#!/usr/bin/env bash
# The simulated memory systems are stronger than the ISA: over the whole library, none of them has an
# outcome that ptx-9.1 does not have, nor a verdict that ptx-9.1 excludes; and each of them excludes
# something. What a simulated memory system excludes stays open where the model leaves a program undefined,
# as where racing accesses overlap in part.
#
# usage: simulated.sh PROGRAM
set -u

program=$(realpath "${1:?usage: simulated.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A table's lines say `yes` or `-` for an outcome, ptx-9.1 (a real target) first. Products of matrices by warpgroups are
# on sm_90a alone.
# What names its target is for no simulated one.
grep -rL '^\.target' litmus/library --include='*.litmus' >"$work/tests"
xargs -a "$work/tests" grep -l 'wgmma\.' >"$work/products"
xargs -a "$work/tests" grep -L 'wgmma\.' >"$work/others"
xargs -a "$work/products" "$program" --target sm_90a,in-order,mca,sc >"$work/tables" 2>"$work/err" </dev/null
first=$?
xargs -a "$work/others" "$program" --target sm_100a,in-order,mca,sc >>"$work/tables" 2>>"$work/err" </dev/null
status=$?
[ $status -ge $first ] || status=$first
[ $status -ne 123 ] || status=3 # of xargs: some test ended with a status of 1 to 125
grep -v "undecided.*which leaves the program undefined" "$work/err" | head -c 10000
awk -v want="$(wc -l <"$work/tests")" -v status="$status" '
    function fail(what) { printf "FAIL: %s: %s\n", test, what; failed++ }
    / \(litmus\/library\/.*\)$/ { test = $1; tests++; next }
    / sm_[0-9]+a +in-order +mca +sc$/ { heads++; next }
    # The last four words of a line are the answers.
    NF >= 5 && $1 != "flag" && $(NF-3) ~ /^(yes|-|\?)$/ && $(NF) ~ /^(yes|-|\?)$/ {
        outcomes++
        for (i = 0; i < 3; i++) {
            if ($(NF-3) != "yes" && $(NF-i) != "-") fail("an outcome that only " name[i] " allows")
            if ($(NF-3) == "yes" && $(NF-i) == "-") excluded[i]++
        }
        rows[test]++
    }
    $1 == "verdict" {
        verdicts++
        for (i = 0; i < 3; i++) {
            # If no model has an outcome, there is no verdict.
            if ($(NF-3) == "unknown" && rows[test] > 0) fail("undecided")
            if ($(NF-i) == "unknown" && rows[test] > 0) open[test] = 1
            if ($(NF-3) ~ /^(forbidden|unknown)$/ && $(NF-i) != $(NF-3)) fail(name[i] ": " $(NF-i))
            if ($(NF-3) == "allowed" && $(NF-i) == "forbidden") forbidden[i]++
        }
    }
    $1 == "flag" && $2 ~ /^(mixed-size-race|async-undefined|mbarrier-misuse|wgmma-misuse|tensor-misuse|cancel-misuse|exited-cta|async-unwaited|readonly-written)$/ { delete open[test] }
    BEGIN { name[0] = "sc"; name[1] = "mca"; name[2] = "in-order" }
    END {
        for (test in open) fail("undecided")
        test = "the library"
        if (status != 0 && status != 3) fail("exit status " status)
        if (tests != want || heads != want || verdicts != want) fail(tests " tables of " want " tests")
        for (i = 0; i < 3; i++) {
            printf "%s: excludes %d of %d outcomes, and forbids %d tests that ptx-9.1 allows\n",
                name[i], excluded[i], outcomes, forbidden[i]
            if (excluded[i] == 0 || forbidden[i] == 0) fail(name[i] " excludes nothing")
        }
        exit failed > 0
    }' "$work/tables"
