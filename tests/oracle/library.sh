#!/bin/bash
# Compares ptxlitmus with the oracle on all tests that ship: same outcome sets, verdicts and
# flags, under both readings of proxy fences.
#
#   tests/oracle/library.sh BUILD
#
# Tests that the oracle does not judge yet are named below, each with its reason; one that is missing
# here, or that the oracle does judge by now, fails the run.
set -u
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
build=${1:?the build folder}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

cat > "$scratch/known" <<'END'
litmus/library/async/Cancel-all+cta.litmus: what a thread does depends on an unknown value
litmus/library/async/Cancel-all-again+no-release.litmus: an outcome that depends on an unknown value
litmus/library/async/Cancel-all.litmus: what a thread does depends on an unknown value
END

cut -d: -f1 "$scratch/known" | sed 's/.*/"file":"&"/' > "$scratch/names"

# Main loops wait at mbarriers for the second round of a stage. With each round of a waiting loop that finds nothing, the
# oracle has more paths than it can try, and such a round orders nothing: it takes these loops once. In Forward and
# Combine one thread alone has more than 20,000 paths, since it issues every copy: their parts are Bulk-load-store, Bulk-reuse,
# group-count, tma-refill and Load-compute-store. Loop-loads and the wrong forms of
# Load-store-finish take too long for each run; the oracle agrees on them, too.
mainloops=litmus/library/mainloops
mapfile -t others < <(find litmus/library -mindepth 1 -maxdepth 1 -type d ! -path "$mainloops" | sort)
mapfile -t loops < <(find "$mainloops" -name 'Mainloop-wgmma*.litmus' -o -name 'Load-store-finish.litmus' | sort)
printf '"file":"%s\n' "$mainloops/Forward" "$mainloops/Combine" "$mainloops/Loop-loads" "$mainloops/Load-store-finish+" >> "$scratch/names"

# $1: the reading of D9.
compare_under() {
  "$build/tests/oracle/ptxlitmus-oracle" --proxy-fences "$1" "${others[@]}" > "$scratch/oracle"
  [ $? -le 3 ] || return 1
  if [ "$1" = both ]; then
    "$build/tests/oracle/ptxlitmus-oracle" --rounds 0 "${loops[@]}" >> "$scratch/oracle"
    [ $? -le 3 ] || return 1
  else # nothing in them depends on the reading
    printf '"file":"%s\n' "$mainloops" >> "$scratch/names"
  fi
  "$build/ptxlitmus" --proxy-fences "$1" --format json litmus/library > "$scratch/solver" 2> /dev/null
  grep '"unsupported":' "$scratch/oracle" |
    sed -E 's/.*"file":"([^"]*)".*"unsupported":"([^"]*)".*/\1: \2/' | sort > "$scratch/left_out"
  diff "$scratch/known" "$scratch/left_out" || { echo "what the oracle leaves out has changed"; return 1; }
  for side in oracle solver; do
    grep -vFf "$scratch/names" "$scratch/$side" > "$scratch/$side.jsonl"
  done
  "$build/tests/oracle/ptxlitmus-compare" "$scratch/oracle.jsonl" "$scratch/solver.jsonl"
}

compare_under both || exit 1
compare_under path || exit 1
