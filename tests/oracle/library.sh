#!/bin/bash
# Compares ptxlitmus with the oracle on all tests that ship: same outcome sets, verdicts and
# flags, under both readings of proxy fences.
#
#   tests/oracle/library.sh BUILD [N]      # only every Nth test, and none that takes long
#
# Tests that the oracle does not judge yet are named below, each with its reason; one that is missing
# here, or that the oracle does judge by now, fails the run.
set -u
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
build=${1:?the build folder}
every=${2:-1}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

cat > "$scratch/known" <<'END'
litmus/library/async/Bulk-reduce-sum.f32.litmus: an outcome that depends on an unknown value
litmus/library/async/Cancel-all+cta.litmus: what a thread does depends on an unknown value
litmus/library/async/Cancel-all-again+no-release.litmus: an outcome that depends on an unknown value
litmus/library/async/Cancel-fourth.litmus: an outcome that depends on an unknown value
litmus/library/barriers/Shfl-absent.litmus: an outcome that depends on an unknown value
litmus/library/coherence/Initial-any.litmus: an outcome that depends on an unknown value
litmus/library/loops/Timed-wait+trap.litmus: what a thread does depends on an unknown value
litmus/library/ptx-9.3/Bulk-ignore+rest.litmus: an outcome that depends on an unknown value
litmus/library/ptx-9.3/Mbarrier-layout+pending.litmus: an outcome that depends on an unknown value
litmus/library/ptx-9.3/Mbarrier-report+early.litmus: an outcome that depends on an unknown value
litmus/library/wgmma/Wgmma-float.litmus: an outcome that depends on an unknown value
END

cut -d: -f1 "$scratch/known" | sed 's/.*/"file":"&"/' > "$scratch/names"

# Main loops wait at mbarriers for the second round of a stage. With each round of a waiting loop that finds nothing, the
# oracle has more paths than it can try, and such a round orders nothing: it takes these loops once. In Forward and
# Combine one thread alone has more than 20,000 paths, since it issues every copy: their parts are Bulk-load-store, Bulk-reuse,
# group-count, tma-refill and Load-compute-store. Loop-loads, the wrong forms of Load-store-finish and all of Launch-control
# take too long for each run (Launch-control+no-expect a fifth of the time of all tests); the oracle agrees on them, too.
# Of locks with tickets it tries no rounds that find nothing either.
mainloops=litmus/library/mainloops once='/(Mainloop-wgmma|Load-store-finish\.|Ticket-lock-rounds)'
mapfile -t loops < <(find "$mainloops" litmus/library/loops -name '*.litmus' | grep -E "$once" | sort)

# What a run takes: all tests, or every Nth of those that do not take long.
long='/(Cancel-|cancel-expect|Mbarrier-pipeline|Cluster-reduce|Cas-add\.f32|Cta-wait-swapped|Exch-spin-lock|Grouped|Persistent-tiles|Tcgen-pair-|Im2col-load|Tensormap-type)'
find litmus/library -name '*.litmus' ! -path "$mainloops/*" | grep -vE "$once" | sort > "$scratch/all"
if [ "$every" -gt 1 ]; then
  loops=("$mainloops/Mainloop-wgmma+parity.litmus")
  grep -vE "$long" "$scratch/all" | awk -v n="$every" 'NR % n == 0' > "$scratch/taken"
else
  cp "$scratch/all" "$scratch/taken"
fi

# Which proxy fences count can make a difference where another proxy than the generic one, or another name of
# a location, is in the text.
# (Those of answers that are taken apart, of tiles of a pair of CTAs, of pipelines, and of grouped and persistent kernels take the oracle
# longer than all others: they are compared under the usual reading alone.)
xargs grep -lE 'proxy|async|alias|tensormap|wgmma|tcgen05|multimem|tex|surf|const|mbarrier' < "$scratch/taken" |
  grep -vE '/(Cancel-(once-more|again|again\+fence|all)|cancel-expect\+fixed|Tcgen-pair-(tile(\+own)?|alloc)|Grouped[^.]*|Persistent-tiles[^.]*|Mbarrier-pipeline[^.]*)\.' > "$scratch/proxies"

# compare_under READING FILE [--rounds N TEST...]: the tests that the file lists, and further ones with the oracle's option.
compare_under() {
  local reading=$1 listed
  mapfile -t listed < "$2"
  shift 2
  "$build/tests/oracle/ptxlitmus-oracle" --proxy-fences "$reading" "${listed[@]}" > "$scratch/oracle"
  [ $? -le 3 ] || return 1
  if [ $# -gt 0 ]; then
    "$build/tests/oracle/ptxlitmus-oracle" "$@" >> "$scratch/oracle"
    [ $? -le 3 ] || return 1
  fi
  printf '%s\n' "${listed[@]}" "${@:3}" > "$scratch/asked"
  "$build/ptxlitmus" --proxy-fences "$reading" --format json "@$scratch/asked" > "$scratch/solver" 2> /dev/null
  grep '"unsupported":' "$scratch/oracle" |
    sed -E 's/.*"file":"([^"]*)".*"unsupported":"([^"]*)".*/\1: \2/' | sort > "$scratch/left_out"
  grep -Ff "$scratch/asked" "$scratch/known" | diff - "$scratch/left_out" || { echo "what the oracle leaves out has changed"; return 1; }
  for side in oracle solver; do
    grep -vFf "$scratch/names" "$scratch/$side" > "$scratch/$side.jsonl"
  done
  "$build/tests/oracle/ptxlitmus-compare" "$scratch/oracle.jsonl" "$scratch/solver.jsonl"
}

compare_under both "$scratch/taken" --rounds 0 "${loops[@]}" || exit 1
compare_under path "$scratch/proxies" || exit 1
