#!/usr/bin/env bash
# Each kind of known difference to ptxas has a row in docs/ptxas.md, and each row is of such a kind.
#
# usage: documented.sh COMPARE_PTXAS
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

kinds=$("$1" --reasons | sort -u)
rows=$(sed -n 's/^| \([^|]*\) | [^|]* | [^|]* | .* |$/\1/p' docs/ptxas.md | grep -v -e '^kind$' -e '^---$' | sort -u)
[ -n "$kinds" ] || exit 1
diff <(printf '%s\n' "$kinds") <(printf '%s\n' "$rows") || {
    echo 'the kinds of tests/ptx/differences.def (<) are not the rows of docs/ptxas.md (>)'
    exit 1
}
