#!/bin/bash
# Leaves out steps of building that make programs smaller, one at a time, of tests of the library and of random ones:
# verdict, flags and states must stay the same (tests/metamorphic/steps.c).
#
#   tests/metamorphic/steps.sh BUILD [COUNT [SEED]]
#
# COUNT random tests of each kind (default 20) from SEED (default 1).
set -eu
export LC_ALL=C
build=$(realpath "${1:?the build folder}") count=${2:-20} seed=${3:-1}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for kind in branches warps values; do
  mkdir "$scratch/$kind"
  "$build/tests/oracle/ptxlitmus-generate" --kind $kind --cap 1000 --count "$count" --seed "$seed" \
    --out "$scratch/$kind"
done
"$build/tests/metamorphic/steps" litmus/library/{barriers,bugs,coherence,decisions,loops,mainloops,matrices} "$scratch"
