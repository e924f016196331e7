#!/usr/bin/env bash
# Which table loses what: checks the tests of shapes.pl by all tables and prints the table of docs/lowering.md, of unsound tests
# among those that are defined, by lowering and shape; a '?' where something is not known.
#
# usage: soundness.sh PROGRAM [--json FILE] [SHAPE...]      (all shapes: some minutes)
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: soundness.sh PROGRAM [--json FILE] [SHAPE...]}") || exit 2
shift
folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
json=$work/json
if [ "${1:-}" = --json ]; then
    json=$2
    shift 2
fi
mkdir "$work/shapes"
perl "$folder/shapes.pl" "$work/shapes" "$@" || exit 2
tables=$("$program" lower --list-tables | cut -d' ' -f1 | paste -sd,)
if [ ! -e "$json" ]; then # a file of results that is there is only counted
    "$program" lower --verify -j0 --format json --table "$tables" "$work/shapes" >"$json" 2>"$work/err"
    # What a table has no row for is an error: libcu++ before sm_70 has no clusters, llvm-22-sm_60 few orders.
    grep -E ': error: ' "$work/err" | grep -vE "has no row for this|has no '\{membar\}'" && exit 2
fi
perl "$folder/count.pl" "$@" <"$json"
